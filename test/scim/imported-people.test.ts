import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { createDeletedUser, createUser, ORGDESK, openDirectory, patchOf, trailOf } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Returning');
const { company } = directory;
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });

const created = (more?: object) => createUser(directory, more);
const deleted = (more?: object) => createDeletedUser(directory, more);
const get = (id: string) => directory.send('GET', `/Users/${id}`);
const bring = (...rows: string[]) =>
  api.send({
    method: 'POST',
    url: '/api/users/import',
    as: admin.email,
    query: { companyId: company.id },
    headers: { 'content-type': 'text/csv' },
    payload: rows.join('\n'),
  });
const counts = (answer: Awaited<ReturnType<typeof bring>>) => {
  assert.equal(answer.statusCode, 200, answer.body);
  const { added, changed, unchanged } = answer.json().data;
  return [added, changed, unchanged];
};

describe('people of a directory, in an import', () => {
  it('an import by id that activates a person deleted by their directory restores them unchanged', async () => {
    const user = await deleted({ externalId: 'comes-back', [ORGDESK]: { gender: 'F' } });
    assert.deepEqual(counts(await bring('id,active', `${user.id},true`)), [0, 1, 0]);
    const { status, body } = await get(user.id);
    assert.deepEqual([status, body.active, body.userName], [200, true, user.userName]);
    assert.equal(body[ORGDESK].gender, 'F');
    const ends = (await trailOf(api, user.id)).filter(({ fields }) => fields.includes('deletedAt'));
    assert.ok(ends.some(({ actor }) => actor.startsWith('user ')));
    assert.deepEqual(counts(await bring('id,active', `${user.id},true`)), [0, 0, 1]);
  });

  it('an import that activates a deleted person stores the address of the file', async () => {
    const user = await deleted();
    const email = `new.${user.userName}`;
    assert.deepEqual(counts(await bring('id,email,active', `${user.id},${email},true`)), [0, 1, 0]);
    assert.equal((await get(user.id)).body.userName, email);
  });

  it('an import with the former address of a deleted person creates another person', async () => {
    const user = await deleted();
    assert.deepEqual(counts(await bring('email,firstName,lastName', `${user.userName},Ines,Heir`)), [1, 0, 0]);
    assert.equal((await get(user.id)).status, 404);
    const refused = await bring('id,active', `${user.id},true`, `${randomUUID()},`);
    assert.equal(refused.statusCode, 400, refused.body);
    const taken = await bring('id,active', `${user.id},true`);
    assert.equal(taken.statusCode, 409, taken.body);
    assert.equal((await get(user.id)).status, 404);
  });

  it("a person changed by an import stays managed, and the directory's next PATCH undoes the change", async () => {
    const user = await created({ externalId: 'managed' });
    assert.deepEqual(counts(await bring('email,firstName,active', `${user.userName},Renamed,false`)), [0, 1, 0]);
    const { body } = await get(user.id);
    assert.deepEqual([body.name.givenName, body.active, body.externalId], ['Renamed', false, 'managed']);
    const back = patchOf({ op: 'replace', value: { active: true, name: { givenName: 'Ines' } } });
    assert.equal((await directory.send('PATCH', `/Users/${user.id}`, back)).status, 200);
    assert.deepEqual(counts(await bring('email,firstName,active', `${user.userName},Ines,true`)), [0, 0, 1]);
  });
});
