import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { page, whole } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateStaff } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { listCompanySpending, listDepartmentSpending } from './spending-queries.ts';
import {
  CompanySpendingInput,
  CompanySpendingView,
  DepartmentSpendingInput,
  DepartmentSpendingView,
  SPAN,
  type SpendingGroup,
} from './spending-schemas.ts';
import { type TimeSpan, timeSpan } from './time-span.ts';

interface SpendingServices {
  lists: Reader;
  defaultCurrency: string;
}

/** Returns what answers tell of a time. */
function shownSpan({ from, to, currency }: TimeSpan, { defaultCurrency }: SpendingServices) {
  return { from, to, currency: currency ?? defaultCurrency };
}

const byDepartment = operation({
  id: 'departments.spending',
  operationId: 'listDepartmentSpending',
  tag: 'Departments',
  summary: 'List department spending',
  description:
    'Budget and spending of the departments of a company, sorted by name: what was booked while its person was in the ' +
    'department, or for it. Without from and to, of the present budget period of the company. The budget of several whole ' +
    'periods is their sum, that of any other time null. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'departments.read',
  input: DepartmentSpendingInput,
  output: page(DepartmentSpendingView, SPAN),
  message: 'Department spending retrieved successfully',
  async handle({ input, scope }, services: SpendingServices) {
    const { lists } = services;
    await assertCompanyVisible(lists, scope, input.companyId);
    const span = await timeSpan(lists, input.companyId, input);
    const found = await listDepartmentSpending(lists, input.companyId, span, pageRequestOf(input));
    return { ...found, beside: shownSpan(span, services) };
  },
});

const ofCompany = operation({
  id: 'companies.spending',
  operationId: 'listCompanySpending',
  tag: 'Companies',
  summary: 'List company spending',
  description:
    'Spending of a company by month, department, cost centre, person, band or category, or of one department. Without from and to, of its present budget period. For ' +
    'Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'bookings.read',
  input: CompanySpendingInput,
  output: whole(CompanySpendingView, SPAN),
  message: 'Company spending retrieved successfully',
  async handle({ input, scope }, services: SpendingServices) {
    const { lists } = services;
    await assertCompanyVisible(lists, scope, input.companyId);
    const span = await timeSpan(lists, input.companyId, input);
    const what = { group: (input.by ?? 'month') as SpendingGroup, departmentId: input.departmentId };
    const items = await listCompanySpending(lists, input.companyId, span, what);
    return { items, beside: shownSpan(span, services) };
  },
});

export const spendingOperations = [byDepartment, ofCompany];
