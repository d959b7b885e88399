import sql, { type Sql } from 'sql-template-tag';
import { LAST_CHANGED, selectFields } from '../../../audit/entity-sql.ts';
import { isoTimestamp } from '../../../db/sql/sql-fragments.ts';
import type { RawFields } from '../../../entities/check-fields.ts';
import { fieldsBut, type RowOf } from '../../../entities/entity.ts';
import type { CompanyRole } from '../../../entities/roles.ts';
import { scimUser } from '../../../entities/scim-user.ts';
import { SUBSTITUTE_FIELDS, user } from '../../../entities/user.ts';
import { groupsOfUser } from '../groups/role-groups.ts';

const USER_FIELDS = fieldsBut(
  user,
  ...([
    'companyId',
    'externalId',
    'departmentId',
    'bandId',
    'loyaltyPoints',
    'startDate',
    'endDate',
    'hostId',
    'legalEntityId',
    'fields',
  ] as const),
  ...SUBSTITUTE_FIELDS,
);
/** Fields of a person that only directories know. */
export const DIRECTORY_FIELDS = ['workEmail', 'phoneType', 'locality', 'region', 'country', 'managerValue'] as const;
const EXTENSION_FIELDS = [...DIRECTORY_FIELDS, 'leftExternalId', 'deletedAt', 'deletedUserName'] as const;

/** Columns of a person in SCIM besides the fields of the user. */
export interface ScimColumns extends RowOf<typeof scimUser, (typeof EXTENSION_FIELDS)[number]> {
  /** The directory that asks, where it knows them by an id; else the one that has written them last. */
  directoryId: string | null;
  /** By which the directory that asks knows them; the id of the company where no directory knows them by one. */
  externalId: string | null;
  /** By which the company knows them: of its directories, the first one. */
  companyExternalId: string | null;
  department: string;
  bandCode: string;
  /** Roles in their own company, sorted by name. */
  roles: CompanyRole[];
  /** Groups that the directory sees, without their addresses. */
  groups: { value: string; display: string; type: string }[];
  managerName: string | null;
  /** Values of active fields of one's own. */
  own: RawFields | null;
  createdAt: string;
  updatedAt: string;
}

/** A person with all data of the SCIM resource. */
export interface ScimUserRow extends RowOf<typeof user, (typeof USER_FIELDS)[number]>, ScimColumns {
  /** API keys in use that they created and could no longer create; absent where not counted. */
  keysMade?: number;
  /** Base URL of references; absent where they do not count, as in a version. */
  base?: string;
}

/** Tables of people in SCIM. A row of `scim_users` only counts while the person belongs to its company. */
export const scimUsers: Sql = sql`
  users left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id`;

/** Returns the tables of a {@link ScimUserRow}. @param directoryId in SQL */
export const scimUsersOf = (directoryId: Sql): Sql => sql`
  ${scimUsers} left join directory_people known on known.user_id = users.id and known.directory_id = ${directoryId}`;

/** Column of {@link scimUsersOf}: the id by which the directory knows a person. */
export const EXTERNAL_ID: Sql = sql`
  coalesce(known.external_id, case when not exists (select from directory_people where directory_people.user_id = users.id) then users.external_id end)`;

/** Returns the columns of {@link ScimColumns}. @param directoryId in SQL */
export const scimColumns = (directoryId: Sql): Sql => sql`
  coalesce(known.directory_id, scim_users.api_key_id) as "directoryId",
  ${EXTERNAL_ID} as "externalId", users.external_id as "companyExternalId",
  ${selectFields(scimUser, EXTENSION_FIELDS)},
  (select name from departments where departments.id = users.department_id) as department,
  (select code from employee_bands where employee_bands.id = users.band_id) as "bandCode",
  to_json(array(select role from company_roles
                 where company_roles.user_id = users.id and company_roles.company_id = users.company_id
                 order by role)) as roles,
  ${groupsOfUser(directoryId)} as groups,
  case when users.fields is not null then (
    select jsonb_object_agg(key, users.fields -> key) from field_definitions
     where entity = 'user' and active and (company_id is null or company_id = users.company_id) and jsonb_exists(users.fields, key)) end as own,
  (select trim(above.first_name || ' ' || above.last_name) from users above where above.id = users.manager_id) as "managerName",
  ${isoTimestamp(sql`users.created_at`)} as "createdAt", ${isoTimestamp(LAST_CHANGED)} as "updatedAt"`;

/** Returns the columns of a {@link ScimUserRow}. @param directoryId in SQL */
export const scimUserColumns = (directoryId: Sql): Sql =>
  sql`${selectFields(user, USER_FIELDS)}, ${scimColumns(directoryId)}`;

/** Selects as `id` the people of a company whom a directory may know by an id. */
export const idsByExternalId = (externalId: string, companyId: string): Sql => sql`
  select id from users where company_id = ${companyId}::uuid and external_id = ${externalId}::text
   union
  select user_id from directories join directory_people on directory_id = directories.id
   where company_id = ${companyId}::uuid and external_id = ${externalId}::text`;

/** Condition: the directory deleted the person, and nobody has activated them since. */
export const isDeleted: Sql = sql`(scim_users.deleted_at is not null and not users.active)`;

/** Returns the condition for people visible to a company's directory: those of the company whom it has not deleted. */
export function seenBy(companyId: string | Sql): Sql {
  return sql`users.company_id = ${companyId}::uuid and not coalesce(${isDeleted}, false)`;
}

/**
 * Returns the condition that a person looked up by id belongs to the company. `is not distinct from` cannot use the index on the company:
 * where statistics are stale, as on the embedded database, the planner would read the whole company by it.
 */
export function isOfCompany(companyId: string | Sql): Sql {
  return sql`users.company_id is not distinct from ${companyId}::uuid`;
}

/** Returns the condition of {@link seenBy} for people looked up by id: see {@link isOfCompany}. */
export function isSeenBy(companyId: string | Sql): Sql {
  return sql`${isOfCompany(companyId)} and not coalesce(${isDeleted}, false)`;
}
