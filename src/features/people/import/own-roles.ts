import sql, { type Sql } from 'sql-template-tag';
import type { Author } from '../../../api/write-request.ts';
import type { Actor } from '../../../audit/audit-trail.ts';
import { addRows, removeRows } from '../../../audit/merge-rows.ts';
import { rulesBeyond } from '../../../auth/callers/roles.ts';
import type { Transaction, Writer } from '../../../db/database.ts';
import { roleGrant } from '../../../entities/held-role.ts';
import type { AccessRule } from '../../../entities/roles.ts';
import { user } from '../../../entities/user.ts';
import { type ProblemList, quoted, runCheck } from '../../../import/check/problems.ts';
import { type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { OWN_ROLES } from './people-format.ts';

/*
 * The column `ownRoles` has all roles of the company's own and of the platform that a person holds, by key or name; an empty cell takes
 * them. Without the column they stay.
 */

const staged = stagingTable(user);

/** Ids of the roles that a staged row `s` wants, sorted; null: those that are held. */
export const wantedOwnRoles = sql`string_to_array(s.own_roles, ' ')`;

/** Ids of the roles that a stored row `t` holds in the company, sorted. */
export const heldOwnRoles = (companyId: string): Sql => sql`
  array(select held.role_id::text from role_grants held
         where held.user_id = t.id and held.company_id = ${companyId}::uuid order by 1)`;

/** Returns the keys of roles as JSON. @param ids in SQL */
export const keysOfRoles = (ids: Sql): Sql => sql`
  (select coalesce(jsonb_agg(key order by key), '[]') from own_roles where id::text = any(${ids}))`;

const givesOwnRoles = ({ columns }: StagedFile): boolean => columns.some(({ name }) => name === OWN_ROLES);

/** Replaces the keys and names of roles by ids, and reports those that the company does not have. */
export async function matchOwnRoles(
  db: Writer,
  file: StagedFile,
  companyId: string,
  problems: ProblemList,
): Promise<void> {
  if (!givesOwnRoles(file)) return;
  const wanted = sql`
    wanted as (
      select distinct s.line, trim(each) as item
        from ${staged} s, unnest(regexp_split_to_array(s.own_roles, '[,;]')) each where trim(each) <> ''),
    found as (
      select wanted.*, r.id, rank() over (partition by line, item order by r.key = upper(item) desc) as rank
        from wanted left join own_roles r on (r.key = upper(item) or r.name_folded = fold(item))
                                         and (r.company_id is null or r.company_id = ${companyId}::uuid))`;
  await runCheck(db, problems, {
    entity: user,
    column: OWN_ROLES,
    found: sql`
      with ${wanted} select line, item as value, count(id)::text as other from found where rank = 1
       group by line, item having count(id) <> 1`,
    reason: ({ value, other }) =>
      other === '0'
        ? `${quoted(value)} is the key or name of no role of the company: correct it`
        : `${quoted(value)} is the name of ${other} roles: give the key of one`,
  });
  await db.query(sql`
    with ${wanted}
    update ${staged} s
       set own_roles = coalesce((select string_agg(distinct id::text, ' ') from found where found.line = s.line and rank = 1), '')
     where s.own_roles is not null`);
}

/** Reports roles that open more than the author holds, and keeps those that are given from changing meanwhile. */
export async function checkOwnRoles(
  transaction: Transaction,
  file: StagedFile,
  { companyId, author }: { companyId: string; author: Author },
  problems: ProblemList,
): Promise<void> {
  if (!givesOwnRoles(file)) return;
  const given = sql`
    select s.line, each.id from ${staged} s, unnest(${wantedOwnRoles}) each (id)
     where not exists (select from role_grants held where held.user_id = s.id and held.role_id = each.id::uuid)`;
  await transaction.query(sql`select from own_roles where id in (select id::uuid from (${given}) given) for share`);
  const roles = await transaction.query<{ name: string; rules: AccessRule[]; lines: number[] }>(sql`
    select name, string_to_array(coalesce(rules, ''), ' ') as rules, array_agg(line order by line) as lines
      from (${given}) given join own_roles on own_roles.id = given.id::uuid where rules is not null group by own_roles.id, name, rules`);
  for (const { name, rules, lines } of roles) {
    const missing = rulesBeyond(author.caller, companyId, rules);
    if (missing.length === 0) continue;
    const reason = `${quoted(name)} opens more than you hold in the company yourself: ${missing.join(', ')}`;
    for (const line of lines) problems.add({ file: user.file, line, column: OWN_ROLES, value: name, reason });
  }
}

/** Grants and revokes roles, so that people hold exactly those of the rows. @param rows parenthesised query of `user_id` and `roles`, ids or null */
export async function writeOwnRoles(transaction: Writer, rows: Sql, companyId: string, actor: Actor): Promise<void> {
  const company = sql`${companyId}::uuid`;
  await addRows(
    transaction,
    roleGrant,
    sql`(
      select null::uuid as id, r.user_id, ${company} as company_id, each.role_id::uuid as role_id
        from ${rows} r cross join unnest(r.roles) each (role_id)
       where not exists (select from role_grants held where held.user_id = r.user_id and held.role_id = each.role_id::uuid)
       order by 2, 4)`,
    actor,
  );
  const revoked = sql`
    select held.id from ${rows} r cross join lateral (
      select id, role_id from role_grants where user_id = r.user_id and company_id = ${company} offset 0) held
     where held.role_id::text <> all (r.roles)`;
  await removeRows(transaction, roleGrant, revoked, actor);
  await transaction.query(sql`
    update role_grants held set origin = 'hand' from ${rows} r
     where held.user_id = r.user_id and held.origin = 'groups' and held.role_id::text = any(r.roles)`);
}
