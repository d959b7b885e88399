import { Alert, Anchor, Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Profile } from '../api/client.ts';
import { useSession } from '../session/session.tsx';
import { SignIn } from '../session/sign-in.tsx';
import { useProfile } from '../session/use-profile.ts';
import { mayOpen, type PageName } from '../shell/pages.ts';
import { roleNames, texts } from '../texts.ts';
import { Failed, Loading, PageHead } from './states.tsx';

/** A page for those who may see it; whoever comes by a link and may not is told why, and what to do. */
export function Guarded({ page, children }: { page: PageName; children: (profile: Profile) => ReactNode }) {
  const { isSignedIn } = useSession();
  const profile = useProfile();
  const name = texts.pages[page];
  if (!isSignedIn) {
    return (
      <>
        <PageHead title={texts.denied.signedOut(name.toLowerCase())} lead={texts.denied.signedOutLead} />
        <Paper withBorder p="lg" maw={640}>
          <SignIn />
        </Paper>
      </>
    );
  }
  if (!profile.data) {
    return profile.isError ? <Failed error={profile.error} again={() => void profile.refetch()} /> : <Loading />;
  }
  if (mayOpen(page, profile.data.profile)) return children(profile.data.profile);
  return (
    <>
      <PageHead title={texts.denied.title(name)} />
      <Alert color="gray" maw={640}>
        <Text>{page === 'companies' ? texts.denied.companies : texts.denied.corporate}</Text>
        <Text mb="sm">{texts.denied.youAre(roleNames(profile.data.profile.roles))}</Text>
        <Anchor component={Link} href="/profile">
          {texts.denied.back}
        </Anchor>
      </Alert>
    </>
  );
}
