import type { TObject } from 'typebox';
import { ErrorSchema, ProblemSchema } from '../http/error-answers.ts';
import type { Method, Operation } from '../operations/operation.ts';
import { ABOUT, DESCRIBED_HEADERS, SECURITY } from './about.ts';
import { ANY_OTHER_ERROR, errorName, errorResponses, errorStatuses } from './error-responses.ts';

/** The OpenAPI document as it is served and published. */
export function openApiText(operations: readonly Operation<never>[]): string {
  return `${JSON.stringify(describeOperations(operations), null, 2)}\n`;
}

/** A JSON schema, as far as the document is made from it. */
interface Schema {
  type?: string | readonly string[];
  title?: string;
  description?: string;
  examples?: readonly unknown[];
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
}

/** An OpenAPI 3.1 document. */
export interface ApiDocument {
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, Schema>; [kind: string]: unknown };
  [part: string]: unknown;
}

/** Describes operations: each method of each, with every status and header that it can give. Schemas with a title are named by it. */
export function describeOperations(operations: readonly Operation<never>[]): ApiDocument {
  const schemas: Record<string, Schema> = {};
  const paths: ApiDocument['paths'] = {};
  for (const schema of [ErrorSchema, ProblemSchema] as readonly object[]) named(schema, schemas);
  for (const operation of operations.filter(({ standard }) => standard === undefined)) {
    for (const method of operation.methods) {
      const methods = paths[operation.path] ?? {};
      methods[method.toLowerCase()] = describe(operation, method, schemas);
      paths[operation.path] = methods;
    }
  }
  return {
    ...ABOUT,
    paths,
    components: { schemas, responses: errorResponses(), headers: DESCRIBED_HEADERS, ...SECURITY.components },
  };
}

function describe(operation: Operation<never>, method: Method, schemas: Record<string, Schema>) {
  const { operationId, methods, summary, description, tag, access, input } = operation;
  const suffix = method === methods[0] ? '' : `By${method === 'GET' ? 'Get' : 'Post'}`;
  const parameters = [...(method === 'GET' ? queryParameters(input) : []), ...versionParameters(operation, method)];
  return {
    operationId: `${operationId}${suffix}`,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(method === 'POST' && input ? { requestBody: bodyOf(input, schemas) } : {}),
    security: access.name === 'public' ? [] : SECURITY.required,
    responses: responsesOf(operation, method, schemas),
  };
}

function queryParameters(input: TObject | undefined) {
  const required = (input?.required ?? []) as readonly string[];
  return Object.entries((input?.properties ?? {}) as Record<string, Schema>).map(([name, property]) => {
    const { description = '', examples, ...schema } = property;
    const example = examples === undefined ? {} : { example: examples[0] };
    return { in: 'query', name, required: required.includes(name), description, ...example, schema };
  });
}

/** The header by which a client says which version it has. */
function versionParameters({ etag, writes = false }: Operation<never>, method: Method) {
  const description =
    etag === 'If-Match'
      ? 'The ETag of what was read: 412 where it has changed since'
      : 'The ETag of an earlier answer: the same again is answered with 304';
  const isSent = etag === 'If-Match' ? writes : etag === 'If-None-Match' && method === 'GET';
  return isSent ? [{ in: 'header', name: etag, required: false, description, schema: { type: 'string' } }] : [];
}

function bodyOf(input: TObject, schemas: Record<string, Schema>) {
  const schema = named(input as Schema, schemas);
  const flag = schema.properties?.isPaginationNeeded;
  // Spec., List cities: "true or the string true".
  const either = { ...flag, type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] };
  const properties = flag ? { ...schema.properties, isPaginationNeeded: either } : schema.properties;
  const required = ((input.required ?? []) as readonly string[]).length > 0;
  return { required, content: { 'application/json': { schema: { ...schema, properties } } } };
}

function responsesOf(operation: Operation<never>, method: Method, schemas: Record<string, Schema>) {
  const { etag, output, message } = operation;
  const hasTag = etag !== undefined && (etag !== 'If-None-Match' || method === 'GET');
  const headers = headerReferences(['X-Request-Id', ...(hasTag ? ['ETag'] : [])]);
  const whole = output.schema(message) as Schema;
  const content = { schema: named(whole, schemas), ...examplesOf(whole) };
  const errors = errorStatuses(operation, method).map((status) => [status, errorName(status)] as const);
  return {
    200: { description: 'Success', headers, content: { 'application/json': content } },
    ...(etag === 'If-None-Match' && method === 'GET'
      ? { 304: { description: 'If-None-Match names the present version', headers } }
      : {}),
    ...Object.fromEntries(
      [...errors, ['default', ANY_OTHER_ERROR]].map(([status, name]) => [
        status,
        { $ref: `#/components/responses/${name}` },
      ]),
    ),
  };
}

function headerReferences(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The schema, those in it that have a title put into `schemas` and referred to. */
function named(schema: Schema, schemas: Record<string, Schema>): Schema {
  const { title, ...rest } = schema;
  const inside: Schema = {
    ...rest,
    ...(schema.items ? { items: named(schema.items, schemas) } : {}),
    ...(schema.properties
      ? {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, property]) => [name, named(property, schemas)]),
          ),
        }
      : {}),
  };
  if (title === undefined) return inside;
  schemas[title] = inside;
  return { $ref: `#/components/schemas/${title}` } as Schema;
}

/** A list that is paginated on request has an example of either answer. */
function examplesOf(whole: Schema): object {
  const value = exampleOf(whole) as Record<string, unknown>;
  if (!('pagination' in value) || whole.required?.includes('pagination')) return { example: value };
  const { pagination: _, ...full } = value;
  return {
    examples: {
      full: { summary: 'The full list (abridged)', value: full },
      page: { summary: 'With isPaginationNeeded (abridged)', value },
    },
  };
}

function exampleOf(schema: Schema & { const?: unknown }): unknown {
  const [example = schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.items) return [exampleOf(schema.items)];
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exampleOf(property)]);
  return Object.fromEntries(entries);
}
