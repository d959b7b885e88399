import { Badge, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import { useLocation } from 'wouter';
import { readAmount } from '../../../src/entities/money.ts';
import type { Person, Policy } from '../api/types.ts';
import { separators, typedAmount } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { TextLink } from '../parts/links.tsx';
import { OwnFilters, ownFileColumns, useOwnFields, useOwnFilters } from '../parts/own-fields.tsx';
import { useIsPhone } from '../parts/states.tsx';
import { Dimmed, Heading } from '../parts/text.tsx';
import { useTyped } from '../parts/use-list-state.ts';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { useBands, useDepartments, useGet, usePolicies, WHOLE_POLICIES } from '../session/queries.ts';
import { useCompany } from '../session/use-company.ts';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import classes from './policies.module.css';
import { type Decision, decidedBy, decisionOf, type HighestLimit } from './policy-decision.ts';
import { PolicyForm } from './policy-form.tsx';
import { AmountBox, AUTOMATIC, decisionText, Ladder, useHighestLimits } from './policy-parts.tsx';
import { precedenceText, scopeText } from './policy-scope.ts';

/** The columns of the file. */
const COLUMNS: readonly Column<Policy>[] = [
  { name: t('Name'), ...plain(({ name }) => name) },
  { name: t('Approved automatically up to'), ...plain(({ autoApprovalLimit }) => autoApprovalLimit) },
  {
    name: t('Levels'),
    ...plain(({ levels }) =>
      levels
        .map(({ roleRequired, minAmount }) => `${roleName(roleRequired)} ${t('from {amount}', { amount: minAmount })}`)
        .join('; '),
    ),
  },
];

/** The approval policies of a company, each as a ladder, and a box to try an amount on all of them. */
export function PoliciesPage({ profile }: { profile: Person }) {
  const tried = useTyped('amount');
  const own = useOwnFields('approvalPolicy', useCompany(profile, false).chosen?.id);
  const include = own.read.length === 0 ? {} : { include: `${WHOLE_POLICIES.include},fields` };
  const filters = useOwnFilters(own);
  const amount = readAmount(tried.typed, separators);
  // One live message for all of them, after typing has stopped.
  const isSettled = amount !== undefined && readAmount(tried.settled, separators) === amount;
  return (
    <CompanyList
      path="/api/approval-policies/list"
      profile={profile}
      title={t('Approval policies')}
      lead={(company) => t('Who approves what at {company}, from which amount.', { company })}
      actions={({ id }) => administers(profile, id) && <AddPolicy companyId={id} />}
      list={({ id: companyId }) => ({
        of: { ...WHOLE_POLICIES, ...include },
        searchHint: t('Name of a policy'),
        columns: [...COLUMNS, ...ownFileColumns<Policy>(own)],
        file: 'approval-policies',
        filters,
        controls: (
          <>
            <AmountBox amount={tried} label={t('Try an amount')} />
            <OwnFilters own={own} />
          </>
        ),
        show: (policies, isStale) => (
          <>
            <VisuallyHidden role="status">
              {isSettled && <TriedOn amount={amount} count={policies.length} />}
            </VisuallyHidden>
            <Cards {...{ policies, isStale, isSettled, amount, companyId }} />
          </>
        ),
      })}
    />
  );
}

function TriedOn({ amount, count }: { amount: string; count: number }) {
  return t('{amount} is tried on {policies, plural, one {# policy} other {# policies}}.', {
    amount: useMoney().formatMoney(amount),
    policies: count,
  });
}

function AddPolicy({ companyId }: { companyId: string }) {
  const [, navigate] = useLocation();
  return (
    <DialogButton title={t('Add an approval policy')} variant="filled">
      {(close) => (
        <PolicyForm
          policy={undefined}
          companyId={companyId}
          close={close}
          done={({ id }) => navigate(`/policies/${encodeURIComponent(id)}`)}
        />
      )}
    </DialogButton>
  );
}

interface Tried {
  amount: string | undefined;
  /** Whether typing has stopped, and the possible approvers are known. */
  isSettled: boolean;
}

interface CardsProps extends Tried {
  policies: readonly Policy[];
  companyId: string;
  isStale: boolean;
}

function Cards({ policies, companyId, isStale, ...tried }: CardsProps) {
  const roles = new Set(policies.flatMap(({ levels }) => levels.map(({ roleRequired }) => roleRequired)));
  const { highest, isReady } = useHighestLimits(companyId, roles);
  const isSettled = tried.isSettled && isReady;
  const all = usePolicies(companyId) ?? [];
  const departments = useDepartments(companyId) ?? [];
  const bands = useBands(companyId) ?? [];
  return (
    <div className={classes.policies} aria-busy={isStale || !isReady}>
      {policies.map((policy) => (
        <Card
          key={policy.id}
          {...{ policy, highest, isSettled, amount: tried.amount }}
          scope={scopeText(policy, [...departments, ...bands])}
          never={precedenceText(policy, all, departments)}
        />
      ))}
    </div>
  );
}

interface CardProps extends Tried {
  policy: Policy;
  highest: HighestLimit;
  /** Whom it applies to. */
  scope: string;
  /** Why it never applies, or its id alone decides. */
  never: string | undefined;
}

function Card({ policy, highest, amount, isSettled, scope, never }: CardProps) {
  const { formatMoney } = useMoney();
  const isOff = policy.active === false;
  const tried = useDecision(policy, highest, amount, isSettled);
  const decided = isOff ? undefined : tried;
  const isPhone = useIsPhone();
  const ladder = <Ladder policy={policy} highest={highest} reached={reachedBy(decided)} />;
  const query = amount === undefined ? '' : `?${new URLSearchParams({ amount: typedAmount(amount) })}`;
  return (
    <Paper withBorder component="article" className={classes.policy}>
      <Heading>
        <TextLink href={`/policies/${encodeURIComponent(policy.id)}${query}`}>{policy.name}</TextLink>
      </Heading>
      <Group gap="xs">
        {isOff && <Badge color="gray">{t('Off')}</Badge>}
        <Dimmed>{scope}</Dimmed>
      </Group>
      {never !== undefined && (
        <Text size="sm" data-alarm>
          {never}
        </Text>
      )}
      {isPhone ? (
        <details>
          <summary>{t('Levels')}</summary>
          {ladder}
        </details>
      ) : (
        ladder
      )}
      {amount !== undefined && decided && (
        <div className={classes.answer} data-testid="approval">
          {t('{amount}: {who}', {
            amount: formatMoney(amount),
            who: decisionText({ ...decided, roles: decided.steps.map(({ roleRequired }) => roleRequired) }),
          })}
        </div>
      )}
    </Paper>
  );
}

/** Returns the decision by the rules shared with the service, which is asked only if it alone knows who can approve. */
function useDecision(policy: Policy, highest: HighestLimit, amount: string | undefined, isSettled: boolean) {
  const decided = amount === undefined ? undefined : decisionOf(policy, amount, highest);
  const isAsked = isSettled && decided?.isCertain === false && amount !== undefined;
  const asked = useGet('/api/approval-policies/evaluate', isAsked ? { id: policy.id, amount } : undefined);
  const evaluation = decided?.isCertain ? undefined : asked.data?.data;
  if (!decided || !evaluation) return decided;
  const ranks = new Set(evaluation.steps.filter(({ skipped }) => skipped === null).map(({ level }) => level));
  return {
    ...decided,
    ...decidedBy(evaluation),
    steps: policy.levels.filter(({ level }) => ranks.has(level)),
  };
}

function reachedBy(decided: Decision | undefined): string[] {
  if (decided === undefined) return [];
  return decided.decision === 'AUTO_APPROVED' ? [AUTOMATIC] : decided.steps.map(({ id }) => id);
}
