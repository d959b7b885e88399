import { LARGE_BODY, operation } from '../../api/operation.ts';
import { one } from '../../api/output.ts';
import { superAdmins } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import { BookingsInput, RecordedView } from './bookings-schemas.ts';
import { readBookings, recordBookings } from './bookings-service.ts';

const record = operation({
  id: 'bookings.record',
  operationId: 'recordBookings',
  tag: 'Bookings',
  summary: 'Record bookings',
  description:
    'Records up to 1,000 bookings of another system atomically. A booking with a known id is updated, or left ' +
    'unchanged if its content is the same; it keeps the values of omitted fields. It stays in the department in which ' +
    'it was made, wherever its person goes. The body may have 512 KiB. For API keys with the scope bookings.write, ' +
    'and for Super Admins.',
  access: superAdmins,
  scope: 'bookings.write',
  methods: ['POST'],
  path: '/api/bookings/record',
  writes: true,
  bodyLimit: LARGE_BODY,
  input: BookingsInput,
  parse: readBookings,
  output: one(RecordedView),
  message: 'Bookings recorded successfully',
  handle: ({ input, reach }, { db }: { db: Database }) => recordBookings(db, input.bookings, reach),
});

export const bookingsOperations = [record];
