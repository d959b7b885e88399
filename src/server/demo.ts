import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { auditedUpdate } from '../audit/audited-write.ts';
import type { Database } from '../db/database.ts';
import type { RowOf } from '../entities/entity.ts';
import { SUBSTITUTE_FIELDS, user } from '../entities/user.ts';
import { importFolder } from '../import/import-folder.ts';
import { programFile } from '../lib/program-files.ts';

/** The folder of the demo companies, in the import format. */
const DEMO_FOLDER = fileURLToPath(programFile('demo'));

/** Loads the demo companies if there are no companies at all. */
export async function loadDemo(db: Database): Promise<void> {
  const [company] = await db.query(sql`select from companies limit 1`);
  if (company) return;
  await importFolder(db, DEMO_FOLDER);
  await moveToPresent(db);
}

const updateSubstitute = auditedUpdate(user, SUBSTITUTE_FIELDS);

/** Moves the demo in time, so that its latest booking is made now, and whoever is away then is away today. */
async function moveToPresent(db: Database): Promise<void> {
  await db.transaction(async (transaction) => {
    const days = sql`(select (now() at time zone 'UTC')::date - (max(created_at) at time zone 'UTC')::date from bookings)`;
    const away = await transaction.query<RowOf<typeof user, 'id' | 'substituteFrom' | 'substituteUntil'>>(sql`
      select id, (substitute_from + ${days})::text as "substituteFrom", (substitute_until + ${days})::text as "substituteUntil"
        from users where substitute_id is not null`);
    for (const { id, ...patch } of away) {
      await transaction.query(
        sql`with ${updateSubstitute({ id, patch, actor: { kind: 'command' } })} select from written`,
      );
    }
    await transaction.query(sql`
      update bookings set created_at = created_at + (select now() - max(created_at) from bookings)`);
  });
}
