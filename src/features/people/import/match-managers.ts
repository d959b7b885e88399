import sql, { raw } from 'sql-template-tag';
import type { Writer } from '../../../db/database.ts';
import { EXTERNAL_ID } from '../../../entities/characters.ts';
import { user } from '../../../entities/user.ts';
import { type Check, type ProblemList, quoted, runCheck } from '../../../import/check/problems.ts';
import { type StagedFile, stagingTable } from '../../../import/stage/staging.ts';

const staged = stagingTable(user);

/** Column of the staging table with what the file says of the manager. */
const KEY = raw(`${user.fields.managerId.column}_key`);

/** A manager whom the file names, in SQL: `First Last`, `Last, First`, `Name (ID)` or `Name ID`, and who that may be. */
const matched = (companyId: string) => sql`
  people as materialized (
    select id, email, employee_number, fold(first_name || ' ' || last_name) as name, fold(last_name || ' ' || first_name) as turned
      from ${staged}
    union all
    select id, email, employee_number, fold(first_name || ' ' || last_name), fold(last_name || ' ' || first_name) from users t
     where t.company_id = ${companyId}::uuid and not exists (select from ${staged} s where s.id = t.id)),
  told as materialized (
    select distinct ${KEY} as key from ${staged} s where ${KEY} is not null and not starts_with(${KEY}, ${EXTERNAL_ID})
       and lower_letters(${KEY}) not in (select lower_letters(email) from people where email is not null)
       and lower_letters(${KEY}) not in (select lower_letters(employee_number) from people where employee_number is not null)),
  wanted as (
    select key, fold(regexp_replace(key, '^([^,]*),(.*)$', '\\2 \\1')) as name, null as number, 2 as rank from told
    union all
    select key, fold(regexp_replace(regexp_replace(key, '\\s*\\([^()]*\\)\\s*$', ''), '^([^,]*),(.*)$', '\\2 \\1')),
           lower_letters(btrim(substring(key from '\\(([^()]*)\\)\\s*$'))), 0 from told where key ~ '\\([^()]*\\)\\s*$'
    union all
    select key, fold(regexp_replace(regexp_replace(key, '\\s+\\S+$', ''), '^([^,]*),(.*)$', '\\2 \\1')),
           lower_letters(substring(key from '\\S+$')), 1 from told where key ~ '\\s'),
  found as (
    select wanted.key, rank, people.id from wanted join people on lower_letters(people.employee_number) = wanted.number
     where rank = 0 or people.name = wanted.name or people.turned = wanted.name
    union
    select wanted.key, rank, people.id from wanted join people on people.name = wanted.name where rank = 2 or rank = 0
    union
    select wanted.key, rank, people.id from wanted join people on people.turned = wanted.name where rank = 2 or rank = 0),
  matched as (
    select key, count(distinct found.id) as people, (array_agg(found.id))[1] as id,
           string_agg(distinct concat_ws(' ', people.email, '(' || people.employee_number || ')'), ', ') as names
      from (select *, min(rank) over (partition by key) as best from found) found join people using (id)
     where rank = best group by key)`;

/** Resolves managers who are given by name to people of the company or the file: one is taken and told, of several the reader is asked. */
export async function matchManagers(
  db: Writer,
  { columns }: StagedFile,
  companyId: string,
  problems: ProblemList,
): Promise<void> {
  const column = columns.find((each) => each.column === KEY.text)?.name;
  if (column === undefined) return;
  const check = (condition: string, reason: Check['reason'], isNote?: true): Check => ({
    entity: user,
    column,
    found: sql`
      with ${matched(companyId)}
      select s.line, s.${KEY} as value, names as other from ${staged} s join matched on matched.key = s.${KEY} where ${raw(condition)}`,
    reason,
    ...(isNote && { isNote }),
  });
  const taken: Check['reason'] = ({ value, other }) => `${quoted(value)} is taken for ${other}`;
  const asked: Check['reason'] = ({ value, other }) =>
    `${quoted(value)} is the name of several people: ${other}. Choose in values.manager which of them it is`;
  await runCheck(db, problems, check('people = 1', taken, true));
  await runCheck(db, problems, check('people > 1', asked));
  await db.query(sql`
    with ${matched(companyId)}
    update ${staged} s set ${raw(user.fields.managerId.column)} = case when people = 1 then matched.id end,
           ${KEY} = case when people = 1 then ${KEY} end
      from matched where matched.key = s.${KEY}`);
}

/** Takes the manager from those who are said to be their own: usual for the head of a company. */
export async function dropOwnManagers(db: Writer, { columns }: StagedFile, problems: ProblemList): Promise<void> {
  const column = columns.find(({ field }) => field === 'managerId')?.name;
  if (column === undefined) return;
  await runCheck(db, problems, {
    entity: user,
    column,
    found: sql`select line, coalesce(employee_number, email) as value, '' as other from ${staged} where manager_id = id`,
    reason: ({ value }) => `${quoted(value)} is their own manager: they have none`,
    isNote: true,
  });
  await db.query(sql`update ${staged} set manager_id = null where manager_id = id`);
}
