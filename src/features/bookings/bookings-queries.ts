import sql, { type Sql } from 'sql-template-tag';
import type { OwnConditions } from '../../api/own-filter.ts';
import { inScope, notFound } from '../../api/write-request.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, type SortKey, selectPage } from '../../db/sql/select-page.ts';
import { allOf, contains, countOfCompany, isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { booking } from '../../entities/booking.ts';
import { inOneCase } from '../../entities/characters.ts';
import { isCalendarDate } from '../../entities/dates.ts';
import { department } from '../../entities/department.ts';
import { user } from '../../entities/user.ts';
import { type BookingListInput, type BookingTotals, type BookingView, SHOWN_FIELDS } from './bookings-schemas.ts';

export const bookingColumns = sql`
  ${selectFields(booking, SHOWN_FIELDS)}, ${isoTimestamp(sql`bookings.updated_at`)} as "updatedAt",
  (select ${jsonOfFields(user, ['id', 'firstName', 'lastName'])} from users where users.id = user_id) as user,
  (select ${jsonOfFields(department, ['id', 'name'])} from departments where departments.id = department_id) as department`;

type BookingFilter = BookingListInput & { own: OwnConditions };

/** Returns the conditions of a list of bookings besides its company. */
function conditionsOf(filter: BookingFilter): Sql[] {
  return [
    ...filter.own.where,
    equal(sql`user_id`, filter.userId),
    equal(sql`department_id`, filter.departmentId),
    equal(sql`status`, filter.status),
    filter.from && sql`created_at >= ${instantIn(filter.from, filter.companyId)}`,
    filter.to && sql`created_at < ${instantIn(filter.to, filter.companyId)}`,
    filter.updatedSince && sql`updated_at >= ${filter.updatedSince}::text::timestamptz`,
    contains(sql`fold(concat_ws(' ', id, reference, category, cost_center))`, filter.search),
  ].filter((condition) => typeof condition === 'object');
}

const ofCompany = (filter: BookingFilter) => allOf([sql`company_id = ${filter.companyId}`, ...conditionsOf(filter)]);

/** Sort keys by the name of the field. */
const SORTED_BY: Readonly<Record<string, SortKey>> = {
  createdAt: { by: sql`created_at`, type: 'timestamptz' },
  updatedAt: { by: sql`updated_at`, type: 'timestamptz' },
  amount: { by: sql`amount`, type: 'numeric' },
};

/** Returns one page of the bookings of a company: the latest first, or with `updatedSince` in the order of their changes. */
export function listBookings(db: Reader, filter: BookingFilter, page: PageRequest): Promise<Page<BookingView>> {
  const sort = filter.sort ?? (filter.updatedSince === undefined ? '-createdAt' : 'updatedAt');
  const [key = SORTED_BY[sort.replace('-', '')]] = filter.own.orderBy ?? [];
  if (key === undefined) throw new TypeError(`No bookings are sorted by ${sort}`);
  const descending = key.descending ?? sort.startsWith('-');
  return selectPage<BookingView>(
    db,
    {
      columns: bookingColumns,
      from: sql`bookings`,
      where: ofCompany(filter),
      orderBy: [
        { ...key, descending },
        { by: sql`id collate "C"`, type: 'text', descending },
      ],
      count: conditionsOf(filter).length === 0 ? countOfCompany('bookings', sql`${filter.companyId}::uuid`) : undefined,
    },
    page,
  );
}

/** Returns the sums of the bookings that a list selects. */
export async function sumBookings(db: Reader, filter: BookingFilter): Promise<BookingTotals> {
  const sumOf = (status: string) => sql`coalesce(sum(amount) filter (where status = ${status}), 0.00)::text`;
  const [found] = await db.query<BookingTotals>(sql`
    select ${sumOf('BOOKED')} as booked, ${sumOf('CANCELLED')} as cancelled from bookings where ${ofCompany(filter)}`);
  if (found === undefined) throw new TypeError('A sum without groups gave no row');
  return found;
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
