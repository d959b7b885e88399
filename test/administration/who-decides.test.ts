import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person, PersonOptions } from '../support/people.ts';
import { openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, admin, get, post, add, addCompany, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

const idOf = async (path: string, fields: object, as = admin): Promise<string> =>
  dataOf<{ id: string }>(await post(as, path, { companyId: home.id, ...fields })).id;
const named = (name: string, limit: string, options: PersonOptions = {}) =>
  add({ ...options, columns: { first_name: name, last_name: 'X', approval_limit: limit, ...options.columns } });
const employ = async (person: Person, fields: object) => {
  dataOf(await post(admin, 'users/update', { id: person.id, ...fields }));
};
const manage = (person: Person, manager: Person | null) =>
  employ(person, { employment: { managerId: manager?.id ?? null } });
const policy = (fields: object) => idOf('approval-policies/create', { autoApprovalLimit: '10.00', ...fields });
const evaluate = (body: object, as = admin) => post(as, 'approval-policies/evaluate', body);
const answer = async (body: object, as = admin) => dataOf<EvaluationView>(await evaluate(body, as));
const level = (roleRequired: string, minAmount = '0.00', at = 1) => ({ level: at, roleRequired, minAmount });
const first = ({ steps }: EvaluationView) => steps[0]?.approvers.people.map(({ firstName }) => firstName).join(' ');
const codes = ({ reasons }: EvaluationView) => reasons.map(({ code }) => code);
const substitute = (body: object, as = admin) => post(as, 'users/set-substitute', body);
const DAYS = { from: '2030-01-10', until: '2030-01-20' };
const booker = await add({ roles: [['EMPLOYEE', home]] });

describe('roles in relation to the person', () => {
  it('approval-policies/evaluate names the line manager, their manager, or the head of the department', async () => {
    const [line, second, head] = [
      await named('Line', '50.00'),
      await named('Second', '90.00'),
      await named('Head', '70.00'),
    ];
    const departmentId = await idOf('departments/create', { name: 'Led', costCode: 'LED', headId: head.id });
    const person = await add();
    await manage(person, line);
    await manage(line, second);
    await employ(person, { departmentId });
    for (const [role, who, limit] of [
      ['LINE_MANAGER', 'Line', '50.00'],
      ['SECOND_LINE_MANAGER', 'Second', '90.00'],
      ['DEPARTMENT_HEAD', 'Head', '70.00'],
    ] as const) {
      const id = await policy({ name: role, levels: [level(role)] });
      const evaluation = await answer({ id, userId: person.id, amount: limit });
      assert.deepEqual([evaluation.decision, first(evaluation)], ['APPROVAL_NEEDED', who]);
      const above = await answer({ id, userId: person.id, amount: String(Number(limit) + 0.01) });
      assert.equal(above.decision, 'NOBODY_CAN_APPROVE');
      assert.equal((await answer({ id, amount: '20.00' })).decision, 'NOBODY_CAN_APPROVE', 'nobody asks');
    }
  });

  it('approval-policies/evaluate skips absent managers and the requester, and names the next above', async () => {
    const [away, gone, boss] = [
      await named('Away', '99.00'),
      await named('Gone', '99.00'),
      await named('Boss', '99.00'),
    ];
    const person = await named('Own', '99.00');
    await manage(person, away);
    await manage(away, gone);
    await manage(gone, boss);
    await employ(away, { active: false });
    await employ(gone, { employment: { endDate: '2030-01-15' } });
    const line = await policy({ name: 'Line', levels: [level('LINE_MANAGER')] });
    const ask = (on: string) => answer({ id: line, userId: person.id, amount: '50', on });
    assert.deepEqual([first(await ask('2030-01-15')), first(await ask('2030-01-16'))], ['Gone', 'Boss']);
    const top = await idOf('departments/create', { name: 'Top', costCode: 'TOP', headId: boss.id });
    const own = { name: 'Own', costCode: 'OWN', headId: person.id, parentId: top };
    await employ(person, { departmentId: await idOf('departments/create', own) });
    const head = await policy({ name: 'Head', levels: [level('DEPARTMENT_HEAD')] });
    assert.equal(first(await answer({ id: head, userId: person.id, amount: '50' })), 'Boss');
  });

  it('approval-policies/evaluate skips a step without approvers, or whose approver decides a later step', async () => {
    const boss = await named('Both', '500.00', { roles: [['CORPORATE_ADMIN', home]] });
    const levels = [level('LINE_MANAGER'), level('CORPORATE_ADMIN', '0.00', 2)];
    const id = await policy({ name: 'Two steps', levels });
    const person = await add();
    const nobody = await answer({ id, userId: person.id, amount: '400' });
    assert.deepEqual(
      [nobody.decision, nobody.steps.map(({ skipped }) => skipped), codes(nobody).slice(1)],
      ['APPROVAL_NEEDED', ['NOBODY', null], ['ABOVE_POLICY_LIMIT', 'STEP_SKIPPED']],
    );
    await manage(person, boss);
    // The other Corporate Admin may not approve as much.
    const same = await answer({ id, userId: person.id, amount: '499' });
    const sole = same.steps[1]?.approvers.total === 1;
    assert.deepEqual(
      same.steps.map(({ skipped }) => skipped),
      [sole ? 'SAME_PERSON' : null, null],
    );
  });
});

describe('the policy that applies', () => {
  it('approval-policies/evaluate applies the policy of lowest priority that matches, with the reason', async () => {
    const company = await addCompany();
    const boss = await add({ company, roles: [['CORPORATE_ADMIN', company]], columns: { approval_limit: '9000.00' } });
    const make = async (path: string, fields: object) =>
      dataOf<{ id: string }>(await post(boss, `${path}/create`, { companyId: company.id, ...fields })).id;
    const top = await make('departments', { name: 'Top', costCode: 'T' });
    const departmentId = await make('departments', { name: 'Below', costCode: 'B', parentId: top });
    const bandId = await make('bands', { name: 'Junior', code: 'J', autoApprovalLimit: '5.00' });
    const person = dataOf<Person>(await post(boss, 'users/create', { ...personFields(company), departmentId, bandId }));
    const ask = (fields: object = {}) => answer({ userId: person.id, amount: '6', ...fields }, boss);
    const none = await ask();
    assert.deepEqual(
      [none.decision, none.policyId, none.policy, codes(none)],
      ['NO_POLICY', null, null, ['NO_POLICY']],
    );
    const chosen = async (fields: object = {}) => {
      const evaluation = await ask(fields);
      return [evaluation.policy?.name, codes(evaluation)[0]];
    };
    const levels = [level('CORPORATE_ADMIN')];
    const everybody = await make('approval-policies', { name: 'Everybody', autoApprovalLimit: '10.00', levels });
    assert.deepEqual(await chosen(), ['Everybody', 'APPLIES_TO_ALL']);
    await make('approval-policies', { name: 'Band', levels, scope: { bandIds: [bandId] } });
    assert.deepEqual(await chosen(), ['Band', 'APPLIES_BY_BAND']);
    await make('approval-policies', { name: 'Department', levels, scope: { departmentIds: [top] } });
    assert.deepEqual(await chosen(), ['Department', 'APPLIES_BY_DEPARTMENT']);
    const conditions = { international: true, category: ['Flight', 'rail'] };
    await make('approval-policies', { name: 'Abroad', levels, scope: { conditions } });
    assert.deepEqual(await chosen({ facts: { international: true, category: 'flight' } }), [
      'Abroad',
      'APPLIES_BY_CONDITIONS',
    ]);
    for (const facts of [
      {},
      { international: true },
      { international: false, category: 'rail' },
      { category: 'rail' },
    ]) {
      assert.deepEqual(await chosen({ facts }), ['Department', 'APPLIES_BY_DEPARTMENT'], JSON.stringify(facts));
    }
    const update = async (scope: object) => {
      dataOf(await post(boss, 'approval-policies/update', { id: everybody, scope }));
    };
    await update({ priority: 1 });
    assert.deepEqual(await chosen(), ['Everybody', 'APPLIES_TO_ALL']);
    await update({ active: false });
    assert.deepEqual(await chosen(), ['Department', 'APPLIES_BY_DEPARTMENT']);
    const query = { userId: person.id, amount: '6', facts: JSON.stringify({ international: true, category: 'RAIL' }) };
    const byGet = dataOf<EvaluationView>(await get(boss, 'approval-policies/evaluate', query));
    assert.equal(byGet.policy?.name, 'Abroad');
    assert.deepEqual(byGet.limits, { policy: '0.00', band: '5.00' });
  });

  it('approval policies have a scope that can be read, changed in part, and names only the own company', async () => {
    const departmentId = await idOf('departments/create', { name: 'Scoped', costCode: 'SC' });
    const scope = { departmentIds: [departmentId], conditions: { abroad: true }, priority: 7 };
    const body = { id: '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43', companyId: home.id, name: 'Scoped', scope };
    interface Detail {
      id: string;
      scope: object;
    }
    const created = dataOf<Detail>(await post(admin, 'approval-policies/create', body));
    const whole = { ...scope, bandIds: [], active: true };
    assert.deepEqual(created.scope, whole);
    const again = await withoutTrace(() => post(admin, 'approval-policies/create', body));
    assert.deepEqual(dataOf<Detail>(again), created);
    const change = (given: unknown) => post(admin, 'approval-policies/update', { id: created.id, scope: given });
    const updated = dataOf<Detail>(await change({ conditions: {}, active: false }));
    assert.deepEqual(updated.scope, { ...whole, conditions: {}, active: false });
    assertRefused(await post(admin, 'departments/delete', { id: departmentId }), 409, 'IN_USE');
    for (const [given, field] of [
      [{ departmentIds: [other.departmentId] }, 'scope.departmentIds'],
      [{ departmentIds: ['x'] }, 'scope.departmentIds[0]'],
      [{ bandIds: 'x' }, 'scope.bandIds'],
      [{ conditions: { 'Not a name': true } }, 'scope.conditions.Not a name'],
      [{ conditions: { category: [] } }, 'scope.conditions.category'],
      [{ priority: -1 }, 'scope.priority'],
      [{ budget: 1 }, 'scope.budget'],
      [null, 'scope'],
    ] as const) {
      assertInvalid(await change(given), field);
    }
  });
});

describe('substitutes', () => {
  it('a substitute approves on their days with the authority of the approver, and never for themselves', async () => {
    const [boss, standIn] = [await named('Boss', '300.00'), await named('Stand-in', '1.00')];
    const person = await add();
    await manage(person, boss);
    const id = await policy({ name: 'Away', levels: [level('LINE_MANAGER')] });
    dataOf(await substitute({ userId: boss.id, substituteId: standIn.id, ...DAYS }));
    const people = async (on: string, userId = person.id) => {
      const { steps } = await answer({ id, userId, amount: '300', on });
      return steps[0]?.approvers;
    };
    for (const on of ['2030-01-09', '2030-01-21']) assert.equal((await people(on))?.total, 1);
    for (const on of ['2030-01-10', '2030-01-20']) {
      const approvers = await people(on);
      assert.deepEqual(
        [approvers?.total, approvers?.people.at(-1)],
        [
          2,
          {
            id: standIn.id,
            firstName: 'Stand-in',
            lastName: 'X',
            approvalLimit: '300.00',
            for: { id: boss.id, firstName: 'Boss', lastName: 'X' },
          },
        ],
      );
    }
    await manage(standIn, boss);
    assert.equal((await people('2030-01-10', standIn.id))?.total, 1, 'the substitute asks');
    dataOf(await substitute({ userId: boss.id, substituteId: null }));
    assert.equal((await people('2030-01-10'))?.total, 1);
  });

  it('a substitute approves for the holder of a role too, and one who is away too is passed over', async () => {
    const company = await addCompany();
    const boss = await add({ company, roles: [['CORPORATE_ADMIN', company]], columns: { approval_limit: '900.00' } });
    const [b, c] = [await add({ company }), await add({ company })];
    dataOf(await substitute({ substituteId: b.id, ...DAYS }, boss));
    dataOf(await substitute({ substituteId: c.id, ...DAYS }, b));
    const body = { companyId: company.id, name: 'Role', levels: [level('CORPORATE_ADMIN')] };
    const { id } = dataOf<{ id: string }>(await post(boss, 'approval-policies/create', body));
    const { steps } = await answer({ id, amount: '900', on: '2030-01-10' }, boss);
    const approvers = steps[0]?.approvers;
    assert.deepEqual(
      [approvers?.total, new Set(approvers?.people.map((one) => one.id))],
      [2, new Set([boss.id, c.id])],
    );
    assert.equal(approvers?.people.find((one) => one.id === c.id)?.for?.id, boss.id);
  });

  it('users may set their own substitute, and an admin one for others, from the same company alone', async () => {
    const [one, another, foreign] = [
      await add({ roles: [['EMPLOYEE', home]] }),
      await add(),
      await add({ company: other }),
    ];
    const answered = dataOf<object>(await substitute({ substituteId: another.id, ...DAYS }, one));
    const who = { id: another.id, firstName: 'Ana', lastName: 'Rao' };
    assert.deepEqual(answered, { userId: one.id, substitute: who, ...DAYS });
    const profile = await api.send({ url: '/api/users/profile?include=substitution', as: one.email });
    assert.deepEqual(dataOf<{ substitution: object }>(profile).substitution, answered);
    assertRefused(await substitute({ userId: another.id, substituteId: one.id, ...DAYS }, one), 403, 'ROLE_REQUIRED');
    assertRefused(await substitute({ userId: foreign.id, substituteId: null }), 404, 'NOT_FOUND');
    assertInvalid(await substitute({ substituteId: one.id, ...DAYS }, one), 'substituteId');
    assertInvalid(await substitute({ substituteId: foreign.id, ...DAYS }, one), 'substituteId');
    assertInvalid(await substitute({ substituteId: another.id, from: DAYS.until, until: DAYS.from }, one), 'until');
    assertInvalid(await substitute({ substituteId: another.id }, one), 'from', 'until');
  });
});

describe('holders of a role', () => {
  it('approval-policies/evaluate names role holders as they are now, whatever has changed since the grant', async () => {
    const company = await addCompany();
    const boss = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
    const make = async (path: string, fields: object) =>
      dataOf<Person>(await post(boss, `${path}/create`, { companyId: company.id, ...fields }));
    const { id } = await make('approval-policies', { name: 'Managers', levels: [level('MANAGER')] });
    const holder = await make('users', { ...personFields(company), approvalLimit: '5.00', roles: ['MANAGER'] });
    const other = await make('users', { ...personFields(company), lastName: 'Zed', roles: ['MANAGER'] });
    const change = async (fields: object, who = holder) => {
      dataOf(await post(boss, 'users/update', { id: who.id, ...fields }));
    };
    const approvers = async (amount: string, on = '2030-01-15') => {
      const { decision, steps } = await answer({ id, amount, on }, boss);
      return decision === 'APPROVAL_NEEDED' ? steps[0]?.approvers.people.map((one) => one.lastName).join() : decision;
    };
    assert.equal(await approvers('5.00'), 'Rao');
    assert.equal(await approvers('5.01'), 'NOBODY_CAN_APPROVE');
    await change({ approvalLimit: '6.00' });
    await change({ approvalLimit: '7.00' }, other);
    assert.equal(await approvers('5.01'), 'Rao,Zed');
    await change({ lastName: 'Zzz', firstName: 'Zoe' });
    assert.equal(await approvers('5.01'), 'Zed,Zzz');
    await change({ employment: { startDate: '2030-01-15', endDate: '2030-01-20' } });
    assert.equal(await approvers('5.01'), 'Zed,Zzz');
    for (const on of ['2030-01-14', '2030-01-21']) assert.equal(await approvers('5.01', on), 'Zed');
    await change({ active: false }, other);
    assert.equal(await approvers('5.01'), 'Zzz');
    dataOf(await post(boss, 'users/revoke-role', { userId: holder.id, role: 'MANAGER', companyId: company.id }));
    assert.equal(await approvers('5.01'), 'NOBODY_CAN_APPROVE');
    dataOf(await post(boss, 'users/grant-role', { userId: holder.id, role: 'MANAGER', companyId: company.id }));
    assert.equal(await approvers('5.01'), 'Zzz');
  });

  it('simultaneous role grants and user updates keep the approval limit of role holders current', async () => {
    const company = await addCompany();
    const boss = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
    const people = [];
    for (let number = 0; number < 20; number++) people.push(await add({ company }));
    await Promise.all(
      people.flatMap(({ id: userId }) => [
        post(boss, 'users/grant-role', { userId, role: 'MANAGER', companyId: company.id }),
        post(boss, 'users/update', { id: userId, approvalLimit: '77.00' }),
      ]),
    );
    const wrong = await api.db.query(sql`
      select from company_roles join users on users.id = user_id
       where (holder_name, holder_limit, holder_active) is distinct from (name_folded, approval_limit, users.active)`);
    assert.equal(wrong.length, 0);
  });
});

describe('who may evaluate', () => {
  it('an employee may evaluate their own bookings, and gets only the names of the approvers', async () => {
    const boss = await named('Own boss', '100.00');
    await manage(booker, boss);
    const id = await policy({ name: 'Own', levels: [level('LINE_MANAGER')] });
    const { decision, steps } = await answer({ id, userId: booker.id, amount: '50' }, booker);
    assert.deepEqual(
      [decision, steps[0]?.approvers.people],
      ['APPROVAL_NEEDED', [{ firstName: 'Own boss', lastName: 'X' }]],
    );
    assertRefused(await evaluate({ id, userId: boss.id, amount: '50' }, booker), 403, 'ROLE_REQUIRED');
    assertRefused(await evaluate({ id, amount: '50' }, booker), 403, 'ROLE_REQUIRED');
    assertRefused(
      await evaluate({ userId: booker.id, companyId: other.id, amount: '50' }, booker),
      403,
      'COMPANY_FORBIDDEN',
    );
  });

  it('approval-policies/evaluate returns 400 for wrong facts and a wrong day', async () => {
    const wrong = { userId: booker.id, amount: '1', facts: { a: null, 'b c': true }, on: '2030-13-01' };
    assertInvalid(await evaluate(wrong), 'facts.a', 'facts.b c', 'on');
    assertInvalid(
      await get(admin, 'approval-policies/evaluate', { userId: booker.id, amount: '1', facts: '{' }),
      'facts',
    );
  });
});
