import type { Compare, Filter, Suffix } from 'scim2-parse-filter';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { isStorable } from '../../../entities/characters.ts';
import { parseInstant } from '../../../entities/dates.ts';
import { ScimError } from '../protocol/error.ts';
import { asBoolean } from '../protocol/filter.ts';
import { resolveName } from '../protocol/path.ts';
import { type Attribute, attributeNamed, type Search } from '../protocol/schema.ts';
import { USER_SCHEMAS } from './user-schemas.ts';

type Operator = Compare['op'];
/** Resolves the attribute that a filter names; undefined where there is no filter on it. */
type Find = (name: string) => Attribute | undefined;

const SIGNS: Partial<Record<Operator, Sql>> = {
  eq: raw('='),
  ne: raw('is distinct from'),
  gt: raw('>'),
  ge: raw('>='),
  lt: raw('<'),
  le: raw('<='),
};

/** SQL expressions used by comparisons. Each is computed once per person, however many comparisons use it. */
class ComparedValues {
  /** By SQL text. */
  readonly #values = new Map<string, { value: Sql; name: Sql }>();

  /** Returns the column name of an expression, which must not have parameters. */
  named(value: Sql): Sql {
    const known = this.#values.get(value.sql);
    if (known !== undefined) return known.name;
    const name = raw(`value_${this.#values.size}`);
    this.#values.set(value.sql, { value, name });
    return name;
  }

  /** Lateral join to `users` and `scim_users`. The offset keeps the planner from inlining the expressions into each comparison. */
  get joined(): Sql {
    if (this.#values.size === 0) return empty;
    const columns = [...this.#values.values()].map(({ value, name }) => sql`${value} as ${name}`);
    return sql`cross join lateral (select ${join(columns)} offset 0) compared`;
  }
}

/** A filter in SQL: the condition, and the join to `users` and `scim_users` that it needs. */
export interface FilterSql {
  joined: Sql;
  condition: Sql;
}

/** @throws ApiError `invalidFilter` */
export function filterSql(filter: Filter): FilterSql {
  const values = new ComparedValues();
  const condition = conditionOf(filter, { find: findAttribute, values });
  return { joined: values.joined, condition };
}

/**
 * Selects candidate ids for a filter by indexes alone; undefined where a full scan is necessary.
 *
 * @throws ApiError `invalidFilter`
 */
export function candidateIds(filter: Filter, companyId: string): Sql | undefined {
  if (filter.op === 'eq' && typeof filter.compValue === 'string') {
    return searchOf(filter.attrPath, findAttribute).idsOf?.(filter.compValue, companyId);
  }
  if (filter.op === '[]') {
    const { valFilter } = filter;
    return valFilter.op === 'eq' && valFilter.attrPath.toLowerCase() === 'value'
      ? candidateIds({ ...valFilter, attrPath: filter.attrPath }, companyId)
      : undefined;
  }
  if (filter.op !== 'and' && filter.op !== 'or') return undefined;
  const each = filter.filters.map((one) => candidateIds(one, companyId)).filter((ids) => ids !== undefined);
  if (filter.op === 'and') return each[0];
  return each.length === filter.filters.length ? join(each, ' union all ') : undefined;
}

/** Returns whether a filter is a single comparison, of which there are few distinct statements. */
export function isComparison(filter: Filter): filter is Compare | Suffix {
  return 'attrPath' in filter && filter.op !== '[]';
}

function findAttribute(name: string): Attribute | undefined {
  const found = resolveName(name, USER_SCHEMAS);
  if (found === undefined || 'schema' in found) return undefined;
  const attribute = found.sub ?? found.attribute;
  // For read-only and ignored attributes resolveName also accepts unknown sub-attributes.
  return name.toLowerCase().endsWith(attribute.name.toLowerCase()) ? attribute : undefined;
}

interface Context {
  find: Find;
  values: ComparedValues;
}

function conditionOf(filter: Filter, context: Context): Sql {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const conditions = filter.filters.map((each) => conditionOf(each, context));
      return sql`(${join(conditions, ` ${filter.op} `)})`;
    }
    case 'not':
      return sql`(not ((${conditionOf(filter.filter, context)}) is true))`;
    case '[]': {
      const list = context.find(filter.attrPath);
      if (list?.max === undefined || list.search === undefined) throw notSearched(filter.attrPath);
      const find: Find = (name) => attributeNamed(list.sub ?? [], name);
      return sql`(${conditionOf(filter.valFilter, { ...context, find })})`;
    }
    default:
      return sql`(${comparison(filter, context)})`;
  }
}

function comparison(filter: Compare | Suffix, { find, values }: Context): Sql {
  const attribute = find(filter.attrPath);
  if (attribute?.selector === 'answered' && find !== findAttribute) return selectorCondition(filter, attribute);
  const { column, nullable, ...search } = searchOf(filter.attrPath, find);
  const present = nullable ? sql`${column} is not null` : sql`true`;
  if (filter.op === 'pr') return present;
  const { op, compValue } = filter;
  if (compValue === null && op === 'eq') return sql`not (${present})`;
  if (compValue === null && op === 'ne') return present;
  const type = attribute?.type;
  const condition =
    type === 'boolean'
      ? booleanCondition(column, op, compValue)
      : type === 'dateTime'
        ? instantCondition(values.named(column), op, compValue)
        : textCondition(values, column, search.fold ?? (attribute?.caseExact ? exactly : withoutCase), op, compValue);
  if (condition === undefined) throw incomparable(filter);
  return condition;
}

function searchOf(name: string, find: Find): Search {
  const search = find(name)?.search;
  if (search === undefined) throw notSearched(name);
  return search;
}

/** Evaluates a filter on a selector: the single stored address always has the type work, and is primary. */
function selectorCondition(filter: Compare | Suffix, { type }: Attribute): Sql {
  if (filter.op === 'pr') return sql`true`;
  const { op, compValue } = filter;
  if (op !== 'eq' && op !== 'ne') throw incomparable(filter);
  const isSame = type === 'boolean' ? asBoolean(compValue) === true : String(compValue).toLowerCase() === 'work';
  return isSame === (op === 'eq') ? sql`true` : sql`false`;
}

const exactly = (value: Sql) => value;
const withoutCase = (value: Sql) => sql`lower_letters(${value})`;

function textCondition(
  values: ComparedValues,
  column: Sql,
  fold: (value: Sql) => Sql,
  op: Operator,
  compared: unknown,
): Sql | undefined {
  if (typeof compared !== 'string' || !isStorable(compared)) return undefined;
  const [stored, value] = [values.named(fold(column)), fold(sql`${compared}::text`)];
  const sign = SIGNS[op];
  if (op === 'eq' || op === 'ne') return sql`${stored} ${sign} ${value}`;
  // In code point order, independent of the server's locale.
  if (sign !== undefined) return sql`${stored} collate "C" ${sign} ${value} collate "C"`;
  if (op === 'co') return sql`strpos(${stored}, ${value}) > 0`;
  if (op === 'sw') return sql`starts_with(${stored}, ${value})`;
  return sql`right(${stored}, char_length(${value})) = ${value}`;
}

function booleanCondition(column: Sql, op: Operator, compared: unknown): Sql | undefined {
  const value = asBoolean(compared);
  return typeof value === 'boolean' && (op === 'eq' || op === 'ne')
    ? sql`${column} ${SIGNS[op]} ${value}::boolean`
    : undefined;
}

function instantCondition(column: Sql, op: Operator, compared: unknown): Sql | undefined {
  const value = asInstant(compared);
  const sign = SIGNS[op];
  return value === undefined || sign === undefined ? undefined : sql`${column} ${sign} ${value}::timestamptz`;
}

function notSearched(path: string): Error {
  return new ScimError('invalidFilter', `There is no filter on ${path}.`);
}

function incomparable(filter: Compare | Suffix): Error {
  const value = JSON.stringify('compValue' in filter ? filter.compValue : undefined);
  return new ScimError('invalidFilter', `${filter.attrPath} cannot be compared by ${filter.op} with ${value}.`);
}

/** Normalises an instant to milliseconds in UTC, which is also the default time zone; undefined where it is none. */
function asInstant(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const instant = parseInstant(/(?:Z|[+-]\d\d:\d\d)$/i.test(value) ? value : `${value}Z`);
  const moment = new Date(instant ?? Number.NaN);
  return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999
    ? undefined
    : moment.toISOString();
}
