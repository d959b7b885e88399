import { externalId } from './company.ts';
import { companyId } from './department.ts';
import { type Entity, referenceWithinCompany, withColumns } from './entity.ts';
import { user } from './user.ts';
import { text, uuid } from './values.ts';

const byCode = { fields: ['companyId', 'code'], constraint: 'cost_centers_code', ignoresCase: true } as const;

/** A cost centre that has an owner; people name it by its code. */
export const costCenter = {
  name: 'costCenter',
  noun: 'cost centre',
  table: 'cost_centers',
  file: 'cost-centers.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [byCode, { fields: ['companyId', 'externalId'], constraint: 'cost_centers_external_id' }],
  naturalKey: byCode,
  rank: 6,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '0f6f7f63-6d2b-4a38-8f0c-3f5b6a9c1d20' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Sales abroad' },
    code: { kind: text(100), folded: true, description: 'As in the employment of people', example: 'CC-310' },
    ownerId: referenceWithinCompany(
      'user',
      'The person who approves what is booked on it, of the same company',
      user.fields.id.example,
    ),
    externalId,
  }),
} as const satisfies Entity;
