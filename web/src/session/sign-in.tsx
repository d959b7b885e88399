import { Alert, Badge, Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ConsoleConfig, createClient } from '../api/client.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { roleName, texts } from '../texts.ts';
import { leaveForProvider, type Provider } from './provider-sign-in.ts';
import { useSession } from './session.tsx';
import classes from './sign-in.module.css';

const anonymous = createClient(undefined, () => undefined);

/** How one signs in here, as the service says. */
export function useConsoleConfig() {
  return useQuery({
    queryKey: ['console-config'],
    queryFn: async ({ signal }) => (await anonymous.get('/console/config', undefined, signal)).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The ways to sign in that there are, and what came of the last try. */
export function SignIn({ problem }: { problem?: string | undefined }) {
  const config = useConsoleConfig();
  const { signIn } = useSession();
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();

  const attempt = async (token: string, name: string) => {
    setBusy(name);
    setFailure(undefined);
    await signIn(token).catch((error: Error) => setFailure(error.message || texts.states.offline));
    setBusy(undefined);
  };
  const shown = failure ?? problem;
  return (
    <Stack gap="md">
      {shown !== undefined && (
        <Alert color="red" title={texts.signIn.refused} role="alert">
          {shown}
        </Alert>
      )}
      {config.isPending && <Loading rows={3} />}
      {config.isError && <Failed error={config.error} again={() => void config.refetch()} />}
      {config.data?.signIn === 'demo' && <DemoPeople config={config.data} busy={busy} attempt={attempt} />}
      {config.data?.signIn === 'provider' && config.data.provider && <AtProvider provider={config.data.provider} />}
      {config.data?.signIn === 'token' && <WithToken busy={busy !== undefined} attempt={attempt} />}
    </Stack>
  );
}

interface Attempt {
  attempt: (token: string, name: string) => Promise<void>;
}

function DemoPeople({ config, busy, attempt }: Attempt & { config: ConsoleConfig; busy: string | undefined }) {
  return (
    <Stack gap="sm">
      <Text>{texts.signIn.demo}</Text>
      <ul className={classes.people}>
        {config.people?.map(({ email, name, company, roles, active, token }) => (
          <li key={email}>
            <button
              type="button"
              className={classes.person}
              disabled={busy !== undefined}
              aria-busy={busy === email}
              onClick={() => void attempt(token, email)}
            >
              <span className={classes.who}>
                <bdi className={classes.name}>{name}</bdi>
                <span className={classes.email}>
                  <bdi>{email}</bdi> · <bdi>{company}</bdi>
                </span>
              </span>
              <Group gap={4} component="span">
                {roles.map((role) => (
                  <Badge key={role} component="span" variant="light">
                    {roleName(role)}
                  </Badge>
                ))}
                {!active && (
                  <Badge component="span" variant="light" color="gray">
                    {texts.signIn.deactivated}
                  </Badge>
                )}
              </Group>
            </button>
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        {texts.signIn.demoNote}
      </Text>
    </Stack>
  );
}

/** Leaves for the provider, and comes back to where one was with what one had typed. */
export function AtProvider({ provider }: { provider: Provider }) {
  const { draft, userId, hasSignedOut } = useSession();
  const leave = () => {
    const kept = userId === undefined ? {} : { draft: { userId, fields: draft } };
    void leaveForProvider(provider, { path: location.pathname + location.search, ...kept }, hasSignedOut);
  };
  return (
    <Stack gap="sm" align="flex-start">
      <Text>{texts.signIn.provider}</Text>
      <Button onClick={leave}>{texts.signIn.providerButton}</Button>
      <Text size="sm" c="dimmed">
        <bdi>{provider.issuer}</bdi>
      </Text>
    </Stack>
  );
}

function WithToken({ busy, attempt }: Attempt & { busy: boolean }) {
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget).get('token') ?? '').trim();
    setMissing(token === '');
    if (token !== '') void attempt(token, 'token');
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" align="stretch">
        <PasswordInput
          name="token"
          label={texts.signIn.token}
          description={texts.signIn.tokenNote}
          error={missing ? texts.signIn.tokenMissing : undefined}
          autoComplete="off"
        />
        <Button type="submit" loading={busy}>
          {texts.shell.signIn}
        </Button>
      </Stack>
    </form>
  );
}
