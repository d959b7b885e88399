import { externalId } from './company.ts';
import { companyId } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { customFields } from './formed-values.ts';
import { money, text, uuid } from './values.ts';

const byCode = {
  fields: ['companyId', 'code'],
  constraint: 'employee_bands_code',
  ignoresCase: true,
} as const;

/** A grade of employees. */
export const band = {
  name: 'band',
  noun: 'band',
  table: 'employee_bands',
  file: 'bands.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [byCode, { fields: ['companyId', 'externalId'], constraint: 'employee_bands_external_id' }],
  naturalKey: byCode,
  rank: 5,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '2f1027e9-958b-498a-b73a-109e9ecab4e8' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Senior' },
    code: { kind: text(50), folded: true, example: 'B2' },
    autoApprovalLimit: { kind: money, default: '0.00', inFiles: 'required', example: '10000.00' },
    maxBookingLimit: {
      kind: money,
      nullable: true,
      description: 'Decimal amount with two fraction digits; null: unlimited',
      example: '50000.00',
    },
    externalId,
    fields: customFields,
  }),
} as const satisfies Entity;
