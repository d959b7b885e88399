import { companyId, department } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { userId } from './held-role.ts';
import { anyId, choice, money, text, timestamp, uuid } from './values.ts';

/** A cancelled booking counts in no spending. */
export const BOOKING_STATUSES = ['BOOKED', 'CANCELLED'] as const;

/** The part of a booking that this service keeps. It belongs to another system, so it is not in the audit trail. */
export const booking = {
  name: 'booking',
  noun: 'booking',
  table: 'bookings',
  file: 'bookings.csv',
  id: 'id',
  unique: [],
  rights: { keeps: true },
  fields: withColumns({
    id: { kind: anyId, example: '3cd73953-0d5c-4067-a580-cdae6594079c' },
    companyId,
    userId,
    amount: { kind: money, example: '12450.00' },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2025-01-31T09:30:00.000Z' },
    departmentId: {
      kind: uuid,
      nullable: true,
      staysSet: true,
      sqlDefault: 'null',
      references: 'department',
      ofSameCompany: true,
      outlivesTarget: true,
      namedBy: 'departmentCostCode',
      description: 'Department in which it was made; of a new one that of its person by default',
      example: department.fields.id.example,
    },
    costCenter: {
      kind: text(100),
      nullable: true,
      staysSet: true,
      sqlDefault: 'null',
      description: 'Cost centre for which it was made; of a new one that of its person by default',
      example: 'CC-4100',
    },
    reference: {
      kind: text(100),
      nullable: true,
      staysSet: true,
      description: 'Reference in its source system',
      example: 'PNR X7K2QP',
    },
    status: { kind: choice(BOOKING_STATUSES, 'BookingStatus'), default: 'BOOKED', example: 'BOOKED' },
  }),
} as const satisfies Entity;
