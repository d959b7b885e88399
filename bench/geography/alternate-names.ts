import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import type { ChildServer } from '../support/child-server.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { median } from '../support/medians.ts';
import { startOrgdesk } from '../support/orgdesk.ts';
import { processorMilliseconds, residentMegabytes } from '../support/process-figures.ts';

/** What a start takes of the processor until the service listens, and what it holds at rest: medians. */
export interface RestingFigures {
  processorMilliseconds: number;
  megabytes: number;
}

/** Milliseconds after which a started service has come to rest. */
const REST = 5_000;

/** Starts the service on a PostgreSQL server, in turn with the alternate names of the geography and without. */
export async function measureAlternateNames(
  folder: string,
  starts: number,
): Promise<Record<'with' | 'without', RestingFigures>> {
  const kinds = ['with', 'without'] as const;
  await using withNames = await startPostgresServer();
  await using withoutNames = await startPostgresServer();
  const servers = { with: withNames, without: withoutNames };
  const start = (kind: (typeof kinds)[number]): Promise<ChildServer> =>
    startOrgdesk(join(folder, kind), { env: { DATABASE_URL: servers[kind].url } });
  const figures = { with: [] as RestingFigures[], without: [] as RestingFigures[] };
  for (const kind of kinds) {
    await using _first = await start(kind);
    await waitForCompressedLists(join(folder, kind));
  }
  await removeNames(withoutNames.url);
  for (let number = 0; number < starts; number++) {
    for (const kind of kinds) {
      await using service = await start(kind);
      const spent = processorMilliseconds(service.pid);
      await setTimeout(REST);
      figures[kind].push({ processorMilliseconds: spent, megabytes: residentMegabytes(service.pid) });
    }
  }
  return { with: medians(figures.with), without: medians(figures.without) };
}

/** All but one: a geography that has none at all is an earlier version's, and gets them. */
async function removeNames(url: string): Promise<void> {
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await db.query(sql`delete from alternate_names where (kind, id) <> (select kind, id from alternate_names limit 1)`);
}

function medians(figures: readonly RestingFigures[]): RestingFigures {
  const of = (name: keyof RestingFigures) => median(figures.map((each) => each[name]));
  return { processorMilliseconds: of('processorMilliseconds'), megabytes: of('megabytes') };
}
