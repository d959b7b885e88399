import { Group } from '@mantine/core';
import type { Directory, DirectoryDetail } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { fieldLabel } from '../labels.ts';
import { type Column, DataTable, plain } from '../parts/data-table.tsx';
import { PersonLink } from '../parts/links.tsx';
import { Dimmed, Heading } from '../parts/text.tsx';
import { useGets } from '../session/queries.ts';
import { t } from '../translate.ts';

const LEFT_OUT_FIELDS: Readonly<Record<string, string>> = {
  roles: t('Roles'),
  members: t('Members'),
  workEmail: t('Work e-mail'),
  phoneType: t('Kind of phone'),
  locality: t('City'),
  region: t('Region'),
  country: t('Country'),
  department: t('Department'),
  manager: t('Manager'),
  newcomer: t('Taken for a newcomer, as it is unclear who it is'),
};

interface LeftOutRow {
  id: string;
  directory: string;
  one: DirectoryDetail['leftOut'][number];
}

const LEFT_OUT: readonly Column<LeftOutRow>[] = [
  { name: t('When'), ...plain(({ one }) => formatMoment(one.at)) },
  { name: t('Directory'), ...plain(({ directory }) => directory) },
  {
    name: t('Person or group'),
    show: ({ one }) => (one.userId === null ? <bdi>{one.values.group}</bdi> : <PersonLink id={one.userId} />),
  },
  {
    name: t('Left out'),
    isWide: true,
    ...plain(({ one }) =>
      Object.entries(one.values)
        .filter(([field]) => field !== 'group')
        .map(([field, value]) => `${LEFT_OUT_FIELDS[field] ?? fieldLabel(field)}: ${value}`)
        .join('; '),
    ),
  },
];

/** What directories have sent by any of their keys and orgdesk has left out, newest first. */
export function LeftOut({ directories }: { directories: readonly Directory[] }) {
  const found = useGets(
    '/api/directories/get',
    directories.map(({ id }) => ({ id })),
  );
  const rows = found
    .flatMap(({ data }) => (data ? [data.data] : []))
    .flatMap(({ id, name, leftOut }) => leftOut.map((one, at) => ({ id: `${id} ${at}`, directory: name, one })))
    .sort((first, second) => second.one.at.localeCompare(first.one.at));
  if (rows.length === 0) return null;
  return (
    <section>
      <Group mb="xs">
        <Heading>{t('What was left out')}</Heading>
        <Dimmed>{t('Directories sent these values, and no field takes them.')}</Dimmed>
      </Group>
      <DataTable label={t('What was left out')} columns={LEFT_OUT} rows={rows} />
    </section>
  );
}
