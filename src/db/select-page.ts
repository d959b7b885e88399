import sql, { empty, type Sql } from 'sql-template-tag';
import type { Executor } from './database.ts';

/**
 * A list of which pages are selected. `from` is one table with a column `id`, its key. `where` serves the page and its count
 * alike; `orderBy` must be total.
 */
export interface PagedList {
  columns: Sql;
  from: Sql;
  where: Sql;
  orderBy: Sql;
  /**
   * For a search by an index that gives its hits in no order: the columns that `orderBy` names, `id` among them. Every hit
   * has to be found for the count; so they are found once, and kept for the page.
   */
  gathered?: Sql | undefined;
}

/**
 * Selects one page of a list and counts all its items, in one statement and so on one state of the data.
 * The rows travel as JSON: `columns` cast to text whatever JSON has no exact form for.
 *
 * The rows that come before the page are skipped by their keys: `columns` are worked out for the page's rows alone.
 * The `limit 1` of the lateral look-up keeps the planner, who cannot know how many rows a page has, from reading
 * all rows for it; the page's order stays.
 */
export async function selectPage<Row>(
  db: Executor,
  { columns, from, where, orderBy, gathered }: PagedList,
  { page, limit }: { page: number; limit: number },
): Promise<{ items: Row[]; totalItems: number }> {
  const offset = (page - 1) * limit;
  const gathering = gathered ? sql`with hits as materialized (select ${gathered} from ${from} where ${where})` : empty;
  const hits = gathered ? sql`hits` : sql`${from} where ${where}`;
  const [result] = await db.query<{ items: Row[]; totalItems: number }>(sql`
    ${gathering}
    select
      (select count(*)::integer from ${hits}) as "totalItems",
      coalesce(
        (select json_agg(item)
           from (select id as key from ${hits}
                  order by ${orderBy} limit ${limit}::bigint offset ${offset}::bigint) page,
                lateral (select ${columns} from ${from} where ${from}.id = page.key limit 1) item),
        '[]') as items`);
  if (result === undefined) throw new TypeError('A statement without a from clause gave no row');
  return result;
}
