import sql from 'sql-template-tag';
import type { Author } from '../../api/write-request.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import type { Transaction } from '../../db/database.ts';
import { scimUser } from '../../entities/scim-user.ts';

/** Returns the placeholder e-mail address of a person whom a directory deleted, which frees their own address. */
export function deletedUserName(id: string): string {
  return `${id}@deleted.invalid`;
}

const update = auditedUpdate(scimUser, ['deletedAt', 'deletedUserName']);

/**
 * Undoes a deletion by the directory when an administrator activates or deactivates the person: the directory sees them again.
 *
 * @returns the changes, plus the former e-mail address where the person is activated and still has the placeholder
 */
export async function endDeletion<Changes extends { active?: boolean; email?: string }>(
  transaction: Transaction,
  { actor }: Author,
  { id, email }: { id: string; email: string },
  changes: Changes,
): Promise<Changes> {
  if (changes.active === undefined) return changes;
  const [deleted] = await transaction.query<{ userName: string | null }>(sql`
    select deleted_user_name as "userName" from scim_users where user_id = ${id}::uuid and deleted_at is not null`);
  if (deleted === undefined) return changes;
  const patch = { deletedAt: null, deletedUserName: null };
  await write(transaction, update({ id, patch, actor }));
  const isNameless = changes.active && changes.email === undefined && email === deletedUserName(id);
  return isNameless && deleted.userName !== null ? { ...changes, email: deleted.userName } : changes;
}
