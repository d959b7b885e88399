import { Alert, Anchor, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { type CompanyChoice, useCompany } from '../session/use-company.ts';
import { isSuperAdmin } from '../session/use-profile.ts';
import { texts } from '../texts.ts';
import { pageTexts } from '../texts-pages.ts';
import { PageHead } from './states.tsx';

interface CompanyPageProps {
  profile: Person;
  title: string;
  lead: (company: string) => string;
  /** Stands beside the title. */
  beside?: (company: CompanyChoice) => ReactNode;
  children: (company: CompanyChoice) => ReactNode;
}

/** A page about one company, for those who are responsible for it; those of several choose one, which then stays chosen. */
export function CompanyPage({ profile, title, lead, beside, children }: CompanyPageProps) {
  const { companies, chosen, choose } = useCompany(profile);
  const choices = companies.map(({ id, name }) => ({ value: id, label: name ?? texts.states.loading }));
  return (
    <>
      <PageHead title={title} lead={chosen && lead(isolated(chosen.name ?? '…'))}>
        {chosen && beside?.(chosen)}
        {(companies.length > 1 || (!chosen && companies.length > 0)) && (
          <NativeSelect
            label={pageTexts.lists.company}
            data={chosen ? choices : [{ value: '', label: pageTexts.lists.chooseCompany }, ...choices]}
            value={chosen?.id ?? ''}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        )}
      </PageHead>
      {chosen ? children(chosen) : <NoCompany isStaff={isSuperAdmin(profile)} />}
    </>
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
