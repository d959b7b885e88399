import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Writer } from '../../../db/database.ts';
import { fieldOf } from '../../../entities/entity.ts';
import { user } from '../../../entities/user.ts';
import { type ProblemList, quoted, runCheck } from '../../../import/check/problems.ts';
import { gives, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { compareEvidence, type Evidence, type Verdict } from '../newcomers.ts';
import type { BroughtPeople } from './people-changes.ts';

const staged = stagingTable(user);
/** The end of the address of somebody whose own a newcomer has got. */
export const FORMER = '@former.invalid';

const EVIDENCE = ['firstName', 'lastName', 'employeeNumber', 'dateOfBirth', 'externalId'] as const;

/** An inactive person whose address, number or external id comes again, in a line. */
interface Candidate {
  line: number;
  id: string;
  email: string;
  former: Evidence;
  comes: Evidence;
}

/**
 * Lets newcomers have the addresses, numbers and external ids of people who have left: of a line that says so, or of an inactive person whom the evidence
 * tells from who comes. Former people get an address of their own, in a staged row. Where the evidence decides nothing, a line that activates
 * somebody is a problem until `newcomer` is chosen.
 */
export async function freeAddresses(
  db: Writer,
  file: StagedFile,
  { companyId, choices }: Pick<BroughtPeople, 'companyId' | 'choices'>,
  problems: ProblemList,
): Promise<void> {
  if (!gives(file, 'email')) return;
  const column = file.columns.find(({ field }) => field === 'email')?.name;
  const report = (found: Sql, reason: string, isNote?: true) =>
    runCheck(db, problems, {
      entity: user,
      column,
      found: sql`select line, value, '' as other from (${found}) found`,
      reason: ({ value }) =>
        `${quoted(value)} has the address, number or external id of somebody who has left${reason}`,
      ...(isNote && { isNote }),
    });
  const note = (found: Sql) => report(found, ', and is a newcomer now', true);
  const says = gives(file, 'active');
  if (says && gives(file, 'employeeNumber')) {
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
  const verdicts = (await findCandidates(db, file, companyId)).map((each) => ({
    ...each,
    verdict: compareEvidence(each.former, each.comes),
  }));
  const unclear = verdicts.filter(({ verdict }) => says && verdict === 'unclear');
  const listed = (some: readonly Candidate[]) => sql`
    select line, email as value, id from jsonb_to_recordset(${JSON.stringify(some)}::text::jsonb) as each (line integer, email text, id uuid)`;
  if (choices.newcomer === undefined) {
    const ways = 'activate them first if they are back, or choose newcomer true or false for all such lines';
    await report(listed(unclear), `, who may be the same: ${ways}`);
  }
  const isNewcomer = ({ verdict }: { verdict: Verdict }) =>
    verdict === 'newcomer' || (verdict === 'unclear' && says && choices.newcomer === true);
  const newcomers = verdicts.filter(isNewcomer);
  const same = verdicts.filter((each) => !isNewcomer(each));
  // Lines are matched by address and number later, but not by external id.
  await db.query(sql`
    update ${staged} s set id = t.id from (${listed(same)}) same join users t on t.id = same.id
     where s.line = same.line and t.external_id = s.external_id
       and not exists (select from users taken where taken.email_key = lower_letters(s.email))
       and not exists (select from ${staged} own where own.line <> s.line and lower_letters(own.email) = t.email_key)`);
  if (newcomers.length === 0) return;
  const former = listed(newcomers);
  await note(former);
  const columns = Object.values(user.fields).map((field): string => field.column);
  const given: Readonly<Record<string, Sql>> = {
    email: sql`t.id || ${FORMER}::text`,
    employee_number: gives(file, 'employeeNumber') ? ownOf('employee_number') : raw('t.employee_number'),
    external_id: gives(file, 'externalId') ? ownOf('external_id') : raw('t.external_id'),
  };
  const values = columns.map((name) => given[name] ?? raw(`t.${name}`));
  const added = await db.query(sql`
    insert into ${staged} (line, ${raw(columns.join())})
    select s.line, ${join(values)} from (${former}) former join users t on t.id = former.id join ${staged} s on s.line = former.line
    returning line`);
  file.rows += added.length;
}

/** Returns the value that a former person keeps: none that the newcomer has. */
const ownOf = (column: string) =>
  raw(`case when lower_letters(t.${column}) = lower_letters(s.${column}) then null else t.${column} end`);

/** Finds inactive people whose address, number or external id comes again in a line that is not theirs by its id. A file without names or numbers says nothing. */
async function findCandidates(db: Writer, file: StagedFile, companyId: string): Promise<Candidate[]> {
  const known = EVIDENCE.filter((name) => gives(file, name));
  if (known.every((name) => name === 'externalId' || name === 'dateOfBirth')) return [];
  const byNumber = gives(file, 'employeeNumber');
  /** The id of a person under another address, and another id than the known one, may be of another system. */
  const source = sql`case when t.external_id <> s.external_id or t.email_key <> lower_letters(s.email) then null else 'file' end`;
  /** What the file does not say is unknown, but for names: a line without them means the same. */
  const evidence = (row: string, isKnown: (name: string) => boolean) =>
    join(
      EVIDENCE.flatMap((name) => {
        const { column } = fieldOf(user, name);
        const unknown = name.endsWith('Name') ? `t.${column}` : 'null';
        return [sql`${name}::text`, raw(isKnown(name) ? `${row}.${column}` : unknown)];
      }),
    );
  const hit = (on: Sql) =>
    sql`select s.line, t.id from ${staged} s join users t on t.company_id = ${companyId}::uuid and ${on}`;
  const hits = [hit(sql`t.email_key = lower_letters(s.email)`)];
  if (gives(file, 'externalId')) hits.push(hit(sql`t.external_id = s.external_id`));
  if (byNumber) hits.push(hit(sql`t.employee_number_key = lower_letters(s.employee_number)`));
  return db.query<Candidate>(sql`
    select s.line, t.id, t.email, jsonb_build_object('directoryId', 'file', ${evidence('t', () => true)}) as former,
           jsonb_build_object('directoryId', ${source}, ${evidence('s', (name) => known.some((one) => one === name))}) as comes
      from (${join(hits, ' union ')}) hit join ${staged} s on s.line = hit.line join users t on t.id = hit.id
     where not t.active and t.email not like '%.invalid' and s.id is null
       ${gives(file, 'active') ? sql`and s.active is not false` : empty}
       ${byNumber ? sql`and not exists (select from ${staged} own where own.line <> s.line and lower_letters(own.employee_number) = t.employee_number_key)` : empty}`);
}
