import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { loadGeographyIndex } from '../../src/features/geography/geography-index.ts';

/** Prints the bytes that the index of a database keeps: `DATABASE_URL`, under `--expose-gc`. */
const { DATABASE_URL: url = '' } = process.env;
await using db = openPostgresDatabase({ url, maxConnections: 1 });
const before = keptBytes();
const index = await db.session(loadGeographyIndex);
process.stdout.write(`${keptBytes() - before} ${index.version}\n`);

function keptBytes(): number {
  // The first collection leaves memory outside of the heap to the second.
  for (let time = 0; time < 2; time++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
