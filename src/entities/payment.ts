import { companyId } from './department.ts';
import { type AuditedEntity, withColumns } from './entity.ts';
import { money, text, timestamp, uuid } from './values.ts';

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
