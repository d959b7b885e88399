import sql from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { requestBytes, runLoad } from '../support/load.ts';
import { CONNECTIONS } from '../support/measure.ts';
import { markdownTable } from '../support/medians.ts';
import type { ApiCase } from './cases.ts';
import type { NamedServer } from './servers.ts';

/** Milliseconds of load on a cold cache. */
const FIRST = 2_000;

const READY = requestBytes('GET', '/readyz');

/** Empties the buffers of a database server on this machine: it begins anew where one of its processes is killed. */
async function emptyBuffers(url: string): Promise<void> {
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await db.query(sql`checkpoint`);
  const [own] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  process.kill(own?.pid ?? 0, 'SIGKILL');
  await waitUntil('the database to answer again', () =>
    db.query(sql`select`).then(
      () => true,
      () => false,
    ),
  );
}

/** Loads orgdesk with each case as soon as the database has begun with empty buffers. Rejects where an answer is an error. */
export async function coldCases(
  { server }: NamedServer,
  cases: readonly ApiCase[],
  databaseUrl: string,
): Promise<string> {
  const rows: string[][] = [];
  for (const { name, requests } of cases) {
    await emptyBuffers(databaseUrl);
    // Until the service has connected again.
    const { port } = server;
    await waitUntil('the service to answer again', () =>
      runLoad({ port, next: () => READY, connections: 1, milliseconds: 0 }).then(
        () => true,
        () => false,
      ),
    );
    let sent = 0;
    const next = () => requests(sent++);
    const { requestsPerSecond, p50, p99 } = await runLoad({
      port,
      next,
      connections: CONNECTIONS,
      milliseconds: FIRST,
    });
    rows.push([name, requestsPerSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)]);
  }
  return [
    '## From a cold cache',
    '',
    `orgdesk at \`info\`, in the first ${FIRST / 1000} s after PostgreSQL has begun with empty buffers, ${CONNECTIONS} connections. No answer was an error.`,
    '',
    markdownTable(['what', 'requests/s', 'median ms', 'p99 ms'], rows),
  ].join('\n');
}
