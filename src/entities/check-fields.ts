import type { FieldProblem } from '../lib/errors.ts';
import { type AuditedEntity, type Field, type FieldName, fieldOf, type NewRowOf, type RowOf } from './entity.ts';
import { fieldMessage, type ValueKind } from './values.ts';

/** What was given, checked, and all that is wrong with it. */
export interface CheckedFields<Values> {
  values: Values;
  problems: readonly FieldProblem[];
}

/** What was given, as it came: an object of JSON, or the parameters of a query. */
export type RawFields = Readonly<Record<string, unknown>>;

/** Checks those of the fields that are given: what an update changes. Null and an empty text clear a field that may have no value. */
export function checkPatch<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  given: RawFields,
): CheckedFields<Partial<RowOf<E, Name>>> {
  return check(entity, names, given, { mayClear: ({ staysSet }) => !staysSet, absent: () => undefined });
}

/** Checks a new row: a field that is not given has its default, or none where it may have no value or the table has one, or is missing. */
export function checkNewRow<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  given: RawFields,
): CheckedFields<NewRowOf<E, Name>> {
  return check(entity, names, given, {
    mayClear: () => true,
    absent(name, field) {
      if (field.default !== undefined || field.nullable || field.sqlDefault) return { value: field.default ?? null };
      return { field: name, code: 'REQUIRED', message: `${name} is required.` };
    },
  });
}

type Reading = { value: unknown } | FieldProblem;

/** Unknown fields that are told: an answer is to be no multiple of what was sent. */
const MAX_UNKNOWN = 100;

/** Characters that are told of an unknown name. */
const MAX_NAME = 100;

/** Those of the names given that are none of the known ones: a mistyped name must not be a change that never happened. The first 100 are told. */
export function unknownFields(given: RawFields, known: readonly string[]): FieldProblem[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_UNKNOWN)
    .map((name) => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name))
    .map((name) => ({ field: name, code: 'UNKNOWN_FIELD', message: `${name} is no field of this operation.` }));
}

function check<Values>(
  entity: AuditedEntity,
  names: readonly string[],
  given: RawFields,
  rules: { mayClear: (field: Field) => boolean; absent: (name: string, field: Field) => Reading | undefined },
): CheckedFields<Values> {
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const name of names) {
    const field = fieldOf(entity, name);
    const reading = Object.hasOwn(given, name)
      ? readField(name, field.kind, given[name], field.nullable === true && rules.mayClear(field))
      : rules.absent(name, field);
    if (reading === undefined) continue;
    if ('value' in reading) values[name] = reading.value;
    else problems.push(reading);
  }
  // Each value has been read by the kind of its own field.
  return { values: values as Values, problems };
}

function readField(name: string, kind: ValueKind, given: unknown, nullable: boolean): Reading {
  if (nullable && given === null) return { value: null };
  const checked = kind.check(given);
  if ('value' in checked) return { value: nullable && checked.value === '' ? null : checked.value };
  const { code, expected } = checked;
  const message = fieldMessage(name, nullable && code === 'INVALID_TYPE' ? `${expected} or null` : expected);
  return { field: name, code, message };
}
