import { NativeSelect, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RequestError } from '../api/client.ts';
import type { Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { MoneyIn } from '../session/money.tsx';
import { type CompanyChoice, useCompany } from '../session/use-company.ts';
import { hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { type Crumb, Crumbs, companyCrumbs, TextLink } from './links.tsx';
import { PageHead, Pending } from './states.tsx';
import { Note } from './text.tsx';

export interface CompanyPageProps {
  profile: Person;
  title: string;
  lead: (company: string) => string;
  /** The lead for all companies at once, if a Super Admin may view that. */
  leadOfAll?: string;
  /** The pages above this one. */
  crumbs?: readonly Crumb[];
  /** Whether the user may see the page of a company; absent: of all of theirs. */
  mayOpen?: (companyId: string) => boolean;
  /** Content next to the title. */
  actions?: (company: CompanyChoice) => ReactNode;
  children: (company: CompanyChoice) => ReactNode;
}

/** Who sees what others may not. */
export const FOR_ADMINS = t('Only Corporate Admins see this, for their own company, and Super Admins.');

/** The value of the choice while no company is chosen. */
const NONE = 'none';

/** A page about one company, for users who are responsible for it. Those responsible for several choose one, which is remembered. */
export function CompanyPage({ profile, crumbs = [], children, ...page }: CompanyPageProps) {
  const { title, lead, leadOfAll, actions, mayOpen } = page;
  const { companies, chosen, choose } = useCompany(profile, leadOfAll !== undefined && isSuperAdmin(profile));
  const choices = companies.map(({ id, name }) => ({ value: id, label: name ?? t('Loading …') }));
  const above = chosen && chosen.id !== '' && hasPlatformAccess(profile) ? companyCrumbs(chosen) : [];
  return (
    <MoneyIn currency={chosen?.currency}>
      <Crumbs of={[...above, ...crumbs]} />
      <PageHead title={title} lead={chosen && (chosen.id === '' ? leadOfAll : lead(isolated(chosen.name ?? '…')))}>
        {chosen && actions?.(chosen)}
        {(companies.length > 1 || (!chosen && companies.length > 0)) && (
          <NativeSelect
            label={t('Company')}
            data={chosen ? choices : [{ value: NONE, label: t('Choose a company') }, ...choices]}
            value={chosen?.id ?? NONE}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
      </PageHead>
      {!chosen && <NoCompany isStaff={isSuperAdmin(profile)} />}
      {chosen && (mayOpen?.(chosen.id) === false ? <Text>{FOR_ADMINS}</Text> : children(chosen))}
    </MoneyIn>
  );
}

function NoCompany({ isStaff }: { isStaff: boolean }) {
  return (
    <Note color="gray" maw={640}>
      {isStaff ? (
        <TextLink href="/companies" inherit={false}>
          {t('Choose a company')}
        </TextLink>
      ) : (
        t('This link is about a company in which you are neither Corporate Admin nor Manager.')
      )}
    </Note>
  );
}

interface RecordPageProps<Data> {
  found: UseQueryResult<{ data: Data; version: string }>;
  /** The pages above, which are shown also if the object does not exist. */
  crumbs: readonly Crumb[];
  children: (data: Data, version: string) => ReactNode;
}

/** The page of one object in all its states: loading, failed, not found, loaded. */
export function RecordPage<Data>({ found, crumbs, children }: RecordPageProps<Data>) {
  return (
    <>
      <Crumbs of={crumbs} />
      {found.data ? children(found.data.data, found.data.version) : <Absent found={found} />}
    </>
  );
}

function Absent({ found }: { found: UseQueryResult }) {
  const { error } = found;
  const isNotThere = error instanceof RequestError && [400, 403, 404].includes(error.status);
  if (isNotThere) return <PageHead title={t('Page not found')} lead={t('Not found, or you don’t have access.')} />;
  return <Pending of={found} />;
}
