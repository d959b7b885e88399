import { band } from '../../../src/entities/band.ts';
import { department } from '../../../src/entities/department.ts';
import type { Band, Department, Person } from '../api/types.ts';
import { fieldLabel } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { amounts, plain } from '../parts/data-table.tsx';
import { entityFields } from '../parts/form-fields.ts';
import { useDepartments, useLegalEntities } from '../session/queries.ts';
import { t } from '../translate.ts';
import { type PeopleOf, peopleColumns, type ResourceKind, ResourcePage } from './company-resource.tsx';
import { AS_ABOVE } from './person-fields.ts';
import { BudgetPeriodNote, useSpendingColumns } from './spending.tsx';

const REMOVE = t('It is deleted for good. What has people in it, or is the company’s default, cannot be deleted.');
const count = ({ _count }: { _count: { users: number } }) => _count.users;

const IN_DEPARTMENT: PeopleOf<Department> = {
  filter: 'departmentId',
  count,
  defaultOf: ({ defaultDepartmentId }) => defaultDepartmentId,
};
const IN_BAND: PeopleOf<Band> = { filter: 'bandId', count, defaultOf: ({ defaultBandId }) => defaultBandId };

const DEPARTMENTS: ResourceKind<Department> = {
  ...{ entity: 'department', list: 'departments', removeText: REMOVE },
  title: t('Departments'),
  lead: (company) => t('What the departments of {company} may spend, and how many people they have.', { company }),
  searchHint: t('Department or cost code'),
  nameOf: ({ name }) => name,
  people: IN_DEPARTMENT,
  useColumns: useDepartmentColumns,
  note: (companyId) => <BudgetPeriodNote companyId={companyId} />,
  tree: { href: '/departments/tree', label: t('Department tree') },
  add: t('Add a department'),
  useFields: useDepartmentFields,
};

function useDepartmentColumns(companyId: string | undefined) {
  const spending = useSpendingColumns(companyId);
  const [name, people] = peopleColumns(t('Department'), companyId ?? '', IN_DEPARTMENT);
  return [
    name,
    { name: fieldLabel('costCode'), ...plain(({ costCode }: Department) => costCode) },
    amounts(fieldLabel('budget'), ({ budget }: Department) => budget),
    ...spending,
    people,
  ];
}

function useDepartmentFields(companyId: string, item: Department | undefined) {
  const departments = (useDepartments(companyId) ?? []).filter(({ id }) => id !== item?.id);
  const legalEntities = useLegalEntities(companyId) ?? [];
  const names = ['name', 'costCode', 'budget', 'externalId', 'parentId', 'headId'];
  return entityFields(department, legalEntities.length > 1 ? [...names, 'legalEntityId'] : names, {
    name: { label: t('Department') },
    parentId: { choices: choicesOf(departments, '–') },
    headId: { kind: 'person', companyId },
    legalEntityId: { choices: choicesOf(legalEntities, AS_ABOVE) },
  });
}

/** The departments of a company, with their budgets and numbers of people. */
export function DepartmentsPage({ profile }: { profile: Person }) {
  return <ResourcePage kind={DEPARTMENTS} profile={profile} />;
}

const BAND_FIELDS = entityFields(band, ['name', 'code', 'autoApprovalLimit', 'maxBookingLimit', 'externalId'], {
  name: { label: t('Band') },
  maxBookingLimit: { hint: t('no limit') },
});

const BANDS: ResourceKind<Band> = {
  ...{ entity: 'band', list: 'bands', removeText: REMOVE },
  title: t('Bands'),
  lead: (company) => t('The grades of {company}, and what each may book.', { company }),
  searchHint: t('Band or code'),
  nameOf: ({ name }) => name,
  people: IN_BAND,
  useColumns: (companyId) => {
    const [name, people] = peopleColumns(t('Band'), companyId ?? '', IN_BAND);
    return [
      name,
      { name: fieldLabel('code'), ...plain(({ code }) => code) },
      amounts(fieldLabel('autoApprovalLimit'), ({ autoApprovalLimit }) => autoApprovalLimit),
      amounts(fieldLabel('maxBookingLimit'), ({ maxBookingLimit }) => maxBookingLimit, t('no limit')),
      people,
    ];
  },
  add: t('Add a band'),
  useFields: () => BAND_FIELDS,
};

/** The bands of a company, with their limits and numbers of people. */
export function BandsPage({ profile }: { profile: Person }) {
  return <ResourcePage kind={BANDS} profile={profile} />;
}
