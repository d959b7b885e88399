import sql from 'sql-template-tag';
import { worksOn } from '../../audit/entity-sql.ts';
import { directoryOfKey } from '../../auth/callers/api-keys.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { MAIL_LANGUAGES, type MailKind } from '../../entities/mail.ts';
import { repeatedly } from '../../lib/hourly.ts';
import { workEmailColumn } from '../profile/profile-queries.ts';
import { RETRY_SECONDS, retryDelay } from '../webhooks/deliver-changes.ts';
import { leaseEnd } from '../webhooks/lease-queries.ts';
import type { MailClient, Outcome } from './mail-client.ts';
import { mailTexts } from './mail-texts.ts';
import { queueMails } from './queue-mails.ts';

/** Polling interval in milliseconds. */
const INTERVAL_MS = 1_000;
/** Mails that a process sends at once. */
const BATCH = 20;
/** Minutes after which a mail above the limit of its company is looked at again. */
const HOLD_MINUTES = 5;

export interface MailOptions {
  /** Absent: mails are left to whoever sends by themselves. */
  client: MailClient | undefined;
  product: string;
  settings: Pick<Config, 'publicUrl' | 'mailFrom' | 'mailLanguage' | 'mailLimit'>;
  onError: (error: unknown) => void;
  onFailure?: (mail: { mail: string; code: string; attempt: number }) => void;
}

/** Adds and sends mails until disposed of; any number of processes may run this. */
export function sendMails(db: Database, options: MailOptions): AsyncDisposable {
  const { client, onError } = options;
  return repeatedly(
    INTERVAL_MS,
    async (stop) => {
      while ((await queueMails(db, client === undefined)) && !stop.aborted);
      while (client && !stop.aborted && (await sendDueMails(db, client, options)) === BATCH);
    },
    onError,
  );
}

interface DueMail {
  id: string;
  kind: MailKind;
  attempts: number;
  email: string;
  /** The address to sign in with, if it is another one. */
  workEmail: string | null;
  name: string;
  firstName: string;
  /** Whether the person may still get it. */
  isThere: boolean;
  company: string | null;
  /** The name that their company gives the product. */
  product: string | null;
  language: string | null;
  subject: string | null;
  from: string | null;
  until: string | null;
}

/** Sends the mails that are due, up to a batch. @returns their number, with those that wait for their company's limit */
export async function sendDueMails(db: Database, client: MailClient, options: MailOptions): Promise<number> {
  const claimed = await db.query<{ id: string; isOver: boolean }>(sql`
    with due as materialized (
      select mails.id, mails.company_id from mails join users on users.id = user_id
       where status = 'QUEUED' and next_try_at <= now()
         and (users.start_date is null or users.start_date <= now()::date)
       order by next_try_at limit ${BATCH}::integer for update of mails skip locked),
    ranked as (
      select id, row_number() over (partition by company_id order by id)
                 + (select count(*) from mails sent where sent.company_id is not distinct from due.company_id
                                                      and sent.sent_at > now() - interval '1 hour') > ${options.settings.mailLimit}::integer as over
        from due)
    update mails set attempts = attempts + case when over then 0 else 1 end,
                     next_try_at = case when over then now() + ${HOLD_MINUTES}::integer * interval '1 minute' else ${leaseEnd} end
      from ranked where ranked.id = mails.id
    returning mails.id, over as "isOver"`);
  const ids = claimed.filter(({ isOver }) => !isOver).map(({ id }) => id);
  const mails = await readMails(db, ids);
  await Promise.all(mails.map((mail) => sendOne(db, client, options, mail)));
  return claimed.length;
}

function readMails(db: Database, ids: readonly string[]): Promise<DueMail[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.query<DueMail>(sql`
    select mails.id, kind, attempts, users.email, ${workEmailColumn}, concat_ws(' ', users.first_name, users.last_name) as name, users.first_name as "firstName",
           ${worksOn()} and coalesce(companies.active, true) as "isThere",
           companies.name as company,
           (select brand_name from companies own where own.id = users.company_id) as product, (select language from travellers where travellers.user_id = users.id) as language,
           about.subject, about."from", about.until
      from mails join users on users.id = mails.user_id left join companies on companies.id = mails.company_id
      left join lateral (
        select concat_ws(' ', away.first_name, away.last_name) as subject, first_day::text as "from", last_day::text as until
          from (select user_id, first_day, last_day from substitutions where substitutions.id::text = subject_id
                union all
                select id, substitute_from, substitute_until from users of where of.id::text = subject_id) days (who, first_day, last_day)
          join users away on away.id = who
         where kind = 'SUBSTITUTE'
        union all
        select name, null, (expires_at at time zone 'UTC')::date::text from api_keys
         where kind = 'KEY_EXPIRES' and api_keys.id::text = subject_id
        union all
        select coalesce(description, url), null, null from webhooks where kind = 'WEBHOOK_OFF' and webhooks.id::text = subject_id
        union all
        select directories.name, null, null from api_keys join directories on directories.id = ${directoryOfKey}
         where kind = 'DIRECTORY_REFUSED' and api_keys.id::text = subject_id
        ) about on true
     where mails.id = ${anyOf(ids)}`);
}

/** Kinds that are about something that may be gone. */
const ABOUT: ReadonlySet<MailKind> = new Set(['SUBSTITUTE', 'KEY_EXPIRES', 'WEBHOOK_OFF', 'DIRECTORY_REFUSED']);

async function sendOne(db: Database, client: MailClient, options: MailOptions, mail: DueMail): Promise<void> {
  const { id, kind, attempts, name, email } = mail;
  if (!mail.isThere || (ABOUT.has(kind) && mail.subject === null)) {
    await db.query(sql`update mails set status = 'DROPPED' where id = ${id}`);
    return;
  }
  const { settings } = options;
  const product = mail.product ?? options.product;
  const { publicUrl = '', mailFrom = '' } = settings;
  const wanted = mail.language?.split('-')[0];
  const language = MAIL_LANGUAGES.find((each) => each === wanted) ?? settings.mailLanguage;
  const day = (date: string | null) =>
    date === null
      ? '…'
      : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
  const texts = mailTexts(kind, language, {
    product,
    publicUrl,
    address: mail.workEmail ?? email,
    name: mail.firstName,
    company: mail.company ?? product,
    subject: mail.subject ?? '',
    from: day(mail.from),
    until: day(mail.until),
  });
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
  const outcome = await client.send({
    messageId: `<${id}@${domain}>`,
    from: product,
    to: { name, address: email },
    ...texts,
  });
  if (!outcome.isSent) options.onFailure?.({ mail: id, code: outcome.code, attempt: attempts });
  await record(db, id, attempts, outcome);
}

async function record(db: Database, id: string, attempts: number, outcome: Outcome): Promise<void> {
  if (outcome.isSent) {
    await db.query(sql`update mails set status = 'SENT', sent_at = now(), error = null where id = ${id}`);
    return;
  }
  const isOver = outcome.isFinal || attempts > RETRY_SECONDS.length;
  await db.query(sql`
    update mails set status = ${isOver ? 'FAILED' : 'QUEUED'}, error = ${outcome.code},
                     next_try_at = now() + ${retryDelay(attempts)}::double precision * interval '1 second'
     where id = ${id}`);
}
