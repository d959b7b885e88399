import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader } from '../database.ts';

/** Requested page: `page` counts from 1, `limit` is the page size. */
export interface PageRequest {
  page: number;
  limit: number;
}

/** Items of one page, and the total of all pages. */
export interface Page<Item> {
  items: Item[];
  totalItems: number;
}

/** A paginated list. `from` is one table with the key column `id`; page and count share `where`; `orderBy` must be a total order. */
export interface PagedList {
  columns: Sql;
  from: Sql;
  where: Sql;
  orderBy: Sql;
  /**
   * For a search by an index that returns unordered hits: the columns of `orderBy`, including `id`. The count needs every hit, so hits are
   * materialised once for count and page.
   */
  gathered?: Sql | undefined;
  /** Total from the database, if it maintains one; absent: items are counted. */
  count?: Sql | undefined;
}

/**
 * Selects one page of a list and its total in one statement, and so one snapshot. Rows are transferred as JSON: `columns` must cast types
 * without an exact JSON form to text.
 *
 * Skips earlier rows by key, so that `columns` are computed for the page alone, whose order is kept. The planner cannot know the number of
 * rows on a page: the lateral `limit 1` keeps it from reading the whole table.
 */
export async function selectPage<Row>(
  db: Reader,
  { columns, from, where, orderBy, gathered, count }: PagedList,
  { page, limit }: { page: number; limit: number },
): Promise<{ items: Row[]; totalItems: number }> {
  const offset = (page - 1) * limit;
  const gathering = gathered ? sql`with hits as materialized (select ${gathered} from ${from} where ${where})` : empty;
  const hits = gathered ? sql`hits` : sql`${from} where ${where}`;
  const [result] = await db.query<{ items: Row[]; totalItems: number }>(sql`
    ${gathering}
    select
      (${count ?? sql`select count(*)::integer from ${hits}`}) as "totalItems",
      coalesce(
        (select json_agg(item)
           from (select id as key from ${hits}
                  order by ${orderBy} limit ${limit}::bigint offset ${offset}::bigint) page,
                lateral (select ${columns} from ${from} where ${from}.id = page.key limit 1) item),
        '[]') as items`);
  if (result === undefined) throw new TypeError('A statement without a from clause gave no row');
  return result;
}
