import { Anchor, Group, List, SimpleGrid, Stack } from '@mantine/core';
import { Link } from 'wouter';
import type { CompanyDetail, Person } from '../api/types.ts';
import { formatCount, formatMoment, formatMoney } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Copied } from '../parts/copied.tsx';
import { Facts } from '../parts/facts.tsx';
import { OnOffButton } from '../parts/on-off-button.tsx';
import { PageHead } from '../parts/states.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Thing } from '../parts/thing.tsx';
import { useSession } from '../session/session.tsx';
import { useBands, useDepartments, usePolicies } from '../session/use-all.ts';
import { administers, corporateCompanies, hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import type { PageName } from '../shell/page-names.ts';
import { texts } from '../texts.ts';
import { companyTexts as words } from '../texts-company.ts';
import { pageTexts } from '../texts-pages.ts';
import { EditCompany } from './company-form.tsx';

const columns = pageTexts.companies;

/** A company: what the caller may see of it, and change. */
export function CompanyDetailsPage({ id, caller }: { id: string; caller: Person }) {
  const crumbs = hasPlatformAccess(caller) ? [{ href: '/companies', label: texts.pages.companies }] : [];
  return (
    <Thing
      kind="company"
      id={id.toLowerCase()}
      crumbs={() => crumbs}
      load={(client, company, signal) => client.read('/api/companies/get', { id: company }, signal)}
    >
      {(company, version) => <Shown {...{ company, version, caller }} />}
    </Thing>
  );
}

interface ShownProps {
  company: CompanyDetail;
  version: string;
  caller: Person;
}

function Shown({ company, version, caller }: ShownProps) {
  const isStaff = isSuperAdmin(caller);
  const isCorporate = corporateCompanies(caller).includes(company.id);
  const mayChange = isStaff || administers(caller, company.id);
  const listed = isCorporate ? company.id : undefined;
  const departments = useDepartments(listed);
  const bands = useBands(listed);
  const nameOf = (things: readonly { id: string; name: string }[] | undefined, id: string | null) =>
    id === null ? pageTexts.form.none : (things?.find((thing) => thing.id === id)?.name ?? id);
  return (
    <Stack>
      <PageHead title={company.name} lead={<bdi>{company.legalName}</bdi>}>
        <StatusBadge isActive={company.active} />
        {mayChange && <EditCompany {...{ company, version, caller, departments, bands }} />}
        {isStaff && <Activity company={company} />}
      </PageHead>
      <Group component="nav" gap="lg" aria-label={company.name} data-screen-only>
        {(isStaff || isCorporate) && <To page="people" id={company.id} />}
        {isCorporate && <To page="departments" id={company.id} />}
        {isCorporate && <To page="bands" id={company.id} />}
        {isCorporate && <To page="policies" id={company.id} />}
        {mayChange && <To page="keys" id={company.id} />}
        {mayChange && <To page="webhooks" id={company.id} />}
        <To page="history" id={company.id} />
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
        <Facts
          title={words.figures}
          facts={[
            [columns.users, formatCount(company._count.users)],
            [columns.bookings, formatCount(company._count.bookings)],
            [columns.creditLimit, formatMoney(company.creditLimit)],
            [columns.creditDays, formatCount(company.creditDays)],
          ]}
        />
        <Facts
          title={words.contact}
          facts={[
            [words.email, company.email],
            [columns.gstin, <Copied key="gstin" text={company.gstin} label={columns.gstin} />],
            [words.defaultDepartment, nameOf(departments, company.defaultDepartmentId)],
            [words.defaultBand, nameOf(bands, company.defaultBandId)],
            [words.created, formatMoment(company.createdAt)],
            [words.updated, formatMoment(company.updatedAt)],
            [words.id, <Copied key="id" text={company.id} label={words.id} />],
          ]}
        />
        {isCorporate && <Policies companyId={company.id} />}
      </SimpleGrid>
    </Stack>
  );
}

function To({ page, id }: { page: PageName; id: string }) {
  return (
    <Anchor component={Link} href={`/${page}?companyId=${id}`}>
      {texts.pages[page]}
    </Anchor>
  );
}

function Policies({ companyId }: { companyId: string }) {
  const policies = usePolicies(companyId);
  return (
    <Facts title={texts.pages.policies} facts={[]}>
      <List listStyleType="none">
        {policies?.map(({ id, name }) => (
          <List.Item key={id}>
            <Anchor component={Link} href={`/policies/${encodeURIComponent(id)}`}>
              <bdi>{name}</bdi>
            </Anchor>
          </List.Item>
        ))}
        {policies?.length === 0 && <List.Item>{words.noPolicies}</List.Item>}
      </List>
    </Facts>
  );
}

function Activity({ company: { id, name, active } }: { company: CompanyDetail }) {
  const { client } = useSession();
  const shown = isolated(name);
  return (
    <OnOffButton
      isOn={active}
      off={{ title: words.close, text: words.closeText(shown), done: words.closed(shown) }}
      on={{ title: words.reopen, text: words.reopenText(shown), done: words.reopened(shown) }}
      set={(isOpen) => client.post('/api/companies/update', { id, active: isOpen })}
    />
  );
}
