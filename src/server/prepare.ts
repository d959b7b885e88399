import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import type { Context } from '../app/context.ts';
import { lackOfRights } from '../commands/check/service-rights.ts';
import type { Output } from '../commands/command.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrator.ts';
import type { RowOf } from '../entities/entity.ts';
import type { user } from '../entities/user.ts';
import { writePeople } from '../features/people/change-people.ts';
import { undoUnfinishedImport } from '../features/people/import/write-people.ts';
import { releaseWebhooks } from '../features/webhooks/lease-queries.ts';
import { importFolder } from '../import/import-folder.ts';
import { readPhonesOnce } from '../import/stage/staging.ts';
import { UserError } from '../lib/errors.ts';
import { programFile } from '../lib/program.ts';
import { checkListenAddresses } from './listen-address.ts';

/**
 * Checks that the database answers and, before the service listens, that it can; then migrates the schema and, with DEMO_DATA, loads the
 * demo. On the embedded database it releases the webhook leases of the former process, which is dead, and undoes an import that it left
 * half written.
 *
 * @param listens whether the service has its ports already
 * @throws UserError if it cannot listen, or its role lacks rights
 */
export async function prepare(
  { config, db }: Context,
  output: Output,
  stop: AbortSignal,
  listens = false,
): Promise<void> {
  stop.throwIfAborted();
  // Before the ports, so that an unavailable database is reported even if a port is taken.
  await db.query(sql`select 1 as one`);
  if (!listens) await checkListenAddresses(config);
  const applied = await migrate(db, { announce: output.print });
  await readPhonesOnce(db, applied);
  const lacking = db.kind === 'server' ? await lackOfRights(db, config) : undefined;
  if (lacking !== undefined) throw new UserError(`The service cannot work: ${lacking}.`);
  stop.throwIfAborted();
  if (config.demoData) await loadDemo(db);
  if (db.kind === 'embedded' && db.diskState?.() !== 'low') {
    await releaseWebhooks(db);
    await undoUnfinishedImport(db);
  }
}

/** The folder of the demo companies, in the import format. */
const DEMO_FOLDER = fileURLToPath(programFile('demo'));

/** Loads the demo companies if there are no companies at all. */
export async function loadDemo(db: Database): Promise<void> {
  const [company] = await db.query(sql`select from companies limit 1`);
  if (company) return;
  await importFolder(db, DEMO_FOLDER);
  await moveToPresent(db);
}

/** Moves the demo in time, so that its latest booking is made now, people joined in the last months, and whoever is away then is away today. */
async function moveToPresent(db: Database): Promise<void> {
  // One entry of the history, as one import.
  const actor = { kind: 'import', runId: randomUUID() } as const;
  await db.transaction(async (transaction) => {
    const days = sql`(select (now() at time zone 'UTC')::date - (max(created_at) at time zone 'UTC')::date from bookings)`;
    const moved = await transaction.query<
      RowOf<typeof user, 'id' | 'startDate' | 'substituteFrom' | 'substituteUntil'>
    >(sql`
      select id, (start_date + ${days})::text as "startDate",
             (substitute_from + ${days})::text as "substituteFrom", (substitute_until + ${days})::text as "substituteUntil"
        from users where substitute_id is not null or start_date > (select max(created_at) - interval '1 year' from bookings)`);
    const changes = moved.map(({ id, ...patch }) => ({ id, patch }));
    await writePeople(transaction, actor, changes);
    await transaction.query(sql`
      update bookings set created_at = created_at + (select now() - max(created_at) from bookings)`);
  });
}
