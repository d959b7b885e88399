import sql, { raw } from 'sql-template-tag';
import { type Actor, given } from '../../audit/audit-trail.ts';
import { deletedRows, write } from '../../audit/audited-write.ts';
import { isThereOn, todayOf } from '../../audit/entity-sql.ts';
import type { Database } from '../../db/database.ts';
import { traveller, travellerArranger, travellerDocument, travellerProgramme } from '../../entities/traveller.ts';

const actor: Actor = { kind: 'command' };
const ALL = [travellerDocument, travellerProgramme, travellerArranger, traveller] as const;

/**
 * Removes documents some days after their end, and everything about travellers some days after their last day of work; who was deactivated
 * without one counts from their last change.
 */
export async function removeOldTravellers(
  db: Database,
  { documentRetention, travellerRetention }: { documentRetention: number; travellerRetention: number },
): Promise<void> {
  await db.transaction(async (transaction) => {
    const old = sql`
      select held.id from traveller_documents held join users on users.id = held.user_id
       where expires_on < ${todayOf('users')} - ${documentRetention}::integer`;
    await write(transaction, sql`${given(null, actor)}, ${deletedRows(travellerDocument, old)}`);
    for (const entity of ALL) {
      const left = sql`
        select held.id from ${raw(entity.table)} held join users on users.id = held.user_id
         where not ${isThereOn()} and coalesce(end_date, users.updated_at::date) < ${todayOf('users')} - ${travellerRetention}::integer`;
      await write(transaction, sql`${given(null, actor)}, ${deletedRows(entity, left)}`);
    }
  });
}
