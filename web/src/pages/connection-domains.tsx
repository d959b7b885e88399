import { Badge, Code, Group, List, Stack, Text } from '@mantine/core';
import { domainName, proofOf } from '../../../src/entities/sign-in-connection.ts';
import { RequestError } from '../api/client.ts';
import type { SignInConnection } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { connectionTexts as words } from '../lazy-texts.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Copied } from '../parts/facts.tsx';
import { FormButton } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { pageTexts } from '../texts.ts';

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
  const { id, companyId, domains } = connection;
  const set = (wanted: string[]) => client.post('/api/sign-in-connections/update', { id, domains: wanted });
  const stateOf = (domain: string) => {
    const record = records?.find((each) => each.domain === domain);
    if (record === undefined) return words.confirmed;
    return record.hasRecord ? words.recordFound : words.recordMissing;
  };
  const add = async (domain: string) => {
    try {
      return await set([...domains, domain]);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (error.status === 409) throw new Error(words.taken(isolated(domain)));
      throw error.problems.length > 0 ? new Error(words.notProven(isolated(domain))) : error;
    }
  };
  return (
    <Stack gap="xs" component="section" aria-label={words.domains} mt="sm">
      <Text fw={600} size="sm">
        {words.domains}
      </Text>
      {domains.length === 0 && <Text size="sm">{words.noDomains}</Text>}
      {domains.length > 0 && (
        <List size="sm" listStyleType="none">
          {domains.map((domain) => (
            <List.Item key={domain}>
              <Group gap="xs">
                <bdi>{domain}</bdi>
                <Badge color="gray">{stateOf(domain)}</Badge>
                <ConfirmButton
                  title={words.removeDomain(isolated(domain))}
                  label={pageTexts.form.remove}
                  text={words.removeDomainText}
                  done={words.domainRemoved(isolated(domain))}
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
          title={words.addDomain}
          size="xs"
          fields={[{ name: 'domain', label: words.domain, isRequired: true, rule: domainName }]}
          first={{}}
          submit={words.checkDomain}
          save={({ domain }) => add(String(domain).toLowerCase())}
        >
          {({ domain = '' }) => <TxtRecord domain={domain.trim().toLowerCase()} companyId={companyId} />}
        </FormButton>
        {others.flatMap((other) =>
          other.domains.map((domain) => (
            <ConfirmButton
              key={domain}
              title={words.move(isolated(domain))}
              text={words.moveText(isolated(other.issuer))}
              done={words.moved(isolated(domain))}
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
    [words.recordName, name],
    [words.recordValue, value],
  ] as const;
  if (domain === '') return null;
  return (
    <div>
      <Text size="sm">{words.record}</Text>
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
