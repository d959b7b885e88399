import { ActionIcon, Badge, CloseButton, Group, Text } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useEffect, useMemo, useRef } from 'react';
import { Redirect, useSearch } from 'wouter';
import type { ListedPerson, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, DataTable, plain, type Ticks } from '../parts/data-table.tsx';
import { TO_OPEN } from '../parts/dialog.tsx';
import { Initials, StatusBadge } from '../parts/facts.tsx';
import { LinkButton, TextLink } from '../parts/links.tsx';
import { ownColumns, ownFileColumns, useOwnFields, useOwnFilters } from '../parts/own-fields.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { roleName } from '../roles.ts';
import { Amount } from '../session/money.tsx';
import { useBands, useDepartments } from '../session/queries.ts';
import { useCompany } from '../session/use-company.ts';
import { administers, corporateCompanies, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import classes from './people.module.css';
import { fileColumns as peopleFile } from './people-file.ts';
import { PeopleFilters, usePeopleFilters } from './people-filters.tsx';
import { Selected, useSelections } from './people-selection.tsx';
import { PersonPage } from './person.tsx';
import { AddPerson } from './person-form.tsx';
import { SignInLink } from './person-sign-in.tsx';

const COLUMNS: readonly Column<ListedPerson>[] = [
  {
    name: t('Name'),
    show: ({ id, firstName, lastName, active }) => (
      <>
        <Initials {...{ firstName, lastName }} />
        <TextLink href={`/people/${id}`} fw={600} me={8} inherit={false}>{`${firstName} ${lastName}`}</TextLink>
        <StatusBadge isActive={active} />
      </>
    ),
    sort: 'name',
  },
  { name: t('E-mail'), ...plain(({ email }) => email), isSecondary: true },
  { name: t('Work address'), ...plain(({ workEmail }) => workEmail ?? ''), isOptional: true },
  { name: t('Department'), ...plain(({ department }) => department?.name ?? ''), isClear: true },
  { name: t('Band'), ...plain(({ band }) => band?.name ?? ''), isClear: true },
  {
    name: t('Roles'),
    isClear: true,
    // Everybody is an employee, so only the other roles are shown.
    show: ({ roles }) => (
      <>
        {roles
          .filter((role) => role !== 'EMPLOYEE')
          .map((role) => (
            <Badge key={role} me={4}>
              {roleName(role)}
            </Badge>
          ))}
      </>
    ),
  },
  {
    name: t('Approval limit'),
    isFigure: true,
    isClear: true,
    show: ({ approvalLimit }) => approvalLimit && <Amount of={approvalLimit} />,
    sort: 'approvalLimit',
  },
  { name: t('Phone'), ...plain(({ phone }) => phone ?? ''), isOptional: true },
];

/** The columns of people who have never signed in, each with a link to do it. */
const WITH_LINKS: typeof COLUMNS = [
  ...COLUMNS,
  { name: t('Link to sign in'), show: (person) => <SignInLink person={person} isShort /> },
];

/** The people of a company. */
export function PeoplePage({ profile }: { profile: Person }) {
  const filters = usePeopleFilters();
  const selectionIn = useSelections();
  const { chosen } = useCompany(profile, false);
  const listed = corporateCompanies(profile).find((id) => id === chosen?.id);
  const own = useOwnFields('user', chosen?.id);
  const fileColumns = [...peopleFile(useDepartments(listed), useBands(listed)), ...ownFileColumns<ListedPerson>(own)];
  const base = filters.signedIn === false ? WITH_LINKS : COLUMNS;
  const columns = useMemo(() => [...base, ...ownColumns<ListedPerson>(own)], [base, own]);
  const ownFilters = useOwnFilters(own);
  return (
    <CompanyList
      path="/api/users/list"
      profile={profile}
      title={t('People')}
      lead={(company) => t('Everybody who works at {company}.', { company })}
      actions={({ id }) => (
        <>
          {corporateCompanies(profile).includes(id) && (
            <LinkButton href={`/people/chart?companyId=${id}`}>{t('Organisation chart')}</LinkButton>
          )}
          {(isSuperAdmin(profile) || administers(profile, id)) && (
            <>
              <LinkButton href={`/people/moves?companyId=${id}`}>{t('Moves between companies')}</LinkButton>
              <LinkButton href={`/people/mails?companyId=${id}`}>{t('Mails')}</LinkButton>
              <LinkButton href={`/people/import?companyId=${id}`}>{t('Import people')}</LinkButton>
              <AddPerson companyId={id} isListed={corporateCompanies(profile).includes(id)} />
            </>
          )}
        </>
      )}
      list={({ id: companyId }) => {
        const isListed = corporateCompanies(profile).includes(companyId);
        // Guests are managed in their own company.
        const mayChange = (isSuperAdmin(profile) || administers(profile, companyId)) && filters.guests !== true;
        const selection = selectionIn(companyId);
        return {
          searchHint: t('Name, e-mail, phone or department'),
          filters: { ...filters, ...ownFilters },
          columns,
          file: 'people',
          fileColumns,
          controls: <PeopleFilters companyId={isListed ? companyId : undefined} own={own} />,
          show: (people, isStale) => (
            <People
              {...{ people, columns, isStale, caller: profile, ticks: mayChange ? selection.ticks : undefined }}
            />
          ),
          below: (_, whole) => mayChange && <Selected {...{ selection, whole, companyId, isListed }} />,
        };
      }}
    />
  );
}

interface PeopleProps {
  people: readonly ListedPerson[];
  columns: typeof COLUMNS;
  isStale: boolean;
  /** Undefined: nobody of them can be changed. */
  ticks: Ticks<ListedPerson> | undefined;
  caller: Person;
}

/** The table of people, and on a wide screen the person who is opened, next to it. */
function People({ people, columns, isStale, ticks, caller }: PeopleProps) {
  const { value, change } = useAddressState();
  const isWide = useMediaQuery('(min-width: 88em)', false, { getInitialValueInEffect: false });
  const search = useSearch();
  const opened = value('person');
  const open = (id: string) => change({ person: id }, { replace: opened !== '' });
  const edit = (person: ListedPerson) => {
    const { id, firstName, lastName } = person;
    const title = `${t('Edit')}: ${isolated(`${firstName} ${lastName}`)}`;
    const here = id === opened ? [...new URLSearchParams(search)] : [];
    return `/people${id === opened ? '' : `/${id}`}?${new URLSearchParams([...here, [TO_OPEN, title]])}`;
  };
  if (opened !== '' && !isWide) return <Redirect to={`/people/${opened}`} replace />;
  return (
    <div className={opened === '' ? undefined : classes.beside} data-beside={opened !== ''}>
      <div>
        <DataTable
          {...{ label: t('People'), columns, rows: people, isStale, ticks, name: 'people' }}
          {...(ticks ? { edit } : {})}
          beside={isWide ? { key: opened, open } : undefined}
        />
      </div>
      {opened !== '' && <PersonBeside {...{ people, caller, opened, open }} />}
    </div>
  );
}

interface PersonBesideProps {
  people: readonly ListedPerson[];
  caller: Person;
  /** The id of the person. */
  opened: string;
  open: (id: string) => void;
}

/** A person next to the list that they stand in, with the ways to the person before and after them. */
function PersonBeside({ people, caller, opened, open }: PersonBesideProps) {
  const panel = useRef<HTMLElement>(null);
  const index = people.findIndex(({ id }) => id === opened);
  const person = people[index];
  const close = () => {
    document.querySelector<HTMLElement>('tr[aria-current] a')?.focus();
    open('');
  };
  useEffect(() => {
    if (document.activeElement?.closest('tbody')) panel.current?.focus({ preventScroll: true });
  }, []);
  // Of an event in a dialog, which may be gone by now, or in a box, Escape closes that alone.
  useHotkeys([['Escape', ({ target }) => (target as Element).closest('[role=dialog], input') ?? close()]], []);
  const step = (label: string, icon: string, next: ListedPerson | undefined) => (
    <ActionIcon variant="default" size="lg" aria-label={label} disabled={!next} onClick={() => next && open(next.id)}>
      {icon}
    </ActionIcon>
  );
  return (
    <aside
      className={classes.panel}
      aria-label={t('Opened person')}
      ref={panel}
      tabIndex={-1}
      data-of-row
      data-screen-only
    >
      <Group gap="xs" mb="sm" wrap="nowrap" className={classes.steps ?? ''}>
        {step(t('Previous person'), '↑', people[index - 1])}
        {step(t('Next person'), '↓', index < 0 ? undefined : people[index + 1])}
        <Text size="sm" c="dimmed" role="status" flex={1} miw={0} lineClamp={2}>
          {person &&
            t('{name}, {index} of {count}', {
              name: isolated(`${person.firstName} ${person.lastName}`),
              index: formatCount(index + 1),
              count: formatCount(people.length),
            })}
        </Text>
        <TextLink href={`/people/${opened}`} size="sm" ta="end">
          {t('Open the page')}
        </TextLink>
        <CloseButton onClick={close} aria-label={t('Close')} />
      </Group>
      <PersonPage key={opened} id={opened} caller={caller} isBeside />
    </aside>
  );
}
