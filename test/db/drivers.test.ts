import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import sql, { raw, type Sql } from 'sql-template-tag';
import { sqlState } from '../../src/db/database.ts';
import { isDatabaseUnavailable } from '../../src/db/database-errors.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { insertRow, validRows } from '../support/rows.ts';
import { openTestDatabase, type TestDatabase, testDatabaseKind } from '../support/test-database.ts';

describe('a statement', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase();
  });
  after(() => db[Symbol.asyncDispose]());

  /** Each time: a statement that comes again may be prepared. */
  const gives = async (statement: Sql, ...rows: object[]) => {
    for (let time = 0; time < 3; time++) assert.deepEqual([...(await db.query(statement))], rows, statement.sql);
  };

  it('a statement runs on the database that was requested for the tests', () => {
    assert.equal(db.kind, testDatabaseKind() === 'postgres' ? 'server' : 'embedded');
  });

  it('a statement returns text, integers, booleans, null, UUIDs and JSON as JavaScript values', async () => {
    await gives(
      sql`select 'Bogotá 😀' as text, 2147483647 as integer, -1::smallint as small, true as yes, false as no,
                 null::text as nothing, '0B6E8F9E-0000-4000-8000-000000000000'::uuid as uuid, 1.5::float8 as float,
                 '{"a": [1, null, {"b": "c"}]}'::json as json, '[]'::jsonb as jsonb`,
      {
        text: 'Bogotá 😀',
        integer: 2147483647,
        small: -1,
        yes: true,
        no: false,
        nothing: null,
        float: 1.5,
        uuid: '0b6e8f9e-0000-4000-8000-000000000000',
        json: { a: [1, null, { b: 'c' }] },
        jsonb: [],
      },
    );
  });

  it('a statement returns numbers cast to text with every digit', async () => {
    await gives(
      sql`select 9007199254740993::bigint::text as big, 9999999999999.90::numeric(15, 2)::text as amount,
                 '1990-05-15'::date::text as day, count(*)::integer as count from company_counts`,
      { big: '9007199254740993', amount: '9999999999999.90', day: '1990-05-15', count: 0 },
    );
  });

  it('a statement sends values separately from its text', async () => {
    const text = `'); drop table users; -- $1 \\ % _ "`;
    await gives(sql`select ${text}::text as text, ${text}::text || '!' as more`, { text, more: `${text}!` });
    await gives(sql`select ${42}::integer as integer, ${true}::boolean as yes, ${null}::text as nothing`, {
      integer: 42,
      yes: true,
      nothing: null,
    });
    await gives(
      sql`select ${'75000.10'}::numeric::text as amount, ${'1990-05-15'}::date::text as day,
                 ${'0b6e8f9e-0000-4000-8000-000000000000'}::uuid as uuid`,
      { amount: '75000.10', day: '1990-05-15', uuid: '0b6e8f9e-0000-4000-8000-000000000000' },
    );
  });

  it('a statement accepts JSON as text', async () => {
    const value = { names: ['Bogotá', "O'Hare"], nested: { none: null } };
    await gives(sql`select ${JSON.stringify(value)}::text::json as value`, { value });
  });

  it('a statement returns each row, or none if there are none', async () => {
    await gives(sql`select 1 as n where false`);
    await gives(sql`select n from generate_series(1, 3) as n`, { n: 1 }, { n: 2 }, { n: 3 });
    await gives(sql`insert into schema_version (version) select 1 where false`);
  });

  it('a repeated statement returns the result of its new values', async () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await gives(sql`select ${n}::integer + 1 as n`, { n: n + 1 });
  });

  it('a failing statement reports the state of PostgreSQL', async () => {
    for (const [statement, state] of [
      [sql`select 1 / 0`, '22012'],
      [sql`selec`, '42601'],
      [sql`select * from nowhere`, '42P01'],
      [sql`select ${'x'}::integer`, '22P02'],
      [sql`select ${'a\u0000b'}::text`, '22021'],
      [sql`insert into webhooks (url) values ('x')`, '23502'],
    ] as const) {
      for (let time = 0; time < 3; time++) {
        await assert.rejects(db.query(statement), (error) => sqlState(error) === state, statement.sql);
      }
    }
    await gives(sql`select 1 as n`, { n: 1 });
  });

  it('a statement returns the right result before and after 1,100 different statements', async () => {
    const statements = Array.from({ length: 1_100 }, (_, n) => sql`select ${n}::integer + ${raw(String(n))} as n`);
    for (const [n, statement] of [...statements.entries(), ...statements.entries()])
      await gives(statement, { n: 2 * n });
    const [row] = await db.query<{ prepared: number }>(
      sql`select count(*)::integer as prepared from pg_prepared_statements`,
    );
    assert.ok(row !== undefined && row.prepared > 0 && row.prepared <= 1_000, inspect(row));
  });

  it('a repeated statement returns columns that were added to its table meanwhile', async () => {
    const statement = sql`select * from growing`;
    const columns = ['a integer default 1', 'b integer default 2', 'c integer default 3'];
    await db.transaction((transaction) =>
      transaction.run('create table growing (); insert into growing default values'),
    );
    for (const [index, column] of columns.entries()) {
      await db.transaction((transaction) => transaction.run(`alter table growing add column ${column}`));
      await gives(statement, Object.fromEntries(['a', 'b', 'c'].slice(0, index + 1).map((name, at) => [name, at + 1])));
    }
  });

  it('a statement that is not prepared in time fails with that reason, and so do those behind it', async () => {
    if (db.url === undefined) return;
    await using impatient = openPostgresDatabase({ url: db.url, maxConnections: 1, statementTimeout: 200 });
    const count = () => impatient.query(sql`select count(*)::integer as n from companies`);
    await db.transaction(async (transaction) => {
      await transaction.run('lock table companies in access exclusive mode');
      for (const result of await Promise.allSettled([count(), count(), count()])) {
        assert.ok(result.status === 'rejected' && isDatabaseUnavailable(result.reason), inspect(result));
      }
    });
    assert.deepEqual(await count(), [{ n: 0 }]);
  });

  it('many simultaneous statements each return their own result', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const rows = await Promise.all(numbers.map((n) => db.query<{ n: number }>(sql`select ${n}::integer as n`)));
    assert.deepEqual(
      rows.map(([row]) => row?.n),
      numbers,
    );
  });
});

describe('an error that PostgreSQL did not report', () => {
  it('an error that PostgreSQL did not report has no SQL state', () => {
    for (const error of [new Error('x'), Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), '23505', null]) {
      assert.equal(sqlState(error), undefined);
    }
  });
});

/** Each with its distance from UTC on 2026-01-01, in minutes, as JavaScript counts it. */
for (const [zone, distance] of Object.entries({ 'Asia/Kolkata': -330, 'America/Los_Angeles': 480, UTC: 0 })) {
  describe(`dates, where the program runs in ${zone}`, () => {
    const startZone = process.env.TZ;
    before(() => {
      process.env.TZ = zone;
    });
    after(() => {
      if (startZone === undefined) delete process.env.TZ;
      else process.env.TZ = startZone;
    });

    it(`dates stay the same day when written and read in ${zone}`, async () => {
      assert.equal(new Date(2026, 0, 1).getTimezoneOffset(), distance);
      await using db = await openTestDatabase();
      for (const table of ['companies', 'departments', 'employee_bands', 'users'] as const) {
        await insertRow(db, table, validRows[table]);
      }
      for (const day of ['1990-05-15', '1900-01-01', '2024-02-29', '2026-12-31']) {
        const rows = await db.query(
          sql`update users set date_of_birth = ${day}::date
              returning date_of_birth::text as day, to_char(date_of_birth, 'YYYY-MM-DD') as again,
                        to_json(date_of_birth) as json`,
        );
        assert.deepEqual([...rows], [{ day, again: day, json: day }]);
      }
    });
  });
}
