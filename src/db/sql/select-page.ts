import { createHash } from 'node:crypto';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { type Reader, sqlState } from '../database.ts';

/** Requested page: `page` counts from 1, `limit` is the page size. */
export interface PageRequest {
  page: number;
  limit: number;
  /** Instead of `page`: `start`, or the `next` of the page before. */
  after?: string | undefined;
}

/** Items of one page, and the total of all pages. */
export interface Page<Item> {
  items: Item[];
  totalItems: number;
  /** With `after`: the cursor of the following page; null at the end. */
  next?: string | null;
}

/** An expression by which a list is sorted. It is never null where the list is read by cursors. */
export interface SortKey {
  by: Sql;
  /** The type of `by` in the database. */
  type: 'text' | 'uuid' | 'bigint' | 'numeric' | 'boolean' | 'timestamptz';
  descending?: boolean;
}

/**
 * A paginated list. `from` is one table with the key column `id`, or calls that table `row`; page and count share `where`; `orderBy` must be
 * a total order.
 */
export interface PagedList {
  columns: Sql;
  from: Sql;
  row?: Sql;
  where: Sql;
  orderBy: readonly SortKey[];
  /**
   * For a search by an index that returns unordered hits: the columns of `orderBy`, including `id`. The count needs every hit, so hits are
   * materialised once for count and page.
   */
  gathered?: Sql | undefined;
  /** Total from the database, if it maintains one; absent: items are counted. */
  count?: Sql | undefined;
  /** Tells its cursors from those of another list of the same rows in the same order. */
  name?: string;
}

/** A cursor that no page of this list has given. */
export class WrongCursorError extends Error {
  override readonly name = 'WrongCursorError';
}

/**
 * Selects one page of a list and its total in one statement, and so one snapshot. Rows are transferred as JSON: `columns` must cast types
 * without an exact JSON form to text.
 *
 * Skips earlier rows by key, so that `columns` are computed for the page alone, whose order is kept. The planner cannot know the number of
 * rows on a page: the lateral `limit 1` keeps it from reading the whole table. With `after`, a page begins behind the sort keys in the
 * cursor, whether or not their row still exists.
 */
export async function selectPage<Row>(db: Reader, list: PagedList, request: PageRequest): Promise<Page<Row>> {
  const { columns, from, row = from, where, orderBy, gathered, count, name = '' } = list;
  const { page, limit, after } = request;
  const gathering = gathered ? sql`hits as materialized (select ${gathered} from ${from} where ${where})` : empty;
  const hits = gathered ? sql`hits` : sql`${from} where ${where}`;
  const total = sql`(${count ?? sql`select count(*)::integer from ${hits}`}) as "totalItems"`;
  const order = join(orderBy.map(({ by, descending }) => (descending ? sql`${by} desc` : by)));
  const item = sql`lateral (select ${columns} from ${from} where ${row}.id = page.key limit 1) item`;
  if (after === undefined) {
    return only(
      await db.query<Page<Row>>(sql`
    ${gathered ? sql`with ${gathering}` : empty}
    select
      ${total},
      coalesce(
        (select json_agg(item)
           from (select id as key from ${hits}
                  order by ${order} limit ${limit}::bigint offset ${(page - 1) * limit}::bigint) page,
                ${item}),
        '[]') as items`),
    );
  }
  const mark = createHash('sha256')
    .update(JSON.stringify([name + from.sql, order.sql, order.values]))
    .digest('base64url')
    .slice(0, 8);
  const rest = allBehind(orderBy, valuesOf(after, mark, orderBy.length));
  const keys = join(orderBy.map(({ by }) => sql`to_json(${by}) #>> '{}'`));
  const { totalItems, items, ends } = only(
    await db
      .query<Page<Row> & { ends: string[][] }>(sql`
    with ${gathered ? sql`${gathering}, ` : empty}page as materialized (
      select id as key, json_build_array(${keys}) as sorted_by
        from ${gathered ? hits : from} where ${gathered ? empty : sql`(${where}) and `}${rest}
       order by ${order} limit ${limit + 1}::bigint)
    select ${total}, coalesce(json_agg(item), '[]') as items, coalesce(json_agg(page.sorted_by), '[]') as ends
      from page, ${item}`)
      .catch((error: unknown) => {
        // A value that is none of the key's type: the list's own values are checked already.
        throw sqlState(error)?.startsWith('22') ? new WrongCursorError() : error;
      }),
  );
  const end = items.length > limit ? ends[limit - 1] : undefined;
  const next = end === undefined ? null : Buffer.from(JSON.stringify([mark, ...end])).toString('base64url');
  return { items: items.slice(0, limit), totalItems, next };
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new TypeError('A statement without a from clause gave no row');
  return row;
}

/** Returns the sort keys in a cursor; undefined for the start. @param mark of the list and its order */
function valuesOf(after: string, mark: string, count: number): string[] | undefined {
  if (after === 'start') return undefined;
  try {
    const [marked, ...values] = JSON.parse(Buffer.from(after, 'base64url').toString()) as unknown[];
    const isRight = marked === mark && values.length === count;
    if (isRight && values.every((value) => typeof value === 'string')) return values;
  } catch {
    // Not JSON.
  }
  throw new WrongCursorError();
}

/** Returns the condition that a row comes behind these values in this order; the first comparison of each level uses an index. */
function allBehind([key, ...others]: readonly SortKey[], values: readonly string[] | undefined): Sql {
  const [value, ...rest] = values ?? [];
  if (key === undefined || value === undefined) return sql`true`;
  const { by, type, descending } = key;
  const bound = sql`${value}::text::${raw(type)}`;
  const beyond = sql`${by} ${raw(descending ? '<' : '>')} ${bound}`;
  if (others.length === 0) return beyond;
  return sql`${by} ${raw(descending ? '<=' : '>=')} ${bound} and (${beyond} or ${allBehind(others, rest)})`;
}
