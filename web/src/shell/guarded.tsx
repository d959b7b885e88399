import { Alert, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Person } from '../api/types.ts';
import { TextLink } from '../parts/links.tsx';
import { PageHead, Pending } from '../parts/states.tsx';
import { MoneyIn } from '../session/money.tsx';
import { useSession } from '../session/session.tsx';
import { SignIn } from '../session/sign-in.tsx';
import { hasCorporateRole, useProfile } from '../session/use-profile.ts';
import { pageTexts, roleNames, texts } from '../texts.ts';
import type { PageName } from './page-names.ts';
import { mayOpen } from './pages.ts';

const words = pageTexts.denied;

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
  const name = texts.pages[page];
  if (!isSignedIn) {
    return (
      <>
        <PageHead title={words.signedOut(name)} lead={words.signedOutLead} />
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
      <PageHead title={words.title(name)} />
      <Alert color="gray" maw={640}>
        <Text>{reason(page, own)}</Text>
        <Text mb="sm">{words.youAre(roleNames(own.roles))}</Text>
        <TextLink href="/profile" inherit={false}>
          {words.back}
        </TextLink>
      </Alert>
    </>
  );
}

function reason(page: PageName, profile: Person): string {
  if (page === 'companies') return words.companies;
  if (page === 'keys' || page === 'webhooks') return words.administrators;
  return hasCorporateRole(profile) ? words.deactivated : words.corporate;
}
