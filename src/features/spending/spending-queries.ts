import sql, { empty, join, type Sql } from 'sql-template-tag';
import { selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, anyOf, byName } from '../../db/sql/sql-fragments.ts';
import { type BudgetEntry, budgetOver, department } from '../../entities/department.ts';
import { amountOf, cents, type DecimalString } from '../../entities/money.ts';
import type { CompanySpendingView, DepartmentSpendingView, SpendingGroup } from './spending-schemas.ts';
import type { TimeSpan } from './time-span.ts';

/** What keeps the sums of months, and by which columns of bookings. */
interface Sums {
  columns: readonly Sql[];
  months: Sql;
}

const SUMS: Sums = {
  columns: [sql`department_id`, sql`cost_center`],
  months: sql`select department_id, cost_center, month, bookings, amount from booking_sums`,
};

/**
 * Selects what was booked in a time, as amounts with their numbers of bookings: whole months from the sums that the database keeps, what is
 * left from the bookings. A cancellation after the period of its booking is an amount of its own.
 *
 * @param where condition on `company_id`, and on `department_id` where the sums have it
 */
function bookedIn({ months, rests, timeZone }: TimeSpan, where: Sql, sums: Sums = SUMS): Sql {
  const inMonths = allOf([
    months === null ? sql`false` : where,
    months?.from ? sql`month >= ${months.from}::date` : undefined,
    months?.to ? sql`month < ${months.to}::date` : undefined,
  ]);
  const whole = sql`${sums.months} where ${inMonths}`;
  return join([whole, ...rests.map((rest) => entriesOf(where, sums.columns, timeZone, rest))], ' union all ');
}

/** Returns the instant of a day of a company, or an instant, in SQL. */
function instantOf(time: string, timeZone: string): Sql {
  return time.includes('T')
    ? sql`${time}::text::timestamptz`
    : sql`(${time}::text::timestamp at time zone ${timeZone})`;
}

/** Selects what bookings add to spending in a time. @param where condition on them */
function entriesOf(
  where: Sql,
  columns: readonly Sql[],
  timeZone: string,
  { since, until, sign = 1 }: { since: string | null; until: string | null; sign?: 1 | -1 },
): Sql {
  const entries = (at: Sql, which: Sql, number: number, factor: number) => sql`
    select ${join(columns)}, date_trunc('month', ${at} at time zone ${timeZone})::date as month,
           ${number}::bigint as bookings, ${factor}::integer * amount as amount
      from bookings
     where ${allOf([
       where,
       which,
       since === null ? undefined : sql`${at} >= ${instantOf(since, timeZone)}`,
       until === null ? undefined : sql`${at} < ${instantOf(until, timeZone)}`,
     ])}`;
  return sql`
    ${entries(sql`created_at`, sql`(status = 'BOOKED' or reversed)`, sign, sign)}
    union all ${entries(sql`cancelled_at`, sql`reversed`, 0, -sign)}`;
}

/** The sums of what {@link bookedIn} selects. */
const TOTALS = sql`coalesce(sum(amount), 0.00) as spent, coalesce(sum(bookings), 0)::integer as bookings`;

/** Selects under which department each one of a company was before a time, those that are deleted too. */
export function parentsBefore(companyId: string, { to, timeZone }: Pick<TimeSpan, 'to' | 'timeZone'>): Sql {
  const end = to === null ? sql`'infinity'` : instantOf(to, timeZone);
  return sql`
    select distinct on (department_id) department_id as id, parent_id from department_parents
     where company_id = ${companyId}::uuid and since < ${end} order by department_id, since desc`;
}

/** Returns an amount less others; null: there is none. */
const less = (amount: DecimalString | null, ...others: DecimalString[]) =>
  amount && amountOf(others.reduce((left, other) => left - cents(other), cents(amount)));

/** Returns one page of budgets and spending of a company's departments, by name. */
export async function listDepartmentSpending(
  db: Reader,
  companyId: string,
  span: TimeSpan,
  page: PageRequest,
): Promise<Page<DepartmentSpendingView>> {
  const ofCompany = sql`company_id = ${companyId}::uuid`;
  const { items, ...total } = await selectPage<{ id: string; name: string; history: BudgetEntry[] }>(
    db,
    {
      columns: sql`${selectFields(department, ['id', 'name'])}, budget_history::json as history`,
      from: sql`departments`,
      where: ofCompany,
      orderBy: byName(undefined),
    },
    page,
  );
  // The bookings of the company are summed once, for all its departments.
  const sums = await db.query<Pick<DepartmentSpendingView, 'id' | 'spent' | 'bookings' | 'spentBelow'>>(sql`
    with recursive parents as materialized (${parentsBefore(companyId, span)}),
    tree (above, id) as (
      select parent_id, id from parents where parent_id is not null
      union
      select parents.parent_id, tree.id from tree join parents on parents.id = tree.above where parents.parent_id is not null),
    own as materialized (
      select department_id, ${TOTALS} from (${bookedIn(span, ofCompany)}) booked group by department_id),
    below as materialized (
      select above, sum(spent) as spent from tree join own on own.department_id = tree.id group by above)
    select departments.id, coalesce(own.spent, 0.00)::text as spent, coalesce(own.bookings, 0) as bookings,
           coalesce(below.spent, 0.00)::text as "spentBelow"
      from departments left join own on own.department_id = departments.id left join below on below.above = departments.id
     where departments.id = ${anyOf(items.map(({ id }) => id))}`);
  const sumOf = new Map(sums.map((each) => [each.id, each]));
  // A department that is removed meanwhile is left out.
  const whole = items.flatMap(({ history, ...item }) => {
    const sum = sumOf.get(item.id);
    if (sum === undefined) return [];
    const budget = budgetOver(history, span.starts);
    const remaining = less(budget, sum.spent);
    return [{ ...item, budget, ...sum, remaining, remainingWithBelow: less(remaining, sum.spentBelow) }];
  });
  return { ...total, items: whole };
}

/** Selects the last name of something of a company that may be deleted. */
function nameOf(table: Sql, entity: string, id: Sql): Sql {
  return sql`
    coalesce((select name from ${table} named where named.id = ${id}), (
      select removed.field_values -> 'name' ->> 0 from audit_changes removed
       where removed.entity = ${entity} and removed.entity_id = ${id}::text and removed.user_id is null
         and removed.action = 'removed'
       order by removed.id desc limit 1)) as name`;
}

/** Returns the sums by a column of bookings, which are those of all departments; the value is a text until it is summed, as casts cost. */
function sumsBy(column: Sql, kind: 'PERSON' | 'BAND' | 'CATEGORY'): Sums {
  return {
    columns: [sql`${column}::text as value`],
    months: sql`
      select value, month, bookings, amount from (select * from booking_group_sums where kind = ${kind}) kept`,
  };
}

/** @property sums of whole months; absent: those by department and cost centre */
const GROUPS: Readonly<Record<SpendingGroup, { columns: Sql; by: Sql; joined?: Sql; sums?: Sums; isNamed?: true }>> = {
  month: { columns: sql`to_char(month, 'YYYY-MM') as month`, by: sql`month` },
  department: {
    columns: sql`department_id as "departmentId", ${nameOf(sql`departments`, 'department', sql`department_id`)}`,
    by: sql`department_id`,
    isNamed: true,
  },
  costCenter: { columns: sql`cost_center as "costCenter"`, by: sql`cost_center` },
  person: {
    columns: sql`value::uuid as "userId", concat_ws(' ', first_name, nullif(last_name, '')) as name`,
    joined: sql`left join users on users.id = value::uuid`,
    by: sql`value`,
    sums: sumsBy(sql`user_id`, 'PERSON'),
    isNamed: true,
  },
  band: {
    columns: sql`value::uuid as "bandId", ${nameOf(sql`employee_bands`, 'band', sql`value::uuid`)}`,
    by: sql`value`,
    sums: sumsBy(sql`band_id`, 'BAND'),
    isNamed: true,
  },
  category: { columns: sql`value as category`, by: sql`value`, sums: sumsBy(sql`category`, 'CATEGORY') },
};

/** Returns the spending of a company in a time by a group; what has no bookings is left out. @param departmentId of this one alone */
export function listCompanySpending(
  db: Reader,
  companyId: string,
  span: TimeSpan,
  { group, departmentId }: { group: SpendingGroup; departmentId: string | undefined },
): Promise<CompanySpendingView[]> {
  const { columns, by, joined = empty, sums, isNamed } = GROUPS[group];
  const where = allOf([
    sql`company_id = ${companyId}::uuid`,
    departmentId === undefined ? undefined : sql`department_id = ${departmentId}::uuid`,
  ]);
  const isInSums = sums === undefined || departmentId === undefined;
  const booked = isInSums
    ? bookedIn(span, where, sums)
    : entriesOf(where, sums.columns, span.timeZone, { since: span.from, until: span.to });
  return db.query<CompanySpendingView>(sql`
    select ${columns}, spent::text, bookings
      from (select ${by}, ${TOTALS} from (${booked}) booked group by ${by}) totals ${joined}
     where bookings <> 0 or spent <> 0
     order by ${isNamed ? sql`name, ${by}` : by}`);
}
