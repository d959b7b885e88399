import { anyId } from './any-id.ts';
import { companyId } from './department.ts';
import type { Entity } from './entity.ts';
import { userId } from './held-role.ts';
import { money, timestamp } from './values.ts';

/** The part of a booking that this service keeps. It belongs to another system, so it is not in the audit trail. */
export const booking = {
  name: 'booking',
  noun: 'booking',
  table: 'bookings',
  file: 'bookings.csv',
  id: 'id',
  unique: [],
  fields: {
    id: { column: 'id', kind: anyId, example: 'd1b7c0de-52f4-4f0a-9a7e-3c1b5a6d8e90' },
    companyId,
    userId,
    amount: { column: 'amount', kind: money, example: '12450.00' },
    createdAt: { column: 'created_at', kind: timestamp, sqlDefault: 'now()', example: '2025-01-31T09:30:00.000Z' },
  },
} as const satisfies Entity;
