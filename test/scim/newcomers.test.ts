import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { userRow } from '../support/people.ts';
import {
  createUser,
  directoryFor,
  ENTERPRISE,
  type Json,
  newUser,
  ORGDESK,
  openDirectory,
  patchOf,
  replace,
  type TestDirectory,
} from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const okta = await openDirectory(api, 'Newcomers');
const entra = await directoryFor(api, okta.company);

const number = (employeeNumber: string) => ({ [ENTERPRISE]: { employeeNumber } });
const names = (givenName: string, familyName: string) => ({ name: { givenName, familyName } });
const RICH = {
  roles: [{ value: 'MANAGER' }],
  title: 'Head of travel',
  phoneNumbers: [{ type: 'work', value: '+353 1 555 0100' }],
  [ORGDESK]: { approvalLimit: '90.00', dateOfBirth: '1961-02-03', gender: 'F' },
};

async function leaver(more: Json = {}): Promise<Json> {
  const user = await createUser(okta, { ...RICH, ...more });
  assert.equal((await okta.send('PATCH', `/Users/${user.id}`, patchOf(replace('active', false)))).status, 200);
  await api.db.query(sql`
    insert into user_identities (issuer, subject, user_id) values ('https://x.example', ${user.id}, ${user.id}::uuid)`);
  return user;
}

async function assertNewcomer(user: Json, before: Json): Promise<void> {
  assert.notEqual(user.id, before.id);
  assert.deepEqual([user.userName, user.roles, user.active], [before.userName, [{ value: 'EMPLOYEE' }], true]);
  assert.deepEqual([user[ORGDESK].approvalLimit, user[ORGDESK].dateOfBirth], ['0.00', undefined]);
  const former = await userRow(api.db, before.id);
  assert.deepEqual(
    [former.email, former.active, former.first_name],
    [`${before.id}@former.invalid`, false, before.name.givenName],
  );
  assert.deepEqual(await api.db.query(sql`select from user_identities where user_id = ${before.id}::uuid`), []);
  const { body } = await okta.send('GET', `/Users/${before.id}`);
  assert.equal(body.id, user.id);
}

function assertSame(user: Json, before: Json): void {
  assert.deepEqual([user.id, user.roles, user.active], [before.id, before.roles, true], JSON.stringify(user));
  assert.equal(user[ORGDESK].approvalLimit, '90.00');
}

async function done(
  directory: TestDirectory,
  ...[method, path, body]: Parameters<TestDirectory['send']>
): Promise<Json> {
  const answer = await directory.send(method, path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

describe('a newcomer under the address of a person who has left', () => {
  it('a PUT with other names and another employee number adds a newcomer, though the one before had no externalId', async () => {
    const before = await leaver(number(randomUUID()));
    const sent = { ...newUser({ userName: before.userName }), ...names('New', 'Comer'), ...number(randomUUID()) };
    await assertNewcomer(await done(okta, 'PUT', `/Users/${before.id}`, { ...sent, externalId: randomUUID() }), before);
  });

  it('a PATCH with equal values adds a newcomer who keeps all of them', async () => {
    const before = await leaver({
      externalId: randomUUID(),
      [ENTERPRISE]: { department: 'Board', costCenter: 'CC-1' },
    });
    const newcomer = await done(
      entra,
      'PATCH',
      `/Users/${before.id}`,
      patchOf(
        replace('externalId', randomUUID()),
        replace('active', true),
        { op: 'replace', value: { name: { givenName: 'New', familyName: 'Comer' }, title: RICH.title } },
        replace('phoneNumbers[type eq "work"].value', '+353 1 555 0100'),
        replace(`${ENTERPRISE}:department`, 'Board'),
        replace(`${ENTERPRISE}:costCenter`, 'CC-1'),
      ),
    );
    await assertNewcomer(newcomer, before);
    assert.deepEqual([newcomer.title, newcomer.phoneNumbers], [RICH.title, [{ type: 'work', value: '+35315550100' }]]);
    assert.deepEqual(newcomer[ENTERPRISE], { department: 'Board', costCenter: 'CC-1' });
  });

  it("a POST of a leaver's userName with another externalId adds a newcomer, without a search", async () => {
    const before = await leaver({ externalId: randomUUID() });
    const sent = newUser({ userName: before.userName, externalId: randomUUID() });
    await assertNewcomer(await done(okta, 'POST', '/Users', sent), before);
  });

  it("an unclear newcomer is reported on the directory's page, with the one before", async () => {
    const before = await leaver(number(randomUUID()));
    const sent = newUser({ userName: before.userName, ...names('Ines', 'Other') });
    const { id } = await done(okta, 'POST', '/Users', sent);
    const [reported] = await api.db.query<Json>(sql`
      select field_values from audit_changes where action = 'refused' and user_id = ${id}::uuid`);
    assert.deepEqual(reported.field_values, { newcomer: [null, before.id] });
  });
});

describe('a person who returns', () => {
  it('after a leave to another directory, with the same names and employee number, keeps what they had', async () => {
    const employee = number(randomUUID());
    const before = await leaver({ externalId: randomUUID(), ...employee });
    const changes = patchOf(replace('externalId', randomUUID()), replace('active', true));
    assertSame(await done(entra, 'PATCH', `/Users/${before.id}`, changes), before);
  });

  it('by a POST of the same externalId, also under another userName, keeps what they had and signs in anew', async () => {
    for (const userName of [undefined, `${randomUUID()}@renamed.example`]) {
      const externalId = randomUUID();
      const before = await leaver({ externalId });
      const { roles: _, ...sent } = newUser({ externalId, userName: userName ?? before.userName });
      const back = await done(okta, 'POST', '/Users', sent);
      assertSame(back, before);
      assert.equal(back.userName, sent.userName);
      const links = await api.db.query(sql`select from user_identities where user_id = ${before.id}::uuid`);
      assert.equal(links.length, userName === undefined ? 1 : 0);
    }
  });

  it('by a POST of the same employee number under another address and externalId keeps what they had', async () => {
    const employee = number(randomUUID());
    const before = await leaver({ externalId: randomUUID(), ...employee });
    assertSame(await done(okta, 'POST', '/Users', newUser({ externalId: randomUUID(), ...employee })), before);
  });

  it('by a PATCH of active alone, from a directory that sends no externalId, keeps what they had', async () => {
    const before = await leaver();
    assertSame(await done(okta, 'PATCH', `/Users/${before.id}`, patchOf(replace('active', true))), before);
  });
});
