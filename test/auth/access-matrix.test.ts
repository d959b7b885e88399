import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { describeOperations } from '../../assets/openapi/openapi.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { GRANTABLE_RULES } from '../../src/entities/roles.ts';
import { askBy, assertRightAnswer, type CompanyRequests, isAboutOne, type Standing } from '../support/access-rules.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addThings, addWebhook, requestsFor, unknownThings } from '../support/company-things.ts';
import { accessTable } from '../support/generated-pages.ts';
import { addCompany, addPerson, type PersonOptions, type TestCompany } from '../support/people.ts';
import { type RegisteredRoute, withRoutes } from '../support/registered-routes.ts';
import { openDemoDatabase } from '../support/test-database.ts';

const SETTINGS = { WEBHOOK_PRIVATE_TARGETS: 'true' };
const { built: api, routes } = await withRoutes(() => buildTestApp(SETTINGS, openDemoDatabase));
after(() => api[Symbol.asyncDispose]());

const A = await addCompany(api.db, 'A');
const B = await addCompany(api.db, 'B');
const shut = await addCompany(api.db, 'Shut', { active: false });

const SUPER_ADMIN = { role: 'SUPER_ADMIN', active: true } as const;
const PLATFORM_RM = { role: 'PLATFORM_RM', active: true } as const;
const inactive = (role: typeof SUPER_ADMIN | typeof PLATFORM_RM) => ({ ...role, active: false });
const all: PersonOptions = { company: A, roles: [['CORPORATE_ADMIN', A]], systemRole: SUPER_ADMIN };

type Token = () => Promise<string | undefined>;
type Principal = readonly [who: string, standing: Standing, token: Token];

async function tokenOf(options: PersonOptions, lifetime = 600): Promise<string> {
  return api.context.signToken((await addPerson(api.db, options)).id, lifetime);
}

/** Somebody with a good token, and what they are by that. */
function person(who: string, options: PersonOptions): Principal {
  const { roles = [], rules = [], systemRole, company = A } = options;
  const platform = systemRole?.active ? systemRole.role : undefined;
  const held = roles.map(([role, { id }]) => [role, id] as const);
  const own = company === shut ? [] : rules.map((rule) => [rule, company.id] as const);
  return [who, { token: 'good', platform, held, own }, () => tokenOf({ company: A, ...options })];
}

function refused(who: string, token: Token): Principal {
  return [who, { token: 'refused' }, token];
}

/** Everyone who may come, and what they are. */
const PRINCIPALS: readonly Principal[] = [
  ['anonymous', { token: 'none' }, async () => undefined],
  refused('an expired token of one who may do all', () => tokenOf(all, -1)),
  refused('a user that there is not', () => api.context.signToken(randomUUID(), 60)),
  refused('a deactivated user who has all roles', () => tokenOf({ ...all, columns: { active: false } })),
  person('a user without a role', {}),
  person('an employee of A', { roles: [['EMPLOYEE', A]] }),
  person('a manager of A', { roles: [['MANAGER', A]] }),
  person('an admin of A', { roles: [['CORPORATE_ADMIN', A]] }),
  person('a manager of B whose own company is A', { roles: [['MANAGER', B]] }),
  person('an admin of B', { company: B, roles: [['CORPORATE_ADMIN', B]] }),
  person('a manager of A, employee of B', { roles: both(['MANAGER', A], ['EMPLOYEE', B]) }),
  person('a manager of A who is admin of B', { roles: both(['MANAGER', A], ['CORPORATE_ADMIN', B]) }),
  person('an employee and manager of A', { roles: both(['EMPLOYEE', A], ['MANAGER', A]) }),
  person('a Platform RM', { systemRole: PLATFORM_RM }),
  person('a Platform RM, admin of A', { ...all, systemRole: PLATFORM_RM }),
  person('a Super Admin', { systemRole: SUPER_ADMIN }),
  person('a Super Admin, employee of A', { systemRole: SUPER_ADMIN, roles: [['EMPLOYEE', A]] }),
  person('a Super Admin, admin of A', all),
  person('a Platform RM whose system role is inactive', { systemRole: inactive(PLATFORM_RM) }),
  person('a Super Admin whose system role is inactive', { systemRole: inactive(SUPER_ADMIN) }),
  person('an admin of A whose system role is inactive', { ...all, systemRole: inactive(SUPER_ADMIN) }),
  person('an admin of a deactivated company', { company: shut, roles: [['CORPORATE_ADMIN', shut]] }),
  person('an employee of a deactivated company', { company: shut, roles: [['EMPLOYEE', shut]] }),
  person('a manager of A and of a deactivated company', { roles: both(['MANAGER', A], ['MANAGER', shut]) }),
  ...[...GRANTABLE_RULES, 'corporate people staff'].map((rules) =>
    person(`an employee of A whose role opens ${rules}`, { roles: [['EMPLOYEE', A]], rules: rules.split(' ') }),
  ),
  person('a holder of a role of A that opens nothing', { rules: [] }),
  person('a holder of a role of a deactivated company', { company: shut, rules: GRANTABLE_RULES }),
  person('a manager of B whose role of A opens corporate', { roles: [['MANAGER', B]], rules: ['corporate'] }),
];

function both(...held: NonNullable<PersonOptions['roles']>): NonNullable<PersonOptions['roles']> {
  return held;
}

async function askedFor(company: TestCompany, is: CompanyRequests['is']): Promise<CompanyRequests> {
  const things = is === 'unknown' ? unknownThings() : await addThings(api.db, company);
  const renew = async () => (is === 'unknown' ? undefined : addWebhook(api.db, things));
  return { companyId: things.companyId, is, requests: requestsFor(company, things), renew };
}

/** The same requests with another company, or with another thing of one. */
function otherwise(
  { requests, ...requested }: CompanyRequests,
  change: (id: unknown) => string | undefined,
): CompanyRequests {
  const changed = Object.entries(requests).map(([name, request]) => [
    name,
    'companyId' in request
      ? { ...request, companyId: change(request.companyId) }
      : { ...request, id: change(request.id) },
  ]);
  return { ...requested, is: 'unknown', requests: Object.fromEntries(changed) };
}

const OF_A = await askedFor(A, 'active');
const COMPANY_REQUESTS: readonly CompanyRequests[] = [
  OF_A,
  await askedFor(B, 'active'),
  await askedFor(shut, 'closed'),
  await askedFor(A, 'unknown'),
  otherwise(OF_A, (id) => `{${id}}`),
  otherwise(OF_A, () => ''),
];

/** Those who also request what does not exist; the others request what exists in all three companies. */
const EVERYWHERE = [
  'anonymous',
  'a deactivated user who has all roles',
  'a user without a role',
  'an employee of A',
  'an admin of A',
  'a manager of A who is admin of B',
  'a Platform RM',
  'a Super Admin',
  'an admin of a deactivated company',
];

/** The company counts for what is requested of one alone. */
function asksBy({ id }: RegisteredRoute['operation'], who: string): readonly CompanyRequests[] {
  if (!isAboutOne(OF_A.requests[id] ?? {})) return [OF_A];
  return EVERYWHERE.includes(who) ? COMPANY_REQUESTS : COMPANY_REQUESTS.slice(0, 3);
}

describe('who may do what', () => {
  let cells = 0;
  for (const [who, standing, tokenFor] of PRINCIPALS) {
    it(`${who} gets the answer of the access table from each operation and each company`, async () => {
      const token = await tokenFor();
      for (const route of routes) {
        const refused = new Set<string>();
        for (const requested of asksBy(route.operation, who)) {
          const response = await askBy(api.app, route, token, requested);
          assertRightAnswer(route, standing, requested, response);
          const { 'x-request-id': id, date, ...headers } = response.headers;
          const body = response.body.replace(String(id), '');
          if ([403, 404].includes(response.statusCode)) refused.add(JSON.stringify([headers, body]));
          cells += 1;
        }
        assert.ok(refused.size <= 1, `what is foreign, deactivated or unknown looks different: ${[...refused]}`);
      }
    });
  }

  it('the access tests include every caller that gets the same answer everywhere', () => {
    const names = PRINCIPALS.map(([who]) => who);
    assert.deepEqual(
      EVERYWHERE.filter((who) => !names.includes(who)),
      [],
    );
  });

  it('the access tests call every operation of the table by GET and POST, in more than 4000 cells', () => {
    const tried = new Set(routes.map(({ operation }) => operation.id));
    const others = Object.keys(accessTable()).filter((id) => !tried.has(id) && !id.startsWith('scim.'));
    assert.deepEqual(others, []);
    const ways = (operation: string) => routes.filter((route) => route.operation.id === operation);
    for (const operation of ['profile.view', 'profile.update', 'cities.list', 'states.list', 'countries.list']) {
      const methods = ways(operation).map(({ method }) => method);
      assert.ok(methods.includes('GET') && methods.includes('POST'), operation);
    }
    assert.ok(cells > 4000, String(cells));
  });

  it('the OpenAPI document requires a token for exactly those operations that are not public', () => {
    const { paths } = describeOperations(OPERATIONS);
    for (const { method, url, operation } of routes) {
      const documented = paths[url]?.[method.toLowerCase()];
      const isPublic = operation.access.name === 'public';
      assert.ok(documented || isPublic || method === 'HEAD', `${method} ${url} is not documented`);
      if (documented) assert.equal((documented.security as object[]).length === 0, isPublic, `${method} ${url}`);
    }
  });
});
