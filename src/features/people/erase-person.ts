import sql from 'sql-template-tag';
import { forgetAnswers } from '../../api/kept-answers.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedDelete, write } from '../../audit/audited-write.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { erasedEmail } from '../../entities/characters.ts';
import { ALL_ENTITIES } from '../../entities/entities.ts';
import { type Field, fieldsBut, type RowOf } from '../../entities/entity.ts';
import { companyRole, systemRole } from '../../entities/held-role.ts';
import { user } from '../../entities/user.ts';
import { writePeople } from './change-people.ts';
import { forgetPerson } from './forget-person.ts';
import { assertNotLastAdmin } from './person-rules.ts';
import { lockPeople, type Person } from './person-service.ts';

const actor: Actor = { kind: 'command' };
/** Every personal field that may be null: a new one is erased without being named here. */
const BLANKED = fieldsBut(user).filter((name) => {
  const { retention, nullable }: Field = user.fields[name];
  return retention === 'personal' && nullable === true;
});
const BLANK: Partial<RowOf<typeof user>> = Object.fromEntries(BLANKED.map((name) => [name, null]));

const removeCompanyRoles = auditedDelete(companyRole);
const removeSystemRoles = auditedDelete(systemRole);

/** Result of an erasure. */
export interface Erasure {
  /** `absent`: the user no longer exists; only the audit trail could mention them. */
  user: 'erased' | 'erased before' | 'absent';
  /** Number of audit entries that held personal values. */
  changes: number;
}

/**
 * Erases a person in one transaction: personal data (in the audit trail too), roles, directory attributes and identity links.
 * The row stays for its bookings, and nobody can sign in with it.
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
        await forgetPerson(transaction, ALL_ENTITIES, actor, id);
        await transaction.query(forgetAnswers);
      }
      // Last: the writes above put the previous values into the trail.
      const changes = await eraseTrailValues(transaction, id);
      if (person === undefined) return { user: 'absent', changes };
      return { user: person.email === erasedEmail(id) ? 'erased before' : 'erased', changes };
    }),
  );
}

async function removeRoles(transaction: Transaction, { id, companyRoles, systemRole: held }: Person): Promise<void> {
  const ids = companyRoles.map((role) => role.id);
  if (ids.length > 0) await write(transaction, removeCompanyRoles(ids, actor));
  if (held) await write(transaction, removeSystemRoles([id], actor));
}

/** Blanks the personal fields and marks the person as deleted for directories. Fields that are blank already are not written again. */
async function blank(transaction: Transaction, { id, companyId }: Person): Promise<void> {
  const deletedAt = (await deletionOf(transaction, id)) ?? new Date().toISOString();
  const patch = { ...BLANK, email: erasedEmail(id), firstName: 'Erased', lastName: 'Person', active: false };
  await writePeople(transaction, actor, [{ id, patch, directory: { userId: id, companyId, deletedAt } }]);
}

async function deletionOf(db: Reader, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ at: string | null }>(sql`
    select to_char(deleted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from scim_users where user_id = ${id}`);
  return row?.at ?? undefined;
}

/** Erases what the trail has of a person, and what receivers answered to deliveries of it. @returns the number of changes with values */
async function eraseTrailValues(transaction: Transaction, id: string): Promise<number> {
  await transaction.query(sql`
    update webhook_deliveries set response = null
     where response is not null
       and change_id in (select audit_changes.id::text from audit_changes where user_id = ${id}::uuid or entity_id = ${id})`);
  const [row] = await transaction.query<{ changes: number }>(sql`select erase_audit_values(${id}::uuid) as changes`);
  return row?.changes ?? 0;
}
