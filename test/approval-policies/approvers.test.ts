import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import { openAdministration, personFields } from '../administration/administration.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { uuid } from '../support/rows.ts';

/*
 * What finance departments expect of approvals: a line lead (2,000), head (10,000), vp (50,000), ceo; an employee below the lead; a second
 * department below the first one. Each row of a table is a question with who has to sign.
 */
const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { add, addCompany, api, get, post } = administration;

const company = await addCompany();
const admin = await add({
  company,
  roles: [['CORPORATE_ADMIN', company]],
  columns: { first_name: 'admin', approval_limit: '500000.00' },
});
const make = async (path: string, fields: object): Promise<string> =>
  dataOf<{ id: string }>(await post(admin, `${path}/create`, { companyId: company.id, ...fields })).id;
const bandId = await make('bands', { name: 'B', code: 'B', autoApprovalLimit: '500.00', maxBookingLimit: '900000.00' });
const person = async (firstName: string, approvalLimit: string, fields: object = {}): Promise<Person> =>
  dataOf(await post(admin, 'users/create', { ...personFields(company), firstName, approvalLimit, bandId, ...fields }));
const under = (manager: Person | undefined, fields: object = {}) => ({
  employment: { managerId: manager?.id ?? null, ...fields },
});
const ceo = await person('ceo', '400000.00');
const vp = await person('vp', '50000.00', under(ceo));
const head = await person('head', '10000.00', { ...under(vp), roles: ['MANAGER'] });
const lead = await person('lead', '2000.00', { ...under(head), roles: ['MANAGER'] });
const emp = await person('emp', '0.00', under(lead, { costCenter: 'cc-1', jobTitle: 'Engineer' }));
const sec = await person('sec', '3000.00', { ...under(head), roles: ['MANAGER'] });
const fin = await person('fin', '300000.00');
const guard = await person('guard', '100.00');
await make('cost-centers', { name: 'One', code: 'CC-1', ownerId: fin.id });
const [groupId] = [uuid(900)];
await api.db.query(sql`
  with key as (insert into api_keys (id, company_id, name, prefix, hash, scopes)
    values (${uuid(901)}, ${company.id}, 'Directory', 'odk_directo', ${'a'.repeat(64)}, 'scim') returning id)
  insert into directory_groups (id, company_id, api_key_id, display_name) select ${groupId}, ${company.id}, id, 'Finance' from key`);
await api.db.query(sql`insert into directory_group_members (group_id, user_id) values (${groupId}, ${fin.id})`);

interface Level {
  level?: number;
  roleRequired?: string;
  approver?: object;
  minAmount?: string;
  maxAmount?: string;
  minApprovers?: number;
  mode?: string;
}
const chain: Level = { approver: { chain: true } };
const role = (roleRequired: string, fields: Level = {}): Level => ({ roleRequired, ...fields });
const named = (...people: Person[]): Level => ({ approver: { userIds: people.map(({ id }) => id) } });
let made = 0;
/** Adds a policy that is off, to be asked by its id. */
const policy = (levels: readonly Level[], fields: object = {}) =>
  make('approval-policies', {
    name: `Policy ${++made}`,
    autoApprovalLimit: '10.00',
    levels: levels.map((level, at) => ({ level: at + 1, minAmount: '0.00', ...level })),
    scope: { active: false },
    ...fields,
  });
const evaluate = (body: object, as: Person = admin) => post(as, 'approval-policies/evaluate', body);
const ask = async (body: object) => dataOf<EvaluationView>(await evaluate(body));
/** An answer in one line: the decision, then the steps: who signs each, or why it is skipped. */
const summaryOf = ({ decision, steps }: EvaluationView) =>
  [
    { APPROVAL_NEEDED: 'needs', NOBODY_CAN_APPROVE: 'nobody:', AUTO_APPROVED: 'automatic' }[decision as string] ??
      decision,
    ...steps.map(({ skipped, minApprovers = 1, approvers: { people } }) => {
      const who = people.map(({ firstName, for: away }) => (away ? `${firstName}←${away.firstName}` : firstName));
      return `${skipped ?? (who.sort().join('+') || '–')}${minApprovers > 1 ? ` (${minApprovers})` : ''}`;
    }),
  ].join(' ');

const MANAGERS = role('MANAGER');
const ADMINS = role('CORPORATE_ADMIN');
type Row = readonly [
  what: string,
  levels: readonly Level[],
  amount: string,
  outcome: string,
  further?: object,
  by?: Person,
];

const ROWS: readonly Row[] = [
  ['up the line until a limit covers it', [chain], '8000', 'needs lead head'],
  ['up the line to the third manager', [chain], '30000', 'needs lead head vp'],
  ['up the line within the first limit', [chain], '1800', 'needs lead'],
  ['up the line a cent above the first limit', [chain], '2000.01', 'needs lead head'],
  ['up the line beyond its end', [chain], '400001', 'nobody: lead head vp ceo'],
  [
    'up the line beyond its end, where somebody is asked by default',
    [chain],
    '400001',
    'needs lead head vp ceo admin',
    { defaultApprovers: { userIds: [admin.id] } },
  ],
  ['the line, then an admin from 5,000', [chain, { ...ADMINS, minAmount: '5000.00' }], '8000', 'needs lead head admin'],
  ['of the top person', [chain], '100', 'nobody: –', {}, ceo],
  ['of the top person, by default a group', [chain], '100', 'needs fin', { defaultApprovers: { groupId } }, ceo],
  ['of somebody without a manager', [role('LINE_MANAGER')], '100', 'nobody: –', {}, ceo],
  [
    'of somebody without a manager, by default',
    [role('LINE_MANAGER')],
    '100',
    'needs fin',
    { defaultApprovers: { userIds: [fin.id] } },
    ceo,
  ],
  [
    'a step that may be skipped, in spite of a default',
    [role('LINE_MANAGER'), ADMINS],
    '100',
    'needs NOBODY admin',
    { defaultApprovers: { userIds: [fin.id] } },
    ceo,
  ],
  ['above the limit of the line manager alone', [role('LINE_MANAGER')], '2500', 'nobody: –'],
  [
    'above the limit of the line manager, by default',
    [role('LINE_MANAGER')],
    '2500',
    'needs lead fin',
    { defaultApprovers: { userIds: [fin.id] } },
  ],
  [
    'a default without the authority',
    [chain],
    '400001',
    'nobody: lead head vp ceo',
    { defaultApprovers: { userIds: [guard.id] } },
  ],
  ['named people', [named(fin, guard)], '100', 'needs fin+guard'],
  ['named people, of whom one has the authority', [named(fin, guard)], '101', 'needs fin'],
  ['a group', [{ approver: { groupId } }], '250000', 'needs fin'],
  ['a security desk before the admin', [named(guard), ADMINS], '8000', 'needs guard admin'],
  ['the owner of the cost centre', [{ approver: { costCenterOwner: true } }], '8000', 'needs fin'],
  [
    'the owner of a cost centre that the person lacks',
    [{ approver: { costCenterOwner: true } }],
    '8000',
    'nobody: –',
    {},
    lead,
  ],
  [
    'a matrix below its bound',
    [role('MANAGER', { maxAmount: '5000.00' }), { ...ADMINS, minAmount: '5000.01' }],
    '3000',
    'needs head+sec',
  ],
  [
    'a matrix at its bound',
    [role('MANAGER', { maxAmount: '5000.00' }), { ...ADMINS, minAmount: '5000.01' }],
    '5000',
    'needs head',
  ],
  [
    'a matrix above its bound',
    [role('MANAGER', { maxAmount: '5000.00' }), { ...ADMINS, minAmount: '5000.01' }],
    '5000.01',
    'needs admin',
  ],
  ['above all levels', [role('CORPORATE_ADMIN', { maxAmount: '5000.00' })], '5000.01', 'nobody:'],
  [
    'two levels in parallel',
    [role('MANAGER', { level: 1 }), role('CORPORATE_ADMIN', { level: 1 })],
    '8000',
    'needs head admin',
  ],
  [
    'two levels in parallel, one without anybody',
    [role('PLATFORM_RM', { level: 1 }), role('CORPORATE_ADMIN', { level: 1 })],
    '8000',
    'nobody: – admin',
  ],
  ['two of the managers', [role('MANAGER', { minApprovers: 2 })], '1500', 'needs head+lead+sec (2)'],
  ['two of the managers with the authority', [role('MANAGER', { minApprovers: 2 })], '3000', 'needs head+sec (2)'],
  ['three of two people', [{ ...named(fin, guard), minApprovers: 3 }, ADMINS], '50', 'nobody: fin+guard (3) admin'],
  ['all of the people named', [{ ...named(fin, guard), mode: 'ALL' }], '8000', 'needs fin+guard (2)'],
  ['four eyes with one person', [ADMINS, ADMINS], '8000', 'nobody: admin admin', { distinct: true }],
  ['two steps of one person', [ADMINS, ADMINS], '8000', 'needs SAME_PERSON admin'],
  [
    'four eyes of the same two people',
    [named(fin, admin), named(fin, admin)],
    '8000',
    'needs admin+fin admin+fin',
    { distinct: true },
  ],
  [
    'four eyes of three signatures of two people',
    [named(fin, admin), { ...named(fin, admin), minApprovers: 2 }],
    '8000',
    'nobody: admin+fin admin+fin (2)',
    { distinct: true },
  ],
  [
    'four eyes with a first step without anybody',
    [role('LINE_MANAGER'), ADMINS],
    '100',
    'nobody: – admin',
    { distinct: true },
    ceo,
  ],
  ['by nobody below the requester', [MANAGERS, ADMINS], '1000', 'needs NOBODY admin', { excludeReports: true }, vp],
  ['by those below the requester too', [MANAGERS, ADMINS], '1000', 'needs head+lead+sec admin', {}, vp],
  ['an emergency', [ADMINS], '4000', 'automatic', { autoApprovalLimit: '50000.00', limit: 'POLICY' }],
  ['an emergency within the limit of the band', [ADMINS], '4000', 'needs admin', { autoApprovalLimit: '50000.00' }],
  [
    'an emergency above the largest booking',
    [ADMINS],
    '900001',
    'automatic',
    { autoApprovalLimit: '1000000.00', limit: 'POLICY' },
  ],
  ['above the largest booking', [ADMINS], '900001', 'OVER_LIMIT', { autoApprovalLimit: '1000000.00' }],
];

describe('approvers that companies have', () => {
  for (const [what, levels, amount, outcome, further = {}, by = emp] of ROWS) {
    it(`an approval of ${amount} ${what}: ${outcome}`, async () => {
      const id = await policy(levels, further);
      assert.equal(summaryOf(await ask({ id, userId: by.id, amount })), outcome);
    });
  }

  it('approval-policies/evaluate leaves out who asks for the person', async () => {
    const id = await policy([MANAGERS]);
    assert.equal(summaryOf(await ask({ id, userId: emp.id, amount: '1000' })), 'needs head+lead+sec');
    const asked = { id, userId: emp.id, amount: '1000', requestedBy: sec.id };
    assert.equal(summaryOf(await ask(asked)), 'needs head+lead');
    assertRefused(await evaluate({ ...asked, requestedBy: uuid(999) }), 404, 'NOT_FOUND');
  });

  it('approval-policies/evaluate needs no new approval within the tolerance of the policy', async () => {
    const id = await policy([ADMINS], { reapproveAbove: { percent: 10, amount: '50.00' } });
    const again = async (amount: string, approvedAmount: string) => {
      const { decision, reasons } = await ask({ id, userId: emp.id, amount, approvedAmount });
      return [decision, reasons.at(-1)?.code];
    };
    assert.deepEqual(await again('1000', '990'), ['AUTO_APPROVED', 'WITHIN_TOLERANCE']);
    assert.deepEqual(await again('1040.01', '990'), ['APPROVAL_NEEDED', 'ABOVE_POLICY_LIMIT']);
    assert.deepEqual(await again('1040', '990'), ['AUTO_APPROVED', 'WITHIN_TOLERANCE']);
    assert.deepEqual(await again('1151', '1100'), ['APPROVAL_NEEDED', 'ABOVE_POLICY_LIMIT']);
  });

  it('approval-policies/evaluate returns what decided', async () => {
    const codes = async (id: string, fields: object) =>
      (await ask({ id, userId: emp.id, ...fields })).reasons.map(({ code }) => code);
    const bypass = await policy([ADMINS], { autoApprovalLimit: '50000.00', limit: 'POLICY' });
    assert.deepEqual(await codes(bypass, { amount: '4000' }), ['BAND_LIMITS_IGNORED']);
    const twice = await policy([ADMINS, ADMINS], { distinct: true });
    assert.equal((await codes(twice, { amount: '4000' })).at(-1), 'DISTINCT');
    dataOf(await post(admin, 'users/update', { id: emp.id, active: false }));
    assert.equal((await codes(bypass, { amount: '1' }))[0], 'PERSON_DOES_NOT_WORK');
    dataOf(await post(admin, 'users/update', { id: emp.id, active: true }));
    const none = await ask({ userId: emp.id, amount: '900001' });
    assert.deepEqual(
      [none.decision, none.reasons.map(({ code }) => code)],
      ['OVER_LIMIT', ['NO_POLICY', 'OVER_MAX_BOOKING']],
    );
  });

  it('approval-policies/update takes back the levels that approval-policies/get returns', async () => {
    const levels = [
      chain,
      { ...named(fin, guard), minApprovers: 2, maxAmount: '9000.00' },
      { level: 2, approver: { groupId } },
    ];
    const rules = {
      defaultApprovers: { userIds: [fin.id], groupId: null },
      distinct: true,
      reapproveAbove: { percent: 2.5, amount: null },
    };
    const id = await policy(levels, rules);
    const found = dataOf<Record<string, unknown>>(await get(admin, 'approval-policies/get', { id }));
    const approvers = (found.levels as { approver: object }[]).map(({ approver }) => approver);
    assert.deepEqual(approvers, [{ chain: true }, { userIds: [fin.id, guard.id].sort() }, { groupId }]);
    assert.deepEqual([found.defaultApprovers, found.reapproveAbove], [rules.defaultApprovers, rules.reapproveAbove]);
    const { companyId: _, ...body } = found;
    assert.deepEqual(dataOf(await post(admin, 'approval-policies/update', body)), found);
    const listed = dataOf<{ levels: object[] }[]>(
      await get(admin, 'approval-policies/list', { companyId: company.id, limit: '1' }),
    );
    assert.deepEqual(Object.keys(listed[0]?.levels[0] ?? {}), ['id', 'level', 'roleRequired', 'minAmount']);
  });

  it('approval-policies/create returns 400 for approvers that contradict each other or are not of the company', async () => {
    const foreign = await add({ company: await addCompany() });
    const level = { level: 1, minAmount: '1.00' };
    for (const [wrong, field] of [
      [{ ...level }, 'levels[0].roleRequired'],
      [{ ...level, roleRequired: 'MANAGER', approver: { chain: true } }, 'levels[0].approver'],
      [{ ...level, approver: { chain: true, costCenterOwner: true } }, 'levels[0].approver.chain'],
      [{ ...level, approver: { chain: 'no' } }, 'levels[0].approver.chain'],
      [{ ...level, approver: { userIds: [] } }, 'levels[0].approver.userIds'],
      [{ ...level, approver: { userIds: [foreign.id] } }, 'levels[0].approver.userIds'],
      [
        { ...level, approver: { userIds: Array.from({ length: 21 }, (_, at) => uuid(at)) } },
        'levels[0].approver.userIds',
      ],
      [{ ...level, approver: { groupId: uuid(902) } }, 'levels[0].approver.groupId'],
      [{ ...level, roleRequired: 'USERS' }, 'levels[0].approver'],
      [{ ...level, approver: { chain: true }, minApprovers: 2 }, 'levels[0].minApprovers'],
      [{ ...level, roleRequired: 'MANAGER', maxAmount: '0.50' }, 'levels[0].maxAmount'],
    ] as const) {
      const body = { companyId: company.id, name: 'Wrong', levels: [wrong] };
      assertInvalid(await post(admin, 'approval-policies/create', body), field);
    }
  });

  it('users/get returns the policies of which a named approver was the last one', async () => {
    const id = await policy([named(guard)], { name: 'Guarded', scope: { priority: 3 } });
    const left = dataOf<{ leaves: { policies: { id: string }[] } }>(
      await post(admin, 'users/update', { id: guard.id, active: false }),
    ).leaves;
    assert.ok(left.policies.some((one) => one.id === id));
    dataOf(await post(admin, 'users/update', { id: guard.id, active: true }));
  });
});

describe('a strict evaluation', () => {
  const asked = { userId: emp.id, amount: '8000' };

  it('approval-policies/evaluate returns 400 for what it does not know', async () => {
    for (const [name, field] of [
      ['departmentId', 'departmentId'],
      ['international', 'international'],
      ['facts[international]', 'facts'],
      ['facts[]', 'facts'],
      ['Amount', 'Amount'],
    ] as const) {
      assertInvalid(await get(admin, 'approval-policies/evaluate', { ...asked, [name]: 'true' }), field);
    }
    assertInvalid(await evaluate({ ...asked, approver: 'x' }), 'approver');
    assertInvalid(await evaluate({ ...asked, currency: 'USD' }), 'currency');
    assertInvalid(await evaluate({ ...asked, approvedAmount: '-1' }), 'approvedAmount');
    assert.equal((await evaluate({ ...asked, currency: 'INR' })).statusCode, 200);
  });

  it('approval-policies/evaluate takes the same facts by GET and POST, and remembers their names', async () => {
    const conditions = {
      international: true,
      daysAhead: { max: 6 },
      category: ['flight', 'rail'],
      hotel: { not: ['budget'] },
    };
    const id = await make('approval-policies', { name: 'Facts', scope: { conditions, priority: 1 } });
    const applied = async (facts: object) => [
      (await ask({ ...asked, facts })).policyId === id,
      dataOf<EvaluationView>(await get(admin, 'approval-policies/evaluate', { ...asked, facts: JSON.stringify(facts) }))
        .policyId === id,
    ];
    const facts = { international: 'true', daysAhead: 6, category: ['bus', 'RAIL'] };
    for (const [further, isApplied] of [
      [{}, true],
      [{ international: true }, true],
      [{ daysAhead: 7 }, false],
      [{ daysAhead: '3' }, true],
      [{ daysAhead: '0x3' }, false],
      [{ daysAhead: '-Infinity' }, false],
      [{ category: 'hotel' }, false],
      [{ hotel: 'Budget' }, false],
      [{ hotel: 'luxury' }, true],
    ] as const) {
      assert.deepEqual(await applied({ ...facts, ...further }), [isApplied, isApplied], JSON.stringify(further));
    }
    const { factsSeen } = dataOf<{ factsSeen: { name: string }[] }>(
      await post(admin, 'approval-policies/check', { companyId: company.id }),
    );
    assert.deepEqual(
      factsSeen.map(({ name }) => name),
      ['category', 'daysAhead', 'hotel', 'international'],
    );
    for (const wrong of [{ a: null }, { a: [] }, { a: [1] }, { a: {} }, { 'b c': 1 }]) {
      assertInvalid(await evaluate({ ...asked, facts: wrong }), `facts.${Object.keys(wrong)[0]}`);
    }
    for (const wrong of [{ min: 2, max: 1 }, {}, { min: '1' }, { not: { not: true } }, { not: 1 }]) {
      const body = { companyId: company.id, name: 'Wrong', scope: { conditions: { a: wrong } } };
      assertInvalid(await post(admin, 'approval-policies/create', body), 'scope.conditions.a');
    }
  });
});

describe('substitutes', () => {
  const away = (userId: string, substituteId: string | null, from?: string, until?: string) =>
    post(admin, 'users/set-substitute', { userId, substituteId, from, until });
  const planned = async (id: string) => {
    const { substitutions } = dataOf<{ substitutions: { substitute: { id: string }; from: string }[] }>(
      await get(admin, 'users/get', { id }),
    );
    return substitutions.map(({ substitute, from }) => [substitute.id, from]);
  };

  it('users/set-substitute keeps several substitutions, and ends those that it overlaps', async () => {
    const id = await policy([role('LINE_MANAGER')]);
    dataOf(await away(lead.id, sec.id, '2040-12-21', '2041-01-03'));
    dataOf(await away(lead.id, fin.id, '2041-02-01', '2041-02-10'));
    const on = async (day: string) => summaryOf(await ask({ id, userId: emp.id, amount: '100', on: day }));
    assert.equal(await on('2040-12-24'), 'needs lead+sec←lead');
    assert.equal(await on('2041-01-15'), 'needs lead');
    assert.equal(await on('2041-02-10'), 'needs fin←lead+lead');
    assert.deepEqual(await planned(lead.id), [
      [sec.id, '2040-12-21'],
      [fin.id, '2041-02-01'],
    ]);
    dataOf(await away(lead.id, guard.id, '2041-01-02', '2041-02-01'));
    assert.deepEqual(await planned(lead.id), [[guard.id, '2041-01-02']]);
    const managers = await policy([MANAGERS]);
    dataOf(await away(lead.id, fin.id, '2041-03-01', '2041-03-10'));
    const signed = summaryOf(await ask({ id: managers, userId: emp.id, amount: '100', on: '2041-03-05' }));
    assert.equal(signed, 'needs fin←lead+head+lead+sec');
    dataOf(await away(lead.id, null));
    assert.deepEqual(await planned(lead.id), []);
  });

  it('approval-policies/evaluate passes over a substitute who is away or does not work to their own substitute, once, and says so', async () => {
    const id = await policy([role('LINE_MANAGER')]);
    const days = ['2042-01-01', '2042-01-31'] as const;
    const on = '2042-01-10';
    const signed = async () => {
      const answer = await ask({ id, userId: emp.id, amount: '100', on });
      return [summaryOf(answer), answer.reasons.some(({ code }) => code === 'SUBSTITUTE_AWAY')];
    };
    dataOf(await away(lead.id, sec.id, ...days));
    assert.deepEqual(await signed(), ['needs lead+sec←lead', false]);
    dataOf(await away(sec.id, fin.id, ...days));
    assert.deepEqual(await signed(), ['needs fin←lead+lead', true]);
    dataOf(await away(fin.id, guard.id, ...days));
    assert.deepEqual(await signed(), ['needs lead', false]);
    for (const each of [lead, sec, fin]) dataOf(await away(each.id, null));
  });
});
