import sql from 'sql-template-tag';
import { recordEvent } from '../../audit/audit-trail.ts';
import type { Writer } from '../../db/database.ts';
import { directory as directoryEntity } from '../../entities/directory.ts';
import { user } from '../../entities/user.ts';
import type { Directory, ScimCall } from './scim-operation.ts';

/** Values of a request that were left out, by attribute. */
export type LeftOut = Readonly<Record<string, readonly string[]>>;

/** Values that are named; of more only the number is given. */
const NAMED = 10;

/**
 * Reports in the trail what a directory sent and orgdesk has left out, once.
 *
 * @param userId the person; absent: a group of the directory
 */
export async function recordLeftOut(
  db: Writer,
  { actor, companyId, directoryId }: Directory,
  leftOut: LeftOut,
  { userId, group }: { userId?: string; group?: string },
): Promise<void> {
  const found = filled(leftOut);
  if (found.length === 0) return;
  const values = Object.fromEntries(found.map(([name, each]) => [name, [null, summary(each)]]));
  const subject =
    userId === undefined ? { entity: directoryEntity, id: directoryId } : { entity: user, id: userId, userId };
  const refused = {
    ...subject,
    companyId,
    values: { ...values, ...(group === undefined ? {} : { group: [null, group] }) },
    isOnce: true,
  };
  await recordEvent(db, actor, refused, 'refused');
}

function filled(leftOut: LeftOut): [attribute: string, values: readonly string[]][] {
  return Object.entries(leftOut).filter(([, values]) => values.length > 0);
}

function summary(values: readonly string[]): string {
  const more = values.length - NAMED;
  return [...values.slice(0, NAMED), ...(more > 0 ? [`+${more}`] : [])].join(', ');
}

/** Reports it in the log, one line a request. */
export function logLeftOut(
  { request, directory }: Pick<ScimCall, 'request' | 'directory'>,
  leftOut: LeftOut,
  subject: object,
): void {
  const found = filled(leftOut);
  if (found.length === 0) return;
  const named = Object.fromEntries(
    found.flatMap(([name, values]) => [
      [name, values.slice(0, NAMED)],
      [`${name}LeftOut`, values.length],
    ]),
  );
  const message = 'A directory has sent values that were left out';
  request.server.log.info({ requestId: request.id, keyId: directory.keyId, ...subject, ...named }, message);
}

/** Notes which directory keeps a person up to date. */
export async function noteDirectory(db: Writer, { directoryId, companyId }: Directory, userId: string): Promise<void> {
  await db.query(sql`
    insert into scim_users (user_id, company_id, api_key_id, updated_at)
    select id, company_id, ${directoryId}::uuid, updated_at from users where id = ${userId}::uuid and company_id = ${companyId}::uuid
        on conflict (user_id) do update set api_key_id = excluded.api_key_id
     where scim_users.api_key_id is distinct from excluded.api_key_id`);
}
