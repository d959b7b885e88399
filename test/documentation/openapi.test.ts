import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { FURTHER_FIELDS } from '../../assets/openapi/bodies.ts';
import { openApiText } from '../../assets/openapi/openapi.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { ERROR_STATUS } from '../../src/entities/api-error.ts';
import { COMPANY_ROLES, ROLES } from '../../src/entities/roles.ts';
import { isFieldOfKeys } from '../../src/entities/user.ts';
import { dataOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { publishedSchemaCheck, schemaValidator } from '../support/matches-schema.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { EXPECTED } from './expected-operations.ts';
import { answerAt, componentAt, document, type Operation, published, publishedAt } from './published-document.ts';

const api = await buildTestApp({}, openDemoDatabase);
after(() => api[Symbol.asyncDispose]());
const check = publishedSchemaCheck();
const served = (await api.app.inject('/openapi.json')).body;
function projectFile(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}

describe('the OpenAPI document', () => {
  it('the served OpenAPI document is the one generated from the operations', () => {
    const asStored = { ...JSON.parse(served), servers: [{ url: '/', description: 'This service' }] };
    assert.deepEqual(asStored, JSON.parse(openApiText(OPERATIONS)), 'npm run openapi');
    assert.equal(projectFile('openapi.json'), openApiText(OPERATIONS), 'npm run openapi');
  });

  it('the OpenAPI document is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(served));
    assert.ok(valid, JSON.stringify(errors));
    assert.match(served, /^\{"openapi":"3\.1\.\d"/);
  });

  it('the OpenAPI document has the version of the package and the notice of the geography data', () => {
    assert.equal(document.info.version, JSON.parse(projectFile('package.json')).version);
    assert.match(document.info.description, /Countries States Cities Database.*ODbL/s);
  });

  it('the OpenAPI document has all operations and no others, each with a unique name', () => {
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
    ['', true],
    [null, true],
  ],
  dateOfBirth: [
    ['1990-05-14', true],
    ['1990-05-14T00:00:00.000Z', true],
    ['14.05.1990', false],
    ['', true],
    [null, true],
  ],
  gender: [
    ['Other', true],
    ['x'.repeat(51), false],
    ['', true],
    [null, true],
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
    ['', true],
    [null, true],
  ],
};

describe('what is published of the fields of a profile', () => {
  const { schema } = publishedAt('/api/users/update-profile', 'POST').requestBody?.content['application/json'] ?? {};
  const validate = schemaValidator(published, schema ?? assert.fail('no body'));
  for (const [field, values] of Object.entries(VALUES)) {
    it(`the published schema of ${field} accepts what the service accepts`, async () => {
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
  const { schemas } = published.components as {
    schemas: Record<string, { enum?: readonly string[]; 'x-extensible-enum'?: readonly string[] }>;
  };
  it('the OpenAPI document lists roles, client types, scopes, entities and error codes', () => {
    assert.deepEqual(schemas.Role?.enum, ROLES);
    assert.deepEqual(schemas.CompanyRole?.enum, COMPANY_ROLES);
    assert.deepEqual(schemas.ErrorCode?.['x-extensible-enum'], Object.keys(ERROR_STATUS));
    for (const name of ['SystemRole', 'ClientType', 'Scope', 'EntityName']) {
      assert.ok(schemas[name]?.enum?.length, name);
    }
  });

  it('the OpenAPI document refers to one schema wherever a role is returned or accepted', () => {
    const roles = [...served.matchAll(/"(?:role|roleRequired)":\{(?:"in"[^{}]*|"anyOf":\[\{)?("\$ref":"[^"]*)?/g)];
    assert.ok(roles.length > 5);
    for (const [text, reference] of roles) assert.match(reference ?? '', /Role$/, text);
  });
});

/** Paths of reads that take their fields from a body as well. */
const MAY_LACK_BODY = [
  ...['users/profile', 'users/update-profile', 'users/update-traveller'],
  ...['cities/list', 'states/list', 'countries/list'],
].map((path) => `/api/${path}`);

for (const [name, caller, expectedFields, errors] of EXPECTED) {
  const fields = expectedFields.map((field) => field.replace('!', ''));
  const [method = '', path = ''] = name.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  assert.ok(operation, name);

  describe(name, () => {
    it(`${name} has a summary, a description and a known tag`, () => {
      assert.ok(operation.summary && operation.description);
      assert.equal(operation.tags?.length, 1);
      assert.ok(
        document.tags.some(({ name: tag }) => tag === operation.tags?.[0]),
        `no tag ${operation.tags}`,
      );
    });

    it(`${name} ${caller === undefined ? 'is public' : 'needs an access token'}`, () => {
      const schemes = operation.security.flatMap((each) => Object.keys(each));
      assert.equal(schemes.length > 0, caller !== undefined);
      for (const scheme of schemes) assert.ok(document.components.securitySchemes[scheme], scheme);
    });

    it(`${name} has the fields of the specification in its query or body, each with a description`, () => {
      const inQuery = (operation.parameters ?? []).filter(({ in: where }) => where === 'query');
      for (const { name: field, description } of operation.parameters ?? []) assert.ok(description, field);
      const isTable = operation.requestBody?.content['text/csv'] !== undefined;
      const hasQuery = method === 'GET' || isTable;
      assert.deepEqual(inQuery.map((field) => field.name).sort(), hasQuery ? fields.toSorted() : []);
      for (const field of inQuery) assert.equal(field.required, expectedFields.includes(`${field.name}!`), field.name);
      if (method === 'GET' || fields.length === 0) return assert.equal(operation.requestBody, undefined);
      if (isTable) return assert.equal(operation.requestBody?.required, true);
      const { required, content } = operation.requestBody ?? assert.fail('no body');
      assert.equal(required, !MAY_LACK_BODY.includes(path));
      assert.deepEqual(Object.keys(content), ['application/json']);
      const properties = content['application/json']?.schema.properties ?? {};
      assert.deepEqual(Object.keys(properties).sort(), fields.toSorted());
    });

    it(`${name} has its answers and errors, with valid examples`, () => {
      const { 304: notModified, default: _, ...responses } = operation.responses;
      const expected = ['200', ...errors].sort();
      assert.deepEqual(Object.keys(responses).sort(), expected);
      const hasTag = method === 'GET' && 'ETag' in (answerAt(operation, 200).headers ?? {});
      assert.equal(
        notModified !== undefined,
        hasTag && !operation.parameters?.some(({ name: each }) => each === 'If-Match'),
      );
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

    it(`${name} names the schema of its data`, () => {
      const { schema } = publishedAt(path, method).responses[200]?.content?.['application/json'] ?? assert.fail();
      const answer = componentAt(schema) as { properties: { data: { items?: object } } };
      const { data } = answer.properties;
      assert.ok(componentAt(data.items ?? data));
    });

    it(`${name} with the parameters of its examples answers as published`, async () => {
      const further = FURTHER_FIELDS[operation.operationId] ?? [];
      const required = (operation.parameters ?? []).filter((each) => each.required || further.includes(each.name));
      const query = new URLSearchParams(
        required.map((parameter): [string, string] => [parameter.name, String(parameter.example)]),
      );
      const { properties = {}, required: names = [] } =
        operation.requestBody?.content['application/json']?.schema ?? {};
      const payload = Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => !isFieldOfKeys(name))
          .flatMap(([name, { examples = [] }]) => examples.map((example) => [name, example])),
      );
      const request = {
        method: method as 'GET' | 'POST',
        url: `${path}?${query}`,
        ...(names.length ? { payload } : {}),
        ...csvOf(operation),
      };
      const response = await (path === '/api/api-keys/self'
        ? byKey(request)
        : api.send(caller === undefined ? request : { ...request, as: caller }));
      // What the examples of a write are of is there already, in use, or never was.
      const right =
        names.length > 0 ||
        /^\/api\/(?:cost-centers|directories|fields|group-mappings|groups|legal-entities|roles|sign-in-connections|webhooks)\//.test(
          path,
        )
          ? [200, 404, 409]
          : [200];
      // The address of the example leads nowhere, and its domain is not proven.
      if (/^\/api\/(?:webhooks|sign-in-connections)\/create$/.test(path)) right.push(400);
      // A policy or a person is needed, and either will do.
      if (name === 'GET /api/approval-policies/evaluate') right.push(400);
      assert.ok(right.includes(response.statusCode), response.body.slice(0, 500));
      // To check the full list of cities takes longer than all else.
      if (path !== '/api/cities/list') check({ method, path }, response);
    });
  });
}

/** Sends a request by a new API key. */
async function byKey(request: InjectOptions): Promise<LightMyRequestResponse> {
  const payload = { name: 'Tried', scopes: ['users.read'] };
  const as = 'super.admin@orgdesk.example';
  const made = await api.send({ method: 'POST', url: '/api/api-keys/create', payload, as });
  return api.app.inject({ ...request, headers: { authorization: `Bearer ${dataOf<{ key: string }>(made).key}` } });
}

/** The table that is the example of a body, without its rows: those are of departments that nobody has. */
function csvOf({ requestBody }: Operation) {
  const table = (requestBody?.content['text/csv'] as { example?: string } | undefined)?.example;
  return table === undefined ? {} : { headers: { 'content-type': 'text/csv' }, payload: table.split('\n', 1)[0] ?? '' };
}

function answerOf(statusCode: number, type: string, value: unknown): LightMyRequestResponse {
  const answer = { statusCode, headers: { 'content-type': type }, body: JSON.stringify(value), json: () => value };
  return answer as unknown as LightMyRequestResponse;
}
