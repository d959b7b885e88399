import { Badge, Code, Group, List, Stack, Text } from '@mantine/core';
import { domainName, proofOf } from '../../../src/entities/sign-in-connection.ts';
import { RequestError } from '../api/client.ts';
import type { SignInConnection } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Copied } from '../parts/facts.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

interface DomainsProps {
  connection: SignInConnection;
  /** The other connections of the company. */
  others: readonly SignInConnection[];
  /** The TXT records as they were last looked up. */
  records: readonly { domain: string; hasRecord: boolean }[] | undefined;
}

/** The domains whose people a connection signs in: with the state of their records, to add, to remove, and to take from another one. */
export function Domains({ connection, others, records }: DomainsProps) {
  const { client } = useSession();
  const { id, companyId, domains, missingRecords } = connection;
  const set = (wanted: string[]) => client.post('/api/sign-in-connections/update', { id, domains: wanted });
  const stateOf = (domain: string) => {
    const missing = missingRecords.find((each) => each.domain === domain);
    if (missing) return t('TXT record is gone: kept until {date}', { date: formatMoment(missing.until) });
    const record = records?.find((each) => each.domain === domain);
    if (record === undefined) return t('confirmed');
    return record.hasRecord ? t('TXT record found') : t('no TXT record');
  };
  const add = async (domain: string) => {
    try {
      return await set([...domains, domain]);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.status === 409)
        throw new Error(t('{domain} is a domain of another company.', { domain: isolated(domain) }));
      throw error.problems.length > 0
        ? new Error(
            t(
              'The TXT record of {domain} is not there yet. New ones may take an hour. A Super Admin can add the domain without it.',
              { domain: isolated(domain) },
            ),
          )
        : error;
    }
  };
  return (
    <Stack gap="xs" component="section" aria-label={t('Domains')} mt="sm">
      <Text fw={600} size="sm">
        {t('Domains')}
      </Text>
      {domains.length === 0 && <Text size="sm">{t('None: nobody comes here by their address.')}</Text>}
      {domains.length > 0 && (
        <List size="sm" listStyleType="none">
          {domains.map((domain) => (
            <List.Item key={domain}>
              <Group gap="xs">
                <bdi>{domain}</bdi>
                <Badge color="gray">{stateOf(domain)}</Badge>
                <ConfirmButton
                  title={t('Remove {domain}', { domain: isolated(domain) })}
                  label={t('Delete')}
                  text={t('People with its addresses are no longer led here.')}
                  done={t('{domain} removed.', { domain: isolated(domain) })}
                  run={() => set(domains.filter((each) => each !== domain))}
                  undo={() => set([...domains])}
                  size="xs"
                />
              </Group>
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="xs">
        <FormButton
          title={t('Add a domain')}
          size="xs"
          fields={[{ name: 'domain', label: t('Domain of e-mail addresses'), isRequired: true, rule: domainName }]}
          first={{}}
          submit={t('Check and add')}
          save={({ domain }) => add(String(domain).toLowerCase())}
        >
          {({ domain = '' }) => <TxtRecord domain={domain.trim().toLowerCase()} companyId={companyId} />}
        </FormButton>
        {others.flatMap((other) =>
          other.domains.map((domain) => (
            <ConfirmButton
              key={domain}
              title={t('Move {domain} here', { domain: isolated(domain) })}
              text={t('Until now its people sign in by {from}. From now on they sign in here, and are linked anew.', {
                from: isolated(other.issuer),
              })}
              done={t('{domain} moved.', { domain: isolated(domain) })}
              run={() => add(domain)}
              size="xs"
            />
          )),
        )}
      </Group>
    </Stack>
  );
}

/** The TXT record by which a domain names the company, to copy. */
function TxtRecord({ domain, companyId }: { domain: string; companyId: string }) {
  const { name, text: value } = proofOf(domain, companyId);
  const parts = [
    [t('Name'), name],
    [t('Value'), value],
  ] as const;
  if (domain === '') return null;
  return (
    <div>
      <Text size="sm">
        {t('Let whoever keeps your DNS add this TXT record, which shows that the domain is yours:')}
      </Text>
      {parts.map(([label, text]) => (
        <Text size="sm" key={label}>
          {`${label}: `}
          <Code>
            <Copied text={text} label={label} />
          </Code>
        </Text>
      ))}
    </div>
  );
}
