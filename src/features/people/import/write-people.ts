import { randomUUID } from 'node:crypto';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Actor } from '../../../audit/audit-trail.ts';
import { keyColumns, sameKey } from '../../../audit/entity-sql.ts';
import { addRows, mergeRows, removeRows } from '../../../audit/merge-rows.ts';
import type { Session, Transaction, Transactor, Writer } from '../../../db/database.ts';
import type { Field } from '../../../entities/entity.ts';
import { companyRole } from '../../../entities/held-role.ts';
import { user } from '../../../entities/user.ts';
import { gives, rowsToMerge, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { endDeletionsOfImport, leaveFormerGroups } from './import-rules.ts';
import { wantedOwnRoles, writeOwnRoles } from './own-roles.ts';
import { type BroughtPeople, differing } from './people-changes.ts';
import { ROLES } from './people-format.ts';

/*
 * On an embedded database, whose transactions keep all other work waiting, many people are written in pieces, each in a transaction. What
 * they were before is kept in `unfinished_imports` until the last piece is written, so that a failure or a crash in between leaves nothing.
 */

/** Rows of a piece: about half a second of an embedded database. */
export const PIECE = 1000;

const staged = stagingTable(user);
const UNDO = raw('unfinished_imports');

type Brought = Pick<BroughtPeople, 'companyId' | 'author' | 'invites'>;

/** Writes people and their roles. @param rows parenthesised query of the staged rows to write */
export async function writeRows(
  transaction: Transaction,
  file: StagedFile,
  { companyId, author, invites }: Brought,
  rows = staged,
): Promise<void> {
  const { actor } = author;
  if (!invites)
    await transaction.query(sql`
      insert into uninvited_people (user_id)
      select s.id from ${rows} s where not exists (select from users t where t.id = s.id) on conflict do nothing`);
  await mergeRows(transaction, { ...rowsToMerge(file), rows }, actor);
  const roles = sql`(select s.id as user_id, string_to_array(s.${raw(ROLES)}, ' ') as roles from ${rows} s)`;
  await writeRoles(transaction, roles, companyId, actor);
  const ownRoles = sql`(select s.id as user_id, ${wantedOwnRoles} as roles from ${rows} s)`;
  await writeOwnRoles(transaction, ownRoles, companyId, actor);
  await endRolesElsewhere(transaction, actor, companyId, sql`select id from ${rows} s`);
  await leaveFormerGroups(transaction, companyId);
  await endDeletionsOfImport(transaction, author);
}

/** Ends the roles in other companies of people of a company who are inactive. @param ids selects the people */
export async function endRolesElsewhere(transaction: Writer, actor: Actor, companyId: string, ids: Sql): Promise<void> {
  const ended = sql`
    select held.id from company_roles held join users on users.id = held.user_id
     where users.id in (${ids}) and not users.active and held.company_id <> users.company_id and users.company_id = ${companyId}::uuid`;
  await removeRows(transaction, companyRole, ended, actor);
}

/**
 * Grants and revokes roles, so that people hold exactly those of the rows. Held roles are looked up person by person (`offset 0`): without
 * statistics of a new company, a join would compare each with each.
 *
 * @param rows parenthesised query of `user_id` and `roles`
 */
async function writeRoles(transaction: Writer, rows: Sql, companyId: string, actor: Actor): Promise<void> {
  const company = sql`${companyId}::uuid`;
  const granted = sql`(
    select null::text as id, wanted.user_id, ${company} as company_id, wanted.role
      from (select r.user_id, each.role from ${rows} r cross join unnest(r.roles) as each (role)) wanted
     where not exists (select from company_roles held
                        where held.company_id = ${company} and held.user_id = wanted.user_id and held.role = wanted.role)
     order by wanted.user_id, wanted.role)`;
  const revoked = sql`
    select held.id from ${rows} r cross join lateral (
      select id, role from company_roles where user_id = r.user_id and company_id = ${company} offset 0) held
     where held.role <> all (r.roles)`;
  await addRows(transaction, companyRole, granted, actor);
  await removeRows(transaction, companyRole, revoked, actor);
}

/** Selects the ids of rows that make somebody an administrator of the company, or are about one: the last-admin rules are checked once. */
const administrators = sql`
  select s.id from ${staged} s
   where 'CORPORATE_ADMIN' = any (string_to_array(s.${raw(ROLES)}, ' '))
      or exists (select from company_roles held where held.user_id = s.id and held.role = 'CORPORATE_ADMIN')
      or exists (select from system_roles held where held.user_id = s.id)`;

/** Divides the staged rows into pieces, and writes the first: all rows that depend on each other. */
export async function writeFirstPiece(transaction: Transaction, file: StagedFile, brought: Brought): Promise<void> {
  const fields: Readonly<Record<string, Field>> = user.fields;
  const references = Object.entries(fields).flatMap(([name, field]) =>
    field.references === 'user' && gives(file, name) ? [raw(field.column)] : [],
  );
  const above = references.map(
    (column) =>
      sql`union select above.id from first join ${staged} s on s.id = first.id join ${staged} above on above.id = s.${column}`,
  );
  const level = references.map(
    (column) => sql`union all select s.id, levels.level + 1 from levels join ${staged} s on s.${column} = levels.id`,
  );
  const isTop = references.map((column) => sql`(s.${column} is null or s.${column} not in (select id from ${staged}))`);
  await transaction.query(sql`alter table ${staged} add piece integer`);
  await transaction.query(sql`
    with recursive entangled as materialized (
      ${join([administrators, ...user.unique.flatMap((key) => exchanges(file, key))], ' union ')}),
    first as (select id from entangled ${above[0] ?? empty}),
    levels as (select s.id, 0 as level from ${staged} s where ${isTop[0] ?? sql`true`} ${level[0] ?? empty}),
    numbered as (
      select id, row_number() over (order by level, id) as number from levels where id not in (select id from first))
    update ${staged} s set piece = coalesce((n.number - 1) / ${PIECE}::integer + 1, 0)
      from ${staged} every left join numbered n on n.id = every.id where every.id = s.id`);
  await transaction.query(sql`analyze ${staged} (piece)`);
  await writePiece(transaction, file, brought, 0);
}

/** Selects the ids of rows that take a unique value from one another. */
function exchanges(file: StagedFile, key: (typeof user.unique)[number]): Sql[] {
  if (!key.fields.some((name) => gives(file, name))) return [];
  return ['taker', 'giver'].map(
    (row) => sql`
      select ${raw(row)}.id from ${staged} taker join users t on ${sameKey(user, key, 'taker', 't')} and t.id <> taker.id
        join ${staged} giver on giver.id = t.id where (${join(keyColumns(user, key, 'taker'))}) is not null`,
  );
}

/** Writes the other pieces, and makes all of them final. A failure undoes those that are written. */
export async function writeOtherPieces(session: Session, file: StagedFile, brought: Brought): Promise<void> {
  const pieces = await session.query<{ piece: number }>(
    sql`select distinct piece from ${staged} where piece > 0 order by piece`,
  );
  try {
    for (const { piece } of pieces) {
      await session.transaction((transaction) => writePiece(transaction, file, brought, piece));
    }
    await session.query(sql`delete from ${UNDO}`);
  } catch (error) {
    await undoUnfinishedImport(session.unguarded ?? session);
    throw error;
  }
}

async function writePiece(transaction: Transaction, file: StagedFile, brought: Brought, piece: number): Promise<void> {
  const rows = sql`(select * from ${staged} where piece = ${piece}::integer)`;
  await transaction.query(sql`
    insert into ${UNDO} (user_id, company_id, before, roles, own_roles)
    ${differing(file, brought.companyId, sql`s.id, ${brought.companyId}::uuid, to_jsonb(t), held.roles, held.own_roles`, rows)}`);
  await writeRows(transaction, file, brought, rows);
}

/** Undoes the pieces of an import that neither finished nor failed, such as one that was killed. */
export async function undoUnfinishedImport(db: Transactor): Promise<void> {
  const [company] = await db.query<{ id: string }>(sql`select company_id::text as id from ${UNDO} limit 1`);
  if (company === undefined) return;
  const actor: Actor = { kind: 'import', runId: randomUUID() };
  await db.transaction(async (transaction) => {
    const rows = sql`(select known.* from ${UNDO} u cross join jsonb_populate_record(null::users, u.before) known where u.before is not null)`;
    await mergeRows(transaction, { entity: user, rows, given: new Set(Object.keys(user.fields)) }, actor);
    await writeRoles(transaction, sql`(select user_id, roles from ${UNDO})`, company.id, actor);
    await writeOwnRoles(transaction, sql`(select user_id, own_roles as roles from ${UNDO})`, company.id, actor);
    await removeRows(transaction, user, sql`select user_id from ${UNDO} where before is null`, actor);
    await transaction.query(sql`delete from ${UNDO}`);
  });
}
