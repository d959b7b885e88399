import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { openPGliteDatabase } from '../../src/embedded/pglite-database.ts';
import type { TemplateName } from './templates.ts';
import { pgliteTemplate } from './test-database.ts';

/** Makes a data folder with an embedded database, as a service leaves it that has been stopped. */
export async function makeDataFolder(
  folder: string,
  template: TemplateName,
  change: (db: Database) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const dump = await pgliteTemplate(template);
  mkdirSync(folder, { recursive: true });
  await using db = await openPGliteDatabase({ folder: join(folder, 'postgres'), dump });
  await change(db);
  return folder;
}
