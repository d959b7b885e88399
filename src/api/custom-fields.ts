import { isDeepStrictEqual } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import { administeredCompanies, type Caller, isSuperAdmin, isThemselves } from '../auth/callers/roles.ts';
import type { Reader } from '../db/database.ts';
import { anyOf } from '../db/sql/sql-fragments.ts';
import { ApiError, apiErrors, type FieldProblem, MAX_PROBLEMS, problemOf } from '../entities/api-error.ts';
import { EXTERNAL_ID, isCanonicalUuid, isStorable } from '../entities/characters.ts';
import { type RawFields, unknownName } from '../entities/check-fields.ts';
import { type AuditedEntity, fieldOf } from '../entities/entity.ts';
import { type FieldLevel, isEnough, jsonText } from '../entities/formed-values.ts';
import { fieldMessage } from '../entities/values.ts';
import { checkFieldValue, type Definition } from './field-values.ts';
import { erased, isErased } from './hierarchy.ts';

type AnyCaller = Caller | KeyCaller;

/** Returns the definitions of the platform and of some companies for an entity, in their order. */
export function findDefinitions(db: Reader, entity: string, companyIds: readonly string[]): Promise<Definition[]> {
  return db.query<Definition>(sql`
    select id, company_id as "companyId", key, label, labels, type, choices, pattern, required, default_value as "default",
           readable_by as "readableBy", writable_by as "writableBy", active
      from field_definitions
     where entity = ${entity} and (company_id is null or company_id = ${anyOf(companyIds)}) order by position, key`);
}

/** Returns what a caller is to the rows of a company, one of whom may be the caller. */
export function levelOf(caller: AnyCaller, companyId: string, isOwn = false): FieldLevel {
  if ('keyId' in caller) return 'KEY';
  if (isSuperAdmin(caller) || administeredCompanies(caller).includes(companyId)) return 'ADMIN';
  return isOwn ? 'SELF' : 'MANAGER';
}

/** A row in an answer. */
export interface Shown {
  id: string;
  companyId?: string;
  fields?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Adds to rows in an answer the fields of one's own that the caller may read, where there are definitions of any.
 *
 * @param companyId of the rows; absent: each has its own, a company that of itself
 * @param isAsked adds them in any case
 */
export async function showFields<Row extends Shown>(
  db: Reader,
  entity: AuditedEntity,
  caller: AnyCaller,
  rows: readonly Row[],
  { companyId, isAsked = false }: { companyId?: string | undefined; isAsked?: boolean } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const companyOf = (row: Row) => companyId ?? row.companyId ?? row.id;
  const definitions = await findDefinitions(db, entity.name, [...new Set(rows.map(companyOf))]);
  if (definitions.length === 0 && !isAsked) return;
  const stored = await readValues(db, entity, definitions.length === 0 ? [] : rows);
  for (const row of rows) {
    const level = levelOf(caller, companyOf(row), entity.name === 'user' && isThemselves(caller, row.id));
    const values = stored.get(row.id) ?? {};
    const shown = definitions.flatMap(({ key, active, readableBy, companyId: of }) => {
      const isOf = active && (of === null || of === companyOf(row)) && isEnough(level, readableBy);
      return isOf && values[key] !== undefined ? [[key, values[key]]] : [];
    });
    Object.assign(row, { fields: Object.fromEntries(shown) });
  }
}

/** Fields of one's own of a row as a request has them, before they are written. */
export interface FieldsToCheck {
  id: string;
  /** Absent: it is new if there is none. */
  isNew?: boolean;
  /** The kept values as JSON; absent: they are read. */
  stored?: string | null | undefined;
  given: string | null | undefined;
  /** Path of the row in the request. */
  path?: string;
}

/**
 * Checks fields of one's own against their definitions.
 *
 * @param level of the author, absent: what the caller is to the company
 * @returns what to write of each row, as JSON; undefined where nothing changes
 * @throws ApiError `INVALID_INPUT`, `FIELD_FORBIDDEN`
 */
export async function checkCustomFields(
  db: Reader,
  entity: AuditedEntity,
  {
    caller,
    companyId,
    level = levelOf(caller, companyId),
  }: { caller: AnyCaller; companyId: string; level?: FieldLevel },
  rows: readonly FieldsToCheck[],
): Promise<(string | undefined)[]> {
  const isTouched = ({ given, isNew }: FieldsToCheck) => isNew !== false || (given !== undefined && given !== null);
  if (!rows.some(isTouched)) return rows.map(() => undefined);
  const definitions = await findDefinitions(db, entity.name, [companyId]);
  if (definitions.length === 0 && rows.every(({ given }) => !given)) return rows.map(() => undefined);
  const known = await readValues(
    db,
    entity,
    rows.filter((row) => isTouched(row) && !row.isNew && row.stored === undefined),
  );
  const problems: FieldProblem[] = [];
  const forbidden: FieldProblem[] = [];
  const people: { field: string; id: string }[] = [];
  const active = definitions.filter((definition) => definition.active);
  const givenFields = rows.map((row): RawFields => JSON.parse(row.given ?? '{}'));
  const personKeys = active.filter(({ type }) => type === 'PERSON').map(({ key }) => key);
  const givenPeople = givenFields.flatMap((fields) => personKeys.map((key) => fields[key]));
  const peopleOf = await findByExternalIds(db, companyId, givenPeople);
  const written = rows.map((row, nth) => {
    if (!isTouched(row)) return undefined;
    const isNew = row.isNew ?? !known.has(row.id);
    const stored: RawFields = row.stored === undefined ? (known.get(row.id) ?? {}) : JSON.parse(row.stored ?? '{}');
    const values: Record<string, unknown> = { ...stored };
    const given = givenFields[nth] ?? {};
    const place = row.path === undefined ? 'fields' : `${row.path}.fields`;
    for (const [key, value] of Object.entries(given)) {
      const field = `${place}.${key}`;
      const definition = active.find((each) => each.key === key);
      const isKept = isDeepStrictEqual(value, stored[key] ?? null);
      if (definition === undefined) {
        if (!isKept || stored[key] === undefined) problems.push(unknownKey(place, key, active));
        continue;
      }
      if (isKept && isEnough(level, definition.readableBy)) continue;
      if (!isEnough(level, definition.writableBy)) {
        forbidden.push(problemOf(field, 'FIELD_FORBIDDEN', `is written by ${WRITERS[definition.writableBy]}`));
      } else if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
        delete values[key];
      } else {
        const reading = checkFieldValue(definition, peopleOf.get(value) ?? value);
        if ('value' in reading) values[key] = reading.value;
        else problems.push({ field, code: reading.code, message: fieldMessage(field, reading.expected) });
        if ('value' in reading && definition.type === 'PERSON' && !isKept)
          people.push({ field, id: String(reading.value) });
      }
    }
    for (const { key, default: initial, required, writableBy } of active) {
      if (values[key] !== undefined) continue;
      if (isNew && !Object.hasOwn(given, key) && initial !== null) values[key] = initial;
      else if (required && (isNew || row.given) && isEnough(level, writableBy))
        problems.push(problemOf(`${place}.${key}`, 'REQUIRED', 'is required'));
    }
    const isSame = isDeepStrictEqual(values, stored);
    return isSame ? undefined : jsonText(values);
  });
  // Of several rows a problem names the one.
  problems.push(...(await strangers(db, companyId, people, rows.length === 1 ? erased : undefined)));
  if (problems.length > 0) throw apiErrors.invalidInput(problems.slice(0, MAX_PROBLEMS));
  if (forbidden.length > 0) {
    throw new ApiError('FIELD_FORBIDDEN', forbidden.map(({ message }) => message).join(' '), { problems: forbidden });
  }
  return written;
}

/** Returns the defaults of a new row, as JSON; null where there are none. */
export async function usualFields(db: Reader, entity: AuditedEntity, companyId: string): Promise<string | null> {
  return defaultsOf(await findDefinitions(db, entity.name, [companyId]));
}

/** Returns the defaults of active definitions, as JSON; null where there are none. */
export function defaultsOf(definitions: readonly Definition[]): string | null {
  const usual = definitions.filter(({ active, default: initial }) => active && initial !== null);
  return usual.length === 0 ? null : jsonText(Object.fromEntries(usual.map((each) => [each.key, each.default])));
}

const WRITERS: Readonly<Record<FieldLevel, string>> = {
  SELF: 'the person',
  MANAGER: 'Managers',
  ADMIN: 'administrators alone',
  KEY: 'API keys alone',
};

/** Returns the problem of a key that no definition has. @param place path of the fields */
function unknownKey(place: string, key: string, active: readonly Definition[]): FieldProblem {
  const keys = active.map((each) => each.key);
  const { field, code, message } = unknownName(key, keys);
  return {
    field: `${place}.${field}`,
    code,
    message: `${place}.${message.replace('of this operation', 'of the company')}`,
  };
}

/** Returns the kept values of rows that exist, by id. */
async function readValues(
  db: Reader,
  entity: AuditedEntity,
  rows: readonly { id: string }[],
): Promise<ReadonlyMap<string, RawFields>> {
  if (rows.length === 0) return new Map();
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const { sqlType } = fieldOf(entity, entity.id).kind;
  const found = await db.query<{ id: string; fields: RawFields }>(sql`
    select id::text as id, coalesce(fields, '{}') as fields from ${raw(entity.table)}
     where id = any(array(select json_array_elements_text(${ids}::text::json)::${raw(sqlType)}))`);
  return new Map(found.map(({ id, fields }) => [id, fields]));
}

/** Returns the ids of the people of a company among values that name them by the ids of another system. */
export async function findByExternalIds(
  db: Reader,
  companyId: string,
  given: readonly unknown[],
): Promise<ReadonlyMap<unknown, string>> {
  const values = given.filter(
    (value) => typeof value === 'string' && value.startsWith(EXTERNAL_ID) && isStorable(value),
  );
  if (values.length === 0) return new Map();
  const found = await db.query<{ value: string; id: string }>(sql`
    select value, users.id::text as id
      from json_array_elements_text(${JSON.stringify([...new Set(values)])}::text::json) value
      join users on company_id = ${companyId}::uuid and external_id = trim(substr(value, ${EXTERNAL_ID.length + 1}::integer))`);
  return new Map(found.map(({ value, id }) => [value, id]));
}

/** Returns the problems of values that are no person of the company. @param refusal of an erased person; absent: like a stranger */
export async function strangers(
  db: Reader,
  companyId: string,
  people: readonly { field: string; id: string }[],
  refusal?: () => ApiError,
): Promise<FieldProblem[]> {
  if (people.length === 0) return [];
  const found = await db.query<{ id: string; isErased: boolean }>(sql`
    select id::text as id, ${isErased('users')} as "isErased" from users
     where company_id = ${companyId}::uuid and id = ${anyOf(people.map(({ id }) => id).filter(isCanonicalUuid))}`);
  if (refusal && found.some((person) => person.isErased)) throw refusal();
  const known = new Set(found.flatMap((person) => (person.isErased ? [] : [person.id])));
  return people.flatMap(({ field, id }) =>
    known.has(id) ? [] : [problemOf(field, 'INVALID_VALUE', 'must be the id of a person of this company')],
  );
}
