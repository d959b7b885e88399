import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { includedTimes, timeFields } from '../../api/list-schemas.ts';
import { one, page } from '../../api/output.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { costCenter } from '../../entities/cost-center.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, titled } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';

const WRITABLE = fieldsBut(costCenter, 'id', 'companyId');
const SHOWN_FIELDS = ['id', 'companyId', ...WRITABLE] as const;
const shown = answeredFields(costCenter, SHOWN_FIELDS);
const ListedCostCenter = titled('CostCenter', { ...shown, ...includedTimes });
const CostCenterView = titled('CostCenterDetail', { ...shown, ...timeFields });

const costCenters = crud<
  typeof costCenter,
  (typeof WRITABLE)[number],
  Static<typeof CostCenterView>,
  never,
  Static<typeof ListedCostCenter>
>({
  entity: costCenter,
  targets: [user],
  columns: selectFields(costCenter, SHOWN_FIELDS),
  listed: { searched: sql`search_text` },
  writable: WRITABLE,
});

const { list, get, create, update, remove } = operationsOf(costCenters, {
  output: one(CostCenterView),
  reads: { access: corporateStaff, scope: 'departments.read' },
  writes: { access: corporateAdmins, scope: 'organization.write' },
});

export const costCentersOperations = [
  list({
    id: 'costCenters.list',
    description:
      'The cost centres of a company that have an owner, sorted by name. For Corporate Admins and Managers of that company.',
    searched: 'name or code',
    output: page(ListedCostCenter),
  }),
  get({ id: 'costCenters.get' }),
  create({ id: 'costCenters.create' }),
  update({ id: 'costCenters.update', errors: ['ALREADY_EXISTS'] }),
  remove({ id: 'costCenters.delete' }),
];
