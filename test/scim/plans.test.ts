import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import { hashOfKey } from '../../src/auth/callers/api-keys.ts';
import type { Reader } from '../../src/db/database.ts';
import { readListRequest } from '../../src/features/scim/scim-operation.ts';
import { keysAskingForUsers } from '../../src/features/scim/users/find-by-user-name.ts';
import { listScimUsers } from '../../src/features/scim/users/users-queries.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { rowsReadInSequence } from '../support/rows-read-in-sequence.ts';
import { newUser, openDirectory } from './directory.ts';

const PEOPLE = 20_000;

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Large');
const { id: companyId, departmentId, bandId } = directory.company;

await api.db.query(sql`
  insert into users (id, email, first_name, last_name, client_type, company_id, department_id, band_id, approval_limit)
  select gen_random_uuid(), 'person' || number || '@large.example', 'Given', 'Family' || number, 'CORPORATE', ${companyId}::uuid,
         ${departmentId}::uuid, ${bandId}::uuid, 0
    from generate_series(1, ${PEOPLE}::integer) number`);
await api.db.query(sql`
  update users set external_id = 'ext-' || email where company_id = ${companyId}::uuid`);
await api.db.query(sql`
  insert into scim_users (user_id, company_id) select id, company_id from users where company_id = ${companyId}::uuid`);
await api.db.query(sql`analyze users`);
await api.db.query(sql`analyze scim_users`);

async function planOf(ask: (db: Reader) => Promise<void>): Promise<string> {
  const { db, statements } = recordStatements(api.db);
  await ask(db);
  assert.equal(statements.length, 1);
  const rows = await api.db.query<{ 'QUERY PLAN': string }>(sql`explain ${statements[0] as Sql}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('a SCIM filter with 20 comparisons computes the compared value once for each person', async () => {
  const { db, statements } = recordStatements(api.db);
  const filter = Array.from({ length: 20 }, (_, n) => `displayName co "q${n}"`).join(' or ');
  await assert.rejects(
    listScimUsers(db, { companyId, directoryId: directory.keyId }, readListRequest({ filter })),
    /more than 10000 people/,
  );
  assert.equal(statements[0]?.sql.split('lower_letters(trim(users.first_name').length, 2, statements[0]?.sql);
});

describe(`in a company of ${PEOPLE} people`, () => {
  for (const [filter, index] of [
    ['userName eq "PERSON77@large.example"', 'users_email'],
    ['externalId eq "ext-person77@large.example"', 'users_external_id'],
    ['userName eq "person77@large.example" and active eq true', 'users_email'],
  ] as const) {
    it(`a SCIM filter ${filter} reads one person by the index ${index}`, async () => {
      const plan = await planOf(async (db) => {
        const { totalItems } = await listScimUsers(
          db,
          { companyId, directoryId: directory.keyId },
          readListRequest({ filter }),
        );
        assert.equal(totalItems, 1);
      });
      assert.match(plan, new RegExp(`Index Scan.* using ${index}`), plan);
      assert.doesNotMatch(plan, /Seq Scan on (?:users|scim_users)/, plan);
    });
  }

  for (const filter of [
    'active eq true',
    'displayName co "x"',
    'userName sw "person"',
    'userName eq "person77@large.example" or active eq false',
    'not (userName eq "person77@large.example")',
  ]) {
    it(`a SCIM filter ${filter}, which would read everybody, returns 400 tooMany`, async () => {
      const { status, body } = await directory.send('POST', '/Users/.search', { filter });
      assert.deepEqual([status, body.scimType], [400, 'tooMany'], body.detail);
      assert.match(body.detail, /more than 10000 people/);
    });
  }

  it('a SCIM filter of several indexed comparisons reads no table in sequence', async () => {
    const filter =
      '(userName eq "person77@large.example" and active eq true) or externalId eq "ext-person78@large.example"';
    const { body } = await directory.send('POST', '/Users/.search', { filter, attributes: 'userName' });
    assert.equal(body.totalResults, 2, JSON.stringify(body));
    const plan = await planOf(
      async (db) =>
        void (await listScimUsers(db, { companyId, directoryId: directory.keyId }, readListRequest({ filter }))),
    );
    assert.doesNotMatch(plan, /Seq Scan on (?:users|scim_users)/, plan);
  });

  it('a SCIM GET by userName reads the key and the person in one statement, by an index', async () => {
    const requested = keysAskingForUsers.lookupKeyOf({ filter: 'userName eq "PERSON77@large.example"' });
    assert.equal(requested, 'PERSON77@large.example');
    const plan = await planOf(async (db) => {
      const [key] = await keysAskingForUsers.find(db, [{ hash: hashOfKey(directory.key), requested }]);
      assert.equal(key?.user?.email, 'person77@large.example');
    });
    assert.match(plan, /Index Scan.* using users_email/, plan);
    assert.doesNotMatch(plan, /Seq Scan on (?:users|scim_users)/, plan);
  });

  it("SCIM's POST of a joiner and an unchanged PUT read few people", async () => {
    if (api.db.kind === 'embedded') return; // It counts nothing.
    const peopleRead = () => rowsReadInSequence(api.db, ['users', 'scim_users'], 10);
    const before = await peopleRead();
    for (let round = 0; round < 20; round++) {
      const { body } = await directory.send('POST', '/Users', newUser({ externalId: `joiner-${round}` }));
      assert.equal((await directory.send('PUT', `/Users/${body.id}`, body)).status, 200);
    }
    const read = (await peopleRead()) - before;
    assert.ok(read < PEOPLE, `${read} rows were read in sequence`);
  });
});
