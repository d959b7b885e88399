import sql, { join, raw, type Sql } from 'sql-template-tag';
import { defaultsOf, levelOf } from '../../../api/custom-fields.ts';
import { isErased } from '../../../api/hierarchy.ts';
import { comparable } from '../../../audit/entity-sql.ts';
import { isCompanyOfConnection } from '../../../auth/callers/identity-queries.ts';
import type { Writer } from '../../../db/database.ts';
import { EXTERNAL_ID } from '../../../entities/characters.ts';
import { department } from '../../../entities/department.ts';
import { fieldOf } from '../../../entities/entity.ts';
import { isEnough, jsonText } from '../../../entities/formed-values.ts';
import { user } from '../../../entities/user.ts';
import { takenReason } from '../../../import/check/folder-checks.ts';
import { type Check, type ProblemList, quoted, runCheck } from '../../../import/check/problems.ts';
import { identifyRows } from '../../../import/match/identify-rows.ts';
import { gives, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { domainOfAddress, OF_ANOTHER } from '../person-service.ts';
import { freeAddresses } from './free-addresses.ts';
import { dropOwnManagers, matchManagers } from './match-managers.ts';
import { matchOwnRoles } from './own-roles.ts';
import type { BroughtPeople } from './people-changes.ts';
import { ownParts, ROLES } from './people-format.ts';

const staged = stagingTable(user);

/**
 * Matches the staged rows with people of the company, and gives new people their defaults: the company's default department and band, and
 * the role EMPLOYEE. Values that were left out are the stored ones. Rows of people of other companies are removed and reported.
 */
export async function identifyPeople(
  db: Writer,
  file: StagedFile,
  brought: Pick<BroughtPeople, 'companyId' | 'choices' | 'definitions' | 'author'>,
  problems: ProblemList,
): Promise<void> {
  const { companyId, choices } = brought;
  await freeAddresses(db, file, brought, problems);
  await identifyRows(db, file, problems, async () => {
    for (const check of livingElsewhere(companyId)) await runCheck(db, problems, check);
    await db.query(sql`
      delete from ${staged} s using users t where t.id = s.id and t.company_id <> ${companyId}::uuid`);
    await matchDepartments(db, file, companyId, problems, choices.departments);
    await matchManagers(db, file, companyId, problems);
  });
  await dropOwnManagers(db, file, problems);
  for (const [field, lines] of problems.leftOutLines) {
    const column = raw(fieldOf(user, field).column);
    await db.query(sql`
      update ${staged} s set ${column} = t.${column} from users t
       where t.id = s.id and s.line in (select value::integer from json_array_elements_text(${JSON.stringify(lines)}::text::json))`);
  }
  await runCheck(db, problems, await foreignDomain(db, companyId));
  if (gives(file, 'managerId')) await runCheck(db, problems, ERASED_MANAGER);
  if (gives(file, 'externalId')) await keepExternalIds(db, problems, choices.externalIds);
  if (gives(file, 'employeeNumber') && !gives(file, 'id')) await runCheck(db, problems, OTHER_NUMBER);
  await mergeOwnFields(db, file, brought, problems);
  await matchOwnRoles(db, file, companyId, problems);
  const isNew = sql`not exists (select from users t where t.id = s.id)`;
  await db.query(sql`update ${staged} s set ${raw(ROLES)} = 'EMPLOYEE' where ${raw(ROLES)} is null and ${isNew}`);
  const lacking = DEFAULTS.filter(({ field }) => !gives(file, field));
  if (lacking.length === 0) return;
  const set = lacking.map(({ column, standard }) => sql`${raw(column)} = c.${raw(standard)}`);
  await db.query(sql`
    update ${staged} s set ${join(set)} from companies c where c.id = ${companyId}::uuid and ${isNew}`);
  for (const { field, column, code } of lacking) await runCheck(db, problems, withoutDefault(field, column, code));
}

/** Lets people keep the ids by which a directory knows them, or reports them where nothing was chosen. */
async function keepExternalIds(
  db: Writer,
  problems: ProblemList,
  choice: BroughtPeople['choices']['externalIds'],
): Promise<void> {
  const replaced = sql`
    ${staged} s join users t on t.id = s.id and t.external_id is distinct from s.external_id
    join scim_users known on known.user_id = t.id and known.api_key_id is not null and known.deleted_at is null
   where t.external_id is not null`;
  if (choice === 'keep')
    await db.query(sql`
      update ${staged} kept set external_id = t.external_id from users t
       where t.id = kept.id and kept.id in (select s.id from ${replaced})`);
  if (choice !== undefined) return;
  await runCheck(db, problems, {
    entity: user,
    column: 'externalId',
    found: sql`select s.line, coalesce(s.external_id, '') as value, t.external_id as other from ${replaced}`,
    reason: ({ value, other }) =>
      `${quoted(value)} is not ${quoted(other)}, by which a directory knows this person: choose externalIds "keep" or "replace"`,
  });
}

/** The choice for unknown departments that makes them. */
const CREATE = 'create';

/** Staged departments to make. */
export const newDepartments = stagingTable(department);

/** Gives unknown departments what was chosen for all of them: one department, or new ones of these names. */
async function matchDepartments(
  db: Writer,
  { columns }: StagedFile,
  companyId: string,
  problems: ProblemList,
  choice: string | undefined,
): Promise<void> {
  const column = columns.find(({ name }) => name === 'department');
  if (column === undefined || choice === undefined) return;
  const name = raw(`s.${column.column}`);
  const unknown = sql`
    from ${staged} s where ${name} is not null and not starts_with(${name}, ${EXTERNAL_ID}) and not exists (
      select from departments t where t.company_id = ${companyId}::uuid
         and (lower_letters(t.cost_code) = lower_letters(${name}) or lower_letters(t.name) = lower_letters(${name})))`;
  if (choice !== CREATE) {
    await db.query(
      sql`update ${staged} set ${raw(column.column)} = ${choice} where line in (select s.line ${unknown})`,
    );
    return;
  }
  await db.query(sql`
    insert into ${newDepartments} (line, id, company_id, name, cost_code, budget)
    select min(s.line), gen_random_uuid(), ${companyId}::uuid, min(${name}), left(min(${name}), 50), '0.00' ${unknown}
     group by lower_letters(${name})`);
  await runCheck(db, problems, {
    entity: user,
    column: column.name,
    found: sql`select line, name as value, '' as other from ${newDepartments}`,
    reason: ({ value }) => `${quoted(value)} is a new department`,
    isNote: true,
  });
}

/** Finds addresses of somebody who has another employee number: a newcomer must not take over a person. */
const OTHER_NUMBER: Check = {
  entity: user,
  column: 'employeeNumber',
  found: sql`
    select s.line, s.employee_number as value, t.employee_number as other
      from ${staged} s join users t on t.id = s.id
     where lower_letters(s.employee_number) <> lower_letters(t.employee_number)`,
  reason: ({ value, other }) =>
    `${quoted(value)} is not the employee number of the person who has this e-mail address (${quoted(other)}): correct one of the two`,
};

/** Finds new managers whom the operator has erased. */
const ERASED_MANAGER: Check = {
  entity: user,
  column: 'managerId',
  found: sql`
    select s.line, s.manager_id::text as value, '' as other
      from ${staged} s join users above on above.id = s.manager_id and ${isErased('above', 'users')}
      left join users t on t.id = s.id
     where t.manager_id is distinct from s.manager_id`,
  reason: () => 'This person was erased: nobody gets them as a manager',
};

/** Finds new addresses whose domain another company has proven to be its own. */
async function foreignDomain(db: Writer, companyId: string): Promise<Check> {
  const written = await db.query<{ domain: string }>(sql`
    select distinct split_part(email, '@', 2) as domain from ${staged} where email ~ '@.*[^ -~]'`);
  const spelt = JSON.stringify(written.map(({ domain }) => ({ domain, ascii: domainOfAddress(domain) })));
  return {
    entity: user,
    column: 'email',
    found: sql`
      select s.line, s.email as value, '' as other
        from ${staged} s left join jsonb_to_recordset(${spelt}::text::jsonb) spelt (domain text, ascii text)
          on spelt.domain = split_part(s.email, '@', 2)
        join sign_in_domains own on own.domain = coalesce(ascii, lower(split_part(s.email, '@', 2)))
        join sign_in_connections connection on connection.id = connection_id and not ${isCompanyOfConnection(sql`${companyId}::uuid`)}
        left join users t on t.id = s.id
       where t.email_key is distinct from ${comparable(sql`s.email`, true)}`,
    reason: ({ value }) => `${quoted(value)}: ${OF_ANOTHER}`,
  };
}

/** Fields of new people for which the company may have a default. */
const DEFAULTS = [
  { field: 'departmentId', column: 'department_id', standard: 'default_department_id', code: 'departmentCostCode' },
  { field: 'bandId', column: 'band_id', standard: 'default_band_id', code: 'bandCode' },
] as const;

/** Finds new people without a value for which the company has no default. */
function withoutDefault(field: string, column: string, code: string): Check {
  return {
    entity: user,
    column: undefined,
    found: sql`select s.line, null as value, '' as other from ${staged} s where s.${raw(column)} is null`,
    reason: () =>
      `there is no such user yet, and a new one needs ${field} (or ${code}), for which the company has no default: add what is missing`,
  };
}

/** Finds rows with the address or the id of a person of another company. */
function livingElsewhere(companyId: string): Check[] {
  const isByAddress = sql`t.email_key = ${comparable(sql`s.email`, true)}`;
  const check = (column: string, value: Sql, condition: Sql): Check => ({
    entity: user,
    column,
    found: sql`
      select s.line, ${value} as value, '' as other from ${staged} s join users t on t.id = s.id
       where t.company_id <> ${companyId}::uuid and ${condition}`,
    isTaken: true,
    reason: ({ value }) => takenReason(user, value, column === 'email' ? user.naturalKey : {}),
  });
  return [check('email', sql`s.email`, isByAddress), check('id', sql`s.id::text`, sql`(${isByAddress}) is not true`)];
}

/** Puts the ids of people of the company or the file into cells that name them by the ids of another system. */
async function findPeopleOfCells(
  db: Writer,
  companyId: string,
  name: string,
  column: Sql,
  problems: ProblemList,
): Promise<void> {
  const value = sql`${column} #>> '{}'`;
  const isOpen = sql`starts_with(${value}, ${EXTERNAL_ID})`;
  const named = sql`trim(substr(${value}, ${EXTERNAL_ID.length + 1}::integer))`;
  const person = sql`coalesce(
    (select n.id from ${staged} n where n.external_id = ${named} limit 1),
    (select t.id from users t where t.company_id = ${companyId}::uuid and t.external_id = ${named}
        and not exists (select from ${staged} n where n.id = t.id)))`;
  await runCheck(db, problems, {
    entity: user,
    column: name,
    found: sql`select s.line, ${value} as value, '' as other from ${staged} s where ${isOpen} and ${person} is null`,
    reason: ({ value: given }) => `${quoted(given)} is the externalId of no user of the company: correct it`,
  });
  await db.query(
    sql`update ${staged} s set ${raw(column.text.replace('s.', ''))} = to_jsonb(${person}::text) where ${isOpen}`,
  );
}

/** Puts the fields of one's own of the staged rows together with those that people have, new ones with the defaults, and checks them. */
export async function mergeOwnFields(
  db: Writer,
  file: StagedFile,
  { definitions, companyId, author }: Pick<BroughtPeople, 'definitions' | 'companyId' | 'author'>,
  problems: ProblemList,
): Promise<void> {
  const parts = ownParts(file);
  for (const { key, name, column } of parts) {
    if (definitions.some((each) => each.key === key && each.type === 'PERSON'))
      await findPeopleOfCells(db, companyId, name, column, problems);
  }
  const defaults = defaultsOf(definitions);
  const given = parts.map(({ key, column }) => sql`${key}::text, ${column}`);
  const values = given.length === 0 ? sql`'{}'::jsonb` : sql`jsonb_build_object(${join(given)})`;
  if (parts.length > 0 || defaults !== null) {
    const merged = sql`jsonb_strip_nulls(coalesce(t.fields, '{}') || ${values})`;
    await db.query(sql`
      update ${staged} s
         set fields = case when t.id is null then nullif(${defaults ?? '{}'}::jsonb || jsonb_strip_nulls(${values}), '{}')
                           when ${merged} = coalesce(t.fields, '{}') then t.fields
                           else ${merged} end
        from ${staged} every left join users t on t.id = every.id where every.line = s.line`);
  }
  const level = levelOf(author.caller, companyId);
  const rows = sql`from ${staged} s left join users t on t.id = s.id`;
  const changed = (key: string) => sql`(s.fields -> ${key}::text) is distinct from (t.fields -> ${key}::text)`;
  for (const { key, type, required, default: usual, readableBy, writableBy } of definitions) {
    const part = parts.find((each) => each.key === key);
    const check = (found: Sql, reason: string) =>
      runCheck(db, problems, { entity: user, column: `fields.${key}`, found, reason: () => reason });
    const value = sql`s.line, s.fields ->> ${key}::text as value, '' as other`;
    if (part && !isEnough(level, writableBy)) {
      const isUsual = sql`t.id is null and (s.fields -> ${key}::text) is not distinct from ${usual === null ? null : jsonText(usual)}::jsonb`;
      // Whoever may not read a value does not learn by a file whether it is this one.
      const isRefused = isEnough(level, readableBy) ? changed(key) : sql`true`;
      await check(sql`select ${value} ${rows} where ${isRefused} and not (${isUsual})`, 'is written by API keys alone');
    }
    if (part && type === 'PERSON') {
      const isThere = (people: Sql) =>
        sql`exists (select from ${people} p where p.id = (s.fields ->> ${key}::text)::uuid`;
      await check(
        sql`
          select ${value} ${rows} where jsonb_exists(s.fields, ${key}) and ${changed(key)}
             and not ${isThere(sql`users`)} and p.company_id = ${companyId}::uuid and not ${isErased('p', 'users')}) and not ${isThere(staged)})`,
        'must be the id of a person of this company',
      );
    }
    if (required && isEnough(level, writableBy)) {
      const isWritten = parts.length > 0 ? sql`s.fields is distinct from t.fields` : sql`false`;
      await check(
        sql`select ${value} ${rows} where (t.id is null or ${isWritten}) and not jsonb_exists(coalesce(s.fields, '{}'), ${key})`,
        'is required',
      );
    }
  }
}
