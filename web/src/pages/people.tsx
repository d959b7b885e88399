import { Anchor, Badge, NativeSelect, Switch } from '@mantine/core';
import { Link } from 'wouter';
import type { ListedPerson, Person } from '../api/types.ts';
import { formatMoney } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, DataTable, plain } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { useBands, useDepartments } from '../session/use-all.ts';
import { administers, corporateCompanies, isSuperAdmin } from '../session/use-profile.ts';
import { roleName, texts } from '../texts.ts';
import { importTexts } from '../texts-import.ts';
import { pageTexts } from '../texts-pages.ts';
import { peopleTexts as words } from '../texts-people.ts';
import { COMPANY_ROLES } from './person-fields.ts';
import { AddPerson } from './person-form.tsx';

const COLUMNS: readonly Column<ListedPerson>[] = [
  {
    name: words.name,
    show: ({ id, firstName, lastName }) => (
      <Anchor component={Link} href={`/people/${id}`} fw={600}>
        <bdi>{`${firstName} ${lastName}`}</bdi>
      </Anchor>
    ),
    text: ({ firstName, lastName }) => `${firstName} ${lastName}`,
  },
  { name: words.email, ...plain(({ email }) => email) },
  { name: words.department, ...plain(({ department }) => department?.name ?? '') },
  { name: words.band, ...plain(({ band }) => band?.name ?? '') },
  {
    name: words.roles,
    show: ({ roles }) =>
      roles.map((role) => (
        <Badge key={role} variant="light" mr={4} miw="max-content">
          {roleName(role)}
        </Badge>
      )),
    text: ({ roles }) => roles.map(roleName).join('; '),
  },
  {
    name: words.approvalLimit,
    isFigure: true,
    show: ({ approvalLimit }) => approvalLimit && formatMoney(approvalLimit),
    text: ({ approvalLimit }) => approvalLimit ?? '',
  },
  {
    name: words.status,
    show: ({ active }) => <StatusBadge isActive={active} />,
    text: ({ active }) => (active ? pageTexts.companies.active : pageTexts.companies.inactive),
  },
];

/** What narrows the list of people besides its search, as it stands in the address. */
function useFilters() {
  const { value } = useAddressState();
  const role = COMPANY_ROLES.find((known) => known === value('role'));
  return {
    ...(value('departmentId') === '' ? {} : { departmentId: value('departmentId') }),
    ...(value('bandId') === '' ? {} : { bandId: value('bandId') }),
    ...(role === undefined ? {} : { role }),
    ...(value('activeOnly') === 'true' ? { activeOnly: true } : {}),
    ...(value('guests') === 'true' ? { guests: true } : {}),
  };
}

/** The people of a company. */
export function PeoplePage({ profile }: { profile: Person }) {
  return (
    <CompanyList<ListedPerson, ReturnType<typeof useFilters>>
      profile={profile}
      title={texts.pages.people}
      lead={words.lead}
      searchHint={words.searchHint}
      kind="people"
      filters={useFilters()}
      load={(client, query, signal) => client.get('/api/users/list', query, signal)}
      file={{ name: 'people', columns: COLUMNS }}
      actions={({ id }) =>
        (isSuperAdmin(profile) || administers(profile, id)) && (
          <>
            {corporateCompanies(profile).includes(id) && (
              <Anchor component={Link} href={`/people/import?companyId=${id}`}>
                {importTexts.open}
              </Anchor>
            )}
            <AddPerson companyId={id} isListed={corporateCompanies(profile).includes(id)} />
          </>
        )
      }
      beside={({ id }) => <Filters companyId={corporateCompanies(profile).includes(id) ? id : undefined} />}
      show={(people, isStale) => (
        <DataTable label={words.table} columns={COLUMNS} rows={people} keyOf={({ id }) => id} isStale={isStale} />
      )}
    />
  );
}

/** @param companyId undefined where its departments and bands are not open */
function Filters({ companyId }: { companyId: string | undefined }) {
  const { value, change } = useAddressState();
  const departments = useDepartments(companyId);
  const bands = useBands(companyId);
  const filter = (name: string, label: string, every: string, choices: readonly { value: string; label: string }[]) => (
    <NativeSelect
      label={label}
      data={[{ value: '', label: every }, ...choices]}
      value={value(name)}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      maw="12rem"
    />
  );
  const byName = (things: readonly { id: string; name: string }[] | undefined) =>
    (things ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      {companyId && filter('departmentId', words.department, words.everyDepartment, byName(departments))}
      {companyId && filter('bandId', words.band, words.everyBand, byName(bands))}
      {filter(
        ...(['role', words.role, words.everyRole] as const),
        COMPANY_ROLES.map((role) => ({ value: role, label: roleName(role) })),
      )}
      {(['activeOnly', 'guests'] as const).map((name) => (
        <Switch
          key={name}
          label={words[name]}
          checked={value(name) === 'true'}
          onChange={(event) => change({ [name]: event.currentTarget.checked ? 'true' : '' })}
          mt={32}
        />
      ))}
    </>
  );
}
