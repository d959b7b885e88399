import sql, { empty, join, type Sql } from 'sql-template-tag';
import { idsBelow } from '../../api/hierarchy.ts';
import type { OwnConditions } from '../../api/own-filter.ts';
import {
  comparable,
  jsonOfFields,
  LAST_CHANGED,
  SHOWN_NAMES,
  selectFields,
  storedKey,
  todayOf,
  worksOn,
} from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../../db/sql/select-page.ts';
import {
  allOf,
  anyOf,
  BY_ID,
  byName,
  contains,
  countOfCompany,
  isoTimestamp,
  isUpdatedSince,
  orderedBy,
  SORTED_BY_NAME,
  timeColumns,
} from '../../db/sql/sql-fragments.ts';
import { band } from '../../entities/band.ts';
import { company } from '../../entities/company.ts';
import { department } from '../../entities/department.ts';
import { role } from '../../entities/held-role.ts';
import { EMPLOYMENT_FIELDS, user } from '../../entities/user.ts';
import { lastSignIn, managerColumn, workEmailColumn } from '../profile/profile-queries.ts';
import {
  EXACT_FILTERS,
  type FoundUserView,
  LISTED_BAND_FIELDS,
  LISTED_DEPARTMENT_FIELDS,
  LISTED_FIELDS,
  type ListedUserView,
  type UserListInput,
} from './users-schemas.ts';

/** Columns shown of people who belong to the company. */
const residentColumns: Sql = sql`
  ${selectFields(user, LISTED_FIELDS)},
  (select ${jsonOfFields(department, LISTED_DEPARTMENT_FIELDS)}
     from departments where departments.id = users.department_id) as department,
  (select ${jsonOfFields(band, LISTED_BAND_FIELDS)}
     from employee_bands where employee_bands.id = users.band_id) as band,
  ${selectFields(user, ['externalId', 'workerType'])}, ${worksOn()} as works,
  (select to_json(employment) from (select ${selectFields(user, EMPLOYMENT_FIELDS)}, ${managerColumn}) employment) as employment,
  ${managerColumn}, ${workEmailColumn}, ${lastSignIn} as "lastSignInAt", ${isoTimestamp(LAST_CHANGED)} as "updatedAt"`;

/** Columns shown of guests; nothing about their own company. */
const guestColumns: Sql = sql`
  ${selectFields(user, ['id', 'email', 'firstName', 'lastName', 'active'])},
  null as phone, null as "approvalLimit", null as department, null as band, null as "externalId", null as works, null as "workerType",
  null as employment, null as manager, null as "workEmail", null as "lastSignInAt", null as "updatedAt"`;

/** Sort keys by the name of the field. */
const SORTED_BY: Readonly<Record<string, SortKey>> = {
  ...SORTED_BY_NAME,
  approvalLimit: { by: sql`approval_limit`, type: 'numeric' },
};

/** @param sort a field, with a leading `-` for descending order; the hidden fields of guests must not reveal themselves by the order */
function orderOf(sort: string, guests: boolean): SortKey[] {
  return guests && !sort.endsWith('name') ? [BY_ID] : orderedBy(SORTED_BY, sort);
}

/** Returns the condition for people with exactly this value, compared as by the unique key of the field. */
function hasValue(name: (typeof EXACT_FILTERS)[number], value: string): Sql {
  const { kind } = user.fields[name];
  const ignoresCase = user.unique.some((key) => 'ignoresCase' in key && key.fields.some((field) => field === name));
  const bound = kind.sqlType === 'uuid' ? sql`${value}::uuid` : sql`${value.trim()}::text`;
  return sql`${storedKey(user, name)} = ${comparable(bound, ignoresCase || undefined)}`;
}

/** Returns the condition for people of these departments. @param below also of those below them */
function isIn(departmentIds: readonly string[], below = false): Sql {
  const own = sql`department_id = ${anyOf(departmentIds)}`;
  return below ? sql`(${own} or department_id in (${idsBelow(department, anyOf(departmentIds))}))` : own;
}

const ownRolesColumn = sql`
  (select coalesce(json_agg(${jsonOfFields(role, ['id', 'key'], 'own')} order by own.key), '[]')
     from role_grants join own_roles own on own.id = role_grants.role_id
    where role_grants.user_id = users.id and role_grants.company_id = users.company_id) as "ownRoles"`;

const hasSignedIn = sql`exists (
  select from sign_ins where sign_ins.user_id = users.id and last_sign_in_at is not null)`;

/** Returns the condition for people whom a directory keeps up to date. */
const isKeptBy = (directoryId: string) => sql`exists (
  select from scim_users kept where kept.user_id = users.id and kept.company_id = users.company_id
     and kept.api_key_id = ${directoryId}::uuid and (kept.deleted_at is null or users.active))`;

/** Returns the condition for people whose substitute somebody is, today or later. */
const isStoodInForBy = (substituteId: string) => sql`(
  (substitute_id = ${substituteId}::uuid and substitute_until >= ${todayOf('users')}) or exists (
    select from substitutions planned
     where planned.user_id = users.id and planned.substitute_id = ${substituteId}::uuid and planned.last_day >= ${todayOf('users')}))`;

/** Returns one page of the people who belong to a company, or of its guests. */
export function listUsers(
  db: Reader,
  filter: UserListInput & { own?: OwnConditions },
  page: PageRequest,
): Promise<Page<ListedUserView>> {
  const { companyId, search, guests = false, sort, own: byFields } = filter;
  const { departmentId, bandId, signedIn, directoryId, updatedSince } = filter;
  const own = guests ? undefined : companyId;
  const byAddress = guests ? [] : byWorkEmail(search, companyId);
  const found = filter.broad ? foundBroadly(search, own) : anyWay([contains(sql`search_text`, search), ...byAddress]);
  const roleHere = (which?: Sql) => sql`exists (
    select from company_roles held where held.user_id = users.id and held.company_id = ${companyId}${which ?? empty})`;
  // Departments, bands and other fields of guests are hidden, so that no filter may match them.
  const isPlacedIn = (condition: Sql) => (guests ? sql`false` : condition);
  const narrowing = [
    found,
    ...[departmentId ? [departmentId] : undefined, filter.departmentIds].map(
      (ids) => ids && isPlacedIn(isIn(ids, filter.below)),
    ),
    ...[bandId ? [bandId] : undefined, filter.bandIds].map((ids) => ids && isPlacedIn(sql`band_id = ${anyOf(ids)}`)),
    filter.workerType && isPlacedIn(sql`worker_type = any(string_to_array(${filter.workerType.join(' ')}::text, ' '))`),
    filter.activeOnly === true ? sql`active` : undefined,
    filter.inactiveOnly === true ? sql`not active` : undefined,
    ...[filter.role ? [filter.role] : undefined, filter.roles].map(
      (held) => held && roleHere(sql` and held.role = any(string_to_array(${held.join(' ')}::text, ' '))`),
    ),
    filter.ownRoleId === undefined
      ? undefined
      : isPlacedIn(sql`exists (
          select from role_grants held where held.user_id = users.id and held.role_id = ${filter.ownRoleId}::uuid)`),
    ...EXACT_FILTERS.map((name) => {
      const value = filter[name];
      return value === undefined ? undefined : isPlacedIn(hasValue(name, value));
    }),
    signedIn === undefined ? undefined : isPlacedIn(signedIn ? hasSignedIn : sql`not ${hasSignedIn}`),
    directoryId === undefined ? undefined : isPlacedIn(isKeptBy(directoryId)),
    filter.documentsExpireBefore === undefined
      ? undefined
      : isPlacedIn(sql`exists (
          select from traveller_documents held
           where held.user_id = users.id and held.expires_on < ${filter.documentsExpireBefore}::text::date)`),
    filter.substituteId === undefined ? undefined : isPlacedIn(isStoodInForBy(filter.substituteId)),
    filter.arrangedBy === undefined
      ? undefined
      : isPlacedIn(sql`exists (
          select from traveller_arrangers held
           where held.user_id = users.id and held.arranger_id = ${filter.arrangedBy}::uuid
             and (held.until is null or held.until >= ${todayOf('users')}))`),
    ...(byFields?.where ?? []).map(isPlacedIn),
    updatedSince === undefined ? undefined : isPlacedIn(isUpdatedSince(updatedSince, companyId, SHOWN_NAMES) ?? empty),
  ];
  const isWhole = !guests && narrowing.every((condition) => condition === undefined);
  return selectPage<ListedUserView>(
    db,
    {
      columns: sql`
        ${guests ? guestColumns : residentColumns}${guests ? empty : timeColumns('users', [], filter.include ?? [])}${!guests && filter.include?.includes('ownRoles') ? sql`, ${ownRolesColumn}` : empty},
        array(select role from company_roles
               where company_roles.user_id = users.id and company_roles.company_id = ${companyId} order by role) as roles`,
      from: sql`users`,
      where: allOf([
        guests ? sql`company_id <> ${companyId} and ${roleHere()}` : sql`company_id = ${companyId}`,
        ...narrowing,
      ]),
      orderBy:
        (guests ? undefined : byFields?.orderBy) ?? (sort === undefined ? byName(search) : orderOf(sort, guests)),
      gathered: found && sql`id, name_folded, approval_limit, updated_at${byFields?.orderBy ? sql`, fields` : empty}`,
      count: isWhole ? countOfCompany('users', sql`${companyId}::uuid`) : undefined,
    },
    page,
  );
}

/** Fewest digits of a needle that is looked for in phone numbers. */
const FEWEST_DIGITS = 4;

/**
 * Returns the condition for people with all words of a text in their name or e-mail address, with its digits in their
 * phone number, or with it as their employee number; undefined if it is blank.
 *
 * @param companyId also those in a department of this company with the text in its name or cost code; undefined: by
 *   their own name and address alone
 */
function foundBroadly(search = '', companyId: string | undefined): Sql | undefined {
  const words = byWords(search);
  if (words === undefined || companyId === undefined) return words;
  const inDepartment = sql`department_id in (
    select id from departments where company_id = ${companyId}::uuid and ${contains(sql`search_text`, search)})`;
  return anyWay([words, ...byWorkEmail(search, companyId), ...byNumber(search), inDepartment]);
}

/** Returns the condition for people with all words of a text in their name or e-mail address, or of several addresses one; undefined if it has none. */
function byWords(search: string): Sql | undefined {
  const typed = search.split(/[\s,;]+/).filter(Boolean);
  const words = typed.flatMap((word) => contains(sql`search_text`, word) ?? []);
  if (words.length === 0) return undefined;
  return typed.every((word) => word.includes('@')) ? anyWay(words) : allOf(words);
}

/**
 * Returns the condition for people with a text in the work address that their directory sent; none if it is blank.
 *
 * @param companyId undefined: of all companies
 */
function byWorkEmail(search = '', companyId?: string): Sql[] {
  const has = contains(sql`work_email_folded`, search);
  const isOfCompany = companyId === undefined ? sql`true` : sql`company_id = ${companyId}::uuid`;
  return has
    ? [sql`id in (select user_id from scim_users where ${isOfCompany} and deleted_at is null and ${has})`]
    : [];
}

/** Returns the condition that one of some holds; undefined if there are none. */
function anyWay(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const ways = conditions.filter((way) => way !== undefined);
  return ways.length === 0 ? undefined : sql`(${join(ways, ' or ')})`;
}

/** Returns the conditions for people with a text as their employee number or, unless it has letters, its digits in their phone number. */
function byNumber(search: string): Sql[] {
  // As people dial it: without the zeros that come before a national number, or in brackets after the country code.
  const digits = search.replace('(0)', '').replaceAll(/\D/g, '').replace(/^0+/, '');
  const isPhone = digits.length >= FEWEST_DIGITS && !/[\p{L}@]/u.test(search);
  return [
    ...(isPhone ? [sql`regexp_replace(phone, '\\D', '', 'g') like ${`%${digits}%`}`] : []),
    hasValue('employeeNumber', search),
  ];
}

/** Returns one page of the people of all companies by the words of their name or address, phone number or employee number. */
export function searchUsers(db: Reader, search: string, page: PageRequest): Promise<Page<FoundUserView>> {
  const words = byWords(search);
  return selectPage<FoundUserView>(
    db,
    {
      columns: sql`
        ${residentColumns},
        array(select role from company_roles
               where company_roles.user_id = users.id and company_roles.company_id = users.company_id order by role) as roles,
        (select ${jsonOfFields(company, ['id', 'name', 'active'])}
           from companies where companies.id = users.company_id) as company`,
      from: sql`users`,
      name: 'search',
      where: anyWay([words, ...byWorkEmail(search), ...byNumber(search)]) ?? empty,
      orderBy: byName(search),
      gathered: sql`id, name_folded`,
    },
    page,
  );
}
