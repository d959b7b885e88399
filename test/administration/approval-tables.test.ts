import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, add, addCompany, get, post, superAdmin } = administration;
after(() => administration[Symbol.asyncDispose]());

const company = await addCompany();
type Columns = Readonly<Record<string, unknown>>;
const person = (name: string, limit: string, role: 'CORPORATE_ADMIN' | 'MANAGER' | 'EMPLOYEE', columns: Columns = {}) =>
  add({ company, roles: [[role, company]], columns: { first_name: name, approval_limit: limit, ...columns } });
const ceo = await person('Ceo', '9000000.00', 'CORPORATE_ADMIN');
const idOf = async (path: string, fields: object) =>
  dataOf<{ id: string }>(await post(ceo, path, { companyId: company.id, ...fields })).id;
const department = (name: string, fields: object) =>
  idOf('departments/create', { name, costCode: name.toUpperCase(), ...fields });

const staff = await idOf('bands/create', { name: 'Staff', code: 'STAFF', autoApprovalLimit: '5000.00' });
const limits = { autoApprovalLimit: '500.00', maxBookingLimit: '5000.00' };
const beginners = await idOf('bands/create', { name: 'Beginners', code: 'BEGINNERS', ...limits });
const below = (manager: { id: string }, columns: Columns = {}) => ({
  manager_id: manager.id,
  band_id: staff,
  ...columns,
});
const fin = await person('Fin', '500000.00', 'CORPORATE_ADMIN', below(ceo));
const vp = await person('Vp', '50000.00', 'MANAGER', below(ceo));
const head = await person('Head', '10000.00', 'MANAGER', below(vp));
const hq = await department('Hq', { headId: ceo.id });
const sales = await department('Sales', { headId: head.id, parentId: hq, budget: '20000.00' });
const eme = await department('Eme', { parentId: sales });
const lead = await person('Lead', '2000.00', 'MANAGER', below(head, { department_id: eme }));
const sec = await person('Sec', '2000.00', 'MANAGER', below(head));
const inEme = { department_id: eme, cost_center: 'CC-1', job_title: 'Analyst' };
const emp = await person('Emp', '0.00', 'EMPLOYEE', below(lead, inEme));
const free = await person('Free', '0.00', 'EMPLOYEE', { department_id: eme, band_id: staff });
const junior = await person('Junior', '0.00', 'EMPLOYEE', below(lead, { band_id: beginners }));
const gone = await person('Gone', '2000.00', 'EMPLOYEE', below(head, { end_date: '2030-01-15' }));
const orphan = await person('Orphan', '0.00', 'EMPLOYEE', below(gone));
const joiner = await person('Joiner', '0.00', 'EMPLOYEE', below(lead, { start_date: '2040-03-01' }));
await api.db.query(sql`update users set department_id = ${sales}::uuid where id = ${head.id}`);
await idOf('cost-centers/create', { name: 'Trips', code: 'cc-1', ownerId: sec.id });
const [group] = await api.db.query<{ id: string }>(sql`
  with key as (insert into api_keys (id, company_id, name, scopes, prefix, hash)
               values (gen_random_uuid(), ${company.id}, 'Directory', 'scim', 'odk_tables00', ${'7'.repeat(64)}) returning id)
  insert into directory_groups (company_id, api_key_id, display_name) select ${company.id}, id, 'Finance' from key returning id`);
for (const { id } of [fin, sec]) {
  await api.db.query(
    sql`insert into directory_group_members (group_id, user_id) values (${group?.id}::uuid, ${id}::uuid)`,
  );
}
const away = (who: { id: string }, by: { id: string }, from: string, until: string) =>
  post(ceo, 'users/set-substitute', { userId: who.id, substituteId: by.id, from, until });
for (const answer of [
  await away(lead, sec, '2030-01-10', '2030-01-20'),
  await away(lead, vp, '2030-02-01', '2030-02-10'),
  await away(sec, fin, '2030-01-18', '2030-01-19'),
]) {
  dataOf(answer);
}

/** A level: by a role, or by whom it names. */
const at = (level: number, who: string | object, minAmount = '0.00', more: object = {}) => ({
  ...{ level, minAmount, ...more },
  ...(typeof who === 'string' ? { roleRequired: who } : { approver: who }),
});
const line = (minAmount?: string, more?: object) => at(1, 'LINE_MANAGER', minAmount, more);
const named = (level: number, people: readonly { id: string }[], more: object = {}) =>
  at(level, { userIds: people.map(({ id }) => id) }, '0.00', more);
const chain = at(1, { chain: true });

const DECISIONS = {
  AUTO_APPROVED: 'automatic',
  APPROVAL_NEEDED: 'needed',
  OVER_LIMIT: 'over the limit',
  NOBODY_CAN_APPROVE: 'nobody',
  NO_POLICY: 'no policy',
} as const;

/** An answer in a line: `needed: 1 Lead + Sec for Lead; 2 Head`. */
function told({ decision, steps }: EvaluationView): string {
  const parts = steps.map(({ level, skipped, minApprovers, approvers }) => {
    const people = approvers.people.map((one) => one.firstName + (one.for ? ` for ${one.for.firstName}` : ''));
    const who = skipped ?? (people.join(' + ') || '–');
    return `${level} ${minApprovers ? `${minApprovers} of ` : ''}${who}`;
  });
  return [DECISIONS[decision], ...(parts.length > 0 ? [parts.join('; ')] : [])].join(': ');
}

const evaluate = (question: object, as = fin) => post(as, 'approval-policies/evaluate', question);
const answer = async (question: object) => dataOf<EvaluationView>(await evaluate(question));
/** A policy that is asked by its id alone. */
const policy = (fields: object) =>
  idOf('approval-policies/create', { name: 'Asked', autoApprovalLimit: '100.00', scope: { active: false }, ...fields });

type Case = readonly [question: object, expected: string, reason?: string];
const TABLE: Readonly<Record<string, readonly [policy: object, ...cases: Case[]]>> = {
  'up the line until a limit covers the amount': [
    { levels: [chain] },
    [{ amount: '1800' }, 'needed: 1 Lead'],
    [{ amount: '8000' }, 'needed: 1 Lead; 1 Head'],
    [{ amount: '30000' }, 'needed: 1 Lead; 1 Head; 1 Vp'],
    [{ amount: '30000', userId: ceo.id }, 'nobody: 1 –'],
  ],
  'bounds of a table': [
    { autoApprovalLimit: '249.99', levels: [line('250'), at(2, 'SECOND_LINE_MANAGER', '1000.01')] },
    ...(['249', '249.99'].map((amount) => [{ amount }, 'automatic']) as Case[]),
    ...(['250', '999', '1000'].map((amount) => [{ amount }, 'needed: 1 Lead']) as Case[]),
    ...(['1000.01', '1001'].map((amount) => [{ amount }, 'needed: 1 Lead; 2 Head']) as Case[]),
    [{ amount: '0' }, 'automatic'],
    [{ amount: '9999999999999.99' }, 'nobody: 1 Lead; 2 –'],
  ],
  'a matrix: one signature for each range': [
    { levels: [line('0', { maxAmount: '2000.00' }), at(2, 'CORPORATE_ADMIN', '2000.01')] },
    [{ amount: '2000' }, 'needed: 1 Lead'],
    [{ amount: '6000' }, 'needed: 2 Ceo + Fin'],
  ],
  'a level that ends, and none above it': [
    { levels: [line('0', { maxAmount: '1500' })] },
    [{ amount: '1500.01' }, 'nobody', 'ABOVE_LEVELS'],
  ],
  'line manager, then the next': [
    { levels: [line(), at(2, 'CORPORATE_ADMIN', '5000')] },
    [{ amount: '21000' }, 'needed: 1 Lead; 2 Ceo + Fin'],
    [{ amount: '2500' }, 'needed: 1 Lead; 2 Ceo + Fin', 'CLIMBED_FOR_AUTHORITY'],
  ],
  'the only approver asks': [{ levels: [named(1, [sec])] }, [{ amount: '1500', userId: sec.id }, 'nobody: 1 –']],
  'the person is an approver before the last one': [
    { levels: [named(1, [emp]), named(2, [lead])] },
    [{ amount: '1500' }, 'needed: 1 NOBODY; 2 Lead', 'STEP_SKIPPED'],
  ],
  'one person at two levels': [
    { levels: [named(1, [fin]), named(2, [fin])] },
    [{ amount: '1500' }, 'needed: 1 SAME_PERSON; 2 Fin'],
  ],
  'four eyes of one person': [
    { distinct: true, levels: [named(1, [fin]), named(2, [fin])] },
    [{ amount: '1500' }, 'nobody: 1 Fin; 2 Fin', 'DISTINCT'],
  ],
  'four eyes of two people': [
    { distinct: true, levels: [named(1, [fin, ceo]), named(2, [fin, ceo])] },
    [{ amount: '1500' }, 'needed: 1 Ceo + Fin; 2 Ceo + Fin'],
  ],
  'reports of the requester approve': [
    { levels: [at(1, 'MANAGER')] },
    [{ amount: '1500', userId: head.id }, 'needed: 1 Lead + Sec + Vp'],
    [{ amount: '1500', requestedBy: sec.id }, 'needed: 1 Head + Lead + Vp'],
  ],
  'no report of the requester approves': [
    { excludeReports: true, levels: [at(1, 'MANAGER')] },
    [{ amount: '1500', userId: head.id }, 'needed: 1 Vp'],
  ],
  'nobody above, with default approvers': [
    { defaultApprovers: { userIds: [fin.id] }, levels: [line()] },
    [{ amount: '1500', userId: free.id }, 'needed: 1 Fin', 'DEFAULT_APPROVERS'],
    [{ amount: '1500', userId: ceo.id }, 'needed: 1 Fin', 'DEFAULT_APPROVERS'],
    [{ amount: '2500' }, 'needed: 1 Lead; 1 Fin', 'DEFAULT_APPROVERS'],
    [{ amount: '1500', userId: undefined }, 'needed: 1 Fin', 'DEFAULT_APPROVERS'],
    [{ amount: '500000.01' }, 'nobody: 1 –', 'NO_AUTHORITY'],
  ],
  'line manager, then the head of the department': [
    { levels: [line(), at(2, 'DEPARTMENT_HEAD')] },
    [{ amount: '1500', userId: free.id }, 'needed: 1 NOBODY; 2 Head'],
    [{ amount: '1500', userId: head.id }, 'needed: 1 Vp; 2 Ceo'],
    [{ amount: '1500', userId: lead.id }, 'needed: 1 SAME_PERSON; 2 Head'],
  ],
  'each step by its role, the last one by its limit': [
    { levels: [line(), at(2, 'DEPARTMENT_HEAD'), at(3, 'CORPORATE_ADMIN', '5000')] },
    [{ amount: '8000' }, 'needed: 1 Lead; 2 Head; 3 Ceo + Fin'],
  ],
  'leave, a second leave, and a substitute who is away too': [
    { levels: [line()] },
    [{ amount: '1800', on: '2030-01-09' }, 'needed: 1 Lead'],
    [{ amount: '1800', on: '2030-01-10' }, 'needed: 1 Lead + Sec for Lead'],
    [{ amount: '1800', on: '2030-01-18' }, 'needed: 1 Lead + Fin for Lead', 'SUBSTITUTE_AWAY'],
    [{ amount: '1800', on: '2030-01-20' }, 'needed: 1 Lead + Sec for Lead'],
    [{ amount: '1800', on: '2030-01-21' }, 'needed: 1 Lead'],
    [{ amount: '1800', on: '2030-02-10' }, 'needed: 1 Lead + Vp for Lead'],
    [{ amount: '1800', on: '2030-01-12', requestedBy: sec.id }, 'needed: 1 Lead'],
    [{ amount: '1800', userId: orphan.id, on: '2030-01-15' }, 'needed: 1 Gone'],
    [{ amount: '1800', userId: orphan.id, on: '2030-01-16' }, 'needed: 1 Head'],
    [{ amount: '1800', userId: joiner.id }, 'needed: 1 Lead', 'PERSON_DOES_NOT_WORK'],
    [{ amount: '1800', userId: joiner.id, on: '2040-03-01' }, 'needed: 1 Lead'],
  ],
  'a group of a directory': [
    { levels: [at(1, { groupId: group?.id })] },
    [{ amount: '1500' }, 'needed: 1 Fin + Sec'],
    [{ amount: '2500' }, 'needed: 1 Fin'],
  ],
  'the owner of the cost centre': [
    { levels: [at(1, { costCenterOwner: true })] },
    [{ amount: '1500' }, 'needed: 1 Sec'],
    [{ amount: '1500', userId: free.id }, 'nobody: 1 –'],
  ],
  'two approvals in parallel': [
    { levels: [named(1, [fin]), at(1, 'DEPARTMENT_HEAD')] },
    [{ amount: '1500' }, 'needed: 1 Fin; 1 Head'],
  ],
  'two of a role': [
    { levels: [at(1, 'MANAGER', '0.00', { minApprovers: 2 })] },
    [{ amount: '1500' }, 'needed: 1 2 of Head + Lead + Sec + Vp'],
    [{ amount: '20000' }, 'nobody: 1 2 of Vp'],
  ],
  'an emergency, for which the band does not count': [
    { autoApprovalLimit: '50000.00', limit: 'POLICY', levels: [] },
    [{ amount: '6000', userId: junior.id }, 'automatic', 'BAND_LIMITS_IGNORED'],
  ],
  'the same where the band counts': [
    { autoApprovalLimit: '50000.00', levels: [named(1, [fin])] },
    [{ amount: '4000', userId: junior.id }, 'needed: 1 Fin', 'ABOVE_BAND_LIMIT'],
    [{ amount: '6000', userId: junior.id }, 'over the limit', 'OVER_MAX_BOOKING'],
  ],
  'more than was approved, by a tolerance of 5 %': [
    { reapproveAbove: { percent: 5 }, levels: [line()] },
    [{ amount: '1039.50', approvedAmount: '990' }, 'automatic', 'WITHIN_TOLERANCE'],
    [{ amount: '1039.51', approvedAmount: '990' }, 'needed: 1 Lead'],
  ],
};

describe('tables of approvals', () => {
  for (const [situation, [fields, ...cases]] of Object.entries(TABLE)) {
    it(`approval-policies/evaluate decides as a finance department expects: ${situation}`, async () => {
      const id = await policy(fields);
      for (const [question, expected, code] of cases) {
        const evaluation = await answer({ id, userId: emp.id, ...question });
        const reasons = evaluation.reasons.map((reason) => reason.code);
        assert.equal(told(evaluation), expected, JSON.stringify([question, reasons]));
        if (code)
          assert.ok(
            reasons.some((each) => each === code),
            `${code}: ${reasons}`,
          );
      }
    });
  }

  it('approval-policies/evaluate refuses what it does not know, and says which', async () => {
    const id = await policy({ levels: [line()] });
    const asked = { id, userId: emp.id, amount: '5' };
    for (const amount of ['1500.005', '-5', '1e3', '1.234', '10000000000000.00']) {
      assertInvalid(await evaluate({ ...asked, amount }), 'amount');
    }
    assertInvalid(await evaluate({ ...asked, currency: 'USD' }), 'currency');
    for (const unknown of ['departmentId', 'split', 'amountUsd']) {
      assertInvalid(await evaluate({ ...asked, [unknown]: 'x' }), unknown);
      assertInvalid(await get(fin, 'approval-policies/evaluate', { ...asked, [unknown]: 'x' }), unknown);
    }
    assertInvalid(await get(fin, 'approval-policies/evaluate', { ...asked, 'facts[international]': 'true' }), 'facts');
    assertInvalid(await evaluate({ amount: '5' }), 'id');
    assertRefused(await evaluate({ userId: lead.id, amount: '5' }, emp), 403, 'ROLE_REQUIRED');
    const own = dataOf<EvaluationView>(await evaluate({ id, userId: emp.id, amount: '1500' }, emp));
    assert.deepEqual(own.steps[0]?.approvers.people, [{ firstName: 'Lead', lastName: 'Rao' }]);
  });
});

describe('tables of policies', () => {
  it('approval-policies/evaluate asks the policy that a finance department expects', async () => {
    const none = { userId: junior.id, amount: '1000000' };
    assert.equal(told(await answer(none)), 'over the limit');
    assert.equal(told(await answer({ userId: emp.id, amount: '1' })), 'no policy');
    let priority = 10;
    const conditions = { international: true, category: ['flight', 'rail'] };
    for (const [name, scope] of Object.entries({
      Standard: { priority: 100 },
      Abroad: { conditions },
      Late: { conditions: { daysAhead: { max: 6 } } },
      NoHotel: { conditions: { stay: true, lodging: { not: ['hotel'] } } },
      Over: { conditions: { overBudget: true } },
      Sales: { departmentIds: [sales], priority: 110 },
      Near: { departmentIds: [eme], priority: 110 },
      Title: { jobTitles: ['analyst'], conditions: { title: true } },
      Centre: { costCenters: ['CC-1'], conditions: { centre: true } },
      Land: { countryCodes: ['IN'], conditions: { land: true } },
      Kind: { workerTypes: ['EMPLOYEE'], conditions: { kind: true } },
      Person: { userIds: [emp.id], conditions: { person: true } },
      Days: { from: '2030-05-01', until: '2030-05-31', conditions: { days: true } },
    })) {
      priority += 1;
      await idOf('approval-policies/create', { name, autoApprovalLimit: '5000.00', scope: { priority, ...scope } });
    }
    dataOf(await post(superAdmin, 'companies/update', { id: company.id, country: 'IN' }));
    const spent = { id: 'spent', companyId: company.id, userId: sec.id, amount: '19000.00', departmentId: sales };
    dataOf(await post(superAdmin, 'bookings/record', { bookings: [spent] }));
    for (const [facts, expected, question = {}] of [
      [{}, 'Standard'],
      [{ international: true, category: 'flight' }, 'Abroad'],
      [{ international: true, category: 'RAIL' }, 'Abroad'],
      [{ international: 'true', category: ['flight'] }, 'Abroad'],
      [{ international: true, category: 'hotel' }, 'Standard'],
      [{ international: true }, 'Standard'],
      [{ daysAhead: 6 }, 'Late'],
      [{ daysAhead: 6.5 }, 'Standard'],
      [{ stay: true, lodging: 'flat' }, 'NoHotel'],
      [{ stay: true }, 'NoHotel'],
      [{ stay: true, lodging: 'Hotel' }, 'Standard'],
      [{}, 'Over', { amount: '1000.01' }],
      [{ overBudget: true }, 'Standard'],
      [{ title: true }, 'Title'],
      [{ title: true }, 'Standard', { userId: free.id }],
      [{ centre: true }, 'Centre'],
      [{ centre: true }, 'Standard', { userId: free.id }],
      [{ land: true }, 'Land'],
      [{ kind: true }, 'Kind'],
      [{ person: true }, 'Person'],
      [{ person: true }, 'Standard', { userId: free.id }],
      [{ days: true }, 'Days', { on: '2030-05-31' }],
      [{ days: true }, 'Standard', { on: '2030-06-01' }],
    ] as const) {
      const { policy: asked } = await answer({ userId: emp.id, amount: '1', facts, ...question });
      assert.equal(asked?.name, expected, JSON.stringify([facts, question]));
    }
  });

  it('approval-policies/evaluate asks the policy of the nearest department, and names departments over budget', async () => {
    const [standard] = await api.db.query<{ id: string }>(sql`
      select id from approval_policies where company_id = ${company.id}::uuid and name = 'Standard'`);
    dataOf(await post(ceo, 'approval-policies/update', { id: standard?.id, scope: { priority: 200 } }));
    const near = await answer({ userId: emp.id, amount: '1' });
    assert.deepEqual([near.policy?.name, near.budget?.overBudget], ['Near', []]);
    const farther = await answer({ userId: head.id, amount: '1' });
    assert.equal(farther.policy?.name, 'Sales');
    const over = (await answer({ userId: emp.id, amount: '4000' })).budget?.overBudget;
    assert.deepEqual(over, [{ id: sales, name: 'Sales', remainingWithBelow: '1000.00' }]);
  });
});
