import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { migrate } from '../src/db/migrator.ts';
import type { DatabaseFiles } from '../src/embedded/embedded-database.ts';
import { openPGliteDatabase } from '../src/embedded/pglite-database.ts';
import { packParts } from '../src/lib/packed-parts.ts';

/** Returns the files of an embedded database with the schema and without rows, as a new data folder begins with them. */
export async function packDatabase(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-database-'));
  try {
    {
      await using db = await openPGliteDatabase({ folder });
      await migrate(db);
    }
    const database: DatabaseFiles = { folders: [], files: [] };
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path);
      if (entry.isDirectory()) database.folders.push(name);
      else database.files.push({ name, content: new Uint8Array(readFileSync(path)) });
    }
    return packParts(database);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
