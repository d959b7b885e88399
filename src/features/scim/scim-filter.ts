import type { Compare, Filter, Suffix } from 'scim2-parse-filter';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { isStorable } from '../../api/input.ts';
import { comparable, hasEmail } from '../../audit/entity-sql.ts';
import { isCanonicalUuid } from '../../entities/uuid.ts';
import { asBoolean } from './filter-syntax.ts';
import { CORE_USER } from './scim-attributes.ts';
import { scimFault } from './scim-errors.ts';

type Operator = Compare['op'];

/** What can be asked for of an attribute. @returns a condition that is true, false or null */
interface Searchable {
  compare(op: Operator, value: unknown): Sql | undefined;
  /** Whether there is a value. */
  present: Sql;
  /** Selects the ids of those who have this value, by an index. Absent: there is none. */
  idsOf?(value: string, companyId: string): Sql;
}

const SIGNS: Partial<Record<Operator, Sql>> = {
  ...{ eq: raw('='), ne: raw('is distinct from'), gt: raw('>'), ge: raw('>='), lt: raw('<'), le: raw('<=') },
};

/** A text. @param fold what makes two texts equal, in SQL */
function text(column: Sql, fold: (value: Sql) => Sql, { nullable = false } = {}): Searchable {
  const stored = fold(column);
  return {
    present: nullable ? sql`${column} is not null` : sql`true`,
    compare(op, given) {
      if (typeof given !== 'string' || !isStorable(given)) return undefined;
      const value = fold(sql`${given}::text`);
      const sign = SIGNS[op];
      if (op === 'eq' || op === 'ne') return sql`${stored} ${sign} ${value}`;
      // In the order of code points, whatever the server's locale.
      if (sign !== undefined) return sql`${stored} collate "C" ${sign} ${value} collate "C"`;
      if (op === 'co') return sql`strpos(${stored}, ${value}) > 0`;
      if (op === 'sw') return sql`starts_with(${stored}, ${value})`;
      return sql`right(${stored}, char_length(${value})) = ${value}`;
    },
  };
}

const exact = (value: Sql) => value;
const anyCase = (value: Sql) => sql`lower_letters(${value})`;
/** As the index of e-mail addresses has it. */
const ofEmail = (value: Sql) => comparable(value, true);

const id: Searchable = {
  ...text(sql`users.id::text`, exact),
  idsOf: (value) => {
    const isId = isCanonicalUuid(value) && value === value.toLowerCase();
    return isId ? sql`select ${value}::uuid` : sql`select null::uuid`;
  },
  compare(op, value) {
    if (op !== 'eq') return text(sql`users.id::text`, exact).compare(op, value);
    if (typeof value !== 'string') return undefined;
    const isId = isCanonicalUuid(value) && value === value.toLowerCase();
    return isId ? sql`users.id = ${value}::uuid` : sql`false`;
  },
};

const active: Searchable = {
  present: sql`true`,
  compare(op, given) {
    const value = asBoolean(given);
    if (typeof value !== 'boolean' || (op !== 'eq' && op !== 'ne')) return undefined;
    return sql`users.active ${SIGNS[op]} ${value}::boolean`;
  },
};

/** To the millisecond, as it is answered. */
export const LAST_MODIFIED: Sql = sql`date_trunc('milliseconds', greatest(users.updated_at, scim_users.updated_at))`;

const lastModified: Searchable = {
  present: sql`true`,
  compare(op, given) {
    const value = asInstant(given);
    const sign = SIGNS[op];
    return value === undefined || sign === undefined ? undefined : sql`${LAST_MODIFIED} ${sign} ${value}::timestamptz`;
  },
};

/** An attribute that is the same for everybody. */
const constant = (own: string | boolean): Searchable => ({
  present: sql`true`,
  compare(op, given) {
    const value = typeof own === 'boolean' ? asBoolean(given) : String(given).toLowerCase();
    if (op !== 'eq' && op !== 'ne') return undefined;
    return (value === own) === (op === 'eq') ? sql`true` : sql`false`;
  },
});

export const WORK_EMAIL: Sql = sql`coalesce(scim_users.work_email, users.email)`;
const workEmail = text(WORK_EMAIL, anyCase);

/** The attributes that filters may name, by their names in lower case: nothing else reaches the database. */
const SEARCHABLE: Readonly<Record<string, Searchable>> = {
  id,
  username: {
    ...text(sql`users.email`, ofEmail),
    idsOf: (value) => sql`select users.id from users where ${hasEmail(sql`${value}::text`)}`,
  },
  externalid: {
    ...text(sql`scim_users.external_id`, exact, { nullable: true }),
    idsOf: (value, companyId) => sql`
      select user_id from scim_users where company_id = ${companyId}::uuid and external_id = ${value}::text`,
  },
  emails: workEmail,
  'emails.value': workEmail,
  'name.givenname': text(sql`users.first_name`, anyCase),
  'name.familyname': text(sql`users.last_name`, anyCase),
  displayname: text(sql`(users.first_name || ' ' || users.last_name)`, anyCase),
  active,
  'meta.lastmodified': lastModified,
};
/** Inside of `emails[…]`. */
const OF_EMAILS: Readonly<Record<string, Searchable>> = {
  value: workEmail,
  type: constant('work'),
  primary: constant(true),
};

/** The condition of a filter on `users` with `scim_users` beside it. @throws ApiError `invalidFilter` */
export function filterCondition(filter: Filter): Sql {
  return condition(filter, SEARCHABLE);
}

/**
 * Selects the ids among which a filter finds people, by indexes alone. Undefined where it has to look at everybody.
 *
 * @throws ApiError `invalidFilter`
 */
export function candidateIds(filter: Filter, companyId: string): Sql | undefined {
  if (filter.op === 'eq' && typeof filter.compValue === 'string') {
    const name = nameOf(filter.attrPath);
    return Object.hasOwn(SEARCHABLE, name) ? SEARCHABLE[name]?.idsOf?.(filter.compValue, companyId) : undefined;
  }
  if (filter.op !== 'and' && filter.op !== 'or') return undefined;
  const each = filter.filters.map((one) => candidateIds(one, companyId)).filter((ids) => ids !== undefined);
  if (filter.op === 'and') return each[0];
  return each.length === filter.filters.length ? join(each, ' union ') : undefined;
}

/** Whether a filter is one comparison: of those there are few statements. */
export function isComparison(filter: Filter): filter is Compare | Suffix {
  return 'attrPath' in filter && filter.op !== '[]';
}

function condition(filter: Filter, attributes: Readonly<Record<string, Searchable>>): Sql {
  switch (filter.op) {
    case 'and':
    case 'or':
      return sql`(${join(
        filter.filters.map((each) => condition(each, attributes)),
        ` ${filter.op} `,
      )})`;
    case 'not':
      return sql`(not ((${condition(filter.filter, attributes)}) is true))`;
    case '[]':
      if (attributes !== SEARCHABLE || nameOf(filter.attrPath) !== 'emails') throw unknown(filter.attrPath);
      return sql`(${condition(filter.valFilter, OF_EMAILS)})`;
    default:
      return sql`(${comparison(filter, attributes)})`;
  }
}

function comparison(filter: Compare | Suffix, attributes: Readonly<Record<string, Searchable>>): Sql {
  const name = nameOf(filter.attrPath);
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute === undefined) throw unknown(filter.attrPath);
  if (filter.op === 'pr') return attribute.present;
  const { op, compValue } = filter;
  if (compValue === null && op === 'eq') return sql`not (${attribute.present})`;
  if (compValue === null && op === 'ne') return attribute.present;
  const compared = attribute.compare(op, compValue);
  if (compared !== undefined) return compared;
  throw scimFault('invalidFilter', `${filter.attrPath} cannot be compared by ${op} with ${JSON.stringify(compValue)}.`);
}

function nameOf(path: string): string {
  const name = path.toLowerCase();
  const prefix = `${CORE_USER.toLowerCase()}:`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function unknown(path: string): Error {
  return scimFault('invalidFilter', `There is no filter on ${path}.`);
}

/** A moment in milliseconds; without a zone it is in UTC. */
function asInstant(value: unknown): string | undefined {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?$/i.test(value)
  )
    return undefined;
  const moment = new Date(/(?:Z|[+-]\d\d:\d\d)$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999
    ? undefined
    : moment.toISOString();
}
