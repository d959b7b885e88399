import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { MoveResults, MoveView } from '../../src/features/people/moves-schemas.ts';
import type { UserView } from '../../src/features/profile/profile-schemas.ts';
import { createUser, directoryFor, newUser } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import type { Person, PersonOptions } from '../support/people.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { describeChange, openAdministration, personFields } from './administration.ts';
import { companyKeys } from './company-keys.ts';

const administration = await openAdministration(openTestDatabase);
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, foreignAdmin, superAdmin, post, get, add, changesOf } = administration;
const { makeKey } = companyKeys(administration);

const addForeign = (options: PersonOptions = {}) => add({ company: other, roles: [['EMPLOYEE', other]], ...options });
const ask = (as: Person, body: object) => post(as, 'users/request-move', { companyId: home.id, ...body });
const resultsOf = (response: Parameters<typeof dataOf>[0]) => dataOf<MoveResults>(response).results;
/** Asks for people, and returns the ids of the moves. */
async function asked(...people: Person[]): Promise<string[]> {
  const results = resultsOf(await ask(admin, { userIds: people.map(({ id }) => id) }));
  return results.map(({ id, status }) => {
    assert.equal(status, 'OPEN');
    return id ?? '';
  });
}
const personOf = async (id: string) => dataOf<UserView>(await get(superAdmin, 'users/get', { id }));
const movesOf = async (as: Person, company = home, query: Record<string, string> = {}) =>
  pageOf<MoveView>(await get(as, 'users/moves', { companyId: company.id, limit: '100', ...query })).items;
const moveOf = async (as: Person, id: string, company = home) => {
  const found = (await movesOf(as, company)).find((move) => move.id === id);
  assert.ok(found);
  return found;
};

describe('a move that the old company agrees to', () => {
  it('users/agree-move ends what the old company gave, and leaves bookings there and the person at home in the new one', async () => {
    const [boss, report] = [await addForeign(), await addForeign()];
    const person = await addForeign({
      roles: [
        ['MANAGER', other],
        ['EMPLOYEE', other],
      ],
      columns: {
        external_id: 'ext-1',
        employee_number: 'E-1',
        cost_center: 'C-1',
        approval_limit: '900.00',
        phone: '+35315550111',
      },
    });
    const patch = (id: string, fields: object) => post(foreignAdmin, 'users/update', { id, ...fields });
    dataOf(await patch(person.id, { employment: { managerId: boss.id } }));
    dataOf(await patch(report.id, { employment: { managerId: person.id } }));
    const department = dataOf<{ id: string }>(
      await post(foreignAdmin, 'departments/create', {
        companyId: other.id,
        name: 'Led',
        costCode: 'LED',
        headId: person.id,
      }),
    );
    const policy = dataOf<{ id: string }>(
      await post(foreignAdmin, 'approval-policies/create', {
        companyId: other.id,
        name: 'Listed',
        autoApprovalLimit: '1.00',
        levels: [{ level: 1, approver: { userIds: [person.id, boss.id] }, minAmount: '1.00' }],
      }),
    );
    const days = { substituteId: person.id, from: '2098-01-01', until: '2098-01-31' };
    dataOf(await post(foreignAdmin, 'users/set-substitute', { userId: report.id, ...days }));
    dataOf(
      await post(foreignAdmin, 'users/set-substitute', {
        userId: report.id,
        ...days,
        from: '2099-01-01',
        until: '2099-01-31',
      }),
    );
    const bookingId = randomUUID();
    const record = () =>
      post(superAdmin, 'bookings/record', {
        bookings: [
          { id: bookingId, companyId: other.id, userId: person.id, amount: '5.00', createdAt: '2026-01-02T00:00:00Z' },
        ],
      });
    dataOf(await record());

    const [id = ''] = await asked(person);
    assert.deepEqual(resultsOf(await post(foreignAdmin, 'users/agree-move', { ids: [id] })), [
      { id, askedFor: person.id, status: 'AGREED', code: null, message: null },
    ]);

    const moved = await personOf(person.id);
    assert.deepEqual(
      [
        moved.companyId,
        moved.departmentId,
        moved.bandId,
        moved.roles,
        moved.approvalLimit,
        moved.phone,
        moved.externalId,
      ],
      [home.id, home.departmentId, home.bandId, ['EMPLOYEE'], '0.00', '+35315550111', null],
    );
    assert.deepEqual(
      [moved.employment.managerId, moved.employment.employeeNumber, moved.employment.costCenter],
      [null, null, null],
    );
    const left = await personOf(report.id);
    assert.equal(left.employment.managerId, null);
    const [substitutions] = await api.db.query<{ count: number }>(
      sql`select count(*)::integer as count from substitutions where substitute_id = ${person.id}`,
    );
    assert.equal(substitutions?.count, 0);
    const got = async (path: string, of: string) =>
      dataOf<{ headId?: string | null; levels?: unknown }>(await get(foreignAdmin, path, { id: of }));
    assert.equal((await got('departments/get', department.id)).headId, null);
    assert.ok(!JSON.stringify((await got('approval-policies/get', policy.id)).levels).includes(person.id));
    const [booking] = await api.db.query<{ company: string }>(
      sql`select company_id as company from bookings where id = ${bookingId}`,
    );
    assert.equal(booking?.company, other.id);
    assert.deepEqual(dataOf(await record()), { added: 0, changed: 0, unchanged: 1 });
    assert.equal((await api.send({ url: '/api/users/profile', as: person.email })).statusCode, 200);
  });

  it('the feed tells both companies that somebody was asked for, and that they have moved', async () => {
    const person = await addForeign();
    const changes = await changesOf(async () => {
      await post(foreignAdmin, 'users/agree-move', { ids: await asked(person) });
    });
    const of = (companyId: string) =>
      changes
        .filter((change) => change.companyId === companyId && change.userId === person.id)
        .map((change) => ({ ...describeChange(change), id: undefined }));
    const has = (companyId: string, what: string, field: string, after: unknown) =>
      of(companyId).some(
        (change) => change.what === what && (change.fields[field] as unknown[] | undefined)?.[1] === after,
      );
    assert.ok(has(other.id, 'userMove changed', 'status', 'OPEN'));
    assert.ok(has(other.id, 'userMove changed', 'status', 'AGREED'));
    assert.ok(has(other.id, 'user changed', 'companyId', home.id));
    assert.ok(has(home.id, 'userMove added', 'status', 'OPEN'));
    assert.ok(has(home.id, 'userMove changed', 'status', 'AGREED'));
    assert.ok(has(home.id, 'user changed', 'companyId', home.id));
  });

  it('the directory of the old company sees the person no longer, and that of the new one finds them by userName', async () => {
    const [theirs, ours] = [await directoryFor(api, other), await directoryFor(api, home)];
    await post(foreignAdmin, 'group-mappings/create', { companyId: other.id, groupName: 'Movers', role: 'MANAGER' });
    const user = await createUser(theirs, { externalId: 'okta-7' });
    await theirs.send('POST', '/Groups', { displayName: 'Movers', members: [{ value: user.id }] });
    assert.deepEqual((await personOf(user.id)).roles, ['EMPLOYEE', 'MANAGER']);
    const refused = await ours.send('POST', '/Users', newUser({ userName: user.userName }));
    assert.equal(refused.status, 409);
    assert.match(refused.body.detail, /users\/request-move/);
    const [result] = resultsOf(await ask(admin, { emails: [user.userName.toUpperCase()] }));
    assert.deepEqual([result?.status, result?.askedFor], ['OPEN', user.userName]);
    dataOf(await post(foreignAdmin, 'users/agree-move', { ids: [result?.id] }));
    assert.equal((await theirs.send('GET', `/Users/${user.id}`)).status, 404);
    const filter = encodeURIComponent(`userName eq "${user.userName}"`);
    const found = await ours.send('GET', `/Users?filter=${filter}`);
    assert.deepEqual([found.body.totalResults, found.body.Resources[0].id], [1, user.id]);
    assert.equal(found.body.Resources[0].externalId, undefined);
    assert.deepEqual((await personOf(user.id)).roles, ['EMPLOYEE']);
  });

  it('users/agree-move keeps a role that the person already held in the new company', async () => {
    const person = await addForeign({
      roles: [
        ['EMPLOYEE', other],
        ['MANAGER', home],
      ],
    });
    dataOf(await post(foreignAdmin, 'users/agree-move', { ids: await asked(person) }));
    assert.deepEqual((await personOf(person.id)).roles, ['MANAGER']);
  });

  it('users/agree-move takes the department and band that were asked for', async () => {
    const { id: departmentId } = dataOf<{ id: string }>(
      await post(admin, 'departments/create', { companyId: home.id, name: 'Arrivals', costCode: 'ARR' }),
    );
    const person = await addForeign();
    const [result] = resultsOf(await ask(admin, { userIds: [person.id], departmentId }));
    dataOf(await post(foreignAdmin, 'users/agree-move', { ids: [result?.id] }));
    assert.equal((await personOf(person.id)).departmentId, departmentId);
  });

  it('users/agree-move ends what other companies have asked of the person', async () => {
    const third = await administration.addCompany();
    const thirdAdmin = await add({ company: third, roles: [['CORPORATE_ADMIN', third]] });
    const person = await addForeign();
    const [theirs] = resultsOf(await ask(thirdAdmin, { companyId: third.id, userIds: [person.id] }));
    const [own = ''] = await asked(person);
    dataOf(await post(foreignAdmin, 'users/agree-move', { ids: [own] }));
    assert.equal((await moveOf(thirdAdmin, theirs?.id ?? '', third)).status, 'EXPIRED');
    assertRefused(await post(foreignAdmin, 'users/agree-move', { ids: [theirs?.id] }), 409, 'OUTDATED');
    assertRefused(await post(admin, 'users/agree-move', { ids: [theirs?.id] }), 404, 'NOT_FOUND');
  });
});

describe('who decides on a move', () => {
  it('users/request-move by a Super Admin, or by an administrator of both companies, moves people at once', async () => {
    const [one, two] = [await addForeign(), await addForeign()];
    const both = await add({
      roles: [
        ['CORPORATE_ADMIN', home],
        ['CORPORATE_ADMIN', other],
      ],
    });
    for (const [as, person] of [
      [superAdmin, one],
      [both, two],
    ] as const) {
      const results = resultsOf(await ask(as, { userIds: [person.id] }));
      assert.deepEqual(
        results.map(({ status }) => status),
        ['AGREED'],
      );
      assert.equal((await personOf(person.id)).companyId, home.id);
    }
  });

  it('users/request-move by an API key of the new company waits for the agreement, and a suspended one gets 403', async () => {
    const person = await addForeign();
    const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
    const { key } = await makeKey(maker, { scopes: ['users.write'] });
    const byKey = () =>
      api.app.inject({
        method: 'POST',
        url: '/api/users/request-move',
        headers: { authorization: `Bearer ${key}` },
        payload: { companyId: home.id, userIds: [person.id] },
      });
    assert.deepEqual(
      resultsOf(await byKey()).map(({ status }) => status),
      ['OPEN'],
    );
    dataOf(await post(admin, 'users/revoke-role', { userId: maker.id, role: 'CORPORATE_ADMIN', companyId: home.id }));
    assertRefused(await byKey(), 403, 'KEY_SUSPENDED');
  });

  it('users/agree-move and users/decline-move return 404 to the company that asks, users/withdraw-move to the old one', async () => {
    const ids = await asked(await addForeign());
    for (const path of ['users/agree-move', 'users/decline-move'])
      assertRefused(await post(admin, path, { ids }), 404, 'NOT_FOUND');
    assertRefused(await post(foreignAdmin, 'users/withdraw-move', { ids }), 404, 'NOT_FOUND');
  });

  it('users/request-move for another company than the own returns 403, to a manager too', async () => {
    const person = await addForeign();
    assertRefused(await ask(foreignAdmin, { userIds: [person.id] }), 403, 'COMPANY_FORBIDDEN');
    const manager = await add({ roles: [['MANAGER', home]] });
    assertRefused(await ask(manager, { userIds: [person.id] }), 403, 'ROLE_REQUIRED');
  });

  it('users/agree-move returns 409 for the last Corporate Admin, also to a Super Admin', async () => {
    const company = await administration.addCompany();
    const last = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
    const ids = await asked(last);
    assertRefused(await post(last, 'users/agree-move', { ids }), 409, 'LAST_ADMIN');
    assertRefused(await post(superAdmin, 'users/agree-move', { ids }), 409, 'LAST_ADMIN');
    assertRefused(await ask(superAdmin, { userIds: [last.id] }), 409, 'LAST_ADMIN');
    assert.equal((await personOf(last.id)).companyId, company.id);
    dataOf(await post(superAdmin, 'companies/update', { id: company.id, active: false }));
    dataOf(await post(superAdmin, 'users/agree-move', { ids }));
    assert.equal((await personOf(last.id)).companyId, home.id);
  });

  it('users/agree-move returns 403 for a person with a platform role, to all but Super Admins', async () => {
    const person = await addForeign({ systemRole: { role: 'PLATFORM_RM', active: true } });
    const ids = await asked(person);
    assertRefused(await post(foreignAdmin, 'users/agree-move', { ids }), 403, 'PROTECTED_USER');
    dataOf(await post(superAdmin, 'users/agree-move', { ids }));
  });

  it('a person of a closed company, its last administrator too, moves once a Super Admin agrees', async () => {
    const company = await administration.addCompany();
    const person = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
    dataOf(await post(superAdmin, 'companies/update', { id: company.id, active: false }));
    const ids = await asked(person);
    const [result] = resultsOf(await post(superAdmin, 'users/agree-move', { ids }));
    assert.equal(result?.status, 'AGREED');
    assert.equal((await personOf(person.id)).companyId, home.id);
  });
});

describe('a request for many people', () => {
  it('users/request-move returns a result for each person, and changes nothing where it is repeated', async () => {
    const [one, two, own] = [await addForeign(), await addForeign(), await add()];
    const body = { userIds: [one.id, randomUUID(), own.id], emails: [two.email, 'nobody@unknown.example'] };
    const results = resultsOf(await ask(admin, body));
    assert.deepEqual(
      results.map(({ status, code }) => [status, code]),
      [
        ['OPEN', null],
        ['REFUSED', 'NOT_FOUND'],
        ['AGREED', null],
        ['OPEN', null],
        ['REFUSED', 'NOT_FOUND'],
      ],
    );
    assert.deepEqual(await administration.withoutTrace(async () => resultsOf(await ask(admin, body))), results);
    const last = await addForeign({ roles: [['EMPLOYEE', other]] });
    const ids = [...results.flatMap(({ id }) => id ?? []), ...(await asked(last))];
    const agreed = resultsOf(await post(foreignAdmin, 'users/agree-move', { ids: [...ids, randomUUID()] }));
    assert.deepEqual(
      agreed.map(({ status }) => status),
      ['AGREED', 'AGREED', 'AGREED', 'REFUSED'],
    );
    assert.deepEqual(await Promise.all([one, two, last].map(async ({ id }) => (await personOf(id)).companyId)), [
      home.id,
      home.id,
      home.id,
    ]);
  });

  it('users/request-move returns the error where nobody can be asked for, and 400 for nobody and for more than 1,000', async () => {
    assertRefused(await ask(admin, { emails: ['nobody@unknown.example'] }), 404, 'NOT_FOUND');
    assertInvalid(await ask(admin, {}), 'userIds');
    assertInvalid(
      await ask(admin, {
        userIds: Array.from({ length: 600 }, () => randomUUID()),
        emails: Array.from({ length: 600 }, (_, at) => `p${at}@many.example`),
      }),
      'userIds',
    );
    assertInvalid(await ask(admin, { userIds: ['x'] }), 'userIds[0]');
    assertInvalid(await post(admin, 'users/agree-move', { ids: [] }), 'ids');
  });

  it('users/request-move returns 400 without a department where the company has no default, and for one of another company', async () => {
    const person = await addForeign();
    assertInvalid(await ask(admin, { userIds: [person.id], departmentId: other.departmentId }), 'departmentId');
    const bare = await administration.addCompany();
    await api.db.query(sql`update companies set default_department_id = null where id = ${bare.id}`);
    assertInvalid(await ask(superAdmin, { companyId: bare.id, userIds: [person.id] }), 'departmentId');
  });
});

describe('the list of moves', () => {
  it('users/moves shows the person and their company to the old side, and to the new one once it is agreed', async () => {
    const person = await addForeign();
    const [id = ''] = await asked(person);
    const hidden = await moveOf(admin, id);
    assert.deepEqual(
      [hidden.user, hidden.fromCompany, hidden.askedFor, hidden.mayDecide, hidden.status],
      [null, null, person.id, false, 'OPEN'],
    );
    const seen = await moveOf(foreignAdmin, id, other);
    assert.deepEqual(
      [seen.user?.email, seen.fromCompany?.id, seen.company.id, seen.mayDecide],
      [person.email, other.id, home.id, true],
    );
    const stranger = await administration.addCompany();
    const strange = await add({ company: stranger, roles: [['CORPORATE_ADMIN', stranger]] });
    assert.ok((await movesOf(strange, stranger)).length === 0);
    dataOf(await post(foreignAdmin, 'users/agree-move', { ids: [id] }));
    const agreed = await moveOf(admin, id);
    assert.deepEqual([agreed.user?.email, agreed.fromCompany?.id, agreed.status], [person.email, other.id, 'AGREED']);
    const open = await movesOf(foreignAdmin, other, { status: 'OPEN' });
    assert.ok(open.every(({ status }) => status === 'OPEN'));
    assert.ok(open.every((move) => move.id !== id));
  });

  it('a declined, withdrawn or expired move cannot be agreed to, and can be asked for anew', async () => {
    const [one, two, three] = [await addForeign(), await addForeign(), await addForeign()];
    const [declined = '', withdrawn = '', expired = ''] = await asked(one, two, three);
    dataOf(await post(foreignAdmin, 'users/decline-move', { ids: [declined] }));
    dataOf(await post(admin, 'users/withdraw-move', { ids: [withdrawn] }));
    await api.db.query(sql`update user_moves set requested_at = now() - interval '31 days' where id = ${expired}`);
    const states = ['DECLINED', 'WITHDRAWN', 'EXPIRED'];
    for (const [index, id] of [declined, withdrawn, expired].entries()) {
      assert.equal((await moveOf(admin, id)).status, states[index]);
      assertRefused(await post(foreignAdmin, 'users/agree-move', { ids: [id] }), 409, 'OUTDATED');
    }
    const again = await asked(one, two, three);
    assert.ok(again.every((id) => ![declined, withdrawn, expired].includes(id)));
    dataOf(await post(foreignAdmin, 'users/agree-move', { ids: again }));
  });
});

describe('a person of another company in the way', () => {
  it('users/create and users/import return messages that name users/request-move', async () => {
    const person = await addForeign();
    const created = await post(admin, 'users/create', { ...personFields(home), email: person.email });
    assert.match(assertRefused(created, 409, 'ALREADY_EXISTS', ['email']).message, /users\/request-move/);
    const imported = await api.app.inject({
      method: 'POST',
      url: `/api/users/import?companyId=${home.id}`,
      headers: { authorization: `Bearer ${await api.tokenFor(admin.email)}`, 'content-type': 'text/csv' },
      payload: `email,firstName,lastName\n${person.email},Asha,Rao\n`,
    });
    assert.match(imported.body, /users\/request-move/);
  });
});
