import sql, { raw, type Sql } from 'sql-template-tag';
import { selectFields } from '../../../audit/entity-sql.ts';
import { mergeRows, newValue } from '../../../audit/merge-rows.ts';
import type { Reader, Transaction, Writer } from '../../../db/database.ts';
import type { RowOf } from '../../../entities/entity.ts';
import { user } from '../../../entities/user.ts';
import { gives, rowsToMerge, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { mayBeForbidden } from '../person-rules.ts';
import { FORMER } from './free-addresses.ts';
import { LEAVER_FIELDS, type OverLimit } from './import-schemas.ts';
import type { BroughtPeople } from './people-changes.ts';

/** The name of the feed where none is given. */
export const USUAL_FEED = 'people';

const MOMENT =
  /(?<!\d)(\d{4})[-_.]?([01]\d)[-_.]?([0-3]\d)(?:[-_.T ]*([0-2]\d)[-_.:]?([0-5]\d)(?:[-_.:]?([0-5]\d))?)?(?!\d)/;

/** Returns the date-time in a text, such as the name of a file; undefined where there is none. */
export function momentIn(text: string): string | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = MOMENT.exec(text) ?? [];
  const isWhole = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = new Date(isWhole ? text : `${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns the condition that a feed has brought a person. @param id SQL of their id */
export const isOfFeed = (companyId: string, id: Sql, feed?: string): Sql => sql`
  exists (select from feed_people brought where brought.company_id = ${companyId}::uuid and brought.user_id = ${id}
                                          and (${feed ?? null}::text is null or brought.feed = ${feed ?? null}::text))`;

/** Returns what the last file of the feed had that this one has not: a younger age, columns. */
export async function findOutdated(db: Reader, { companyId, feed }: BroughtPeople): Promise<OverLimit[]> {
  if (feed.asOf === undefined && feed.columns === undefined) return [];
  const [last] = await db.query<{ asOf: string | null; isOlder: boolean; columns: Record<string, string> | null }>(sql`
    select to_char(as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "asOf",
           coalesce(${feed.asOf ?? null}::timestamptz < as_of, false) as "isOlder", columns
      from feeds where company_id = ${companyId}::uuid and name = ${feed.name}::text`);
  const over = { allowed: 0, looksLike: null, examples: [] };
  const outdated: OverLimit[] = [];
  if (last?.isOlder) {
    const message = `the file is of ${feed.asOf}, and the last one that was imported of ${last.asOf}`;
    outdated.push({ limit: 'asOf', count: 1, ...over, looksLike: 'an older file', message });
  }
  const gone = Object.entries((feed.columns && last?.columns) ?? {}).flatMap(([field, name]) =>
    feed.columns?.[field] === undefined && !feed.mayLack(name) ? [`"${name}" (${field})`] : [],
  );
  if (gone.length > 0) {
    const message = `columns of the last file are gone: ${gone.join(', ')}. Choose "" for them in columns if they stay away`;
    outdated.push({ limit: 'columns', count: gone.length, ...over, message });
  }
  return outdated;
}

/**
 * Notes whose address the file changes. Accounts that were linked after the feed had changed the address the last time are unlinked: whoever
 * signed in first may have done so by a wrong address.
 */
export async function noteAddresses(db: Writer, file: StagedFile, { companyId, feed }: BroughtPeople): Promise<void> {
  await db.query(sql`
    insert into feeds (company_id, name) values (${companyId}::uuid, ${feed.name}::text) on conflict do nothing`);
  if (!gives(file, 'email')) return;
  for (const table of ['user_identities', 'directory_group_members'])
    await db.query(sql`
      delete from ${raw(table)} where user_id in (select id from ${stagingTable(user)} where email = id || ${FORMER}::text)`);
  const [email, active] = [newValue(rowsToMerge(file), 'email'), newValue(rowsToMerge(file), 'active')];
  // Whoever comes back under another address signs in by it.
  await db.query(sql`
    delete from user_identities where user_id in (
      select t.id from ${stagingTable(user)} s join users t on t.id = s.id
       where not t.active and ${active} and lower(t.email) <> lower(${email}))`);
  const changing = sql`
    select t.id from ${stagingTable(user)} s join users t on t.id = s.id
     where lower(t.email) <> lower(${email})`;
  await db.query(sql`
    delete from user_identities linked using feed_people brought
     where brought.company_id = ${companyId}::uuid and brought.user_id = linked.user_id
       and linked.linked_at >= brought.address_since and linked.user_id in (${changing})`);
  await db.query(sql`
    insert into feed_people (company_id, feed, user_id, address_since)
    select ${companyId}::uuid, ${feed.name}::text, id, now() from (${changing}) changing
    on conflict (company_id, feed, user_id) do update set address_since = excluded.address_since`);
}

/** Notes that a file was imported: its age, its columns, and whom it brought: everybody in a file of everybody, otherwise the new ones. */
export async function noteFile(db: Writer, isNew: string, { companyId, feed, all }: BroughtPeople): Promise<void> {
  const columns = feed.columns ? JSON.stringify(feed.columns) : null;
  await db.query(sql`
    update feeds set as_of = greatest(as_of, ${feed.asOf ?? null}::timestamptz), columns = coalesce(${columns}::text::jsonb, columns)
     where company_id = ${companyId}::uuid and name = ${feed.name}::text`);
  await db.query(sql`
    insert into feed_people (company_id, feed, user_id)
    select ${companyId}::uuid, ${feed.name}::text, id from ${stagingTable(user)} where ${all ? sql`true` : raw(isNew)}
    on conflict do nothing`);
}

/*
 * In an import of everybody, active people of the company, or of the feed, who are missing from the file leave. Whoever imports stays: the
 * caller, or the person who made the key; and so does the first administrator, as long as no file has them.
 */

export type Leaver = RowOf<typeof user, (typeof LEAVER_FIELDS)[number]>;

/** A row that changes a checked field of a person whom the rules may protect. */
export interface RuledRow {
  /** Undefined for somebody who is missing from the file. */
  line: number | undefined;
  id: string;
  /** New values of the changed fields, as texts. */
  changes: Readonly<Record<string, string>>;
  /** Whether the person would cease to be a Corporate Admin of the company. */
  losesAdmin: boolean;
  isErased: boolean;
}

/** Leavers that are listed. */
const LISTED = 100;

type Brought = Pick<BroughtPeople, 'companyId' | 'author' | 'all' | 'feed'>;

/** Returns the condition on `users` that somebody is missing from the staged rows. */
function isMissing({ companyId, author: { caller }, all, feed }: Brought): Sql {
  const id = sql`users.id`;
  const self = 'userId' in caller ? caller.userId : caller.createdBy;
  return sql`
    users.company_id = ${companyId}::uuid and users.active and users.id is distinct from ${self}::uuid
    and not exists (select from ${stagingTable(user)} staged where staged.id = users.id)
    and ${all === 'file' ? isOfFeed(companyId, id, feed.name) : sql`true`}
    and (${isOfFeed(companyId, id)} or users.id is distinct from (
      select held.user_id from company_roles held join users first on first.id = held.user_id
       where held.company_id = ${companyId}::uuid and held.role = 'CORPORATE_ADMIN' order by first.created_at, first.id limit 1))`;
}

/** The number of people who are missing from the file, and the first of them. */
export interface Leavers {
  leavers: number;
  leaving: Leaver[];
}

export async function countLeavers(db: Reader, brought: Brought): Promise<Leavers> {
  const [found] = await db.query<Leavers>(sql`
    select (select count(*)::integer from users where ${isMissing(brought)}) as leavers,
           coalesce((select json_agg(leaver) from (
             select ${selectFields(user, LEAVER_FIELDS)} from users where ${isMissing(brought)}
              order by name_folded collate "C", id limit ${LISTED}::integer) leaver), '[]') as leaving`);
  return found ?? { leavers: 0, leaving: [] };
}

/** Locks those who are missing until the transaction ends. */
export async function lockLeavers(transaction: Transaction, brought: Brought): Promise<void> {
  await transaction.query(sql`select from users where ${isMissing(brought)} order by id for update`);
}

/** Returns those who are missing and to whom the rules about people apply, as rows that deactivate them. */
export async function leaversUnderRules(db: Reader, brought: BroughtPeople): Promise<RuledRow[]> {
  if (brought.all === undefined) return [];
  const ruled = await db.query<{ id: string }>(sql`
    select id from users where ${isMissing(brought)} and ${mayBeForbidden(brought.author.caller, sql`users`)} order by id`);
  const changes = { active: 'false' };
  return ruled.map(({ id }) => ({ line: undefined, id, changes, losesAdmin: false, isErased: false }));
}

/** Deactivates those who are missing. @param inPieces keeps what they were, as the import may be undone */
export async function deactivateLeavers(transaction: Transaction, brought: Brought, inPieces: boolean): Promise<void> {
  const { companyId, author } = brought;
  if (inPieces) {
    await transaction.query(sql`
      insert into unfinished_imports (user_id, company_id, before, roles)
      select id, company_id, to_jsonb(users),
             array(select role from company_roles held where held.user_id = users.id and held.company_id = ${companyId}::uuid order by 1)
        from users where ${isMissing(brought)}`);
  }
  const rows = sql`(
    select inactive.* from users cross join jsonb_populate_record(users, '{"active": false}') inactive where ${isMissing(brought)})`;
  await mergeRows(transaction, { entity: user, rows, given: new Set(['id', 'active']) }, author.actor);
}
