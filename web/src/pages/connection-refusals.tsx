import { Alert, Group, List, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { RefusalReason, Written } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { ActButton } from '../parts/notices.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

/** Why somebody could not sign in. */
export const REFUSALS = {
  'address absent': t('The account has no e-mail address.'),
  'address not verified': t('The provider has not verified the e-mail address.'),
  'address unknown': t('Nobody has this e-mail address.'),
  'linked to another account': t('Another account is linked: forget how they sign in.'),
  'subject is an address': t('The provider names people by their e-mail address.'),
  'user inactive': t('The person is deactivated, or outside of their employment.'),
  'platform role': t('People with a platform role sign in by the provider of the platform.'),
  'role elsewhere': t('People with a role in another company sign in by the provider of the platform.'),
  audience: t('The token was meant for another service.'),
} satisfies Record<RefusalReason, string>;

const OTHERS: Readonly<Record<string, string>> = {
  ...REFUSALS,
  form: t('It is not a token as the service expects it.'),
  length: t('The token is too long.'),
  key: t('The provider does not publish the key of the token.'),
  algorithm: t('The token is signed by another algorithm.'),
  signature: t('The signature of the token is wrong.'),
  issuer: t('The token is of another issuer.'),
  lifetime: t('The token has no end, or is valid for more than a day.'),
  'not yet valid': t('The token begins later than now.'),
  expired: t('The token has ended.'),
  use: t('It is the other kind of token.'),
  claims: t('A claim is not as this connection demands.'),
  subject: t('The claim of a person is missing.'),
};

const textOf = (reason: string, rule: string) =>
  [OTHERS[reason] ?? reason, rule].filter((text) => text !== '').join(' ');

/** A token to try at a connection, why others were refused, and the button that ends all links. */
export function ConnectionRefusals({ id }: { id: string }) {
  const { client } = useSession();
  const [token, setToken] = useState('');
  const found = useGet('/api/sign-in-connections/refusals', { id });
  const [tried, setTried] = useState<Written<'/api/sign-in-connections/test'>['data']['token']>();
  const refusals = found.data?.data ?? [];
  return (
    <>
      {refusals.length > 0 && (
        <>
          <Text size="sm" fw={500} mt="sm">
            {t('Lately refused')}
          </Text>
          <List size="sm">
            {refusals.map(({ reason, rule, claims, count, refusedAt }) => (
              <List.Item key={JSON.stringify([reason, rule, claims])}>
                {textOf(reason, rule)} {formatMoment(refusedAt)}
                {count > 1 && ` (${t('{count} times', { count })})`}
                <Text size="xs" c="dimmed">
                  {claims.join(', ')}
                </Text>
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Group gap="xs" mt="sm" align="flex-end">
        <Textarea
          label={t('Token to try')}
          description={t('Nobody is signed in by it.')}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          rows={1}
        />
        <ActButton
          {...{ size: 'xs', disabled: token.trim() === '' }}
          run={() => client.post('/api/sign-in-connections/test', { id, token: token.trim() })}
          done={({ data }) => setTried(data.token)}
        >
          {t('Try')}
        </ActButton>
        <ConfirmButton
          title={t('Forget all links')}
          size="xs"
          color="red"
          text={t(
            'Whoever signs in next with the verified address of a person is linked to them, as after a new registration of the app.',
          )}
          done={t('Links forgotten.')}
          run={() => client.post('/api/sign-in-connections/forget-links', { id })}
        />
      </Group>
      <div aria-live="polite">
        {tried && (
          <Alert color={tried.accepted ? 'green' : 'yellow'} my="sm">
            {tried.accepted ? t('The token signs in a person of the company.') : textOf(tried.reason ?? '', tried.rule)}
          </Alert>
        )}
      </div>
    </>
  );
}
