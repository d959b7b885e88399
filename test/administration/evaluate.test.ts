import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { PersonOptions } from '../support/people.ts';
import { messageOf, openAdministration, personFields, userOf } from './administration.ts';

const administration = await openAdministration();
const { home, other, superAdmin, admin, get, post, add, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

const evaluate = (query: Record<string, string>) => get(admin, 'approval-policies/evaluate', query);
const answer = async (query: Record<string, string>) => dataOf<EvaluationView>(await evaluate(query));
const idOf = async (path: string, fields: object): Promise<string> =>
  dataOf<{ id: string }>(await post(admin, path, { companyId: home.id, ...fields })).id;

const LEVELS = [
  { level: 1, roleRequired: 'MANAGER', minAmount: '100.00' },
  { level: 2, roleRequired: 'PLATFORM_RM', minAmount: '500.00' },
];
const id = await idOf('approval-policies/create', { name: 'Travel', autoApprovalLimit: '50.00', levels: LEVELS });
const bandId = await idOf('bands/create', {
  name: 'Junior',
  code: 'J',
  autoApprovalLimit: '20.00',
  maxBookingLimit: '800.00',
});
const generous = await idOf('bands/create', { name: 'Senior', code: 'S', autoApprovalLimit: '90.00' });
const ofBand = async (band: string, fields = {}) =>
  userOf(await post(admin, 'users/create', { ...personFields(home), bandId: band, ...fields }));
const junior = await ofBand(bandId);
const senior = await ofBand(generous);

const approver = (limit: string, name: string, options: PersonOptions = { roles: [['MANAGER', home]] }) =>
  add({ ...options, columns: { first_name: name, approval_limit: limit, ...options.columns } });
const bo = await approver('150.00', 'Bo');
const ana = await approver('1000.00', 'Ána');
const rm = await approver('9000.00', 'Rita', { company: other, systemRole: { role: 'PLATFORM_RM', active: true } });
// Nobody of these approves.
await approver('9999.00', 'Left', { roles: [['MANAGER', home]], columns: { active: false } });
await approver('9999.00', 'Abroad', { roles: [['MANAGER', other]] });
await approver('9999.00', 'Other', { roles: [['CORPORATE_ADMIN', other]] });
await approver('9999.00', 'Off', { systemRole: { role: 'PLATFORM_RM', active: false } });

const named = ({ steps }: EvaluationView) =>
  steps.map(({ level, approvers }) => [level, approvers.total, approvers.people.map((person) => person.id)]);

describe('approval-policies/evaluate', () => {
  it('approval-policies/evaluate approves automatically up to the smaller limit of policy and band', async () => {
    for (const [query, decision, autoApprovalLimit, maxBookingLimit] of [
      [{ amount: '50' }, 'AUTO_APPROVED', '50.00', null],
      [{ amount: '20', userId: junior.id }, 'AUTO_APPROVED', '20.00', '800.00'],
      [{ amount: '50.00', userId: senior.id }, 'AUTO_APPROVED', '50.00', null],
      [{ amount: '0', userId: junior.id }, 'AUTO_APPROVED', '20.00', '800.00'],
      [{ amount: '800.01', userId: junior.id }, 'OVER_LIMIT', '20.00', '800.00'],
    ] as const) {
      const response = await withoutTrace(() => evaluate({ id, ...query }));
      assert.equal(messageOf(response), 'Approval evaluated successfully');
      const { reasons, limits, budget, ...rest } = dataOf<EvaluationView>(response);
      assert.equal(budget?.departmentId, 'userId' in query ? home.departmentId : undefined);
      assert.deepEqual([limits.policy, reasons.length], ['50.00', decision === 'OVER_LIMIT' ? 1 : 0]);
      assert.deepEqual(rest, {
        policyId: id,
        policy: { id, name: 'Travel' },
        amount: Number(query.amount).toFixed(2),
        userId: 'userId' in query ? query.userId : null,
        decision,
        autoApprovalLimit,
        maxBookingLimit,
        steps: [],
      });
    }
  });

  it('approval-policies/evaluate names for each level that the amount reaches who can approve', async () => {
    const one = await answer({ id, amount: '100', userId: junior.id });
    assert.equal(one.decision, 'APPROVAL_NEEDED');
    assert.deepEqual(named(one), [[1, 2, [ana.id, bo.id]]]);
    assert.deepEqual(one.steps[0]?.approvers.people[0], {
      id: ana.id,
      firstName: 'Ána',
      lastName: 'Rao',
      approvalLimit: '1000.00',
    });
    const { steps, decision } = await answer({ id, amount: '800', userId: junior.id });
    assert.equal(decision, 'APPROVAL_NEEDED');
    assert.deepEqual(
      steps.map(({ approvers, ...step }) => [step, approvers.people.map((person) => person.id)]),
      [
        [{ ...LEVELS[0], skipped: null }, [ana.id, bo.id]],
        [{ ...LEVELS[1], skipped: null }, [rm.id]],
      ],
    );
  });

  it('approval-policies/evaluate returns NOBODY_CAN_APPROVE if nobody at the last step may approve', async () => {
    const evaluation = await answer({ id, amount: '9000.01' });
    assert.equal(evaluation.decision, 'NOBODY_CAN_APPROVE');
    assert.deepEqual(named(evaluation), [
      [1, 2, [ana.id, bo.id]],
      [2, 0, []],
    ]);
  });

  it('approval-policies/evaluate requires the lowest level for an amount below every level', async () => {
    for (const query of [{ amount: '99.99' }, { amount: '20.01', userId: junior.id }]) {
      const evaluation = await answer({ id, ...query });
      assert.deepEqual([evaluation.decision, named(evaluation)], ['APPROVAL_NEEDED', [[1, 2, [ana.id, bo.id]]]]);
      assert.equal(evaluation.reasons.at(-1)?.code, 'LOWEST_LEVEL');
    }
    const alone = await idOf('approval-policies/create', { name: 'A name alone' });
    const { decision, steps, reasons } = await answer({ id: alone, amount: '999999999.00' });
    assert.deepEqual([decision, steps, reasons.at(-1)?.code], ['NOBODY_CAN_APPROVE', [], 'NO_LEVELS']);
  });

  it('approval-policies/evaluate excludes the requesting person from the approvers', async () => {
    const evaluation = await answer({ id, amount: '400', userId: ana.id });
    assert.deepEqual(named(evaluation), [
      [1, 1, [bo.id]],
      [2, 1, [rm.id]],
    ]);
    assert.equal(evaluation.reasons.at(-1)?.code, 'CLIMBED_FOR_AUTHORITY');
  });

  it('approval-policies/evaluate counts guests as approvers, and accepts a deactivated requesting person', async () => {
    const guest = await approver('777.00', 'Gast', { company: other, roles: [['MANAGER', home]] });
    assert.deepEqual(named(await answer({ id, amount: '777' }))[0], [1, 3, [ana.id, bo.id, guest.id]]);
    userOf(await post(superAdmin, 'users/revoke-role', { userId: guest.id, role: 'MANAGER', companyId: home.id }));
    const gone = await ofBand(bandId);
    userOf(await post(admin, 'users/update', { id: gone.id, active: false }));
    assert.equal((await answer({ id, amount: '100', userId: gone.id })).decision, 'APPROVAL_NEEDED');
  });

  it('approval-policies/evaluate names the first ten approvers by name and id, and counts all', async () => {
    const policy = await idOf('approval-policies/create', {
      name: 'Many',
      levels: [{ level: 1, roleRequired: 'EMPLOYEE', minAmount: '1' }],
    });
    const people = [];
    for (const name of ['c', 'B', 'á', 'd', 'A', 'b', 'e', 'f', 'g', 'h', 'i', 'B']) {
      people.push({ name, ...(await approver('5.00', name, { roles: [['EMPLOYEE', home]] })) });
    }
    const [step] = (await answer({ id: policy, amount: '5' })).steps;
    assert.equal(step?.approvers.total, 12);
    const fold = (name: string) => name.toLowerCase().replace('á', 'a');
    const expected = people
      .map((person) => `${fold(person.name)} ${person.id}`)
      .sort()
      .slice(0, 10);
    assert.deepEqual(
      step?.approvers.people.map((person) => `${fold(person.firstName)} ${person.id}`),
      expected,
    );
  });

  it('approval-policies/evaluate returns 404 for a policy or a person of another company', async () => {
    const foreign = await add({ company: other });
    const query = { id, amount: '1' };
    for (const userId of [foreign.id, rm.id, randomUUID()]) {
      const { message } = assertRefused(await evaluate({ ...query, userId }), 404, 'NOT_FOUND');
      assert.equal(message, 'There is no user with this id.');
    }
    const { message } = assertRefused(await evaluate({ ...query, id: randomUUID() }), 404, 'NOT_FOUND');
    assert.equal(message, 'There is no approval policy with this id.');
  });

  it('approval-policies/evaluate returns 400 for facts by GET that have a name twice', async () => {
    const wrong = ['{"abroad":true,"abroad":false}', '{"abroad":true,"\\u0061broad":false}', '{"a":"x","a":"x"}'];
    for (const facts of wrong) assertInvalid(await evaluate({ id, amount: '5', facts }), 'facts');
  });

  it('approval-policies/evaluate returns a budget period that ends on the last date for a day of it', async () => {
    const { budget } = await answer({ userId: junior.id, amount: '5', on: '9999-12-31' });
    assert.equal(budget?.to, '9999-12-31');
  });

  it('approval-policies/evaluate returns 400 for a wrong amount or id', async () => {
    assertInvalid(await evaluate({}), 'id', 'amount');
    assertInvalid(await evaluate({ id, amount: '1,5', userId: 'x' }), 'amount', 'userId');
    for (const amount of ['-1', '1.001', '1e3', '10000000000000', 'NaN'])
      assertInvalid(await evaluate({ id, amount }), 'amount');
    assert.equal((await answer({ id, amount: '9999999999999.99' })).decision, 'NOBODY_CAN_APPROVE');
    assert.equal((await answer({ id, amount: '1', userId: '' })).userId, null);
  });
});
