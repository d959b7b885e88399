import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import { openAdministration, personFields } from '../administration/administration.ts';
import { assertInvalid, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';

/*
 * Questions that users of Coupa, SAP Concur, TravelPerk, Expensify, Frappe HR and ERPNext ask of their approvals, in a company with a
 * ladder of managers and admins, a line of managers, and a department with a head below another one.
 */
const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { add, addCompany, get, post } = administration;

const company = await addCompany({ budgetPeriod: 'YEAR' });
const boss = await add({
  company,
  roles: [['CORPORATE_ADMIN', company]],
  columns: { first_name: 'Admin', approval_limit: '50000.00' },
});
const make = async (path: string, fields: object): Promise<string> =>
  dataOf<{ id: string }>(await post(boss, `${path}/create`, { companyId: company.id, ...fields })).id;
const bandId = await make('bands', {
  name: 'Band',
  code: 'BAND',
  autoApprovalLimit: '1000.00',
  maxBookingLimit: '80000.00',
});
const person = async (firstName: string, approvalLimit: string, fields: object = {}): Promise<Person> =>
  dataOf(await post(boss, 'users/create', { ...personFields(company), firstName, approvalLimit, bandId, ...fields }));
const manager = await person('Manager', '3000.00', { roles: ['MANAGER'] });
const second = await person('Second', '9000.00');
const line = await person('Line', '4000.00', { employment: { managerId: second.id } });
const head = await person('Head', '6000.00');
const top = await make('departments', { name: 'Top', costCode: 'TOP', headId: boss.id, budget: '100000.00' });
const departmentId = await make('departments', {
  name: 'Team',
  costCode: 'TEAM',
  parentId: top,
  headId: head.id,
  budget: '500.00',
});
dataOf(await post(boss, 'users/update', { id: head.id, departmentId }));
const booker = await person('Booker', '0.00', { departmentId, employment: { managerId: line.id } });

const policy = (name: string, levels: readonly (readonly [string, string])[], fields: object = {}) =>
  make('approval-policies', {
    name,
    autoApprovalLimit: '1500.00',
    levels: levels.map(([roleRequired, minAmount], index) => ({ level: index + 1, roleRequired, minAmount })),
    // Evaluated by their ids alone.
    scope: { active: false },
    ...fields,
  });
const policies = {
  ladder: await policy('Ladder', [
    ['MANAGER', '1500.00'],
    ['CORPORATE_ADMIN', '10000.00'],
  ]),
  bare: await policy('A name alone', [], { autoApprovalLimit: '0.00' }),
  line: await policy('Line', [['LINE_MANAGER', '1500.00']]),
  second: await policy('Second line', [
    ['LINE_MANAGER', '0.00'],
    ['SECOND_LINE_MANAGER', '0.00'],
  ]),
  head: await policy('Head', [['DEPARTMENT_HEAD', '1500.00']]),
  twice: await policy('Twice', [
    ['CORPORATE_ADMIN', '0.00'],
    ['CORPORATE_ADMIN', '1.00'],
  ]),
  chain: await policy('Chain', [
    ['LINE_MANAGER', '0.00'],
    ['DEPARTMENT_HEAD', '0.00'],
    ['CORPORATE_ADMIN', '0.00'],
  ]),
} as const;

type Outcome = EvaluationView['decision'] | readonly string[];

/** Who asks what of which policy, and what happens: a decision, or the steps with whoever signs or why they are skipped. */
const SCENARIOS: readonly (readonly [
  what: string,
  policy: keyof typeof policies,
  amount: string,
  outcome: Outcome,
  by?: Person,
])[] = [
  ['nothing', 'ladder', '0', 'AUTO_APPROVED'],
  ['the limit of the band', 'ladder', '1000.00', 'AUTO_APPROVED'],
  ['a cent above the limit of the band', 'ladder', '1000.01', ['Manager']],
  ['between the limits of band and policy', 'ladder', '1400.00', ['Manager']],
  ['a cent below the first level', 'ladder', '1499.99', ['Manager']],
  ['the limit of the policy', 'ladder', '1500.00', ['Manager']],
  ['the limit of the manager', 'ladder', '3000.00', ['Manager']],
  ['more than the manager may approve', 'ladder', '4000.00', ['Manager', 'Admin']],
  ['the second level', 'ladder', '10000.00', ['Manager', 'Admin']],
  ['the limit of the admin', 'ladder', '50000.00', ['Manager', 'Admin']],
  ['more than anybody may approve', 'ladder', '50000.01', 'NOBODY_CAN_APPROVE'],
  ['the largest booking of the band', 'ladder', '80000.00', 'NOBODY_CAN_APPROVE'],
  ['more than the largest booking of the band', 'ladder', '80000.01', 'OVER_LIMIT'],
  ['anything above the limit of a policy without levels', 'bare', '0.01', 'NOBODY_CAN_APPROVE'],
  ['999,999,999 by a policy that has a name alone', 'bare', '79999.99', 'NOBODY_CAN_APPROVE'],
  ['the manager of the ladder for themselves', 'ladder', '1600.00', ['NOBODY', 'Admin']],
  ['the only admin for themselves', 'twice', '2000.00', 'NOBODY_CAN_APPROVE'],
  ['by the line manager', 'line', '4000.00', ['Line']],
  ['more than the line manager may approve', 'line', '4000.01', 'NOBODY_CAN_APPROVE'],
  ['by the line manager and the next one', 'second', '9000.00', ['Line', 'Second']],
  ['of somebody without a second manager', 'second', '5000.00', 'NOBODY_CAN_APPROVE'],
  ['of somebody without any manager', 'line', '2000.00', 'NOBODY_CAN_APPROVE'],
  ['by the head of the department', 'head', '6000.00', ['Head']],
  ['of the head, by the one above', 'head', '7000.00', ['Admin']],
  ['of two levels that one person signs', 'twice', '2000.00', ['SAME_PERSON', 'Admin']],
  ['through line, department and company', 'chain', '5000.00', ['Line', 'Head', 'Admin']],
  ['of the top, where nobody is above', 'chain', '5000.00', ['NOBODY', 'Head', 'Admin']],
];
const ASKING: Readonly<Record<string, Person>> = {
  'the manager of the ladder for themselves': manager,
  'the only admin for themselves': boss,
  'of somebody without a second manager': line,
  'of somebody without any manager': second,
  'of the head, by the one above': head,
};

const evaluate = async (query: Record<string, string>) =>
  dataOf<EvaluationView>(await get(boss, 'approval-policies/evaluate', query));

describe('a booking', () => {
  for (const [what, name, amount, outcome] of SCENARIOS) {
    it(`the evaluation of ${what}: ${amount} by "${name}" is ${typeof outcome === 'string' ? outcome : outcome.join(', then ')}`, async () => {
      const { id: userId } = what.startsWith('of the top') ? second : (ASKING[what] ?? booker);
      if (what.startsWith('of the top')) {
        dataOf(await post(boss, 'users/update', { id: second.id, departmentId }));
      }
      const { decision, steps, reasons } = await evaluate({ id: policies[name], userId, amount });
      assert.equal(reasons.length > 0, decision !== 'AUTO_APPROVED');
      if (typeof outcome === 'string') return assert.equal(decision, outcome);
      assert.equal(decision, 'APPROVAL_NEEDED');
      const signers = steps.map(({ skipped, approvers: { people } }) => {
        const names = people.map(({ firstName }) => firstName).filter((one) => one !== undefined);
        return skipped ?? names.join(' ');
      });
      assert.deepEqual(signers, outcome);
    });
  }

  it('approval-policies/evaluate returns 400 for a negative amount, and more than two decimal digits', async () => {
    for (const amount of ['-1', '1.234', '1e3', '100000000000000000', '', 'NaN']) {
      assertInvalid(await get(boss, 'approval-policies/evaluate', { id: policies.ladder, amount }), 'amount');
    }
  });
});

describe('the default policy', () => {
  it('approval-policies/evaluate applies the default policy if no narrower policy matches', async () => {
    const scoped = (name: string, scope: object) => policy(name, [['CORPORATE_ADMIN', '0.00']], { scope });
    const chosen = async (userId: string, facts: object = {}) =>
      (await evaluate({ userId, amount: '100', facts: JSON.stringify(facts) })).policy?.name;
    assert.equal(await chosen(booker.id), undefined);
    await scoped('Default', {});
    await scoped('Team', { departmentIds: [departmentId] });
    await scoped('Abroad', { conditions: { international: true } });
    await scoped('Project', { conditions: { project: ['Apollo', 'Gemini'] }, priority: 99 });
    assert.deepEqual([await chosen(manager.id), await chosen(booker.id)], ['Default', 'Team']);
    assert.equal(await chosen(booker.id, { international: true }), 'Abroad');
    assert.equal(await chosen(booker.id, { international: false, outOfPolicy: true }), 'Team');
    assert.equal(await chosen(manager.id, { project: 'apollo' }), 'Project');
    await scoped('Over budget', { conditions: { overBudget: true }, priority: 1 });
    const requested = async (amount: string) => (await evaluate({ userId: booker.id, amount })).policy?.name;
    assert.deepEqual([await requested('500.00'), await requested('500.01')], ['Team', 'Over budget']);
  });

  it('an evaluation skips a step whose last approver has been deactivated', async () => {
    interface Left {
      leaves: { policies: { name: string }[] };
    }
    const left = dataOf<Left>(await post(boss, 'users/update', { id: manager.id, active: false }));
    assert.deepEqual(
      left.leaves.policies.map(({ name }) => name),
      [],
      'policies that are not active are not left',
    );
    const { steps } = await evaluate({ id: policies.ladder, userId: booker.id, amount: '2000' });
    assert.deepEqual(
      steps.map(({ skipped, approvers }) => [skipped, approvers.total]),
      [
        ['NOBODY', 0],
        [null, 1],
      ],
    );
  });
});
