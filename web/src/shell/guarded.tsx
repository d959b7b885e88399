import { Alert, Anchor, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Profile } from '../api/client.ts';
import { Failed, Loading, PageHead } from '../parts/states.tsx';
import { useSession } from '../session/session.tsx';
import { SignIn } from '../session/sign-in.tsx';
import { hasCorporateRole, useProfile } from '../session/use-profile.ts';
import { roleNames, texts } from '../texts.ts';
import type { PageName } from './page-names.ts';
import { mayOpen } from './pages.ts';

const words = texts.denied;

/** A page for those who may see it; whoever comes by a link and may not is told why, and what to do. */
export function Guarded({ page, children }: { page: PageName; children: (profile: Profile) => ReactNode }) {
  const { isSignedIn } = useSession();
  const profile = useProfile();
  const name = texts.pages[page];
  if (!isSignedIn) {
    return (
      <>
        <PageHead title={words.signedOut(name.toLowerCase())} lead={words.signedOutLead} />
        <Paper withBorder p="lg" maw={640}>
          <SignIn />
        </Paper>
      </>
    );
  }
  if (!profile.data) {
    return profile.isError ? <Failed error={profile.error} again={() => void profile.refetch()} /> : <Loading />;
  }
  const own = profile.data.profile;
  if (mayOpen(page, own)) return children(own);
  return (
    <>
      <PageHead title={words.title(name)} />
      <Alert color="gray" maw={640}>
        <Text>{reason(page, own)}</Text>
        <Text mb="sm">{words.youAre(roleNames(own.roles))}</Text>
        <Anchor component={Link} href="/profile">
          {words.back}
        </Anchor>
      </Alert>
    </>
  );
}

function reason(page: PageName, profile: Profile): string {
  if (page === 'companies') return words.companies;
  return hasCorporateRole(profile) ? words.deactivated : words.corporate;
}
