import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { callerColumns } from '../../auth/caller-queries.ts';
import { rowOfEach, selectionOf } from '../../auth/identity-queries.ts';
import type { Caller } from '../../auth/roles.ts';
import type { TokenOwner } from '../../auth/token-claims.ts';
import { type AuditedField, differences, keepingOf, logChanges, type UserOrigin } from '../../db/audit-trail.ts';
import { composeOnce } from '../../db/compose-once.ts';
import type { Executor } from '../../db/database.ts';
import { isoTimestamp } from '../../db/sql-fragments.ts';
import type { ProfileFieldName } from '../../lib/profile-fields.ts';
import type { ProfilePatch } from './profile-input.ts';

/** A user with everything that the profile shows: amounts as decimal strings, `dateOfBirth` as `YYYY-MM-DD`. */
export interface ProfileRow extends Caller {
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
  clientType: string;
  companyId: string;
  departmentId: string;
  bandId: string;
  approvalLimit: string;
  dateOfBirth: string;
  gender: string;
  addressLine1: string;
  addressLine2: string | null;
  pincode: string;
  loyaltyPoints: number;
  createdAt: string;
  updatedAt: string;
  company: { id: string; name: string; legalName: string; gstin: string; active: boolean };
  department: { id: string; name: string; costCode: string };
  band: { id: string; name: string; code: string; autoApprovalLimit: string; maxBookingLimit: string | null };
}

const profileColumns: Sql = sql`
  ${callerColumns},
  users.email, users.first_name as "firstName", users.last_name as "lastName", users.phone,
  users.client_type as "clientType", users.company_id as "companyId", users.department_id as "departmentId",
  users.band_id as "bandId", users.approval_limit::text as "approvalLimit", users.date_of_birth::text as "dateOfBirth",
  users.gender, users.address_line_1 as "addressLine1", users.address_line_2 as "addressLine2", users.pincode,
  users.loyalty_points as "loyaltyPoints",
  ${isoTimestamp(sql`users.created_at`)} as "createdAt", ${isoTimestamp(sql`users.updated_at`)} as "updatedAt",
  json_build_object('id', companies.id, 'name', companies.name, 'legalName', companies.legal_name,
                    'gstin', companies.gstin, 'active', companies.active) as company,
  json_build_object('id', departments.id, 'name', departments.name, 'costCode', departments.cost_code) as department,
  json_build_object('id', bands.id, 'name', bands.name, 'code', bands.code,
                    'autoApprovalLimit', bands.auto_approval_limit::text,
                    'maxBookingLimit', bands.max_booking_limit::text) as band`;

const profileTables: Sql = sql`companies, departments, employee_bands bands`;
const profileJoins: Sql = sql`
  companies.id = users.company_id and departments.id = users.department_id and bands.id = users.band_id`;

const PATCH_COLUMNS: Readonly<Record<ProfileFieldName, Sql>> = {
  firstName: sql`first_name`,
  lastName: sql`last_name`,
  phone: sql`phone`,
  dateOfBirth: sql`date_of_birth`,
  gender: sql`gender`,
  addressLine1: sql`address_line_1`,
  addressLine2: sql`address_line_2`,
  pincode: sql`pincode`,
};

/** Finds the profile of each token's owner, the roles included, in one round trip; undefined for an unknown one. */
export async function findProfiles(db: Executor, owners: readonly TokenOwner[]): Promise<(ProfileRow | undefined)[]> {
  const { owner, from, where } = selectionOf(owners);
  const profiles = await db.query<ProfileRow & { owner: string }>(sql`
    select ${owner} as owner, ${profileColumns} from ${from}, ${profileTables} where ${where} and ${profileJoins}`);
  return rowOfEach(owners, profiles);
}

/** Like {@link findProfiles}, of one user by id; nobody else changes the user until the transaction ends. */
export async function findProfileForUpdate(db: Executor, userId: string): Promise<ProfileRow | undefined> {
  const [profile] = await db.query<ProfileRow>(sql`
    select ${profileColumns} from users, ${profileTables} where users.id = ${userId} and ${profileJoins}
    for update of users`);
  return profile;
}

/**
 * The statement that writes the fields of the patch, and no other, and gives the profile as it is then. `updatedAt` moves by
 * a millisecond at least. No row where there is no such active user any more.
 *
 * @param userId in SQL
 */
export function profileUpdate(userId: Sql, patch: ProfilePatch): Sql {
  const assignments = fieldsOf(patch).map((field) => sql`${PATCH_COLUMNS[field]} = ${patch[field]}`);
  return sql`
    update users
       set ${join(assignments)},
           updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), users.updated_at + interval '1 millisecond')
      from ${profileTables}
     where users.id = ${userId} and users.active and ${profileJoins}
    returning ${profileColumns}`;
}

/**
 * Runs {@link profileUpdate} and writes what it changed to the audit trail, in one statement.
 * Undefined where there is no such active user any more.
 */
export async function updateProfile(
  db: Executor,
  origin: UserOrigin,
  patch: ProfilePatch,
): Promise<ProfileRow | undefined> {
  const fields = fieldsOf(patch);
  const key = fields.join();
  const statement = auditedUpdates.get(key) ?? composeOnce([...ORIGIN, ...fields], auditedUpdate);
  auditedUpdates.set(key, statement);
  const [profile] = await db.query<ProfileRow>(statement({ ...origin, ...patch }));
  return profile;
}

const ORIGIN = ['userId', 'requestId'] as const satisfies (keyof UserOrigin)[];

/** By the fields that they write. */
const auditedUpdates = new Map<string, (values: UserOrigin & ProfilePatch) => Sql>();

function auditedUpdate({ userId, requestId, ...patch }: UserOrigin & ProfilePatch): Sql {
  const fields = fieldsOf(patch).map((field): AuditedField => {
    const column = PATCH_COLUMNS[field];
    const text = field === 'dateOfBirth' ? raw('::text') : empty;
    return {
      name: field,
      before: sql`previous.${column}${text}`,
      after: sql`updated.${raw(`"${field}"`)}`,
      kept: keepingOf('user', field),
    };
  });
  // The update waits for the lock that `previous` takes: the values that it finds are those that are overwritten.
  return sql`
    with previous as (select * from users where id = ${userId} and active for no key update),
    updated as (${profileUpdate(sql`(select id from previous)`, patch)}),
    changes as (
      select 'changed' as action, previous.id::text as entity_id, previous.id as user_id, previous.company_id, differences.*
        from previous, updated, lateral (${differences(fields)}) differences
    ),
    ${logChanges('user', { userId, requestId })}
    select * from updated`;
}

function fieldsOf(patch: ProfilePatch): ProfileFieldName[] {
  return (Object.keys(PATCH_COLUMNS) as ProfileFieldName[]).filter((field) => patch[field] !== undefined);
}
