import { randomUUID } from 'node:crypto';
import { apiErrors } from '../entities/api-error.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  checkPatch,
  invalid,
  mapValid,
  noProblems,
  type RawFields,
  valid,
} from '../entities/check-fields.ts';
import { type AuditedEntity, type FieldName, fieldOf, type NewRowOf, type RowOf } from '../entities/entity.ts';
import { type FieldProblem, MAX_PROBLEMS } from '../entities/field-problem.ts';
import { choice, fieldMessage, uuid, type ValueKind } from '../entities/values.ts';

/** A body as it came: an object of JSON, or nothing. */
export function parseBody(raw: unknown): RawFields {
  return (raw ?? {}) as RawFields;
}

/** Throws where there are problems. @throws ApiError `INVALID_INPUT` with all of them */
export function throwIfInvalid(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
}

/** Returns the value of a check. @throws ApiError `INVALID_INPUT` with all that is wrong */
export function validOrThrow<Value>(checked: Checked<Value>): Value {
  if (!checked.ok) throw apiErrors.invalidInput(checked.problems);
  return checked.value;
}

/**
 * Checks the body of a create: the id, which may be left out and then is a new one, and the fields of a new row.
 *
 * @param more names in the body that are checked elsewhere
 */
export function checkCreate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  given: RawFields,
  more: readonly string[] = [],
): Checked<NewRowOf<E, Name> & { id: string }> {
  const checked = allOf(
    checkOptional('id', uuid, given),
    checkNewRow(entity, names, given),
    checkKnown(given, ['id', ...names, ...more]),
  );
  return mapValid(checked, ([id = randomUUID(), row]) => ({ ...row, id }));
}

/** Checks the body of an update: the id, and those of the fields that are given. */
export function checkUpdate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  given: RawFields,
  more: readonly string[] = [],
): Checked<{ id: string; patch: Partial<RowOf<E, Name>> }> {
  const checked = allOf(
    checkValue('id', fieldOf(entity, 'id').kind as ValueKind<string>, given.id),
    checkPatch(entity, names, given),
    checkKnown(given, ['id', ...names, ...more]),
  );
  return mapValid(checked, ([id, patch]) => ({ id, patch }));
}

/** Reads the body of a create that has the id and these fields alone. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readCreate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  raw: unknown,
): NewRowOf<E, Name> & { id: string } {
  return validOrThrow(checkCreate(entity, names, parseBody(raw)));
}

/** Reads the body of an update that has the id and these fields alone. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readUpdate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  raw: unknown,
): { id: string; patch: Partial<RowOf<E, Name>> } {
  return validOrThrow(checkUpdate(entity, names, parseBody(raw)));
}

/** Reads a body that has an id alone. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readId(entity: AuditedEntity, raw: unknown): { id: string } {
  return { id: readUpdate(entity, [], raw).id };
}

/** Checks a value that has to be there by its kind. @param field as problems call it */
export function checkValue<Value extends string | number | boolean>(
  field: string,
  kind: ValueKind<Value>,
  given: unknown,
): Checked<Value> {
  if (given === undefined) return invalid({ field, code: 'REQUIRED', message: `${field} is required.` });
  const reading = kind.check(given);
  if ('value' in reading) return valid(reading.value);
  return invalid({ field, code: reading.code, message: fieldMessage(field, reading.expected) });
}

/** Checks a value that may be left out. */
export function checkOptional<Value extends string | number | boolean>(
  field: string,
  kind: ValueKind<Value>,
  given: RawFields,
): Checked<Value | undefined> {
  return Object.hasOwn(given, field) ? checkValue(field, kind, given[field]) : valid(undefined);
}

/** The same problems, of fields that stand inside of another one. @param place of the outer one: `levels[1]` */
export function prefixProblems(place: string, problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map(({ field, code, message }) => ({
    field: `${place}.${field}`,
    code,
    message: `${place}.${message}`,
  }));
}

/** Checks a list of words, each once and so at most as many as there are. @param field of the list */
export function checkChoices<Choice extends string>(
  field: string,
  choices: readonly Choice[],
  items: readonly unknown[],
): Checked<Choice[]> {
  if (items.length > choices.length) {
    return invalid({ field, code: 'TOO_LONG', message: `${field} must have at most ${choices.length} items.` });
  }
  const problems = items.flatMap((item, index): FieldProblem[] => {
    const at = `${field}[${index}]`;
    const checked = checkValue(at, choice(choices), item);
    if (!checked.ok) return [...checked.problems];
    if (items.indexOf(item) === index) return [];
    return [{ field: at, code: 'DUPLICATE', message: `${at} is in the list already.` }];
  });
  return mapValid(noProblems(...problems), () => choices.filter((word) => items.includes(word)));
}

/** Checks the items of a list, each an object, until a hundred problems are found. @param field of the list */
export function checkItems<Values>(
  field: string,
  items: readonly unknown[],
  check: (given: RawFields) => Checked<Values>,
): Checked<Values[]> {
  const values: Values[] = [];
  const problems: FieldProblem[] = [];
  for (const [place, item] of items.entries()) {
    if (problems.length >= MAX_PROBLEMS) break;
    const at = `${field}[${place}]`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      problems.push({ field: at, code: 'INVALID_TYPE', message: `${at} must be an object.` });
    } else {
      const checked = check(item as RawFields);
      if (checked.ok) values.push(checked.value);
      else problems.push(...prefixProblems(at, checked.problems));
    }
  }
  return problems.length > 0 ? { ok: false, problems } : valid(values);
}

/** Tells of items whose field has a value that an earlier one has. @param values of that field, in the order of the list; undefined: none */
export function repeatedValues(
  list: string,
  name: string,
  values: readonly (string | number | undefined)[],
): FieldProblem[] {
  const places = new Map<string | number, number>();
  return values.flatMap((value, place): FieldProblem[] => {
    if (value === undefined) return [];
    const first = places.get(value);
    places.set(value, first ?? place);
    const field = `${list}[${place}].${name}`;
    if (first === undefined) return [];
    return [{ field, code: 'DUPLICATE', message: `${field} is that of ${list}[${first}] already.` }];
  });
}

/** The fields of a patch that differ from what is there: a value that is sent and is the present one is no change. */
export function changedFields<Patch extends object>(patch: Patch, present: object): Partial<Patch> {
  const entries = Object.entries(patch).filter(([name, value]) => value !== (present as Record<string, unknown>)[name]);
  return Object.fromEntries(entries) as Partial<Patch>;
}
