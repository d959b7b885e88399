import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { LightMyRequestResponse } from 'fastify';
import { openApiText } from '../../assets/openapi/openapi.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { ERROR_STATUS } from '../../src/entities/api-error.ts';
import { approvalPolicy } from '../../src/entities/approval-policy.ts';
import { band } from '../../src/entities/band.ts';
import { company } from '../../src/entities/company.ts';
import { department } from '../../src/entities/department.ts';
import { fieldsBut } from '../../src/entities/entity.ts';
import { COMPANY_ROLES, ROLES } from '../../src/entities/roles.ts';
import { user } from '../../src/entities/user.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { publishedSchemaCheck, schemaValidator } from '../support/matches-schema.ts';
import { openDemoDatabaseWithCountry } from '../support/test-database.ts';
import { withoutReferences } from '../support/without-references.ts';

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
  responses: Record<string, Answer>;
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
const OF_GEOGRAPHY = ['alternateNames', 'ids', 'include'];
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
/** Of the caller alone: refused to API keys. */
const OWN = LISTED;
const BY_BODY = ['413', '415'];
const PUBLIC = ['400', '429'];

const COMPANY: string[] = fieldsBut(company, 'id', 'active', 'defaultDepartmentId', 'defaultBandId');
const PERSON: string[] = fieldsBut(user, 'id', 'companyId', 'loyaltyPoints', 'active');
const DEPARTMENT: string[] = fieldsBut(department, 'id', 'companyId');
const BAND: string[] = fieldsBut(band, 'id', 'companyId');
const POLICY = [...fieldsBut(approvalPolicy, 'id', 'companyId'), 'levels'];
const WEBHOOK = ['url', 'entities', 'description'];
const FOUND = [...LISTED, '404'];
const CREATED = [...LISTED, ...BY_BODY, '409'];
const UPDATED = [...LISTED, ...BY_BODY, '404', '412'];
const GRANTED = [...LISTED, ...BY_BODY, '404', '409'];
const ADMIN = 'admin@acme.example';
const SUPER = 'super.admin@orgdesk.example';

/** The operations, who may call them, their fields, and the statuses of their errors (spec., Endpoints). */
const EXPECTED: readonly (readonly [
  operation: string,
  caller: string | undefined,
  fields: string[],
  errors: string[],
])[] = [
  ['GET /api/users/profile', 'employee@acme.example', [], OWN],
  ['POST /api/users/profile', 'employee@acme.example', [], [...OWN, ...BY_BODY]],
  ['GET /api/users/update-profile', 'employee@acme.example', PROFILE_FIELDS, ['412', ...LISTED]],
  ['POST /api/users/update-profile', 'employee@acme.example', PROFILE_FIELDS, ['412', ...OWN, ...BY_BODY]],
  ['GET /api/cities/list', undefined, [...ON_REQUEST, 'stateId', 'countryId', 'countryCode', ...OF_GEOGRAPHY], PUBLIC],
  [
    'POST /api/cities/list',
    undefined,
    [...ON_REQUEST, 'stateId', 'countryId', 'countryCode', ...OF_GEOGRAPHY],
    [...PUBLIC, ...BY_BODY],
  ],
  ['GET /api/states/list', undefined, [...ON_REQUEST, 'countryId', 'countryCode', ...OF_GEOGRAPHY], PUBLIC],
  [
    'POST /api/states/list',
    undefined,
    [...ON_REQUEST, 'countryId', 'countryCode', ...OF_GEOGRAPHY],
    [...PUBLIC, ...BY_BODY],
  ],
  ['GET /api/countries/list', undefined, [...ON_REQUEST, ...OF_GEOGRAPHY], PUBLIC],
  ['POST /api/countries/list', undefined, [...ON_REQUEST, ...OF_GEOGRAPHY], [...PUBLIC, ...BY_BODY]],
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
    [...PAGING, 'companyId', 'departmentId', 'bandId', 'role', 'activeOnly', 'inactiveOnly', 'guests', 'sort'],
    LISTED,
  ],
  ['GET /api/users/get', 'manager@acme.example', ['id'], FOUND],
  ['POST /api/users/create', ADMIN, ['id', 'companyId', ...PERSON, 'roles'], CREATED],
  ['POST /api/users/update', ADMIN, ['id', ...PERSON, 'active', 'revokeKeys'], [...UPDATED, '409']],
  ['POST /api/users/save', ADMIN, ['companyId', 'create', 'update'], CREATED],
  ['POST /api/users/import', ADMIN, ['companyId', 'dryRun'], CREATED],
  ['POST /api/users/grant-role', ADMIN, ['userId', 'role', 'companyId'], GRANTED],
  ['POST /api/users/revoke-role', ADMIN, ['userId', 'role', 'companyId', 'revokeKeys'], GRANTED],
  ['GET /api/departments/spending', 'manager@acme.example', ['page', 'limit', 'companyId'], LISTED],
  ['GET /api/departments/get', 'manager@acme.example', ['id'], FOUND],
  ['POST /api/departments/create', ADMIN, ['id', 'companyId', ...DEPARTMENT], CREATED],
  ['POST /api/departments/update', ADMIN, ['id', ...DEPARTMENT], [...UPDATED, '409']],
  ['POST /api/departments/delete', ADMIN, ['id'], [...UPDATED, '409']],
  ['GET /api/bands/list', 'manager@acme.example', [...PAGING, 'companyId'], LISTED],
  ['GET /api/bands/get', 'manager@acme.example', ['id'], FOUND],
  ['POST /api/bands/create', ADMIN, ['id', 'companyId', ...BAND], CREATED],
  ['POST /api/bands/update', ADMIN, ['id', ...BAND], [...UPDATED, '409']],
  ['POST /api/bands/delete', ADMIN, ['id'], [...UPDATED, '409']],
  ['GET /api/approval-policies/get', 'manager@acme.example', ['id'], FOUND],
  ['GET /api/approval-policies/evaluate', 'manager@acme.example', ['id', 'amount', 'userId'], FOUND],
  ['POST /api/approval-policies/create', ADMIN, ['id', 'companyId', ...POLICY], CREATED],
  ['POST /api/approval-policies/update', ADMIN, ['id', ...POLICY], UPDATED],
  ['POST /api/approval-policies/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/api-keys/list', SUPER, ['companyId', 'page', 'limit'], LISTED],
  ['POST /api/api-keys/create', SUPER, ['name', 'scopes', 'companyId', 'expiresAt'], [...LISTED, ...BY_BODY, '409']],
  ['POST /api/api-keys/revoke', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/bookings/record', SUPER, ['bookings'], [...LISTED, ...BY_BODY]],
  ['GET /api/webhooks/list', SUPER, ['companyId', 'page', 'limit'], LISTED],
  ['GET /api/webhooks/get', SUPER, ['id'], FOUND],
  ['GET /api/webhooks/deliveries', SUPER, ['id', 'page', 'limit'], FOUND],
  ['POST /api/webhooks/create', SUPER, ['companyId', ...WEBHOOK], [...LISTED, ...BY_BODY, '409']],
  ['POST /api/webhooks/update', SUPER, ['id', ...WEBHOOK, 'active'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/webhooks/delete', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/webhooks/rotate-secret', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  ['POST /api/webhooks/skip', SUPER, ['id', 'changeId'], [...LISTED, ...BY_BODY, '404', '409']],
  ['POST /api/webhooks/test', SUPER, ['id'], [...LISTED, ...BY_BODY, '404']],
  [
    'GET /api/audit/list',
    'employee@acme.example',
    ['page', 'limit', 'entity', 'entityId', 'userId', 'companyId', 'actorId', 'action', 'from', 'to'],
    OWN,
  ],
  [
    'GET /api/events/list',
    'employee@acme.example',
    ['after', 'from', 'entity', 'userId', 'companyId', 'wait', 'limit'],
    ['410', ...OWN],
  ],
  ['GET /console/config', undefined, [], [...PUBLIC, '503']],
  ['GET /livez', undefined, [], ['400']],
  ['GET /readyz', undefined, [], ['400', '503']],
];

const api = await buildTestApp({}, openDemoDatabaseWithCountry);
after(() => api[Symbol.asyncDispose]());
const check = publishedSchemaCheck();
const served = (await api.app.inject('/openapi.json')).body;
interface Published {
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: {
    securitySchemes: Record<string, unknown>;
    schemas: Record<string, unknown>;
    responses: Record<string, Answer>;
  };
}
const published = JSON.parse(served) as Published;
const document = withoutReferences(published);

/** What the document says of a status of an operation, wherever it says it. */
function answerAt({ responses }: Operation, status: number | 'default'): Answer {
  return responses[status] ?? assert.fail(`nothing is said of ${status}`);
}

function publishedAt(path: string, method: string): Operation {
  return published.paths[path]?.[method.toLowerCase()] ?? assert.fail(`${method} ${path}`);
}

/** What a schema that is nothing but a reference refers to. */
function componentAt(schema: object): unknown {
  const { $ref = '' } = schema as { $ref?: string };
  const name = $ref.split('/').at(-1) ?? '';
  return published.components.schemas[name] ?? assert.fail(`${JSON.stringify(schema).slice(0, 200)} names nothing`);
}

function projectFile(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

describe('the OpenAPI document', () => {
  it('is what the operations say', () => {
    assert.ok(served === openApiText(OPERATIONS), 'openapi.json is not what the operations say: npm run openapi');
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
    assert.deepEqual(operations.sort(), EXPECTED.map(([operation]) => operation).sort());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    assert.equal(new Set(ids).size, EXPECTED.length);
  });
});

/** Values of the fields of a profile, and whether they are taken. */
const VALUES: Readonly<Record<string, readonly (readonly [value: unknown, isTaken: boolean])[]>> = {
  firstName: [
    ['A', true],
    ['é'.repeat(100), true],
    ['', false],
    ['  ', false],
    ['a'.repeat(101), false],
    [null, false],
    [7, false],
  ],
  phone: [
    ['+91 00000 54321', true],
    ['(020) 7946-0000', true],
    ['12', false],
    ['+91-x', false],
    [null, false],
  ],
  dateOfBirth: [
    ['1990-05-14', true],
    ['1990-05-14T00:00:00.000Z', true],
    ['14.05.1990', false],
    [null, false],
  ],
  gender: [
    ['Other', true],
    ['x'.repeat(51), false],
    [null, false],
  ],
  addressLine2: [
    ['', true],
    [null, true],
    ['x'.repeat(255), true],
    ['x'.repeat(256), false],
  ],
  pincode: [
    ['560 001', true],
    ['12', false],
    ['1234567890123', false],
    ['56_001', false],
  ],
};

describe('what is published of the fields of a profile', () => {
  const { schema } = publishedAt('/api/users/update-profile', 'POST').requestBody?.content['application/json'] ?? {};
  const validate = schemaValidator(published, schema ?? assert.fail('no body'));
  for (const [field, values] of Object.entries(VALUES)) {
    it(`is what the service takes as ${field}`, async () => {
      for (const [value, isTaken] of values) {
        const payload = { [field]: value };
        const sent = { method: 'POST' as const, url: '/api/users/update-profile', payload };
        const { statusCode } = await api.send({ ...sent, as: 'employee@acme.example' });
        assert.equal(statusCode, isTaken ? 200 : 400, JSON.stringify(value));
        assert.equal(validate(payload), isTaken, JSON.stringify(value));
      }
    });
  }
});

describe('the words of the document', () => {
  const { schemas } = published.components as { schemas: Record<string, { enum?: readonly string[] }> };
  it('are listed: roles, kinds of clients, scopes and the codes of errors', () => {
    assert.deepEqual(schemas.Role?.enum, ROLES);
    assert.deepEqual(schemas.CompanyRole?.enum, COMPANY_ROLES);
    assert.deepEqual(schemas.ErrorCode?.enum, Object.keys(ERROR_STATUS));
    for (const name of ['SystemRole', 'ClientType', 'Scope', 'EntityName', 'FieldErrorCode']) {
      assert.ok(schemas[name]?.enum?.length, name);
    }
  });

  it('stand under one name wherever they are answered or taken', () => {
    const roles = [...served.matchAll(/"(?:role|roleRequired)": \{\s*(?:"in"[^{}]*)?("\$ref": "[^"]*)?/g)];
    assert.ok(roles.length > 5);
    for (const [text, reference] of roles) assert.match(reference ?? '', /Role$/, text);
  });
});

for (const [name, caller, fields, errors] of EXPECTED) {
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
      const isTable = operation.requestBody?.content['text/csv'] !== undefined;
      const hasQuery = method === 'GET' || isTable;
      assert.deepEqual(inQuery.map((field) => field.name).sort(), hasQuery ? fields.toSorted() : []);
      for (const field of inQuery) assert.equal(field.required, isRequired(path, field.name), field.name);
      if (method === 'GET' || fields.length === 0) return assert.equal(operation.requestBody, undefined);
      if (isTable) return assert.equal(operation.requestBody?.required, true);
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

    it('names the form of its answer and of its payload', () => {
      const { schema } = publishedAt(path, method).responses[200]?.content?.['application/json'] ?? assert.fail();
      const answer = componentAt(schema) as { properties: { data: { items?: object } } };
      const { data } = answer.properties;
      assert.ok(componentAt(data.items ?? data));
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
        ...csvOf(operation),
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

/** The table that is the example of a body, without its rows: those are of departments that nobody has. */
function csvOf({ requestBody }: Operation) {
  const table = (requestBody?.content['text/csv'] as { example?: string } | undefined)?.example;
  return table === undefined ? {} : { headers: { 'content-type': 'text/csv' }, payload: table.split('\n', 1)[0] ?? '' };
}

/** Whether the operation changes what belongs to companies. */
function isAdministered(path: string): boolean {
  return /\/(?:create|update|save|delete|revoke|grant-role|revoke-role|record|rotate-secret|skip|test|import)$/.test(
    path,
  );
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
