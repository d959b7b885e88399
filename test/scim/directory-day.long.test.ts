import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { ENTERPRISE, type Json, openDirectory, patchOf, trailOf } from './directory.ts';
import { DEPARTMENTS, type Entry, each, SyncedDirectory } from './synced-directory.ts';

/** Of the company; `SCIM_PEOPLE` for a larger one. */
const PEOPLE = Number(process.env.SCIM_PEOPLE ?? 500);

const api = await buildTestApp({ RATE_LIMIT_SCIM: '0' });
after(() => api[Symbol.asyncDispose]());
const scim = await openDirectory(api, 'A day');

const directory = new SyncedDirectory(scim, PEOPLE);
const { entries } = directory;
/** Those whose number leaves that rest. */
const some = (divisor: number, rest = 0) => entries.filter((_, index) => index % divisor === rest);

describe(`a directory of ${PEOPLE} people, and its day`, () => {
  it('the directory assigns all people, and their departments are created', async () => {
    await each(entries, (entry) => directory.assign(entry));
    await directory.assertInStep();
    const [made] = await api.db.query<{ count: number }>(sql`
      select count(*)::integer as count from departments where company_id = ${scim.company.id}`);
    assert.equal(made?.count, DEPARTMENTS.length);
  });

  it('the directory sends all people again, which changes nothing and leaves no trail', async () => {
    const count = async () => {
      const [row] = await api.db.query<{ count: number }>(sql`select count(*)::integer as count from audit_changes`);
      return row?.count;
    };
    const before = await count();
    await each(entries, (entry) => directory.push(entry));
    assert.equal(await count(), before);
  });

  it("the directory's changes of names, departments, phones and logins are stored", async () => {
    await each(some(5), (entry) => {
      entry.familyName = `Married${entry.familyName}`;
      return directory.patch(entry, { op: 'Replace', path: 'name.familyName', value: entry.familyName });
    });
    await each(some(7), (entry) => {
      entry.department = 'Brand new';
      return directory.patch(entry, { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Brand new' });
    });
    await each(some(11), (entry) => {
      entry.phone = '+919845099999';
      entry.login = entry.login.replace('Person', 'Someone');
      return directory.push(entry);
    });
    await directory.assertInStep();
  });

  it('the directory deactivates some people and activates others again', async () => {
    await each(some(4), (entry) => {
      entry.isAssigned = false;
      return directory.patch(entry, { op: 'replace', value: { active: false } });
    });
    await each(some(8), (entry) => {
      entry.isAssigned = true;
      return directory.patch(entry, { op: 'Replace', path: 'active', value: 'True' });
    });
    await directory.assertInStep();
  });

  it('the directory gives and takes the manager role by the members of a group', async () => {
    const { body } = await scim.send(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Managers"')}`,
    );
    const url = `/Groups/${body.Resources[0].id}`;
    const change = async (chosen: readonly Entry[], op: 'Add' | 'Remove') => {
      for (const entry of chosen) entry.isManager = op === 'Add';
      const value = chosen.map(({ id }) => ({ $ref: null, value: id }));
      assert.equal((await scim.send('PATCH', url, patchOf({ op, path: 'members', value }))).status, 204);
    };
    await change(some(10, 3), 'Add');
    await change(some(20, 3), 'Remove');
    await directory.assertInStep();
  });

  it('the directory deletes people and creates them again, and they keep their ids', async () => {
    const before = new Map(some(6).map((entry) => [entry, entry.id]));
    await each(some(6), (entry) => directory.remove(entry));
    await directory.assertInStep();
    await each(some(6), (entry) => directory.assign(entry));
    await directory.assertInStep();
    for (const [entry, id] of before) assert.equal(entry.id, id);
    const [first] = entries;
    const rows = await trailOf(api, first?.id ?? '');
    assert.ok(rows.length > 3 && rows.every(({ actor }) => actor === `key ${scim.keyId}`));
  });

  it('the directory promotes and demotes people by their one role', async () => {
    const role = (value: string) => ({ op: 'Replace', path: 'roles[primary eq "True"].value', value });
    // The members of the group keep its role.
    const chosen = some(13).filter(({ id, isManager }) => id !== undefined && !isManager);
    await each(chosen, (entry) => {
      entry.isManager = true;
      return directory.patch(entry, role('MANAGER'));
    });
    await directory.assertInStep();
    await each(chosen, (entry) => {
      entry.isManager = false;
      return directory.patch(entry, role('EMPLOYEE'));
    });
    await directory.assertInStep();
  });

  it('the directory gives the login of a deleted person to another person', async () => {
    const [leaver, heir] = some(17, 1);
    assert.ok(leaver && heir);
    await directory.remove(leaver);
    heir.login = leaver.login;
    await directory.patch(heir, { op: 'Replace', path: 'userName', value: heir.login });
    leaver.login = `again.${leaver.login}`;
    await directory.assign(leaver);
    await directory.assertInStep();
  });

  it('the directory finds the deleted people that an administrator activated, under the same ids', async () => {
    const admin = await addPerson(api.db, { company: scim.company, roles: [['CORPORATE_ADMIN', scim.company]] });
    const chosen = some(19, 2).map((entry) => ({ entry, id: entry.id }));
    for (const { entry, id } of chosen) {
      await directory.remove(entry);
      const payload = { id, active: true };
      const response = await api.send({ method: 'POST', url: '/api/users/update', as: admin.email, payload });
      assert.equal(response.statusCode, 200, response.body);
      await directory.assign(entry);
      assert.equal(entry.id, id);
    }
    await api.db.query(sql`delete from company_roles where user_id = ${admin.id}`);
    await api.db.query(sql`delete from users where id = ${admin.id}`);
    await directory.assertInStep();
  });

  it("the directory's PUT of a group of 10,000 members as it was read changes nothing", async () => {
    const large = await openDirectory(api, 'Large');
    const { id: companyId, departmentId, bandId } = large.company;
    await api.db.query(sql`
      insert into users (id, email, first_name, last_name, client_type, company_id, department_id, band_id, approval_limit)
      select gen_random_uuid(), 'member' || number || '@large.example', 'Given', 'Family' || number, 'CORPORATE',
             ${companyId}::uuid, ${departmentId}::uuid, ${bandId}::uuid, 0
        from generate_series(1, 10000) number`);
    await api.db.query(sql`
      insert into company_roles (id, user_id, company_id, role, origin)
      select gen_random_uuid(), id, company_id, 'MANAGER', 'directory' from users where company_id = ${companyId}::uuid`);
    const groups = (await large.send('GET', '/Groups?excludedAttributes=members')).body.Resources;
    const url = `/Groups/${groups.find(({ displayName }: Json) => displayName === 'Managers').id}`;
    const { body: read } = await large.send('GET', url);
    assert.equal(read.members.length, 10_000);
    const back = await large.send('PUT', url, read);
    assert.deepEqual([back.status, back.body.members.length, back.body.meta.version], [200, 10_000, read.meta.version]);
    const fewer = await large.send('PUT', url, { ...read, members: read.members.slice(0, 9_000) });
    assert.equal(fewer.body.members.length, 9_000);
    const ids = read.members.slice(9_000).map(({ value }: Json) => ({ value }));
    assert.equal((await large.send('PATCH', url, patchOf({ op: 'add', path: 'members', value: ids }))).status, 204);
    assert.deepEqual((await large.send('GET', url)).body.members, read.members);
  });

  it('the directory deactivates everybody except the last administrator, who returns 409', async () => {
    const [admin] = some(1, 0).filter(({ isAssigned }) => isAssigned);
    await directory.patch(admin as Entry, { op: 'add', path: 'roles', value: [{ value: 'CORPORATE_ADMIN' }] });
    let refused = 0;
    await each(entries, async (entry) => {
      const { status } = await scim.send(
        'PATCH',
        `/Users/${entry.id}`,
        patchOf({ op: 'replace', value: { active: false } }),
      );
      if (status === 409) refused += 1;
      else entry.isAssigned = false;
    });
    assert.equal(refused, 1);
    assert.deepEqual(
      entries.filter(({ isAssigned }) => isAssigned),
      [admin],
    );
    await directory.assertInStep();
  });
});
