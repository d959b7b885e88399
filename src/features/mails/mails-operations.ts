import { randomUUID } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import { readId } from '../../api/body.ts';
import { listByCompany } from '../../api/list-by-company.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { inScope, notFound } from '../../api/write-request.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { administrators } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import { allOf, isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { ApiError } from '../../entities/api-error.ts';
import { mail } from '../../entities/mail.ts';
import { user } from '../../entities/user.ts';
import { addMails } from './add-mails.ts';
import { InviteInput, MailListInput, MailView, SHOWN_FIELDS } from './mails-schemas.ts';

/** How mails leave: sent, or left to whoever sends by themselves; undefined: there are none. */
export interface MailSources {
  mails: 'sent' | 'left' | undefined;
}

const columns: Sql = sql`
  ${selectFields(mail, SHOWN_FIELDS)}, status, attempts, error, ${isoTimestamp(sql`sent_at`)} as "sentAt",
  case when status = 'QUEUED' then ${isoTimestamp(sql`next_try_at`)} end as "nextAttemptAt",
  (select concat_ws(' ', first_name, last_name) from users where users.id = mails.user_id) as name,
  case when kind = 'INVITATION' then (
    select ${isoTimestamp(sql`min(linked_at)`)} from user_identities
     where user_identities.user_id = mails.user_id and linked_at >= mails.created_at) end as "acceptedAt"`;

const list = operation({
  id: 'mails.list',
  operationId: 'listMails',
  tag: 'People',
  access: administrators,
  summary: 'List mails',
  description:
    'What was sent to people about a company, what waits and what failed, newest first, of the last 90 days. For its Corporate ' +
    'Admins, and for Super Admins.',
  input: MailListInput,
  output: page(MailView),
  message: 'Mails retrieved successfully',
  handle({ input, caller, scope }, { db }: { db: Database }) {
    const { companyId, userId, status } = input;
    const only = allOf([
      userId === undefined ? undefined : sql`user_id = ${userId}::uuid`,
      status === undefined ? undefined : sql`status = ${status}::text`,
    ]);
    const source = { table: mail.table, columns, only };
    return listByCompany<MailView>(db, { caller, scope, companyId }, source, pageRequestOf(input));
  },
});

const invite = operation({
  id: 'users.invite',
  operationId: 'inviteUser',
  tag: 'People',
  access: administrators,
  scope: 'users.write',
  summary: 'Invite a person',
  description:
    'Sends a person an invitation with a link to sign in, at most one an hour: within it nothing changes, and the last one is ' +
    'returned. For Corporate Admins of the company, and for Super Admins.',
  writes: true,
  errors: ['NOT_FOUND', 'NOT_CONFIGURED'],
  input: InviteInput,
  parse: (raw: unknown) => readId(user, raw),
  output: one(MailView),
  message: 'User invited successfully',
  handle({ input: { id }, scope }, { db, mails }: MailSources & { db: Database }) {
    return db.transaction(async (transaction) => {
      const [person] = await transaction.query<{ companyId: string }>(sql`
        select company_id as "companyId" from users where id = ${id} and ${inScope(scope, sql`company_id`)} for no key update`);
      if (person === undefined) throw notFound(user.noun);
      const last = sql`user_id = ${id} and kind = 'INVITATION' and created_at > now() - interval '1 hour'`;
      const find = async (where: Sql) => {
        const [found] = await transaction.query<MailView>(sql`
          select ${columns} from mails where ${where} order by created_at desc limit 1`);
        return found;
      };
      const sent = await find(last);
      if (sent !== undefined) return sent;
      if (mails === undefined)
        throw new ApiError('NOT_CONFIGURED', 'This service sends no mails: SMTP_URL is not set.');
      const draft = {
        kind: 'INVITATION',
        cause: randomUUID(),
        companyId: person.companyId,
        subjectId: id,
        userId: id,
      } as const;
      const [made] = await addMails(transaction, [draft], mails === 'left');
      const added = await find(sql`id = ${made}::uuid`);
      if (added === undefined) throw new TypeError('An invitation that was added is missing');
      return added;
    });
  },
});

export const mailsOperations = [list, invite];
