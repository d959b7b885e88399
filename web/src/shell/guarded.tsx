import { Alert, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Person } from '../api/types.ts';
import { FOR_ADMINS } from '../parts/company-page.tsx';
import { TextLink } from '../parts/links.tsx';
import { PageHead, Pending } from '../parts/states.tsx';
import { roleNames } from '../roles.ts';
import { MoneyIn } from '../session/money.tsx';
import { useSession } from '../session/session.tsx';
import { SignIn } from '../session/sign-in.tsx';
import { hasCorporateRole, useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import type { PageName } from './page-names.ts';
import { PAGE_TITLES } from './page-names.ts';
import { mayOpen } from './pages.ts';

interface GuardedProps {
  page: PageName;
  /** The id of the object that the page is about; undefined if it is about none. */
  id: string | undefined;
  children: (profile: Person) => ReactNode;
}

/** Renders a page for users who may see it; others, who followed a link, are told why they may not and what to do. */
export function Guarded({ page, id, children }: GuardedProps) {
  const { isSignedIn } = useSession();
  const profile = useProfile();
  const name = PAGE_TITLES[page];
  if (!isSignedIn) {
    return (
      <>
        <PageHead
          title={t('Sign in to see {name}', { page: name, name: withinSentence(name) })}
          lead={t('This page shows what concerns you and your company, so it needs to know who you are.')}
        />
        <Paper withBorder p="lg" maw={640}>
          <SignIn />
        </Paper>
      </>
    );
  }
  if (!profile.data) return <Pending of={profile} />;
  const own = profile.data.profile;
  if (mayOpen(page, own, id)) return <MoneyIn currency={profile.data.currency}>{children(own)}</MoneyIn>;
  return (
    <>
      <PageHead title={t('You don’t have access to {name}', { page: name, name: withinSentence(name) })} />
      <Alert color="gray" maw={640}>
        <Text>{reason(page, own)}</Text>
        <Text mb="sm">{t('You are signed in as {roles}.', { roles: roleNames(own.roles) })}</Text>
        <TextLink href="/profile" inherit={false}>
          {t('Go to your profile')}
        </TextLink>
      </Alert>
    </>
  );
}

/** Returns the name of a page for use within an English sentence; abbreviations keep their case. */
function withinSentence(page: string): string {
  return /^[A-Z][a-z]/.test(page) ? page.charAt(0).toLowerCase() + page.slice(1) : page;
}

function reason(page: PageName, profile: Person): string {
  if (page === 'companies') return t('Only Super Admins and Platform RMs see all companies.');
  if (page === 'keys' || page === 'webhooks') return FOR_ADMINS;
  return hasCorporateRole(profile)
    ? t('Your company is deactivated. Its lists are closed until it is active again.')
    : t('Only Corporate Admins and Managers see this, for their own company.');
}
