import sql, { raw, type Sql } from 'sql-template-tag';
import { newValue } from '../../../audit/merge-rows.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { user } from '../../../entities/user.ts';
import { gives, rowsToMerge, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { FORMER } from './free-addresses.ts';
import type { OverLimit } from './import-schemas.ts';
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
