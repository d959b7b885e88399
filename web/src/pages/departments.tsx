import { band } from '../../../src/entities/band.ts';
import { department } from '../../../src/entities/department.ts';
import type { Band, Department, DepartmentDetail, Person } from '../api/types.ts';
import { typedAmount } from '../format.ts';
import { amounts, plain } from '../parts/data-table.tsx';
import { entityFields, type FormField } from '../parts/form-fields.ts';
import { useDepartments } from '../session/queries.ts';
import { t } from '../translate.ts';
import { type ResourceKind, ResourcePage } from './company-resource.tsx';
import { BudgetPeriodNote, useSpendingColumns } from './spending.tsx';

const DEPARTMENTS: ResourceKind<Department> = {
  filter: 'departmentId',
  defaultOf: ({ defaultDepartmentId }) => defaultDepartmentId,
  entity: 'department',
  title: t('Departments'),
  lead: (company) => t('What the departments of {company} may spend, and how many people they have.', { company }),
  searchHint: t('Department or cost code'),
  list: 'departments',
  name: t('Department'),
  columns: [
    { name: t('Cost code'), ...plain(({ costCode }) => costCode) },
    amounts(t('Budget'), ({ budget }) => budget),
  ],
  useMoreColumns: useSpendingColumns,
  note: (companyId) => <BudgetPeriodNote companyId={companyId} />,
  tree: { href: '/departments/tree', label: t('Department tree') },
  add: t('Add a department'),
  fields: entityFields(department, { name: t('Department'), costCode: t('Cost code'), budget: t('Budget') }),
  useMoreFields: useStructureFields,
  typed: ({ name, costCode, budget, ...structure }) => {
    const { parentId, headId } = structure as Partial<DepartmentDetail>;
    return { name, costCode, budget: typedAmount(budget), parentId: parentId ?? '', headId: headId ?? '' };
  },
};

/** Returns the fields of a department's place in the organisation: the department above it, and its head. */
function useStructureFields(companyId: string, department: Department | undefined): readonly FormField[] {
  const departments = (useDepartments(companyId) ?? []).filter(({ id }) => id !== department?.id);
  const none = { value: '', label: '–' };
  const choices = [none, ...departments.map(({ id, name }) => ({ value: id, label: name }))];
  return [
    { name: 'parentId', label: t('Part of'), kind: 'choice', isNullable: true, choices },
    { name: 'headId', label: t('Head'), kind: 'person', isNullable: true, companyId },
  ];
}

/** The departments of a company, with their budgets and numbers of people. */
export function DepartmentsPage({ profile }: { profile: Person }) {
  return <ResourcePage kind={DEPARTMENTS} profile={profile} />;
}

const BANDS: ResourceKind<Band> = {
  filter: 'bandId',
  defaultOf: ({ defaultBandId }) => defaultBandId,
  entity: 'band',
  title: t('Bands'),
  lead: (company) => t('The grades of {company}, and what each may book.', { company }),
  searchHint: t('Band or code'),
  list: 'bands',
  name: t('Band'),
  columns: [
    { name: t('Code'), ...plain((item) => item.code) },
    amounts(t('Approved automatically up to'), (item) => item.autoApprovalLimit),
    amounts(t('Maximum booking'), (item) => item.maxBookingLimit, t('no limit')),
  ],
  add: t('Add a band'),
  fields: entityFields(band, {
    name: t('Band'),
    code: t('Code'),
    autoApprovalLimit: t('Approved automatically up to'),
    maxBookingLimit: t('Maximum booking'),
  }).map((field) => (field.isNullable ? { ...field, hint: t('no limit') } : field)),
  typed: (item) => ({
    name: item.name,
    code: item.code,
    autoApprovalLimit: typedAmount(item.autoApprovalLimit),
    maxBookingLimit: item.maxBookingLimit === null ? '' : typedAmount(item.maxBookingLimit),
  }),
};

/** The bands of a company, with their limits and numbers of people. */
export function BandsPage({ profile }: { profile: Person }) {
  return <ResourcePage kind={BANDS} profile={profile} />;
}
