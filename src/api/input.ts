import type { TObject, TSchema } from 'typebox';
import { apiErrors, type FieldProblem, problemOf } from '../entities/api-error.ts';
import { isLonger, isStorable } from '../entities/characters.ts';
import { formedText } from '../entities/formed-values.ts';
import {
  boolean,
  choice,
  countryCode,
  date,
  dayOrInstant,
  integer,
  type Reading,
  timestamp,
  uuid,
  type ValueKind,
} from '../entities/values.ts';
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
export type ListOf = { type: 'integer' | 'uuid'; maxItems: number } | { enum: readonly string[] };

/** Returns a reader of JSON values, and of the texts that stand for them in a query, which are not trimmed. */
function kindReader(kind: ValueKind): Reader {
  return (raw) => {
    const reading = kind.check(typeof raw === 'string' ? jsonValueOf(kind.schema.type, raw) : raw);
    return 'value' in reading ? reading : { code: reading.code, expected: `must be ${reading.expected}` };
  };
}

/** Returns the number for digits, or any other text, without content if white space surrounds it. */
function jsonValueOf(type: unknown, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  return text.trim() === text ? text : '';
}

function textReader({ maxLength = Number.POSITIVE_INFINITY }: ParameterSchema): Reader {
  return (raw) => {
    if (typeof raw !== 'string') return { code: 'INVALID_TYPE', expected: 'must be a text' };
    if (isLonger(raw, maxLength)) return { code: 'TOO_LONG', expected: `must have at most ${maxLength} characters` };
    if (!isStorable(raw)) return { code: 'INVALID_VALUE', expected: 'must not hold NUL or half of a surrogate pair' };
    return { value: raw };
  };
}

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
const DEGREES = /^[+-]?\d{1,3}(?:\.\d{0,30})?(?:e-\d{1,2})?$/;

/** A language by BCP 47, at most with a script and a region, in its canonical form. */
const language = formedText('a language such as de or pt-BR', (given) =>
  /^[a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2}|-\d{3})?$/i.test(given) ? Intl.getCanonicalLocales(given)[0] : undefined,
);

/** Readers of strings with a `format`. */
const FORMATS: Readonly<Record<string, Reader>> = {
  uuid: kindReader(uuid),
  date: kindReader(date),
  'country-code': kindReader(countryCode),
  language: kindReader(language),
  'date-time': kindReader(timestamp),
  'date-or-date-time': kindReader(dayOrInstant),
  position: readPosition,
};

function listReader(list: ListOf): Reader {
  const read = kindReader('enum' in list ? choice(list.enum) : list.type === 'uuid' ? uuid : integerOf({}));
  const most = 'enum' in list ? Number.POSITIVE_INFINITY : list.maxItems;
  const values = 'enum' in list ? `some of ${list.enum.join(', ')}` : list.type === 'uuid' ? 'ids' : 'whole numbers';
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

function integerOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: ParameterSchema) {
  return integer(minimum, maximum);
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
      return kindReader(integerOf(schema));
    case 'boolean':
      return kindReader(boolean);
    case 'string':
      if (schema.enum) return kindReader(choice(schema.enum));
      return schema[LIST_OF] ? listReader(schema[LIST_OF]) : (format ?? textReader(schema));
    default:
      throw new TypeError(`No reader for a parameter of the type ${schema.type}`);
  }
}

/**
 * Compiles a schema to a function that checks list parameters, from a query string or a JSON body alike. Integers may be numbers or digit
 * strings, booleans texts such as `"True"` and `"0"`; unknown parameters are dropped; empty or null ones count as absent. A parameter
 * that is repeated is refused. All problems are reported at once.
 *
 * A parameter with the keyword `x-only-with` is read only if one of the named parameters is given, and not false.
 */
export function compileListInput(schema: TObject): (raw: unknown) => Record<string, unknown> {
  const parameters = Object.entries<ParameterSchema>(schema.properties).map(([name, property]) => {
    const required = schema.required?.includes(name) ?? false;
    return { name, required, onlyWith: property[ONLY_WITH], read: readerFor(property) };
  });
  // Parameters that others depend on are read first.
  parameters.sort((a, b) => Number(a.onlyWith !== undefined) - Number(b.onlyWith !== undefined));

  return (raw) => {
    const given = (raw ?? {}) as Record<string, unknown>;
    const input: Record<string, unknown> = {};
    const problems: FieldProblem[] = [];
    for (const { name, required, onlyWith, read } of parameters) {
      if (onlyWith?.every((other) => !input[other])) continue;
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined || value === null || value === '') {
        if (required) problems.push(problemOf(name, 'REQUIRED', 'is required'));
        continue;
      }
      // The query parser returns an array for a repeated name.
      const reading = Array.isArray(value) ? LIST : read(value);
      if ('value' in reading) input[name] = reading.value;
      else problems.push(problemOf(name, reading.code, reading.expected));
    }
    if (problems.length > 0) throw apiErrors.invalidInput(problems);
    return input;
  };
}

/** What is wrong with a parameter that is given several times, or as a list. */
export const LIST = { code: 'DUPLICATE', expected: 'must be given once, as one value' } as const;
