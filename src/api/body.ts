import { randomUUID } from 'node:crypto';
import {
  type CheckedFields,
  checkNewRow,
  checkPatch,
  type RawFields,
  unknownFields,
} from '../entities/check-fields.ts';
import { type AuditedEntity, type FieldName, fieldOf, type NewRowOf, type RowOf } from '../entities/entity.ts';
import { choice, fieldMessage, uuid, type ValueKind } from '../entities/values.ts';
import { apiErrors, type FieldProblem, MAX_PROBLEMS } from '../lib/errors.ts';

/** A body as it came: an object of JSON, or nothing. */
export function parseBody(raw: unknown): RawFields {
  return (raw ?? {}) as RawFields;
}

/** Tells all that is wrong with a body at once. @throws ApiError `INVALID_INPUT` */
export function throwIfInvalid(...problems: readonly (readonly FieldProblem[])[]): void {
  const all = problems.flat();
  if (all.length > 0) throw apiErrors.invalidInput(all);
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
): CheckedFields<NewRowOf<E, Name> & { id: string }> {
  const row = checkNewRow(entity, names, given);
  const id = Object.hasOwn(given, 'id') ? checkValue('id', uuid, given.id) : { value: randomUUID(), problems: [] };
  return {
    values: { ...row.values, id: id.value ?? '' },
    problems: [...id.problems, ...row.problems, ...unknownFields(given, ['id', ...names, ...more])],
  };
}

/** Checks the body of an update: the id, and those of the fields that are given. */
export function checkUpdate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  given: RawFields,
  more: readonly string[] = [],
): CheckedFields<{ id: string; patch: Partial<RowOf<E, Name>> }> {
  const row = checkPatch(entity, names, given);
  const id = checkValue('id', fieldOf(entity, 'id').kind as ValueKind<string>, given.id);
  return {
    values: { id: id.value ?? '', patch: row.values },
    problems: [...id.problems, ...row.problems, ...unknownFields(given, ['id', ...names, ...more])],
  };
}

/** Reads the body of a create that has the id and these fields alone. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readCreate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  raw: unknown,
): NewRowOf<E, Name> & { id: string } {
  const { values, problems } = checkCreate(entity, names, parseBody(raw));
  throwIfInvalid(problems);
  return values;
}

/** Reads the body of an update that has the id and these fields alone. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readUpdate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  raw: unknown,
): { id: string; patch: Partial<RowOf<E, Name>> } {
  const { values, problems } = checkUpdate(entity, names, parseBody(raw));
  throwIfInvalid(problems);
  return values;
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
): { value: Value | undefined; problems: FieldProblem[] } {
  if (given === undefined) {
    return { value: undefined, problems: [{ field, code: 'REQUIRED', message: `${field} is required.` }] };
  }
  const checked = kind.check(given);
  if ('value' in checked) return { value: checked.value, problems: [] };
  return {
    value: undefined,
    problems: [{ field, code: checked.code, message: fieldMessage(field, checked.expected) }],
  };
}

/** The same problems, of fields that stand inside of another one. @param place of the outer one: `levels[1]` */
export function prefixProblems(place: string, problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map(({ field, code, message }) => ({
    field: `${place}.${field}`,
    code,
    message: `${place}.${message}`,
  }));
}

/** Reports a list that is longer than it may be. Its items are not to be looked at then. */
export function tooManyItems(field: string, items: readonly unknown[], maximum: number): FieldProblem[] {
  if (items.length <= maximum) return [];
  return [{ field, code: 'TOO_LONG', message: `${field} must have at most ${maximum} items.` }];
}

/** Checks a list of words, each once and so at most as many as there are. @param field of the list */
export function checkChoices<Choice extends string>(
  field: string,
  choices: readonly Choice[],
  items: readonly unknown[],
): { value: Choice[]; problems: FieldProblem[] } {
  const tooMany = tooManyItems(field, items, choices.length);
  if (tooMany.length > 0) return { value: [], problems: tooMany };
  const problems = items.flatMap((item, index): FieldProblem[] => {
    const at = `${field}[${index}]`;
    const checked = checkValue(at, choice(choices), item);
    if (checked.problems.length > 0 || items.indexOf(item) === index) return checked.problems;
    return [{ field: at, code: 'DUPLICATE', message: `${at} is in the list already.` }];
  });
  return { value: choices.filter((word) => items.includes(word)), problems };
}

/** Checks the items of a list, each an object, until a hundred problems are found. @param field of the list */
export function checkItems<Values>(
  field: string,
  items: readonly unknown[],
  check: (given: RawFields) => CheckedFields<Values>,
): CheckedFields<Values[]> {
  const values: Values[] = [];
  const problems: FieldProblem[] = [];
  for (const [place, item] of items.entries()) {
    if (problems.length >= MAX_PROBLEMS) break;
    const at = `${field}[${place}]`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      problems.push({ field: at, code: 'INVALID_TYPE', message: `${at} must be an object.` });
    } else {
      const checked = check(item as RawFields);
      problems.push(...prefixProblems(at, checked.problems));
      values.push(checked.values);
    }
  }
  return { values, problems };
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
