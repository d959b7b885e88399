import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { cents, nextLower } from '../../../src/entities/money.ts';
import type { Band, Policy, PolicyCheck } from '../api/types.ts';
import { formatCount, type Money } from '../format.ts';
import { isolated } from '../isolated.ts';
import { More, TextLink } from '../parts/links.tsx';
import { MonthPlot } from '../parts/plot.tsx';
import { Loading, useIsPhone } from '../parts/states.tsx';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { useAll, useGet, usePolicyCheck } from '../session/queries.ts';
import { t } from '../translate.ts';
import { useGroups } from './history.tsx';
import { Entry, Moment } from './history-entry.tsx';
import classes from './overview.module.css';
import { Card, QueryCard } from './overview-card.tsx';

/** Entries of the history that are shown. */
const [ENTRIES, ENTRIES_ON_PHONES] = [6, 3];
/** Policies that a warning names. */
const NAMED = 3;

interface PoliciesProps {
  companyId: string;
  policies: Policy[] | undefined;
  bands: Band[] | undefined;
  isAdmin: boolean;
}

/** Returns a check without amounts that nobody of the company can book. */
function withinBands(check: PolicyCheck, bands: readonly Band[]): PolicyCheck {
  const limits = bands.filter(({ _count }) => _count.users > 0).map(({ maxBookingLimit }) => maxBookingLimit);
  const canBook = (amount: string) => limits.some((limit) => limit === null || cents(amount) <= cents(limit));
  const policies = check.policies.map((policy) => ({
    ...policy,
    nobodyFrom: policy.nobodyFrom !== null && canBook(policy.nobodyFrom) ? policy.nobodyFrom : null,
  }));
  return { ...check, policies };
}

/** What needs a decision about policies, each said once with a link to its cure. */
export function PoliciesToLookAt({ companyId, policies, bands, isAdmin }: PoliciesProps) {
  const { formatMoney } = useMoney();
  const found = usePolicyCheck(companyId);
  return (
    <QueryCard
      title={t('Policies to look at')}
      all={{ href: `/policies?companyId=${companyId}`, label: t('All approval policies') }}
      found={found}
    >
      {({ data: check }) =>
        policies && bands ? (
          <Lines none={check.policies.length === 0 ? t('None.') : t('Every booking has an approver or needs none.')}>
            {warningsOf(withinBands(check, bands), policies, companyId, formatMoney).map(
              ({ text, policies: named, cure }) => (
                <li key={text} data-alarm>
                  {text} <PolicyLinks policies={named} href={`/policies?companyId=${companyId}`} />{' '}
                  {isAdmin && cure && (
                    <TextLink href={cure.href} underline="always">
                      {cure.label}
                    </TextLink>
                  )}
                </li>
              ),
            )}
          </Lines>
        ) : (
          <Loading rows={3} />
        )
      }
    </QueryCard>
  );
}

type CheckedPolicy = PolicyCheck['policies'][number];

interface PolicyWarning {
  text: string;
  policies: readonly CheckedPolicy[];
  /** Absent: the policies themselves have to change. */
  cure?: { href: string; label: string };
}

/** Returns the warnings about the active policies, those with the same cause as one. */
function warningsOf(
  check: PolicyCheck,
  policies: readonly Policy[],
  companyId: string,
  formatMoney: Money['formatMoney'],
): PolicyWarning[] {
  const { peopleWithoutPolicy } = check;
  const bare = new Set(policies.filter(({ levels }) => levels.length === 0).map(({ id }) => id));
  const active = check.policies.filter((policy) => policy.active && !bare.has(policy.id));
  const withoutLevel = check.policies.filter((policy) => policy.active && bare.has(policy.id));
  const shadowed = active.filter(({ neverApplies }) => neverApplies === 'SHADOWED');
  const ambiguous = active.filter(({ ambiguousWith }) => ambiguousWith.length > 0);
  const people = (query: object) => `/people?${new URLSearchParams({ companyId, ...query })}`;
  const failing = active.filter(({ nobodyFrom, unreachableLevels }) => nobodyFrom && unreachableLevels.length === 0);
  const amounts = new Set(failing.flatMap(({ nobodyFrom }) => nobodyFrom ?? []));
  const roles = new Set(
    active.flatMap(({ unreachableLevels }) =>
      unreachableLevels.filter(({ reason }) => reason === 'NOBODY').map(({ roleRequired }) => roleRequired),
    ),
  );
  const wrong = [
    { text: t('Without a level nobody can approve above the limit:'), policies: withoutLevel },
    { text: t('These never apply, as others come first:'), policies: shadowed },
    { text: t('These have the same precedence; give them different priorities:'), policies: ambiguous },
  ];
  return [
    ...wrong.filter((warning) => warning.policies.length > 0),
    ...[...amounts].map((amount) => ({
      text: t('Nobody can approve above {amount}.', { amount: formatMoney(nextLower(amount)) }),
      policies: failing.filter(({ nobodyFrom }) => nobodyFrom === amount),
      cure: { href: people({ sort: '-approvalLimit' }), label: t('Raise an approval limit') },
    })),
    ...[...roles].map((role) => ({
      text: t('Nobody who is active holds the role {role}.', { role: roleName(role) }),
      policies: active.filter(({ unreachableLevels }) =>
        unreachableLevels.some((level) => level.roleRequired === role),
      ),
      cure: { href: people({}), label: t('Give somebody the role') },
    })),
    ...(peopleWithoutPolicy.total === 0
      ? []
      : [
          {
            text: withoutPolicy(
              peopleWithoutPolicy.total,
              peopleWithoutPolicy.people.slice(0, 3).map((one) => isolated(`${one.firstName} ${one.lastName}`)),
            ),
            policies: [],
            cure: { href: `/policies?companyId=${companyId}`, label: t('All approval policies') },
          },
        ]),
  ];
}

function withoutPolicy(count: number, names: readonly string[]): string {
  const people = names.join(', ') + (count === names.length ? '' : ' …');
  return t('No policy applies to {count, plural, one {one person} other {# people}}: {people}.', { count, people });
}

/** The first policies that a warning is about, as links, and the number of the others. */
function PolicyLinks({ policies, href }: { policies: readonly CheckedPolicy[]; href: string }) {
  const [first, more] = [policies.slice(0, NAMED), policies.length - NAMED];
  return (
    <>
      {first.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <TextLink href={`/policies/${encodeURIComponent(id)}`}>{name}</TextLink>
        </Fragment>
      ))}
      {more <= 0 && first.length > 0 && '.'}
      <More of={more} href={href} />
    </>
  );
}

/** The webhooks that fail, or were disabled for failing. @param companyId undefined: those of all companies */
export function FailingWebhooks({ companyId }: { companyId: string | undefined }) {
  const company = companyId === undefined ? {} : { companyId };
  return (
    <QueryCard
      title={t('Webhooks that fail')}
      all={{ href: `/webhooks${companyId === undefined ? '' : `?companyId=${companyId}`}`, label: t('All webhooks') }}
      found={useAll('/api/webhooks/list', company)}
    >
      {(webhooks) => (
        <Lines none={webhooks.length === 0 ? t('None.') : t('All webhooks deliver.')}>
          {webhooks
            .filter((one) => one.failedAttempts > 0 || one.disabledReason !== null)
            .map(({ id, url, description, failedAttempts, active }) => (
              <li key={id} data-alarm>
                <TextLink href={`/webhooks/${id}`}>{description ?? url}</TextLink>:{' '}
                {active
                  ? t('{count, plural, one {# failed attempt} other {# failed attempts in a row}}', {
                      count: failedAttempts,
                    })
                  : t('disabled')}
              </li>
            ))}
        </Lines>
      )}
    </QueryCard>
  );
}

/** The people whom the reader manages; nothing for others. */
export function MyPeople({ companyId, userId }: { companyId: string; userId: string }) {
  const query = { companyId, managerId: userId, activeOnly: true };
  const { data: page } = useGet('/api/users/list', { ...query, limit: ENTRIES });
  if (!page || page.data.length === 0) return null;
  const href = `/people?${new URLSearchParams({ companyId, managerId: userId, activeOnly: 'true' })}`;
  return (
    <Card title={t('My people')} all={{ href, label: t('All my people') }}>
      <Lines none="">
        {page.data.map(({ id, firstName, lastName, employment }) => (
          <li key={id}>
            <TextLink href={`/people/${id}`}>{`${firstName} ${lastName}`}</TextLink>{' '}
            <Text span size="sm" c="dimmed">
              <bdi>{employment?.jobTitle}</bdi>
            </Text>
          </li>
        ))}
      </Lines>
      <More of={page} href={href} />
    </Card>
  );
}

/** How many people worked at the company in each of the last months. */
export function PeopleByMonth({ companyId }: { companyId: string }) {
  return (
    <QueryCard
      title={t('People by month')}
      all={{ href: `/people?companyId=${companyId}`, label: t('All people') }}
      found={useGet('/api/companies/get', { id: companyId, include: 'headCounts' })}
    >
      {({ data: { headCounts = [] } }) => (
        <MonthPlot
          label={t('People by month')}
          items={headCounts.map(({ month, people }) => ({ month, value: people, text: formatCount(people) }))}
        />
      )}
    </QueryCard>
  );
}

/** The latest changes of the company. */
export function LatestChanges({ companyId }: { companyId: string }) {
  const isPhone = useIsPhone();
  const found = useGroups({ companyId, page: 1, limit: ENTRIES });
  return (
    <QueryCard
      title={t('Latest changes')}
      all={{ href: `/history?companyId=${companyId}`, label: t('All changes') }}
      found={found}
    >
      {({ data }) => (
        <Lines none={t('None.')}>
          {data.slice(0, isPhone ? ENTRIES_ON_PHONES : ENTRIES).map((group) => (
            <li key={group.id}>
              <Text size="xs" c="dimmed" component="div">
                <Moment iso={group.changedAt} />
              </Text>
              <Entry group={group} />
            </li>
          ))}
        </Lines>
      )}
    </QueryCard>
  );
}

/** @param none the text if there are no lines */
export function Lines({ none, children }: { none: string; children: ReactNode[] }) {
  return children.length === 0 ? <Text size="sm">{none}</Text> : <ul className={classes.entries}>{children}</ul>;
}
