import { Type } from 'typebox';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { showFields } from '../../api/custom-fields.ts';
import { LARGE_BODY, operation } from '../../api/operation.ts';
import { changes, one, page } from '../../api/output.ts';
import { type OwnFilter, ownConditions } from '../../api/own-filter.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateStaff, superAdmins } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { booking } from '../../entities/booking.ts';
import { bookingsAfter } from './bookings-changes.ts';
import { findBooking, listBookings, sumBookings } from './bookings-queries.ts';
import {
  BookingChangesInput,
  BookingIdInput,
  BookingListInput,
  BookingsInput,
  BookingTotals,
  BookingView,
  NextBookings,
  RecordedView,
} from './bookings-schemas.ts';
import { readBookings, recordBookings } from './bookings-service.ts';

const record = operation({
  id: 'bookings.record',
  operationId: 'recordBookings',
  tag: 'Bookings',
  summary: 'Record bookings',
  description:
    'Records up to 1,000 bookings of another system atomically. A booking with a known id is updated, or left ' +
    'unchanged if its content is the same; it keeps the values of omitted fields. It stays in the department in which ' +
    'it was made, wherever its person goes. A refund has a negative amount and refundOf; a cancellation after the budget ' +
    'period of the booking, or after that was closed, counts where it is made. For API keys, ' +
    'and for Super Admins.',
  access: superAdmins,
  scope: 'bookings.write',
  writes: true,
  bodyLimit: LARGE_BODY,
  errors: ['PERIOD_CLOSED', 'FIELD_FORBIDDEN'],
  input: BookingsInput,
  parse: readBookings,
  output: one(RecordedView),
  message: 'Bookings recorded successfully',
  handle: (call, { db }: { db: Database }) => recordBookings(db, call.input.bookings, call),
});

const list = operation({
  id: 'bookings.list',
  operationId: 'listBookings',
  tag: 'Bookings',
  summary: 'List bookings',
  description:
    'The bookings of a company, by default the latest first, and on request their sums. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'bookings.read',
  filtersFields: true,
  input: BookingListInput,
  output: page(BookingView, { totals: Type.Optional(BookingTotals) }),
  message: 'Bookings retrieved successfully',
  async handle({ input, scope, caller }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    const own = await ownConditions(lists, booking, caller, input.companyId, input as OwnFilter);
    const found = await listBookings(lists, { ...input, own }, pageRequestOf(input));
    const { include = '' } = input;
    await showFields(lists, booking, caller, found.items, { isAsked: include.includes('fields') });
    return include.includes('totals')
      ? { ...found, beside: { totals: await sumBookings(lists, { ...input, own }) } }
      : found;
  },
});

const get = operation({
  id: 'bookings.get',
  operationId: 'getBooking',
  tag: 'Bookings',
  summary: 'Get a booking',
  description: 'One booking. For Corporate Admins and Managers of its company.',
  access: corporateStaff,
  scope: 'bookings.read',
  errors: ['NOT_FOUND'],
  input: BookingIdInput,
  output: one(BookingView),
  message: 'Booking retrieved successfully',
  async handle({ input, scope, caller }, { db }: { db: Database }) {
    const found = await findBooking(db, input.id, scope);
    await showFields(db, booking, caller, [found], { isAsked: input.include !== undefined });
    return found;
  },
});

const follow = operation({
  id: 'bookings.changes',
  operationId: 'followBookings',
  tag: 'Bookings',
  summary: 'Follow bookings',
  description:
    'The bookings of a company that were recorded or changed after a cursor, each as it is now, to keep a copy up to date. ' +
    'For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'bookings.read',
  errors: ['CURSOR_GONE'],
  input: BookingChangesInput,
  output: changes(BookingView, NextBookings),
  message: 'Bookings retrieved successfully',
  async handle({ input, scope, caller }, { db }: { db: Database }) {
    await assertCompanyVisible(db, scope, input.companyId);
    const found = await bookingsAfter(db, input);
    await showFields(db, booking, caller, found.items);
    return found;
  },
});

export const bookingsOperations = [record, list, get, follow];
