import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import type { PolicyCheckView } from '../../src/features/approval-policies/policy-check.ts';
import { openAdministration, personFields } from '../administration/administration.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { add, addCompany, api, get, post } = administration;

/** Creates a company with departments Sales and EME below it, a band, and a person of EME. */
async function situation() {
  const company = await addCompany();
  const admin = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
  const send = (path: string, body: object) => post(admin, path, body);
  const make = async (path: string, fields: object) =>
    dataOf<{ id: string }>(await send(`${path}/create`, { companyId: company.id, ...fields })).id;
  const sales = await make('departments', { name: 'Sales', costCode: 'S' });
  const eme = await make('departments', { name: 'EME', costCode: 'E', parentId: sales });
  const bandId = await make('bands', { name: 'Band', code: 'B' });
  const employment = { costCenter: 'CC-1', jobTitle: 'Driver' };
  const fields = { ...personFields(company), departmentId: eme, bandId, employment };
  const person = dataOf<Person>(await send('users/create', fields));
  const create = (name: string, scope: object) =>
    send('approval-policies/create', { companyId: company.id, name, scope });
  const policy = async (name: string, scope: object) => dataOf<{ id: string }>(await create(name, scope)).id;
  const applied = async (further: object = {}) => {
    const body = { userId: person.id, amount: '1', ...further };
    const { policy: found, reasons } = dataOf<EvaluationView>(await send('approval-policies/evaluate', body));
    return [found?.name, ...reasons.map(({ code }) => code).filter((code) => /^APPLIES|AMBIGUOUS/.test(code))];
  };
  const check = async () =>
    dataOf<PolicyCheckView>(await send('approval-policies/check', { companyId: company.id })).policies;
  return { company, admin, sales, eme, bandId, person, send, create, policy, applied, check };
}

describe('the policy that applies', () => {
  it('approval-policies/evaluate prefers the nearest department, and more of any other scope', async () => {
    const { sales, eme, bandId, person, policy, applied } = await situation();
    await policy('Everybody', {});
    assert.deepEqual(await applied(), ['Everybody', 'APPLIES_TO_ALL']);
    await policy('Drivers', { jobTitles: ['driver'] });
    assert.deepEqual(await applied(), ['Drivers', 'APPLIES_BY_SCOPE']);
    await policy('Drivers of CC-1', { jobTitles: ['Driver'], costCenters: ['cc-1'] });
    assert.equal((await applied())[0], 'Drivers of CC-1');
    await policy('Band', { bandIds: [bandId] });
    assert.equal((await applied())[0], 'Band');
    await policy('B (Sales)', { departmentIds: [sales] });
    assert.equal((await applied())[0], 'B (Sales)');
    await policy('D (EME)', { departmentIds: [eme] });
    assert.deepEqual(await applied(), ['D (EME)', 'APPLIES_BY_DEPARTMENT']);
    await policy('Abroad', { conditions: { abroad: true } });
    assert.equal((await applied({ facts: { abroad: true } }))[0], 'Abroad');
    await policy('One person', { userIds: [person.id], priority: 1 });
    assert.equal((await applied())[0], 'One person');
  });

  it('approval-policies/evaluate applies a policy from its first to its last day, and to its people alone', async () => {
    const { policy, applied, create } = await situation();
    await policy('Season', { from: '2031-06-01', until: '2031-06-30', priority: 4 });
    const on = async (day: string) => (await applied({ on: day }))[0];
    assert.deepEqual(await Promise.all(['2031-05-31', '2031-06-01', '2031-06-30', '2031-07-01'].map(on)), [
      undefined,
      'Season',
      'Season',
      undefined,
    ]);
    await policy('Guests', { workerTypes: ['GUEST'] });
    await policy('Elsewhere', { countryCodes: ['fr'], priority: 5 });
    await policy('Others', { jobTitles: ['Pilot'], priority: 6 });
    assert.deepEqual(await applied(), [undefined]);
    await policy('Employees', { workerTypes: ['EMPLOYEE', 'INTERN'], priority: 7 });
    assert.deepEqual(await applied(), ['Employees', 'APPLIES_BY_SCOPE']);
    assertInvalid(await create('x', { workerTypes: ['ROBOT'] }), 'scope.workerTypes[0]');
    assertInvalid(await create('x', { countryCodes: ['France'] }), 'scope.countryCodes[0]');
    assertInvalid(await create('x', { from: '2031-02-30' }), 'scope.from');
  });
});

describe('ambiguous policies', () => {
  it('approval-policies/create and update return 409 naming both where two are equal and can meet', async () => {
    const { sales, eme, bandId, create, policy, send } = await situation();
    const id = await policy('Domestic travel', {});
    const refused = await create('Trips', {});
    assertRefused(refused, 409, 'AMBIGUOUS');
    assert.match(refused.json<{ message: string }>().message, /"Trips" and "Domestic travel"/);
    await policy('Other priority', { priority: 99 });
    await policy('Off', { active: false });
    await policy('Flights', { conditions: { category: ['flight'] } });
    await policy('Hotels', { conditions: { category: ['hotel'] } });
    assertRefused(await create('Flights too', { conditions: { category: ['Flight', 'bus'] } }), 409, 'AMBIGUOUS');
    assertRefused(await create('Abroad', { conditions: { abroad: true } }), 409, 'AMBIGUOUS');
    await policy('Near', { conditions: { days: { max: 6 } }, priority: 5 });
    await policy('Far', { conditions: { days: { min: 7 } }, priority: 5 });
    assertRefused(await create('Middle', { conditions: { days: { min: 6, max: 8 } }, priority: 5 }), 409, 'AMBIGUOUS');
    await policy('Sales', { departmentIds: [sales] });
    await policy('EME', { departmentIds: [eme] });
    assertRefused(await create('Both', { departmentIds: [sales, eme] }), 409, 'AMBIGUOUS');
    await policy('Spring', { from: '2031-01-01', until: '2031-05-31' });
    await policy('Summer', { from: '2031-06-01' });
    assertRefused(await create('May', { from: '2031-05-01', until: '2031-05-31' }), 409, 'AMBIGUOUS');
    await policy('Band', { bandIds: [bandId] });
    const on = await send('approval-policies/update', { id, scope: { priority: 99 } });
    assertRefused(on, 409, 'AMBIGUOUS');
  });

  it('approval policies that were ambiguous before are named by check and evaluate, can be changed, and decide by id', async () => {
    const { company, policy, applied, check, send } = await situation();
    const id = await policy('First', {});
    await api.db.query(sql`
      insert into approval_policies (id, company_id, name, auto_approval_limit) values (${`a ${id}`}, ${company.id}, 'Second', 1)`);
    assert.deepEqual((await applied()).slice(1), ['APPLIES_TO_ALL', 'AMBIGUOUS']);
    assert.deepEqual(
      (await check()).map(({ name, ambiguousWith }) => [name, ambiguousWith.map((other) => other.name)]),
      [
        ['First', ['Second']],
        ['Second', ['First']],
      ],
    );
    dataOf(await send('approval-policies/update', { id, name: 'Renamed', scope: { active: true } }));
  });

  it('of simultaneous ambiguous creates one succeeds', async () => {
    const { create } = await situation();
    const all = await Promise.all(['A', 'B', 'C', 'D'].map((name) => create(name, {})));
    assert.deepEqual(all.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409]);
  });
});

describe('policies that never apply', () => {
  it('approval-policies/check names the policies that come first wherever one would apply', async () => {
    const { sales, eme, policy, check } = await situation();
    const shadows = async () =>
      (await check()).flatMap(({ name, neverApplies, shadowedBy }) =>
        neverApplies ? [[name, neverApplies, ...shadowedBy.map((other) => other.name)]] : [],
      );
    await policy('Everybody', {});
    await policy('Sales', { departmentIds: [sales] });
    await policy('EME', { departmentIds: [eme] });
    await policy('Abroad', { conditions: { abroad: true } });
    assert.deepEqual(await shadows(), []);
    await policy('Late', { priority: 200, conditions: { abroad: true, days: { max: 3 } } });
    await policy('Sales late', { priority: 200, departmentIds: [eme] });
    await policy('Past', { until: '2020-01-01' });
    assert.deepEqual(await shadows(), [
      ['Late', 'SHADOWED', 'Abroad', 'Everybody'],
      ['Past', 'OVER'],
      ['Sales late', 'SHADOWED', 'EME', 'Everybody', 'Sales'],
    ]);
  });

  it('approval-policies/list sorts by precedence, and adds scope and active where they are asked for', async () => {
    const { company, admin, sales, eme, policy } = await situation();
    for (const [name, scope] of [
      ['Everybody', {}],
      ['Abroad', { conditions: { abroad: true } }],
      ['First', { priority: 1, active: false }],
      ['Sales', { departmentIds: [sales] }],
      ['EME', { departmentIds: [eme] }],
    ] as const) {
      await policy(name, scope);
    }
    const list = async (query: object) =>
      dataOf<{ name: string; active?: boolean; scope?: object }[]>(
        await get(admin, 'approval-policies/list', { companyId: company.id, ...query }),
      );
    const sorted = await list({ sort: 'precedence', include: 'scope,active' });
    assert.deepEqual(
      sorted.map(({ name }) => name),
      ['First', 'Abroad', 'EME', 'Sales', 'Everybody'],
    );
    assert.deepEqual([sorted[0]?.active, Object.keys(sorted[0]?.scope ?? {}).length], [false, 5]);
    assert.deepEqual(Object.keys((await list({}))[0] ?? {}), ['id', 'name', 'autoApprovalLimit', 'levels']);
    assertInvalid(await get(admin, 'approval-policies/list', { companyId: company.id, sort: 'age' }), 'sort');
  });
});

describe('the history of a level', () => {
  it('events/list returns the policy of a changed level, and conditions as JSON', async () => {
    const { admin, send, company } = await situation();
    const levels = [{ level: 1, roleRequired: 'MANAGER', minAmount: '1.00' }];
    const body = { companyId: company.id, name: 'Told', levels, scope: { conditions: { abroad: true } } };
    const { id, ...created } = dataOf<{ id: string; levels: { id: string }[] }>(
      await send('approval-policies/create', body),
    );
    dataOf(
      await send('approval-policies/update', {
        id,
        levels: [{ ...levels[0], id: created.levels[0]?.id, minAmount: '2.00' }],
      }),
    );
    const changes = dataOf<
      { entity: string; action: string; policyId?: string; changes: { field: string; after: unknown }[] }[]
    >(await get(admin, 'audit/list', { companyId: company.id }));
    const changed = changes.find(({ entity, action }) => entity === 'approvalPolicyLevel' && action === 'changed');
    assert.equal(changed?.policyId, id);
    const added = changes.find(({ entity, action }) => entity === 'approvalPolicy' && action === 'added');
    assert.deepEqual(added?.changes.find(({ field }) => field === 'conditions')?.after, { abroad: true });
  });
});
