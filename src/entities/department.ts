import { company } from './company.ts';
import { type Entity, withColumns } from './entity.ts';
import { money, text, uuid } from './values.ts';

/** The company that a row belongs to. */
export const companyId = {
  kind: uuid,
  references: 'company',
  namedBy: 'companyGstin',
  example: company.fields.id.example,
} as const;

const byCostCode = {
  fields: ['companyId', 'costCode'],
  constraint: 'departments_cost_code',
  ignoresCase: true,
} as const;

/** Maximum number of levels of the tree of departments. */
export const MAX_DEPARTMENT_LEVELS = 10;

export const department = {
  name: 'department',
  noun: 'department',
  table: 'departments',
  file: 'departments.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [byCostCode],
  naturalKey: byCostCode,
  rank: 4,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '812cea8f-2ed7-4e7c-a0f7-655fad31b48c' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Finance' },
    costCode: { kind: text(50), folded: true, example: 'FIN-100' },
    budget: { kind: money, default: '0.00', inFiles: 'required', example: '1200000.00' },
    parentId: {
      kind: uuid,
      nullable: true,
      references: 'department',
      namedBy: 'parentCostCode',
      ofSameCompany: true,
      hierarchy: { levels: MAX_DEPARTMENT_LEVELS },
      description: 'The department above, of the same company; null at the top',
      example: null,
    },
    headId: {
      kind: uuid,
      nullable: true,
      references: 'user',
      ofSameCompany: true,
      description: 'The person who heads the department, of the same company',
      example: 'd23dea7a-7498-46ef-9bdf-27944b5296e9',
    },
  }),
} as const satisfies Entity;
