import sql from 'sql-template-tag';
import { checkItems, parseBody, prefixProblems, repeatedValues, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { inScope } from '../../api/write-request.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Database, Transaction } from '../../db/database.ts';
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
import type { RowOf } from '../../entities/entity.ts';
import type { FieldProblem } from '../../entities/field-problem.ts';
import { fieldMessage } from '../../entities/values.ts';
import { BOOKING_FIELDS, MAX_BOOKINGS, type RecordedView } from './bookings-schemas.ts';

const REQUIRED = ['id', 'companyId', 'userId', 'amount'] as const;

/** A booking in a request; without `createdAt` a stored one keeps its own, and a new one gets the current time. */
export type GivenBooking = RowOf<typeof booking, (typeof REQUIRED)[number]> & { createdAt?: string };

/** Parses the body of a record request. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readBookings(raw: unknown): { bookings: readonly GivenBooking[] } {
  const body = parseBody(raw);
  const { bookings } = body;
  const known = checkKnown(body, ['bookings']);
  if (!Array.isArray(bookings) || bookings.length === 0 || bookings.length > MAX_BOOKINGS) {
    const expected = `a list of 1 to ${MAX_BOOKINGS} bookings`;
    const code = bookings === undefined ? 'REQUIRED' : Array.isArray(bookings) ? 'OUT_OF_RANGE' : 'INVALID_TYPE';
    const problem = { field: 'bookings', code, message: fieldMessage('bookings', expected) } as const;
    return validOrThrow(allOf(invalid(problem), known))[0];
  }
  const checked = checkItems('bookings', bookings, checkBooking);
  const ids = checked.ok ? checked.value.map(({ id }) => id) : [];
  const [, values] = validOrThrow(allOf(known, checked, noProblems(...repeatedValues('bookings', 'id', ids))));
  return { bookings: values };
}

function checkBooking(given: RawFields): Checked<GivenBooking> {
  const checked = allOf(
    checkNewRow(booking, REQUIRED, given),
    checkPatch(booking, ['createdAt'], given),
    checkKnown(given, BOOKING_FIELDS),
  );
  return mapValid(checked, ([row, time]) => ({ ...row, ...time }));
}

/**
 * Records new and changed bookings, all or none.
 *
 * @throws ApiError `INVALID_INPUT` for a company out of scope, a person of another company, or an id that another company uses
 */
export function recordBookings(
  db: Database,
  bookings: readonly GivenBooking[],
  reach: CompanyScope,
): Promise<RecordedView> {
  const given = JSON.stringify(bookings.map((each, place) => ({ ...each, place })));
  const differing = sql`
    from given left join bookings stored on stored.id = given.id
   where stored.id is null
      or (stored.user_id, stored.amount, stored.created_at)
         is distinct from (given."userId", given.amount, coalesce(given."createdAt", stored.created_at))`;
  return db.transaction(async (transaction) => {
    await checkReferences(transaction, given, reach);
    // The foreign key would lock them in the order of the bookings, and deadlock with a transaction that locks people by id.
    await transaction.query(sql`
      with given as (${givenRows(given)})
      select from users where id in (select given."userId" ${differing}) order by id for key share`);
    const [counts] = await transaction.query<{ added: number; changed: number; recorded: number }>(sql`
      with given as (${givenRows(given)}),
      written as (
        insert into bookings (id, company_id, user_id, amount, created_at)
        select given.id, given."companyId", given."userId", given.amount, coalesce(given."createdAt", stored.created_at, now())
          ${differing}
         order by given.id
        on conflict (id) do update
           set user_id = excluded.user_id, amount = excluded.amount, created_at = excluded.created_at
         where bookings.company_id = excluded.company_id
        returning (xmax = 0) as added)
      select count(*) filter (where added)::integer as added, count(*) filter (where not added)::integer as changed
        from written`);
    // Again: a concurrent request may have recorded the same ids for another company.
    await checkReferences(transaction, given, reach);
    const { added, changed } = counts ?? { added: 0, changed: 0 };
    return { added, changed, unchanged: bookings.length - added - changed };
  });
}

function givenRows(given: string) {
  return sql`
    select * from jsonb_to_recordset(${given}::text::jsonb)
      as booking (place integer, id text, "companyId" uuid, "userId" uuid, amount numeric, "createdAt" timestamptz)`;
}

async function checkReferences(transaction: Transaction, given: string, reach: CompanyScope): Promise<void> {
  const wrong = await transaction.query<{ place: number; company: boolean; person: boolean; id: boolean }>(sql`
    select place, company.id is not null as company, person.id is not null as person, other.id is null as id
      from (${givenRows(given)}) given
      left join companies company on company.id = given."companyId" and ${inScope(reach, sql`company.id`)}
      left join users person on person.id = given."userId" and person.company_id = given."companyId"
      left join bookings other on other.id = given.id and other.company_id <> given."companyId"
     where company.id is null or person.id is null or other.id is not null
     order by place`);
  throwIfInvalid(
    wrong.flatMap(({ place, company, person, id }) => {
      const problems: FieldProblem[] = [];
      // Same message as for a malformed id, to disclose nothing about another company's bookings.
      if (!id) problems.push(problem('id', booking.fields.id.kind.rule));
      if (!company) problems.push(problem('companyId', 'the id of a company within reach'));
      else if (!person) problems.push(problem('userId', 'the id of a person of this company'));
      return prefixProblems(`bookings[${place}]`, problems);
    }),
  );
}

function problem(field: string, expected: string): FieldProblem {
  return { field, code: 'INVALID_VALUE', message: fieldMessage(field, expected) };
}
