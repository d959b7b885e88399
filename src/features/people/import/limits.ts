import sql, { join, raw, type Sql } from 'sql-template-tag';
import { worksOn } from '../../../audit/entity-sql.ts';
import { newValue } from '../../../audit/merge-rows.ts';
import type { Reader } from '../../../db/database.ts';
import { fieldOf } from '../../../entities/entity.ts';
import { user, WORK_FIELDS } from '../../../entities/user.ts';
import type { ProblemList } from '../../../import/check/problems.ts';
import { rowsToMerge, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { countLeavers, findOutdated, type Leavers } from './feeds.ts';
import type { OverLimit } from './import-schemas.ts';
import type { BroughtPeople } from './people-changes.ts';

/*
 * A file may do only so much without being confirmed: deactivate people, change who they are, or move them. What a whole file does by
 * mistake, such as a column that was sorted alone, is told as what it looks like.
 */

/** Share of the people in percent that a file of everybody may change, and move, unless another one is given. */
const USUAL = 10;
/** People whom a file may change in a small company, though no more than half of them. */
const A_FEW = 3;

interface Effect {
  count: number;
  examples: OverLimit['examples'];
}

interface Effects {
  people: number;
  leavers: Effect;
  changed: Effect;
  addresses: Effect;
  moved: Effect;
  leaving: Leavers['leaving'];
  /** Numbers of people by what a mistake would look like. */
  passed: number;
  renamed: number;
  swapped: number;
  filled: number;
}

const KINDS = [
  ['maxChanged', 'changed', 'get another name, address or number'],
  ['maxAddresses', 'addresses', 'get another e-mail address'],
  ['maxMoved', 'moved', 'get another department or manager'],
] as const;

/**
 * Counts who leaves, and what the file does beyond its limits. Where it is neither a dry run nor confirmed, each is a problem of the whole
 * file.
 *
 * @returns nothing of a file of some people without limits, unless most of what it changes looks like a mistake
 */
export async function checkLimits(
  db: Reader,
  brought: BroughtPeople,
  file: StagedFile,
  problems: ProblemList,
): Promise<Partial<Leavers> & { over?: OverLimit[] }> {
  const { all, limits, dryRun, isConfirmed, confirm } = brought;
  const outdated = await findOutdated(db, brought);
  const found = await findEffects(db, file, brought.companyId);
  const isMistaken = found.changed.count > A_FEW && lookOf('changed', found) !== null;
  const hasLimits = all !== undefined || Object.values(limits).some((limit) => limit !== undefined);
  if (!hasLimits && !isMistaken && outdated.length === 0) return {};
  const {
    maxLeavers,
    maxChanged = all ? USUAL : isMistaken ? 0 : undefined,
    maxMoved = all ? USUAL : undefined,
  } = limits;
  const shares = { maxChanged, maxAddresses: limits.maxAddresses ?? maxChanged, maxMoved };
  const missing = all ? await countLeavers(db, brought) : { leavers: 0, leaving: [] };
  const leavers = missing.leavers + found.leavers.count;
  const over: OverLimit[] = [...outdated];
  const mayLeave = maxLeavers ?? (all ? 0 : Number.POSITIVE_INFINITY);
  if (leavers > mayLeave) {
    const examples = [
      ...found.leavers.examples,
      ...missing.leaving.map((each) => ({ line: null, email: each.email, before: nameOf(each), after: null })),
    ];
    const who = leavers === 1 ? ['person is', '1 active person'] : ['people are', `${leavers} active people`];
    const reason =
      found.leavers.count === 0
        ? `${leavers} active ${who[0]} missing from the file and would be deactivated`
        : `${who[1]} would be deactivated, ${missing.leavers} of them missing from the file`;
    const looksLike = found.leavers.count * 2 > found.people ? 'a status that was filled down' : null;
    over.push(overLimit('maxLeavers', { count: leavers, examples }, mayLeave, reason, looksLike));
  }
  for (const [limit, kind, what] of KINDS) {
    const allowed = allowedOf(shares[limit], found.people);
    const effect = found[kind];
    const reason = `${effect.count} of ${found.people} people would ${what}`;
    if (effect.count > allowed) over.push(overLimit(limit, effect, allowed, reason, lookOf(kind, found)));
  }
  if (!dryRun && !isConfirmed) {
    for (const { message } of over)
      problems.add({ file: user.file, reason: `${message}; confirm "${confirm}" imports this very file` });
  }
  const leaving = [...missing.leaving, ...found.leaving].slice(0, 100);
  return { ...(all || leavers > 0 ? { leavers, leaving } : {}), ...(over.length > 0 && { over }) };
}

/** Returns the number of people that a share in percent allows. */
function allowedOf(share: number | undefined, people: number): number {
  if (share === undefined) return Number.POSITIVE_INFINITY;
  return share === 0 ? 0 : Math.max(Math.ceil((people * share) / 100), Math.min(A_FEW, Math.floor(people / 2)));
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`.trim();

function overLimit(
  limit: OverLimit['limit'],
  { count, examples }: Effect,
  allowed: number,
  reason: string,
  looksLike: string | null,
): OverLimit {
  const three = examples.slice(0, 3);
  const shown = three.map(({ email, before, after }) => (after === null ? email : `${before} → ${after}`));
  const looks = looksLike === null ? '' : `. It looks like ${looksLike}`;
  const message = `${reason}: ${limit} allows ${allowed}${looks}. Such as ${shown.join('; ')}`;
  return { limit, count, allowed, looksLike, message, examples: three };
}

/** Returns what a change of most of the people looks like; null for none of the known mistakes. */
function lookOf(kind: (typeof KINDS)[number][1], { passed, renamed, swapped, filled, ...found }: Effects) {
  const most = (count: number) => count * 2 > found[kind].count;
  if (kind === 'moved') return most(filled) ? 'a department that was filled down' : null;
  if (most(passed))
    return 'addresses that pass from one person to another, as of a column that was moved or sorted alone';
  if (kind === 'addresses') return null;
  if (most(swapped)) return 'first and last names that are swapped';
  return most(renamed) ? 'numbers of other people, as in the file of another company' : null;
}

/** Reads what the staged rows do to people of the company. */
async function findEffects(db: Reader, file: StagedFile, companyId: string): Promise<Effects> {
  const rows = rowsToMerge(file);
  const columnOf = (name: string) => raw(fieldOf(user, name).column);
  const names = [...['email', 'firstName', 'lastName', 'employeeNumber', 'departmentId', 'managerId'], ...WORK_FIELDS];
  const values = names.map((name) => sql`${newValue(rows, name)} as ${columnOf(name)}`);
  const differs = (name: string) =>
    sql`(t.${columnOf(name)} is not null and t.${columnOf(name)} is distinct from n.${columnOf(name)})`;
  const otherAddress = sql`lower(t.email) <> lower(n.email)`;
  const told = (row: string) => sql`
    concat_ws(', ', ${raw(row)}_name, ${raw(row)}_email, ${raw(row)}_number,
      (select name from departments where id = ${raw(row)}_department),
      (select email from users where id = ${raw(row)}_manager))`;
  const effect = (condition: string): Sql => sql`
    json_build_object('count', (select count(*)::integer from known where ${raw(condition)}), 'examples', coalesce((
      select json_agg(example) from (
        select line, before_email as email, ${told('before')} as before, ${told('after')} as after
          from known where ${raw(condition)} order by line limit 3) example), '[]'))`;
  const number = (condition: string) => sql`(select count(*)::integer from known where ${raw(condition)})`;
  const sides = (row: string, side: string) => sql`
    concat_ws(' ', ${raw(row)}.first_name, nullif(${raw(row)}.last_name, '')) as ${raw(side)}_name, ${raw(row)}.email as ${raw(side)}_email,
    ${raw(row)}.employee_number as ${raw(side)}_number, ${raw(row)}.department_id as ${raw(side)}_department,
    ${raw(row)}.manager_id as ${raw(side)}_manager`;
  const [found] = await db.query<Effects>(sql`
    with known as materialized (
      select s.line, t.id, t.first_name, t.last_name, ${sides('t', 'before')}, ${sides('n', 'after')},
             (t.active and not n.active) or (${worksOn('t')} and not ${worksOn('n')}) as leavers,
             ${otherAddress} as addresses,
             ${join([otherAddress, ...['firstName', 'lastName', 'employeeNumber'].map(differs)], ' or ')} as changed,
             ${join(['departmentId', 'managerId'].map(differs), ' or ')} as moved,
             t.department_id <> n.department_id as goes,
             lower(t.first_name) <> lower(n.first_name) and lower(t.last_name) <> lower(n.last_name) as renamed,
             lower(t.first_name) <> lower(t.last_name) and lower(t.first_name) = lower(n.last_name)
               and lower(t.last_name) = lower(n.first_name) as swapped
        from ${stagingTable(user)} s join users t on t.id = s.id
       cross join lateral (select ${join(values)}, t.company_id) n
       where t.company_id = ${companyId}::uuid)
    select (select count(*)::integer from users where company_id = ${companyId}::uuid and active) as people,
           ${effect('leavers')} as leavers, ${effect('changed')} as changed, ${effect('addresses')} as addresses,
           ${effect('moved')} as moved,
           coalesce((select json_agg(leaver) from (
             select id, before_email as email, first_name as "firstName", last_name as "lastName"
               from known where leavers order by line limit 100) leaver), '[]') as leaving,
           (select count(*)::integer from known where addresses and exists (
             select from known giver where giver.id <> known.id and lower(giver.before_email) = lower(known.after_email))) as passed,
           ${number('renamed')} as renamed, ${number('swapped')} as swapped,
           coalesce((select max(count) from (
             select count(*)::integer from known where goes group by after_department) moved), 0) as filled`);
  if (found === undefined) throw new TypeError('A selection without a table has one row');
  return found;
}
