import sql, { join, type Sql } from 'sql-template-tag';
import { selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { anyOf, byName } from '../../db/sql/sql-fragments.ts';
import { type BudgetSettings, budgetPeriodOn } from '../../entities/budget-period.ts';
import { company } from '../../entities/company.ts';
import { todayUtc } from '../../entities/dates.ts';
import { department } from '../../entities/department.ts';
import type { CompanySpendingView, DepartmentSpendingView, SpendingGroup } from './spending-schemas.ts';

/** A time, from its beginning to before its end; absent ends are open. */
export interface TimeRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns the requested time; if none is, the company's present budget period. */
export async function rangeOrPeriod(db: Reader, companyId: string, { from, to }: TimeRange): Promise<TimeRange> {
  if (from !== undefined || to !== undefined) return { from, to };
  const [settings] = await db.query<BudgetSettings>(sql`
    select ${selectFields(company, ['budgetPeriod', 'fiscalYearStart'])} from companies where id = ${companyId}`);
  if (settings === undefined) throw new TypeError(`There is no company ${companyId}`);
  const period = budgetPeriodOn(todayUtc(), settings);
  return { from: period.from, to: period.next };
}

/**
 * Selects what was booked in a time, as amounts with their numbers of bookings: whole months from the sums that the database keeps, the
 * days around them from the bookings.
 *
 * @param where condition on `company_id`, `department_id` and `cost_center`
 */
export function bookedIn({ from, to }: TimeRange, where: Sql): Sql {
  const begin = sql`coalesce(${from ?? null}::text::timestamptz, '-infinity') at time zone 'UTC'`;
  const end = sql`coalesce(${to ?? null}::text::timestamptz, 'infinity') at time zone 'UTC'`;
  const [first, last] = [firstWhole(begin), sql`date_trunc('month', ${end})`];
  const whole = sql`
    select department_id, cost_center, month, bookings, amount from booking_sums
     where ${where} and month >= ${first} and month < ${last}`;
  // One selection for each end: the index finds its bookings, and no condition on their time is left to be evaluated for each.
  const days = (since: Sql, until: Sql) => sql`
    select department_id, cost_center, date_trunc('month', created_at at time zone 'UTC')::date, 1, amount from bookings
     where ${where} and status = 'BOOKED'
       and created_at >= ${since} at time zone 'UTC' and created_at < ${until} at time zone 'UTC'`;
  const ends = [
    ...(isMonthStart(from) ? [] : [days(begin, sql`least(${first}, ${end})`)]),
    ...(isMonthStart(to) ? [] : [days(sql`greatest(${last}, ${first})`, end)]),
  ];
  return join([whole, ...ends], ' union all ');
}

/** Returns the beginning of the first whole month from a time on. */
function firstWhole(begin: Sql): Sql {
  return sql`(case when ${begin} = date_trunc('month', ${begin}) then ${begin} else date_trunc('month', ${begin}) + interval '1 month' end)`;
}

function isMonthStart(time: string | undefined): boolean {
  return time === undefined || /^\d{4}-\d{2}-01(T00:00:00(\.0+)?Z)?$/.test(time);
}

/** The sums of what {@link bookedIn} selects. */
export const TOTALS = sql`coalesce(sum(amount), 0.00) as spent, coalesce(sum(bookings), 0)::integer as bookings`;

/** Returns one page of budgets and spending of a company's departments, by name. */
export async function listDepartmentSpending(
  db: Reader,
  companyId: string,
  range: TimeRange,
  page: PageRequest,
): Promise<Page<DepartmentSpendingView>> {
  const ofCompany = sql`company_id = ${companyId}::uuid`;
  const { items, ...total } = await selectPage<Pick<DepartmentSpendingView, 'id' | 'name' | 'budget'>>(
    db,
    {
      columns: selectFields(department, ['id', 'name', 'budget']),
      from: sql`departments`,
      where: ofCompany,
      orderBy: byName(undefined),
    },
    page,
  );
  // The bookings of the company are summed once, for all its departments.
  const sums = await db.query<Omit<DepartmentSpendingView, 'name' | 'budget'>>(sql`
    with recursive tree (above, id) as (
      select parent_id, id from departments where ${ofCompany} and parent_id is not null
      union
      select departments.parent_id, tree.id from tree join departments on departments.id = tree.above
       where departments.parent_id is not null),
    own as materialized (
      select department_id, ${TOTALS} from (${bookedIn(range, ofCompany)}) booked group by department_id),
    below as materialized (
      select above, sum(spent) as spent from tree join own on own.department_id = tree.id group by above)
    select departments.id, coalesce(own.spent, 0.00)::text as spent, (budget - coalesce(own.spent, 0.00))::text as remaining,
           coalesce(own.bookings, 0) as bookings, coalesce(below.spent, 0.00)::text as "spentBelow"
      from departments left join own on own.department_id = departments.id left join below on below.above = departments.id
     where departments.id = ${anyOf(items.map(({ id }) => id))}`);
  const sumOf = new Map(sums.map((each) => [each.id, each]));
  // A department that is removed meanwhile is left out.
  const whole = items.flatMap((item) => {
    const sum = sumOf.get(item.id);
    return sum === undefined ? [] : [{ ...item, ...sum }];
  });
  return { ...total, items: whole };
}

const GROUPS: Readonly<Record<SpendingGroup, { columns: Sql; by: Sql }>> = {
  month: { columns: sql`to_char(month, 'YYYY-MM') as month`, by: sql`month` },
  department: {
    columns: sql`
      department_id as "departmentId",
      coalesce((select name from departments where departments.id = department_id), (
        select removed.field_values -> 'name' ->> 0 from audit_changes removed
         where removed.entity = 'department' and removed.entity_id = department_id::text and removed.user_id is null
           and removed.action = 'removed'
         order by removed.id desc limit 1)) as name`,
    by: sql`department_id`,
  },
  costCenter: { columns: sql`cost_center as "costCenter"`, by: sql`cost_center` },
};

/** Returns the spending of a company in a time, by month, department or cost centre; what has no bookings is left out. */
export function listCompanySpending(
  db: Reader,
  companyId: string,
  range: TimeRange,
  group: SpendingGroup,
): Promise<CompanySpendingView[]> {
  const { columns, by } = GROUPS[group];
  return db.query<CompanySpendingView>(sql`
    select ${columns}, spent::text, bookings
      from (select ${by}, ${TOTALS} from (${bookedIn(range, sql`company_id = ${companyId}::uuid`)}) booked group by ${by}) totals
     where bookings <> 0 or spent <> 0
     order by ${group === 'department' ? sql`name, "departmentId"` : by}`);
}
