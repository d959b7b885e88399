import { brotliCompressSync, constants as zlib } from 'node:zlib';
import { migrate } from '../src/db/migrator.ts';
import { openPGliteDatabase } from '../src/embedded/pglite-database.ts';

/** Returns the files of an embedded database with the schema and without rows, as `readNewDatabase` reads them. */
export async function packDatabase(): Promise<Buffer> {
  await using db = await openPGliteDatabase({});
  await migrate(db);
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS };
  return brotliCompressSync(await db.dump(), { params });
}
