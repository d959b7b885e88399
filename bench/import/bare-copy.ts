import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import { ENTITIES } from '../../src/entities/entities.ts';

/**
 * Copies the files of a folder straight into the tables, in one transaction, with the same indexes and constraints: what
 * PostgreSQL itself needs at the least. Nothing is checked beforehand, and a second run would fail.
 *
 * @returns milliseconds
 */
export async function bareCopy(url: string, folder: string): Promise<number> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  const began = performance.now();
  await sql.begin(async (transaction) => {
    for (const { file, table, fields } of ENTITIES) {
      const path = join(folder, file);
      if (!existsSync(path)) continue;
      const names = Object.values(fields)
        .map(({ column }) => column)
        .join(', ');
      // The generator writes the columns in the order of the format, but for the last ones, where it has none.
      const copy = transaction.unsafe(`copy ${table} (${names}) from stdin (format csv, header)`);
      await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), await copy.writable());
    }
  });
  const took = performance.now() - began;
  await sql.end();
  return took;
}
