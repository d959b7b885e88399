import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../db/database.ts';
import { travellerDocument, travellerProgramme } from '../../entities/traveller.ts';
import type { ProfileKeys } from './sealed-numbers.ts';

const BATCH = 500;

/** Wraps all numbers by the present key, in batches. @returns the number of those that another key had wrapped */
export async function rotateProfileKey(db: Database, keys: ProfileKeys): Promise<number> {
  let wrapped = 0;
  for (const { table } of [travellerDocument, travellerProgramme]) {
    let after: string | undefined = '00000000-0000-0000-0000-000000000000';
    while (after !== undefined) after = await rotateBatch(table, after);
  }
  return wrapped;

  async function rotateBatch(table: string, after: string): Promise<string | undefined> {
    return db.transaction(async (transaction) => {
      const rows = await transaction.query<{ id: string; userId: string; number: string }>(sql`
        select id, user_id as "userId", number from ${raw(table)}
         where id > ${after}::uuid order by id limit ${BATCH} for update`);
      const changed = rows.flatMap(({ id, userId, number }) => {
        const next = keys.rewrap(number, userId);
        return next === undefined ? [] : [{ id, number: next }];
      });
      if (changed.length > 0) {
        await transaction.query(sql`
          update ${raw(table)} as held set number = next.number
            from jsonb_to_recordset(${JSON.stringify(changed)}::text::jsonb) as next(id uuid, number text)
           where held.id = next.id`);
      }
      wrapped += changed.length;
      return rows.length < BATCH ? undefined : rows.at(-1)?.id;
    });
  }
}
