import sql from 'sql-template-tag';
import type { Context } from '../app/context.ts';
import type { Output } from '../commands/command.ts';
import { migrate } from '../db/migrator.ts';
import { undoUnfinishedImport } from '../features/people/people.ts';
import { releaseWebhooks } from '../features/webhooks/lease-queries.ts';
import { loadDemo } from './demo.ts';
import { checkListenAddresses } from './listen-address.ts';

/**
 * Checks that the database answers and, before the service listens, that it can; then migrates the schema and, with DEMO_DATA, loads the
 * demo. On the embedded database it releases the webhook leases of the former process, which is dead, and undoes an import that it left
 * half written.
 *
 * @param listens whether the service has its ports already
 * @throws UserError if it cannot listen
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
  await migrate(db, { announce: output.print });
  stop.throwIfAborted();
  if (config.demoData) await loadDemo(db);
  if (db.kind === 'embedded' && db.diskState?.() !== 'low') {
    await releaseWebhooks(db);
    await undoUnfinishedImport(db);
  }
}
