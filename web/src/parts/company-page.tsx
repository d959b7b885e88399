import { Alert, Anchor, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { MoneyIn } from '../session/money.tsx';
import { type CompanyChoice, useCompany } from '../session/use-company.ts';
import { hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, texts } from '../texts.ts';
import { type Crumb, Crumbs, companyCrumbs } from './links.tsx';
import { PageHead } from './states.tsx';

export interface CompanyPageProps {
  profile: Person;
  title: string;
  lead: (company: string) => string;
  /** The lead for all companies at once, if a Super Admin may view that. */
  leadOfAll?: string;
  /** The pages above this one. */
  crumbs?: readonly Crumb[];
  /** Content beside the title. */
  actions?: (company: CompanyChoice) => ReactNode;
  children: (company: CompanyChoice) => ReactNode;
}

/** The value of the choice while no company is chosen. */
const NONE = 'none';

/** A page about one company, for users who are responsible for it. Those responsible for several choose one, which is remembered. */
export function CompanyPage({ profile, title, lead, leadOfAll, crumbs = [], actions, children }: CompanyPageProps) {
  const { companies, chosen, choose } = useCompany(profile, leadOfAll !== undefined && isSuperAdmin(profile));
  const choices = companies.map(({ id, name }) => ({ value: id, label: name ?? texts.states.loading }));
  const above = chosen && chosen.id !== '' && hasPlatformAccess(profile) ? companyCrumbs(chosen) : [];
  return (
    <MoneyIn currency={chosen?.currency}>
      <Crumbs of={[...above, ...crumbs]} />
      <PageHead title={title} lead={chosen && (chosen.id === '' ? leadOfAll : lead(isolated(chosen.name ?? '…')))}>
        {chosen && actions?.(chosen)}
        {(companies.length > 1 || (!chosen && companies.length > 0)) && (
          <NativeSelect
            label={pageTexts.lists.company}
            data={chosen ? choices : [{ value: NONE, label: pageTexts.lists.chooseCompany }, ...choices]}
            value={chosen?.id ?? NONE}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
      </PageHead>
      {chosen ? children(chosen) : <NoCompany isStaff={isSuperAdmin(profile)} />}
    </MoneyIn>
  );
}

function NoCompany({ isStaff }: { isStaff: boolean }) {
  return (
    <Alert color="gray" maw={640} role="note">
      {isStaff ? (
        <Anchor component={Link} href="/companies">
          {pageTexts.lists.chooseCompany}
        </Anchor>
      ) : (
        pageTexts.denied.otherCompany
      )}
    </Alert>
  );
}
