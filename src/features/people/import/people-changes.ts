import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Definition } from '../../../api/field-values.ts';
import type { WriteRequest } from '../../../api/write-request.ts';
import { auditedFields } from '../../../audit/audit-trail.ts';
import { differs, newValue } from '../../../audit/merge-rows.ts';
import type { IsWanted, Reader } from '../../../db/database.ts';
import { fieldOf } from '../../../entities/entity.ts';
import { user } from '../../../entities/user.ts';
import type { TableSource } from '../../../import/read/record-reader.ts';
import { ID_IS_NEW, rowsToMerge, type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import type { TableChoices } from '../../../import/tables/draft.ts';
import type { ImportChangeView } from './import-schemas.ts';
import { heldOwnRoles, keysOfRoles, wantedOwnRoles } from './own-roles.ts';
import { ownParts, ROLES } from './people-format.ts';

/** Who imports, and into which companies. */
export type ImportAuthor = Pick<WriteRequest, 'caller' | 'actor' | 'scope'>;

/** A page of the changes of an import: those of the first lines after one. */
export interface ChangesPage {
  after: number;
  limit: number;
}

/** A file of a feed: files about the people of a company that come again and again. */
export interface FeedFile {
  name: string;
  /** How old the file is, as a date-time; undefined: it does not say. */
  asOf: string | undefined;
  /** Names of its columns by field; undefined: they are not compared with those of the last file. */
  columns: Readonly<Record<string, string>> | undefined;
  /** Fields whose columns may be missing. */
  mayLack: (column: string) => boolean;
}

/** Request to import people into a company. */
export interface BroughtPeople {
  companyId: string;
  source: TableSource;
  /** Bytes of the file. */
  size: number;
  /** Checks everything and reports the changes, without writing. */
  dryRun: boolean;
  /** Whose whole the file is, so that whoever is missing leaves: everybody, or the people whom the feed brought. */
  all: 'company' | 'file' | undefined;
  /** The fields of one's own that people of the company have. */
  definitions: readonly Definition[];
  limits: Readonly<Partial<Record<'maxLeavers' | 'maxChanged' | 'maxAddresses' | 'maxMoved', number | undefined>>>;
  feed: FeedFile;
  /** What becomes of what the file leaves open; without a choice it is a problem. */
  choices: Pick<TableChoices, 'departments' | 'newcomer' | 'externalIds'>;
  /** Digest of the file and its choices, and whether it was confirmed beyond the limits. */
  confirm: string;
  isConfirmed: boolean;
  /** The page of changes to report; undefined: none. */
  page: ChangesPage | undefined;
  author: ImportAuthor;
  /** Whether new people are invited by a mail. */
  invites: boolean;
  /** Returns whether the client still waits for the response; called before each stage of the work. */
  isWanted: IsWanted;
}

/** Roles held in the company, sorted; empty for a new person. */
const heldRoles = (companyId: string) => sql`
  array(select held.role from company_roles held where held.user_id = t.id and held.company_id = ${companyId}::uuid order by 1)`;

const wantedRoles = sql`string_to_array(s.${raw(ROLES)}, ' ')`;

/** Selects from the staged rows `s` that change something, with their stored rows `t` and roles held. @param select list */
export function differing(file: StagedFile, companyId: string, select: Sql, rows = stagingTable(user)): Sql {
  return sql`
    select ${select} from ${rows} s left join users t on t.id = s.id
     cross join lateral (select ${heldRoles(companyId)} as roles, ${heldOwnRoles(companyId)} as own_roles) held
     where t.id is null or ${differs(rowsToMerge(file))} or held.roles <> ${wantedRoles} or held.own_roles <> ${wantedOwnRoles}`;
}

/** Returns the numbers of people whom the staged rows add and change. */
export async function countChanges(
  db: Reader,
  file: StagedFile,
  companyId: string,
): Promise<{ added: number; changed: number }> {
  const select = sql`
    count(*) filter (where t.id is null)::integer as added, count(*) filter (where t.id is not null)::integer as changed`;
  const [counts] = await db.query<{ added: number; changed: number }>(differing(file, companyId, select));
  return counts ?? { added: 0, changed: 0 };
}

/**
 * Returns a page of the changes of the staged rows, before they are written, in the order of lines.
 *
 * @param tellsNewIds whether to include ids assigned to new people
 */
export async function listChanges(
  db: Reader,
  file: StagedFile,
  { companyId, tellsNewIds, page }: { companyId: string; tellsNewIds: boolean; page: ChangesPage },
): Promise<ImportChangeView[]> {
  const staged = rowsToMerge(file);
  const names = auditedFields(user).filter((name) => name !== 'companyId' && name !== 'fields');
  const values = names.map((name, index) => {
    const { column, kind } = fieldOf(user, name);
    const [before, after] = [raw(`t.${column}`), newValue(staged, name)];
    const asJson = (value: Sql) =>
      kind.sqlType === 'integer' || kind.sqlType === 'boolean'
        ? sql`to_jsonb(${value})`
        : sql`to_jsonb((${value})::text)`;
    return sql`(${raw(String(index))}, ${raw(`'${name}'`)}, ${before} is distinct from ${after}, ${asJson(before)}, ${asJson(after)})`;
  });
  values.push(sql`(
    ${raw(String(names.length))}, 'roles', s.${raw(ROLES)} is not null and held.roles <> ${wantedRoles},
    case when t.id is not null then to_jsonb(held.roles) end, to_jsonb(${wantedRoles}))`);
  values.push(sql`(
    ${raw(String(values.length))}, 'ownRoles', held.own_roles <> ${wantedOwnRoles},
    case when t.id is not null then ${keysOfRoles(sql`held.own_roles`)} end, ${keysOfRoles(wantedOwnRoles)})`);
  for (const { key, name } of ownParts(file)) {
    const [before, after] = ['t', 's'].map((row) => sql`${raw(row)}.fields -> ${key}::text`) as [Sql, Sql];
    values.push(
      sql`(${raw(String(values.length))}, ${name}::text, ${before} is distinct from ${after}, ${before}, ${after})`,
    );
  }
  const id = tellsNewIds ? sql`s.id` : sql`case when s.${raw(ID_IS_NEW)} is not true then s.id end`;
  const rows = await db.query<{ change: ImportChangeView }>(sql`
    with page as materialized (
      select line from (${differing(file, companyId, sql`s.line`)}) as changing
       where line > ${page.after}::integer order by line limit ${page.limit}::integer)
    select json_build_object('line', s.line, 'id', ${id}, 'email', ${newValue(staged, 'email')},
             'action', case when t.id is null then 'added' else 'changed' end, 'fields', each.fields) as change
      from page join ${stagingTable(user)} s on s.line = page.line left join users t on t.id = s.id
     cross join lateral (select ${heldRoles(companyId)} as roles, ${heldOwnRoles(companyId)} as own_roles) held
     cross join lateral (
       select jsonb_agg(jsonb_build_object('field', field, 'before', before, 'after', after) order by place) as fields
         from (values ${join(values)}) as value (place, field, is_changed, before, after) where is_changed) each
     order by s.line`);
  return rows.map(({ change }) => change);
}
