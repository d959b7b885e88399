import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { ACCESS_TABLE, type Operation } from '../../src/auth/access-table.ts';
import { type Asked, askBy, assertRightAnswer, type Standing } from '../support/access-rules.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson, companyNamed, type PersonOptions } from '../support/people.ts';
import { withRoutes } from '../support/registered-routes.ts';
import { openDemoDatabaseWithCountry } from '../support/test-database.ts';

const { built: api, routes } = await withRoutes(() => buildTestApp({}, openDemoDatabaseWithCountry));
after(() => api[Symbol.asyncDispose]());

const A = await companyNamed(api.db, 'Acme');
const B = await companyNamed(api.db, 'Globex');
const shut = await addCompany(api.db, 'Shut', { active: false });

const SUPER_ADMIN = { role: 'SUPER_ADMIN', active: true } as const;
const PLATFORM_RM = { role: 'PLATFORM_RM', active: true } as const;
const inactive = (role: typeof SUPER_ADMIN | typeof PLATFORM_RM) => ({ ...role, active: false });
const all: PersonOptions = { roles: [['CORPORATE_ADMIN', A]], systemRole: SUPER_ADMIN };
const roles = (...held: NonNullable<PersonOptions['roles']>): PersonOptions => ({ roles: held });

const REFUSED: Standing = { token: 'refused' };
const nobodyAt: Standing = { token: 'good' };
const staff: Standing = { token: 'good', platform: true };
const of = (...companies: { id: string }[]): Standing => ({ token: 'good', corporate: companies.map(({ id }) => id) });

async function tokenOf(options: PersonOptions, lifetime = 600): Promise<string> {
  return api.context.signToken((await addPerson(api.db, options)).id, lifetime);
}

/** Everyone who may come, and what they are. */
const PRINCIPALS: readonly (readonly [who: string, Standing, PersonOptions | (() => Promise<string | undefined>)])[] = [
  ['anonymous', { token: 'none' }, async () => undefined],
  ['an expired token of one who may do all', REFUSED, () => tokenOf(all, -1)],
  ['a user that there is not', REFUSED, () => api.context.signToken(randomUUID(), 60)],
  ['a deactivated user who has all roles', REFUSED, { ...all, columns: { active: false } }],
  ['a user without a role', nobodyAt, {}],
  ['an employee of A', nobodyAt, roles(['EMPLOYEE', A])],
  ['a manager of A', of(A), roles(['MANAGER', A])],
  ['an admin of A', of(A), roles(['CORPORATE_ADMIN', A])],
  ['a manager of B whose own company is A', of(B), roles(['MANAGER', B])],
  ['an admin of B', of(B), { company: B, ...roles(['CORPORATE_ADMIN', B]) }],
  ['a manager of A, employee of B', of(A), roles(['MANAGER', A], ['EMPLOYEE', B])],
  ['a manager of A who is admin of B', of(A, B), roles(['MANAGER', A], ['CORPORATE_ADMIN', B])],
  ['an employee and manager of A', of(A), roles(['EMPLOYEE', A], ['MANAGER', A])],
  ['a Platform RM', staff, { systemRole: PLATFORM_RM }],
  ['a Super Admin', staff, { systemRole: SUPER_ADMIN }],
  ['a Super Admin, employee of A', staff, { systemRole: SUPER_ADMIN, ...roles(['EMPLOYEE', A]) }],
  ['a Super Admin, admin of A', { ...of(A), platform: true }, all],
  ['a Platform RM whose system role is inactive', nobodyAt, { systemRole: inactive(PLATFORM_RM) }],
  ['a Super Admin whose system role is inactive', nobodyAt, { systemRole: inactive(SUPER_ADMIN) }],
  ['an admin of A whose system role is inactive', of(A), { ...all, systemRole: inactive(SUPER_ADMIN) }],
  ['an admin of a deactivated company', of(shut), { company: shut, ...roles(['CORPORATE_ADMIN', shut]) }],
  ['an employee of a deactivated company', nobodyAt, { company: shut, ...roles(['EMPLOYEE', shut]) }],
  ['a manager of A and of a deactivated company', of(A, shut), roles(['MANAGER', A], ['MANAGER', shut])],
];

const NONE: Asked = { companyId: undefined };
const COMPANIES: Readonly<Record<string, Asked>> = {
  A: { companyId: A.id },
  B: { companyId: B.id },
  'a deactivated one': { companyId: shut.id, isActive: false },
  'an unknown one': { companyId: '11111111-2222-4333-8444-555555555555' },
  'a malformed one': { companyId: `{${A.id}}` },
  none: NONE,
};

/** The company counts for the lists of one alone. */
function asksBy(operation: Operation): Asked[] {
  if (ACCESS_TABLE[operation] === 'corporate') return Object.values(COMPANIES);
  return operation === 'documentation' || operation === 'console' ? [NONE] : [{ companyId: B.id }, NONE];
}

describe('who may do what', () => {
  let cells = 0;
  for (const [who, standing, options] of PRINCIPALS) {
    it(`${who}: each operation, of each company, is answered as the access table says`, async () => {
      const token = await (typeof options === 'function' ? options() : tokenOf(options));
      for (const route of routes) {
        const refused = new Set<string>();
        for (const asked of asksBy(route.operation)) {
          const response = await askBy(api.app, route, token, asked);
          assertRightAnswer(route, standing, asked, response);
          const { 'x-request-id': id, date, ...headers } = response.headers;
          const body = response.body.replace(String(id), '');
          if (response.statusCode === 403) refused.add(JSON.stringify([headers, body]));
          cells += 1;
        }
        assert.ok(refused.size <= 1, `what is foreign, deactivated or unknown looks different: ${[...refused]}`);
      }
    });
  }

  it('has been tried for every operation of the table, by GET and POST, in more than 500 cells', () => {
    assert.deepEqual(new Set(routes.map(({ operation }) => operation)), new Set(Object.keys(ACCESS_TABLE)));
    const ways = (operation: string) => routes.filter((route) => route.operation === operation);
    for (const operation of ['profile.view', 'profile.update', 'cities.list', 'states.list', 'countries.list']) {
      const methods = ways(operation).map(({ method }) => method);
      assert.ok(methods.includes('GET') && methods.includes('POST'), operation);
    }
    assert.ok(cells > 500, String(cells));
  });

  it('is published: the operations that are not public ask for a token in the OpenAPI document, and no others', () => {
    const paths = api.app.swagger().paths as Record<string, Record<string, { security?: object[] }>>;
    for (const { method, url, operation } of routes) {
      const documented = paths[url]?.[method.toLowerCase()];
      const isPublic = ACCESS_TABLE[operation] === 'public';
      assert.ok(documented || isPublic || method === 'HEAD', `${method} ${url} is not documented`);
      if (documented) assert.equal(documented.security?.length, isPublic ? 0 : 1, `${method} ${url}`);
    }
  });
});
