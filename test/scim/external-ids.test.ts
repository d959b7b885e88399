import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import {
  createUser,
  directoryFor,
  type Json,
  newUser,
  openDirectory,
  patchOf,
  replace,
  type TestDirectory,
} from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const okta = await openDirectory(api, 'External ids');
const entra = await directoryFor(api, okta.company);

const read = async (directory: TestDirectory, { id }: Json) => (await directory.send('GET', `/Users/${id}`)).body;
const idsBy = async (directory: TestDirectory, externalId: string): Promise<string[]> => {
  const filter = encodeURIComponent(`externalId eq "${externalId}"`);
  const { body } = await directory.send('GET', `/Users?filter=${filter}`);
  return body.Resources.map(({ id }: Json) => id);
};
const give = (directory: TestDirectory, { id }: Json, externalId: string) =>
  directory.send('PATCH', `/Users/${id}`, patchOf(replace('externalId', externalId)));
const ofCompany = async ({ id }: Json) =>
  (await db.query<{ is: string | null }>(sql`select external_id as is from users where id = ${id}::uuid`))[0]?.is;

describe('two directories of a company', () => {
  it('each of two directories reads and finds a person by the externalId that it has given, and the company keeps the first', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const person = await createUser(okta, { externalId: one });
    assert.deepEqual([(await read(entra, person)).externalId, await idsBy(entra, one)], [undefined, []]);
    assert.equal((await give(entra, person, other)).status, 200);
    assert.deepEqual([(await read(okta, person)).externalId, (await read(entra, person)).externalId], [one, other]);
    assert.deepEqual([await idsBy(okta, one), await idsBy(entra, other)], [[person.id], [person.id]]);
    assert.deepEqual([await idsBy(okta, other), await idsBy(entra, one)], [[], []]);
    assert.equal(await ofCompany(person), one);
    const [change] = await db.query<{ fields: string[] }>(sql`
      select fields from audit_changes where user_id = ${person.id}::uuid and actor_id = ${entra.keyId}::uuid order by id desc limit 1`);
    assert.deepEqual(change?.fields, ['externalId']);
  });

  it('two directories give one externalId to two people, and a second one in the same directory returns 409', async () => {
    const externalId = randomUUID();
    const [one, other] = [await createUser(okta, { externalId }), await createUser(entra, { externalId })];
    assert.notEqual(one.id, other.id);
    assert.deepEqual([await idsBy(okta, externalId), await idsBy(entra, externalId)], [[one.id], [other.id]]);
    assert.deepEqual([await ofCompany(one), await ofCompany(other)], [externalId, null]);
    assert.equal((await give(okta, await createUser(okta), externalId)).status, 409);
    assert.equal((await entra.send('POST', '/Users', newUser({ externalId }))).status, 409);
  });

  it('a change of the first externalId changes the person for the company, and one of the second does not', async () => {
    const person = await createUser(okta, { externalId: randomUUID() });
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await give(entra, person, second);
    await give(okta, person, first);
    await give(entra, person, third);
    assert.deepEqual([(await read(okta, person)).externalId, (await read(entra, person)).externalId], [first, third]);
    assert.equal(await ofCompany(person), first);
    const { body } = await entra.send('PATCH', `/Users/${person.id}`, patchOf({ op: 'remove', path: 'externalId' }));
    assert.deepEqual([body.externalId, (await read(okta, person)).externalId], [undefined, first]);
  });

  it('a directory names a manager by the externalId that it has given, also before they come', async () => {
    const [above, later] = [randomUUID(), randomUUID()];
    const manager = await createUser(okta, { externalId: randomUUID() });
    await give(entra, manager, above);
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const under = (value: string) => createUser(entra, { [enterprise]: { manager: { value } } });
    assert.equal((await under(above))[enterprise].manager.value, manager.id);
    const waiting = await under(later);
    const next = await createUser(okta, { externalId: randomUUID() });
    await give(entra, next, later);
    assert.equal((await read(entra, waiting))[enterprise].manager.value, next.id);
  });

  it('a person whom one of two directories deletes has no externalId in the other either', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const person = await createUser(okta, { externalId: one });
    await give(entra, person, other);
    await okta.send('DELETE', `/Users/${person.id}`);
    assert.deepEqual([await idsBy(okta, one), await idsBy(entra, other)], [[], []]);
    assert.notEqual((await createUser(okta, { externalId: one })).id, person.id);
  });

  it('a directory that is joined to another leaves it the externalIds that it has not given', async () => {
    const company = await openDirectory(api, 'Joined external ids');
    const former = await directoryFor(api, company.company);
    const [one, two] = [randomUUID(), randomUUID()];
    const [both, alone] = [
      await createUser(company, { externalId: one }),
      await createUser(former, { externalId: two }),
    ];
    await give(former, both, randomUUID());
    const admin = await addPerson(db, { company: former.company, roles: [['CORPORATE_ADMIN', former.company]] });
    const payload = { id: former.keyId, intoId: company.keyId };
    const joined = await api.send({ method: 'POST', url: '/api/directories/join', payload, as: admin.email });
    assert.equal(joined.statusCode, 200, joined.body);
    assert.deepEqual([await idsBy(company, one), await idsBy(company, two)], [[both.id], [alone.id]]);
  });

  it('a former person of another directory does not give way to one who has their externalId here', async () => {
    const externalId = randomUUID();
    const former = await createUser(okta, { externalId, name: { givenName: 'Ada', familyName: 'Former' } });
    await okta.send('PATCH', `/Users/${former.id}`, patchOf(replace('active', false)));
    const newcomer = await createUser(entra, { externalId, name: { givenName: 'Bo', familyName: 'Coming' } });
    assert.deepEqual([newcomer.id === former.id, (await read(okta, former)).userName], [false, former.userName]);
    assert.deepEqual(await idsBy(okta, externalId), [former.id]);
  });
});
