import { LIST_OF, type ListOf } from '../../src/api/input.ts';
import type { Method, Operation } from '../../src/api/operation.ts';
import type { CursorPagination } from '../../src/api/pagination.ts';
import { ApiErrorSchema, ProblemSchema } from '../../src/http/response/error-responses.ts';
import { ABOUT, DESCRIBED_HEADERS, SECURITY_SCHEMES, TAGS } from './about.ts';
import { jsonBody, withKnownFormat } from './bodies.ts';
import { type Components, components, exampleOf, type Schema } from './components.ts';
import { errorResponses } from './error-responses.ts';
import { withExternalIds } from './external-ids.ts';
import { webhookMessages } from './webhooks.ts';

/** The OpenAPI document as it is served and published. */
export function openApiText(operations: readonly Operation<never>[]): string {
  return `${JSON.stringify(describeOperations(operations), null, 2)}\n`;
}

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { [kind: string]: Readonly<Record<string, unknown>> };
  [part: string]: unknown;
}

/** Describes operations: each method of each, with every status and header that it can give. Schemas with a title are named by it. */
export function describeOperations(operations: readonly Operation<never>[]): ApiDocument {
  const shared = components();
  const paths: ApiDocument['paths'] = {};
  for (const schema of [ApiErrorSchema, ProblemSchema] as readonly object[]) shared.schema(schema);
  for (const operation of operations.filter(({ standard }) => standard === undefined)) {
    for (const method of operation.methods) {
      const methods = paths[operation.path] ?? {};
      methods[method.toLowerCase()] = describe(operation, method, shared);
      paths[operation.path] = methods;
    }
  }
  return {
    ...ABOUT,
    tags: TAGS.toSorted((one, other) => rankOf(one.name) - rankOf(other.name)).map(({ name, description }) => ({
      name,
      description,
    })),
    paths,
    webhooks: webhookMessages(shared),
    components: { ...shared.all, headers: DESCRIBED_HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

function describe(operation: Operation<never>, method: Method, shared: Components) {
  const { operationId, methods, summary, description, tag, input } = operation;
  const name = `${operationId}${method === methods[0] ? '' : `By${method === 'GET' ? 'Get' : 'Post'}`}`;
  const parameters = [
    ...(method === 'GET' || operation.takesCsv ? queryParameters(operation, shared) : []),
    ...versionParameters(operation, method),
    ...keyParameters(operation, method),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary,
    description: `${description}${keysOf(operation)}${sizeOf(operation, method)}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.takesCsv ? { requestBody: CSV_BODY } : {}),
    ...(method === 'POST' && input && !operation.takesCsv ? { requestBody: jsonBody(operation, name, shared) } : {}),
    security: securityOf(operation),
    responses: responsesOf(operation, method, shared),
  };
}

/** The groups of the contract, in its order; the others follow by name. */
const OF_THE_CONTRACT = ['Profile', 'Geography', 'Companies', 'Approval policies', 'Departments'];

function rankOf(tag: string): number {
  return OF_THE_CONTRACT.includes(tag) ? OF_THE_CONTRACT.indexOf(tag) : OF_THE_CONTRACT.length;
}

/** A person's token, and an API key with the scope of the operation, as far as these are admitted. */
function securityOf({ access, scope }: Operation<never>): Record<string, string[]>[] {
  if (access.name === 'public') return [];
  return [
    ...(access.name === 'key' ? [] : [{ accessToken: [] }]),
    ...(scope === undefined ? [] : [{ apiKey: scope === 'any' ? [] : [scope] }]),
  ];
}

/** Who calls it by an API key, in words: not every tool shows the scopes of a scheme. */
function keysOf({ access, scope }: Operation<never>): string {
  if (access.name === 'public') return '';
  if (scope === undefined) return ' Not for API keys.';
  return scope === 'any' ? '' : ` API keys need the scope \`${scope}\`.`;
}

/** How large the body may be, where that is not the usual size. */
function sizeOf({ bodyLimit }: Operation<never>, method: Method): string {
  if (bodyLimit === undefined || method === 'GET') return '';
  const kibibytes = bodyLimit / 1024;
  return ` The body may have up to ${kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`}.`;
}

const CSV_BODY = {
  required: true,
  description: 'CSV (UTF-8, RFC 4180, with a header), or the table of an HR system, as CSV or as a workbook',
  content: {
    'text/csv': {
      schema: { type: 'string' },
      example: 'email,firstName,lastName,department\nnew@acme.example,Asha,Rao,FIN-100\n',
    },
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
      schema: { type: 'string' },
    },
  },
};

function queryParameters(operation: Operation<never>, shared: Components) {
  const { input } = operation;
  const required = (input?.required ?? []) as readonly string[];
  const { properties = {} } = withExternalIds(operation, (input ?? {}) as Schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', examples, ...schema } = property;
    const list = (property as { [LIST_OF]?: ListOf })[LIST_OF];
    const [first] = examples ?? (list && 'enum' in list ? list.enum : []);
    const example = first === undefined ? {} : { example: first };
    const described = shared.given(withKnownFormat(withoutNull(schema)));
    return {
      ...{ in: 'query', name, required: required.includes(name), description },
      // An object is one JSON text: as form fields, its names would be parameters.
      ...('type' in schema && schema.type === 'object'
        ? { content: { 'application/json': { schema: described, ...example } } }
        : { ...example, schema: described }),
    };
  });
}

/** A query has no null: an empty value clears. */
function withoutNull(schema: Schema): Schema {
  const { type } = schema as { type?: unknown };
  if (!Array.isArray(type)) return schema;
  const types = type.filter((each) => each !== 'null');
  return { ...schema, type: types.length === 1 ? types[0] : types } as Schema;
}

/** The header by which a client says which version it has. */
function versionParameters(operation: Operation<never>, method: Method) {
  const name = isConditional(operation, method)
    ? 'If-None-Match'
    : operation.etag === 'If-Match'
      ? 'If-Match'
      : undefined;
  if (name === undefined || (name === 'If-Match' && !operation.writes)) return [];
  const description =
    name === 'If-Match'
      ? 'ETag of the state that was read; 412 if it has changed since'
      : 'ETag of an earlier response; 304 if it is unchanged';
  return [{ in: 'header', name, required: false, description, schema: { type: 'string' } }];
}

/** Returns whether a read answers 304 to whoever has the present version. */
function isConditional({ etag, writes = false }: Operation<never>, method: Method): boolean {
  return etag !== undefined && method === 'GET' && !writes;
}

/** The header by which a write is carried out once. */
function keyParameters({ writes = false }: Operation<never>, method: Method) {
  if (!writes || method !== 'POST') return [];
  const description =
    'Key of this request, 1 to 255 visible characters: repeated within 24 hours, it is answered as before';
  const schema = { type: 'string', pattern: '^[!-~]{1,255}$' };
  return [{ in: 'header', name: 'Idempotency-Key', required: false, description, schema }];
}

function responsesOf(operation: Operation<never>, method: Method, shared: Components) {
  const { access, etag, output, message } = operation;
  const hasTag = etag !== undefined && (etag !== 'If-None-Match' || method === 'GET');
  const isCounted = access.name !== 'public' || access.isCounted;
  const headers = headerReferences([
    'X-Request-Id',
    ...(hasTag ? ['ETag'] : []),
    ...(isCounted ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(operation.writes && method === 'POST' ? ['Idempotent-Replayed'] : []),
  ]);
  const whole = output.schema as Schema;
  const content = { schema: shared.schema(whole), ...examplesOf(whole, message) };
  return {
    200: { description: 'Success', headers, content: { 'application/json': content } },
    ...(isConditional(operation, method)
      ? { 304: { description: 'If-None-Match matches the present version', headers } }
      : {}),
    ...errorResponses(operation, method, shared),
  };
}

function headerReferences(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A list has an example of each form of its answer. */
function examplesOf(whole: Schema, message: string): object {
  const value = { ...(exampleOf(whole) as Record<string, unknown>), message };
  if (!('pagination' in value)) return { example: value };
  const { pagination, ...full } = value as { pagination: CursorPagination };
  const { next, ...page } = pagination;
  const { totalItems, pageSize } = pagination;
  const isAlwaysPaged = whole.required?.includes('pagination');
  return {
    examples: {
      ...(isAlwaysPaged ? {} : { full: { summary: 'The full list (abridged)', value: full } }),
      page: {
        summary: isAlwaysPaged ? 'By page (abridged)' : 'With isPaginationNeeded (abridged)',
        value: { ...full, pagination: page },
      },
      after: { summary: 'With after (abridged)', value: { ...full, pagination: { totalItems, pageSize, next } } },
    },
  };
}
