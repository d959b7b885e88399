import { Badge, Group, List, Stack, Text } from '@mantine/core';
import { uuid } from '../../../src/entities/values.ts';
import type { SignInConnection } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

/** The companies with which a connection is shared: to add, and to remove. */
export function Sharing({ connection: { id, sharedWith, agreedBy } }: { connection: SignInConnection }) {
  const { client } = useSession();
  const share = (wanted: string[]) => client.post('/api/sign-in-connections/update', { id, sharedWith: wanted });
  return (
    <Stack gap="xs" component="section" aria-label={fieldLabel('sharedWith')} mt="sm">
      <Text fw={600} size="sm">
        {fieldLabel('sharedWith')}
      </Text>
      {sharedWith.length > 0 && (
        <List size="sm" listStyleType="none">
          {sharedWith.map((companyId) => {
            const name = agreedBy.find((company) => company.id === companyId)?.name;
            const others = sharedWith.filter((each) => each !== companyId);
            return (
              <List.Item key={companyId}>
                <Group gap="xs">
                  <bdi>{name ?? companyId}</bdi>
                  <Badge color={name ? 'green' : 'gray'}>{name ? t('has agreed') : t('has not agreed yet')}</Badge>
                  <ConfirmButton
                    title={t('Share no longer with {company}', { company: isolated(name ?? companyId) })}
                    label={t('Delete')}
                    text={t('From the next request on, nobody of that company signs in by it.')}
                    done={t('Shared no longer.')}
                    run={() => share(others)}
                    size="xs"
                  />
                </Group>
              </List.Item>
            );
          })}
        </List>
      )}
      <FormButton
        title={t('Share with a company')}
        size="xs"
        fields={[{ name: 'companyId', label: t('ID of the company'), isRequired: true, rule: uuid }]}
        first={{}}
        submit={t('Share')}
        save={({ companyId }) => share([...sharedWith, String(companyId)])}
      />
    </Stack>
  );
}

/** The connections of other companies that are shared with a company: to agree, and to leave. */
export function SharedConnections({ companyId }: { companyId: string }) {
  const { client } = useSession();
  const shared = useGet('/api/sign-in-connections/shared', { companyId }).data?.data ?? [];
  return shared.map(({ id, issuer, audience, company, domains, agreed }) => (
    <Facts
      key={id}
      title={t('{issuer}, shared by {company}', { issuer: isolated(issuer), company: isolated(company.name) })}
      facts={[
        [t('Audience'), audience],
        [t('Domains'), domains.join(', ') || '–'],
      ]}
    >
      {agreed ? (
        <ConfirmButton
          title={t('Leave')}
          text={t('From the next request on, nobody of this company signs in by it.')}
          done={t('Left.')}
          run={() => client.post('/api/sign-in-connections/leave-sharing', { id, companyId })}
          size="xs"
        />
      ) : (
        <ConfirmButton
          title={t('Agree')}
          text={t(
            'Administrators of {company} then decide by which provider the people of this company sign in, with their roles here.',
            { company: isolated(company.name) },
          )}
          done={t('Agreed.')}
          run={() => client.post('/api/sign-in-connections/agree-sharing', { id, companyId })}
          size="xs"
        />
      )}
    </Facts>
  ));
}
