import { company } from './company.ts';
import type { Entity } from './entity.ts';
import { money, text, uuid } from './values.ts';

/** The company that a row belongs to. */
export const companyId = {
  column: 'company_id',
  kind: uuid,
  references: 'company',
  namedBy: 'companyGstin',
  example: company.fields.id.example,
} as const;

const byCostCode = {
  fields: ['companyId', 'costCode'],
  constraint: 'departments_cost_code',
  ignoresCase: true,
  placeholder: 't.id::text',
} as const;

export const department = {
  name: 'department',
  noun: 'department',
  table: 'departments',
  file: 'departments.csv',
  id: 'id',
  unique: [byCostCode],
  naturalKey: byCostCode,
  auditSubject: { company: 'companyId' },
  fields: {
    id: { column: 'id', kind: uuid, example: '812cea8f-2ed7-4e7c-a0f7-655fad31b48c' },
    companyId,
    name: { column: 'name', kind: text(200), folded: true, example: 'Finance' },
    costCode: { column: 'cost_code', kind: text(50), folded: true, example: 'FIN-100' },
    budget: { column: 'budget', kind: money, default: '0.00', inFiles: 'required', example: '1200000.00' },
  },
} as const satisfies Entity;
