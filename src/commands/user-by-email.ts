import sql from 'sql-template-tag';
import { hasEmail } from '../audit/entity-sql.ts';
import type { Reader } from '../db/database.ts';
import { UserError } from '../lib/errors.ts';

/** Returns the id of the user with this e-mail address, ignoring case. @throws UserError if there is none */
export async function userIdByEmail(db: Reader, email: string): Promise<string> {
  const [user] = await db.query<{ id: string }>(sql`select id from users where ${hasEmail(sql`${email}::text`)}`);
  if (!user) throw new UserError(`There is no user with the e-mail address ${email}.`);
  return user.id;
}
