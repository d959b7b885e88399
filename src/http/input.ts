import { parse } from 'node:querystring';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { apiErrors, type FieldProblem, type FieldProblemCode } from '../lib/errors.ts';
import { isCanonicalUuid } from '../lib/uuid.ts';
import { ONLY_WITH } from './pagination.ts';

/** What a value turned out to be: itself, checked and typed, or why it cannot be that. */
type Reading = { value: unknown } | { code: FieldProblemCode; expected: string };
type Reader = (raw: unknown) => Reading;

/** The keywords of JSON Schema that parameters use. */
interface ParameterSchema extends TSchema {
  type?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  [ONLY_WITH]?: string;
}

interface Parameter {
  name: string;
  required: boolean;
  onlyWith: string | undefined;
  read: Reader;
}

function integerReader({ minimum, maximum }: ParameterSchema): Reader {
  const lower = minimum ?? Number.MIN_SAFE_INTEGER;
  const upper = maximum ?? Number.MAX_SAFE_INTEGER;
  const bounds =
    maximum === undefined ? (minimum === undefined ? '' : ` of at least ${minimum}`) : ` from ${lower} to ${upper}`;
  const expected = `must be a whole number${bounds}`;
  return (raw) => {
    const value = typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
    // Some hundred digits make an infinite number: a whole one that is out of range.
    const isBroken = typeof value !== 'number' || (Number.isFinite(value) && !Number.isInteger(value));
    if (isBroken) return { code: 'INVALID_TYPE', expected };
    // Beyond 2^53 a number has been rounded already: it is not what the caller wrote.
    if (!Number.isSafeInteger(value) || value < lower || value > upper) return { code: 'OUT_OF_RANGE', expected };
    return { value };
  };
}

const readBoolean: Reader = (raw) => {
  if (raw === true || raw === 'true') return { value: true };
  if (raw === false || raw === 'false') return { value: false };
  return { code: 'INVALID_TYPE', expected: 'must be true or false' };
};

const readUuid: Reader = (raw) =>
  typeof raw === 'string' && isCanonicalUuid(raw)
    ? { value: raw.toLowerCase() }
    : { code: 'INVALID_FORMAT', expected: 'must be a UUID such as 123e4567-e89b-42d3-a456-426614174000' };

function textReader({ maxLength = Number.POSITIVE_INFINITY }: ParameterSchema): Reader {
  return (raw) => {
    if (typeof raw !== 'string') return { code: 'INVALID_TYPE', expected: 'must be a text' };
    if (isLonger(raw, maxLength)) return { code: 'TOO_LONG', expected: `must have at most ${maxLength} characters` };
    if (!isStorable(raw)) return { code: 'INVALID_VALUE', expected: 'must not hold NUL or half of a surrogate pair' };
    return { value: raw };
  };
}

/** In code points, as JSON Schema counts. */
function isLonger(text: string, maximum: number): boolean {
  return text.length > maximum && (text.length > 2 * maximum || [...text].length > maximum);
}

/** PostgreSQL takes neither NUL nor half of a surrogate pair in a text. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function readerFor(schema: ParameterSchema): Reader {
  switch (schema.type) {
    case 'integer':
      return integerReader(schema);
    case 'boolean':
      return readBoolean;
    case 'string':
      return schema.format === 'uuid' ? readUuid : textReader(schema);
    default:
      throw new TypeError(`No reader for a parameter of the type ${schema.type}`);
  }
}

/**
 * Makes the function that checks a list's parameters against their schema, from a query string or a JSON body alike:
 * integers come as numbers or as digit strings, booleans as such or as `"true"` and `"false"`, unknown parameters are
 * left out, an empty or null one counts as absent, one that is given twice is refused. All problems are told at once.
 *
 * A schema with the keyword `x-only-with` is read only where the named boolean parameter is true.
 */
export function compileListInput(schema: TObject): (raw: unknown) => Record<string, unknown> {
  const parameters = Object.entries<ParameterSchema>(schema.properties).map(
    ([name, property]): Parameter => ({
      name,
      required: schema.required?.includes(name) ?? false,
      onlyWith: property[ONLY_WITH],
      read: readerFor(property),
    }),
  );
  // Those that others depend on are read first.
  parameters.sort((a, b) => Number(a.onlyWith !== undefined) - Number(b.onlyWith !== undefined));

  return (raw) => {
    const given = (raw ?? {}) as Record<string, unknown>;
    const input: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    for (const { name, required, onlyWith, read } of parameters) {
      if (onlyWith !== undefined && input[onlyWith] !== true) continue;
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined || value === null || value === '') {
        if (required) problems.push(problem(name, 'REQUIRED', 'is required'));
        continue;
      }
      const reading = readOne(value, read);
      if ('value' in reading) input[name] = reading.value;
      else problems.push(problem(name, reading.code, reading.expected));
    }
    if (problems.length > 0) throw apiErrors.invalidInput(problems);
    return input;
  };
}

function readOne(value: unknown, read: Reader): Reading {
  // The query parser gives a list for a name that comes twice.
  return Array.isArray(value) ? { code: 'DUPLICATE', expected: 'must be given once, as one value' } : read(value);
}

/** Names that come twice give a list. All names count, however many there are. */
function parseQuery(text: string): unknown {
  return parse(text, '&', '=', { maxKeys: 0 });
}

function problem(field: string, code: FieldProblemCode, expected: string): FieldProblem {
  return { field, code, message: `${field} ${expected}.` };
}

/** A function that checks raw input and gives what the handler works with, or throws an ApiError. */
export type InputCheck = (raw: unknown) => unknown;

/**
 * The router's `querystringParser`, which leaves the text as it is: it is asked before anybody knows whether the query will be read.
 * {@link validateWith} parses it where it is.
 */
export function unparsedQuery(text: string): Record<string, unknown> {
  // The router hands on whatever it is given.
  return text as unknown as Record<string, unknown>;
}

/**
 * A `validatorCompiler` of checks: what the check gives becomes the request's `query` or `body`.
 * `compile` makes the check of a schema.
 */
export function validateWith(compile: (schema: TObject) => InputCheck): FastifySchemaCompiler<FastifySchema> {
  return ({ schema }) => {
    const check = compile(schema as TObject);
    return (raw: unknown) => {
      try {
        return { value: check(typeof raw === 'string' ? parseQuery(raw) : raw) };
      } catch (error) {
        return { error: error as Error };
      }
    };
  };
}
