import { Text } from '@mantine/core';
import type { Profile, Schemas } from '../api/client.ts';
import { formatCount, formatMoney } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { texts } from '../texts.ts';
import classes from './departments.module.css';

type Department = Schemas['Department'];
const words = texts.departments;

/** The departments of a company: what they may spend, and how many people they have. */
export function DepartmentsPage({ profile }: { profile: Profile }) {
  return (
    <CompanyList<Department>
      profile={profile}
      title={texts.pages.departments}
      lead={words.lead}
      searchHint={words.searchHint}
      load={(client, query, signal) => client.get('/api/departments/list', query, signal)}
      show={(departments, isStale) => (
        <>
          <DataTable
            label={words.table}
            columns={columnsFor(departments)}
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

/** A bar is only seen, the figure beside it is exact. */
function columnsFor(departments: readonly Department[]): Column<Department>[] {
  const largest = Math.max(...departments.map(({ budget }) => Number(budget)), 1);
  return [
    {
      name: words.name,
      show: ({ name }) => (
        <Text fw={600} component="span">
          <bdi>{name}</bdi>
        </Text>
      ),
    },
    { name: words.costCode, show: ({ costCode }) => <bdi>{costCode}</bdi> },
    {
      name: words.budget,
      show: ({ budget }) => (
        <div className={classes.budget}>
          <svg className={classes.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect className={classes.ground} width="100" height="8" />
            <rect className={classes.fill} width={(Number(budget) / largest) * 100} height="8" />
          </svg>
          <span className={classes.figure}>{formatMoney(budget)}</span>
        </div>
      ),
    },
    { name: words.people, isFigure: true, show: ({ _count }) => formatCount(_count.users) },
  ];
}
