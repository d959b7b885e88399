import { nearestName } from '../lib/text-folding.ts';
import { type FieldProblem, problemOf } from './api-error.ts';
import { type AuditedEntity, type Field, type FieldName, fieldOf, type NewRowOf, type RowOf } from './entity.ts';
import { fieldMessage, type ValueKind } from './values.ts';

/** A valid value in its stored form, or all problems found. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; problems: readonly FieldProblem[] };

export function valid<Value>(value: Value): Checked<Value> {
  return { ok: true, value };
}

/** Returns a check that fails with these problems, and passes without any. */
export function noProblems(...problems: readonly FieldProblem[]): Checked<null> {
  return problems.length === 0 ? valid(null) : { ok: false, problems };
}

/** Returns a failed check. */
export function invalid(...problems: readonly FieldProblem[]): Checked<never> {
  return { ok: false, problems };
}

type ValuesOf<Checks> = { [At in keyof Checks]: Checks[At] extends Checked<infer Value> ? Value : never };

/** Returns the values of all checks in order, or the problems of all that failed. */
export function allOf<const Checks extends readonly Checked<unknown>[]>(...checks: Checks): Checked<ValuesOf<Checks>> {
  const problems = checks.flatMap((check) => (check.ok ? [] : check.problems));
  if (problems.length > 0) return { ok: false, problems };
  // Each value has the index of its check.
  return valid(checks.map((check) => (check.ok ? check.value : undefined)) as ValuesOf<Checks>);
}

/** Maps the value of a check that has passed. */
export function mapValid<Value, Result>(checked: Checked<Value>, map: (value: Value) => Result): Checked<Result> {
  return checked.ok ? valid(map(checked.value)) : checked;
}

/** Unchecked input: a JSON object, or the parameters of a query. */
export type RawFields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is RawFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields of answers that change although nobody changes the row. */
const MOVING: readonly string[] = [
  '_count',
  'creditUsed',
  'updatedAt',
  'signIn',
  'lastSignInAt',
  'failedAttempts',
  'nextAttemptAt',
];

/**
 * Returns the body of an update without what it leaves as it is, so that an answer can be sent back with a change, and a stored value that
 * its rule would refuse today. The names stay, with undefined as their value.
 *
 * @param shown an answer with the present state; null and an empty text are equal
 */
export function withoutUnchanged(given: RawFields, shown: RawFields): RawFields {
  const changes = Object.entries(given).map(([name, value]) => {
    if (name === 'id' || !Object.hasOwn(shown, name)) return [name, value];
    if (MOVING.includes(name) || isUnchanged(value, shown[name])) return [name, undefined];
    return [name, isObject(value) && isObject(shown[name]) ? withoutUnchanged(value, shown[name]) : value];
  });
  return Object.fromEntries(changes);
}

function isUnchanged(given: unknown, shown: unknown): boolean {
  if (isEmpty(given)) return isEmpty(shown);
  if (Array.isArray(given)) {
    return (
      Array.isArray(shown) &&
      given.length === shown.length &&
      given.every((one, at) => isWhole(one, shown[at]) && isUnchanged(one, shown[at]))
    );
  }
  if (isObject(given)) {
    return isObject(shown) && Object.keys(given).every((name) => isUnchanged(given[name], shown[name]));
  }
  // Forms send numbers and booleans as texts.
  return typeof shown === 'string' ? given === shown : String(given).toLowerCase() === String(shown);
}

/** Whether an item of a list has all names of the present one: it replaces it. */
function isWhole(given: unknown, shown: unknown): boolean {
  return !isObject(given) || (isObject(shown) && Object.keys(shown).every((name) => Object.hasOwn(given, name)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Checks those of the fields that are present: the changes of an update. Null and an empty text clear a nullable field. */
export function checkPatch<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  given: RawFields,
): Checked<Partial<RowOf<E, Name>>> {
  return check(entity, names, given, { mayClear: ({ staysSet }) => !staysSet, absent: () => undefined });
}

/**
 * Checks a new row. An absent field gets its default; without one it is null if nullable or defaulted by the table, or else reported as
 * missing.
 */
export function checkNewRow<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  given: RawFields,
): Checked<Required<NewRowOf<E, Name>>> {
  return check(entity, names, given, {
    mayClear: () => true,
    absent(name, field) {
      if (field.default !== undefined || field.nullable || field.sqlDefault) return { value: field.default ?? null };
      return problemOf(name, 'REQUIRED', 'is required');
    },
  });
}

type FieldReading = { value: unknown } | FieldProblem;

/** Maximum number of unknown fields reported: a response must not be a multiple of the request. */
const MAX_UNKNOWN = 100;

/** Characters of an unknown name that are echoed. */
const MAX_NAME = 100;

/** Checks that all names are known, so that a mistyped one is not silently ignored. Reports the first 100 unknown names. */
export function checkKnown(given: RawFields, known: readonly string[]): Checked<null> {
  const problems = Object.keys(given)
    .filter((name) => given[name] !== undefined && !known.includes(name))
    .slice(0, MAX_UNKNOWN)
    .map((name) => unknownName(name, known));
  return noProblems(...problems);
}

/** Returns the problem of a name that an operation does not have, cut to 100 characters, with the nearest one that it has. */
export function unknownName(
  given: string,
  known: readonly string[],
  what: 'field' | 'parameter' = 'field',
): FieldProblem {
  const name = given.length > MAX_NAME ? `${given.slice(0, MAX_NAME).toWellFormed()}…` : given;
  const near = nearestName(name, known);
  const predicate = `is not a ${what} of this operation`;
  const code = what === 'field' ? 'UNKNOWN_FIELD' : 'UNKNOWN_PARAMETER';
  return problemOf(name, code, near === undefined ? predicate : `${predicate}: did you mean ${near}?`);
}

function check<Values>(
  entity: AuditedEntity,
  names: readonly string[],
  given: RawFields,
  rules: { mayClear: (field: Field) => boolean; absent: (name: string, field: Field) => FieldReading | undefined },
): Checked<Values> {
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const name of names) {
    const field = fieldOf(entity, name);
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const reading =
      value === undefined
        ? rules.absent(name, field)
        : readField(name, field.kind, value, field.nullable === true && rules.mayClear(field));
    if (reading === undefined) continue;
    if ('value' in reading) values[name] = reading.value;
    else problems.push(reading);
  }
  // Each value was read by the kind of its own field.
  return problems.length > 0 ? { ok: false, problems } : valid(values as Values);
}

function readField(name: string, kind: ValueKind, given: unknown, nullable: boolean): FieldReading {
  if (nullable && (given === null || (typeof given === 'string' && given.trim() === ''))) return { value: null };
  const checked = kind.check(given);
  if ('value' in checked) return { value: nullable && checked.value === '' ? null : checked.value };
  const { code, expected } = checked;
  const message = fieldMessage(name, nullable && code === 'INVALID_TYPE' ? `${expected} or null` : expected);
  return { field: name, code, message };
}
