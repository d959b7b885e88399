import type { Entity } from './entity.ts';
import { boolean, email, gstin, integer, money, text, uuid } from './values.ts';

const byGstin = {
  fields: ['gstin'],
  constraint: 'companies_gstin',
  ignoresCase: true,
  placeholder: 'left(md5(t.id::text), 30)',
} as const;

export const company = {
  name: 'company',
  noun: 'company',
  table: 'companies',
  file: 'companies.csv',
  id: 'id',
  unique: [byGstin],
  naturalKey: byGstin,
  hasTimestamps: true,
  auditSubject: { company: 'id' },
  fields: {
    id: { column: 'id', kind: uuid, example: 'b3cb9b86-e923-4834-bb80-42f6e9b215da' },
    name: { column: 'name', kind: text(200), folded: true, example: 'Acme' },
    legalName: { column: 'legal_name', kind: text(200), folded: true, example: 'Acme Industries Private Limited' },
    gstin: { column: 'gstin', kind: gstin, folded: true, example: '27AAPFU0939F1ZV' },
    email: { column: 'email', kind: email, folded: true, example: 'office@acme.example' },
    creditLimit: { column: 'credit_limit', kind: money, default: '0.00', inFiles: 'required', example: '2500000.00' },
    creditDays: { column: 'credit_days', kind: integer(0), default: 0, inFiles: 'required', example: 30 },
    active: { column: 'active', kind: boolean, default: true, example: true },
    defaultDepartmentId: {
      column: 'default_department_id',
      kind: uuid,
      nullable: true,
      references: 'department',
      ofSameCompany: true,
      description: 'Default department of new people',
      example: '812cea8f-2ed7-4e7c-a0f7-655fad31b48c',
    },
    defaultBandId: {
      column: 'default_band_id',
      kind: uuid,
      nullable: true,
      references: 'band',
      ofSameCompany: true,
      description: 'Default band of new people',
      example: '2f1027e9-958b-498a-b73a-109e9ecab4e8',
    },
  },
} as const satisfies Entity;
