import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Writer } from '../../../db/database.ts';
import { user } from '../../../entities/user.ts';
import { type ProblemList, quoted, runCheck } from '../../../import/check/problems.ts';
import { gives, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';

const staged = stagingTable(user);
/** The end of the address of somebody whose own a newcomer has got. */
export const FORMER = '@former.invalid';

/** Returns the condition that the names of rows differ, first and last, in both orders. */
const otherNames = (one: string, other: string) =>
  join(
    ['first_name', 'last_name'].flatMap((name) =>
      ['first_name', 'last_name'].map((same) => raw(`fold(${one}.${name}) <> fold(${other}.${same})`)),
    ),
    ' and ',
  );

/**
 * Lets newcomers have the addresses of people who have left: of a line that says so, or of an inactive person, with another number, or where
 * a number is unknown, with another first and last name. Former people get an address of their own, in a staged row.
 */
export async function freeAddresses(
  db: Writer,
  file: StagedFile,
  companyId: string,
  problems: ProblemList,
): Promise<void> {
  if (!gives(file, 'email') || !gives(file, 'employeeNumber')) return;
  const column = file.columns.find(({ field }) => field === 'email')?.name;
  const note = (found: Sql) =>
    runCheck(db, problems, {
      entity: user,
      column,
      found: sql`select line, value, '' as other from (${found}) found`,
      reason: ({ value }) => `${quoted(value)} was the address of somebody who has left, and is that of a newcomer now`,
      isNote: true,
    });
  const says = gives(file, 'active');
  if (says) {
    const gone = sql`
      select distinct on (s.line) s.line, s.email as value, coalesce(t.id, gen_random_uuid()) as id
        from ${staged} s join ${staged} comes on lower_letters(comes.email) = lower_letters(s.email) and comes.line <> s.line
        left join users t on t.company_id = ${companyId}::uuid and lower_letters(t.employee_number) = lower_letters(s.employee_number)
       where s.active is false and comes.active is not false
         and lower_letters(s.employee_number) <> lower_letters(comes.employee_number)`;
    await note(gone);
    await db.query(sql`
      update ${staged} s set id = gone.id, email = gone.id || ${FORMER}::text from (${gone}) gone where gone.line = s.line`);
  }
  const former = sql`
    select s.line as at, t.* from ${staged} s join users t on t.email_key = lower_letters(s.email)
     where t.company_id = ${companyId}::uuid and not t.active and t.email not like '%.invalid' and s.id is null
       ${says ? sql`and s.active is not false` : empty}
       and not exists (select from ${staged} own where lower_letters(own.employee_number) = lower_letters(t.employee_number))
       and case when lower_letters(s.employee_number) <> lower_letters(t.employee_number) then true else ${otherNames('s', 't')} end`;
  await note(sql`select former.at as line, former.email as value from (${former}) former`);
  const columns = Object.values(user.fields).map((field): string => field.column);
  const values = columns.map((name) => (name === 'email' ? sql`former.id || ${FORMER}::text` : raw(`former.${name}`)));
  const added = await db.query(sql`
    insert into ${staged} (line, ${raw(columns.join())})
    select former.at, ${join(values)} from (${former}) former returning line`);
  file.rows += added.length;
}
