import sql from 'sql-template-tag';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedDelete, auditedUpdateWithExtension } from '../../audit/audited-write.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { companyRole, systemRole } from '../../entities/held-role.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { PROFILE_FIELDS, user } from '../../entities/user.ts';
import { assertNotLastAdmin } from './person-rules.ts';
import { lockPeople, type Person } from './person-service.ts';

const actor: Actor = { kind: 'command' };
const update = auditedUpdateWithExtension(user, ['email', ...PROFILE_FIELDS, 'active'], scimUser);
const removeCompanyRoles = auditedDelete(companyRole);
const removeSystemRoles = auditedDelete(systemRole);

/** What was erased. */
export interface Erasure {
  /** `absent`: there is no such user any more, and the trail alone knew of them. */
  user: 'erased' | 'erased before' | 'absent';
  /** Of so many changes the audit trail had personal values. */
  changes: number;
}

/**
 * Erases a person, in one transaction: their name, address and all else that is personal, in the audit trail as well, their roles, what a
 * directory says of them and how identity providers call them. Their row stays, with its bookings, for nobody to sign in by.
 *
 * @throws ApiError `LAST_ADMIN`
 */
export function erasePerson(db: Database, id: string): Promise<Erasure> {
  return db.session((session) =>
    session.transaction(async (transaction) => {
      const person = (await lockPeople(transaction, [id], sql`true`)).get(id);
      if (person) {
        await assertNotLastAdmin(transaction, undefined, [person]);
        await removeRoles(transaction, person);
        await blank(transaction, person);
        await transaction.query(sql`delete from user_identities where user_id = ${id}`);
      }
      // Last: what was just written tells the values of before.
      const changes = await eraseTrailValues(transaction, id);
      if (person === undefined) return { user: 'absent', changes };
      return { user: person.email === erasedEmail(id) ? 'erased before' : 'erased', changes };
    }),
  );
}

async function removeRoles(transaction: Transaction, { id, companyRoles, systemRole: held }: Person): Promise<void> {
  const ids = companyRoles.map((role) => role.id);
  if (ids.length > 0) await transaction.query(sql`with ${removeCompanyRoles(ids, actor)} select from written`);
  if (held) await transaction.query(sql`with ${removeSystemRoles([id], actor)} select from written`);
}

/** Directories see them no more. What is blank already is not written again. */
async function blank(transaction: Transaction, { id, companyId }: Person): Promise<void> {
  const deletedAt = (await deletionOf(transaction, id)) ?? new Date().toISOString();
  const patch = {
    email: erasedEmail(id),
    firstName: 'Erased',
    lastName: 'Person',
    active: false,
    phone: null,
    dateOfBirth: null,
    gender: null,
    addressLine1: null,
    addressLine2: null,
    pincode: null,
  };
  const beside = {
    userId: id,
    companyId,
    deletedAt,
    externalId: null,
    workEmail: null,
    phoneType: null,
    deletedUserName: null,
  };
  await transaction.query(sql`with ${update({ id, patch, beside, actor })} select from written`);
}

/** Nobody has it, and no mail goes there: `invalid` is no top-level domain (RFC 2606). */
function erasedEmail(id: string): string {
  return `${id}@erased.invalid`;
}

async function deletionOf(db: Reader, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ at: string | null }>(sql`
    select to_char(deleted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from scim_users where user_id = ${id}`);
  return row?.at ?? undefined;
}

async function eraseTrailValues(transaction: Transaction, id: string): Promise<number> {
  const [row] = await transaction.query<{ changes: number }>(sql`select erase_audit_values(${id}::uuid) as changes`);
  return row?.changes ?? 0;
}
