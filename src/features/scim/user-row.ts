import sql, { type Sql } from 'sql-template-tag';
import { selectFields } from '../../audit/entity-sql.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import type { RowOf } from '../../entities/entity.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';

const USER_FIELDS = [
  'id',
  'email',
  'firstName',
  'lastName',
  'phone',
  'clientType',
  'approvalLimit',
  'dateOfBirth',
  'gender',
  'addressLine1',
  'addressLine2',
  'pincode',
  'active',
] as const;
const EXTENSION_FIELDS = ['externalId', 'workEmail', 'phoneType', 'deletedAt', 'deletedUserName'] as const;

/** What SCIM has of a person beyond the fields of the user. */
export interface ScimColumns extends RowOf<typeof scimUser, (typeof EXTENSION_FIELDS)[number]> {
  department: string;
  bandCode: string;
  /** In their company, by name. */
  roles: CompanyRole[];
  createdAt: string;
  updatedAt: string;
}

/** A person with all that SCIM tells of them. */
export interface ScimUserRow extends RowOf<typeof user, (typeof USER_FIELDS)[number]>, ScimColumns {
  /** API keys in use that they made and may no longer make; absent: not asked for. */
  keysMade?: number;
}

/** What a {@link ScimUserRow} is selected from. A row of `scim_users` counts as long as the person is in its company. */
export const scimUsers: Sql = sql`
  users left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id`;

/** To the millisecond, as it is answered. The trail knows when a role was taken away. */
export const LAST_MODIFIED: Sql = sql`
  date_trunc('milliseconds', greatest(users.updated_at, scim_users.updated_at, (
    select changed_at from audit_changes
     where entity = 'companyRole' and user_id = users.id and company_id = users.company_id order by id desc limit 1)))`;

/** The columns of {@link ScimColumns}. */
export const scimColumns: Sql = sql`
  ${selectFields(scimUser, EXTENSION_FIELDS)},
  (select name from departments where departments.id = users.department_id) as department,
  (select code from employee_bands where employee_bands.id = users.band_id) as "bandCode",
  to_json(array(select role from company_roles
                 where company_roles.user_id = users.id and company_roles.company_id = users.company_id
                 order by role)) as roles,
  ${isoTimestamp(sql`users.created_at`)} as "createdAt", ${isoTimestamp(LAST_MODIFIED)} as "updatedAt"`;

/** The columns of a {@link ScimUserRow}. */
export const scimUserColumns: Sql = sql`${selectFields(user, USER_FIELDS)}, ${scimColumns}`;

/** Whether the directory deleted the person, and nobody has activated them since. */
export const isDeleted: Sql = sql`(scim_users.deleted_at is not null and not users.active)`;

/** Whom the directory of a company sees: its people, but for those it deleted. */
export function seenBy(companyId: string | Sql): Sql {
  return sql`users.company_id = ${companyId}::uuid and not coalesce(${isDeleted}, false)`;
}

/**
 * Whether a person is of the company, of people who are found by their ids. No index is used for it: without statistics, as the embedded
 * database has none of what comes by and by, one of the company's people is looked up by reading all of them.
 */
export function isOfCompany(companyId: string | Sql): Sql {
  return sql`users.company_id is not distinct from ${companyId}::uuid`;
}

/** As {@link seenBy}, of people who are found by their ids. */
export function isSeenBy(companyId: string | Sql): Sql {
  return sql`${isOfCompany(companyId)} and not coalesce(${isDeleted}, false)`;
}
