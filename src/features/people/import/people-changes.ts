import sql, { join, raw, type Sql } from 'sql-template-tag';
import { auditedFields } from '../../../audit/audit-trail.ts';
import { newValue, type StagedRows } from '../../../audit/merge-rows.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { fieldOf } from '../../../entities/entity.ts';
import { user } from '../../../entities/user.ts';
import { ID_IS_NEW, rowsToMerge, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import { ROLES } from './people-format.ts';

/** Temporary table of changes: line, whether a person is added, and the change as JSON. */
export const CHANGES = raw('import_changes');

/** Returns the rows to insert or update. Loyalty points of existing people are not written, as a check demands that they are unchanged. */
export function mergedPeople(file: StagedFile): StagedRows {
  const staged = rowsToMerge(file);
  return { ...staged, given: new Set([...staged.given].filter((name) => name !== 'loyaltyPoints')) };
}

/** Changes read per statement. */
const BATCH = 1000;

/** Roles held in the company, sorted; empty for a new person. */
const heldRoles = (companyId: string) => sql`
  array(select held.role from company_roles held where held.user_id = t.id and held.company_id = ${companyId}::uuid order by 1)`;

/** Lists the changes of the staged rows, before they are written. @param tellsNewIds whether to include ids assigned to new people */
export async function listChanges(
  db: Writer,
  file: StagedFile,
  { companyId, tellsNewIds }: { companyId: string; tellsNewIds: boolean },
): Promise<void> {
  const staged = mergedPeople(file);
  const names = auditedFields(user).filter((name) => name !== 'companyId');
  const values = names.map((name, place) => {
    const { column, kind } = fieldOf(user, name);
    const [before, after] = [raw(`t.${column}`), newValue(staged, name)];
    const told = (value: Sql) =>
      kind.sqlType === 'integer' || kind.sqlType === 'boolean'
        ? sql`to_jsonb(${value})`
        : sql`to_jsonb((${value})::text)`;
    return sql`(${raw(String(place))}, ${raw(`'${name}'`)}, ${before} is distinct from ${after}, ${told(before)}, ${told(after)})`;
  });
  const wanted = sql`string_to_array(s.${raw(ROLES)}, ' ')`;
  values.push(sql`(
    ${raw(String(names.length))}, 'roles', s.${raw(ROLES)} is not null and held.roles <> ${wanted},
    case when t.id is not null then to_jsonb(held.roles) end, to_jsonb(${wanted}))`);
  const id = tellsNewIds ? sql`s.id` : sql`case when s.${raw(ID_IS_NEW)} is not true then s.id end`;
  await db.query(sql`
    create temporary table ${CHANGES} as
    select s.line, t.id is null as is_added,
           jsonb_build_object('line', s.line, 'id', ${id}, 'email', ${newValue(staged, 'email')},
             'action', case when t.id is null then 'added' else 'changed' end, 'fields', each.fields)::text as change
      from ${stagingTable(user)} s left join users t on t.id = s.id
     cross join lateral (select ${heldRoles(companyId)} as roles) held
     cross join lateral (
       select jsonb_agg(jsonb_build_object('field', field, 'before', before, 'after', after) order by place) as fields
         from (values ${join(values)}) as value (place, field, is_changed, before, after) where is_changed) each
     where each.fields is not null`);
}

/** Listed changes, with counts. */
export interface ListedChanges {
  added: number;
  changed: number;
  /** Chunks of comma-separated JSON changes, in the order of lines. */
  pieces: Buffer[];
}

/** Reads the listed changes in batches (keyset pagination by line). */
export async function readChanges(db: Reader): Promise<ListedChanges> {
  const listed: ListedChanges = { added: 0, changed: 0, pieces: [] };
  for (let last = 0; ; ) {
    const changes = await db.query<{ line: number; isAdded: boolean; change: string }>(sql`
      select line, is_added as "isAdded", change from ${CHANGES} where line > ${last}::integer order by line limit ${BATCH}::integer`);
    const end = changes.at(-1);
    if (end === undefined) return listed;
    const added = changes.filter(({ isAdded }) => isAdded).length;
    listed.added += added;
    listed.changed += changes.length - added;
    listed.pieces.push(Buffer.from(changes.map(({ change }) => change).join()));
    last = end.line;
  }
}
