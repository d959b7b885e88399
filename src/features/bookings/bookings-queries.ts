import sql, { type Sql } from 'sql-template-tag';
import { inScope, notFound } from '../../api/write-request.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../../db/sql/select-page.ts';
import { allOf, countOfCompany, isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { booking } from '../../entities/booking.ts';
import { inOneCase } from '../../entities/characters.ts';
import { isCalendarDate } from '../../entities/dates.ts';
import { department } from '../../entities/department.ts';
import { user } from '../../entities/user.ts';
import { type BookingListInput, type BookingView, SHOWN_FIELDS } from './bookings-schemas.ts';

export const bookingColumns = sql`
  ${selectFields(booking, SHOWN_FIELDS)}, ${isoTimestamp(sql`bookings.updated_at`)} as "updatedAt",
  (select ${jsonOfFields(user, ['id', 'firstName', 'lastName'])} from users where users.id = user_id) as user,
  (select ${jsonOfFields(department, ['id', 'name'])} from departments where departments.id = department_id) as department`;

/** Returns one page of the bookings of a company: the latest first, or with `updatedSince` in the order of their changes. */
export function listBookings(
  db: Reader,
  filter: BookingListInput & { own?: readonly Sql[] },
  page: PageRequest,
): Promise<Page<BookingView>> {
  const conditions = [
    ...(filter.own ?? []),
    equal(sql`user_id`, filter.userId),
    equal(sql`department_id`, filter.departmentId),
    equal(sql`status`, filter.status),
    filter.from && sql`created_at >= ${instantIn(filter.from, filter.companyId)}`,
    filter.to && sql`created_at < ${instantIn(filter.to, filter.companyId)}`,
    filter.updatedSince && sql`updated_at >= ${filter.updatedSince}::text::timestamptz`,
  ].filter((condition) => typeof condition === 'object');
  const descending = filter.updatedSince === undefined;
  const time: SortKey = { by: descending ? sql`created_at` : sql`updated_at`, type: 'timestamptz', descending };
  return selectPage<BookingView>(
    db,
    {
      columns: bookingColumns,
      from: sql`bookings`,
      where: allOf([sql`company_id = ${filter.companyId}`, ...conditions]),
      orderBy: [time, { by: sql`id collate "C"`, type: 'text', descending }],
      count: conditions.length === 0 ? countOfCompany('bookings', sql`${filter.companyId}::uuid`) : undefined,
    },
    page,
  );
}

/** Returns the beginning of a day of a company, or an instant, in SQL. */
function instantIn(time: string, companyId: string): Sql {
  const zone = sql`(select time_zone from companies where id = ${companyId}::uuid)`;
  return isCalendarDate(time) ? sql`(${time}::text::timestamp at time zone ${zone})` : sql`${time}::text::timestamptz`;
}

function equal(column: Sql, value: string | undefined): Sql | undefined {
  return value === undefined ? undefined : sql`${column} = ${value}`;
}

/** Returns a booking in scope. @throws ApiError `NOT_FOUND` for a foreign or unknown id */
export async function findBooking(db: Reader, id: string, scope: CompanyScope): Promise<BookingView> {
  const [found] = await db.query<BookingView>(sql`
    select ${bookingColumns} from bookings where id = ${inOneCase(id)} and ${inScope(scope, sql`company_id`)}`);
  if (found === undefined) throw notFound(booking.noun);
  return found;
}
