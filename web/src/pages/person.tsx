import { List, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { FullPerson, Person, ShownPerson } from '../api/types.ts';
import { formatDate } from '../format.ts';
import { isolated } from '../isolated.ts';
import { RecordPage } from '../parts/company-page.tsx';
import { OnOffButton } from '../parts/confirm-button.tsx';
import { Cards, Copied, Facts, StatusBadge } from '../parts/facts.tsx';
import { type Crumb, companyCrumbs, HistoryButton, More, TextLink } from '../parts/links.tsx';
import { ownFacts, useOwnFields } from '../parts/own-fields.tsx';
import { PageHead } from '../parts/states.tsx';
import { Dimmed, Note } from '../parts/text.tsx';
import { MoneyOf } from '../session/money.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { useCompanyNames } from '../session/use-company.ts';
import { administers, corporateCompanies, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { GuestRoles } from './guest-roles.tsx';
import { AccessLoss, LeftBehind, rolesHere } from './person-access-loss.tsx';
import { PersonApprovals } from './person-approvals.tsx';
import { accessFacts, assignmentFacts, employmentFacts, moneyFacts, recordFacts } from './person-facts.tsx';
import { isProtected, PROTECTED } from './person-fields.ts';
import { EditPerson } from './person-form.tsx';
import { PersonOwnRoles } from './person-own-roles.tsx';
import { PersonRoles } from './person-roles.tsx';
import { PersonSignIn } from './person-sign-in.tsx';
import { Substitution } from './substitution.tsx';
import { WhoApproves } from './who-approves.tsx';

/** Returns the breadcrumbs of a person: the people of the company, for platform staff below the company. */
function crumbsOf(person: ShownPerson | undefined, caller: Person): Crumb[] {
  const label = t('People');
  if (!person || !isFullyKnown(person) || corporateCompanies(caller).includes(person.companyId))
    return [{ href: '/people', label }];
  return [...companyCrumbs(person.company), { href: `/people?companyId=${person.companyId}`, label }];
}

interface PersonPageProps {
  caller: Person;
  /** Whether the person is shown next to a list, not on a page of their own. */
  isBeside?: boolean | undefined;
}

/** The page of a person, for users who are responsible for their company. */
export function PersonPage({ id, caller, isBeside }: PersonPageProps & { id: string }) {
  const found = useGet('/api/users/get', { id, include: 'directory' });
  return (
    <RecordPage<ShownPerson> found={found} crumbs={isBeside ? [] : crumbsOf(found.data?.data, caller)}>
      {(person, version) =>
        isFullyKnown(person) ? (
          <MoneyOf companyId={person.companyId}>
            <Shown {...{ person, version, caller, isBeside }} />
          </MoneyOf>
        ) : (
          <Guest {...{ person, caller, isBeside }} />
        )
      }
    </RecordPage>
  );
}

/** Returns whether a person is not a guest: the service hides a guest's own company. */
function isFullyKnown(person: ShownPerson): person is FullPerson {
  return person.companyId !== null;
}

type Named = Pick<ShownPerson, 'firstName' | 'lastName' | 'email' | 'active'>;

function Head({
  person,
  isBeside = false,
  children,
}: Omit<PersonPageProps, 'caller'> & { person: Named; children?: ReactNode }) {
  return (
    <PageHead
      isPart={isBeside}
      title={`${person.firstName} ${person.lastName}`}
      lead={<Copied text={person.email} label={t('E-mail')} />}
    >
      <StatusBadge isActive={person.active} />
      {children}
    </PageHead>
  );
}

function Guest({ person, caller, isBeside }: PersonPageProps & { person: ShownPerson }) {
  return (
    <Stack>
      <Head {...{ person, isBeside }} />
      <Note color="gray">
        {t('A guest, who works at another company: no more is known here than the roles that they hold in yours.')}
      </Note>
      <GuestRoles person={person} caller={caller} />
    </Stack>
  );
}

function Shown({ person, version, caller, isBeside }: PersonPageProps & { person: FullPerson; version: string }) {
  const names = useCompanyNames(caller);
  const { directory } = person as ShownPerson;
  const mayChange = isSuperAdmin(caller) || administers(caller, person.companyId);
  const isLast = useIsLastAdmin(person, mayChange && !isSuperAdmin(caller));
  const isOfCompany = corporateCompanies(caller).includes(person.companyId);
  const own = ownFacts(useOwnFields('user', person.companyId), person);
  const name = isolated(`${person.firstName} ${person.lastName}`);
  return (
    <Stack>
      <Head {...{ person, isBeside }}>
        <HistoryButton query={{ userId: person.id }} />
        {mayChange && <EditPerson {...{ person, version, caller, directory }} />}
        {mayChange && !isProtected(person, caller) && <Activity {...{ person, name, caller }} />}
      </Head>
      {mayChange && isProtected(person, caller) && <Note color="gray">{PROTECTED}</Note>}
      {mayChange && directory && (
        <Note color="gray">
          {t(
            '{name} keeps this person up to date: what you change of their names, addresses, phone and department is taken back when it sends them again.',
            { name: isolated(directory.name) },
          )}
        </Note>
      )}
      {isLast && (
        <Note>
          {person.id === caller.id
            ? t('You are the only active Corporate Admin of this company. Give the role to somebody else first.')
            : t('They are the only active Corporate Admin of this company. Give the role to somebody else first.')}
        </Note>
      )}
      {isOfCompany && person.works && (
        <WhoApproves title={t('May they book this?')} companyId={person.companyId} userId={person.id} hasOthers />
      )}
      <Cards columns={3}>
        <PersonalDetails person={person} />
        <Facts
          title={t('Work')}
          facts={[...assignmentFacts(person, !isOfCompany), ...employmentFacts(person.employment, true)]}
        >
          <Reports person={person} />
        </Facts>
        <Substitution
          substitution={person.substitution}
          planned={person.substitutions}
          companyId={person.companyId}
          known={[]}
          isOwn={person.id === caller.id}
          mayChange={mayChange || person.id === caller.id}
        />
        <Facts title={t('Limits and points')} facts={moneyFacts(person)} />
        {own.length > 0 && <Facts title={t('Further details')} facts={own} />}
        {mayChange ? (
          <PersonRoles person={person} caller={caller} names={names} />
        ) : (
          <Facts title={t('Roles')} facts={accessFacts(person, names)} />
        )}
        {mayChange && <PersonOwnRoles person={person} />}
        <PersonSignIn person={person} mayForget={mayChange && !isProtected(person, caller)} />
        <Facts title={t('Account')} facts={recordFacts(person)} />
        {isOfCompany && <PersonApprovals person={person} />}
      </Cards>
    </Stack>
  );
}

/** The people whom a person manages, each a link: with the manager above, the organisation can be walked. */
function Reports({ person: { id, companyId } }: { person: FullPerson }) {
  const query = { companyId, managerId: id, limit: 100 };
  const reports = useGet('/api/users/list', query);
  if (!reports.data || reports.data.data.length === 0) return null;
  return (
    <nav aria-label={t('Manages')}>
      <Dimmed mt="xs">{t('Manages')}</Dimmed>
      <TextLink href={`/people/chart?${new URLSearchParams({ companyId, userId: id })}`} size="sm">
        {t('Organisation chart')}
      </TextLink>
      <List size="sm">
        {reports.data.data.map((report) => (
          <List.Item key={report.id}>
            <TextLink href={`/people/${report.id}`}>{`${report.firstName} ${report.lastName}`}</TextLink>
          </List.Item>
        ))}
      </List>
      <More of={reports.data} href={`/people?${new URLSearchParams({ companyId, managerId: id })}`} />
    </nav>
  );
}

/** The details that people maintain themselves; the missing ones are listed in one line. */
function PersonalDetails({ person }: { person: Person }) {
  const { phone, dateOfBirth, gender, addressLine1, addressLine2, pincode } = person;
  const facts: [string, string | null][] = [
    [t('Phone'), phone],
    [t('Date of birth'), dateOfBirth && formatDate(dateOfBirth)],
    [t('Gender'), gender],
    [t('Address'), addressLine1],
    [t('Address, second line'), addressLine2],
    [t('PIN code'), pincode],
  ];
  const missing = facts.flatMap(([name, value]) =>
    value === null && name !== t('Address, second line') ? [name] : [],
  );
  return (
    <Facts title={t('Personal details')} facts={facts.filter((fact): fact is [string, string] => fact[1] !== null)}>
      {missing.length > 0 && <Dimmed mt={4}>{t('Not set yet: {fields}', { fields: missing.join(', ') })}</Dimmed>}
    </Facts>
  );
}

function Activity({ person, name, caller }: { person: Person; name: string; caller: Person }) {
  const { client } = useSession();
  const [revokeKeys, setRevokeKeys] = useState(false);
  const roles = rolesHere(person);
  const details = (
    <>
      <LeftBehind person={person} />
      <AccessLoss {...{ person, caller, roles, revokeKeys, setRevokeKeys }} />
    </>
  );
  return (
    <OnOffButton
      isOn={person.active}
      isFinal={revokeKeys}
      off={{
        title: t('Deactivate'),
        text: t('{name} will be signed out and can no longer sign in. Their data is kept; you can reactivate them.', {
          name,
        }),
        done: t('{name} deactivated.', { name }),
        details,
      }}
      on={{
        title: t('Reactivate'),
        text: t('{name} can sign in again, with the roles that they have.', { name }),
        done: t('{name} reactivated.', { name }),
      }}
      set={(active, version) => {
        const body = { id: person.id, active, ...(!active && revokeKeys ? { revokeKeys } : {}) };
        return client.post('/api/users/update', body, { version });
      }}
      of={{ userId: person.id }}
    />
  );
}

/** Returns whether a person is the last active Corporate Admin who belongs to the company. */
function useIsLastAdmin({ id, active, companyId, companyRoles }: Person, isEnabled: boolean): boolean {
  const holds = companyRoles.some((held) => held.role === 'CORPORATE_ADMIN' && held.companyId === companyId);
  const query = { companyId, role: 'CORPORATE_ADMIN', activeOnly: true, limit: 2 } as const;
  const admins = useGet('/api/users/list', isEnabled && active && holds ? query : undefined);
  return admins.data?.data.length === 1 && admins.data.data[0]?.id === id;
}
