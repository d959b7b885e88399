import { Anchor, Badge, Button } from '@mantine/core';
import { Link } from 'wouter';
import type { ListedPerson, Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { connectionTexts } from '../lazy-texts.ts';
import { CompanyList, type WholeList } from '../parts/company-list.tsx';
import { type Column, DataTable, plain } from '../parts/data-table.tsx';
import { TO_OPEN } from '../parts/dialog.tsx';
import { Initials, StatusBadge } from '../parts/facts.tsx';
import { Amount } from '../session/money.tsx';
import { useBands, useDepartments } from '../session/use-all.ts';
import { useCompany } from '../session/use-company.ts';
import { administers, corporateCompanies, isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, profileTexts, roleName, texts, peopleTexts as words } from '../texts.ts';
import { fileColumns } from './people-file.ts';
import { PeopleFilters, usePeopleFilters } from './people-filters.tsx';
import { Selected, type Selection, useSelections } from './people-selection.tsx';
import { AddPerson } from './person-form.tsx';
import { SignInLink } from './person-sign-in.tsx';

const COLUMNS: readonly Column<ListedPerson>[] = [
  {
    name: words.name,
    show: ({ id, firstName, lastName, active }) => (
      <>
        <Initials {...{ firstName, lastName }} />
        <Anchor component={Link} href={`/people/${id}`} fw={600} mr={8}>
          <bdi>{`${firstName} ${lastName}`}</bdi>
        </Anchor>
        <StatusBadge isActive={active} />
      </>
    ),
    sort: 'name',
  },
  { name: words.email, ...plain(({ email }) => email), isSecondary: true },
  { name: words.workEmail, ...plain(({ workEmail }) => workEmail ?? ''), isOptional: true },
  { name: words.department, ...plain(({ department }) => department?.name ?? ''), isClear: true },
  { name: words.band, ...plain(({ band }) => band?.name ?? ''), isClear: true },
  {
    name: words.roles,
    isClear: true,
    // Everybody is an employee, so only the other roles are shown.
    show: ({ roles }) => (
      <>
        {roles
          .filter((role) => role !== 'EMPLOYEE')
          .map((role) => (
            <Badge key={role} variant="light" mr={4} miw="max-content">
              {roleName(role)}
            </Badge>
          ))}
      </>
    ),
  },
  {
    name: words.approvalLimit,
    isFigure: true,
    isClear: true,
    show: ({ approvalLimit }) => approvalLimit && <Amount of={approvalLimit} />,
    sort: 'approvalLimit',
  },
  { name: profileTexts.fields.phone, ...plain(({ phone }) => phone ?? ''), isOptional: true },
];

/** The column of those who have never signed in. */
const LINK: Column<ListedPerson> = {
  name: connectionTexts.link,
  show: (person) => <SignInLink person={person} isShort />,
};

/** Returns the address of the form of a person. */
function editOf({ id, firstName, lastName }: ListedPerson): string {
  const title = `${pageTexts.form.edit}: ${isolated(`${firstName} ${lastName}`)}`;
  return `/people/${id}?${new URLSearchParams({ [TO_OPEN]: title })}`;
}

/** The people of a company. */
export function PeoplePage({ profile }: { profile: Person }) {
  const filters = usePeopleFilters();
  const selectionIn = useSelections();
  const { chosen } = useCompany(profile, false);
  const listed = corporateCompanies(profile).find((id) => id === chosen?.id);
  const columns = fileColumns(useDepartments(listed), useBands(listed));
  return (
    <CompanyList<ListedPerson, ReturnType<typeof usePeopleFilters>>
      profile={profile}
      title={texts.pages.people}
      lead={words.lead}
      searchHint={words.searchHint}
      kind="people"
      filters={filters}
      load={(client, query, signal) => client.get('/api/users/list', query, signal)}
      file={{ name: 'people', columns }}
      actions={({ id }) => (
        <>
          {corporateCompanies(profile).includes(id) && (
            <Button component={Link} href={`/people/chart?companyId=${id}`} variant="default" data-screen-only>
              {words.chart}
            </Button>
          )}
          {(isSuperAdmin(profile) || administers(profile, id)) && (
            <>
              <Button component={Link} href={`/people/import?companyId=${id}`} variant="default" data-screen-only>
                {words.import}
              </Button>
              <AddPerson companyId={id} isListed={corporateCompanies(profile).includes(id)} />
            </>
          )}
        </>
      )}
      controls={({ id }) => <PeopleFilters companyId={corporateCompanies(profile).includes(id) ? id : undefined} />}
      show={(people, isStale, { id }, whole) => (
        <People
          {...{ people, isStale, whole, companyId: id, selection: selectionIn(id) }}
          isListed={corporateCompanies(profile).includes(id)}
          // Guests are managed in their own company.
          mayChange={(isSuperAdmin(profile) || administers(profile, id)) && filters.guests !== true}
          hasLinks={filters.signedIn === false}
        />
      )}
    />
  );
}

interface PeopleProps {
  people: readonly ListedPerson[];
  isStale: boolean;
  whole: WholeList<ListedPerson>;
  companyId: string;
  selection: Selection;
  isListed: boolean;
  mayChange: boolean;
  hasLinks: boolean;
}

function People({ people, isStale, whole, companyId, selection, isListed, mayChange, hasLinks }: PeopleProps) {
  return (
    <>
      <DataTable
        label={words.table}
        columns={hasLinks ? [...COLUMNS, LINK] : COLUMNS}
        rows={people}
        keyOf={({ id }) => id}
        isStale={isStale}
        ticks={mayChange ? selection.ticks : undefined}
        name="people"
        {...(mayChange ? { edit: editOf } : {})}
      />
      {mayChange && <Selected {...{ selection, whole, companyId, isListed }} />}
    </>
  );
}
