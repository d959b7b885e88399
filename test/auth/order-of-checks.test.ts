import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { ErrorCode } from '../../src/entities/api-error.ts';
import { assertRefused } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { addPerson, companyNamed, userRow } from '../support/people.ts';
import { UPDATE_PROFILE } from '../support/update-profile.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

const acme = await companyNamed(api.db, 'Acme');
const globex = await companyNamed(api.db, 'Globex');
const employee = await addPerson(api.db, { roles: [['EMPLOYEE', acme]] });
const manager = await addPerson(api.db, { roles: [['MANAGER', acme]] });
const inactive = await addPerson(api.db, { roles: [['EMPLOYEE', acme]], columns: { active: false } });

const rowsOf = () => Promise.all([employee, manager, inactive].map(({ id }) => userRow(api.db, id)));
const untouched = await rowsOf();

const BAD_TOKEN = { authorization: 'Bearer garbage' };
const notJson = { headers: { 'content-type': 'text/plain' }, payload: 'firstName=x' };
const malformed = { headers: { 'content-type': 'application/json' }, payload: '{"firstName":' };
const post = { method: 'POST', url: UPDATE_PROFILE } as const;

/** Requests that are wrong in two ways at once, and which of the two is told. */
const CASES: readonly (readonly [
  what: string,
  request: InjectOptions & { as?: string },
  status: number,
  code: ErrorCode,
  ...fields: string[],
])[] = [
  // 405 and 404 before the token
  [
    '405 before 401: no token, a method that a list does not have',
    { url: COMPANIES_LIST, method: 'POST' },
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    '405 before 401: a bad token, a method that the profile does not have',
    { url: UPDATE_PROFILE, method: 'PUT', headers: BAD_TOKEN },
    405,
    'METHOD_NOT_ALLOWED',
  ],
  [
    '405 before 415: a wrong method, a body of another type',
    { ...notJson, url: COMPANIES_LIST, method: 'DELETE' },
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['404 before 401: no token, no such path', { url: '/api/users/nothing' }, 404, 'NOT_FOUND'],

  // the token before the role
  ['401 before 403: a bad token, whatever role', { url: COMPANIES_LIST, headers: BAD_TOKEN }, 401, 'INVALID_TOKEN'],
  [
    '401 before 403: a deactivated user without the role',
    { url: COMPANIES_LIST, as: inactive.email },
    401,
    'INVALID_TOKEN',
  ],

  // the token before the input
  [
    '401 before 400: no token, a wrong page',
    { url: COMPANIES_LIST, query: { page: '0' } },
    401,
    'AUTHENTICATION_REQUIRED',
  ],
  ['401 before 400: no token, a wrong value', { ...post, payload: { firstName: '' } }, 401, 'AUTHENTICATION_REQUIRED'],
  ['401 before 400: no token, malformed JSON', { ...post, ...malformed }, 401, 'AUTHENTICATION_REQUIRED'],
  ['401 before 415: no token, a body of another type', { ...post, ...notJson }, 401, 'AUTHENTICATION_REQUIRED'],
  [
    '401 before 413: no token, a body that is too large',
    { ...post, payload: { a: 'x'.repeat(70_000) } },
    401,
    'AUTHENTICATION_REQUIRED',
  ],
  [
    '401 before 412: no token, a stale tag',
    { ...post, payload: {}, headers: { 'if-match': '"x"' } },
    401,
    'AUTHENTICATION_REQUIRED',
  ],
  [
    '401 before 403: no token, a prefetch',
    { url: UPDATE_PROFILE, headers: { 'sec-purpose': 'prefetch' } },
    401,
    'AUTHENTICATION_REQUIRED',
  ],

  // the role before the input
  [
    '403 before 400: an employee, a wrong page',
    { url: COMPANIES_LIST, as: employee.email, query: { page: 'x' } },
    403,
    'ROLE_REQUIRED',
  ],
  [
    '403 before 400: an employee, a parameter twice',
    { url: COMPANIES_LIST, as: employee.email, query: { page: ['1', '1'] } },
    403,
    'ROLE_REQUIRED',
  ],

  // the prefetch before the input
  [
    '403 before 400: a prefetch, a wrong value',
    { url: `${UPDATE_PROFILE}?firstName=`, as: employee.email, headers: { 'sec-purpose': 'prefetch' } },
    403,
    'PREFETCH_REFUSED',
  ],

  // the input before the precondition
  [
    '400 before 412: a wrong value, a stale tag',
    { ...post, as: employee.email, payload: { pincode: '?' }, headers: { 'if-match': '"x"' } },
    400,
    'INVALID_INPUT',
    'pincode',
  ],
];

/** The same for each list of a company. */
const COMPANY_LIST_CASES: typeof CASES = Object.entries(COMPANY_LISTS).flatMap(([name, url]): typeof CASES => [
  [`401 before 400: ${name} without a token and a company`, { url }, 401, 'AUTHENTICATION_REQUIRED'],
  [
    `401 before 403: ${name} with a bad token`,
    { url, headers: BAD_TOKEN, query: { companyId: acme.id } },
    401,
    'INVALID_TOKEN',
  ],
  [`403 before 400: ${name} for an employee without a company`, { url, as: employee.email }, 403, 'ROLE_REQUIRED'],
  [
    `403 before 400: ${name} for an employee with a company that is no UUID`,
    { url, as: employee.email, query: { companyId: 'x' } },
    403,
    'ROLE_REQUIRED',
  ],
  [
    `403 of the role before that of the company: ${name} for an employee`,
    { url, as: employee.email, query: { companyId: globex.id } },
    403,
    'ROLE_REQUIRED',
  ],
  [
    `400 before 403 of the company: ${name} of a foreign company, limit 101`,
    { url, as: manager.email, query: { companyId: globex.id, limit: '101' } },
    400,
    'INVALID_INPUT',
    'limit',
  ],
  [
    `400 before 403 of the company: ${name} of a foreign company, twice`,
    { url, as: manager.email, query: { companyId: [globex.id, acme.id] } },
    400,
    'INVALID_INPUT',
    'companyId',
  ],
]);

describe('the order of checks', () => {
  for (const [what, request, status, code, ...fields] of [...CASES, ...COMPANY_LIST_CASES]) {
    it(`a request with two problems gets ${what}`, async () => {
      assertRefused(await api.send(request), status, code, fields);
      const accept = 'application/problem+json';
      const problem = await api.send({ ...request, headers: { ...request.headers, accept } });
      assert.match(String(problem.headers['content-type']), /^application\/problem\+json(?:;|$)/);
      assert.deepEqual([problem.statusCode, problem.json().status, problem.json().code], [status, status, code]);
    });
  }

  it('refused requests leave every person unchanged', async () => {
    assert.deepEqual(await rowsOf(), untouched);
  });
});
