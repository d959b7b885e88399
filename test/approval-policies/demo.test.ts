import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { cents } from '../../src/entities/money.ts';
import type { ApprovalPolicyView } from '../../src/features/approval-policies/approval-policies-schemas.ts';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import type { PolicyCheckView } from '../../src/features/approval-policies/policy-check.ts';
import type { DepartmentSpendingView } from '../../src/features/spending/spending-schemas.ts';
import { loadDemo } from '../../src/server/prepare.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { openTestDatabase } from '../support/test-database.ts';

const api = await buildCheckedApp({}, openTestDatabase);
after(() => api[Symbol.asyncDispose]());
const { db } = api;
await loadDemo(db);

const companies = await db.query<{ id: string; name: string; admin: string }>(sql`
  select companies.id, companies.name, min(users.email) as admin
    from companies join company_roles held on held.company_id = companies.id and held.role = 'CORPORATE_ADMIN'
    join users on users.id = held.user_id and users.active
   where companies.active group by companies.id order by companies.id`);
const get = async <Data>(as: string, path: string, query: Record<string, string>) =>
  dataOf<Data>(await api.send({ url: `/api/${path}`, as, query }));
const evaluate = (as: string, query: Record<string, string>) =>
  get<EvaluationView>(as, 'approval-policies/evaluate', query);

describe('the demo', () => {
  it('the demo has one level that nobody can reach, and no person without a policy', async () => {
    const unreachable: unknown[] = [];
    for (const { id, name, admin } of companies) {
      const request = {
        method: 'POST',
        url: '/api/approval-policies/check',
        payload: { companyId: id },
        as: admin,
      } as const;
      const { policies, peopleWithoutPolicy } = dataOf<PolicyCheckView>(await api.send(request));
      assert.equal(peopleWithoutPolicy.total, 0, name);
      for (const policy of policies) {
        unreachable.push(...policy.unreachableLevels.map(({ level, reason }) => [name, policy.name, level, reason]));
      }
    }
    assert.deepEqual(unreachable, [['Acme', 'International travel', 2, 'NO_AUTHORITY']]);
  });

  it('the demo evaluates a cent into each level as approval-policies/check says, with the reason', async () => {
    let evaluations = 0;
    for (const { id: companyId, admin } of companies.filter(({ name }) => ['Acme', 'Globex'].includes(name))) {
      const policies = await get<ApprovalPolicyView[]>(admin, 'approval-policies/list', { companyId, limit: '100' });
      for (const { id, name, levels } of policies) {
        for (const { level, minAmount } of levels) {
          const amount = (Number(minAmount) + 0.01).toFixed(2);
          const { decision, reasons } = await evaluate(admin, { id, amount });
          const isMeant = name === 'International travel' && level === 2 && admin === 'admin@acme.example';
          assert.equal(decision, isMeant ? 'NOBODY_CAN_APPROVE' : 'APPROVAL_NEEDED', `${name}, ${amount}`);
          if (isMeant) assert.equal(reasons.at(-1)?.code, 'NO_AUTHORITY');
          evaluations += 1;
        }
      }
    }
    assert.equal(evaluations, 55);
  });

  it('the demo applies the limit of the band wherever it is smaller than that of the policy', async () => {
    const pairs = await db.query<{ policy: string; person: string; limit: string; admin: string }>(sql`
      select policy.id as policy, person.id as person, band.auto_approval_limit::text as limit, admin.email as admin
        from approval_policies policy join employee_bands band using (company_id)
        join companies on companies.id = policy.company_id and companies.name in ('Acme', 'Globex')
        join users admin on admin.email = 'admin@' || lower(companies.name) || '.example',
             lateral (select id from users where band_id = band.id and users.id <> admin.id order by id limit 1) person
       where band.auto_approval_limit < policy.auto_approval_limit`);
    assert.equal(pairs.length, 14);
    for (const { policy: id, person: userId, limit, admin } of pairs) {
      const at = await evaluate(admin, { id, userId, amount: limit });
      assert.deepEqual([at.decision, at.autoApprovalLimit], ['AUTO_APPROVED', limit]);
      const above = await evaluate(admin, { id, userId, amount: `${cents(limit) / 100n}.01` });
      assert.deepEqual([above.decision, above.reasons[0]?.code], ['APPROVAL_NEEDED', 'ABOVE_BAND_LIMIT']);
    }
  });

  it('the demo has a tree of departments, and a manager for everybody but one person of each company', async () => {
    const [found] = await db.query<{ companies: number; tops: number; roots: number; levels: number }>(sql`
      with recursive tree as (
        select id, 1 as level from departments where parent_id is null
        union all
        select departments.id, level + 1 from tree join departments on parent_id = tree.id)
      select (select count(*)::integer from companies) as companies,
             (select count(*)::integer from users where manager_id is null) as tops,
             (select count(*)::integer from departments where parent_id is null) as roots,
             (select max(level)::integer from tree) as levels`);
    assert.deepEqual({ ...found }, { companies: 30, tops: 30, roots: 30, levels: 3 });
  });

  it('the demo has an absent approver, whose substitute approves too', async () => {
    const acme = companies.find(({ name }) => name === 'Acme');
    assert.ok(acme);
    const [policy] = await get<ApprovalPolicyView[]>(acme.admin, 'approval-policies/list', {
      companyId: acme.id,
      search: 'domestic',
    });
    const { steps } = await evaluate(acme.admin, { id: policy?.id ?? '', amount: '20000' });
    const standIns = steps[0]?.approvers.people.filter((person) => person.for !== undefined) ?? [];
    assert.deepEqual(
      standIns.map((person) => person.for?.firstName),
      ['Naveen'],
    );
  });

  it('the demo has one department that is over its budget in the present period', async () => {
    const over: string[] = [];
    for (const { id: companyId, admin } of companies) {
      const spending = await get<DepartmentSpendingView[]>(admin, 'departments/spending', { companyId, limit: '100' });
      over.push(
        ...spending.filter(({ remainingWithBelow }) => remainingWithBelow?.startsWith('-')).map(({ name }) => name),
      );
    }
    assert.deepEqual(over, ['Production, Pune Plant']);
  });
});
