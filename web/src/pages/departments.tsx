import { band } from '../../../src/entities/band.ts';
import { department } from '../../../src/entities/department.ts';
import type { Band, Department, DepartmentDetail, Person } from '../api/types.ts';
import { typedAmount } from '../format.ts';
import { amounts, plain } from '../parts/data-table.tsx';
import { entityFields, type FormField } from '../parts/form-fields.ts';
import { useDepartments } from '../session/queries.ts';
import { companyTexts, pageTexts, texts } from '../texts.ts';
import { type ResourceKind, ResourcePage } from './company-resource.tsx';
import { BudgetPeriodNote, useSpendingColumns } from './spending.tsx';

const words = pageTexts.departments;

const DEPARTMENTS: ResourceKind<Department> = {
  filter: 'departmentId',
  defaultOf: ({ defaultDepartmentId }) => defaultDepartmentId,
  entity: 'department',
  title: texts.pages.departments,
  lead: words.lead,
  searchHint: words.searchHint,
  list: 'departments',
  name: words.name,
  columns: [
    { name: words.costCode, ...plain(({ costCode }) => costCode) },
    amounts(words.budget, ({ budget }) => budget),
  ],
  useMoreColumns: useSpendingColumns,
  note: (companyId) => <BudgetPeriodNote companyId={companyId} />,
  tree: { href: '/departments/tree', label: words.tree },
  add: companyTexts.addDepartment,
  fields: entityFields(department, { name: words.name, costCode: words.costCode, budget: words.budget }),
  useMoreFields: useStructureFields,
  typed: ({ name, costCode, budget, ...structure }) => {
    const { parentId, headId } = structure as Partial<DepartmentDetail>;
    return { name, costCode, budget: typedAmount(budget), parentId: parentId ?? '', headId: headId ?? '' };
  },
};

/** Returns the fields of a department's place in the organisation: the department above it, and its head. */
function useStructureFields(companyId: string, department: Department | undefined): readonly FormField[] {
  const departments = (useDepartments(companyId) ?? []).filter(({ id }) => id !== department?.id);
  const none = { value: '', label: pageTexts.form.none };
  const choices = [none, ...departments.map(({ id, name }) => ({ value: id, label: name }))];
  return [
    { name: 'parentId', label: words.parent, kind: 'choice', isNullable: true, choices },
    { name: 'headId', label: words.head, kind: 'person', isNullable: true, companyId },
  ];
}

/** The departments of a company, with their budgets and numbers of people. */
export function DepartmentsPage({ profile }: { profile: Person }) {
  return <ResourcePage kind={DEPARTMENTS} profile={profile} />;
}

const { band: name, code, autoApprovalLimit, maxBookingLimit, noLimit } = companyTexts;

const BANDS: ResourceKind<Band> = {
  filter: 'bandId',
  defaultOf: ({ defaultBandId }) => defaultBandId,
  entity: 'band',
  title: texts.pages.bands,
  lead: companyTexts.bandsLead,
  searchHint: companyTexts.bandsSearchHint,
  list: 'bands',
  name,
  columns: [
    { name: code, ...plain((item) => item.code) },
    amounts(autoApprovalLimit, (item) => item.autoApprovalLimit),
    amounts(maxBookingLimit, (item) => item.maxBookingLimit, noLimit),
  ],
  add: companyTexts.addBand,
  fields: entityFields(band, { name, code, autoApprovalLimit, maxBookingLimit }).map((field) =>
    field.isNullable ? { ...field, hint: noLimit } : field,
  ),
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
