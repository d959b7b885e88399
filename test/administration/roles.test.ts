import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertInvalid, assertRefused } from '../support/answers.ts';
import { addPerson, type Person, type TestCompany } from '../support/people.ts';
import { describeChange, messageOf, openAdministration, userOf } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, foreignAdmin, post, add, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

/** A role in a company, or a platform role. */
type Role = readonly [role: string, company?: TestCompany];
const requested = ({ id }: { id: string }, [role, company]: Role) => ({
  userId: id,
  role,
  ...(company && { companyId: company.id }),
});
const grant = (person: { id: string }, role: Role, as = admin) => post(as, 'users/grant-role', requested(person, role));
const revoke = (person: { id: string }, role: Role, as = admin) =>
  post(as, 'users/revoke-role', requested(person, role));

const MANAGER: Role = ['MANAGER', home];

describe('roles in a company', () => {
  it('users/grant-role and users/revoke-role change a role once, with its values in the trail', async () => {
    const person = await add();
    let answer = userOf(await grant(person, ['EMPLOYEE', home]));
    const changes = await changesOf(async () => {
      const response = await grant(person, MANAGER);
      assert.equal(messageOf(response), 'Role granted successfully');
      answer = userOf(response);
      assert.deepEqual(answer.roles, ['EMPLOYEE', 'MANAGER']);
      assert.deepEqual(userOf(await grant(person, MANAGER)), answer);
      const revoked = await revoke(person, MANAGER);
      assert.equal(messageOf(revoked), 'Role revoked successfully');
      assert.deepEqual(userOf(revoked).roles, ['EMPLOYEE']);
      assert.deepEqual(userOf(await revoke(person, MANAGER)), userOf(revoked));
    });
    const id = answer.companyRoles.find(({ role }) => role === 'MANAGER')?.id;
    const values = { userId: person.id, companyId: home.id, role: 'MANAGER' };
    const pairs = (pair: (value: string) => [unknown, unknown]) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pair(value)]));
    assert.deepEqual(changes.map(describeChange), [
      { what: 'companyRole added', id, fields: pairs((value) => [null, value]) },
      { what: 'companyRole removed', id, fields: pairs((value) => [value, null]) },
    ]);
    for (const { userId, companyId } of changes) assert.deepEqual([userId, companyId], [person.id, home.id]);
  });

  it('granted and revoked roles apply from the next request', async () => {
    const person = await add();
    const list = () => api.send({ url: '/api/users/list', as: person.email, query: { companyId: home.id } });
    assertRefused(await list(), 403, 'ROLE_REQUIRED');
    userOf(await grant(person, MANAGER));
    assert.equal((await list()).statusCode, 200);
    userOf(await revoke(person, MANAGER));
    assertRefused(await list(), 403, 'ROLE_REQUIRED');
  });

  it('users/grant-role returns roles by role and then by company', async () => {
    const person = await add({ company: home });
    const companies = [home, other].sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const company of companies.toReversed()) {
      for (const role of ['MANAGER', 'EMPLOYEE']) userOf(await grant(person, [role, company], superAdmin));
    }
    assert.deepEqual(
      userOf(await grant(person, MANAGER)).companyRoles.map(({ role, companyId }) => [role, companyId]),
      ['EMPLOYEE', 'MANAGER'].flatMap((role) => companies.map(({ id }) => [role, id])),
    );
  });

  it('a Corporate Admin grants roles only to people of the company, and can revoke roles of guests', async () => {
    const guest = await add({ company: other });
    assertRefused(await grant(guest, MANAGER), 404, 'NOT_FOUND');
    assertRefused(await revoke(guest, MANAGER), 404, 'NOT_FOUND');
    userOf(await grant(guest, MANAGER, superAdmin));
    assertRefused(await grant(guest, ['EMPLOYEE', home]), 404, 'NOT_FOUND');
    assertRefused(await post(admin, 'users/update', { id: guest.id, gender: 'Other' }), 404, 'NOT_FOUND');
    assertRefused(await post(admin, 'users/get', { id: guest.id }), 405, 'METHOD_NOT_ALLOWED');
    assert.deepEqual(userOf(await revoke(guest, MANAGER)).roles, []);
  });

  it('role changes return 404 for a person of another company, and first 403 for another company', async () => {
    const stranger = await add({ company: other });
    for (const change of [grant, revoke]) {
      const [foreign, unknown] = [await change(stranger, MANAGER), await change({ id: randomUUID() }, MANAGER)];
      assert.equal(assertRefused(foreign, 404, 'NOT_FOUND').message, assertRefused(unknown, 404, 'NOT_FOUND').message);
      const anywhere = { ...other, id: randomUUID() };
      for (const company of [other, anywhere]) {
        assertRefused(await change(stranger, ['MANAGER', company]), 403, 'COMPANY_FORBIDDEN');
        assertRefused(await change({ id: randomUUID() }, ['MANAGER', company]), 403, 'COMPANY_FORBIDDEN');
      }
      assertRefused(await change(stranger, ['MANAGER', anywhere], superAdmin), 403, 'COMPANY_FORBIDDEN');
    }
  });
});

describe('platform roles', () => {
  it('a Super Admin grants, replaces and revokes platform roles', async () => {
    const person = await add();
    const changes = await changesOf(async () => {
      for (const [change, role, map] of [
        [revoke, 'PLATFORM_RM', null],
        [grant, 'PLATFORM_RM', { role: 'PLATFORM_RM', active: true }],
        [grant, 'PLATFORM_RM', { role: 'PLATFORM_RM', active: true }],
        [grant, 'SUPER_ADMIN', { role: 'SUPER_ADMIN', active: true }],
        [revoke, 'PLATFORM_RM', { role: 'SUPER_ADMIN', active: true }],
        [revoke, 'SUPER_ADMIN', null],
      ] as const) {
        assert.deepEqual(userOf(await change(person, [role], superAdmin)).systemRoleMap, map);
      }
    });
    assert.deepEqual(
      changes.map((change) => ({ ...describeChange(change), userId: change.userId })),
      [
        ['added', { role: [null, 'PLATFORM_RM'], active: [null, true] }],
        ['changed', { role: ['PLATFORM_RM', 'SUPER_ADMIN'] }],
        ['removed', { role: ['SUPER_ADMIN', null], active: [true, null] }],
      ].map(([action, fields]) => ({
        what: `systemRole ${action}`,
        id: person.id,
        userId: person.id,
        fields,
      })),
    );
  });

  it('users/grant-role activates an inactive platform role', async () => {
    const person = await add({ systemRole: { role: 'PLATFORM_RM', active: false } });
    const [change] = await changesOf(() => grant(person, ['PLATFORM_RM'], superAdmin));
    assert.deepEqual(change && describeChange(change).fields, { active: [false, true] });
  });

  it('platform role changes by a Corporate Admin return 403, after 400 and before 404', async () => {
    for (const change of [grant, revoke]) {
      for (const person of [await add(), await add({ company: other }), { id: randomUUID() }]) {
        const { message } = assertRefused(await change(person, ['PLATFORM_RM']), 403, 'ROLE_REQUIRED');
        assert.equal(message, 'This needs the role Super Admin.');
      }
      assertInvalid(await change({ id: 'nobody' }, ['PLATFORM_RM']), 'userId');
    }
  });

  it('users/grant-role returns 400 for a platform role with a company, and a company role without one', async () => {
    const person = await add();
    assertInvalid(await grant(person, ['SUPER_ADMIN', home], superAdmin), 'companyId');
    assertInvalid(await grant(person, ['MANAGER'], superAdmin), 'companyId');
    assertInvalid(await grant(person, ['KING', home], superAdmin), 'role');
    assertInvalid(await post(admin, 'users/grant-role', { companyID: home.id }), 'userId', 'role', 'companyID');
  });
});

describe('last admins', () => {
  const lastOf = (company: TestCompany) => addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  const refused = async (work: () => ReturnType<typeof post>, who: string) => {
    const { message } = assertRefused(await withoutTrace(work), 409, 'LAST_ADMIN');
    assert.equal(message, `This is the last active ${who}: give somebody else the role first.`);
  };
  const OF_COMPANY = 'Corporate Admin of the company';
  const deactivate = ({ id }: Person, as: Person) => post(as, 'users/update', { id, active: false });

  it('the last Corporate Admin of a company can be dismissed only by a Super Admin', async () => {
    const company = await administration.addCompany();
    const last = await lastOf(company);
    const role: Role = ['CORPORATE_ADMIN', company];
    // Neither one who is deactivated counts, nor another role.
    const [deactivated] = [await lastOf(company), await add({ company, roles: [['MANAGER', company]] })];
    userOf(await deactivate(deactivated, last));
    await refused(() => revoke(last, role, last), OF_COMPANY);
    await refused(() => deactivate(last, last), OF_COMPANY);
    userOf(await revoke(deactivated, role, last));
    userOf(await revoke(last, ['MANAGER', company], last));
    userOf(await revoke(last, role, superAdmin));
    userOf(await grant(last, role, superAdmin));
    userOf(await deactivate(last, superAdmin));
  });

  it('a Corporate Admin can give up the role if another admin remains, also a guest', async () => {
    const company = await administration.addCompany();
    const last = await lastOf(company);
    const role: Role = ['CORPORATE_ADMIN', company];
    userOf(await grant(admin, role, superAdmin));
    userOf(await revoke(last, role, last));
    await refused(() => revoke(admin, role, admin), OF_COMPANY);
    await refused(() => deactivate(admin, admin), OF_COMPANY);
  });

  it('deactivating the last Corporate Admin of any of their companies returns 409', async () => {
    const [first, second] = [await administration.addCompany(), await administration.addCompany()];
    const roles = [first, second].map((company) => ['CORPORATE_ADMIN', company] as const);
    const both = await addPerson(api.db, { company: first, roles });
    const another = await lastOf(first);
    await refused(() => deactivate(both, both), OF_COMPANY);
    await lastOf(second);
    userOf(await deactivate(both, both));
    assertRefused(await deactivate(another, foreignAdmin), 404, 'NOT_FOUND');
  });

  it('the last Super Admin can neither be deactivated nor lose the role', async () => {
    const role: Role = ['SUPER_ADMIN'];
    await refused(() => revoke(superAdmin, role, superAdmin), 'Super Admin');
    await refused(() => grant(superAdmin, ['PLATFORM_RM'], superAdmin), 'Super Admin');
    await refused(() => deactivate(superAdmin, superAdmin), 'Super Admin');
    const second = await add();
    userOf(await grant(second, role, superAdmin));
    userOf(await deactivate(second, superAdmin));
    await refused(() => revoke(superAdmin, role, superAdmin), 'Super Admin');
    userOf(await post(superAdmin, 'users/update', { id: second.id, active: true }));
    userOf(await revoke(superAdmin, role, superAdmin));
    await refused(() => revoke(second, role, second), 'Super Admin');
    userOf(await grant(superAdmin, role, second));
  });

  it('LAST_ADMIN is reported after every other problem of a request', async () => {
    const last = await lastOf(await administration.addCompany());
    assertInvalid(await post(last, 'users/update', { id: last.id, active: false, gender: 5 }), 'gender');
    const fields = { id: last.id, active: false, approvalLimit: '1.00' };
    assertRefused(await post(last, 'users/update', fields), 403, 'OWN_LIMIT');
  });
});
