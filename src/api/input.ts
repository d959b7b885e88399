import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { ApiError, apiErrors } from '../entities/api-error.ts';
import { isLonger, isStorable } from '../entities/characters.ts';
import { checkKnown } from '../entities/check-fields.ts';
import { isCalendarDate } from '../entities/dates.ts';
import type { FieldProblem, FieldProblemCode } from '../entities/field-problem.ts';
import { isCanonicalUuid } from '../entities/uuid.ts';
import { boolean, type Reading, timestamp } from '../entities/values.ts';
import { ONLY_WITH } from './pagination.ts';

/** Parses a parameter; `expected` of a problem completes the parameter name to a sentence. */
type Reader = (raw: unknown) => Reading<unknown>;

/** The keywords of JSON Schema that parameters use. */
interface ParameterSchema extends TSchema {
  type?: string;
  format?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  [ONLY_WITH]?: readonly string[];
  [LIST_OF]?: ListOf;
}

/** Schema keyword of a comma-separated string: the type of its values. The check returns them as an array. */
export const LIST_OF = 'x-list-of';
export type ListOf = { type: 'integer'; maxItems: number } | { enum: readonly string[] };

interface Parameter {
  name: string;
  required: boolean;
  onlyWith: readonly string[] | undefined;
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
    // Some hundred digits parse as Infinity: a whole number that is out of range.
    const isBroken = typeof value !== 'number' || (Number.isFinite(value) && !Number.isInteger(value));
    if (isBroken) return { code: 'INVALID_TYPE', expected };
    // Beyond 2^53 the number has been rounded already: it may not be the one that was sent.
    if (!Number.isSafeInteger(value) || value < lower || value > upper) return { code: 'OUT_OF_RANGE', expected };
    return { value };
  };
}

const readBoolean: Reader = (raw) => {
  if (raw === true || raw === 'true') return { value: true };
  if (raw === false || raw === 'false') return { value: false };
  return { code: 'INVALID_TYPE', expected: `must be ${boolean.rule}` };
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

function enumReader(values: readonly string[]): Reader {
  const expected = `must be one of ${values.join(', ')}`;
  return (raw) =>
    typeof raw === 'string' && values.includes(raw) ? { value: raw } : { code: 'INVALID_VALUE', expected };
}

const readCountryCode: Reader = (raw) =>
  typeof raw === 'string' && /^[A-Za-z]{2}$/.test(raw)
    ? { value: raw.toUpperCase() }
    : { code: 'INVALID_FORMAT', expected: 'must be a code of two letters such as IN' };

/** Reads `latitude,longitude` in degrees. */
const readPosition: Reader = (raw) => {
  const parts = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : [];
  const [latitude = Number.NaN, longitude = Number.NaN] = parts.map((part) =>
    DEGREES.test(part) ? Number(part) : Number.NaN,
  );
  return parts.length === 2 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { value: { latitude, longitude } }
    : { code: 'INVALID_FORMAT', expected: 'must be a latitude and a longitude in degrees such as 19.07,72.88' };
};
const DEGREES = /^-?\d{1,3}(?:\.\d{1,15})?$/;

const readDateTime: Reader = (raw) => {
  const checked = timestamp.check(raw);
  return 'value' in checked ? checked : { code: checked.code, expected: `must be ${checked.expected}` };
};

/** A date stands for its beginning in UTC. */
const readMoment: Reader = (raw) => {
  const checked = readDateTime(typeof raw === 'string' && isCalendarDate(raw) ? `${raw}T00:00:00Z` : raw);
  if ('value' in checked) return checked;
  return { code: checked.code, expected: 'must be a date such as 2026-04-01, or a date-time with its time zone' };
};

/** Readers of strings with a `format`. */
const FORMATS: Readonly<Record<string, Reader>> = {
  uuid: readUuid,
  'country-code': readCountryCode,
  'date-time': readDateTime,
  'date-or-date-time': readMoment,
  position: readPosition,
};

function listReader(list: ListOf): Reader {
  const read = 'enum' in list ? enumReader(list.enum) : integerReader({});
  const most = 'enum' in list ? Number.POSITIVE_INFINITY : list.maxItems;
  const values = 'enum' in list ? `some of ${list.enum.join(', ')}` : 'whole numbers';
  return (raw) => {
    if (typeof raw !== 'string')
      return { code: 'INVALID_TYPE', expected: `must be a text: ${values}, separated by commas` };
    const items = raw.split(',');
    if (items.length > most) return { code: 'TOO_LONG', expected: `must have at most ${most} values` };
    const readings = items.map((item) => read(item.trim()));
    const problem = readings.find((reading) => 'code' in reading);
    if (problem !== undefined) return { ...problem, expected: `must be ${values}, separated by commas` };
    return { value: readings.map((reading) => ('value' in reading ? reading.value : undefined)) };
  };
}

/** Keywords that each type's reader checks. Any other, except the annotations below, is refused: it would promise an unchecked rule. */
const READ_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  integer: ['minimum', 'maximum'],
  boolean: [],
  string: ['format', 'maxLength', 'enum', LIST_OF],
};
const FOR_PEOPLE = ['type', 'title', 'description', 'examples', 'default', ONLY_WITH];

/** @throws TypeError if the schema has a keyword or format that no reader checks */
function readerFor(schema: ParameterSchema): Reader {
  const read = READ_KEYWORDS[schema.type ?? ''] ?? [];
  const unread = Object.keys(schema).filter((keyword) => !read.includes(keyword) && !FOR_PEOPLE.includes(keyword));
  const format = schema.format === undefined ? undefined : FORMATS[schema.format];
  const isUnknownFormat = schema.format !== undefined && format === undefined;
  if (unread.length > 0 || isUnknownFormat) {
    throw new TypeError(`Nothing reads ${unread.join(', ') || `the format ${schema.format}`} of a parameter`);
  }
  switch (schema.type) {
    case 'integer':
      return integerReader(schema);
    case 'boolean':
      return readBoolean;
    case 'string':
      if (schema.enum) return enumReader(schema.enum);
      return schema[LIST_OF] ? listReader(schema[LIST_OF]) : (format ?? textReader(schema));
    default:
      throw new TypeError(`No reader for a parameter of the type ${schema.type}`);
  }
}

/**
 * Compiles a schema to a function that checks list parameters, from a query string or a JSON body alike. Integers may be numbers or digit
 * strings, booleans may be `"true"` and `"false"`; unknown parameters are dropped unless the schema has `additionalProperties: false`;
 * empty or null ones count as absent. A parameter that is repeated, or written as a list (`name[]`), is refused. All problems are
 * reported at once.
 *
 * A parameter with the keyword `x-only-with` is read only if one of the named parameters is given, and not false.
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
  const isStrict = (schema as { additionalProperties?: unknown }).additionalProperties === false;
  // Parameters that others depend on are read first.
  parameters.sort((a, b) => Number(a.onlyWith !== undefined) - Number(b.onlyWith !== undefined));

  return (raw) => {
    const given = (raw ?? {}) as Record<string, unknown>;
    const input: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    const lists = bracketedNames(given);
    const known = checkKnown(given, isStrict ? Object.keys(schema.properties) : Object.keys(given));
    if (!known.ok) problems.push(...known.problems);
    for (const { name, required, onlyWith, read } of parameters) {
      if (lists?.has(name)) {
        problems.push(problem(name, LIST.code, LIST.expected));
        continue;
      }
      if (onlyWith?.every((other) => !input[other])) continue;
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

const LIST = { code: 'DUPLICATE', expected: 'must be given once, as one value' } as const;

function readOne(value: unknown, read: Reader): Reading<unknown> {
  // The query parser returns an array for a repeated name.
  return Array.isArray(value) ? LIST : read(value);
}

/** Returns the base names of parameters written as lists, `name[]` or `name[0]`, as many clients send them; undefined if there are none. */
function bracketedNames(given: Record<string, unknown>): Set<string> | undefined {
  let names: Set<string> | undefined;
  for (const key of Object.keys(given)) {
    if (!key.endsWith(']')) continue;
    names ??= new Set();
    names.add(key.slice(0, key.indexOf('[')));
  }
  return names;
}

function problem(field: string, code: FieldProblemCode, expected: string): FieldProblem {
  return { field, code, message: `${field} ${expected}.` };
}

/** Checks raw input and returns what the handler receives, or throws an ApiError. */
export type InputCheck = (raw: unknown) => unknown;

/**
 * Returns a Fastify `validatorCompiler`: the result of the check becomes the request's `query` or `body`.
 *
 * @param compile compiles a schema to a check
 */
export function validateWith(compile: (schema: TObject) => InputCheck): FastifySchemaCompiler<FastifySchema> {
  return ({ schema }) => {
    const check = compile(schema as TObject);
    return (raw: unknown) => {
      try {
        return { value: check(raw) };
      } catch (error) {
        if (error instanceof ApiError) return { error };
        // Otherwise Fastify would answer an internal error with a 400.
        return { error: Object.assign(error as Error, { statusCode: 500 }) };
      }
    };
  };
}
