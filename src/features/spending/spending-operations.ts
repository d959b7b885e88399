import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { page, whole } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateStaff } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { listCompanySpending, listDepartmentSpending, rangeOrPeriod } from './spending-queries.ts';
import {
  CompanySpendingInput,
  CompanySpendingView,
  DepartmentSpendingInput,
  DepartmentSpendingView,
  type SpendingGroup,
} from './spending-schemas.ts';

const byDepartment = operation({
  id: 'departments.spending',
  operationId: 'listDepartmentSpending',
  tag: 'Departments',
  summary: 'List department spending',
  description:
    'Budget and spending of the departments of a company, sorted by name: what was booked while its person was in the ' +
    'department, or for it. Without from and to, of the present budget period of the company. For Corporate Admins and ' +
    'Managers of that company.',
  access: corporateStaff,
  scope: 'departments.read',
  input: DepartmentSpendingInput,
  output: page(DepartmentSpendingView),
  message: 'Department spending retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    const range = await rangeOrPeriod(lists, input.companyId, input);
    return listDepartmentSpending(lists, input.companyId, range, pageRequestOf(input));
  },
});

const ofCompany = operation({
  id: 'companies.spending',
  operationId: 'listCompanySpending',
  tag: 'Companies',
  summary: 'List company spending',
  description:
    'Spending of a company by month, department or cost centre. Without from and to, of its present budget period. For ' +
    'Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'bookings.read',
  input: CompanySpendingInput,
  output: whole(CompanySpendingView),
  message: 'Company spending retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    const range = await rangeOrPeriod(lists, input.companyId, input);
    return listCompanySpending(lists, input.companyId, range, (input.by ?? 'month') as SpendingGroup);
  },
});

export const spendingOperations = [byDepartment, ofCompany];
