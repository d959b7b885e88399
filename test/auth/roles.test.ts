import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import { ACCESS_TABLE } from '../../src/auth/access-table.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { addCompany, addPerson, companyNamed, type PersonOptions } from '../support/people.ts';
import { openDemoDatabaseWithCountry } from '../support/test-database.ts';
import { UPDATE_PROFILE } from '../support/update-profile.ts';

const api = await buildCheckedApp({}, openDemoDatabaseWithCountry);
after(() => api[Symbol.asyncDispose]());

const A = await companyNamed(api.db, 'Acme');
const B = await companyNamed(api.db, 'Globex');
const shut = await addCompany(api.db, 'Shut', { active: false });

const SUPER_ADMIN = { role: 'SUPER_ADMIN', active: true } as const;
const PLATFORM_RM = { role: 'PLATFORM_RM', active: true } as const;
const inactive = (role: typeof SUPER_ADMIN | typeof PLATFORM_RM) => ({ ...role, active: false });
const all = { roles: [['CORPORATE_ADMIN', A] as const], systemRole: SUPER_ADMIN };

async function tokenOf(options: PersonOptions, lifetime = 600): Promise<string> {
  return api.context.signToken((await addPerson(api.db, options)).id, lifetime);
}

/**
 * Who may do what. `yes`: 200. `401`: a token is asked for, or the one that came is refused. `role`, `company`: 403, and for which of
 * the two. The columns: the own profile, the companies list, the company lists of A, of B, and of a deactivated company.
 */
const MATRIX: readonly (readonly [
  who: string,
  expected: string,
  PersonOptions | (() => Promise<string | undefined>),
])[] = [
  ['nobody in particular', '401 401 401 401 401', async () => undefined],
  ['an expired token of one who may do all', '401 401 401 401 401', () => tokenOf(all, -1)],
  ['a user that there is not', '401 401 401 401 401', () => api.context.signToken(randomUUID(), 60)],
  ['a deactivated user who had all roles', '401 401 401 401 401', { ...all, columns: { active: false } }],
  ['a user without a role', 'yes role role role role', {}],
  ['an employee of A', 'yes role role role role', { roles: [['EMPLOYEE', A]] }],
  ['a manager of A', 'yes role yes company company', { roles: [['MANAGER', A]] }],
  ['an admin of A', 'yes role yes company company', { roles: [['CORPORATE_ADMIN', A]] }],
  ['an admin of B whose own company is A', 'yes role company yes company', { roles: [['CORPORATE_ADMIN', B]] }],
  [
    'a manager of A, employee of B',
    'yes role yes company company',
    {
      roles: [
        ['MANAGER', A],
        ['EMPLOYEE', B],
      ],
    },
  ],
  [
    'a manager of A and of B',
    'yes role yes yes company',
    {
      roles: [
        ['MANAGER', A],
        ['MANAGER', B],
      ],
    },
  ],
  [
    'an employee and manager of A',
    'yes role yes company company',
    {
      roles: [
        ['EMPLOYEE', A],
        ['MANAGER', A],
      ],
    },
  ],
  ['a Platform RM', 'yes yes role role role', { systemRole: PLATFORM_RM }],
  ['a Super Admin', 'yes yes role role role', { systemRole: SUPER_ADMIN }],
  ['a Super Admin, employee of A', 'yes yes role role role', { systemRole: SUPER_ADMIN, roles: [['EMPLOYEE', A]] }],
  ['a Super Admin, admin of A', 'yes yes yes company company', all],
  ['a Platform RM whose system role is inactive', 'yes role role role role', { systemRole: inactive(PLATFORM_RM) }],
  ['a Super Admin whose system role is inactive', 'yes role role role role', { systemRole: inactive(SUPER_ADMIN) }],
  [
    'an admin of A whose system role is inactive',
    'yes role yes company company',
    { ...all, systemRole: inactive(SUPER_ADMIN) },
  ],
  [
    'an admin of a deactivated company',
    'yes role company company company',
    { company: shut, roles: [['CORPORATE_ADMIN', shut]] },
  ],
  ['an employee of a deactivated company', 'yes role role role role', { company: shut, roles: [['EMPLOYEE', shut]] }],
  [
    'a manager of A and of a deactivated company',
    'yes role yes company company',
    {
      roles: [
        ['MANAGER', A],
        ['MANAGER', shut],
      ],
    },
  ],
];

const listsOf = ({ id }: { id: string }): InjectOptions[] =>
  Object.values(COMPANY_LISTS).map((url) => ({ url, query: { companyId: id } }));

/** The requests of each column. */
const COLUMNS: Readonly<Record<string, InjectOptions[]>> = {
  'own profile': (['GET', 'POST'] as const).flatMap((method) => [
    { url: '/api/users/profile', method },
    { url: UPDATE_PROFILE, method },
  ]),
  'companies list': [{ url: COMPANIES_LIST }],
  'company lists of A': listsOf(A),
  'company lists of B': listsOf(B),
  'company lists of a deactivated company': listsOf(shut),
};

describe('who may do what', () => {
  for (const [who, expected, options] of MATRIX) {
    it(`${who}: ${expected}`, async () => {
      const token = await (typeof options === 'function' ? options() : tokenOf(options));
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const words = expected.split(' ');
      for (const [index, [column, requests]] of Object.entries(COLUMNS).entries()) {
        for (const request of requests) {
          const response = await api.send({ ...request, headers });
          const word = words[index];
          const reached = `${column}: ${request.method ?? 'GET'} ${request.url}: ${response.body}`;
          if (word === 'yes') assert.equal(response.statusCode, 200, reached);
          else if (word === 'role') assertRefused(response, 403, 'ROLE_REQUIRED');
          else if (word === 'company') assertRefused(response, 403, 'COMPANY_FORBIDDEN');
          else assert.equal(response.statusCode, 401, reached);
          assert.equal(response.headers['cache-control'], 'no-store', reached);
        }
      }
    });
  }

  it('every operation of the access table that is not public asks for a token, in each of its ways', async () => {
    type Documented = Record<string, Record<string, { security?: object[] }>>;
    const paths = api.app.swagger().paths as Documented;
    const closedToStrangers: string[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security = [] }] of Object.entries(methods)) {
        const response = await api.send({ url: path, method: method.toUpperCase() as 'GET' });
        assert.equal(response.statusCode === 401, security.length > 0, `${method} ${path}`);
        if (security.length > 0) closedToStrangers.push(`${method} ${path}`);
      }
    }
    assert.deepEqual(closedToStrangers.sort(), [
      'get /api/approval-policies/list',
      'get /api/audit/list',
      'get /api/companies/list',
      'get /api/departments/list',
      'get /api/events/list',
      'get /api/users/profile',
      'get /api/users/update-profile',
      'post /api/users/profile',
      'post /api/users/update-profile',
    ]);
    assert.equal(Object.values(ACCESS_TABLE).filter((access) => access !== 'public').length, 7);
  });

  it('the people of the demo may do what their roles say', async () => {
    const [companies, departments] = [
      { url: COMPANIES_LIST },
      { url: '/api/departments/list', query: { companyId: A.id } },
    ];
    for (const as of ['super.admin@orgdesk.example', 'platform.rm@orgdesk.example']) {
      dataOf(await api.send({ ...companies, as }));
      assertRefused(await api.send({ ...departments, as }), 403, 'ROLE_REQUIRED');
    }
    for (const as of ['admin@acme.example', 'manager@acme.example']) {
      dataOf(await api.send({ ...departments, as }));
      assertRefused(await api.send({ ...companies, as }), 403, 'ROLE_REQUIRED');
    }
    assertRefused(await api.send({ ...departments, as: 'employee@acme.example' }), 403, 'ROLE_REQUIRED');
    assertRefused(await api.send({ ...departments, as: 'admin@globex.example' }), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await api.send({ ...departments, as: 'inactive@acme.example' }), 401, 'INVALID_TOKEN');
  });
});
