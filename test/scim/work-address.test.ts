import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, addRole } from '../support/people.ts';
import { newUser, openDirectory } from './directory.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Work addresses');
const { company } = directory;
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
const root = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const other = await addCompany(api.db, 'Guests of work addresses');
const host = await addPerson(api.db, { company: other, roles: [['CORPORATE_ADMIN', other]] });

interface Found {
  id: string;
  workEmail: string | null;
}

async function join(mail: string | undefined): Promise<{ id: string; userName: string }> {
  const emails = mail === undefined ? {} : { emails: [{ type: 'work', value: mail, primary: true }] };
  return (await directory.send('POST', '/Users', newUser(emails))).body;
}

const find = async (path: 'list' | 'search', query: Record<string, string>, as = admin): Promise<Found[]> =>
  pageOf<Found>(await api.send({ url: `/api/users/${path}`, query, as: as.email })).items.map(({ id, workEmail }) => ({
    id,
    workEmail,
  }));
const get = async (id: string) =>
  dataOf<Found>(await api.send({ url: '/api/users/get', query: { id }, as: admin.email }));

describe('a person whose directory sends another work address than the userName', () => {
  it('an administrator finds a person by the work address of their directory, in any case', async () => {
    const mail = `Ünal.${randomUUID()}@Mail.example`;
    const { id } = await join(mail);
    const { workEmail } = await get(id);
    assert.equal(workEmail?.toLowerCase(), mail.toLowerCase());
    const needle = mail.slice(2, 24).toUpperCase();
    for (const more of [{}, { broad: 'true' }, { activeOnly: 'true', sort: '-name' }]) {
      assert.deepEqual(await find('list', { companyId: company.id, search: needle, ...more }), [{ id, workEmail }]);
    }
    assert.deepEqual(await find('search', { search: needle }, root), [{ id, workEmail }]);
    assert.deepEqual(await find('list', { companyId: company.id, search: `${needle}x` }), []);
  });

  it("an administrator's search for a work address takes a percent sign as a letter", async () => {
    const { id } = await join(`a%b_${randomUUID()}@mail.example`);
    assert.deepEqual(
      (await find('list', { companyId: company.id, search: 'a%b_' })).map((one) => one.id),
      [id],
    );
    assert.deepEqual(await find('list', { companyId: company.id, search: 'a%_b' }), []);
  });

  it('a company of which a person is a guest neither sees nor finds their work address', async () => {
    const mail = `${randomUUID()}@mail.example`;
    const { id, userName } = await join(mail);
    await addRole(api.db, id, 'MANAGER', other.id);
    const guests = { companyId: other.id, guests: 'true' };
    for (const more of [{}, { broad: 'true' }])
      assert.deepEqual(await find('list', { ...guests, search: mail, ...more }, host), []);
    assert.deepEqual(await find('list', { ...guests, search: userName }, host), [{ id, workEmail: null }]);
  });

  it('a person without a separate work address, or deleted by their directory, has none in the console', async () => {
    assert.equal((await get((await join(undefined)).id)).workEmail, null);
    const userName = `${randomUUID()}@work.example`;
    const same = newUser({ userName, emails: [{ type: 'work', value: userName.toUpperCase(), primary: true }] });
    assert.equal((await get((await directory.send('POST', '/Users', same)).body.id)).workEmail, null);
    const mail = `${randomUUID()}@mail.example`;
    const { id } = await join(mail);
    await directory.send('DELETE', `/Users/${id}`);
    assert.equal((await get(id)).workEmail, null);
    assert.deepEqual(await find('list', { companyId: company.id, search: mail }), []);
  });
});
