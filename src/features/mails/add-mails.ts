import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { auditedInsert, write } from '../../audit/audited-write.ts';
import { directoryOfKey } from '../../auth/callers/api-keys.ts';
import type { Transaction } from '../../db/database.ts';
import { type MailKind, mail } from '../../entities/mail.ts';

/** A mail that is due, to one person or to the administrators of a company, or of the platform. */
export interface Draft {
  kind: MailKind;
  /** What happened: whoever gets a mail about it gets one only. */
  cause: string;
  companyId: string | null;
  subjectId: string | null;
  /** Absent: the administrators. */
  userId?: string;
  /** Whether only somebody of another company gets it. */
  isForGuests?: true;
}

/** Administrators who get one mail. */
const MAX_ADMINS = 20;

const insert = auditedInsert(mail);

/** Adds mails, each once for what caused it. @param leaves whether they are left to whoever sends by themselves @returns their ids */
export async function addMails(transaction: Transaction, drafts: readonly Draft[], leaves = false): Promise<string[]> {
  if (drafts.length === 0) return [];
  const recipients = await transaction.query<{ nth: number; userId: string }>(sql`
    select nth::integer, recipient.id as "userId"
      from rows from (json_to_recordset(${JSON.stringify(drafts)}::text::json)
                      as (kind text, "companyId" uuid, "subjectId" text, "userId" uuid, "isForGuests" boolean))
             with ordinality as draft (kind, "companyId", "subjectId", "userId", "isForGuests", nth),
           lateral (
             select id from users where id = draft."userId" and ("isForGuests" is null or company_id <> "companyId")
             union all
             (select distinct user_id from company_roles
               where draft."userId" is null and company_id = "companyId" and role = 'CORPORATE_ADMIN'
               order by user_id limit ${MAX_ADMINS}::integer)
             union all
             (select user_id from system_roles
               where draft."userId" is null and "companyId" is null and role = 'SUPER_ADMIN' and active
               order by user_id limit ${MAX_ADMINS}::integer)) recipient (id)
     where kind <> 'DIRECTORY_REFUSED'
        or exists (select from api_keys join directories on directories.id = ${directoryOfKey} where api_keys.id::text = "subjectId")`);
  const rows = recipients.flatMap(({ nth, userId }) => {
    const draft = drafts[nth - 1];
    if (draft === undefined) return [];
    const { cause, kind, companyId, subjectId } = draft;
    return [{ id: idOf(cause, userId), kind, companyId, subjectId, userId }];
  });
  if (rows.length === 0) return [];
  await write(transaction, insert(rows, { kind: 'command' }));
  const ids = rows.map(({ id }) => id);
  if (leaves) {
    await transaction.query(sql`
      update mails set status = 'LEFT' where status = 'QUEUED' and attempts = 0
         and id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::text::json))`);
  }
  return ids;
}

/** Returns the id of the mail to a person about what happened: a UUID of version 8. */
function idOf(cause: string, userId: string): string {
  const hash = createHash('sha256').update(`${cause} ${userId}`).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join('-');
}
