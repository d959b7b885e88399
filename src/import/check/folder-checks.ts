import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { columnOf, sameKey } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Entity, fieldOf, type Period, type UniqueKey } from '../../entities/entity.ts';
import { companyIdInRow, whereToAdd } from '../match/resolve-references.ts';
import { entityOf } from '../read/import-format.ts';
import { gives, type StagedFile, stagingTable } from '../stage/staging.ts';
import { type Check, lastField, namesOf, type ProblemList, quoted, runCheck } from './problems.ts';

/**
 * Checks the files merged with the database, once rows have their ids: unique keys, references and companies. For a file sent by a request,
 * nothing about other companies is disclosed.
 */
export async function checkAgainstDatabase(
  db: Reader,
  files: readonly StagedFile[],
  problems: ProblemList,
): Promise<void> {
  const fileOf = (entity: Entity) => files.find((file) => file.entity === entity);
  const entities = files[0]?.format.entities ?? [];
  for (const entity of entities) {
    const file = fileOf(entity);
    const given = entity.unique.filter(({ fields }) => file && fields.some((field) => gives(file, field)));
    for (const key of given) await runCheck(db, problems, takenInDatabase(entity, key, file));
    for (const period of entity.periods ?? [])
      if (file && Object.values(period).some((name) => gives(file, name)))
        await runCheck(db, problems, wrongPeriod(file, period));
    for (const [field, described] of Object.entries(entity.fields)) {
      const { references, lists, ofSameCompany, hierarchy, outlivesTarget, negativeWith } = described;
      if (file && negativeWith !== undefined && gives(file, field))
        await runCheck(db, problems, negativeWithout(entity, field, negativeWith));
      if (file && lists !== undefined && gives(file, field))
        await runCheck(db, problems, unknownInList(entity, field, entityOf(entities, lists)));
      if (references === undefined) continue;
      const target = entityOf(entities, references);
      if (file && gives(file, field) && !outlivesTarget)
        await runCheck(db, problems, unknownReference(file, field, target));
      if (file && gives(file, field) && hierarchy)
        await runCheck(db, problems, outsideHierarchy(file, field, hierarchy.levels));
      if (!ofSameCompany) continue;
      if (file && canMove(file)) await runCheck(db, problems, ofAnotherCompany(entity, field, target));
      const moving = fileOf(target);
      if (moving && canMove(moving) && !outlivesTarget)
        await runCheck(db, problems, orphansReferences(entity, field, target));
    }
  }
}

/** Finds negative amounts of rows that lack what a negative one needs. */
function negativeWithout(entity: Entity, field: string, needed: string): Check {
  const column = columnOf(entity, field);
  return {
    entity,
    column: field,
    found: sql`
      select s.line, s.${column}::text as value, '' as other from ${stagingTable(entity)} s
       where s.${column} < 0 and s.${columnOf(entity, needed)} is null`,
    reason: ({ value }) =>
      `${quoted(value)} is not valid: expected an amount that is not negative, or ${needed} with it`,
  };
}

/** Returns whether rows of a file can move to another company: those of a request cannot. */
function canMove({ format }: StagedFile): boolean {
  return format.companyId === undefined;
}

/** Finds unique values taken by stored rows that are not in the folder. */
function takenInDatabase(entity: Entity, key: UniqueKey, file: StagedFile | undefined): Check {
  const isBrought = file?.format.companyId !== undefined;
  const field = lastField(key);
  const [staged, id] = [stagingTable(entity), columnOf(entity)];
  return {
    entity,
    column: field,
    found: sql`
      select s.line, s.${columnOf(entity, field)}::text as value, t.${id}::text as other
      from ${staged} s join ${raw(entity.table)} t on ${sameKey(entity, key, 's', 't')}
      where t.${id} <> s.${id}
        and not exists (select from ${staged} named where named.${id} = t.${id})`,
    isTaken: isBrought,
    reason: ({ value, other }) =>
      isBrought
        ? takenReason(entity, value, key)
        : key.fields.length > 1
          ? `the database has a ${entity.noun} of the same ${namesOf(key.fields)}, with the id ${quoted(other)}: give that id, or none`
          : `${quoted(value)} belongs to the ${entity.noun} ${other} in the database: correct it, or give that id`,
  };
}

/** Returns the reason for a value taken by a row that must not be disclosed. */
export function takenReason({ noun }: Entity, value: string, { hint }: Pick<UniqueKey, 'hint'> = {}): string {
  const reason = `${quoted(value)} belongs to another ${noun}: correct it`;
  return hint === undefined ? reason : `${reason}. ${hint}`;
}

function unknownReference(file: StagedFile, field: string, target: Entity): Check {
  const { entity } = file;
  const ofCompany = file.format.companyId === undefined ? undefined : companyOf(target);
  const [staged, column, id] = [stagingTable(entity), columnOf(entity, field), columnOf(target)];
  const { orIn } = fieldOf(entity, field);
  return {
    entity,
    column: field,
    found: sql`
      select s.line, s.${column}::text as value, '' as other
      from ${staged} s join (
        select ${column} from ${staged} where ${column} is not null
        except select ${id} from ${stagingTable(target)}
        ${orIn ? sql`except select id from ${raw(orIn)}` : empty}
      ) as outside on outside.${column} = s.${column}
      where not exists (
        select from ${raw(target.table)} t
         where t.${id} = outside.${column}${ofCompany ? sql` and t.${ofCompany} = s.${companyOf(entity)}` : empty})`,
    reason: ({ value }) =>
      `${quoted(value)} is the id of no ${target.noun}${ofCompany ? ' of the company' : ''}${whereToAdd(file, target)}`,
  };
}

/** Finds lists with the id of a row that the company does not have. */
function unknownInList(entity: Entity, field: string, target: Entity): Check {
  const own = companyIdInRow(entity);
  const isThere = (table: Sql) =>
    sql`exists (select from ${table} t where t.${columnOf(target)} = each.id::uuid and t.${companyOf(target)} = ${own})`;
  return {
    entity,
    column: field,
    found: sql`
      select s.line, each.id as value, '' as other
        from ${stagingTable(entity)} s, unnest(string_to_array(s.${columnOf(entity, field)}, ' ')) each (id)
       where not (${isThere(stagingTable(target))} or ${isThere(raw(target.table))})`,
    reason: ({ value }) => `${quoted(value)} is the id of no ${target.noun} of the company: correct it`,
  };
}

/** Finds last days before the first one, and a reference to the row itself or without both of its days, or days without it. */
function wrongPeriod(file: StagedFile, { from, until, of }: Period): Check {
  const { entity } = file;
  const value = (name: string) => sql`${raw(gives(file, name) ? 's' : 't')}.${columnOf(entity, name)}`;
  const isAlone =
    of === undefined
      ? empty
      : sql`or ${value(of)} = s.${columnOf(entity)} or num_nulls(${value(of)}, ${value(from)}, ${value(until)}) in (1, 2)`;
  return {
    entity,
    column: of ?? until,
    found: sql`
      select s.line, ${value(of ?? until)}::text as value, ${value(from)}::text as other
        from ${stagingTable(entity)} s left join ${raw(entity.table)} t on t.${columnOf(entity)} = s.${columnOf(entity)}
             ${file.format.companyId === undefined ? empty : sql`and t.${companyOf(entity)} = s.${companyOf(entity)}`}
       where ${value(until)} < ${value(from)} ${isAlone}`,
    reason: ({ other }) =>
      of === undefined
        ? `must not be before the first day, ${other}`
        : `${of} must be another person, with ${from} and a ${until} that is not before it`,
  };
}

/** Finds rows that form a circle with those above them, or hang below one, and rows that are too deep. */
function outsideHierarchy({ entity }: StagedFile, field: string, levels: number): Check {
  const [staged, column, company] = [stagingTable(entity), columnOf(entity, field), companyOf(entity)];
  const isDeep = Number.isFinite(levels) ? sql`reached.level > ${levels}::bigint` : sql`false`;
  return {
    entity,
    column: field,
    found: sql`
      with recursive merged as materialized (
        select s.id, s.${column} as above from ${staged} s
        union all
        select t.id, t.${column} from ${raw(entity.table)} t
         where t.${company} in (select ${company} from ${staged}) and not exists (select from ${staged} named where named.id = t.id)),
      reached (id, level) as (
        select id, 1::bigint from merged where above is null or above not in (select id from merged)
        union all
        select merged.id, reached.level + 1 from reached join merged on merged.above = reached.id)
      select s.line, s.${column}::text as value, coalesce(reached.level::text, '') as other
        from ${staged} s left join reached on reached.id = s.id
       where s.${column} is not null and s.id is not null and (reached.id is null or ${isDeep})`,
    reason: ({ value, other }) =>
      other === ''
        ? `${quoted(value)} stands below itself: the rows above form a circle`
        : `this is level ${other} of the ${entity.noun}s, of at most ${levels}`,
  };
}

function ofAnotherCompany(entity: Entity, field: string, target: Entity): Check {
  const column = columnOf(entity, field);
  return {
    entity,
    column: field,
    found: sql`
      select s.line, s.${column}::text as value, coalesce(n.company_id, t.company_id)::text as other
      from ${stagingTable(entity)} s
      left join ${firstOfEachId(target)} n on n.id = s.${column}
      left join ${raw(target.table)} t on t.id = s.${column}
      where coalesce(n.company_id, t.company_id) <> s.${companyOf(entity)}`,
    reason: ({ value, other }) =>
      `${quoted(value)} is a ${target.noun} of the company ${other}: expected one of the ${entity.noun}'s own company`,
  };
}

/** Finds departments, bands and people that move to another company, while stored rows that are not in the folder still refer to them. */
function orphansReferences(entity: Entity, field: string, target: Entity): Check {
  return {
    entity: target,
    column: 'companyId',
    found: sql`
      select n.line, n.company_id::text as value, count(*)::text as other
      from (select distinct on (s.id) s.id, s.line, s.company_id
              from ${stagingTable(target)} s join ${raw(target.table)} t on t.id = s.id and t.company_id <> s.company_id
             order by s.id, s.line) n
      join ${raw(entity.table)} t on t.${columnOf(entity, field)} = n.id
      where not exists (select from ${stagingTable(entity)} named where named.id = t.id)
      group by n.line, n.company_id`,
    reason: ({ value, other }) =>
      entity.name === 'company'
        ? `${quoted(value)} is not the company whose default the ${target.noun} is in the database: give that one another, in ${entity.file}`
        : `${quoted(value)} is not the company of the ${target.noun}'s ${entity.noun}s in the database (${other}): move them too, in ${entity.file}`,
  };
}

/** Returns the column with the company of a row; for a company its own id. */
function companyOf(entity: Entity): Sql {
  return columnOf(entity, 'companyId' in entity.fields ? 'companyId' : entity.id);
}

/** Selects the first staged row of each id: joining duplicates would give the product of the rows on both sides. */
function firstOfEachId(entity: Entity): Sql {
  const id = columnOf(entity);
  return sql`(select distinct on (${id}) * from ${stagingTable(entity)} order by ${id}, line)`;
}
