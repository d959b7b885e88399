import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { waitForCompressedLists } from '../support/compressed-lists.ts';
import { median } from '../support/medians.ts';
import { startOrgdesk } from '../support/orgdesk.ts';
import { processorMilliseconds } from '../support/process-figures.ts';

/** What alternate names cost: a start of the service, on a database that holds the geography, and the memory that its index keeps. */
export interface NamesCost {
  /** Of the processor, from the start of the process until it listens: medians. */
  milliseconds: Record<Kind, number>;
  megabytes: Record<Kind, number>;
}

const KINDS = ['without', 'with'] as const;
type Kind = (typeof KINDS)[number];

const MEMORY = fileURLToPath(new URL('./index-memory.ts', import.meta.url));

/** Starts the service on a PostgreSQL server, in turn without and with the alternate names of the geography. */
export async function measureAlternateNames(folder: string, starts: number): Promise<NamesCost> {
  await using whole = await startPostgresServer();
  await using nameless = await startPostgresServer();
  const urls = { with: whole.url, without: nameless.url };
  const start = (kind: Kind) => startOrgdesk(join(folder, kind), { env: { DATABASE_URL: urls[kind] } });
  for (const kind of KINDS) {
    await using _first = await start(kind);
    await waitForCompressedLists(join(folder, kind));
  }
  await removeNames(nameless.url);
  const spent: Record<Kind, number[]> = { without: [], with: [] };
  for (let number = 0; number < starts; number++) {
    for (const kind of KINDS) {
      await using service = await start(kind);
      spent[kind].push(processorMilliseconds(service.pid));
    }
  }
  return {
    milliseconds: { without: median(spent.without), with: median(spent.with) },
    megabytes: { without: keptMegabytes(urls.without), with: keptMegabytes(urls.with) },
  };
}

/** All but one: a geography that has none at all is an earlier version's, and gets them. */
async function removeNames(url: string): Promise<void> {
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await db.query(sql`delete from alternate_names where (kind, id) <> (select kind, id from alternate_names limit 1)`);
}

function keptMegabytes(url: string): number {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  const printed = execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', MEMORY], { env, encoding: 'utf8' });
  return Number.parseInt(printed, 10) / 1e6;
}
