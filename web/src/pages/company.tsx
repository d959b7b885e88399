import { Group, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { cents } from '../../../src/entities/money.ts';
import type { Band, CompanyDetail, Department, Person } from '../api/types.ts';
import { formatCount, formatDate, formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { PERIOD_NAMES } from '../labels.ts';
import { RecordPage } from '../parts/company-page.tsx';
import { OnOffButton } from '../parts/confirm-button.tsx';
import { Cards, Copied, type Fact, Facts, StatusBadge } from '../parts/facts.tsx';
import { HistoryButton, TextLink } from '../parts/links.tsx';
import { ownFacts, useOwnFields } from '../parts/own-fields.tsx';
import { PageHead } from '../parts/states.tsx';
import { Note } from '../parts/text.tsx';
import { Amount, MoneyIn, useMoney } from '../session/money.tsx';
import { useBands, useDepartments, useGet, usePolicies } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers, corporateCompanies, hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import type { PageName } from '../shell/page-names.ts';
import { PAGE_TITLES } from '../shell/page-names.ts';
import { t } from '../translate.ts';
import { ClosePeriod, EditCompany, monthName, RecordPayment } from './company-form.tsx';
import { describedLists } from './entity-pages.ts';

/** The page of a company: what the user may see and change of it. */
export function CompanyDetailsPage({ id, caller }: { id: string; caller: Person }) {
  const crumbs = hasPlatformAccess(caller) ? [{ href: '/companies', label: t('Companies') }] : [];
  return (
    <RecordPage
      found={useGet('/api/companies/get', { id: id.toLowerCase(), include: 'brand,overCreditSince' })}
      crumbs={crumbs}
    >
      {(company, version) => (
        <MoneyIn currency={company.currency}>
          <Shown {...{ company, version, caller }} />
        </MoneyIn>
      )}
    </RecordPage>
  );
}

interface ShownProps {
  company: CompanyDetail & { overCreditSince?: string | null };
  version: string;
  caller: Person;
}

function Shown({ company, version, caller }: ShownProps) {
  const isStaff = isSuperAdmin(caller);
  const isCorporate = corporateCompanies(caller).includes(company.id);
  const { setCompanyId } = useSession();
  useEffect(() => {
    if (isStaff) setCompanyId(company.id);
  }, [isStaff, company.id, setCompanyId]);
  const mayChange = isStaff || administers(caller, company.id);
  const listed = isCorporate ? company.id : undefined;
  const departments = useDepartments(listed);
  const bands = useBands(listed);
  const policies = usePolicies(listed);
  const own = ownFacts(useOwnFields('company', company.id), company);
  const people = formatCount(company._count.users);
  const lists = [
    ...(isStaff ? (['keys', 'webhooks'] as const) : []).map((page) => ({ href: `/${page}`, name: PAGE_TITLES[page] })),
    ...(isStaff || isCorporate ? describedLists() : []),
  ];
  const counted = (page: PageName, things: readonly unknown[] | undefined): Fact[] =>
    things ? [[PAGE_TITLES[page], <To key={page} {...{ page, company }} text={formatCount(things.length)} />]] : [];
  return (
    <Stack>
      <PageHead title={company.name} lead={<bdi>{company.legalName}</bdi>}>
        <StatusBadge isActive={company.active} />
        <HistoryButton query={{ companyId: company.id }} />
        {mayChange && <EditCompany {...{ company, version, caller, departments, bands }} />}
        {mayChange && <ClosePeriod company={company} />}
        {isStaff && <RecordPayment company={company} />}
        {isStaff && <Activity company={company} />}
      </PageHead>
      <OverCredit of={company} />
      <Cards columns={2}>
        <Facts
          title={t('Figures')}
          facts={[
            [
              t('People'),
              isStaff || isCorporate ? <To key="people" page="people" {...{ company }} text={people} /> : people,
            ],
            ...counted('departments', departments),
            ...counted('bands', bands),
            ...counted('policies', policies),
            [
              t('Bookings'),
              isCorporate ? <Bookings key="bookings" of={company} /> : formatCount(company._count.bookings),
            ],
            [t('Credit limit'), <Amount key="credit" of={company.creditLimit} />],
            [t('Credit days'), formatCount(company.creditDays)],
            [t('Credit used'), <Amount key="used" of={company.creditUsed} />],
            [t('Currency'), company.currency ?? '–'],
            [t('Time zone'), company.timeZone],
            [t('Closed until'), company.closedTo === null ? '–' : formatDate(company.closedTo)],
            [t('Budgets are for'), PERIOD_NAMES[company.budgetPeriod]],
            [t('The financial year begins in'), monthName(company.fiscalYearStart)],
          ]}
        >
          {lists.length > 0 && (
            <Group component="nav" gap="lg" mt="sm" aria-label={company.name} data-screen-only>
              {lists.map(({ href, name }) => (
                <TextLink key={href} href={`${href}?companyId=${company.id}`}>
                  {name}
                </TextLink>
              ))}
            </Group>
          )}
        </Facts>
        <Facts
          title={t('Contact and defaults')}
          facts={[
            [t('E-mail of the company'), company.email],
            [t('GSTIN'), <Copied key="gstin" text={company.gstin} label={t('GSTIN')} />],
            ...useDefaults(company, { departments, bands, isStaff }),
            ...own,
            [t('Registered'), formatMoment(company.createdAt)],
            [t('Last changed'), formatMoment(company.updatedAt)],
            [t('Company id'), <Copied key="id" text={company.id} label={t('Company id')} />],
          ]}
        />
      </Cards>
    </Stack>
  );
}

/** By how much a company is over its credit limit, and since when; nothing if it is not. */
function OverCredit({ of: { overCreditSince, creditUsed, creditLimit } }: { of: ShownProps['company'] }) {
  const { formatSum } = useMoney();
  if (overCreditSince == null) return null;
  return (
    <Note color="red">
      {t('Over its credit by {amount} since {day}.', {
        amount: formatSum(cents(creditUsed) - cents(creditLimit)),
        day: formatDate(overCreditSince),
      })}
    </Note>
  );
}

function Bookings({ of: { id, _count } }: { of: CompanyDetail }) {
  const count = formatCount(_count.bookings);
  return (
    <TextLink href={`/departments/bookings?companyId=${id}`} aria-label={`${t('Bookings')}: ${count}`}>
      {count}
    </TextLink>
  );
}

/** @param text a figure, or the name of the page */
function To({ page, company, text }: { page: PageName; company: CompanyDetail; text: string }) {
  const name = PAGE_TITLES[page];
  return (
    <TextLink href={`/${page}?companyId=${company.id}`} aria-label={text === name ? undefined : `${name}: ${text}`}>
      {text}
    </TextLink>
  );
}

interface Listed {
  departments: readonly Department[] | undefined;
  bands: readonly Band[] | undefined;
  isStaff: boolean;
}

/** The defaults by name. A Super Admin cannot list them, and gets the names from people; those that remain unknown are left out. */
function useDefaults({ id, defaultDepartmentId, defaultBandId }: CompanyDetail, listed: Listed): Fact[] {
  const { departments, bands, isStaff } = listed;
  const ofPeople = (name: string, value: string | null) =>
    isStaff && !departments && value !== null ? { companyId: id, limit: 1, [name]: value } : undefined;
  const inDepartment = useGet('/api/users/list', ofPeople('departmentId', defaultDepartmentId));
  const inBand = useGet('/api/users/list', ofPeople('bandId', defaultBandId));
  const facts: [string, string | null, string | undefined][] = [
    [
      t('Default department'),
      defaultDepartmentId,
      departments?.find((one) => one.id === defaultDepartmentId)?.name ?? inDepartment.data?.data[0]?.department?.name,
    ],
    [
      t('Default band'),
      defaultBandId,
      bands?.find((one) => one.id === defaultBandId)?.name ?? inBand.data?.data[0]?.band?.name,
    ],
  ];
  return facts.flatMap(([name, chosen, text]): Fact[] => {
    const shown = chosen === null ? '–' : text;
    return shown === undefined ? [] : [[name, shown]];
  });
}

function Activity({ company: { id, name, active } }: { company: CompanyDetail }) {
  const { client } = useSession();
  const shown = isolated(name);
  return (
    <OnOffButton
      isOn={active}
      off={{
        title: t('Close the company'),
        text: t(
          'The lists of {name} are closed to its people, who can still sign in and see their profiles. Its API keys stop working and its webhooks pause. It can be reopened.',
          { name: shown },
        ),
        done: t('{name} closed.', { name: shown }),
      }}
      on={{
        title: t('Reopen'),
        text: t('The lists of {name} are open to its people again.', { name: shown }),
        done: t('{name} reopened.', { name: shown }),
      }}
      set={(isOpen, version) => client.post('/api/companies/update', { id, active: isOpen }, { version })}
      of={{ entity: 'company', entityId: id }}
    />
  );
}
