import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { type Database, sqlState, type Writer } from '../../src/db/database.ts';
import { deferred } from '../../src/lib/deferred.ts';
import { openTestDatabase } from '../support/test-database.ts';

const insertCountry = (writer: Writer, id: number) =>
  writer.query(sql`insert into countries (id, name, iso2, iso3) values (${id}, 'Land', 'XX', 'XXX')`);

describe('a transaction', () => {
  let db: Database;
  before(async () => {
    db = await openTestDatabase();
    await db.transaction((transaction) =>
      transaction.run('create table countries (id integer primary key, name text, iso2 text, iso3 text)'),
    );
  });
  beforeEach(() => db.query(sql`delete from countries`));
  after(() => db[Symbol.asyncDispose]());

  const countryIds = async () => (await db.query<{ id: number }>(sql`select id from countries`)).map(({ id }) => id);

  it('a transaction keeps its changes, and returns the result of its work', async () => {
    const result = await db.transaction(async (transaction) => {
      await insertCountry(transaction, 1);
      return { rows: await transaction.query<{ id: number }>(sql`select id from countries`) };
    });
    assert.deepEqual([...result.rows], [{ id: 1 }]);
    assert.deepEqual(await countryIds(), [1]);
  });

  it('a transaction returns undefined, null and lists unchanged', async () => {
    for (const value of [undefined, null, [], [Promise.resolve(1)], 0]) {
      assert.equal(await db.transaction(async () => value), value);
    }
  });

  it('a transaction whose work fails is rolled back, and fails with the same error', async () => {
    const fault = new Error('on purpose');
    const work = db.transaction(async (transaction) => {
      await insertCountry(transaction, 1);
      throw fault;
    });
    await assert.rejects(work, (error) => error === fault);
    assert.deepEqual(await countryIds(), []);
  });

  it('a transaction with a failing statement is rolled back', async () => {
    const work = db.transaction(async (transaction) => {
      await insertCountry(transaction, 1);
      await insertCountry(transaction, 1);
    });
    await assert.rejects(work, (error) => sqlState(error) === '23505');
    assert.deepEqual(await countryIds(), []);
  });

  it('a transaction whose work continues after a failed statement fails nevertheless', async () => {
    const work = db.transaction(async (transaction) => {
      await insertCountry(transaction, 1);
      await assert.rejects(transaction.query(sql`select 1 / 0`));
      return 'done';
    });
    await assert.rejects(work);
    assert.deepEqual(await countryIds(), []);
  });

  it('failed transactions leave their connections usable', async () => {
    const faults = Array.from({ length: 15 }, () =>
      db.transaction(async (transaction) => {
        await transaction.query(sql`select 1 / 0`);
      }),
    );
    for (const result of await Promise.allSettled(faults)) assert.equal(result.status, 'rejected');
    for (let id = 1; id <= 15; id++) {
      const [row] = await db.query<{ n: number }>(sql`select ${id}::integer as n`);
      assert.equal(row?.n, id);
    }
    await db.transaction((transaction) => insertCountry(transaction, 1));
    assert.deepEqual(await countryIds(), [1]);
  });

  it('a transaction runs a script of several statements', async () => {
    const script = `
      insert into countries (id, name, iso2, iso3) values (1, 'One; two', 'AA', 'AAA');
      -- a comment; with a semicolon
      insert into countries (id, name, iso2, iso3) values (2, 'It''s $1', 'BB', 'BBB');`;
    await db.transaction((transaction) => transaction.run(script));
    assert.deepEqual((await countryIds()).sort(), [1, 2]);

    await db.query(sql`delete from countries`);
    const failing = db.transaction((transaction) => transaction.run(`${script} select 1 / 0;`));
    await assert.rejects(failing, (error) => sqlState(error) === '22012');
    assert.deepEqual(await countryIds(), []);
  });

  it('many simultaneous transactions lose no update', async () => {
    await insertCountry(db, 1);
    await db.query(sql`update countries set name = '0'`);
    const work = async () =>
      db.transaction(async (transaction) => {
        const [row] = await transaction.query<{ name: string }>(sql`select name from countries for update`);
        await transaction.query(sql`update countries set name = ${String(Number(row?.name) + 1)}`);
      });
    await Promise.all(Array.from({ length: 30 }, work));
    const [row] = await db.query<{ name: string }>(sql`select name from countries`);
    assert.equal(row?.name, '30');
  });

  it('a transaction delays other statements only until it ends', async () => {
    let other: Promise<unknown> | undefined;
    await db.transaction(async (transaction) => {
      await insertCountry(transaction, 1);
      other = db.query(sql`select 1`);
      await transaction.query(sql`select 1`);
    });
    await other;
  });

  it('a transaction or statement that nobody waits for any longer is not begun', async () => {
    const released = deferred();
    // As many as there are connections: whatever comes then has to wait.
    const held = Array.from({ length: 10 }, () => db.transaction(() => released.promise));
    let isWanted = true;
    const unwanted = [
      db.query(sql`insert into countries (id, name, iso2, iso3) values (1, 'One', 'AA', 'AAA')`, () => isWanted),
      db.transaction(
        (transaction) => insertCountry(transaction, 2),
        () => isWanted,
      ),
    ];
    const wanted = db.transaction(
      (transaction) => insertCountry(transaction, 3),
      () => true,
    );
    const refused = Promise.all(unwanted.map((work) => assert.rejects(work, { code: 'DATABASE_UNWANTED' })));
    isWanted = false;
    released.resolve();
    await Promise.all([...held, refused, wanted]);
    assert.deepEqual(await countryIds(), [3]);
  });
});
