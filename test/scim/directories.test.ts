import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { createDeletedUser, createUser, directoryFor, type Json, openDirectory } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Directories');
const { company } = directory;
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
const get = async (path: string): Promise<Json> => (await api.send({ url: `/api/${path}`, as: admin.email })).json();

it("an administrator's list of directories contains the number of people and groups of each", async () => {
  const second = await directoryFor(api, company);
  const [one, moved] = [await createUser(directory), await createUser(directory)];
  await createDeletedUser(directory);
  await directory.send('POST', '/Groups', { displayName: 'Sales', members: [{ value: one.id }] });
  await second.send('PUT', `/Users/${moved.id}`, moved);
  await second.send('PUT', `/Users/${admin.id}`, {
    userName: admin.email,
    name: { givenName: 'By', familyName: 'Hand' },
  });
  const { message, data } = await get(`directories/list?companyId=${company.id}`);
  assert.equal(message, 'Directories retrieved successfully');
  const counts = Object.fromEntries(data.map(({ id, _count }: Json) => [id, _count]));
  assert.deepEqual(counts, {
    [directory.keyId]: { users: 1, groups: 1 },
    [second.keyId]: { users: 2, groups: 0 },
  });
  const keeperOf = async (id: string) => (await get(`users/get?id=${id}&include=directory`)).data.directory?.id;
  assert.deepEqual(await Promise.all([one.id, moved.id, admin.id].map(keeperOf)), [
    directory.keyId,
    second.keyId,
    second.keyId,
  ]);
  const byHand = await addPerson(api.db, { company });
  assert.equal((await get(`users/get?id=${byHand.id}&include=directory`)).data.directory, null);
  assert.equal('directory' in (await get(`users/get?id=${byHand.id}`)).data, false);
});

it('an administrator finds groups of directories by name, with the number of members and mappings', async () => {
  const mapping = { companyId: company.id, groupName: 'SALES', role: 'MANAGER' };
  await api.send({ method: 'POST', url: '/api/group-mappings/create', as: admin.email, payload: mapping });
  const found = await get(`directories/groups?companyId=${company.id}&search=sal&directoryId=${directory.keyId}`);
  const [{ id: _, ...group }] = found.data;
  assert.deepEqual(group, {
    name: 'Sales',
    directory: { id: directory.keyId, name: 'Directory' },
    _count: { users: 1, mappings: 1 },
  });
  assert.equal((await get(`directories/groups?companyId=${company.id}&search=none`)).pagination.totalItems, 0);
});
