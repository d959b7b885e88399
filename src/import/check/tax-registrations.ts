import sql, { join, raw } from 'sql-template-tag';
import { answered } from '../../audit/entity-sql.ts';
import type { Session } from '../../db/database.ts';
import { company } from '../../entities/company.ts';
import { type Entity, fieldOf, type RowOf } from '../../entities/entity.ts';
import { legalEntity, MAX_REGISTRATIONS, taxRegistration } from '../../entities/legal-entity.ts';
import { type Fault, faultsTogether, numberFaults, plainNumber, stateFaults } from '../../entities/tax-numbers.ts';
import { gives, type StagedFile, stagingTable } from '../stage/staging.ts';
import { type Check, type ProblemList, quoted, runCheck } from './problems.ts';

/** Legal entities whose registrations are read at once. */
const PIECE = 1000;

const FIELDS = ['type', 'number', 'countryCode', 'stateId', 'validFrom', 'validUntil', 'default'] as const;

interface Registration extends RowOf<typeof taxRegistration, (typeof FIELDS)[number]> {
  /** Of the file; null: it is stored, and not in the file. */
  line: number | null;
  entity: string;
  isKept: boolean;
  ownState: number | null;
}

/** Checks the staged tax registrations, and that no number is in use, also of companies and of legal entities that become active. */
export async function checkTaxRegistrations(
  session: Session,
  files: readonly StagedFile[],
  problems: ProblemList,
): Promise<void> {
  const fileOf = (wanted: Entity) => files.find(({ entity }) => entity === wanted);
  const file = fileOf(taxRegistration);
  if (file !== undefined) await checkStaged(session, file, problems);
  for (const given of GIVEN_BY) if (fileOf(given[0])) await runCheck(session, problems, numberInUse(given));
}

/**
 * Checks the staged tax registrations as requests are: numbers by type and country, then those of each legal entity together, with the stored
 * ones. Their numbers get the plain form, and GSTINs the state of their code. What the file does not change is no problem.
 */
async function checkStaged(session: Session, file: StagedFile, problems: ProblemList): Promise<void> {
  const staged = stagingTable(taxRegistration);
  await session.query(sql`create index on ${staged} (legal_entity_id)`);
  await session.query(sql`create index on ${staged} (id)`);
  await session.query(sql`create index on ${staged} (line)`);
  const stored = FIELDS.map((name) => answered(fieldOf(taxRegistration, name), 't'));
  const merged = FIELDS.map((name, at) => {
    const given = answered(fieldOf(taxRegistration, name), 's');
    return gives(file, name) ? given : sql`coalesce(${stored[at]}, ${given})`;
  });
  const named = (values: typeof stored) => join(values.map((value, at) => sql`${value} as ${raw(`"${FIELDS[at]}"`)}`));
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const entities = sql`(
      select distinct legal_entity_id from ${staged} where legal_entity_id > ${last}::uuid order by 1 limit ${PIECE}::integer)`;
    const found = await session.query<Registration>(sql`
      select each.*, state_of_gstin(number) as "ownState" from (
        select s.line, s.legal_entity_id::text as entity, ${named(merged)},
               coalesce((${join(merged)}, s.legal_entity_id) is not distinct from (${join(stored)}, t.legal_entity_id), false) as "isKept"
          from ${staged} s left join tax_registrations t on t.id = s.id where s.legal_entity_id in ${entities}
         union all
        select null, t.legal_entity_id::text, ${named(stored)}, true from tax_registrations t
         where t.legal_entity_id in ${entities} and not exists (select from ${staged} s where s.id = t.id)) each
       where type is not null and number is not null and "countryCode" is not null
       order by entity, line nulls first`);
    const plain = found.map((each) => {
      if (each.isKept) return each;
      const number = plainNumber(each.type, each.number, each.countryCode);
      return { ...each, number, stateId: each.stateId ?? (each.type === 'GSTIN' ? each.ownState : null) };
    });
    const lists = new Map<string, Registration[]>();
    for (const each of plain) lists.set(each.entity, [...(lists.get(each.entity) ?? []), each]);
    for (const list of lists.values()) addFaults(problems, list);
    const changed = plain.filter(
      ({ number, stateId }, at) => number !== found[at]?.number || stateId !== found[at]?.stateId,
    );
    await session.query(sql`
      update ${staged} s set number = given.number, state_id = given.state
        from jsonb_to_recordset(${JSON.stringify(changed.map(({ line, number, stateId: state }) => ({ line, number, state })))}::text::jsonb)
             as given (line integer, number text, state integer) where s.line = given.line`);
    const next = plain.at(-1)?.entity;
    if (next === undefined) return;
    last = next;
  }
}

/** Adds the faults of the registrations of a legal entity that the file brings or changes. */
function addFaults(problems: ProblemList, list: readonly Registration[]): void {
  const add = (each: Registration | undefined, { field, predicate }: Pick<Fault, 'field' | 'predicate'>) => {
    // The days are checked as those of all periods are.
    if (!each || each.line === null || each.isKept || field === 'validUntil') return;
    const value = String(each[field] ?? '');
    problems.add({
      file: taxRegistration.file,
      line: each.line,
      column: field,
      value,
      reason: `${quoted(value)} ${predicate}`,
    });
  };
  for (const each of list)
    for (const fault of [...numberFaults(each), ...stateFaults(each, each.ownState)]) add(each, fault);
  for (const { at, ...fault } of faultsTogether(list)) add(list[at], fault);
  for (const each of list.slice(MAX_REGISTRATIONS))
    add(each, { field: 'number', predicate: `is one too many: a legal entity has at most ${MAX_REGISTRATIONS}` });
}

/** Columns with which files give registrations their numbers, or make them count. */
const GIVEN_BY = [
  [company, 'gstin'],
  [legalEntity, 'active'],
  [taxRegistration, 'number'],
] as const;

/** Finds numbers of registrations in a file that another active legal entity, or the same one, has at the same time. */
function numberInUse([entity, column]: (typeof GIVEN_BY)[number]): Check {
  const [staged, entities, companies] = [taxRegistration, legalEntity, company].map(stagingTable);
  const days = (row: string) => raw(`daterange(${row}.valid_from, ${row}.valid_until, '[]')`);
  const ofEntity = (row: string, name: string) => {
    const value = (table: string) =>
      raw(`(select e.${name} from ${table} e where e.id = ${row}.legal_entity_id limit 1)`);
    return sql`coalesce(${value(stagingTable(legalEntity).text)}, ${value('legal_entities')})`;
  };
  const isActive = (row: string) => sql`coalesce(${ofEntity(row, 'active')}, true)`;
  const isStaged = sql`exists (select from ${staged} n where n.id = t.id)`;
  // A company that exchanges its number gives its default registration the new one.
  const isGivenAway = sql`t.is_default and exists (
    select from legal_entities l join ${companies} c on c.id = l.company_id
     where l.id = t.legal_entity_id and l.is_default and c.gstin <> t.number)`;
  const inOrder = (row: string) => raw(`(${row}.valid_until >= ${row}.valid_from) is not false`);
  const given = {
    company: sql`
      select c.line, coalesce(t.id, c.id) as id, coalesce(l.id, c.id) as legal_entity_id, c.gstin as number, t.valid_from, t.valid_until
        from ${companies} c left join companies p on p.id = c.id
        left join legal_entities l on l.company_id = c.id and l.is_default
        left join tax_registrations t on t.legal_entity_id = l.id and t.is_default
       where c.gstin is distinct from p.gstin and not ${isStaged}`,
    legalEntity: sql`
      select e.line, t.id, t.legal_entity_id, t.number, t.valid_from, t.valid_until
        from ${entities} e join legal_entities l on l.id = e.id and not l.active join tax_registrations t on t.legal_entity_id = l.id
       where e.active and not ${isStaged} and not (${isGivenAway})`,
    taxRegistration: sql`select line, id, legal_entity_id, number, valid_from, valid_until from ${staged}`,
  }[entity.name];
  // Those that companies have are checked as numbers of companies, and a new company has what its own file of registrations says.
  const isOther = {
    company: sql`not other.is_company and (other.line is null or ${ofEntity('other', 'company_id')} is distinct from coalesce(
      (select l.company_id from legal_entities l where l.id = s.legal_entity_id), s.legal_entity_id))`,
    legalEntity: sql`true`,
    taxRegistration: sql`coalesce(other.line < s.line, true)`,
  }[entity.name];
  return {
    entity,
    column,
    found: sql`
      with given as materialized (${given})
      select distinct on (s.line) s.line, s.number as value, coalesce(other.line::text, '') as other
        from given s join (
          select n.line, n.id, n.legal_entity_id, n.number, n.valid_from, n.valid_until, false as is_company from ${staged} n
           union all
          select null, t.id, t.legal_entity_id, t.number, t.valid_from, t.valid_until, t.is_default and l.is_default
            from tax_registrations t join legal_entities l on l.id = t.legal_entity_id
           where lower_letters(t.number) in (select lower_letters(number) from given)
             and not ${isStaged} and not (${isGivenAway})) other
          on lower_letters(other.number) = lower_letters(s.number) and other.id <> s.id
       where case when ${inOrder('s')} and ${inOrder('other')} then ${days('s')} && ${days('other')} end
         and ${isActive('s')} and ${isActive('other')} and ${isOther}
       order by s.line, other.line nulls first`,
    reason: ({ value, other }) => {
      const line = `line ${other}${entity === taxRegistration ? '' : ` of ${taxRegistration.file}`}`;
      return `${quoted(value)} is in use: ${other === '' ? 'another registration of the database' : line} has the number at the same time`;
    },
  };
}
