import { band } from './band.ts';
import { companyId, department } from './department.ts';
import { type AuditedEntity, type Entity, referenceWithinCompany, withColumns } from './entity.ts';
import { customFields } from './formed-values.ts';
import { userId } from './held-role.ts';
import { anyId, choice, date, money, signedMoney, text, timestamp, uuid } from './values.ts';

/** A cancelled booking counts in no spending, or is taken back where it was cancelled. */
export const BOOKING_STATUSES = ['BOOKED', 'CANCELLED'] as const;

/** What it was when it was made: it stays, whatever becomes of it. */
const ofThatTime = { staysSet: true, sqlDefault: 'null', outlivesTarget: true } as const;

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
    amount: {
      kind: signedMoney,
      negativeWith: 'refundOf',
      description: 'Negative: a refund, which needs refundOf',
      example: '12450.00',
    },
    createdAt: { kind: timestamp, sqlDefault: 'now()', example: '2025-01-31T09:30:00.000Z' },
    departmentId: {
      ...referenceWithinCompany(
        'department',
        'Department in which it was made; of a new one that of its person by default',
        department.fields.id.example,
      ),
      ...ofThatTime,
      namedBy: 'departmentCostCode',
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
    cancelledAt: {
      kind: timestamp,
      nullable: true,
      staysSet: true,
      description:
        'When it was cancelled, by default when that is recorded; after the end of its budget period the cancellation counts there',
      example: null,
    },
    refundOf: {
      kind: anyId,
      nullable: true,
      staysSet: true,
      description: 'The booking of the company that a negative amount gives back',
      example: null,
    },
    category: { kind: text(100), nullable: true, staysSet: true, description: 'What was booked', example: 'Flight' },
    travelDate: {
      kind: date,
      nullable: true,
      staysSet: true,
      description: 'First day of the trip',
      example: '2026-05-04',
    },
    bandId: {
      ...referenceWithinCompany('band', 'Band in which its person was when it was made', band.fields.id.example),
      ...ofThatTime,
      namedBy: 'bandCode',
    },
    legalEntityId: {
      ...referenceWithinCompany('legalEntity', 'Legal entity for which it was made'),
      ...ofThatTime,
    },
    fields: { ...customFields, staysSet: true },
  }),
} as const satisfies Entity;

/** What a company paid on its credit. */
export const payment = {
  name: 'payment',
  noun: 'payment',
  table: 'company_payments',
  id: 'id',
  title: ['reference'],
  unique: [],
  staysInside: true,
  rights: { keeps: true },
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '0b0c3f0a-5a0e-4a57-8d53-2f2f6b1f7f10' },
    companyId,
    amount: { kind: money, example: '250000.00' },
    createdAt: {
      kind: timestamp,
      sqlDefault: 'now()',
      description: 'When it was paid, now by default',
      example: '2026-01-31T09:30:00.000Z',
    },
    reference: { kind: text(100), nullable: true, description: 'Of the bank or the invoice', example: 'INV-2026-017' },
  }),
} as const satisfies AuditedEntity;
