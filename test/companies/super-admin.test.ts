import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { makeSuperAdmin } from '../../src/features/companies/super-admin.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

const api = await buildTestApp({}, openTestDatabase);
after(() => api[Symbol.asyncDispose]());

const FIRST = { email: 'first@operator.example', firstName: 'Asha', lastName: 'Rao' };

const profileOf = async (as: string) => {
  const response = await api.send({ url: '/api/users/profile', as });
  return { status: response.statusCode, ...response.json() };
};
const count = async (table: 'companies' | 'users' | 'changes') => {
  const statements = {
    companies: sql`select count(*)::integer as rows from companies`,
    users: sql`select count(*)::integer as rows from users`,
    changes: sql`select count(*)::integer as rows from audit_changes`,
  };
  const [found] = await api.db.query<{ rows: number }>(statements[table]);
  return found?.rows;
};

describe('orgdesk admin: a Super Admin by the command line', () => {
  it('orgdesk admin on an empty database adds a Super Admin who may sign in, and their company', async () => {
    assert.equal(await makeSuperAdmin(api.db, FIRST), 'added');
    const { status, data } = await profileOf(FIRST.email);
    assert.equal(status, 200);
    assert.deepEqual([data.firstName, data.lastName], ['Asha', 'Rao']);
    assert.deepEqual(data.roles, ['CORPORATE_ADMIN', 'SUPER_ADMIN']);
    assert.deepEqual(data.systemRoleMap, { role: 'SUPER_ADMIN', active: true });
    assert.deepEqual([data.department.costCode, data.band.code], ['GENERAL', 'DEFAULT']);
    assert.equal((await api.send({ url: '/api/companies/list', as: FIRST.email })).json().pagination.totalItems, 1);
  });

  it('orgdesk admin repeated for the same address in any case changes nothing, and leaves no trace', async () => {
    const before = await count('changes');
    assert.equal(await makeSuperAdmin(api.db, { ...FIRST, email: 'First@Operator.example' }), 'unchanged');
    assert.equal(await count('changes'), before);
  });

  it('orgdesk admin adds a second Super Admin to the company of the platform staff', async () => {
    const second = { email: 'second@operator.example', firstName: 'Ben', lastName: 'Ode' };
    assert.equal(await makeSuperAdmin(api.db, second), 'added');
    const [one, other] = [await profileOf(FIRST.email), await profileOf(second.email)];
    assert.equal(one.data.companyId, other.data.companyId);
    assert.equal(await count('companies'), 1);
  });

  it('orgdesk admin reactivates a person, and replaces another platform role, if no Super Admin is left', async () => {
    await api.db.query(sql`update users set active = false`);
    await api.db.query(sql`update system_roles set role = 'PLATFORM_RM'`);
    assert.equal(await makeSuperAdmin(api.db, FIRST), 'promoted');
    const { status, data } = await profileOf(FIRST.email);
    assert.deepEqual([status, data.systemRoleMap], [200, { role: 'SUPER_ADMIN', active: true }]);
  });

  it('two simultaneous orgdesk admin commands for one address add one person', async () => {
    const twin = { email: 'twin@operator.example', firstName: 'Twin', lastName: 'One' };
    const before = await count('users');
    const results = await Promise.all([makeSuperAdmin(api.db, twin), makeSuperAdmin(api.db, twin)]);
    assert.deepEqual(results.toSorted(), ['added', 'unchanged']);
    assert.equal(await count('users'), (before ?? 0) + 1);
  });
});
