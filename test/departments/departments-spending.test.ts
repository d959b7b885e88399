import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { DepartmentSpendingView } from '../../src/features/departments/departments-schemas.ts';
import { assertRefused, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, companyNamed } from '../support/people.ts';
import { insertRow, uuid } from '../support/rows.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const url = '/api/departments/spending';

const get = async (as: string, companyId: string, query: Record<string, string> = {}) =>
  pageOf<DepartmentSpendingView>(await api.send({ url, as, query: { companyId, ...query } }));

describe('spending of departments', () => {
  it('is the sum of the bookings of the people who are in each now, also of deactivated ones', async () => {
    const company = await addCompany(api.db, 'Spenders');
    const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
    const legal = uuid(301);
    const row = { id: legal, company_id: company.id, name: 'Zoning', cost_code: 'ZON', budget: '500.00' };
    await insertRow(api.db, 'departments', row);
    const mover = await addPerson(api.db, { company, columns: { active: false } });
    const book = (id: string, userId: string, amount: string, companyId = company.id) =>
      insertRow(api.db, 'bookings', { id, company_id: companyId, user_id: userId, amount });
    await book('one', admin.id, '9999999999999.99');
    await book('two', admin.id, '0.02');
    await book('three', mover.id, '12.50');
    // Of a company that they have left.
    await book('four', mover.id, '7.00', (await addCompany(api.db, 'Former')).id);
    const spent = async () => (await get(admin.email, company.id)).items.map((one) => [one.id, one.spent]);
    assert.deepEqual(await spent(), [
      [company.departmentId, '10000000000012.51'],
      [legal, '0.00'],
    ]);
    await api.db.query(sql`update users set department_id = ${legal} where id = ${mover.id}`);
    assert.deepEqual(await spent(), [
      [company.departmentId, '10000000000000.01'],
      [legal, '12.50'],
    ]);
  });

  it('comes with the budget, by name, page by page, for those who see the departments', async () => {
    const acme = await companyNamed(api.db, 'Acme');
    const all = await get('manager@acme.example', acme.id, { limit: '100' });
    const listed = pageOf<DepartmentSpendingView>(
      await api.send({
        url: '/api/departments/list',
        as: 'manager@acme.example',
        query: { companyId: acme.id, limit: '100' },
      }),
    );
    const shown = ({ id, name, budget }: DepartmentSpendingView) => ({ id, name, budget });
    assert.deepEqual(all.items.map(shown), listed.items.map(shown));
    const [total] = await api.db.query<{ sum: string }>(
      sql`select sum(amount)::text as sum from bookings where company_id = ${acme.id}`,
    );
    const cents = (amount: string) => BigInt(amount.replace('.', ''));
    assert.equal(
      all.items.reduce((sum, { spent }) => sum + cents(spent), 0n),
      cents(total?.sum ?? '0'),
    );
    const second = await get('admin@acme.example', acme.id, { page: '2', limit: '2' });
    assert.deepEqual(second.items, all.items.slice(2, 4));
    assert.equal(second.pagination.totalItems, all.items.length);
    const ask = (as: string) => api.send({ url, as, query: { companyId: acme.id } });
    assertRefused(await ask('employee@acme.example'), 403, 'ROLE_REQUIRED');
    assertRefused(await ask('admin@globex.example'), 403, 'COMPANY_FORBIDDEN');
  });
});
