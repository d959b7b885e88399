import sql, { empty, join, raw } from 'sql-template-tag';
import { columnOf, keyColumns, sameKey } from '../../audit/entity-sql.ts';
import type { Writer } from '../../db/database.ts';
import { type Entity, fieldOf, type Key } from '../../entities/entity.ts';
import { type Check, lastField, namesOf, type ProblemList, quoted, runCheck } from '../check/problems.ts';
import { KEEP } from '../read/import-format.ts';
import { gives, ID_IS_NEW, type StagedFile, stagingTable } from '../stage/staging.ts';
import { resolveReferences } from './resolve-references.ts';

/**
 * Matches the staged rows of a file with stored rows. A row without an id takes that of the stored row with the same natural key; if there
 * is none, or another staged row has it, a new id. References by key are resolved to ids, and checked fields that the file lacks are
 * filled in from the stored rows. Reports duplicates in the file, and new rows that lack columns.
 *
 * Files must be processed after those that they refer to.
 *
 * @param whenKnown called once each row has its id, before stored values and the remaining references are read
 */
export async function identifyRows(
  db: Writer,
  file: StagedFile,
  problems: ProblemList,
  whenKnown: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { entity } = file;
  const keys: Key[] = [{ fields: [entity.id] }, ...entity.unique].filter(({ fields }) =>
    fields.some((field) => gives(file, field)),
  );
  const isWhole = ({ fields }: Key) => fields.every((field) => gives(file, field));
  await resolveReferences(db, file, 'apart', problems);
  for (const key of keys.filter(isWhole)) await runCheck(db, problems, duplicateInFile(entity, key));
  await assignIds(db, file, problems);
  await whenKnown();
  await fillFromStored(db, file);
  await resolveReferences(db, file, 'within', problems);
  for (const key of keys) if (!isWhole(key)) await runCheck(db, problems, duplicateInFile(entity, key));
  await assertCompleteNewRows(db, file, problems);
}

async function assignIds(db: Writer, file: StagedFile, problems: ProblemList): Promise<void> {
  const { entity } = file;
  const { naturalKey, table } = entity;
  const [staged, id] = [stagingTable(entity), columnOf(entity)];
  if (
    naturalKey === undefined ||
    (await db.query(sql`select from ${staged} where ${id} is null limit 1`)).length === 0
  ) {
    return;
  }
  const { otherKey } = file.format;
  const keys = [otherKey, naturalKey].filter((key) => key !== undefined && gives(file, lastField(key)));
  if (!keys.some((key) => key === otherKey && key !== undefined)) {
    const missing = naturalKey.fields.filter((field) => !gives(file, field));
    if (missing.length > 0) return runCheck(db, problems, neitherIdNorKey(entity, missing));
  }
  for (const key of keys) {
    if (key === undefined) continue;
    await db.query(sql`
      update ${staged} s set ${id} = t.${id} from ${raw(table)} t
      where s.${id} is null and ${sameKey(entity, key, 's', 't')}
        and not exists (select from ${staged} other where other.${id} = t.${id})`);
  }
  const newId = fieldOf(entity, entity.id).sqlDefault ?? 'gen_random_uuid()';
  await db.query(sql`update ${staged} set ${id} = ${raw(newId)}, ${raw(ID_IS_NEW)} = true where ${id} is null`);
}

/** Fills in references and keys that the file lacks from the stored rows, for the checks. */
async function fillFromStored(db: Writer, file: StagedFile): Promise<void> {
  const { entity } = file;
  const keyFields = new Set(entity.unique.flatMap(({ fields }) => fields));
  const lacking = Object.entries(entity.fields).filter(
    ([name, { references }]) =>
      name !== entity.id && (references !== undefined || keyFields.has(name)) && !gives(file, name),
  );
  if (lacking.length === 0) return;
  const [staged, id] = [stagingTable(entity), columnOf(entity)];
  const set = lacking.map(([, { column }]) => raw(`${column} = t.${column}`));
  await db.query(sql`update ${staged} s set ${join(set)} from ${raw(entity.table)} t where t.${id} = s.${id}`);
}

/** Reports new rows if the file lacks a column that they require. */
async function assertCompleteNewRows(db: Writer, file: StagedFile, problems: ProblemList): Promise<void> {
  const { entity } = file;
  const [staged, id] = [stagingTable(entity), columnOf(entity)];
  const columns = file.format.columns.filter(({ name, field }) => name === field);
  const lacking = columns.filter(({ name, whenAbsent }) => whenAbsent === undefined && !gives(file, name));
  if (lacking.length === 0) return;
  const names = namesOf(lacking.map(({ name }) => orByKey(entity, name)));
  await runCheck(db, problems, {
    entity,
    column: undefined,
    found: sql`
      select s.line, null as value, '' as other from ${staged} s
      where s.${id} is not null ${entity.deleteFlag ? sql`and s.${raw(KEEP)} is not false` : empty}
        and not exists (select from ${raw(entity.table)} t where t.${id} = s.${id})`,
    reason: () =>
      `there is no such ${entity.noun} yet, and a new one needs ${names}: add what is missing, or correct the row`,
  });
}

function duplicateInFile(entity: Entity, key: Key): Check {
  const field = lastField(key);
  const columns = keyColumns(entity, key, 's');
  const present = columns.map((each) => sql`${each} is not null`);
  return {
    entity,
    column: field,
    found: sql`
      select line, value, first_line::text as other from (
        select s.line, s.${columnOf(entity, field)}::text as value,
               min(s.line) over (partition by ${join(columns)}) as first_line
        from ${stagingTable(entity)} s where ${join(present, ' and ')}
      ) as keyed where line <> first_line`,
    reason: ({ value, other }) =>
      key.fields.length > 1
        ? `line ${other} has the same ${namesOf(key.fields)} already: correct or remove one of the two`
        : `${quoted(value)} stands on line ${other} already: correct or remove one of the two`,
  };
}

function neitherIdNorKey(entity: Entity, missing: readonly string[]): Check {
  return {
    entity,
    column: entity.id,
    found: sql`
      select line, '' as value, '' as other from ${stagingTable(entity)} where ${columnOf(entity)} is null`,
    reason: () =>
      `the cell is empty, and the file has no column ${namesOf(missing.map((name) => orByKey(entity, name)))} to know the ${entity.noun} by`,
  };
}

/** Returns a name for messages, with its alternative: `companyId (or companyGstin)`. */
function orByKey(entity: Entity, name: string): string {
  const { namedBy } = fieldOf(entity, name);
  return namedBy === undefined ? name : `${name} (or ${namedBy})`;
}
