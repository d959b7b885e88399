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
  requestBody?: { required: boolean; content: Record<string, { schema: { properties: Record<string, unknown> } }> };
  security: Record<string, string[]>[];
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
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

/** The operations, who may call them, their fields, and the statuses of their errors (spec., Endpoints). */
const OPERATIONS: readonly (readonly [
  operation: string,
  caller: string | undefined,
  fields: string[],
  errors: string[],
])[] = [
  ['GET /api/users/profile', 'employee@acme.example', [], ['401']],
  ['POST /api/users/profile', 'employee@acme.example', [], ['401']],
  ['GET /api/users/update-profile', 'employee@acme.example', PROFILE_FIELDS, ['400', '401', '403', '412']],
  ['POST /api/users/update-profile', 'employee@acme.example', PROFILE_FIELDS, ['400', '401', '403', '412']],
  ['GET /api/cities/list', undefined, [...ON_REQUEST, 'stateId', 'countryId'], ['400']],
  ['POST /api/cities/list', undefined, [...ON_REQUEST, 'stateId', 'countryId'], ['400']],
  ['GET /api/states/list', undefined, [...ON_REQUEST, 'countryId'], ['400']],
  ['POST /api/states/list', undefined, [...ON_REQUEST, 'countryId'], ['400']],
  ['GET /api/countries/list', undefined, ON_REQUEST, ['400']],
  ['POST /api/countries/list', undefined, ON_REQUEST, ['400']],
  ['GET /api/companies/list', 'super.admin@orgdesk.example', [...PAGING, 'activeOnly'], ['400', '401', '403']],
  ['GET /api/approval-policies/list', 'admin@acme.example', [...PAGING, 'companyId'], ['400', '401', '403']],
  ['GET /api/departments/list', 'manager@acme.example', [...PAGING, 'companyId'], ['400', '401', '403']],
  ['GET /api/audit/list', 'employee@acme.example', ['page', 'limit', 'userId', 'companyId'], ['400', '401', '403']],
  ['GET /api/events/list', 'employee@acme.example', ['after', 'limit'], ['400', '401']],
  ['GET /console/config', undefined, [], []],
  ['GET /livez', undefined, [], []],
  ['GET /readyz', undefined, [], []],
];

const api = await buildTestApp({}, openDemoDatabaseWithCountry);
after(() => api[Symbol.asyncDispose]());
const check = publishedSchemaCheck(api.app);
const served = (await api.app.inject('/openapi.json')).body;
const document = JSON.parse(served) as {
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> };
};

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
      assert.ok(document.tags.some(({ name: tag }) => tag === operation.tags?.[0]));
    });

    it(caller === undefined ? 'is public' : 'needs an access token', () => {
      const [scheme = ''] = Object.keys(document.components.securitySchemes);
      assert.deepEqual(operation.security, caller === undefined ? [] : [{ [scheme]: [] }]);
    });

    it('has the fields of the specification, where the method puts them, each with what it means', () => {
      const inQuery = (operation.parameters ?? []).filter(({ in: where }) => where === 'query');
      for (const { name: field, description } of operation.parameters ?? []) assert.ok(description, field);
      assert.deepEqual(inQuery.map((field) => field.name).sort(), method === 'GET' ? fields.toSorted() : []);
      for (const field of inQuery)
        assert.equal(field.required, field.name === 'companyId' && path !== '/api/audit/list', field.name);
      if (method === 'GET' || fields.length === 0) return assert.equal(operation.requestBody, undefined);
      const { required, content } = operation.requestBody ?? assert.fail('no body');
      assert.equal(required, false);
      assert.deepEqual(Object.keys(content), ['application/json']);
      const properties = content['application/json']?.schema.properties ?? {};
      assert.deepEqual(Object.keys(properties).sort(), fields.toSorted());
    });

    it('has its answers and errors, with examples that are what they are examples of', () => {
      const { 304: notModified, default: anyOther, ...responses } = operation.responses;
      assert.deepEqual(Object.keys(responses).sort(), ['200', ...errors]);
      assert.ok(anyOther?.description);
      assert.equal(notModified !== undefined, operation.tags?.[0] === 'Geography' && method === 'GET');
      for (const [status, { description, content }] of [...Object.entries(responses), ['503', anyOther] as const]) {
        assert.ok(description && !/default response/i.test(description));
        const types = ['application/json', ...(status === '200' ? [] : ['application/problem+json'])];
        assert.deepEqual(Object.keys(content ?? {}), types);
        for (const [type, { example, examples = {} }] of Object.entries(content ?? {})) {
          const values = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
          assert.ok(values.length > 0, `${status} ${type} has no example`);
          for (const value of values) check({ method, path }, answerOf(Number(status), type, value));
        }
      }
    });

    it('names the form of its payload', () => {
      const { data } = operation.responses[200]?.content?.['application/json']?.schema.properties ?? assert.fail();
      const name = (data.items ?? data).$ref?.split('/').at(-1) ?? '';
      assert.ok(document.components.schemas[name], name);
    });

    it('works as it is documented, with the parameters of its examples', async () => {
      const required = (operation.parameters ?? []).filter((parameter) => parameter.required);
      const query = new URLSearchParams(
        required.map((parameter): [string, string] => [parameter.name, String(parameter.example)]),
      );
      const request = { method: method as 'GET' | 'POST', url: `${path}?${query}` };
      const response = await api.send(caller === undefined ? request : { ...request, as: caller });
      assert.equal(response.statusCode, 200, response.body.slice(0, 500));
      // To check the full list of cities takes longer than all else.
      if (path !== '/api/cities/list') check({ method, path }, response);
    });
  });
}

function answerOf(statusCode: number, type: string, value: unknown): LightMyRequestResponse {
  const answer = { statusCode, headers: { 'content-type': type }, body: JSON.stringify(value), json: () => value };
  return answer as unknown as LightMyRequestResponse;
}
