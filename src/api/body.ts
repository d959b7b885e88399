import { randomUUID } from 'node:crypto';
import { apiErrors, type FieldProblem, MAX_PROBLEMS, problemOf } from '../entities/api-error.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  checkPatch,
  invalid,
  isObject,
  mapValid,
  noProblems,
  type RawFields,
  valid,
  withoutUnchanged,
} from '../entities/check-fields.ts';
import { type AuditedEntity, type FieldName, fieldOf, type NewRowOf, type RowOf } from '../entities/entity.ts';
import { choice, fieldMessage, uuid, type ValueKind } from '../entities/values.ts';

/** Returns a raw body as an object; no body counts as an empty one. */
export function parseBody(raw: unknown): RawFields {
  return (raw ?? {}) as RawFields;
}

/** Throws if there are problems. @throws ApiError `INVALID_INPUT` with all of them */
export function throwIfInvalid(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
}

/** Returns the value of a check. @throws ApiError `INVALID_INPUT` with every problem */
export function validOrThrow<Value>(checked: Checked<Value>): Value {
  if (!checked.ok) throw apiErrors.invalidInput(checked.problems);
  return checked.value;
}

/**
 * Checks the body of a create: the fields of a new row, and the id, which is generated if absent.
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

/** Checks the body of an update: the id, and the fields that are present. */
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

/** Reads the body of a create that has only the id and these fields. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readCreate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  raw: unknown,
): NewRowOf<E, Name> & { id: string } {
  return validOrThrow(checkCreate(entity, names, parseBody(raw)));
}

/** Reads the body of an update that has only the id and these fields. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readUpdate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  raw: unknown,
): { id: string; patch: Partial<RowOf<E, Name>> } {
  return validOrThrow(checkUpdate(entity, names, parseBody(raw)));
}

/** The kinds of some values of a body, by their names. */
type Kinds = Readonly<Record<string, ValueKind<string> | ValueKind<number> | ValueKind<boolean>>>;
type ValuesOf<Of extends Kinds> = { [Name in keyof Of]: Of[Name] extends ValueKind<infer Value> ? Value : never };

/** Reads a body that has only values of these kinds. @param optional may be left out @throws ApiError `INVALID_INPUT` with every invalid field */
export function readValues<Required extends Kinds, Optional extends Kinds = Record<never, never>>(
  raw: unknown,
  required: Required,
  optional = {} as Optional,
): ValuesOf<Required> & Partial<ValuesOf<Optional>> {
  const given = parseBody(raw);
  const kinds: Kinds = { ...required, ...optional };
  const sent = Object.keys(kinds).filter((name) => name in required || given[name] !== undefined);
  const checked = sent.map((name) => checkValue(name, kinds[name] as ValueKind, given[name]));
  const [values] = validOrThrow(allOf(allOf(...checked), checkKnown(given, Object.keys(kinds))));
  return Object.fromEntries(sent.map((name, index) => [name, values[index]])) as never;
}

/** Reads a body that has only an id. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readId(entity: AuditedEntity, raw: unknown): { id: string } {
  return { id: readUpdate(entity, [], raw).id };
}

/** Returns the body of an update without what it leaves as it is. @param find returns what answers show of the row @throws ApiError */
export async function changesOf(
  entity: AuditedEntity,
  given: RawFields,
  find: (id: string) => Promise<object>,
): Promise<RawFields> {
  const { id } = readId(entity, { id: given.id });
  return withoutUnchanged(given, (await find(id)) as RawFields);
}

/** Checks a required value by its kind. @param field name used in problems */
export function checkValue<Value extends string | number | boolean>(
  field: string,
  kind: ValueKind<Value>,
  given: unknown,
): Checked<Value> {
  if (given === undefined) return invalid(problemOf(field, 'REQUIRED', 'is required'));
  const reading = kind.check(given);
  if ('value' in reading) return valid(reading.value);
  return invalid({ field, code: reading.code, message: fieldMessage(field, reading.expected) });
}

/** Checks an optional value; undefined if absent. */
export function checkOptional<Value extends string | number | boolean>(
  field: string,
  kind: ValueKind<Value>,
  given: RawFields,
): Checked<Value | undefined> {
  return given[field] === undefined ? valid(undefined) : checkValue(field, kind, given[field]);
}

/**
 * Prefixes the fields of problems with the path of the object that contains them, and the messages that begin with the field.
 *
 * @param place path of the outer field, such as `levels[1]`
 */
export function prefixProblems(place: string, problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map(({ field, code, message }) => ({
    field: `${place}.${field}`,
    code,
    message: message.startsWith(field) ? `${place}.${message}` : message,
  }));
}

/** Checks a list of distinct choices, and returns them in the order of `choices`. @param field of the list */
export function checkChoices<Choice extends string>(
  field: string,
  choices: readonly Choice[],
  items: readonly unknown[],
): Checked<Choice[]> {
  if (items.length > choices.length) {
    return invalid(problemOf(field, 'TOO_LONG', `must have at most ${choices.length} items`));
  }
  const problems = items.flatMap((item, index): FieldProblem[] => {
    const at = `${field}[${index}]`;
    const checked = checkValue(at, choice(choices), item);
    if (!checked.ok) return [...checked.problems];
    if (items.indexOf(item) === index) return [];
    return [problemOf(at, 'DUPLICATE', 'is in the list already')];
  });
  return mapValid(noProblems(...problems), () => choices.filter((word) => items.includes(word)));
}

/** Checks an object that has only fields of these names. @param field of the object, with which the paths of problems begin */
export function checkObject<Values>(
  field: string,
  given: unknown,
  names: readonly string[],
  check: (given: RawFields) => Checked<Values>,
): Checked<Values> {
  const checked = checkNested(field, given, (fields) => allOf(check(fields), checkKnown(fields, names)));
  return mapValid(checked, ([values]) => values);
}

function checkNested<Values>(
  at: string,
  given: unknown,
  check: (given: RawFields) => Checked<Values>,
): Checked<Values> {
  if (!isObject(given)) return invalid(problemOf(at, 'INVALID_TYPE', 'must be an object'));
  const checked = check(given);
  return checked.ok ? checked : invalid(...prefixProblems(at, checked.problems));
}

/** Checks the items of a list, each an object; stops once MAX_PROBLEMS problems are found. @param field of the list */
export function checkItems<Values>(
  field: string,
  items: readonly unknown[],
  check: (given: RawFields) => Checked<Values>,
): Checked<Values[]> {
  const values: Values[] = [];
  const problems: FieldProblem[] = [];
  for (const [place, item] of items.entries()) {
    if (problems.length >= MAX_PROBLEMS) break;
    const checked = checkNested(`${field}[${place}]`, item, check);
    if (checked.ok) values.push(checked.value);
    else problems.push(...checked.problems);
  }
  return problems.length > 0 ? { ok: false, problems } : valid(values);
}

/** Reports items whose field repeats the value of an earlier item. @param read returns that value; undefined if absent */
export function repeatedValues<Item extends object>(
  list: string,
  name: string,
  items: readonly Item[],
  read: (item: Item) => unknown = (item) => (item as RawFields)[name],
): FieldProblem[] {
  const places = new Map<unknown, number>();
  return items.flatMap((item, place): FieldProblem[] => {
    const value = read(item);
    if (value === undefined) return [];
    const first = places.get(value);
    places.set(value, first ?? place);
    const field = `${list}[${place}].${name}`;
    if (first === undefined) return [];
    return [{ field, code: 'DUPLICATE', message: `Items ${first + 1} and ${place + 1} have the same ${name}.` }];
  });
}

/** Returns the fields of a patch whose values differ from the present ones. */
export function changedFields<Patch extends object>(patch: Patch, present: object): Partial<Patch> {
  const entries = Object.entries(patch).filter(([name, value]) => value !== (present as Record<string, unknown>)[name]);
  return Object.fromEntries(entries) as Partial<Patch>;
}
