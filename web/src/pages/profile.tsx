import { Alert } from '@mantine/core';
import { Cards, Facts } from '../parts/facts.tsx';
import { Failed, Loading, PageHead } from '../parts/states.tsx';
import { useCompanyNames } from '../session/use-company.ts';
import { hasCorporateRole, useProfile } from '../session/use-profile.ts';
import { pageTexts, texts, profileTexts as words } from '../texts.ts';
import { accessFacts, moneyFacts, recordFacts, workFacts } from './person-facts.tsx';
import classes from './profile.module.css';
import { ProfileForm } from './profile-form.tsx';

/** The user's own profile: the details that they maintain, and those that others do. */
export function ProfilePage() {
  const own = useProfile();
  const names = useCompanyNames(own.data?.profile);
  if (!own.data) {
    return own.isError ? <Failed error={own.error} retry={() => void own.refetch()} /> : <Loading rows={8} />;
  }
  const { profile } = own.data;
  return (
    <>
      <PageHead title={texts.pages.profile} lead={words.lead} />
      {hasCorporateRole(profile) && !profile.company.active && (
        <Alert color="yellow" role="note" mb="md">
          {pageTexts.denied.deactivated}
        </Alert>
      )}
      <div className={classes.columns}>
        <ProfileForm own={own.data} />
        <Cards columns={2}>
          <Facts title={words.work} facts={workFacts(profile)} />
          <Facts title={words.money} facts={moneyFacts(profile)} />
          <Facts title={words.access} facts={accessFacts(profile, names)} />
          <Facts title={words.record} facts={[[words.facts.email, profile.email], ...recordFacts(profile)]} />
        </Cards>
      </div>
    </>
  );
}
