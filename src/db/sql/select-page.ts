import sql, { empty, type Sql } from 'sql-template-tag';
import type { Reader } from '../database.ts';

/** Which page is asked for: `page` counts from 1, `limit` is the page size. */
export interface PageRequest {
  page: number;
  limit: number;
}

/** The items of one page, and how many there are on all pages. */
export interface Page<Item> {
  items: Item[];
  totalItems: number;
}

/**
 * A list of which pages are selected. `from` is one table with a column `id`, its key. The page and its count share one `where`;
 * `orderBy` must be total.
 */
export interface PagedList {
  columns: Sql;
  from: Sql;
  where: Sql;
  orderBy: Sql;
  /**
   * For a search by an index that gives its hits in no order: the columns that `orderBy` names, `id` among them. The count needs
   * every hit, so they are found once for the count and the page.
   */
  gathered?: Sql | undefined;
  /** How many items there are, where the database keeps that; otherwise they are counted. */
  count?: Sql | undefined;
}

/**
 * Selects one page of a list and counts all its items, in one statement and so on one state of the data.
 * The rows travel as JSON: `columns` cast to text whatever JSON has no exact form for.
 *
 * The rows before the page are skipped by their keys: `columns` are computed for the page's rows alone.
 * The planner cannot know how many rows a page has: the `limit 1` of the lateral look-up keeps it from reading all rows.
 * The page's order stays.
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
