import { Text } from '@mantine/core';
import { department } from '../../../src/entities/department.ts';
import type { Body, Department, Person } from '../api/types.ts';
import { formatMoney, typedAmount } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, DataTable, plain } from '../parts/data-table.tsx';
import { entityFields } from '../parts/entity-fields.ts';
import { administers } from '../session/use-profile.ts';
import { companyTexts, pageTexts, texts } from '../texts.ts';
import { AddResource, PeopleCount, ResourceActions, type ResourceKind, ResourceName } from './company-resource.tsx';
import classes from './departments.module.css';

const words = pageTexts.departments;

const KIND: ResourceKind<Department> = {
  filter: 'departmentId',
  defaultOf: ({ defaultDepartmentId }) => defaultDepartmentId,
  entity: 'department',
  add: companyTexts.addDepartment,
  fields: entityFields(department, { name: words.name, costCode: words.costCode, budget: words.budget }),
  typed: ({ name, costCode, budget }) => ({ name, costCode, budget: typedAmount(budget) }),
  create: (client, body) => client.post('/api/departments/create', body as Body<'/api/departments/create'>),
  read: (client, id, signal) => client.read('/api/departments/get', { id }, signal),
  update: (client, body, version) => client.post('/api/departments/update', body, version),
  remove: (client, id) => client.post('/api/departments/delete', { id }),
};

/** The departments of a company, with their budgets and numbers of people. */
export function DepartmentsPage({ profile }: { profile: Person }) {
  return (
    <CompanyList<Department>
      profile={profile}
      title={texts.pages.departments}
      lead={words.lead}
      searchHint={words.searchHint}
      kind="departments"
      load={(client, query, signal) => client.get('/api/departments/list', query, signal)}
      file={{ name: 'departments', columns: columnsFor([]) }}
      actions={({ id }) => administers(profile, id) && <AddResource kind={KIND} companyId={id} />}
      show={(departments, isStale, { id: companyId }) => (
        <>
          <DataTable
            label={words.table}
            columns={columnsFor(departments, companyId, administers(profile, companyId))}
            rows={departments}
            keyOf={({ id }) => id}
            isStale={isStale}
          />
          <Text size="sm" c="dimmed" mt="xs">
            {words.scale}
          </Text>
        </>
      )}
    />
  );
}

/** Bars compare budgets approximately; the figures beside them are exact. */
function columnsFor(departments: readonly Department[], companyId = '', mayChange = false): Column<Department>[] {
  const largest = Math.max(...departments.map(({ budget }) => Number(budget)), 1);
  return [
    {
      name: words.name,
      show: (item) => <ResourceName {...{ item, companyId, kind: KIND }} />,
      text: ({ name }) => name,
    },
    { name: words.costCode, ...plain(({ costCode }) => costCode) },
    {
      name: words.budget,
      show: ({ budget }) => (
        <div className={classes.budget}>
          <Bar share={Number(budget) / largest} />
          <span className={classes.figure}>{formatMoney(budget)}</span>
        </div>
      ),
      text: ({ budget }) => budget,
    },
    {
      name: words.people,
      isFigure: true,
      show: (item) => <PeopleCount {...{ item, companyId, kind: KIND }} />,
      text: ({ _count }) => String(_count.users),
    },
    ...(mayChange
      ? [
          {
            name: companyTexts.actions,
            isFigure: true,
            isClear: true,
            show: (item: Department) => <ResourceActions {...{ item, companyId, kind: KIND }} />,
          },
        ]
      : []),
  ];
}
