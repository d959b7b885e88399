import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { EMAIL_PATTERN } from '../../src/entities/characters.ts';
import { AUDITED_ENTITIES } from '../../src/entities/entities.ts';
import type { Document } from '../../src/features/documentation/document-part.ts';
import { toOpenApi30 } from '../../src/features/documentation/openapi-3.0.ts';
import { schemaValidator } from '../support/matches-schema.ts';
import { published, publishedAt } from './published-document.ts';

interface Part {
  [key: string]: unknown;
  properties?: Record<string, Part>;
  items?: Part;
}

const webhooks = (published as unknown as { webhooks: Record<string, { post: Part }> }).webhooks;
const { schemas } = published.components as { schemas: Record<string, Part> };

/** Every part of the document, with where it is. */
function* parts(part: unknown, path = '#'): Generator<[string, Part]> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield [path, part as Part];
  for (const [name, inner] of Object.entries(part)) yield* parts(inner, `${path}/${name}`);
}

/** What a JSON body is, with its example. */
function contentOf(body: unknown): { schema: object; example: object } {
  const { content = {} } = (body ?? {}) as { content?: Record<string, { schema: object; example: object }> };
  return content['application/json'] ?? assert.fail('no JSON body');
}

describe('the contract', () => {
  it('the contract has a type for each message of a webhook', () => {
    for (const entity of AUDITED_ENTITIES) {
      for (const action of ['added', 'changed', 'removed']) assert.ok(webhooks[`${entity}.${action}`], entity);
    }
    for (const type of ['user.erased', 'test']) assert.ok(webhooks[type]);
    const content = contentOf(webhooks['user.changed']?.post.requestBody);
    const isMessage = schemaValidator(published, content.schema);
    assert.ok(isMessage(content.example));
    assert.ok(!isMessage({ ...content.example, type: 'user.added' }));
  });

  it('the contract closes the bodies of writes, and has an example of every body that it accepts', () => {
    for (const { path, methods, input, parse, takesCsv, standard } of OPERATIONS) {
      if (!methods.includes('POST') || input === undefined || takesCsv || standard) continue;
      const { schema, example } = contentOf(publishedAt(path, 'POST').requestBody);
      const isAccepted = schemaValidator(published, schema);
      assert.ok(isAccepted(example), `${path}: ${JSON.stringify(example)}`);
      const isOpen = parse === undefined || path === '/api/users/update-profile';
      assert.equal(isAccepted({ ...example, nope: 1 }), isOpen, path);
    }
  });

  it('the contract has the scope of each operation, and says which refuse API keys', () => {
    for (const { path, methods, scope, access, standard } of OPERATIONS) {
      if (access.name === 'public' || standard) continue;
      const { security, description = '' } = publishedAt(path, methods[0] ?? 'GET');
      const [key] = security.flatMap(({ apiKey }) => (apiKey ? [apiKey] : []));
      assert.deepEqual(key, scope === undefined ? undefined : scope === 'any' ? [] : [scope], path);
      assert.equal(description.includes('Not for API keys'), scope === undefined, path);
    }
  });

  it('the contract says once which scope an API key needs, and how long a body may be', () => {
    for (const { path, methods, scope, standard } of OPERATIONS) {
      if (standard) continue;
      const { description = '' } = publishedAt(path, methods[0] ?? 'GET');
      for (const said of [scope === undefined || scope === 'any' ? [] : scope, 'KiB'].flat())
        assert.ok(description.split(said).length <= 2, description);
    }
  });

  it('the contract has the RateLimit header with every answer that can be a 429', () => {
    for (const [path, methods] of Object.entries(published.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const counts = 429 in operation.responses;
        assert.equal('RateLimit' in (operation.responses[200]?.headers ?? {}), counts, `${method} ${path}`);
      }
    }
  });

  it("the contract's growing enums in answers are extensible", () => {
    assert.ok('x-extensible-enum' in (schemas.ErrorCode ?? {}));
    for (const field of ['action', 'entity']) {
      assert.ok('x-extensible-enum' in (schemas.Change?.properties?.[field] ?? {}), field);
    }
    assert.deepEqual(schemas.EntityName?.enum, [...AUDITED_ENTITIES]);
  });

  it('the contract has no defaults in bodies, only standard formats, and plain names for errors', () => {
    for (const [path, { format }] of parts(published)) {
      if (typeof format === 'string') assert.match(format, /^(?:uuid|date|date-time|uri|decimal)$/, path);
    }
    for (const [name, schema] of Object.entries(schemas)) {
      if (!name.endsWith('Body')) continue;
      for (const [path, part] of parts(schema)) {
        if (!path.endsWith('/properties')) assert.ok(!('default' in part), `${name} ${path}`);
      }
    }
    for (const name of Object.keys(published.components.responses)) assert.match(name, /^[A-Z]\w+$/);
    assert.ok(!('parameters' in published.components));
  });

  it("the contract's Problem has all properties of ApiError", () => {
    const [error, problem] = [schemas.ApiError?.properties ?? {}, schemas.Problem?.properties ?? {}];
    for (const [name, schema] of Object.entries(error)) assert.deepEqual(problem[name], schema, name);
  });

  it("the contract's pattern for e-mail addresses works with and without Unicode mode", () => {
    for (const flags of ['', 'u']) {
      const rule = new RegExp(EMAIL_PATTERN, flags);
      for (const address of ["asha.o'rao+x@acme.example", 'ü5@MÜ.example', 'a@b-c.example', '𝒶@x.example']) {
        assert.match(address, rule);
      }
      for (const address of ["'a@b.example", 'a..b@c.example', 'a@b', 'a b@c.example', 'a@-b.example', 'a@b..c']) {
        assert.doesNotMatch(address, rule);
      }
    }
  });
});

describe('the contract as OpenAPI 3.0', () => {
  const document = toOpenApi30(published as unknown as Document) as unknown as Record<string, Part>;

  it('the contract as OpenAPI 3.0 is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
    assert.equal(String(document.openapi), '3.0.3');
  });

  it('the contract as OpenAPI 3.0 has all operations and schemas, without features of 3.1', () => {
    assert.deepEqual(Object.keys(document.paths ?? {}), Object.keys(published.paths));
    const components = document.components as unknown as { schemas: Record<string, Part> };
    assert.deepEqual(Object.keys(components.schemas), Object.keys(schemas));
    for (const [path, part] of parts(components.schemas)) {
      if (path.endsWith('/properties')) continue;
      assert.ok(!Array.isArray(part.type) && part.type !== 'null', path);
      assert.ok(!('const' in part) && !Array.isArray(part.examples), path);
      if ('$ref' in part) assert.deepEqual(Object.keys(part), ['$ref'], path);
    }
    const { phone } = components.schemas.User?.properties ?? {};
    assert.deepEqual([phone?.type, phone?.nullable], ['string', true]);
  });
});
