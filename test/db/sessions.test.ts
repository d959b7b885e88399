import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { type Session, sqlState } from '../../src/db/database.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('a session', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase();
  });
  after(() => db[Symbol.asyncDispose]());

  const withTable = <Result>(work: (session: Session) => Promise<Result>) =>
    db.session(async (session) => {
      await session.query(sql`create temporary table copied (n integer, t text)`);
      try {
        return await work(session);
      } finally {
        await session.query(sql`drop table if exists copied`);
      }
    });
  const copied = (session: Session) =>
    session.query<{ n: number; t: string | null }>(sql`select n, t from copied order by n`);
  async function* pieces(...texts: string[]): AsyncGenerator<string> {
    yield* texts;
  }

  it('a session keeps its temporary tables between statements and transactions', async () => {
    await withTable(async (session) => {
      await session.transaction((transaction) => transaction.query(sql`insert into copied values (1, 'x')`));
      assert.deepEqual([...(await copied(session))], [{ n: 1, t: 'x' }]);
    });
  });

  it('a session copies pieces of rows into a table, whatever they contain', async () => {
    await withTable(async (session) => {
      await session.copyInto(sql`copied (t, n)`, pieces('a\\tb\\\\n\t1\n\\N\t2\n', '', '𝒳 "é", $1\t3\n'));
      assert.deepEqual(
        [...(await copied(session))],
        [
          { n: 1, t: 'a\tb\\n' },
          { n: 2, t: null },
          { n: 3, t: '𝒳 "é", $1' },
        ],
      );
      await session.copyInto(sql`copied (n)`, pieces());
      assert.equal((await copied(session)).length, 3);
    });
  });

  it('a session requests the next piece of a copy after the previous one is written', async () => {
    await withTable(async (session) => {
      let given = 0;
      async function* many(): AsyncGenerator<string> {
        for (; given < 50; given++) yield `${given}\t${'x'.repeat(100_000)}\n`;
      }
      await session.copyInto(sql`copied (n, t)`, many());
      assert.equal((await copied(session)).length, 50);
    });
  });

  it('a session continues after a copy that fails', async () => {
    await withTable(async (session) => {
      const refused = session.copyInto(sql`copied (n, t)`, pieces('x\ty\n'));
      await assert.rejects(refused, (error) => sqlState(error) === '22P02');
      const nowhere = session.copyInto(sql`nowhere (n)`, pieces('1\n'));
      await assert.rejects(nowhere, (error) => sqlState(error) === '42P01');
      const fault = new Error('on purpose');
      async function* failing(): AsyncGenerator<string> {
        yield '';
        throw fault;
      }
      await assert.rejects(session.copyInto(sql`copied (n, t)`, failing()), (error) => error === fault);
      assert.deepEqual([...(await copied(session))], []);
      await session.copyInto(sql`copied (n, t)`, pieces('1\tgood\n'));
      assert.equal((await copied(session)).length, 1);
    });
  });

  it('other statements run while a session copies', async () => {
    await withTable(async (session) => {
      async function* asking(): AsyncGenerator<string> {
        for (let n = 0; n < 3; n++) {
          assert.equal((await db.query(sql`select 1 as n`)).length, 1);
          yield `${n}\tx\n`;
        }
      }
      await session.copyInto(sql`copied (n, t)`, asking());
      assert.equal((await copied(session)).length, 3);
    });
  });

  it('many simultaneous sessions have separate temporary tables', async () => {
    const counts = await Promise.all(
      Array.from({ length: 5 }, () =>
        withTable(async (session) => {
          await session.copyInto(sql`copied (n)`, pieces('1\n'));
          return (await copied(session)).length;
        }),
      ),
    );
    assert.deepEqual(counts, [1, 1, 1, 1, 1]);
  });

  it('a session fails with the error of its work, and the database remains usable', async () => {
    const fault = new Error('on purpose');
    await assert.rejects(
      db.session(async () => {
        throw fault;
      }),
      (error) => error === fault,
    );
    assert.equal(await db.session(async () => 'good'), 'good');
  });

  it('a session whose connection is lost fails with CONNECTION_CLOSED', async () => {
    if (db.url === undefined) return;
    const lost = withTable(async (session) => {
      const [backend] = await session.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await db.query(sql`select pg_terminate_backend(${backend?.pid}::integer)`);
      const isOpen = sql`select from pg_stat_activity where pid = ${backend?.pid}::integer`;
      await waitUntil('the end of the connection', async () => (await db.query(isOpen)).length === 0);
      await copied(session);
    });
    await assert.rejects(lost, { code: 'CONNECTION_CLOSED' });
  });
});
