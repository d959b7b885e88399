import sql from 'sql-template-tag';
import { auditedInsert, write } from '../../audit/audited-write.ts';
import { directoryOfKey } from '../../auth/callers/api-keys.ts';
import type { Transaction } from '../../db/database.ts';
import { anyOf, derivedId } from '../../db/sql/sql-fragments.ts';
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
  const recipients = await transaction.query<{ nth: number; id: string; userId: string }>(sql`
    select nth::integer, ${derivedId(sql`cause`, sql`recipient.id::text`)} as id, recipient.id as "userId"
      from rows from (json_to_recordset(${JSON.stringify(drafts)}::text::json)
                      as (kind text, cause text, "companyId" uuid, "subjectId" text, "userId" uuid, "isForGuests" boolean))
             with ordinality as draft (kind, cause, "companyId", "subjectId", "userId", "isForGuests", nth),
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
  const rows = recipients.flatMap(({ nth, id, userId }) => {
    const draft = drafts[nth - 1];
    if (draft === undefined) return [];
    const { kind, companyId, subjectId } = draft;
    return [{ id, kind, companyId, subjectId, userId }];
  });
  if (rows.length === 0) return [];
  await write(transaction, insert(rows, { kind: 'command' }));
  const ids = rows.map(({ id }) => id);
  if (leaves) {
    await transaction.query(sql`
      update mails set status = 'LEFT' where status = 'QUEUED' and attempts = 0
         and id = ${anyOf(ids)}`);
  }
  return ids;
}
