import type { Static } from 'typebox';
import { crud } from '../../../src/api/crud.ts';
import { operationsOf } from '../../../src/api/crud-operations.ts';
import { one, page } from '../../../src/api/output.ts';
import { selectFields } from '../../../src/audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../../src/auth/callers/access.ts';
import { fieldsBut } from '../../../src/entities/entity.ts';
import { answeredFields, titled } from '../../../src/entities/field-schemas.ts';
import { user } from '../../../src/entities/user.ts';
import { costCenter } from './cost-center.ts';

const FIELDS = fieldsBut(costCenter, 'id', 'companyId');
const SHOWN_FIELDS = ['id', 'companyId', ...FIELDS] as const;

const CostCenterView = titled('CostCenter', answeredFields(costCenter, SHOWN_FIELDS));

const costCenters = crud<typeof costCenter, (typeof FIELDS)[number], Static<typeof CostCenterView>>({
  entity: costCenter,
  targets: [user],
  columns: selectFields(costCenter, SHOWN_FIELDS),
  writable: FIELDS,
});

const { list, get, create, update, remove } = operationsOf(costCenters, {
  output: one(CostCenterView),
  reads: { access: corporateStaff, scope: 'departments.read' },
  writes: { access: corporateAdmins, scope: 'organization.write' },
});

export const costCentersOperations = [
  list({ id: 'costCenters.list', description: 'The cost centers of a company.', output: page(CostCenterView) }),
  get({ id: 'costCenters.get' }),
  create({ id: 'costCenters.create' }),
  update({ id: 'costCenters.update' }),
  remove({ id: 'costCenters.delete' }),
] as const;
