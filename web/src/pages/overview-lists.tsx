import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Policy } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { overviewTexts as words } from '../texts.ts';
import { Entry, Moment } from './history-entry.tsx';
import { entriesOf } from './history-groups.ts';
import classes from './overview.module.css';
import { Card } from './overview-card.tsx';
import { warningTexts } from './policy-parts.tsx';
import { useHighestLimits } from './use-highest-limits.ts';

/** Changes that are read, and entries that are shown. */
const [CHANGES, ENTRIES] = [30, 6];

/** The policies that let amounts through without approval, or that nobody can approve beyond an amount. */
export function PoliciesToLookAt({ companyId, policies }: { companyId: string; policies: Policy[] | undefined }) {
  const roles = new Set((policies ?? []).flatMap(({ levels }) => levels.map(({ roleRequired }) => roleRequired)));
  const { highest, isReady } = useHighestLimits(companyId, roles);
  const found = (policies ?? [])
    .map((policy) => ({ policy, warnings: warningTexts(policy, highest) }))
    .filter(({ warnings }) => warnings.length > 0);
  return (
    <Card title={words.policyWarnings} all={{ href: `/policies?companyId=${companyId}`, label: words.allPolicies }}>
      {policies === undefined || !isReady ? (
        <Loading rows={3} />
      ) : (
        <Lines none={policies.length === 0 ? words.none : words.noWarnings}>
          {found.slice(0, ENTRIES).map(({ policy: { id, name }, warnings }) => (
            <li key={id}>
              <Anchor component={Link} href={`/policies/${encodeURIComponent(id)}`} inherit>
                <bdi>{name}</bdi>
              </Anchor>
              : {warnings.join(' ')}
            </li>
          ))}
        </Lines>
      )}
      {found.length > ENTRIES && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.more(formatCount(found.length - ENTRIES))}
        </Text>
      )}
    </Card>
  );
}

/** The webhooks that fail, or were disabled for failing. @param companyId undefined: those of all companies */
export function FailingWebhooks({ companyId }: { companyId: string | undefined }) {
  const { client, userId } = useSession();
  const query = { ...(companyId === undefined ? {} : { companyId }), page: 1, limit: 100 };
  const list = useQuery({
    queryKey: ownKey(userId, 'webhooks', query),
    queryFn: ({ signal }) => client.get('/api/webhooks/list', query, signal),
  });
  const failing = (list.data?.data ?? []).filter((one) => one.failedAttempts > 0 || one.disabledReason !== null);
  return (
    <Card
      title={words.webhooks}
      all={{ href: `/webhooks${companyId === undefined ? '' : `?companyId=${companyId}`}`, label: words.allWebhooks }}
    >
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={2} />}
      {list.data && (
        <Lines none={list.data.data.length === 0 ? words.none : words.noFailing}>
          {failing.map(({ id, url, description, failedAttempts, active }) => (
            <li key={id}>
              <Anchor component={Link} href={`/webhooks/${id}`} inherit>
                <bdi>{description ?? url}</bdi>
              </Anchor>
              : {active ? words.failing(formatCount(failedAttempts)) : words.disabled}
            </li>
          ))}
        </Lines>
      )}
    </Card>
  );
}

/** The latest changes of the company. */
export function LatestChanges({ companyId }: { companyId: string }) {
  const { client, userId } = useSession();
  const query = { companyId, page: 1, limit: CHANGES };
  const list = useQuery({
    queryKey: ownKey(userId, 'history', query),
    queryFn: ({ signal }) => client.get('/api/audit/list', query, signal),
  });
  return (
    <Card title={words.changes} all={{ href: `/history?companyId=${companyId}`, label: words.allChanges }}>
      {list.isError && <Failed error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={3} />}
      {list.data && (
        <Lines none={words.none}>
          {entriesOf(list.data.data)
            .slice(0, ENTRIES)
            .map((entry) => (
              <li key={entry.changes[0].id}>
                <Text size="xs" c="dimmed" component="div">
                  <Moment iso={entry.changes[0].changedAt} />
                </Text>
                <Entry entry={entry} />
              </li>
            ))}
        </Lines>
      )}
    </Card>
  );
}

/** @param none the text if there are no lines */
export function Lines({ none, children }: { none: string; children: ReactNode[] }) {
  return children.length === 0 ? <Text size="sm">{none}</Text> : <ul className={classes.entries}>{children}</ul>;
}
