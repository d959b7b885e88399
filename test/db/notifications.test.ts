import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { insertRow, validRows } from '../support/rows.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('notifications', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase();
    for (const table of ['countries', 'states', 'cities'] as const) await insertRow(db, table, validRows[table]);
  });
  after(() => db[Symbol.asyncDispose]());

  /** Listens, and counts from when listening has begun. */
  async function countNotifications(channel: string) {
    let total = 0;
    const listening = await db.listen(channel, () => total++);
    // A server tells at once that it listens (see Database.listen).
    if (db.kind === 'server') await waitUntil('the beginning', () => total > 0);
    const atStart = total;
    return { count: () => total - atStart, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
  }

  /** Everything that was notified before has arrived when this has. */
  async function settle(): Promise<void> {
    let arrived = false;
    await using _listening = await db.listen('settled', () => {
      arrived = true;
    });
    await db.query(sql`notify settled`);
    await waitUntil('the last notification', () => arrived);
    await sleep(20);
  }

  it('arrive with whoever listens on their channel', async () => {
    await using heard = await countNotifications('news');
    await using others = await countNotifications('other_news');
    await db.query(sql`notify news`);
    await waitUntil('the first', () => heard.count() === 1);
    await db.query(sql`select pg_notify('news', 'again')`);
    await waitUntil('the second', () => heard.count() === 2);
    await settle();
    assert.equal(others.count(), 0);
  });

  it('no longer arrive once listening has been ended', async () => {
    const heard = await countNotifications('brief_news');
    await heard[Symbol.asyncDispose]();
    await db.query(sql`notify brief_news`);
    await settle();
    assert.equal(heard.count(), 0);
  });

  it('tell about a changed city, after the commit', async () => {
    await using heard = await countNotifications('geography_changed');
    await db.transaction(async (transaction) => {
      await transaction.query(sql`update cities set name = 'Panjim' where id = 1`);
      await sleep(20);
      assert.equal(heard.count(), 0);
    });
    await waitUntil('the change of geography', () => heard.count() === 1);
  });

  it('tell about changes in every table of geography', async () => {
    await using heard = await countNotifications('geography_changed');
    let expected = 0;
    for (const change of [
      sql`insert into countries (id, name, iso2, iso3) values (9, 'Nowhere', 'XX', 'XXX')`,
      sql`insert into states (id, country_id, name, state_code) values (9, 9, 'Void', '01')`,
      sql`insert into cities (id, state_id, country_id, name) values (9, 9, 9, 'None')`,
      sql`update states set name = 'Empty' where id = 9`,
      sql`truncate cities`,
      sql`delete from states where id = 9`,
      sql`delete from countries where id = 9`,
    ]) {
      await db.query(change);
      expected++;
      await waitUntil(change.sql, () => heard.count() >= expected);
    }
    await settle();
    assert.equal(heard.count(), expected);
  });

  it('do not tell about what was rolled back', async () => {
    await using heard = await countNotifications('geography_changed');
    const work = db.transaction(async (transaction) => {
      await transaction.query(sql`update states set name = 'Gone' where id = 1`);
      throw new Error('undone');
    });
    await assert.rejects(work, /undone/);
    await settle();
    assert.equal(heard.count(), 0);
  });

  it('come with a new revision of the geography', async () => {
    const revision = async () => (await db.query(sql`select revision::text as number from geography_revision`))[0];
    const before = await revision();
    await db.query(sql`update countries set name = 'Bharat' where id = 1`);
    assert.notDeepEqual(await revision(), before);
  });
});

describe('a listening connection that is lost', () => {
  it('is made anew, and says so', async () => {
    await using db = await openTestDatabase();
    let calls = 0;
    await using _listening = await db.listen('lasting_news', () => calls++);
    // The embedded database has no connection to lose: there nothing is ended, and one notification is one call.
    if (db.kind === 'server') await waitUntil('the beginning', () => calls > 0);
    const ended = await db.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
    );
    assert.equal(ended.length, db.kind === 'server' ? 1 : 0);
    const before = calls;
    if (db.kind === 'server') await waitUntil('the new connection', () => calls > before);
    const renewed = calls;
    await db.query(sql`notify lasting_news`);
    await waitUntil('the notification', () => calls === renewed + 1);
  });
});
