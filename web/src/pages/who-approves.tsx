import { Alert, Group, List, Stack, Text, Title } from '@mantine/core';
import { readAmount } from '../../../src/entities/money.ts';
import type { Evaluation } from '../api/types.ts';
import { separators, typedAmount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Facts } from '../parts/facts.tsx';
import { More, TextLink } from '../parts/links.tsx';
import { PersonBox } from '../parts/search-box.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Dimmed } from '../parts/text.tsx';
import { useAddressState, useTyped } from '../parts/use-list-state.ts';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { useGet, useGets, usePolicies } from '../session/queries.ts';
import { t } from '../translate.ts';
import { decidedBy } from './policy-decision.ts';
import { AmountBox, beginning, decisionText } from './policy-parts.tsx';

/** What the sentences of reasons name, formatted. */
type ReasonValues = Readonly<Record<'amount' | 'policy' | 'policyLimit' | 'bandLimit' | 'most', string>>;

/** Sentences for codes of reasons; without one, that of the service is shown, which is English. */
const REASONS: Readonly<Record<string, (of: ReasonValues) => string>> = {
  APPLIES_BY_DEPARTMENT: ({ policy }) => t('{policy} applies to the department of this person.', { policy }),
  APPLIES_BY_BAND: ({ policy }) => t('{policy} applies to the band of this person.', { policy }),
  APPLIES_BY_CONDITIONS: ({ policy }) => t('{policy} applies to bookings of this kind.', { policy }),
  APPLIES_TO_ALL: ({ policy }) => t('{policy} applies to everybody.', { policy }),
  OVER_MAX_BOOKING: ({ most }) => t('The maximum booking of the band is {most}.', { most }),
  ABOVE_BAND_LIMIT: ({ bandLimit }) => t('It is above the automatic limit of the band, {bandLimit}.', { bandLimit }),
  ABOVE_POLICY_LIMIT: ({ policyLimit }) =>
    t('It is above the automatic limit of the policy, {policyLimit}.', { policyLimit }),
  NO_LEVELS: () => t('The policy has no level, so nobody can approve above its limit.'),
  LOWEST_LEVEL: ({ amount }) => t('No level begins at {amount} or below: the lowest one decides.', { amount }),
  CLIMBED_FOR_AUTHORITY: ({ amount }) =>
    t('Nobody at the last level due may approve {amount}: the next one is added.', { amount }),
  NO_AUTHORITY: ({ amount }) => t('Nobody at the last level or above it may approve {amount}.', { amount }),
  NO_POLICY: () => '',
  STEP_SKIPPED: () => '',
};
const DECISIONS = {
  AUTO_APPROVED: t('Nobody has to approve it.'),
  APPROVAL_NEEDED: t('These approve, one level after the other:'),
  OVER_LIMIT: t('It is above the maximum booking of their band, and cannot be approved.'),
  NO_POLICY: t('No active policy applies to this person.'),
  NOBODY_CAN_APPROVE: t('No one can approve this: nobody at the last step or above it has the authority.'),
};
const SKIPPED = {
  NOBODY: t('Skipped: nobody has this role.'),
  SAME_PERSON: t('Skipped: the only person decides at a later level.'),
};

/** Maximum number of policies that are evaluated for one person. */
const MAX_POLICIES = 20;

const EVALUATE = '/api/approval-policies/evaluate';

interface WhoApprovesProps {
  title: string;
  companyId: string;
  /** Absent: the policy that applies to the person decides. */
  policyId?: string;
  /** The person who books; absent: anybody, or whoever is chosen. */
  userId?: string;
  /** Shows the decisions of the company's other policies too. */
  hasOthers?: boolean;
}

/** Asks the service who has to approve an amount; the amount and a chosen booker are in the address. */
export function WhoApproves({ title, companyId, policyId, userId, hasOthers = false }: WhoApprovesProps) {
  const { value, change } = useAddressState();
  const tried = useTyped('amount');
  const amount = readAmount(tried.settled, separators);
  const booker = userId ?? value('userId');
  const asked = useGet(
    EVALUATE,
    amount === undefined
      ? undefined
      : {
          ...(policyId === undefined ? { companyId } : { id: policyId }),
          ...(booker !== '' && { userId: booker }),
          amount,
        },
  );
  const evaluation = asked.data?.data;
  return (
    <Facts title={title}>
      <Group align="flex-start" gap="md" mb="md">
        <AmountBox amount={tried} label={t('Amount of the booking')} />
        {userId === undefined && (
          <PersonBox
            companyId={companyId}
            label={t('Who books')}
            placeholder={t('Anybody, or search by name')}
            userId={booker}
            choose={(id) => change({ userId: id }, { replace: true })}
          />
        )}
      </Group>
      {asked.isError && <Failed error={asked.error} retry={() => void asked.refetch()} />}
      {asked.isLoading && <Loading rows={2} />}
      <div aria-live="polite">{evaluation && <Answer evaluation={evaluation} />}</div>
      {hasOthers && evaluation && <OtherPolicies companyId={companyId} evaluation={evaluation} />}
    </Facts>
  );
}

function Answer({ evaluation }: { evaluation: Evaluation }) {
  const { decision, steps, autoApprovalLimit, maxBookingLimit, policy, limits, reasons, budget } = evaluation;
  const { formatMoney } = useMoney();
  const money = (amount: string | null) => (amount === null ? t('no limit') : formatMoney(amount));
  const values = {
    amount: formatMoney(evaluation.amount),
    policy: isolated(policy?.name ?? ''),
    policyLimit: money(limits.policy),
    bandLimit: money(limits.band),
    most: money(maxBookingLimit),
  };
  const sentences = new Set(reasons.map(({ code, message }) => REASONS[code]?.(values) ?? message));
  return (
    <Stack gap="sm" data-testid="evaluation">
      <Text fw={600}>{DECISIONS[decision]}</Text>
      {[...sentences].filter(Boolean).map((sentence) => (
        <Text key={sentence} size="sm">
          {sentence}
        </Text>
      ))}
      {autoApprovalLimit !== null && (
        <Dimmed>
          {t('Approved automatically up to {auto}, maximum booking {most}.', {
            auto: formatMoney(autoApprovalLimit),
            most: values.most,
          })}
        </Dimmed>
      )}
      {budget && (
        <Text size="sm" {...(budget.overBudget.length > 0 ? { c: 'var(--mantine-color-error)' } : {})}>
          {budget.overBudget.length > 0
            ? t('Over budget with this booking: {departments}.', {
                departments: budget.overBudget.map(({ name }) => isolated(name)).join(', '),
              })
            : budget.remaining === null || budget.after === null
              ? t('The department has no budget.')
              : t('Budget of the department: {before} left, {after} after this booking.', {
                  before: formatMoney(budget.remaining),
                  after: formatMoney(budget.after),
                })}
        </Text>
      )}
      {steps.map((step) => (
        <Step
          key={step.level}
          step={step}
          title={`${roleName(step.roleRequired)}, ${beginning({ autoApprovalLimit: limits.policy ?? '0' }, step.minAmount, formatMoney)}`}
        />
      ))}
    </Stack>
  );
}

interface StepProps {
  step: Evaluation['steps'][number];
  title: string;
}

function Step({ step: { approvers, skipped }, title }: StepProps) {
  const { formatMoney } = useMoney();
  if (skipped !== null || approvers.total === 0) {
    return (
      <Alert color={skipped === null ? 'red' : 'gray'} title={title} role="group">
        {skipped === null ? t('Nobody holds this role with a limit as high as the amount.') : SKIPPED[skipped]}
      </Alert>
    );
  }
  const more = approvers.total - approvers.people.length;
  return (
    <Alert color="gray" title={title} role="group">
      <List>
        {approvers.people.map(({ id, firstName, lastName, approvalLimit, for: away }) => (
          <List.Item key={`${id} ${firstName} ${lastName} ${away?.id}`}>
            {id === undefined ? (
              <bdi>{`${firstName} ${lastName}`}</bdi>
            ) : (
              <TextLink href={`/people/${id}`} inherit={false}>{`${firstName} ${lastName}`}</TextLink>
            )}
            {approvalLimit !== undefined && ` ${t('up to {amount}', { amount: formatMoney(approvalLimit) })}`}
            {away && `, ${t('for {name}, who is away', { name: isolated(`${away.firstName} ${away.lastName}`) })}`}
          </List.Item>
        ))}
      </List>
      <More of={more} />
    </Alert>
  );
}

/** What the policies of the company other than the one that applies decide on the same booking. */
function OtherPolicies({ companyId, evaluation }: { companyId: string; evaluation: Evaluation }) {
  const { amount, userId } = evaluation;
  const policies = (usePolicies(companyId) ?? []).filter(({ id }) => id !== evaluation.policyId);
  const shown = policies.slice(0, MAX_POLICIES);
  const queries = shown.map(({ id }) => ({ id, userId: userId ?? '', amount }));
  const asked = useGets(EVALUATE, queries);
  if (shown.length === 0) return null;
  return (
    <>
      <Title order={3} size="h6" mt="md" mb="xs">
        {t('Under the other policies')}
      </Title>
      <List size="sm" data-testid="other-policies">
        {shown.map(({ id, name }, index) => (
          <List.Item key={id}>
            <TextLink
              href={`/policies/${encodeURIComponent(id)}?${new URLSearchParams({ amount: typedAmount(amount), userId: userId ?? '' })}`}
            >
              {name}
            </TextLink>
            : {asked[index]?.data ? decisionText(decidedBy(asked[index].data.data)) : '…'}
          </List.Item>
        ))}
      </List>
      <More
        of={policies.length - MAX_POLICIES}
        href={`/policies?${new URLSearchParams({ companyId, amount: typedAmount(amount) })}`}
      />
    </>
  );
}
