import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import type { Database } from '../db/database.ts';
import { importFolder } from '../import/import-folder.ts';
import { programFile } from '../lib/program-files.ts';

/** The folder of the demo companies, in the import format. */
const DEMO_FOLDER = fileURLToPath(programFile('demo'));

/** Loads the demo companies if there are no companies at all. */
export async function loadDemo(db: Database): Promise<void> {
  const [company] = await db.query(sql`select from companies limit 1`);
  if (!company) await importFolder(db, DEMO_FOLDER);
}
