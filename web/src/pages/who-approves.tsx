import { Alert, Anchor, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { readAmount } from '../amounts.ts';
import type { Evaluation, Policy } from '../api/types.ts';
import { formatCount, formatMoney, separators } from '../format.ts';
import { PersonBox } from '../parts/search-box.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { useAddressState, useTyped } from '../parts/use-list-state.ts';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { companyTexts, roleName, approvalTexts as words } from '../texts.ts';
import { AmountBox, beginning } from './policy-parts.tsx';

/** Asks the service who has to approve an amount, optionally for a given booker; both are in the address. */
export function WhoApproves({ policy }: { policy: Policy & { companyId: string } }) {
  const { client, userId: caller } = useSession();
  const { value, change } = useAddressState();
  const tried = useTyped('amount');
  const amount = readAmount(tried.settled, separators);
  const userId = value('userId');
  const query = { id: policy.id, amount: amount ?? '', ...(userId === '' ? {} : { userId }) };
  const asked = useQuery({
    queryKey: ownKey(caller, 'evaluation', query),
    queryFn: ({ signal }) => client.get('/api/approval-policies/evaluate', query, signal),
    enabled: amount !== undefined,
  });
  return (
    <Paper withBorder p="lg" component="section" aria-label={words.title}>
      <Title order={2} size="h4" mb="sm">
        {words.title}
      </Title>
      <Group align="flex-start" gap="md" mb="md">
        <AmountBox amount={tried} label={words.amount} />
        <PersonBox
          companyId={policy.companyId}
          label={words.person}
          placeholder={words.personHint}
          userId={userId}
          choose={(id) => change({ userId: id }, { replace: true })}
        />
      </Group>
      {asked.isError && <Failed error={asked.error} retry={() => void asked.refetch()} />}
      {asked.isLoading && <Loading rows={2} />}
      <div aria-live="polite">{asked.data && <Answer policy={policy} evaluation={asked.data.data} />}</div>
    </Paper>
  );
}

function Answer({ policy, evaluation }: { policy: Policy; evaluation: Evaluation }) {
  const { decision, steps, autoApprovalLimit, maxBookingLimit, reasons } = evaluation;
  const { noLimit } = companyTexts;
  const most = maxBookingLimit === null ? noLimit : formatMoney(maxBookingLimit);
  return (
    <Stack gap="sm" data-testid="evaluation">
      <Text fw={600}>{words.decisions[decision]}</Text>
      {[...new Set(reasons.map(({ code, message }) => words.reasons[code] ?? message))].map((reason) => (
        <Text key={reason} size="sm">
          {reason}
        </Text>
      ))}
      {autoApprovalLimit !== null && (
        <Text size="sm" c="dimmed">
          {words.limits(formatMoney(autoApprovalLimit), most)}
        </Text>
      )}
      {steps.map((step) => (
        <Step
          key={step.level}
          step={step}
          title={`${roleName(step.roleRequired)}, ${beginning(policy, step.minAmount)}`}
        />
      ))}
    </Stack>
  );
}

interface StepProps {
  step: Evaluation['steps'][number];
  title: string;
}

function Step({ step: { approvers }, title }: StepProps) {
  if (approvers.total === 0) {
    return (
      <Alert color="red" title={title} role="group">
        {words.nobody}
      </Alert>
    );
  }
  const more = approvers.total - approvers.people.length;
  return (
    <Alert color="gray" title={title} role="group">
      <List>
        {approvers.people.map(({ id, firstName, lastName, approvalLimit = '' }) => (
          <List.Item key={id ?? `${firstName} ${lastName}`}>
            <Anchor component={Link} href={`/people/${id}`}>
              <bdi>{`${firstName} ${lastName}`}</bdi>
            </Anchor>{' '}
            {words.upTo(formatMoney(approvalLimit))}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{words.more(formatCount(more))}</List.Item>}
      </List>
    </Alert>
  );
}
