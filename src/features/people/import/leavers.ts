import sql, { type Sql } from 'sql-template-tag';
import { selectFields } from '../../../audit/entity-sql.ts';
import { mergeRows } from '../../../audit/merge-rows.ts';
import type { Reader, Transaction } from '../../../db/database.ts';
import type { RowOf } from '../../../entities/entity.ts';
import { user } from '../../../entities/user.ts';
import { stagingTable } from '../../../import/stage/staging.ts';
import { mayBeForbidden } from '../person-rules.ts';
import { isOfFeed } from './feeds.ts';
import { LEAVER_FIELDS } from './import-schemas.ts';
import type { BroughtPeople } from './people-changes.ts';

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
