import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { LightMyRequestResponse } from 'fastify';
import { buildTestApp } from '../support/build-test-app.ts';
import { publishedSchemaCheck } from '../support/matches-schema.ts';
import { openDemoDatabaseWithCountry } from '../support/test-database.ts';

interface Parameter {
  in: string;
  name: string;
  required: boolean;
  description?: string;
  example?: unknown;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: { properties: Record<string, { examples?: unknown[] }>; required?: string[] } }>;
  };
  security: Record<string, string[]>[];
  responses: Record<string, Answer | { $ref: string }>;
}

interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

interface Media {
  schema: { properties: { data: { $ref?: string; items?: { $ref?: string } } } };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

const PAGING = ['search', 'page', 'limit'];
const ON_REQUEST = [...PAGING, 'isPaginationNeeded'];
const PROFILE_FIELDS = [
  'firstName',
  'lastName',
  'phone',
  'dateOfBirth',
  'gender',
  'addressLine1',
  'addressLine2',
  'pincode',
];

const LISTED = ['400', '401', '403', '429', '503'];
const BY_BODY = ['413', '415'];
const PUBLIC = ['400', '429'];

const COMPANY = ['name', 'legalName', 'gstin', 'email', 'creditLimit', 'creditDays'];
const PERSON = [
  ...[
    'email',
    'firstName',
    'lastName',
    'departmentId',
    'bandId',
    'clientType',
    'approvalLimit',
    'phone',
    'dateOfBirth',
  ],
  ...['gender', 'addressLine1', 'addressLine2', 'pincode'],
];
const DEPARTMENT = ['name', 'costCode', 'budget'];
const BAND = ['name', 'code', 'autoApprovalLimit', 'maxBookingLimit'];
const POLICY = ['name', 'autoApprovalLimit', 'levels'];
const WEBHOOK = ['url', 'entities', 'description'];
const FOUND = [...LISTED, '404'];
const CREATED = [...LISTED, ...BY_BODY, '409'];
const UPDATED = [...LISTED, ...BY_BODY, '404', '412'];
const GRANTED = [...LISTED, ...BY_BODY, '404', '409'];
const ADMIN = 'admin@acme.example';
const SUPER = 'super.admin@orgdesk.example';

/** The operations, who may call them, their fields, and the statuses of their errors (spec., Endpoints). */
const OPERATIONS: readonly (readonly [
  operation: string,
  caller: string | undefined,
  fields: string[],
  errors: string[],
])[] = [
  ['GET /api/users/profile', 'employee@acme.example', [], ['401', '429', '503']],
  ['POST /api/users/profile', 'employee@acme.example', [], ['400', '401', '429', '503', ...BY_BODY]],
  ['GET /api/users/update-profile', 'employee@acme.example', PROFILE_FIELDS, ['412', ...LISTED]],
  [
    'POST /api/users/update-profile',
    'employee@acme.example',
    PROFILE_FIELDS,
    ['400', '401', '412', '429', '503', ...BY_BODY],
  ],
  ['GET /api/cities/list', undefined, [...ON_REQUEST, 'stateId', 'countryId', 'countryCode', 'ids', 'include'], PUBLIC],
  [
    'POST /api/cities/list',
    undefined,
    [...ON_REQUEST, 'stateId', 'countryId', 'countryCode', 'ids', 'include'],
    [...PUBLIC, ...BY_BODY],
  ],
  ['GET /api/states/list', undefined, [...ON_REQUEST, 'countryId', 'countryCode', 'ids'], PUBLIC],
  ['POST /api/states/list', undefined, [...ON_REQUEST, 'countryId', 'countryCode', 'ids'], [...PUBLIC, ...BY_BODY]],
  ['GET /api/countries/list', undefined, [...ON_REQUEST, 'ids', 'include'], PUBLIC],
  ['POST /api/countries/list', undefined, [...ON_REQUEST, 'ids', 'include'], [...PUBLIC, ...BY_BODY]],
  ['GET /api/companies/list', 'super.admin@orgdesk.example', [...PAGING, 'activeOnly'], LISTED],
  ['GET /api/approval-policies/list', 'admin@acme.example', [...PAGING, 'companyId'], LISTED],
  ['GET /api/departments/list', 'manager@acme.example', [...PAGING, 'companyId'], LISTED],
  ['GET /api/companies/get', ADMIN, ['id'], FOUND],
  ['POST /api/companies/create', SUPER, ['id', ...COMPANY, 'firstAdmin'], CREATED],
  [
    'POST /api/companies/update',
    SUPER,
    ['id', ...COMPANY, 'active', 'defaultDepartmentId', 'defaultBandId'],
    [...UPDATED, '409'],
  ],
  [
    'GET /api/users/list',
    'manager@acme.example',
    [...PAGING, 'companyId', 'departmentId', 'bandId', 'role', 'activeOnly'],
    LISTED,
  ],
  ['GET /api/users/get', 'manager@acme.example', ['id'], FOUND],
  ['POST /api/users/create', ADMIN, ['id', 'companyId', ...PERSON, 'roles'], CREATED],
  ['POST /api/users/update', ADMIN, ['id', ...PERSON, 'active'], [...UPDATED, '409']],
  ['POST /api/users/grant-role', ADMIN, ['userId', 'role', 'companyId'], GRANTED],
  ['POST /api/users/revoke-role', ADMIN, ['userId', 'role', 'companyId'], GRANTED],
  ['GET /api/departments/get', 'manager@acme.example', ['id'], FOUND],
  ['POST /api/departments/create', ADMIN, ['id', 'companyId', ...DEPARTMENT], CREATED],
  ['POST /api/departments/update', ADMIN, ['id', ...DEPARTMENT], UPDATED],
  ['POST /api/departments/delete', ADMIN, ['id'], [...UPDATED, '409']],
  ['GET /api/bands/list', 'manager@acme.example', [...PAGING, 'companyId'], LISTED],
  ['GET /api/bands/get', 'manager@acme.example', ['id'], FOUND],
  ['POST /api/bands/create', ADMIN, ['id', 'companyId', ...BAND], CREATED],
  ['POST /api/bands/update', ADMIN, ['id', ...BAND], UPDATED],
  ['POST /api/bands/delete', ADMIN, ['id'], [...UPDATED, '409']],
  ['GET /api/approval-policies/get', 'manager@acme.example', ['id'], FOUND],
  ['GET /api/approval-policies/evaluate', 'manager@acme.example', ['id', 'amount', 'userId'], FOUND],
  ['POST /api/approval-policies/create', ADMIN, ['id', 'companyId', ...POLICY], CREATED],
  ['POST /api/approval-policies/update', ADMIN, ['id', ...POLICY], UPDATED],
  ['POST /api/approval-policies/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/api-keys/list', SUPER, ['companyId', 'page', 'limit'], LISTED],
  ['POST /api/api-keys/create', SUPER, ['name', 'scopes', 'companyId', 'expiresAt'], [...LISTED, ...BY_BODY]],
  ['POST /api/api-keys/revoke', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/bookings/record', SUPER, ['bookings'], [...LISTED, ...BY_BODY]],
  ['GET /api/webhooks/list', SUPER, ['companyId', 'page', 'limit'], LISTED],
  ['GET /api/webhooks/get', SUPER, ['id'], FOUND],
  ['GET /api/webhooks/deliveries', SUPER, ['id', 'page', 'limit'], FOUND],
  ['POST /api/webhooks/create', SUPER, ['companyId', ...WEBHOOK], [...LISTED, ...BY_BODY, '409']],
  ['POST /api/webhooks/update', SUPER, ['id', ...WEBHOOK, 'active'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/webhooks/delete', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/webhooks/rotate-secret', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/webhooks/test', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  [
    'GET /api/audit/list',
    'employee@acme.example',
    ['page', 'limit', 'userId', 'companyId'],
    ['400', '401', '429', '503'],
  ],
  [
    'GET /api/events/list',
    'employee@acme.example',
    ['after', 'from', 'entity', 'userId', 'companyId', 'wait', 'limit'],
    ['400', '401', '410', '429', '503'],
  ],
  ['GET /console/config', undefined, [], ['429', '503']],
  ['GET /livez', undefined, [], []],
  ['GET /readyz', undefined, [], ['503']],
];

const api = await buildTestApp({}, openDemoDatabaseWithCountry);
after(() => api[Symbol.asyncDispose]());
const check = publishedSchemaCheck();
const served = (await api.app.inject('/openapi.json')).body;
const document = JSON.parse(served) as {
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: {
    securitySchemes: Record<string, unknown>;
    schemas: Record<string, unknown>;
    responses: Record<string, Answer>;
  };
};

/** What the document says of a status of an operation, wherever it says it. */
function answerAt({ responses }: Operation, status: number | 'default'): Answer {
  const said = responses[status] ?? assert.fail(`nothing is said of ${status}`);
  if (!('$ref' in said)) return said;
  return document.components.responses[said.$ref.split('/').at(-1) ?? ''] ?? assert.fail(said.$ref);
}

function projectFile(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

describe('the OpenAPI document', () => {
  it('is the one in openapi.json', () => {
    assert.ok(served === projectFile('openapi.json'), 'openapi.json is not what the code serves: npm run openapi');
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(served));
    assert.ok(valid, JSON.stringify(errors));
    assert.match(served, /"openapi": "3\.1\.\d"/);
  });

  it('carries the version of the package and the notice of the geography data', () => {
    assert.equal(document.info.version, JSON.parse(projectFile('package.json')).version);
    assert.match(document.info.description, /Countries States Cities Database.*ODbL/s);
  });

  it('has all operations and no others, each with a name of its own', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(operations.sort(), OPERATIONS.map(([operation]) => operation).sort());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    assert.equal(new Set(ids).size, OPERATIONS.length);
  });
});

for (const [name, caller, fields, errors] of OPERATIONS) {
  const [method = '', path = ''] = name.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  assert.ok(operation, name);

  describe(name, () => {
    it('is described', () => {
      assert.ok(operation.summary && operation.description);
      assert.equal(operation.tags?.length, 1);
      assert.ok(
        document.tags.some(({ name: tag }) => tag === operation.tags?.[0]),
        `no tag ${operation.tags}`,
      );
    });

    it(caller === undefined ? 'is public' : 'needs an access token', () => {
      const [scheme = ''] = Object.keys(document.components.securitySchemes);
      assert.deepEqual(operation.security, caller === undefined ? [] : [{ [scheme]: [] }]);
    });

    it('has the fields of the specification, where the method puts them, each with what it means', () => {
      const inQuery = (operation.parameters ?? []).filter(({ in: where }) => where === 'query');
      for (const { name: field, description } of operation.parameters ?? []) assert.ok(description, field);
      assert.deepEqual(inQuery.map((field) => field.name).sort(), method === 'GET' ? fields.toSorted() : []);
      for (const field of inQuery) assert.equal(field.required, isRequired(path, field.name), field.name);
      if (method === 'GET' || fields.length === 0) return assert.equal(operation.requestBody, undefined);
      const { required, content } = operation.requestBody ?? assert.fail('no body');
      assert.equal(required, isAdministered(path));
      assert.deepEqual(Object.keys(content), ['application/json']);
      const properties = content['application/json']?.schema.properties ?? {};
      assert.deepEqual(Object.keys(properties).sort(), fields.toSorted());
    });

    it('has its answers and errors, with examples that are what they are examples of', () => {
      const { 304: notModified, default: _, ...responses } = operation.responses;
      const expected = ['200', ...errors].sort();
      assert.deepEqual(Object.keys(responses).sort(), expected);
      assert.equal(notModified !== undefined, operation.tags?.[0] === 'Geography' && method === 'GET');
      for (const status of [...expected.map(Number), 'default'] as const) {
        const { description, headers = {}, content } = answerAt(operation, status);
        assert.ok(description && !/default response/i.test(description));
        assert.ok('X-Request-Id' in headers);
        if (status === 401) assert.ok('WWW-Authenticate' in headers);
        if (status === 429 || status === 503) assert.ok('Retry-After' in headers);
        const types = ['application/json', ...(status === 200 ? [] : ['application/problem+json'])];
        assert.deepEqual(Object.keys(content ?? {}), types);
        for (const [type, { example, examples = {} }] of Object.entries(content ?? {})) {
          const values = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
          assert.ok(values.length > 0, `${status} ${type} has no example`);
          const answered = status === 'default' ? 500 : status;
          for (const value of values) check({ method, path }, answerOf(answered, type, value));
        }
      }
    });

    it('names the form of its payload', () => {
      const { data } = answerAt(operation, 200).content?.['application/json']?.schema.properties ?? assert.fail();
      const name = (data.items ?? data).$ref?.split('/').at(-1) ?? '';
      assert.ok(document.components.schemas[name], name);
    });

    it('works as it is documented, with the parameters of its examples', async () => {
      const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
      const query = new URLSearchParams(
        required.map((parameter): [string, string] => [parameter.name, String(parameter.example)]),
      );
      const { properties = {}, required: names = [] } =
        operation.requestBody?.content['application/json']?.schema ?? {};
      const payload = Object.fromEntries(
        Object.entries(properties).flatMap(([name, { examples = [] }]) => examples.map((example) => [name, example])),
      );
      const request = {
        method: method as 'GET' | 'POST',
        url: `${path}?${query}`,
        ...(names.length ? { payload } : {}),
      };
      const response = await api.send(caller === undefined ? request : { ...request, as: caller });
      // What the examples of a write are of is there already, in use, or never was.
      const right = names.length > 0 || path.startsWith('/api/webhooks/') ? [200, 404, 409] : [200];
      // The address of the example leads nowhere.
      if (path === '/api/webhooks/create') right.push(400);
      assert.ok(right.includes(response.statusCode), response.body.slice(0, 500));
      // To check the full list of cities takes longer than all else.
      if (path !== '/api/cities/list') check({ method, path }, response);
    });
  });
}

/** Whether the operation changes what belongs to companies. */
function isAdministered(path: string): boolean {
  return /\/(?:create|update|delete|revoke|grant-role|revoke-role|record|rotate-secret|test)$/.test(path);
}

function isRequired(path: string, field: string): boolean {
  if (field === 'companyId')
    return !['/api/audit/list', '/api/events/list', '/api/api-keys/list', '/api/webhooks/list'].includes(path);
  return field === 'id' || field === 'amount';
}

function answerOf(statusCode: number, type: string, value: unknown): LightMyRequestResponse {
  const answer = { statusCode, headers: { 'content-type': type }, body: JSON.stringify(value), json: () => value };
  return answer as unknown as LightMyRequestResponse;
}
