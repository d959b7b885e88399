import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import type { PolicyCheckView } from '../../src/features/approval-policies/policy-check.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { messageOf, openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
const { home, other, admin, foreignAdmin, superAdmin, post, add, addCompany, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

/** Creates a company with a Corporate Admin who may approve 900.00 and a Manager who may approve 100.00. */
async function company() {
  const own = await addCompany();
  const approver = (role: 'CORPORATE_ADMIN' | 'MANAGER', limit: string) =>
    add({ company: own, roles: [[role, own]], columns: { approval_limit: limit } });
  const [boss, manager] = [await approver('CORPORATE_ADMIN', '900.00'), await approver('MANAGER', '100.00')];
  const make = async (path: string, fields: object) =>
    dataOf<{ id: string }>(await post(boss, `${path}/create`, { companyId: own.id, ...fields })).id;
  const policy = (name: string, levels: [string, string][], fields: object = {}) =>
    make('approval-policies', {
      name,
      autoApprovalLimit: '10.00',
      levels: levels.map(([roleRequired, minAmount], index) => ({ level: index + 1, roleRequired, minAmount })),
      ...fields,
    });
  const check = async () => dataOf<PolicyCheckView>(await post(boss, 'approval-policies/check', { companyId: own.id }));
  const decision = async (id: string, amount: string) =>
    dataOf<EvaluationView>(await post(boss, 'approval-policies/evaluate', { id, amount })).decision;
  return { own, boss, manager, make, policy, check, decision };
}

describe('approval-policies/check', () => {
  it('approval-policies/check returns the amount from which nobody can approve, as evaluate decides', async () => {
    const { policy, check, decision } = await company();
    const expected = [
      [await policy('A name alone', []), '10.01'],
      [
        await policy('Both', [
          ['MANAGER', '10.00'],
          ['CORPORATE_ADMIN', '500.00'],
        ]),
        '900.01',
      ],
      [await policy('Managers', [['MANAGER', '10.00']]), '100.01'],
      [await policy('Off', [['MANAGER', '10.00']], { scope: { active: false } }), '100.01'],
      [await policy('Platform', [['PLATFORM_RM', '10.00']]), '10.01'],
    ] as const;
    const { policies } = await check();
    assert.deepEqual(
      policies.map(({ id, nobodyFrom }) => [id, nobodyFrom]),
      expected,
    );
    assert.deepEqual(
      policies.map(({ active }) => active),
      [true, true, true, false, true],
    );
    for (const [id, amount] of expected) {
      const below = (Number(amount) - 0.01).toFixed(2);
      assert.notEqual(await decision(id, below), 'NOBODY_CAN_APPROVE');
      assert.equal(await decision(id, amount), 'NOBODY_CAN_APPROVE');
    }
  });

  it('approval-policies/check returns the levels that nobody can reach, and why', async () => {
    const { policy, check } = await company();
    await policy('High', [
      ['MANAGER', '10.00'],
      ['CORPORATE_ADMIN', '900.01'],
    ]);
    await policy('Nobody', [
      ['PLATFORM_RM', '10.00'],
      ['CORPORATE_ADMIN', '20.00'],
    ]);
    await policy('Reached', [
      ['MANAGER', '10.00'],
      ['CORPORATE_ADMIN', '900.00'],
    ]);
    const { policies } = await check();
    assert.deepEqual(
      policies.map(({ unreachableLevels }) => unreachableLevels),
      [
        [{ level: 2, roleRequired: 'CORPORATE_ADMIN', minAmount: '900.01', reason: 'NO_AUTHORITY' }],
        [{ level: 1, roleRequired: 'PLATFORM_RM', minAmount: '10.00', reason: 'NOBODY' }],
        [],
      ],
    );
  });

  it('approval-policies/check does not judge roles such as line manager while anybody has them', async () => {
    const { policy, check, boss, manager, make } = await company();
    for (const role of ['DEPARTMENT_HEAD', 'LINE_MANAGER', 'SECOND_LINE_MANAGER'])
      await policy(role, [[role, '10.00']]);
    const reasons = async () =>
      (await check()).policies.map(({ nobodyFrom, unreachableLevels }) => [nobodyFrom, unreachableLevels[0]?.reason]);
    const nobody = ['10.01', 'NOBODY'];
    const unknown = [null, undefined];
    assert.deepEqual(await reasons(), [nobody, nobody, nobody]);
    await make('departments', { name: 'Led', costCode: 'LED', headId: boss.id });
    dataOf(await post(boss, 'users/update', { id: manager.id, employment: { managerId: boss.id } }));
    assert.deepEqual(await reasons(), [unknown, unknown, nobody]);
  });

  it('approval-policies/check takes the country of a person’s legal entity, as evaluate does', async () => {
    const { own, boss, manager, make, policy, check } = await company();
    const abroad = await make('legal-entities', {
      name: 'Abroad',
      registeredName: 'Abroad GmbH',
      countryCode: 'DE',
      taxRegistrations: [{ type: 'OTHER', number: own.id.slice(0, 8), countryCode: 'DE' }],
    });
    dataOf(await post(superAdmin, 'users/update', { id: manager.id, legalEntityId: abroad }));
    await policy('There', [], { scope: { countryCodes: ['DE'] } });
    const { peopleWithoutPolicy } = await check();
    assert.deepEqual([peopleWithoutPolicy.total, peopleWithoutPolicy.people.map(({ id }) => id)], [1, [boss.id]]);
  });

  it('approval-policies/check counts and names people without a policy', async () => {
    const { own, boss, manager, make, policy, check } = await company();
    const without = async () => {
      const { total, people } = (await check()).peopleWithoutPolicy;
      return [total, people.map(({ id }) => id)] as const;
    };
    assert.deepEqual((await without())[0], 2);
    const top = await make('departments', { name: 'Top', costCode: 'T' });
    const departmentId = await make('departments', { name: 'Below', costCode: 'B', parentId: top });
    const person = dataOf<Person>(await post(boss, 'users/create', { ...personFields(own), departmentId }));
    await policy('Department', [], { scope: { departmentIds: [top] } });
    await policy('Off', [], { scope: { active: false } });
    await policy('Abroad', [], { scope: { conditions: { international: true }, priority: 50 } });
    assert.deepEqual(await without(), [2, [boss.id, manager.id].sort()]);
    await policy('Over budget', [], { scope: { conditions: { overBudget: true } } });
    assert.equal((await without())[0], 2);
    await policy('Within budget', [], { scope: { conditions: { overBudget: false } } });
    assert.deepEqual(await without(), [0, []]);
    assert.ok(person.id);
  });

  it('approval-policies/check returns 403 outside the staff of the company, and changes nothing', async () => {
    const check = (as: Person, body: object) => post(as, 'approval-policies/check', body);
    const checked = await withoutTrace(() => check(admin, { companyId: home.id }));
    assert.equal(messageOf(checked), 'Approval Policies checked successfully');
    assertRefused(await check(foreignAdmin, { companyId: home.id }), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await check(admin, { companyId: other.id }), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await check(superAdmin, { companyId: home.id }), 403, 'ROLE_REQUIRED');
    assertInvalid(await check(admin, { companyId: home.id, id: 'x' }), 'id');
  });
});
