import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describeOperations } from '../../assets/openapi/openapi.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  responses: Readonly<Record<string, Answer | { $ref: string }>>;
}

interface Answer {
  content?: Readonly<Record<string, { schema: Json }>>;
}

/** The parts of an OpenAPI document that say what an answer looks like. */
export interface ApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Json>>; responses: Readonly<Record<string, Answer>> };
}

/** The name of the document among schemas. */
const DOCUMENT = 'openapi';

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  decimal: /^-?\d+\.\d+$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
};

/** An answer, over whatever way it came. */
export interface CheckedAnswer {
  statusCode: number;
  headers: Readonly<Record<string, unknown>>;
  body: string;
  json(): unknown;
}

export type AnswerCheck = (request: { method: string; path: string }, response: CheckedAnswer) => void;

let published: AnswerCheck | undefined;

/** {@link schemaCheck} by the document of the service, one for the whole process: what is compiled once need not be again. */
export function publishedSchemaCheck(): AnswerCheck {
  published ??= schemaCheck(describeOperations(OPERATIONS) as unknown as ApiDocument);
  return published;
}

/**
 * Makes a check that an answer is what the published OpenAPI document says of its operation, status and content type, and holds
 * no property beyond that. An answer to a method or path that the document does not have must be an error.
 */
export function schemaCheck(document: ApiDocument): AnswerCheck {
  const { paths, components } = document;
  const ajv = newAjv().addSchema(closed({ paths, components }) as Json, DOCUMENT);
  const compiled = new Map<string, ValidateFunction>();

  function validatorOf(method: string, path: string, status: number, type: string): ValidateFunction {
    const key = `${method} ${path} ${status} ${type}`;
    const known = compiled.get(key);
    if (known) return known;
    const validate = ajv.getSchema(pointerTo(placeOf(document, method.toLowerCase(), path, status, type)));
    assert.ok(validate, `The document says nothing of ${key}`);
    compiled.set(key, validate);
    return validate;
  }

  return ({ method, path }, response) => {
    const type = String(response.headers['content-type']).split(';', 1)[0] ?? '';
    const validate = validatorOf(method, path, response.statusCode, type);
    if (validate(response.json())) return;
    assert.fail(`${method} ${path}: ${ajv.errorsText(validate.errors)}\n${response.body.slice(0, 1000)}`);
  };
}

/** Where the document has the schema of an answer. */
function placeOf({ paths }: ApiDocument, method: string, path: string, status: number, type: string): string[] {
  const responses = paths[path]?.[method]?.responses;
  if (responses === undefined) {
    return ['components', 'schemas', type === 'application/problem+json' ? 'Problem' : 'ApiError'];
  }
  const said = status in responses ? String(status) : 'default';
  const answer = responses[said];
  const place =
    answer && '$ref' in answer ? answer.$ref.split('/').slice(1) : ['paths', path, method, 'responses', said];
  return [...place, 'content', type, 'schema'];
}

function pointerTo(place: readonly string[]): string {
  const steps = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `${DOCUMENT}#/${steps.join('/')}`;
}

/** A check of what is sent by one schema of the document. */
export function schemaValidator(document: object, schema: object): (value: unknown) => boolean {
  const { components } = document as ApiDocument;
  return newAjv().compile({ ...schema, components: { schemas: components.schemas } });
}

function newAjv(): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    formats: FORMATS,
    keywords: ['paths', 'components', 'x-only-with', { keyword: 'x-extensible-enum', validate: isKnownWord }],
  });
}

/** What is answered now is one of the words that are known now. */
function isKnownWord(words: readonly unknown[], value: unknown): boolean {
  return words.includes(value);
}

/** The schema with every object in it closed to properties that it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closed(value)]);
  return { ...('properties' in schema ? { additionalProperties: false } : {}), ...Object.fromEntries(entries) };
}
