import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { openPGliteDatabase } from '../../src/db/pglite/pglite-database.ts';
import { makePGliteTemplate, type TemplateName } from './templates.ts';

/** Makes a data folder with an embedded database, as a service leaves it that has been stopped. */
export async function makeDataFolder(
  folder: string,
  template: TemplateName,
  change: (db: Database) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const templates = process.env.TEST_PGLITE_TEMPLATES;
  const dump =
    templates === undefined
      ? await makePGliteTemplate(template)
      : new Blob([readFileSync(join(templates, `${template}.tar`))], { type: 'application/x-tar' });
  mkdirSync(folder, { recursive: true });
  await using db = await openPGliteDatabase({ folder: join(folder, 'postgres'), dump });
  await change(db);
  return folder;
}
