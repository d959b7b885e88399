import sql, { raw } from 'sql-template-tag';
import { type Actor, given } from '../../audit/audit-trail.ts';
import { auditedUpdates, deletedRows, write } from '../../audit/audited-write.ts';
import { columnOf } from '../../audit/entity-sql.ts';
import type { Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import type { AuditedEntity } from '../../entities/entity.ts';
import { companyRole } from '../../entities/held-role.ts';
import { user } from '../../entities/user.ts';

/**
 * What becomes of rows of tables of no entity when a person is erased, or somebody else gets their row, by the foreign key. The rows of
 * entities that are about the person are removed; those that only mention the person are kept.
 */
export const FATES = {
  'user_identities.user_id': 'removed',
  'sign_ins.user_id': 'removed',
  'directory_people.user_id': 'removed',
  'scim_users.user_id': 'blanked',
  'scim_users.successor_id': 'kept',
  'directory_group_members.user_id': 'kept',
  'feed_people.user_id': 'removed',
  'company_group_members.user_id': 'unlisted',
  'approval_policy_people.user_id': 'unlisted',
  'approval_policy_defaults.user_id': 'unlisted',
  'approval_policy_level_people.user_id': 'unlisted',
} as const satisfies Record<string, 'removed' | 'blanked' | 'kept' | 'unlisted'>;

/** The fields that list people, which triggers keep as rows. */
function listsOfPeople(entities: readonly AuditedEntity[]) {
  return entities.flatMap((entity) =>
    Object.entries(entity.fields).flatMap(([field, { lists, rows }]) =>
      lists === user.name && rows ? [{ entity, field, rows, update: auditedUpdates(entity, [field]) }] : [],
    ),
  );
}

/** The entities whose rows are about one person; roles go by the rules about roles. */
function ownedByPeople(entities: readonly AuditedEntity[]) {
  return entities.flatMap((entity) => {
    const field = entity.auditSubject?.user;
    return field === undefined || field === entity.id || entity.name === companyRole.name ? [] : [{ entity, field }];
  });
}

/** Removes the rows of all entities about a person who is erased, or whose row somebody else gets, but for roles. */
export async function forgetPerson(
  transaction: Transaction,
  entities: readonly AuditedEntity[],
  actor: Actor,
  id: string,
): Promise<void> {
  for (const [key, fate] of Object.entries(FATES)) {
    const [table = '', column = ''] = key.split('.');
    if (fate === 'removed') await transaction.query(sql`delete from ${raw(table)} where ${raw(column)} = ${id}::uuid`);
  }
  await unlistPeople(transaction, entities, actor, [id]);
  for (const { entity, field } of ownedByPeople(entities)) {
    const ids = sql`select ${columnOf(entity)} from ${raw(entity.table)} where ${columnOf(entity, field)} = ${id}::uuid`;
    await write(transaction, sql`${given(null, actor)}, ${deletedRows(entity, ids)}`);
  }
}

/** Takes people out of the lists of the policies and groups that name them. */
export async function unlistPeople(
  transaction: Transaction,
  entities: readonly AuditedEntity[],
  actor: Actor,
  ids: readonly string[],
): Promise<void> {
  const gone = new Set(ids);
  for (const { entity, field, rows, update } of listsOfPeople(entities)) {
    const listing = await transaction.query<{ id: string; list: string }>(sql`
      select ${columnOf(entity)}::text as id, ${columnOf(entity, field)} as list from ${raw(entity.table)}
       where ${columnOf(entity)} in (select ${raw(rows.of)} from ${raw(rows.table)} where ${raw(rows.value)} = ${anyOf(ids)})`);
    const changes = listing.map(({ id, list }) => {
      const others = list.split(' ').filter((each) => !gone.has(each));
      return { id, patch: { [field]: others.join(' ') || null } as never };
    });
    if (changes.length > 0) await write(transaction, update(changes, actor));
  }
}
