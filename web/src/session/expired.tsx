import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts.ts';
import { useSession } from './session.tsx';
import { SignIn, useConsoleConfig } from './sign-in.tsx';
import { useProfile } from './use-profile.ts';

/** Stands over the page when the token has run out: the page, and what was typed in it, stay as they are. */
export function Expired() {
  const { expired, signIn, signOut } = useSession();
  const { data } = useProfile();
  const config = useConsoleConfig();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (expired === undefined) return null;

  const email = data?.profile.email;
  const isDemoPerson = config.data?.people?.some((person) => person.email === email) === true;
  const again = async () => {
    setBusy(true);
    setFailure(undefined);
    // The tokens that the page was given at its start may have run out as well.
    const fresh = await config.refetch();
    const token = fresh.data?.people?.find((person) => person.email === email)?.token;
    await signIn(token ?? '').catch((error: Error) => setFailure(error.message || texts.states.offline));
    setBusy(false);
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={texts.expired.title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      lockScroll={false}
      centered
    >
      <Stack>
        <Text>{texts.expired.lead}</Text>
        <Text size="sm" c="dimmed">
          {failure ?? expired}
        </Text>
        {isDemoPerson ? (
          <Button loading={busy} onClick={() => void again()} data-autofocus>
            {texts.expired.as(`${data?.profile.firstName} ${data?.profile.lastName}`)}
          </Button>
        ) : (
          <SignIn />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={signOut}>
            {texts.expired.other}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
