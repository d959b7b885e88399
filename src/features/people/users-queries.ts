import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { idsBelow } from '../../api/hierarchy.ts';
import { comparable, jsonOfFields, selectFields, worksOn } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../../db/sql/select-page.ts';
import { allOf, BY_ID, byName, contains, isoTimestamp, isUpdatedSince } from '../../db/sql/sql-fragments.ts';
import { band } from '../../entities/band.ts';
import { company } from '../../entities/company.ts';
import { countOfCompany } from '../../entities/company-counts.ts';
import { department } from '../../entities/department.ts';
import { EMPLOYMENT_FIELDS, user } from '../../entities/user.ts';
import { lastSignIn, managerColumn } from '../profile/profile.ts';
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
  ${selectFields(user, ['externalId'])}, ${worksOn()} as works,
  (select to_json(employment) from (select ${selectFields(user, EMPLOYMENT_FIELDS)}, ${managerColumn}) employment) as employment,
  ${managerColumn}, ${lastSignIn} as "lastSignInAt", ${isoTimestamp(sql`users.updated_at`)} as "updatedAt"`;

/** Columns shown of guests; nothing about their own company. */
const guestColumns: Sql = sql`
  ${selectFields(user, ['id', 'email', 'firstName', 'lastName', 'active'])},
  null as phone, null as "approvalLimit", null as department, null as band, null as "externalId", null as works,
  null as employment, null as manager, null as "lastSignInAt", null as "updatedAt"`;

/** Sort keys by the name of the field. */
const SORTED_BY: Readonly<Record<string, SortKey>> = {
  name: { by: sql`name_folded collate "C"`, type: 'text' },
  approvalLimit: { by: sql`approval_limit`, type: 'numeric' },
  updatedAt: { by: sql`updated_at`, type: 'timestamptz' },
};

/** @param sort one of {@link USER_SORTS}; the hidden fields of guests must not reveal themselves by the order */
function orderOf(sort: string, guests: boolean): SortKey[] {
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const key = SORTED_BY[name];
  if (key === undefined) throw new TypeError(`People are not sorted by ${name}`);
  return guests && name !== 'name' ? [BY_ID] : [{ ...key, descending }, BY_ID];
}

/** Returns the condition for people with exactly this value, compared as by the unique key of the field. */
function hasValue(name: (typeof EXACT_FILTERS)[number], value: string): Sql {
  const { column, kind } = user.fields[name];
  const ignoresCase = user.unique.some((key) => 'ignoresCase' in key && key.fields.some((field) => field === name));
  const bound = kind.sqlType === 'uuid' ? sql`${value}::uuid` : sql`${value.trim()}::text`;
  return sql`${comparable(raw(`users.${column}`), ignoresCase || undefined)} = ${comparable(bound, ignoresCase || undefined)}`;
}

function isIn(departmentId: string, below = false): Sql {
  const own = sql`department_id = ${departmentId}::uuid`;
  return below ? sql`(${own} or department_id in (${idsBelow(department, sql`${departmentId}::uuid`)}))` : own;
}

function hasSignedIn(wanted: boolean): Sql {
  return sql`${wanted ? empty : sql`not `}exists (
    select from sign_ins where sign_ins.user_id = users.id and last_sign_in_at is not null)`;
}

/** Returns one page of the people who belong to a company, or of its guests. */
export function listUsers(db: Reader, filter: UserListInput, page: PageRequest): Promise<Page<ListedUserView>> {
  const {
    companyId,
    search,
    departmentId,
    below,
    bandId,
    role,
    activeOnly,
    inactiveOnly,
    guests = false,
    sort,
    signedIn,
    updatedSince,
  } = filter;
  const found = contains(sql`search_text`, search);
  const roleHere = (which?: Sql) => sql`exists (
    select from company_roles held where held.user_id = users.id and held.company_id = ${companyId}${which ?? empty})`;
  // Departments, bands and other fields of guests are hidden, so that no filter may match them.
  const isPlacedIn = (condition: Sql) => (guests ? sql`false` : condition);
  const narrowing = [
    found,
    departmentId === undefined ? undefined : isPlacedIn(isIn(departmentId, below)),
    bandId === undefined ? undefined : isPlacedIn(sql`band_id = ${bandId}`),
    activeOnly === true ? sql`active` : undefined,
    inactiveOnly === true ? sql`not active` : undefined,
    role === undefined ? undefined : roleHere(sql` and held.role = ${role}`),
    ...EXACT_FILTERS.map((name) => {
      const value = filter[name];
      return value === undefined ? undefined : isPlacedIn(hasValue(name, value));
    }),
    signedIn === undefined ? undefined : isPlacedIn(hasSignedIn(signedIn)),
    updatedSince === undefined ? undefined : isPlacedIn(isUpdatedSince(updatedSince) ?? empty),
  ];
  const isWhole = !guests && narrowing.every((condition) => condition === undefined);
  return selectPage<ListedUserView>(
    db,
    {
      columns: sql`
        ${guests ? guestColumns : residentColumns},
        array(select role from company_roles
               where company_roles.user_id = users.id and company_roles.company_id = ${companyId} order by role) as roles`,
      from: sql`users`,
      where: allOf([
        guests ? sql`company_id <> ${companyId} and ${roleHere()}` : sql`company_id = ${companyId}`,
        ...narrowing,
      ]),
      orderBy: sort === undefined ? byName(search) : orderOf(sort, guests),
      gathered: found && sql`id, name_folded, approval_limit, updated_at`,
      count: isWhole ? countOfCompany('users', sql`${companyId}::uuid`) : undefined,
    },
    page,
  );
}

/** Fewest digits of a needle that is looked for in phone numbers. */
const FEWEST_DIGITS = 4;

/** Returns one page of the people of all companies by name, e-mail address, phone number or employee number. */
export function searchUsers(db: Reader, search: string, page: PageRequest): Promise<Page<FoundUserView>> {
  const digits = search.replaceAll(/\D/g, '');
  const ways = [
    contains(sql`search_text`, search),
    digits.length < FEWEST_DIGITS ? undefined : sql`regexp_replace(phone, '\\D', '', 'g') like ${`%${digits}%`}`,
    hasValue('employeeNumber', search),
  ].filter((way) => way !== undefined);
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
      where: sql`(${join(ways, ' or ')})`,
      orderBy: byName(search),
      gathered: sql`id, name_folded`,
    },
    page,
  );
}
