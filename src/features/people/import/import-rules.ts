import sql, { join, raw } from 'sql-template-tag';
import { isErased } from '../../../api/hierarchy.ts';
import type { Author } from '../../../api/write-request.ts';
import { worksOn } from '../../../audit/entity-sql.ts';
import type { Transaction } from '../../../db/database.ts';
import { fieldOf } from '../../../entities/entity.ts';
import { user, WORK_FIELDS } from '../../../entities/user.ts';
import type { ProblemList } from '../../../import/check/problems.ts';
import { gives, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { endDeletions, writePeople } from '../change-people.ts';
import { rolesTakenFromGroups } from '../group-roles.ts';
import { findBrokenRule, findLastAdmins, mayBeForbidden, RULED_FIELDS, stopsWorking } from '../person-rules.ts';
import { findPeople, type Person } from '../person-service.ts';
import { type Leavers, leaversUnderRules, type RuledRow } from './feeds.ts';
import type { OverLimit } from './import-schemas.ts';
import { checkLimits } from './limits.ts';
import { checkOwnRoles, wantedOwnRoles } from './own-roles.ts';
import type { BroughtPeople } from './people-changes.ts';
import { OWN_ROLES, ROLES } from './people-format.ts';

/**
 * Checks an import under the rules of a create and an update, and adds violations to the problems. Outside of a dry run, the affected
 * people must be locked.
 *
 * @returns the ids of those who are deactivated, or cease to be administrators, who leaves, and what is beyond the limits
 */
export async function checkRules(
  transaction: Transaction,
  brought: BroughtPeople,
  file: StagedFile,
  problems: ProblemList,
): Promise<{ leaving: readonly string[]; found: Partial<Leavers> & { over?: OverLimit[] } }> {
  const { author, companyId } = brought;
  const before = problems.count;
  const found = await checkLimits(transaction, brought, file, problems);
  const leavers = problems.count > before ? [] : await leaversUnderRules(transaction, brought);
  const rows = [...(await changesUnderRules(transaction, file, author, companyId)), ...leavers];
  const ids = rows.map(({ id }) => id);
  const people = await findPeople(transaction, ids);
  const changed = rows.flatMap((row) => {
    const person = people.get(row.id);
    return person === undefined ? [] : [{ ...row, person }];
  });
  const add: AddProblem = (line, field, reason) => {
    const column = file.columns.find((one) => one.field === field)?.name ?? field;
    problems.add({ file: file.entity.file, line, column, reason });
  };
  for (const each of changed) {
    const { line, person, changes, isErased } = each;
    if (isErased) add(line, user.id, 'This person was erased: nothing about them can change');
    const broken = findBrokenRule(author.caller, person, typed(changes));
    if (broken !== undefined) add(line, broken.field, about(each, broken.message));
  }
  await checkOwnRoles(transaction, file, brought, problems);
  for (const { line, group, isOwn } of await rolesOfGroups(transaction, companyId)) {
    add(
      line,
      isOwn ? OWN_ROLES : ROLES,
      `A directory gives this role by its group ${group}: take the person out of the group there`,
    );
  }
  const leaving = changed.filter((each) => each.losesAdmin || isLeaving(each));
  await checkLastAdmins(transaction, author, companyId, { file, leaving, add });
  return { leaving: leaving.map(({ id }) => id), found };
}

const stagedRoles = sql`(
  select line, id, string_to_array(${raw(ROLES)}, ' ') as roles, ${wantedOwnRoles} as own_roles from ${stagingTable(user)} s)`;

async function rolesOfGroups(
  db: Transaction,
  companyId: string,
): Promise<{ line: number; group: string; isOwn: boolean }[]> {
  return db.query(sql`
    select line, string_agg(distinct group_name, ', ') as "group", role_id is not null as "isOwn"
      from (${rolesTakenFromGroups(stagedRoles, companyId)}) taken
     where is_managed group by 1, 3 order by 1, 3`);
}

/** Takes people out of the groups of former directories whose roles the import takes from them. */
export async function leaveFormerGroups(transaction: Transaction, companyId: string): Promise<void> {
  await transaction.query(sql`
    delete from directory_group_members members using (${rolesTakenFromGroups(stagedRoles, companyId)}) taken
     where members.group_id = taken.group_id and members.user_id = taken.user_id`);
}

interface ChangedPerson extends RuledRow {
  person: Person;
}

/** Reads the rows that change something of people whom the rules may protect. */
async function changesUnderRules(
  transaction: Transaction,
  file: StagedFile,
  { caller }: Author,
  companyId: string,
): Promise<RuledRow[]> {
  const given = RULED_FIELDS.filter((name) => gives(file, name));
  const values = given.map((name) => {
    const { column } = fieldOf(user, name);
    // A value that could not be read has been reported already.
    return sql`(${raw(`'${name}'`)}, s.${raw(column)}::text, s.${raw(column)} is distinct from t.${raw(column)})`;
  });
  values.push(sql`('', null, null::boolean)`);
  return transaction.query<RuledRow>(sql`
    select ruled.* from (
      select s.line, s.id, "losesAdmin", "isErased",
             (select coalesce(json_object_agg(field, value), '{}')
                from (values ${join(values)}) as value (field, value, is_changed) where is_changed) as changes
        from ${stagingTable(user)} s join users t on t.id = s.id
       cross join lateral (
         select exists (select from company_roles held
                         where held.user_id = s.id and held.company_id = ${companyId}::uuid and held.role = 'CORPORATE_ADMIN')
                as "isAdmin", ${isErased('t', 'users')} as "isErased") is_admin
       cross join lateral (
         select "isAdmin" and s.${raw(ROLES)} is not null and 'CORPORATE_ADMIN' <> all (string_to_array(s.${raw(ROLES)}, ' '))
                as "losesAdmin") loses
       where "isErased" or ${mayBeForbidden(caller, sql`t`)}
    ) ruled where "losesAdmin" or "isErased" or changes::text <> '{}' order by line`);
}

function isLeaving({ person, changes }: ChangedPerson): boolean {
  return stopsWorking(person, typed(changes));
}

/** Returns the changes with the types of their fields. */
function typed({ active, ...others }: RuledRow['changes']): Record<string, string | boolean> {
  return active === undefined ? others : { ...others, active: active === 'true' };
}

/** Returns a message about somebody, by name where no line shows who is meant. */
function about({ line, person }: ChangedPerson, message: string): string {
  return line === undefined ? `${person.email}: ${message}` : message;
}

/** Reports a problem under the column name of a field. */
type AddProblem = (line: number | undefined, field: string, reason: string) => void;

/**
 * Reports rows that would leave a company or the platform without an administrator. An active Corporate Admin elsewhere in the file
 * counts as a replacement.
 */
async function checkLastAdmins(
  transaction: Transaction,
  { caller }: Author,
  companyId: string,
  { file, leaving, add }: { file: StagedFile; leaving: readonly ChangedPerson[]; add: AddProblem },
): Promise<void> {
  if (leaving.length === 0) return;
  const staged = stagingTable(user);
  const columns = WORK_FIELDS.map((name) => {
    const { column } = user.fields[name];
    const value = raw(gives(file, name) ? `s.${column}` : `t.${column}`);
    return sql`${name === 'active' ? sql`coalesce(${value}, true)` : value} as ${raw(column)}`;
  });
  const [comes] = await transaction.query(sql`
    select from ${staged} s left join users t on t.id = s.id
     cross join lateral (select ${join(columns)}, ${companyId}::uuid as company_id) n
     where 'CORPORATE_ADMIN' = any(string_to_array(s.${raw(ROLES)}, ' ')) and ${worksOn('n')} limit 1`);
  const losers = leaving.map((each) => {
    const { person } = each;
    const leaves = isLeaving(each);
    const isLost = (held: { companyId: string }) => (held.companyId === companyId ? comes === undefined : leaves);
    return {
      ...person,
      systemRole: leaves ? person.systemRole : null,
      companyRoles: person.companyRoles.filter(isLost),
    };
  });
  for (const { message, userIds } of await findLastAdmins(transaction, caller, losers)) {
    for (const each of leaving) {
      if (!userIds.includes(each.id)) continue;
      const [field = ROLES] = isLeaving(each) ? WORK_FIELDS.filter((name) => name in each.changes) : [];
      add(each.line, field, about(each, message));
    }
  }
}

/** Undoes the deletion by a directory for people whom the import has activated: the directory sees them again. */
export async function endDeletionsOfImport(transaction: Transaction, { actor }: Author): Promise<void> {
  const returned = await transaction.query<{ id: string; email: string }>(sql`
    select t.id, t.email from ${stagingTable(user)} s join users t on t.id = s.id
      join scim_users d on d.user_id = t.id
     where t.active and d.deleted_at is not null order by t.id`);
  const former = await endDeletions(transaction, actor, returned);
  await writePeople(
    transaction,
    actor,
    [...former].map(([id, email]) => ({ id, patch: { email } })),
  );
}
