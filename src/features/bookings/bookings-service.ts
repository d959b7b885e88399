import sql, { join, raw, type Sql } from 'sql-template-tag';
import { checkItems, parseBody, prefixProblems, repeatedValues, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { checkCustomFields } from '../../api/custom-fields.ts';
import { inScope, type WriteRequest } from '../../api/write-request.ts';
import { asColumns } from '../../audit/audited-write.ts';
import { columnOf } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { ApiError, type FieldProblem, problemOf } from '../../entities/api-error.ts';
import { booking } from '../../entities/booking.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  checkPatch,
  invalid,
  mapValid,
  noProblems,
  type RawFields,
} from '../../entities/check-fields.ts';
import { fieldOf, fieldsBut, type RowOf } from '../../entities/entity.ts';
import { MAX_BOOKINGS, OPTIONAL_FIELDS, REQUIRED_FIELDS, type RecordedView } from './bookings-schemas.ts';

/** A booking in a request. */
export type GivenBooking = RowOf<typeof booking, (typeof REQUIRED_FIELDS)[number]> &
  Partial<RowOf<typeof booking, (typeof OPTIONAL_FIELDS)[number]>>;

/** Parses the body of a record request. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readBookings(raw: unknown): { bookings: readonly GivenBooking[] } {
  const body = parseBody(raw);
  const { bookings } = body;
  const known = checkKnown(body, ['bookings']);
  if (!Array.isArray(bookings) || bookings.length === 0 || bookings.length > MAX_BOOKINGS) {
    const expected = `a list of 1 to ${MAX_BOOKINGS} bookings`;
    const code = bookings === undefined ? 'REQUIRED' : Array.isArray(bookings) ? 'OUT_OF_RANGE' : 'INVALID_TYPE';
    return validOrThrow(allOf(invalid(problemOf('bookings', code, `must be ${expected}`)), known))[0];
  }
  const checked = checkItems('bookings', bookings, checkBooking);
  const repeated = repeatedValues('bookings', 'id', checked.ok ? checked.value : []);
  const [, values] = validOrThrow(allOf(known, checked, noProblems(...repeated)));
  return { bookings: values };
}

function checkBooking(given: RawFields): Checked<GivenBooking> {
  const checked = allOf(
    checkNewRow(booking, REQUIRED_FIELDS, given),
    checkPatch(booking, OPTIONAL_FIELDS, given),
    checkKnown(given, [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS]),
  );
  return mapValid(checked, ([row, others]) => ({ ...row, ...others }));
}

/**
 * Records new and changed bookings, all or none. A stored one is checked only in what changes, wherever its person is now.
 *
 * @throws ApiError `INVALID_INPUT` for a company out of scope, a person or department of another company, an id that another company
 * uses, or a negative amount that gives back no booking of the company; `PERIOD_CLOSED`
 */
export function recordBookings(
  db: Database,
  bookings: readonly GivenBooking[],
  { scope, caller }: Pick<WriteRequest, 'scope' | 'caller'>,
): Promise<RecordedView> {
  const sent = sql`given as (${givenRows(bookings)})`;
  return db.transaction(async (transaction) => {
    // Whoever closes a period waits.
    await transaction.query(sql`
      with ${sent} select from companies where id in (select company_id from given) order by id for share`);
    await assertValid(transaction, sent, scope);
    const given = sql`given as (${givenRows(await withFields(transaction, caller, bookings))})`;
    await assertOpen(transaction, given);
    // The foreign key would lock them in the order of the bookings, and deadlock with a transaction that locks people by id.
    await transaction.query(sql`
      with ${given} select from users where id in (select user_id from (${differing}) differing) order by id for key share`);
    const [counts] = await transaction.query<{ added: number; changed: number }>(sql`
      with ${given},
      written as (
        insert into bookings (${join(COLUMNS)}) ${differing} order by given.id
        on conflict (id) do update set ${join(CHANGED.map((column) => sql`${column} = excluded.${column}`))}
         where bookings.company_id = excluded.company_id
        returning (xmax = 0) as added)
      select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed
        from written`);
    // Again: a concurrent request may have recorded the same ids for another company.
    await assertValid(transaction, given, scope);
    const { added, changed } = counts ?? { added: 0, changed: 0 };
    return { added, changed, unchanged: bookings.length - added - changed };
  });
}

const FIELDS = [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS].map((name) => fieldOf(booking, name));
const COLUMNS = FIELDS.map(({ column }) => raw(column));
const CHANGED = fieldsBut(booking, 'id', 'companyId', 'bandId', 'legalEntityId').map((name) => columnOf(booking, name));
const VALUES = FIELDS.map(({ column, sqlDefault, default: value = null }) => {
  const initial = sqlDefault ?? (value === null ? 'null' : `'${value}'`);
  return raw(`coalesce(given.${column}, stored.${column}, ${initial}) as ${column}`);
});
const OWN = CHANGED.map((column) => sql`stored.${column}`);
const NEW = CHANGED.map((column) => sql`coalesce(given.${column}, stored.${column})`);

/** Selects the given bookings that are new or changed, as they are to be stored. */
const differing = sql`
  select ${join(VALUES)} from given left join bookings stored on stored.id = given.id
   where stored.id is null or (${join(OWN)}) is distinct from (${join(NEW)})`;

/** Returns bookings with their fields of one's own as they are to be stored. @throws ApiError `INVALID_INPUT`, `FIELD_FORBIDDEN` */
async function withFields(
  transaction: Transaction,
  caller: WriteRequest['caller'],
  bookings: readonly GivenBooking[],
): Promise<GivenBooking[]> {
  const written = bookings.map((each) => ({ ...each }));
  for (const companyId of new Set(bookings.map((each) => each.companyId))) {
    const own = written.flatMap((each, index) =>
      each.companyId === companyId ? [{ each, id: each.id, given: each.fields, path: `bookings[${index}]` }] : [],
    );
    const fields = await checkCustomFields(transaction, booking, { caller, companyId }, own);
    for (const [index, { each }] of own.entries()) {
      const value = fields[index];
      if (value === undefined) delete each.fields;
      else each.fields = value;
    }
  }
  return written;
}

function givenRows(bookings: readonly GivenBooking[]): Sql {
  const rows = bookings.map((each, index) => {
    return { ...asColumns(booking, each), index };
  });
  return sql`
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as booking (index integer, ${raw(FIELDS.map(({ column, kind }) => `${column} ${kind.sqlType}`).join())})`;
}

async function assertValid(transaction: Transaction, given: Sql, scope: CompanyScope): Promise<void> {
  const wrong = await transaction.query<
    { index: number } & Record<'id' | 'companyId' | 'userId' | 'departmentId' | 'amount' | 'refundOf', boolean>
  >(sql`
    with ${given}, checked as (
      select index, stored.company_id is distinct from given.company_id and stored.id is not null as id,
             company.id is null as "companyId",
             stored.user_id is distinct from given.user_id and not exists (
               select from users where users.id = given.user_id and users.company_id = given.company_id
                  and (worker_type <> 'GUEST' or end_date is null or stored.id is not null
                       or end_date >= (coalesce(given.created_at, now()) at time zone company.time_zone)::date)) as "userId",
             given.department_id is not null and stored.department_id is distinct from given.department_id and not exists (
               select from departments where departments.id = given.department_id and departments.company_id = given.company_id)
               as "departmentId",
             given.amount < 0 and coalesce(given.refund_of, stored.refund_of) is null as amount,
             given.refund_of is not null and stored.refund_of is distinct from given.refund_of
               and not exists (select from bookings refunded
                                where refunded.id = given.refund_of and refunded.company_id = given.company_id and refunded.id <> given.id)
               and not exists (select from given other
                                where other.id = given.refund_of and other.company_id = given.company_id and other.id <> given.id) as "refundOf"
        from given left join bookings stored on stored.id = given.id
        left join companies company on company.id = given.company_id and ${inScope(scope, sql`company.id`)})
    select * from checked where id or "companyId" or "userId" or "departmentId" or amount or "refundOf" order by index`);
  throwIfInvalid(
    wrong.flatMap(({ index, ...found }) => {
      const problems: FieldProblem[] = [];
      const add = (field: string, expected: string) =>
        problems.push(problemOf(field, 'INVALID_VALUE', `must be ${expected}`));
      // Same message as for a malformed id, to disclose nothing about another company's bookings.
      if (found.id) add('id', booking.fields.id.kind.rule);
      if (found.companyId) add('companyId', 'the id of a company within reach');
      else if (found.userId) add('userId', 'the id of a person of this company, of a guest until the last day');
      if (found.departmentId && !found.companyId) add('departmentId', 'the id of a department of this company');
      if (found.amount) add('amount', 'not negative without refundOf');
      if (found.refundOf && !found.companyId) add('refundOf', 'the id of another booking of this company');
      return prefixProblems(`bookings[${index}]`, problems);
    }),
  );
}

/** Fields of which each may be given when a booking is cancelled, and no other. */
const CANCELLING = ['status', 'cancelledAt'];
const KEPT = fieldsBut(booking, 'id', 'companyId', 'bandId', 'legalEntityId')
  .filter((name) => !CANCELLING.includes(name))
  .map((name) => columnOf(booking, name));

/** Checks that nothing of a closed period changes: what was made in it is cancelled later at most. @throws ApiError `PERIOD_CLOSED` */
async function assertOpen(transaction: Transaction, given: Sql): Promise<void> {
  const isClosed = (time: Sql) => sql`coalesce((${time} at time zone time_zone)::date < closed_to, false)`;
  const value = (row: string) => join(KEPT.map((column) => sql`${raw(row)}.${column}`));
  const [closed] = await transaction.query<{ index: number; closedTo: string }>(sql`
    with ${given}, changed as (${differing})
    select index, closed_to::text as "closedTo"
      from changed join given on given.id = changed.id join companies on companies.id = changed.company_id and closed_to is not null
      left join bookings stored on stored.id = changed.id
     where ${isClosed(sql`changed.created_at`)} and (stored.id is null or stored.created_at <> changed.created_at)
        or ${isClosed(sql`stored.created_at`)}
           and not (stored.status = 'BOOKED' and changed.status = 'CANCELLED' and (${value('stored')}) is not distinct from (${value('changed')}))
        or ${isClosed(sql`changed.cancelled_at`)} and stored.cancelled_at is distinct from changed.cancelled_at
        or stored.reversed and ${isClosed(sql`stored.cancelled_at`)}
     order by index limit 1`);
  if (closed === undefined) return;
  const field = `bookings[${closed.index}]`;
  const message = `${field} is of a closed period: what is before ${closed.closedTo} does not change. Record a refund of today instead.`;
  throw new ApiError('PERIOD_CLOSED', message, { problems: [{ field, code: 'INVALID_VALUE', message }] });
}
