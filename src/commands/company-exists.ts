import sql from 'sql-template-tag';
import type { Reader } from '../db/database.ts';

/** Returns whether a company exists, active or not. */
export async function companyExists(db: Reader, id: string): Promise<boolean> {
  const [company] = await db.query(sql`select from companies where id = ${id}`);
  return company !== undefined;
}
