import sql, { raw, type Sql } from 'sql-template-tag';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import type { Caller } from '../auth/callers/roles.ts';
import type { Reader } from '../db/database.ts';
import type { SortKey } from '../db/sql/select-page.ts';
import { BY_ID } from '../db/sql/sql-fragments.ts';
import { type FieldProblem, problemOf } from '../entities/api-error.ts';
import { unknownName } from '../entities/check-fields.ts';
import type { AuditedEntity } from '../entities/entity.ts';
import { isEnough, jsonText } from '../entities/formed-values.ts';
import { boolean } from '../entities/values.ts';
import { throwIfInvalid } from './body.ts';
import { findDefinitions, levelOf } from './custom-fields.ts';
import { type Definition, parseFieldValue } from './field-values.ts';

/** What the parameters of a list say about fields of one's own. */
export interface OwnFilter {
  /** Names such as `fields.shoeSize`, `fields.shoeSize.min`, `fields.shoeSize.missing` or `fields.mentor.gone`, with their values. */
  ownFilters?: readonly (readonly [name: string, value: string])[];
  /** `fields.KEY`, with a leading `-` for descending order. */
  ownSort?: string;
}

/** A filter and an order by fields of one's own, in SQL on the table of their entity. */
export interface OwnConditions {
  where: readonly Sql[];
  orderBy?: readonly SortKey[];
}

const NUMBERS: readonly string[] = ['INTEGER', 'DECIMAL'];

/**
 * Returns what a list is filtered and sorted by.
 *
 * @param companyId undefined: rows of all companies, by the fields of the platform
 * @throws ApiError `INVALID_INPUT` for a field that there is not, or that the caller may not read
 */
export async function ownConditions(
  db: Reader,
  entity: AuditedEntity,
  caller: Caller | KeyCaller,
  companyId: string | undefined,
  { ownFilters = [], ownSort }: OwnFilter,
): Promise<OwnConditions> {
  if (ownFilters.length === 0 && ownSort === undefined) return { where: [] };
  const all = await findDefinitions(db, entity.name, companyId === undefined ? [] : [companyId]);
  const level = levelOf(caller, companyId ?? '');
  const readable = all.filter(({ active, readableBy }) => active && isEnough(level, readableBy));
  const problems: FieldProblem[] = [];
  const find = (key = '') => readable.find((definition) => definition.key === key);
  const names = readable.map(({ key }) => `fields.${key}`);
  const unknown = (name: string) => problems.push(unknownName(name, names, 'parameter'));
  const where = ownFilters.flatMap(([name, text]): Sql[] => {
    const [, key, bound] = /^fields\.([A-Za-z0-9]+)(?:\.(min|max|missing|gone))?$/.exec(name) ?? [];
    const definition = find(key);
    const isRange = bound === 'min' || bound === 'max';
    const types = isRange ? [...NUMBERS, 'DATE'] : bound === 'gone' ? ['PERSON'] : undefined;
    if (definition === undefined || types?.includes(definition.type) === false) {
      unknown(name);
      return [];
    }
    const isAsked = bound === 'missing' || bound === 'gone';
    const reading = isAsked ? boolean.parse(text) : parseFieldValue(definition, text);
    if ('value' in reading) return [condition(entity, definition, bound, reading.value)];
    problems.push(problemOf(name, reading.code, `must be ${reading.expected}`));
    return [];
  });
  const sorted = ownSort === undefined ? undefined : find(ownSort.replace(/^-?fields\./, ''));
  if (ownSort !== undefined && sorted === undefined) {
    problems.push(problemOf('sort', 'INVALID_VALUE', 'must be a field of the list'));
  }
  throwIfInvalid(problems);
  if (sorted === undefined) return { where };
  const descending = ownSort?.startsWith('-') === true;
  return { where, orderBy: [{ ...sortKeyOf(sorted), descending }, BY_ID] };
}

function condition(entity: AuditedEntity, { key, type }: Definition, bound: string | undefined, value: unknown): Sql {
  if (bound === 'gone') return sql`${namesNobody(entity, key)} = ${value === true}::boolean`;
  if (bound === 'missing') return sql`jsonb_exists(coalesce(fields, '{}'), ${key}::text) <> ${value === true}::boolean`;
  if (bound === undefined) return sql`fields @> ${jsonText({ [key]: value })}::text::jsonb`;
  const given = String(value);
  const isNumber = NUMBERS.includes(type);
  const own = isNumber ? sql`(fields ->> ${key}::text)::numeric` : sql`fields ->> ${key}::text collate "C"`;
  const limit = isNumber ? sql`${given}::text::numeric` : sql`${given}::text`;
  return bound === 'min' ? sql`${own} >= ${limit}` : sql`${own} <= ${limit}`;
}

/** Returns the condition that a row names a person who has left, was erased, or is in another company by now. */
export function namesNobody({ name, table, fields }: AuditedEntity, key: string): Sql {
  const row = raw(table);
  const company = raw(name === 'company' ? 'id' : (fields.companyId?.column ?? ''));
  return sql`
    (jsonb_exists(coalesce(${row}.fields, '{}'), ${key}::text) and not exists (
      select from users named
       where named.id = (${row}.fields ->> ${key}::text)::uuid and named.company_id = ${row}.${company} and named.active))`;
}

/** Rows without a value come first. */
function sortKeyOf({ key, type }: Definition): SortKey {
  return NUMBERS.includes(type)
    ? { by: sql`coalesce((fields ->> ${key}::text)::numeric, -1e18)`, type: 'numeric' }
    : { by: sql`coalesce(fold(fields ->> ${key}::text), '') collate "C"`, type: 'text' };
}
