import { Alert, Badge, Button, Group, List, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { explain, RequestError } from '../api/client.ts';
import type { ConsoleConfig } from '../api/types.ts';
import { currentPath } from '../base-path.ts';
import { isolated } from '../isolated.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { Dimmed } from '../parts/text.tsx';
import { roleName } from '../roles.ts';
import { t } from '../translate.ts';
import { BRAND } from './brand.ts';
import { configQuery, useConsoleConfig } from './console-config.ts';
import { remembered, type Stash } from './pending-sign-in.ts';
import { useDraft, useSession } from './session.tsx';
import classes from './sign-in.module.css';

const DOORS = {
  CORPORATE_ADMIN: {
    title: t('Run a company'),
    tries: [t('Ask who approves a booking of ₹60,000'), t('Import joiners from an untidy workbook')],
  },
  EMPLOYEE: {
    title: t('Travel as an employee'),
    tries: [t('See who approves what you book'), t('Change your own details')],
  },
  SUPER_ADMIN: {
    title: t('Run the platform'),
    tries: [t('See which customers need you'), t('Add a customer')],
  },
};

/** Returns a function that signs in as a demo person, with a new token if the one from the page's configuration has expired. */
export function useDemoSignIn(): (email: string) => Promise<void> {
  const { data, refetch } = useConsoleConfig();
  const { signIn } = useSession();
  return async (email) => {
    const signInBy = async (people: ConsoleConfig['people']) => {
      const person = people?.find((candidate) => candidate.email === email);
      if (!person) throw new Error(t('This person is no longer offered for the demo. Reload the page.'));
      await signIn({ access: person.token }, 'demo');
    };
    try {
      await signInBy(data?.people);
    } catch (error) {
      if (!(error instanceof RequestError && error.status === 401)) throw error;
      await signInBy((await refetch({ throwOnError: true })).data?.people);
    }
  };
}

/** The sign-in options, and the outcome of the last attempt. */
export function SignIn({ problem }: { problem?: string | undefined }) {
  const config = useConsoleConfig();
  const { signIn, domain } = useSession();
  const signInAs = useDemoSignIn();
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<string>();

  const attempt = async (name: string, way: () => Promise<void>) => {
    setBusy(name);
    setFailure(undefined);
    await way().catch((error: Error) => setFailure(explain(error)));
    setBusy(undefined);
  };
  const shown = failure ?? problem;
  return (
    <Stack gap="md">
      {shown !== undefined && (
        <Alert color="red" title={t('You are not signed in')} role="alert">
          {shown}
        </Alert>
      )}
      {config.isPending && <Loading rows={3} />}
      {config.isError && !config.data && <Failed error={config.error} retry={() => void config.refetch()} />}
      {config.data?.signIn === 'demo' && domain === undefined && (
        <DemoPeople
          people={config.data.people}
          busy={busy}
          choose={(email) => void attempt(email, () => signInAs(email))}
        />
      )}
      {config.data && <AtProvider config={config.data} failed={setFailure} />}
      {config.data?.signIn === 'token' && domain === undefined && (
        <OneField
          name="token"
          type="password"
          label={t('Access token')}
          description={t('Paste an access token. It stays in the memory of this page and is gone when you close it.')}
          button={t('Sign in')}
          problemOf={(given) => (given === '' ? t('Paste a token first.') : undefined)}
          busy={busy !== undefined}
          take={(access) => void attempt('token', () => signIn({ access }, 'token'))}
        />
      )}
    </Stack>
  );
}

interface DemoPeopleProps {
  people: ConsoleConfig['people'];
  /** The e-mail address of the person being signed in. */
  busy: string | undefined;
  choose: (email: string) => void;
}

interface DoorProps extends Omit<DemoPeopleProps, 'people'> {
  door: keyof typeof DOORS;
  person: NonNullable<ConsoleConfig['people']>[number];
}

/** A way to look at the demo: as whom, and what to try. */
function Door({ door, person: { email, name }, busy, choose }: DoorProps) {
  const { title, tries } = DOORS[door];
  return (
    <Stack gap={4}>
      <Button onClick={() => choose(email)} loading={busy === email} disabled={busy !== undefined}>
        {title}
      </Button>
      <Dimmed>{t('as {name}', { name: isolated(name) })}</Dimmed>
      <List size="sm">
        {tries.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

function DemoPeople({ people, busy, choose }: DemoPeopleProps) {
  return (
    <Stack gap="sm">
      <Text fw={600}>
        {t('{name} keeps who works where, what each may book, and who approves it.', {
          name: isolated(BRAND.name),
        })}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        {(Object.keys(DOORS) as (keyof typeof DOORS)[]).map((door) => {
          const person = people?.find(({ active, roles }) => active && roles.includes(door) && roles.length === 1);
          return person && <Door key={door} {...{ door, person, busy, choose }} />;
        })}
      </SimpleGrid>
      <Text>{t('Or choose somebody else of the demo:')}</Text>
      <ul className={classes.people}>
        {people?.map(({ email, name, company, roles, active }) => (
          <li key={email}>
            <button
              type="button"
              className={classes.person}
              disabled={busy !== undefined}
              aria-busy={busy === email}
              onClick={() => choose(email)}
            >
              <span className={classes.who}>
                <bdi className={classes.name}>{name}</bdi>
                <span className={classes.email}>
                  <bdi>{email}</bdi> · <bdi>{company}</bdi>
                </span>
              </span>
              <Group gap={4} component="span">
                {roles.map((role) => (
                  <Badge key={role} component="span" miw={0}>
                    {roleName(role)}
                  </Badge>
                ))}
                {!active && (
                  <Badge component="span" color="gray" miw={0}>
                    {t('deactivated: cannot sign in')}
                  </Badge>
                )}
              </Group>
            </button>
          </li>
        ))}
      </ul>
      <Dimmed>{t('This works on this machine alone, and only while demo data is on (DEMO_DATA).')}</Dimmed>
    </Stack>
  );
}

/**
 * Signs in at the provider, and returns to the same page with its unsaved text. Where companies have providers of their own,
 * it asks somebody who is not known for their address.
 */
function AtProvider({
  config: { provider, asksAddress },
  failed,
}: {
  config: ConsoleConfig;
  failed: (why?: string) => void;
}) {
  const queries = useQueryClient();
  const { hasDraft, stash, userId, domain, address, leaveWithDraft } = useSession();
  const { draft } = useDraft();
  const [busy, setBusy] = useState(false);
  const leave = async (by: string | undefined, hint = address) => {
    const { provider } = await queries.fetchQuery(configQuery(by));
    if (!provider)
      throw new Error(
        t('There is no sign-in for addresses of {domain}. Ask your administrator.', { domain: isolated(by ?? '') }),
      );
    const { leaveForProvider } = await import('./provider-sign-in.ts');
    const path = currentPath();
    const typed = userId === undefined ? stash?.draft : hasDraft ? { userId, fields: draft } : undefined;
    const kept: Stash = {
      path: path === '/' && stash ? stash.path : path,
      domain: by,
      ...(typed ? { draft: typed } : {}),
    };
    leaveWithDraft();
    await leaveForProvider(provider, kept, remembered()?.way === 'left' ? 'login' : undefined, hint);
  };
  const start = (by: string | undefined, hint?: string) => {
    setBusy(true);
    failed(undefined);
    leave(by, hint)
      .catch((error: Error) => failed(explain(error)))
      .finally(() => setBusy(false));
  };
  if (asksAddress && userId === undefined) {
    return (
      <>
        <OneField
          name="address"
          type="email"
          first={address}
          label={t('Your work e-mail address')}
          description={t('It leads to the sign-in of your organisation.')}
          button={t('Continue')}
          problemOf={(given) =>
            /^[^@\s]+@[^@\s]+$/.test(given)
              ? undefined
              : t('Enter an e-mail address, for example asha.rao@acme.example.')
          }
          busy={busy}
          take={(given) => start(given.slice(given.lastIndexOf('@') + 1).toLowerCase(), given)}
        />
        {provider && (
          <Button variant="subtle" onClick={() => start(undefined)}>
            {t('Sign in with an account of the platform')}
          </Button>
        )}
      </>
    );
  }
  const leadsTo = domain ?? provider?.issuer;
  if (leadsTo === undefined) return null;
  return (
    <Stack gap="sm" align="flex-start">
      <Text>{t('You sign in with your organisation’s account.')}</Text>
      <Button onClick={() => start(domain)} loading={busy}>
        {t('Sign in with your account')}
      </Button>
      <Dimmed>
        <bdi>{leadsTo}</bdi>
      </Dimmed>
    </Stack>
  );
}

interface OneFieldProps {
  name: string;
  type: 'password' | 'email';
  first?: string | undefined;
  label: string;
  description: string;
  button: string;
  /** Returns what is wrong with the text; undefined: nothing. */
  problemOf: (given: string) => string | undefined;
  busy: boolean;
  take: (given: string) => void;
}

/** A form of one field. */
function OneField({ name, type, first, label, description, button, problemOf, busy, take }: OneFieldProps) {
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget).get(name) ?? '').trim();
    const found = problemOf(given);
    setProblem(found);
    if (found === undefined) take(given);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" align="stretch">
        <TextInput
          {...{ type, name, label, description }}
          defaultValue={first}
          error={problem}
          autoComplete={type === 'email' ? 'email' : 'off'}
        />
        <Button type="submit" loading={busy}>
          {button}
        </Button>
      </Stack>
    </form>
  );
}
