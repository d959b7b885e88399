import sql from 'sql-template-tag';
import type { Context } from '../app/context.ts';
import type { Output } from '../commands/command.ts';
import { migrate } from '../db/migrator.ts';
import { loadGeography } from '../features/geography/load/load-geography.ts';
import { geographyState, upgradeGeography } from '../features/geography/load/upgrade-geography.ts';
import { releaseWebhooks } from '../features/webhooks/lease-queries.ts';
import { loadDemo } from './demo.ts';
import { tryPlaces } from './listen-address.ts';

/**
 * Looks whether the database answers and the service can listen; then brings the schema up to date, loads geography where there is none
 * and, where DEMO_DATA says so, the demo. Webhooks that a former process held on the embedded database are free: it is dead.
 *
 * @throws UserError where it cannot listen
 */
export async function prepare({ config, db }: Context, output: Output, stop: AbortSignal): Promise<void> {
  const progress = (step: string) => (done: number, total: number) => {
    stop.throwIfAborted();
    output.progress({ step, done, total, unit: 'rows' });
  };
  stop.throwIfAborted();
  // Before the ports: that one is taken is no reason not to say that the database is not there.
  await db.query(sql`select 1 as one`);
  await tryPlaces(config);
  await migrate(db, { announce: output.print });
  const geography = await geographyState(db);
  if (geography === 'none') {
    output.print('First start: loading the cities of the world …');
    await loadGeography(db, progress('Loading geography'));
  }
  if (geography === 'earlier' && db.diskState?.() !== 'low') {
    output.print('First start of this version: loading new cities, populations and other names …');
    await upgradeGeography(db, progress('Loading geography'));
  }
  stop.throwIfAborted();
  if (config.demoData) await loadDemo(db);
  if (db.kind === 'embedded' && db.diskState?.() !== 'low') await releaseWebhooks(db);
}
