import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import type { Database, Executor } from '../db/database.ts';
import { importFolder } from '../import/import-folder.ts';

/** The folder of the demo companies, in the import format. */
const DEMO_FOLDER = fileURLToPath(new URL('../../demo', import.meta.url));

/** Loads the demo companies where there are no companies at all. */
export async function loadDemo(db: Database): Promise<void> {
  const [company] = await db.query(sql`select from companies limit 1`);
  if (!company) await importFolder(db, DEMO_FOLDER);
}

/** Whether the database holds the people of the demo, by the one that newcomers are shown first. */
export async function hasDemoPeople(db: Executor): Promise<boolean> {
  const people = await db.query(sql`select from users where email = 'employee@acme.example'`);
  return people.length > 0;
}
