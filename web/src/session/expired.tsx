import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { explain } from '../api/client.ts';
import type { Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { t } from '../translate.ts';
import { useConsoleConfig } from './console-config.ts';
import { useSignOut } from './import-drafts.tsx';
import { useSession } from './session.tsx';
import { SignIn, useDemoSignIn } from './sign-in.tsx';
import { useProfile } from './use-profile.ts';

/** The dialog over the page when the token has expired: the page, and what was typed in it, stay as they are. */
export function Expired() {
  const { expired } = useSession();
  const { data } = useProfile();
  const profile = data?.profile;
  const isOpen = expired !== undefined && profile !== undefined;
  return (
    <Modal.Root
      opened={isOpen}
      onClose={() => undefined}
      closeOnEscape={false}
      closeOnClickOutside={false}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      centered
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="lg">{isOpen && <Again {...{ profile, reason: expired }} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Again({ profile, reason }: { profile: Person; reason: string }) {
  const config = useConsoleConfig();
  const { domain } = useSession();
  const signInAs = useDemoSignIn();
  const signOut = useSignOut();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { email, firstName, lastName } = profile;
  const isDemoPerson = domain === undefined && config.data?.people?.some((person) => person.email === email) === true;
  const again = async () => {
    setBusy(true);
    setFailure(undefined);
    await signInAs(email).catch((error: Error) => setFailure(explain(error)));
    setBusy(false);
  };
  return (
    <Stack>
      <Modal.Title fw={600}>{t('Sign in again')}</Modal.Title>
      <Text>{t('Your session has expired. Your changes are kept.')}</Text>
      <Text size="sm" c="dimmed" role="status">
        {failure ?? reason}
      </Text>
      {isDemoPerson ? (
        <Button loading={busy} onClick={() => void again()} data-autofocus>
          {t('Sign in again as {name}', { name: isolated(`${firstName} ${lastName}`) })}
        </Button>
      ) : (
        <SignIn />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={signOut}>
          {t('Sign out instead')}
        </Button>
      </Group>
    </Stack>
  );
}
