import sql, { type Sql } from 'sql-template-tag';
import { LAST_CHANGED, selectFields } from '../../../audit/entity-sql.ts';
import { isoTimestamp } from '../../../db/sql/sql-fragments.ts';
import { fieldsBut, type RowOf } from '../../../entities/entity.ts';
import type { CompanyRole } from '../../../entities/roles.ts';
import { scimUser } from '../../../entities/scim-user.ts';
import { SUBSTITUTE_FIELDS, user } from '../../../entities/user.ts';
import { groupsOfUser } from '../groups/role-groups.ts';

const USER_FIELDS = fieldsBut(
  user,
  ...([
    'companyId',
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
  /** The directory that has written them last. */
  directoryId: string | null;
  department: string;
  bandCode: string;
  /** Roles in their own company, sorted by name. */
  roles: CompanyRole[];
  /** Groups that the directory sees, without their addresses. */
  groups: { value: string; display: string; type: string }[];
  managerName: string | null;
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

/** Tables of a {@link ScimUserRow}. A row of `scim_users` only counts while the person belongs to its company. */
export const scimUsers: Sql = sql`
  users left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id`;

/** Returns the columns of {@link ScimColumns}. @param directoryId in SQL */
export const scimColumns = (directoryId: Sql): Sql => sql`
  scim_users.api_key_id as "directoryId",
  ${selectFields(scimUser, EXTENSION_FIELDS)},
  (select name from departments where departments.id = users.department_id) as department,
  (select code from employee_bands where employee_bands.id = users.band_id) as "bandCode",
  to_json(array(select role from company_roles
                 where company_roles.user_id = users.id and company_roles.company_id = users.company_id
                 order by role)) as roles,
  ${groupsOfUser(directoryId)} as groups,
  (select trim(above.first_name || ' ' || above.last_name) from users above where above.id = users.manager_id) as "managerName",
  ${isoTimestamp(sql`users.created_at`)} as "createdAt", ${isoTimestamp(LAST_CHANGED)} as "updatedAt"`;

/** Returns the columns of a {@link ScimUserRow}. @param directoryId in SQL */
export const scimUserColumns = (directoryId: Sql): Sql =>
  sql`${selectFields(user, USER_FIELDS)}, ${scimColumns(directoryId)}`;

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
