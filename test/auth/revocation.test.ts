import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { askBy, assertRightAnswer, type CompanyRequests, type Standing } from '../support/access-rules.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addThings, addWebhook, requestsFor } from '../support/company-things.ts';
import { COMPANY_LISTS } from '../support/list-paths.ts';
import { addCompany, addPerson, companyNamed, type TestCompany, userRow } from '../support/people.ts';
import { withRoutes } from '../support/registered-routes.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';

const SETTINGS = { WEBHOOK_PRIVATE_TARGETS: 'true' };
const { built: api, routes } = await withRoutes(() => buildCheckedApp(SETTINGS, openDemoDatabase));
after(() => api[Symbol.asyncDispose]());
const A = await companyNamed(api.db, 'Acme');
const B = await companyNamed(api.db, 'Globex');
async function askedFor(company: TestCompany): Promise<CompanyRequests> {
  const things = await addThings(api.db, company);
  const renew = () => addWebhook(api.db, things);
  return { companyId: company.id, is: 'active', requests: requestsFor(company, things), renew };
}
const OF_B = await askedFor(B);
const change = (statement: Sql) => api.db.query(statement);

const view = (as: string) => api.send({ url: '/api/users/profile', as });
const companyLists = (as: string, companyId: string) =>
  Promise.all(Object.values(COMPANY_LISTS).map((url) => api.send({ url, query: { companyId }, as })));

interface Holder {
  id: string;
  company: TestCompany;
}

/** What happens to somebody who may do everything, and what they are from then on. */
const CHANGES: Readonly<
  Record<string, (holder: Holder) => { statements: readonly Sql[]; becomes: Partial<Standing> }>
> = {
  'all company roles are revoked': ({ id }) => ({
    statements: [sql`delete from company_roles where user_id = ${id}`],
    becomes: { held: [] },
  }),
  'the company role becomes that of an employee': ({ id, company }) => ({
    statements: [sql`update company_roles set role = 'EMPLOYEE' where user_id = ${id}`],
    becomes: { held: [['EMPLOYEE', company.id]] },
  }),
  'the company role becomes that of a manager': ({ id, company }) => ({
    statements: [sql`update company_roles set role = 'MANAGER' where user_id = ${id}`],
    becomes: { held: [['MANAGER', company.id]] },
  }),
  'the company role moves to another company': ({ id }) => ({
    statements: [sql`update company_roles set company_id = ${B.id} where user_id = ${id}`],
    becomes: { held: [['CORPORATE_ADMIN', B.id]] },
  }),
  'another company role comes along': ({ id, company }) => ({
    statements: [sql`insert into company_roles (user_id, company_id, role) values (${id}, ${B.id}, 'MANAGER')`],
    becomes: {
      held: [
        ['CORPORATE_ADMIN', company.id],
        ['MANAGER', B.id],
      ],
    },
  }),
  'the user moves to another company, the role does not': ({ id }) => ({
    statements: [
      sql`update users set company_id = ${B.id}, department_id = ${B.departmentId}, band_id = ${B.bandId} where id = ${id}`,
    ],
    becomes: {},
  }),
  'the system role is switched off': ({ id }) => ({
    statements: [sql`update system_roles set active = false where user_id = ${id}`],
    becomes: { platform: undefined },
  }),
  'the system role becomes another': ({ id }) => ({
    statements: [sql`update system_roles set role = 'PLATFORM_RM' where user_id = ${id}`],
    becomes: { platform: 'PLATFORM_RM' },
  }),
  'the system role is revoked': ({ id }) => ({
    statements: [sql`delete from system_roles where user_id = ${id}`],
    becomes: { platform: undefined },
  }),
  'all roles are revoked': ({ id }) => ({
    statements: [
      sql`delete from company_roles where user_id = ${id}`,
      sql`delete from system_roles where user_id = ${id}`,
    ],
    becomes: { platform: undefined, held: [] },
  }),
  'the user is deactivated': ({ id }) => ({
    statements: [sql`update users set active = false where id = ${id}`],
    becomes: { token: 'refused' },
  }),
  'the user is removed': ({ id }) => ({
    statements: [
      sql`delete from company_roles where user_id = ${id}`,
      sql`delete from system_roles where user_id = ${id}`,
      sql`delete from users where id = ${id}`,
    ],
    becomes: { token: 'refused' },
  }),
};

describe('while a token lives', () => {
  const guarded = routes.filter(({ operation }) => operation.access.name !== 'public');
  for (const [index, [what, changeOf]] of Object.entries(CHANGES).entries()) {
    it(`a token follows a change from the next request to each operation: ${what}`, async () => {
      const company = await addCompany(api.db, what);
      const { id } = await addPerson(api.db, {
        company,
        roles: [['CORPORATE_ADMIN', company]],
        systemRole: { role: 'SUPER_ADMIN', active: true },
      });
      const token = await api.context.signToken(id, 600);
      const before: Standing = {
        token: 'good',
        platform: 'SUPER_ADMIN',
        held: [['CORPORATE_ADMIN', company.id]],
      };
      const requested = [await askedFor(company), OF_B];
      const { statements, becomes } = changeOf({ id, company });
      // Before the change everybody may do the same: it is tried in full once.
      const first = index === 0 ? guarded : guarded.slice(0, 8);
      for (const [standing, tried] of [[before, first] as const, [{ ...before, ...becomes }, guarded] as const]) {
        if (standing !== before) for (const statement of statements) await change(statement);
        for (const route of tried) {
          for (const each of requested) {
            assertRightAnswer(route, standing, each, await askBy(api.app, route, token, each));
          }
        }
      }
    });
  }

  it('a user who moves to another company gets it in the profile from the next request', async () => {
    const { id, email } = await addPerson(api.db);
    assert.notEqual(dataOf<ProfileView>(await view(email)).companyId, B.id);
    const [statement] =
      CHANGES['the user moves to another company, the role does not']?.({ id, company: B }).statements ?? [];
    await change(statement ?? assert.fail());
    const { companyId, company } = dataOf<ProfileView>(await view(email));
    assert.deepEqual([companyId, company.id, company.name], [B.id, B.id, 'Globex']);
  });

  it('an inactive platform role is in the profile, and not among its roles', async () => {
    const { id, email } = await addPerson(api.db, { systemRole: { role: 'PLATFORM_RM', active: true } });
    await change(sql`update system_roles set active = false where user_id = ${id}`);
    const { systemRoleMap, roles } = dataOf<ProfileView>(await view(email));
    assert.deepEqual([systemRoleMap, roles], [{ role: 'PLATFORM_RM', active: false }, []]);
  });

  it('an update by a deactivated user gets 401 and writes nothing', async () => {
    const { id, email } = await addPerson(api.db);
    await api.tokenFor(email);
    await change(sql`update users set active = false where id = ${id}`);
    const before = await userRow(api.db, id);
    for (const way of UPDATE_WAYS) {
      for (const headers of [{}, { 'if-match': '*' }]) {
        const answer = await updateProfile(api, way, email, { firstName: 'Late' }, headers);
        assertRefused(answer, 401, 'INVALID_TOKEN');
        assert.match(String(answer.headers['www-authenticate']), /^Bearer realm="orgdesk", error="invalid_token"/);
      }
    }
    assert.deepEqual(await userRow(api.db, id), before);
  });

  it('a user who is deactivated between the token check and the update gets 401, and nothing is written', async (t) => {
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

  it('a member of a deactivated company gets 403 from its lists, and keeps the profile and roles', async () => {
    const company = await addCompany(api.db, 'Closing');
    const { email } = await addPerson(api.db, {
      company,
      roles: [
        ['CORPORATE_ADMIN', company],
        ['MANAGER', A],
      ],
    });
    for (const answer of await companyLists(email, company.id)) dataOf(answer);
    await change(sql`update companies set active = false where id = ${company.id}`);
    for (const answer of await companyLists(email, company.id)) assertRefused(answer, 403, 'COMPANY_FORBIDDEN');
    for (const answer of await companyLists(email, A.id)) dataOf(answer);
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
