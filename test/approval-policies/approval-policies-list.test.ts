import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { APPROVER_ROLES } from '../../src/entities/roles.ts';
import type { ApprovalPolicyView } from '../../src/features/approval-policies/approval-policies-schemas.ts';
import { pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { COMPANY_LISTS } from '../support/list-paths.ts';
import { testListSearch } from '../support/list-search-tests.ts';
import type { ListedItem, PagedList } from '../support/paged-list.ts';
import { testPagedList } from '../support/paged-list-tests.ts';
import { addCompany, addPerson, companyNamed } from '../support/people.ts';
import { insertRow } from '../support/rows.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { id: companyId } = await companyNamed(api.db, 'Acme');

async function addPolicy(id: string, name: string, amount = '0', company = companyId): Promise<void> {
  await insertRow(api.db, 'approval_policies', { id, company_id: company, name, auto_approval_limit: amount });
}

async function addLevel(policyId: string, level: number, role: string, amount: string): Promise<void> {
  const row = { id: `${policyId}/${level}`, policy_id: policyId, level, role_required: role, min_amount: amount };
  await insertRow(api.db, 'approval_policy_levels', row);
}

// Ids are texts: they order by code point, capital letters before small ones, é after both.
for (const [id, name] of [
  ['z', 'Twin'],
  ['Z', 'TWÍN'],
  ['é', 'twin'],
  ['100', '100% advance'],
  ['%', '50_50 Split'],
  ['\\', 'Back\\slash'],
] as const) {
  await addPolicy(id, name);
}
const items = await api.db.query<ListedItem>(sql`
  select id, name, json_build_array(name) as texts from approval_policies where company_id = ${companyId}`);
const list: PagedList = {
  name: 'approval-policies/list',
  url: COMPANY_LISTS['approval policies list'],
  message: 'Approval Policies retrieved successfully',
  as: 'manager@acme.example',
  query: { companyId },
  index: 'approval_policies_order',
  items,
};
testPagedList(api, list);
testListSearch(api, list);

const get = async (query: Record<string, string> = {}, as = list.as) =>
  pageOf<ApprovalPolicyView>(await api.send({ url: list.url, as, query: { companyId, limit: '100', ...query } }));

describe('approval policies list: items', () => {
  it('approval-policies/list returns exactly the documented fields, amounts as decimal texts', async () => {
    for (const policy of (await get()).items) {
      assert.deepEqual(Object.keys(policy).sort(), ['autoApprovalLimit', 'id', 'levels', 'name']);
      assert.match(policy.autoApprovalLimit, /^\d+\.\d{2}$/);
      for (const level of policy.levels) {
        assert.deepEqual(Object.keys(level).sort(), ['id', 'level', 'minAmount', 'roleRequired']);
        assert.match(level.minAmount, /^\d+\.\d{2}$/);
        assert.ok(APPROVER_ROLES.includes(level.roleRequired), level.roleRequired);
      }
    }
  });

  it('approval-policies/list returns the values of the database, with levels ascending', async () => {
    const expected = await api.db.query(sql`
      select id, name, auto_approval_limit::text as "autoApprovalLimit",
             (select json_agg(json_build_object('id', l.id, 'level', level, 'roleRequired', role_required,
                                                'minAmount', min_amount::text) order by level)
                from approval_policy_levels l where policy_id = p.id) as levels
        from approval_policies p
       where company_id = ${companyId} and exists (select from approval_policy_levels where policy_id = p.id)
       order by fold(name) collate "C", id collate "C"`);
    const policies = (await get()).items.filter(({ levels }) => levels.length > 0);
    assert.ok(policies.length > 10);
    assert.deepEqual(policies, [...expected]);
  });

  it('approval-policies/list sorts levels by number, in whatever order they were stored', async () => {
    await addPolicy('shuffled', 'Shuffled', '9999999999999.99');
    for (const level of [10, 2, 1, 30, 9]) await addLevel('shuffled', level, 'MANAGER', `${level}.5`);
    await addLevel('shuffled', 2_147_483_647, 'SUPER_ADMIN', '9999999999999.99');
    const [policy] = (await get({ search: 'shuffled' })).items;
    assert.equal(policy?.autoApprovalLimit, '9999999999999.99');
    assert.deepEqual(
      policy.levels.map(({ level, minAmount }) => [level, minAmount]),
      [
        [1, '1.50'],
        [2, '2.50'],
        [9, '9.50'],
        [10, '10.50'],
        [30, '30.50'],
        [2_147_483_647, '9999999999999.99'],
      ],
    );
    await api.db.query(sql`delete from approval_policy_levels where policy_id = 'shuffled'`);
    const [bare] = (await get({ search: 'shuffled' })).items;
    assert.deepEqual(bare?.levels, []);
    await api.db.query(sql`delete from approval_policies where id = 'shuffled'`);
  });

  it('approval-policies/list sorts policies of the same name by id, code point by code point', async () => {
    assert.deepEqual(
      (await get({ search: 'twin' })).items.map(({ id }) => id),
      ['Z', 'z', 'é'],
    );
  });

  it('approval-policies/list searches only names, and only the requested company', async () => {
    const [policy] = (await get({ search: 'domestic' })).items;
    assert.equal(policy?.name, 'Domestic travel');
    for (const search of [policy.id, policy.levels[0]?.id ?? '', 'CORPORATE_ADMIN', '15000', 'Acme']) {
      assert.deepEqual((await get({ search })).items, [], search);
    }
  });

  it('approval-policies/list returns an empty page for a company without policies', async () => {
    const company = await addCompany(api.db, 'Lawless');
    const { email } = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
    const { items: none, pagination } = await get({ companyId: company.id }, email);
    assert.deepEqual(none, []);
    assert.deepEqual([pagination.totalItems, pagination.totalPages, pagination.hasNextPage], [0, 0, false]);
  });
});
