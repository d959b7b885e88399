import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { addCompany, addPerson, companyNamed, userRow } from '../support/people.ts';
import { UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const acme = await companyNamed(api.db, 'Acme');

const view = (as: string) => api.send({ url: '/api/users/profile', as });
const companies = (as: string) => api.send({ url: COMPANIES_LIST, as });
const companyLists = (as: string, companyId: string) =>
  Promise.all(Object.values(COMPANY_LISTS).map((url) => api.send({ url, query: { companyId }, as })));
const change = (statement: Sql) => api.db.query(statement);

describe('while a token lives', () => {
  it('a revoked company role is refused from the next request on, and counts again once it is given back', async () => {
    const { id, email } = await addPerson(api.db, { roles: [['MANAGER', acme]] });
    const token = await api.tokenFor(email);
    for (const answer of await companyLists(email, acme.id)) dataOf(answer);
    await change(sql`delete from company_roles where user_id = ${id}`);
    for (const answer of await companyLists(email, acme.id)) assertRefused(answer, 403, 'ROLE_REQUIRED');
    assert.deepEqual(dataOf<ProfileView>(await view(email)).roles, []);
    await change(sql`insert into company_roles (user_id, company_id, role) values (${id}, ${acme.id}, 'MANAGER')`);
    for (const answer of await companyLists(email, acme.id)) dataOf(answer);
    assert.equal(await api.tokenFor(email), token);
  });

  it('a role that becomes a lesser one, or one in another company, opens no more than that', async () => {
    const { id, email } = await addPerson(api.db, { roles: [['MANAGER', acme]] });
    const globex = await companyNamed(api.db, 'Globex');
    for (const answer of await companyLists(email, acme.id)) dataOf(answer);
    await change(sql`update company_roles set company_id = ${globex.id} where user_id = ${id}`);
    for (const answer of await companyLists(email, acme.id)) assertRefused(answer, 403, 'COMPANY_FORBIDDEN');
    for (const answer of await companyLists(email, globex.id)) dataOf(answer);
    await change(sql`update company_roles set role = 'EMPLOYEE' where user_id = ${id}`);
    for (const answer of await companyLists(email, globex.id)) assertRefused(answer, 403, 'ROLE_REQUIRED');
  });

  it('a system role that is switched off or taken away is refused from the next request on', async () => {
    const systemRole = { role: 'PLATFORM_RM', active: true } as const;
    const { id, email } = await addPerson(api.db, { systemRole });
    dataOf(await companies(email));
    await change(sql`update system_roles set active = false where user_id = ${id}`);
    assertRefused(await companies(email), 403, 'ROLE_REQUIRED');
    const profile = dataOf<ProfileView>(await view(email));
    assert.deepEqual([profile.systemRoleMap, profile.roles], [{ role: 'PLATFORM_RM', active: false }, []]);
    await change(sql`update system_roles set active = true where user_id = ${id}`);
    dataOf(await companies(email));
    await change(sql`delete from system_roles where user_id = ${id}`);
    assertRefused(await companies(email), 403, 'ROLE_REQUIRED');
  });

  it('a deactivated user is refused everything with 401 from the next request on, and nothing is written', async () => {
    const systemRole = { role: 'SUPER_ADMIN', active: true } as const;
    const { id, email } = await addPerson(api.db, { roles: [['CORPORATE_ADMIN', acme]], systemRole });
    dataOf(await view(email));
    await change(sql`update users set active = false where id = ${id}`);
    const before = await userRow(api.db, id);
    for (const answer of [
      await view(email),
      await companies(email),
      ...(await companyLists(email, acme.id)),
      ...(await Promise.all(UPDATE_WAYS.map((way) => updateProfile(api, way, email, { firstName: 'Late' })))),
      await updateProfile(api, 'POST', email, { firstName: 'Late' }, { 'if-match': '*' }),
      await updateProfile(api, 'POST', email, {}),
    ]) {
      assertRefused(answer, 401, 'INVALID_TOKEN');
      assert.match(String(answer.headers['www-authenticate']), /^Bearer realm="orgdesk", error="invalid_token"/);
    }
    assert.deepEqual(await userRow(api.db, id), before);
    await change(sql`update users set active = true where id = ${id}`);
    dataOf(await view(email));
  });

  it('a user who is deactivated between the look at the token and the update is refused with 401, and nothing is written', async (t) => {
    for (const [method, headers] of [
      ['query', {}],
      ['transaction', { 'if-match': '*' }],
    ] as const) {
      const { id, email } = await addPerson(api.db);
      await api.tokenFor(email);
      const before = await userRow(api.db, id);
      const { query, transaction } = api.db;
      const deactivate = () => query(sql`update users set active = false where id = ${id}`);
      const spy =
        method === 'query'
          ? t.mock.method(api.db, method, async (statement: Sql) => {
              if (statement.text.includes('update users')) await deactivate();
              return query(statement);
            })
          : t.mock.method(api.db, method, async (work: Parameters<typeof transaction>[0]) => {
              await deactivate();
              return transaction(work);
            });
      const answer = await updateProfile(api, 'POST', email, { firstName: 'Late' }, headers);
      spy.mock.restore();
      assertRefused(answer, 401, 'INVALID_TOKEN');
      assert.deepEqual(await userRow(api.db, id), { ...before, active: false });
    }
  });

  it('a user who is removed is refused with 401', async () => {
    const { id, email } = await addPerson(api.db);
    dataOf(await view(email));
    await change(sql`delete from users where id = ${id}`);
    assertRefused(await view(email), 401, 'INVALID_TOKEN');
    assertRefused(await updateProfile(api, 'POST', email, { firstName: 'Late' }), 401, 'INVALID_TOKEN');
  });

  it('a deactivated company closes its lists to its members, who keep their profile and see their roles', async () => {
    const company = await addCompany(api.db, 'Closing');
    const { email } = await addPerson(api.db, {
      company,
      roles: [
        ['CORPORATE_ADMIN', company],
        ['MANAGER', acme],
      ],
    });
    for (const answer of await companyLists(email, company.id)) dataOf(answer);
    await change(sql`update companies set active = false where id = ${company.id}`);
    for (const answer of await companyLists(email, company.id)) assertRefused(answer, 403, 'COMPANY_FORBIDDEN');
    for (const answer of await companyLists(email, acme.id)) dataOf(answer);
    const profile = dataOf<ProfileView>(await view(email));
    assert.equal(profile.company.active, false);
    assert.deepEqual(profile.roles, ['CORPORATE_ADMIN', 'MANAGER']);
    assert.equal(profile.companyRoles.length, 2);
    for (const way of UPDATE_WAYS) {
      assert.equal(dataOf<ProfileView>(await updateProfile(api, way, email, { gender: way })).gender, way);
    }
    await change(sql`update companies set active = true where id = ${company.id}`);
    for (const answer of await companyLists(email, company.id)) dataOf(answer);
  });
});
