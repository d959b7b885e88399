import { Alert, List } from '@mantine/core';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { TextLink } from '../parts/links.tsx';
import { useAll } from '../session/queries.ts';
import { t } from '../translate.ts';

/** What an administrator has to see to in time: people for whom another company asks, and domains that are about to be lost. */
export function OverviewNotices({ companyId }: { companyId: string }) {
  const moves = useAll('/api/users/moves', { companyId, status: 'OPEN' }).data ?? [];
  const connections = useAll('/api/sign-in-connections/list', { companyId }).data ?? [];
  const count = moves.filter(({ fromCompany }) => fromCompany?.id === companyId).length;
  const missing = connections.flatMap(({ missingRecords }) => missingRecords);
  if (count === 0 && missing.length === 0) return null;
  const link = (href: string, label: string) => (
    <TextLink href={`${href}?companyId=${companyId}`} underline="always">
      {label}
    </TextLink>
  );
  return (
    <Alert color="yellow" title={t('To see to')} role="note" mb="md">
      <List size="sm">
        {count > 0 && (
          <List.Item>
            {t(
              '{count, plural, one {Another company asks for one person.} other {Other companies ask for # people.}}',
              { count },
            )}{' '}
            {link('/people/moves', t('Agree or decline'))}
          </List.Item>
        )}
        {missing.map(({ domain, until }) => (
          <List.Item key={domain}>
            {t('The TXT record of {domain} is gone. The domain is lost at {date}, unless it is back.', {
              domain: isolated(domain),
              date: formatMoment(until),
            })}{' '}
            {link('/keys/connections', t('Sign-in connections'))}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
