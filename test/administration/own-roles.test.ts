import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { GRANTABLE_RULES, opens, ROLES, RULES_OF } from '../../src/entities/roles.ts';
import { erasePerson } from '../../src/features/people/erase-person.ts';
import { createUser, GROUP, openDirectory, patchOf } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { addPerson, type Person } from '../support/people.ts';
import { openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, admin, foreignAdmin, superAdmin, add, get, post, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

interface RoleShown {
  id: string;
  key: string;
  rules: string[];
  active: boolean;
  _count: { users: number };
}

let made = 0;
async function makeRole(rules: readonly string[] = [], more: object = {}): Promise<RoleShown> {
  const body = { companyId: home.id, key: `ROLE_${++made}`, name: 'Travel desk', rules, ...more };
  return dataOf<RoleShown>(await post(admin, 'roles/create', body));
}
const grant = (as: Person, { id }: { id: string }, { id: userId }: { id: string }) =>
  post(as, 'roles/grant', { id, userId });
const revoke = (as: Person, { id }: { id: string }, { id: userId }: { id: string }) =>
  post(as, 'roles/revoke', { id, userId });

/** Adds somebody who holds a new role that opens this. */
async function holderOf(...rules: string[]): Promise<Person & { role: RoleShown }> {
  const [person, role] = [await add(), await makeRole(rules)];
  dataOf(await grant(admin, role, person));
  return { ...person, role };
}

const statusOf = async (as: Person, path: string, query: Record<string, string> = { companyId: home.id }) =>
  (await get(as, path, query)).statusCode;

describe('the table of who may do what', () => {
  it('the roles that each operation names are those of its rule', () => {
    for (const { id, access } of OPERATIONS) {
      if (access.name === 'public' || access.name === 'self' || access.name === 'key') continue;
      const { name } = access;
      assert.deepEqual(
        access.roles,
        ROLES.filter((role) => opens(role, name)),
        id,
      );
    }
  });

  it('a role of a company’s own opens nothing of the platform, nothing about people, and less than a Corporate Admin has', () => {
    for (const rule of GRANTABLE_RULES) {
      assert.ok(RULES_OF.CORPORATE_ADMIN.includes(rule));
      assert.ok(!['platform', 'superAdmin', 'admin', 'companyAdmin'].includes(rule), rule);
    }
  });
});

describe('a role of a company’s own', () => {
  it('an admin creates, lists, changes and deletes a role, and the feed tells of it', async () => {
    const changes = await changesOf(async () => {
      const role = await makeRole(['people', 'staff'], { key: 'AUDITOR' });
      assert.deepEqual([role.rules, role.active, role._count.users], [['staff', 'people'], true, 0]);
      const { id } = role;
      const listed = pageOf<RoleShown>(await get(admin, 'roles/list', { companyId: home.id, search: 'travel' }));
      assert.deepEqual(listed.items.find((item) => item.id === id)?.rules, ['staff', 'people']);
      assert.deepEqual(dataOf<RoleShown>(await post(admin, 'roles/update', { id, rules: [] })).rules, []);
      dataOf(await post(admin, 'roles/delete', { id }));
      assertRefused(await get(admin, 'roles/get', { id }), 404, 'NOT_FOUND');
    });
    assert.deepEqual(
      changes.map(({ entity, action }) => [entity, action]),
      [
        ['role', 'added'],
        ['role', 'changed'],
        ['role', 'removed'],
      ],
    );
  });

  it('a holder reads what the rules of their role open, until it is taken, lessened, switched off, or they leave', async () => {
    const holder = await holderOf('corporate');
    const reads = () => statusOf(holder, 'departments/list');
    assert.deepEqual([await reads(), await statusOf(holder, 'users/list')], [200, 403]);
    const own = dataOf<{ roles: RoleShown[] }>(await get(holder, 'roles/own', {})).roles;
    assert.deepEqual(
      own.map(({ key, rules }) => [key, rules]),
      [[holder.role.key, ['corporate']]],
    );
    const { id } = holder.role;
    dataOf(await post(admin, 'roles/update', { id, rules: ['people'] }));
    assert.deepEqual([await reads(), await statusOf(holder, 'users/list')], [403, 200]);
    dataOf(await post(admin, 'roles/update', { id, rules: ['corporate'], active: false }));
    assert.equal(await reads(), 403);
    dataOf(await post(admin, 'roles/update', { id, active: true }));
    assert.equal(await reads(), 200);
    dataOf(await revoke(admin, holder.role, holder));
    assert.equal(await reads(), 403);
    dataOf(await grant(admin, holder.role, holder));
    assert.equal(await reads(), 200);
    dataOf(await post(admin, 'users/update', { id: holder.id, active: false }));
    assert.equal(await reads(), 401);
  });

  it('a holder without a fixed role changes departments by corporateAdmin, and reads the trail of the company by audit', async () => {
    const [clerk, auditor] = [await holderOf('corporateAdmin'), await holderOf('audit')];
    const body = { companyId: home.id, name: 'Made', costCode: randomUUID() };
    dataOf(await post(clerk, 'departments/create', body));
    assertRefused(await post(auditor, 'departments/create', body), 403, 'ROLE_REQUIRED');
    const entries = async (as: Person) =>
      pageOf<{ userId: string }>(await get(as, 'audit/list', { entity: 'department', limit: '100' })).items.length;
    assert.deepEqual([(await entries(auditor)) > 0, await entries(clerk)], [true, 0]);
  });

  it('a holder reads nothing private of others, as a Manager does not', async () => {
    const reader = await holderOf('people');
    const born = { companyId: home.id, dateOfBirth: '1990-05-14' };
    const { id } = dataOf<{ id: string }>(await post(admin, 'users/create', { ...personFields(home), ...born }));
    assert.equal(dataOf<{ dateOfBirth: unknown }>(await get(reader, 'users/get', { id })).dateOfBirth, null);
  });

  it('the list of roles with userId has those that a person holds', async () => {
    const holder = await holderOf('people');
    const held = pageOf<RoleShown>(await get(admin, 'roles/list', { companyId: home.id, userId: holder.id }));
    assert.deepEqual(
      held.items.map(({ id }) => id),
      [holder.role.id],
    );
  });

  it('a role that somebody holds, or that a policy names, is not deleted', async () => {
    const holder = await holderOf();
    const { id } = holder.role;
    const refused = await post(admin, 'roles/delete', { id });
    assertRefused(refused, 409, 'IN_USE');
    assert.match(refused.body, /in use by 1 role grant\./);
    dataOf(await revoke(admin, holder.role, holder));
    const level = { level: 1, approver: { roleId: id }, minAmount: '0.00' };
    const policy = { companyId: home.id, name: 'Named', levels: [level] };
    const { id: policyId } = dataOf<{ id: string }>(await post(admin, 'approval-policies/create', policy));
    assert.match((await post(admin, 'roles/delete', { id })).body, /in use by 1 level\./);
    dataOf(await post(admin, 'approval-policies/delete', { id: policyId }));
    dataOf(await post(admin, 'roles/delete', { id }));
  });

  it('one who moves to another company holds the role no more', async () => {
    const holder = await holderOf('corporate');
    dataOf(await post(superAdmin, 'users/request-move', { companyId: other.id, userIds: [holder.id] }));
    assert.deepEqual(await api.db.query(sql`select from role_grants where user_id = ${holder.id}::uuid`), []);
    assert.equal(await statusOf(holder, 'departments/list'), 403);
  });

  it('an erased person holds the role no more, which can be deleted, and gets it no more', async () => {
    const holder = await holderOf('corporate');
    await erasePerson(api.db, holder.id);
    assertRefused(await withoutTrace(() => grant(admin, holder.role, holder)), 409, 'ERASED');
    dataOf(await post(admin, 'roles/delete', { id: holder.role.id }));
  });

  it('one who leaves opens nothing by the role, and approves no more, until they come back', async () => {
    const holder = await holderOf('corporate');
    const { id } = holder;
    dataOf(await post(admin, 'users/update', { id, active: false }));
    assert.equal(await statusOf(holder, 'departments/list'), 401);
    dataOf(await post(admin, 'users/update', { id, active: true }));
    assert.equal(await statusOf(holder, 'departments/list'), 200);
  });
});

describe('who holds a role of a company’s own', () => {
  it('the list of people has those who hold a role, with ownRoleId, and names what each holds, with include=ownRoles', async () => {
    const [holder, other] = [await holderOf('people'), await add()];
    const query = { companyId: home.id, include: 'ownRoles' };
    const list = async (more: Record<string, string>) =>
      pageOf<{ id: string; ownRoles?: { id: string }[] }>(await get(admin, 'users/list', { ...query, ...more })).items;
    const { id, key } = holder.role;
    assert.deepEqual(
      (await list({ ownRoleId: id })).map((each) => [each.id, each.ownRoles]),
      [[holder.id, [{ id, key }]]],
    );
    const { email } = dataOf<{ email: string }>(await get(admin, 'users/get', { id: other.id }));
    assert.deepEqual(
      (await list({ email })).map(({ ownRoles }) => ownRoles),
      [[]],
    );
    assert.deepEqual(await list({ ownRoleId: id, guests: 'true' }), []);
  });

  it('the sources of roles name a role of the company’s own, given by hand', async () => {
    const { id, role } = await holderOf('people');
    const { roleSources } = dataOf<{ roleSources: object[] }>(await get(admin, 'users/get', { id }));
    const source = { companyId: home.id, role: role.key, roleId: role.id, byHand: true, groups: [] };
    assert.deepEqual(roleSources, [source]);
  });
});

describe('the column ownRoles of an import of people', () => {
  const importOf = async (as: Person, rows: readonly (readonly [email: string, roles: string])[], query = {}) => {
    const lines = rows.map(([email, roles]) => `${email},Asha,Rao,"${roles}"`);
    const payload = ['email,firstName,lastName,ownRoles', ...lines].join('\n');
    return api.send({
      method: 'POST',
      url: '/api/users/import',
      as: as.email,
      query: { companyId: home.id, changes: 'true', ...query },
      headers: { 'content-type': 'text/csv' },
      payload,
    });
  };
  const held = (email: string) =>
    api.db.query<{ key: string }>(sql`
      select key from role_grants join own_roles on own_roles.id = role_id join users on users.id = user_id
       where email = ${email} order by key`);

  it('an import gives roles by key or name, takes those that the cell lacks, and changes nothing a second time', async () => {
    const [first, second] = [await makeRole(['people'], { name: 'Night desk' }), await makeRole()];
    const email = `${randomUUID()}@x.example`;
    const cell = `night DESK; ${second.key}`;
    assert.equal(dataOf<{ added: number }>(await importOf(admin, [[email, cell]])).added, 1);
    assert.deepEqual(
      (await held(email)).map(({ key }) => key),
      [first.key, second.key].sort(),
    );
    assert.equal(dataOf<{ unchanged: number }>(await importOf(admin, [[email, cell]])).unchanged, 1);
    const { changes } = dataOf<{ changes: { fields: object[] }[] }>(await importOf(admin, [[email, second.key]]));
    const before = [first.key, second.key].sort();
    assert.deepEqual(changes[0]?.fields, [{ field: 'ownRoles', before, after: [second.key] }]);
    assert.deepEqual(await held(email), [{ key: second.key }]);
    dataOf(await importOf(admin, [[email, '']]));
    assert.deepEqual(await held(email), []);
  });

  it('an import refuses roles that the company does not have, and those that open more than the caller holds', async () => {
    const role = await makeRole(['corporate']);
    const email = `${randomUUID()}@x.example`;
    const refused = await importOf(admin, [[email, 'Nobody’s desk']]);
    assert.match(refused.body, /is the key or name of no role of the company/);
    assert.match(
      (await importOf(superAdmin, [[email, role.key]])).body,
      /opens more than you hold in the company yourself: corporate/,
    );
    const namesake = [await makeRole([], { name: 'Same' }), await makeRole([], { name: 'Same' })];
    assert.match((await importOf(admin, [[email, 'same']])).body, /is the name of 2 roles/);
    assert.equal(dataOf<{ added: number }>(await importOf(admin, [[email, namesake[0]?.key ?? '']])).added, 1);
  });
});

describe('a role of the platform', () => {
  const makeOfPlatform = async (rules: readonly string[]) =>
    dataOf<RoleShown>(
      await post(superAdmin, 'roles/create', { key: `PLATFORM_${++made}`, name: 'Of the platform', rules }),
    );

  it('a Super Admin makes it with what they hold, and each company grants it, where it opens its own rows alone', async () => {
    const body = { key: 'PLATFORM_MORE', name: 'More', rules: ['corporate'] };
    assertRefused(await withoutTrace(() => post(superAdmin, 'roles/create', body)), 403, 'FIELD_FORBIDDEN', ['rules']);
    const role = await makeOfPlatform(['people']);
    const [here, there] = [await add(), await addPerson(api.db, { company: other })];
    assertRefused(await withoutTrace(() => grant(admin, role, there)), 404, 'NOT_FOUND');
    assert.equal(dataOf<RoleShown>(await grant(admin, role, here))._count.users, 1);
    assert.equal(dataOf<RoleShown>(await grant(foreignAdmin, role, there))._count.users, 1);
    assert.equal(dataOf<RoleShown>(await get(superAdmin, 'roles/get', { id: role.id }))._count.users, 2);
    for (const [as, own, foreign] of [
      [here, home, other],
      [there, other, home],
    ] as const) {
      assert.deepEqual(
        [
          await statusOf(as, 'users/list', { companyId: own.id }),
          await statusOf(as, 'users/list', { companyId: foreign.id }),
          await statusOf(as, 'departments/list', { companyId: own.id }),
        ],
        [200, 403, 403],
      );
    }
    const shown = dataOf<{ roles: { companyId: string }[] }>(await get(there, 'roles/own', {})).roles;
    assert.deepEqual(
      shown.map(({ companyId }) => companyId),
      [other.id],
    );
    dataOf(await post(superAdmin, 'roles/update', { id: role.id, active: false }));
    assert.equal(await statusOf(here, 'users/list'), 403);
  });

  it('a Corporate Admin reads roles of the platform, and neither makes, changes nor deletes any', async () => {
    const role = await makeOfPlatform([]);
    const { id } = role;
    const listed = pageOf<RoleShown>(await get(admin, 'roles/list', { companyId: home.id, limit: '100' })).items;
    assert.ok(listed.some((each) => each.id === id));
    assert.equal(dataOf<RoleShown>(await get(admin, 'roles/get', { id })).key, role.key);
    assertRefused(await withoutTrace(() => post(admin, 'roles/update', { id, name: 'Mine' })), 404, 'NOT_FOUND');
    assertRefused(await withoutTrace(() => post(admin, 'roles/delete', { id })), 404, 'NOT_FOUND');
    const refused = await withoutTrace(() => post(admin, 'roles/create', { key: 'OF_ALL', name: 'Of all' }));
    assertRefused(refused, 403, 'COMPANY_FORBIDDEN');
    const taken = { companyId: home.id, key: role.key, name: 'Same key' };
    assertRefused(await withoutTrace(() => post(admin, 'roles/create', taken)), 409, 'ALREADY_EXISTS', ['key']);
  });

  it('the holders in the company of a policy approve at a level that names it, and no others', async () => {
    const role = await makeOfPlatform([]);
    const [here, there, booker] = [await add(), await addPerson(api.db, { company: other }), await add()];
    dataOf(await grant(admin, role, here));
    dataOf(await grant(foreignAdmin, role, there));
    for (const { id } of [here, there])
      await api.db.query(sql`update users set approval_limit = 5000 where id = ${id}::uuid`);
    const level = { level: 1, roleRequired: role.key, minAmount: '0.00' };
    const policy = { companyId: home.id, name: 'By platform', levels: [level] };
    const { id } = dataOf<{ id: string }>(await post(admin, 'approval-policies/create', policy));
    const query = { id, userId: booker.id, amount: '100.00' };
    const { steps } = dataOf<{ steps: { approvers: { people: { id: string }[] } }[] }>(
      await get(admin, 'approval-policies/evaluate', query),
    );
    assert.deepEqual(
      steps.flatMap((step) => step.approvers.people.map((each) => each.id)),
      [here.id],
    );
  });

  it('the list with fixed=true has the five fixed roles with what they open; nobody changes or grants one', async () => {
    const list = async (more: object) =>
      pageOf<RoleShown & { fixed: boolean }>(
        await get(admin, 'roles/list', { companyId: home.id, limit: '100', ...more }),
      ).items.filter(({ fixed }) => fixed);
    const fixed = await list({ fixed: 'true' });
    assert.deepEqual(
      Object.fromEntries(fixed.map(({ key, rules }) => [key, rules])),
      Object.fromEntries(ROLES.map((name) => [name, [...RULES_OF[name]]])),
    );
    assert.deepEqual(await list({}), []);
    const [{ id } = { id: '' }] = fixed;
    dataOf(await get(admin, 'roles/get', { id }));
    for (const [path, body] of [
      ['roles/update', { id, name: 'Mine' }],
      ['roles/delete', { id }],
      ['roles/grant', { id, userId: admin.id }],
    ] as const) {
      assertRefused(await withoutTrace(() => post(superAdmin, path, body)), 404, 'NOT_FOUND');
    }
  });
});

describe('a role of the company’s own as roleRequired', () => {
  it('a level takes the key of a role where it takes the fixed ones, and a repeated create changes nothing', async () => {
    const role = await makeRole([], { key: 'CONTROLLER' });
    const level = { level: 1, roleRequired: 'CONTROLLER', minAmount: '0.00' };
    const policy = { id: randomUUID(), companyId: home.id, name: 'Controlled', levels: [level] };
    const { levels } = dataOf<{ levels: object[] }>(await post(admin, 'approval-policies/create', policy));
    const [shown] = levels as { roleRequired: string; approver: object }[];
    assert.deepEqual([shown?.roleRequired, shown?.approver], ['ROLE', { roleId: role.id }]);
    dataOf(await post(admin, 'approval-policies/create', policy));
    const wrong = { ...policy, id: randomUUID(), levels: [{ ...level, roleRequired: 'NOBODY' }] };
    assertInvalid(await post(admin, 'approval-policies/create', wrong), 'levels[0].roleRequired');
    assertInvalid(
      await post(admin, 'approval-policies/update', { id: policy.id, levels: wrong.levels }),
      'levels[0].roleRequired',
    );
  });
});

describe('approvers by a role of a company’s own', () => {
  it('the holders of a role approve at a level that names it, while it is active', async () => {
    const [holder, booker] = [await holderOf(), await add()];
    await api.db.query(sql`update users set approval_limit = 5000 where id = ${holder.id}::uuid`);
    const level = { level: 1, approver: { roleId: holder.role.id }, minAmount: '0.00' };
    const policy = { companyId: home.id, name: 'By role', autoApprovalLimit: '0.00', levels: [level] };
    const created = dataOf<{ id: string; levels: object[] }>(await post(admin, 'approval-policies/create', policy));
    const [shown] = created.levels as { roleRequired: string; approver: object }[];
    assert.deepEqual([shown?.roleRequired, shown?.approver], ['ROLE', { roleId: holder.role.id }]);
    const approvers = async () => {
      const query = { id: created.id, userId: booker.id, amount: '100.00' };
      const { steps = [] } = dataOf<{ steps?: { approvers: { people: { id: string }[] } }[] }>(
        await get(admin, 'approval-policies/evaluate', query),
      );
      return steps.flatMap((step) => step.approvers.people.map(({ id }) => id));
    };
    assert.deepEqual(await approvers(), [holder.id]);
    dataOf(await post(admin, 'roles/update', { id: holder.role.id, active: false }));
    assert.deepEqual(await approvers(), []);
    const foreign = dataOf<RoleShown>(
      await post(foreignAdmin, 'roles/create', { companyId: other.id, key: 'FOREIGN', name: 'Foreign' }),
    );
    const wrong = { ...policy, levels: [{ ...level, approver: { roleId: foreign.id } }] };
    assertInvalid(await post(admin, 'approval-policies/create', wrong), 'levels[0].approver.roleId');
  });
});

describe('whoever wants more than they hold', () => {
  it('nobody makes a role with rules that no company gives', async () => {
    for (const rules of [
      ['admin'],
      ['companyAdmin'],
      ['superAdmin'],
      ['platform'],
      ['staff', 'admin'],
      ['STAFF'],
      'staff',
    ]) {
      const body = { companyId: home.id, key: `WRONG_${++made}`, name: 'Wrong', rules };
      assertInvalid(await post(admin, 'roles/create', body), 'rules');
    }
    for (const key of ['MANAGER', 'CORPORATE_ADMIN', 'SUPER_ADMIN', 'LINE_MANAGER', 'ROLE', 'lower', '', '1A']) {
      assertInvalid(await post(admin, 'roles/create', { companyId: home.id, key, name: 'Wrong' }), 'key');
    }
    for (const rules of ['admin', 'superAdmin', 'staff admin', '']) {
      await assert.rejects(
        api.db.query(sql`
          insert into own_roles (id, company_id, key, name, rules, active)
          values (gen_random_uuid(), ${home.id}::uuid, ${`W_${++made}`}, 'Wrong', ${rules}, true)`),
      );
    }
  });

  it('a Super Admin makes, switches on, changes and gives only what a Super Admin holds', async () => {
    const body = { companyId: home.id, name: 'By platform' };
    dataOf(await post(superAdmin, 'roles/create', { ...body, key: 'BY_PLATFORM', rules: ['staff', 'people'] }));
    const wanted = { ...body, key: 'BY_PLATFORM_2', rules: ['staff', 'corporate'] };
    const refused = await withoutTrace(() => post(superAdmin, 'roles/create', wanted));
    assertRefused(refused, 403, 'FIELD_FORBIDDEN', ['rules']);
    assert.match(refused.body, /you do not hold corporate/);
    const role = await makeRole(['corporate'], { active: false });
    const { id } = role;
    for (const change of [{ active: true }, { active: true, rules: ['corporate', 'people'] }]) {
      const answer = await withoutTrace(() => post(superAdmin, 'roles/update', { id, ...change }));
      assertRefused(answer, 403, 'FIELD_FORBIDDEN', ['rules']);
    }
    dataOf(await post(superAdmin, 'roles/update', { id, rules: ['corporate', 'corporateAdmin'] }));
    const person = await add();
    const given = await withoutTrace(() => grant(superAdmin, role, person));
    assertRefused(given, 403, 'FIELD_FORBIDDEN', ['id']);
  });

  it('neither a holder of every rule nor a Manager makes or gives a role, or maps a group', async () => {
    const [holder, manager] = [await holderOf(...GRANTABLE_RULES), await add({ roles: [['MANAGER', home]] })];
    for (const as of [holder, manager]) {
      for (const [path, body] of [
        ['roles/create', { companyId: home.id, key: 'MORE', name: 'More', rules: ['staff'] }],
        ['roles/update', { id: holder.role.id, name: 'More' }],
        ['roles/delete', { id: holder.role.id }],
        ['roles/grant', { id: holder.role.id, userId: as.id }],
        ['roles/revoke', { id: holder.role.id, userId: holder.id }],
        ['users/grant-role', { userId: as.id, role: 'CORPORATE_ADMIN', companyId: home.id }],
        ['group-mappings/create', { companyId: home.id, groupName: 'All', role: 'CORPORATE_ADMIN' }],
        ['api-keys/create', { companyId: home.id, name: 'More', scopes: ['users.write'] }],
      ] as const) {
        assertRefused(await withoutTrace(() => post(as, path, body)), 403, 'ROLE_REQUIRED');
      }
    }
  });

  it('an admin of another company sees, changes and gives none of the roles here', async () => {
    const holder = await holderOf('corporate');
    const { id } = holder.role;
    for (const work of [
      () => get(foreignAdmin, 'roles/get', { id }),
      () => post(foreignAdmin, 'roles/update', { id, name: 'Mine' }),
      () => post(foreignAdmin, 'roles/delete', { id }),
      () => grant(foreignAdmin, holder.role, foreignAdmin),
      () => revoke(foreignAdmin, holder.role, holder),
    ]) {
      assertRefused(await withoutTrace(work), 404, 'NOT_FOUND');
    }
    assertRefused(await get(foreignAdmin, 'roles/list', { companyId: home.id }), 403, 'COMPANY_FORBIDDEN');
    const body = { companyId: home.id, key: 'THEIRS', name: 'Theirs' };
    assertRefused(await post(foreignAdmin, 'roles/create', body), 403, 'COMPANY_FORBIDDEN');
    assert.equal(await statusOf(holder, 'departments/list', { companyId: other.id }), 403);
  });

  it('a person of another company, a guest too, gets no role here, not even past the service', async () => {
    const role = await makeRole(['corporate']);
    const guest = await addPerson(api.db, { company: other, roles: [['MANAGER', home]] });
    for (const as of [admin, superAdmin]) {
      if (as === superAdmin) dataOf(await post(admin, 'roles/update', { id: role.id, rules: ['staff'] }));
      assertRefused(await withoutTrace(() => grant(as, role, guest)), 404, 'NOT_FOUND');
    }
    for (const companyId of [home.id, other.id]) {
      await assert.rejects(
        api.db.query(sql`
          insert into role_grants (user_id, company_id, role_id) values (${guest.id}::uuid, ${companyId}::uuid, ${role.id}::uuid)`),
      );
    }
  });

  it('a holder of a role of a closed company reads nothing of it', async () => {
    const company = await administration.addCompany();
    const holder = await addPerson(api.db, { company, rules: GRANTABLE_RULES });
    assert.equal(await statusOf(holder, 'departments/list', { companyId: company.id }), 200);
    dataOf(await post(superAdmin, 'companies/update', { id: company.id, active: false }));
    assertRefused(await get(holder, 'departments/list', { companyId: company.id }), 403, 'ROLE_REQUIRED');
  });
});

const order = (rule: (typeof GRANTABLE_RULES)[number]) => GRANTABLE_RULES.indexOf(rule);

describe('a role of a company’s own by the group of a directory', () => {
  it('the members of a mapped group hold the role, while they are members and the mapping is there', async () => {
    const directory = await openDirectory(api, 'Own roles');
    const { company } = directory;
    const boss = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
    const member = await createUser(directory);
    const body = { companyId: company.id, key: 'DESK', name: 'Desk', rules: ['corporate'] };
    const role = dataOf<RoleShown>(await post(boss, 'roles/create', body));
    const mapping = dataOf<{ id: string }>(
      await post(boss, 'group-mappings/create', { companyId: company.id, groupName: 'Desk', roleId: role.id }),
    );
    const holders = async () => dataOf<RoleShown>(await get(boss, 'roles/get', { id: role.id }))._count.users;
    const group = { schemas: [GROUP], displayName: 'Desk', members: [{ value: member.id }] };
    const { body: sent } = await directory.send('POST', '/Groups', group);
    assert.equal(await holders(), 1);
    assertRefused(await revoke(boss, role, member as Person), 409, 'MANAGED_BY_DIRECTORY');
    const members = (op: string) => patchOf({ op, path: 'members', value: [{ value: member.id }] });
    await directory.send('PATCH', `/Groups/${sent.id}`, members('remove'));
    assert.equal(await holders(), 0);
    await directory.send('PATCH', `/Groups/${sent.id}`, members('add'));
    assert.equal(await holders(), 1);
    assertRefused(await post(boss, 'roles/delete', { id: role.id }), 409, 'IN_USE');
    dataOf(await grant(boss, role, member as Person));
    dataOf(await post(boss, 'group-mappings/delete', { id: mapping.id }));
    // What an admin gave as well stays.
    assert.equal(await holders(), 1);
    dataOf(await revoke(boss, role, member as Person));
    assert.equal(await holders(), 0);
  });

  it('a change of the role and what the directory sends at once are both done, or one is asked to come again', async () => {
    const directory = await openDirectory(api, 'At once');
    const { company } = directory;
    const boss = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
    const member = await createUser(directory);
    const body = { companyId: company.id, key: 'DESK', name: 'Desk', rules: ['corporate'] };
    const { id } = dataOf<RoleShown>(await post(boss, 'roles/create', body));
    dataOf(await post(boss, 'group-mappings/create', { companyId: company.id, groupName: 'Desk', roleId: id }));
    const group = { schemas: [GROUP], displayName: 'Desk', members: [{ value: member.id }] };
    const { body: sent } = await directory.send('POST', '/Groups', group);
    for (const [op, rules, holders] of [
      ['remove', ['people'], 0],
      ['add', ['corporate'], 1],
      ['remove', [], 0],
      ['add', ['staff', 'people'], 1],
    ] as const) {
      const change = async (): Promise<void> => {
        const answer = await post(boss, 'roles/update', { id, rules });
        if (answer.statusCode === 200) return;
        assert.deepEqual([answer.statusCode, Number(answer.headers['retry-after']) > 0], [503, true]);
        return change();
      };
      const write = async (): Promise<void> => {
        const patch = patchOf({ op, path: 'members', value: [{ value: member.id }] });
        const { status, headers } = await directory.send('PATCH', `/Groups/${sent.id}`, patch);
        if (status < 300) return;
        assert.deepEqual([status, Number(headers['retry-after']) > 0], [503, true]);
        return write();
      };
      await Promise.all([change(), write()]);
      const role = dataOf<RoleShown>(await get(boss, 'roles/get', { id }));
      assert.deepEqual([role.rules, role._count.users], [[...rules].sort((a, b) => order(a) - order(b)), holders]);
    }
  });

  it('a directory that ends leaves the role with KEEP, as given by hand, and takes it with LET_GO', async () => {
    for (const [choice, left] of [
      ['KEEP', 1],
      ['LET_GO', 0],
    ] as const) {
      const directory = await openDirectory(api, choice);
      const { company } = directory;
      const boss = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
      const { id: value } = await createUser(directory);
      const body = { companyId: company.id, key: 'DESK', name: 'Desk', rules: ['corporate'] };
      const { id } = dataOf<RoleShown>(await post(boss, 'roles/create', body));
      dataOf(await post(boss, 'group-mappings/create', { companyId: company.id, groupName: 'Desk', roleId: id }));
      await directory.send('POST', '/Groups', { schemas: [GROUP], displayName: 'Desk', members: [{ value }] });
      dataOf(await post(boss, 'directories/delete', { id: directory.keyId, choice }));
      assert.equal(dataOf<RoleShown>(await get(boss, 'roles/get', { id }))._count.users, left, choice);
    }
  });

  it('a mapping names no role of another company', async () => {
    const role = await makeRole();
    const body = { companyId: other.id, groupName: 'Desk', roleId: role.id };
    assertInvalid(await post(foreignAdmin, 'group-mappings/create', body), 'roleId');
  });
});
