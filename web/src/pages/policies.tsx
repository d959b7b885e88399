import { Paper, Text, TextInput, Title } from '@mantine/core';
import { readAmount } from '../amounts.ts';
import type { Profile, Schemas } from '../api/client.ts';
import { amountExamples, formatMoney, separators } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { useTyped } from '../parts/use-list-state.ts';
import { roleName, texts } from '../texts.ts';
import { type Approval, approvalOf } from './approvers.ts';
import classes from './policies.module.css';

type Policy = Schemas['ApprovalPolicy'];
const words = texts.policies;

/** The approval policies of a company, each a ladder, and a box to try an amount on all of them. */
export function PoliciesPage({ profile }: { profile: Profile }) {
  const { typed, type, settled } = useTyped('amount');
  const amount = readAmount(typed, separators);
  // Not while somebody types, who may be in the middle of a number.
  const isWrong = amount === undefined && typed.trim() !== '' && typed.trim() === settled;
  return (
    <CompanyList<Policy>
      profile={profile}
      title={texts.pages.policies}
      lead={words.lead}
      searchHint={words.searchHint}
      load={(client, query, signal) => client.get('/api/approval-policies/list', query, signal)}
      beside={
        <TextInput
          label={words.amount}
          placeholder={words.amountHint}
          inputMode="decimal"
          leftSection="₹"
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          error={isWrong ? words.amountWrong(...amountExamples) : undefined}
          autoComplete="off"
          maxLength={24}
          flex="1 1 20rem"
        />
      }
      show={(policies, isStale) => (
        <div className={classes.policies} aria-busy={isStale}>
          {policies.map((policy) => (
            <Ladder key={policy.id} policy={policy} amount={amount} />
          ))}
        </div>
      )}
    />
  );
}

function Ladder({ policy, amount }: { policy: Policy; amount: string | undefined }) {
  const approval = amount === undefined ? undefined : approvalOf(policy, amount);
  const needed = approval?.by === 'levels' ? approval.levels.map(({ id }) => id) : [];
  return (
    <Paper withBorder component="article" className={classes.policy}>
      <Title order={2} size="h4">
        <bdi>{policy.name}</bdi>
      </Title>
      <ol className={classes.ladder} aria-label={words.ladder(policy.name)}>
        <li className={classes.rung} data-reached={approval?.by === 'nobody needed' || undefined}>
          <span className={classes.who}>{words.automatic}</span>
          <span className={classes.amount}>{words.below(formatMoney(policy.autoApprovalLimit))}</span>
        </li>
        {policy.levels.map(({ id, roleRequired, minAmount }) => (
          <li key={id} className={classes.rung} data-reached={needed.includes(id) || undefined}>
            <span className={classes.who}>{roleName(roleRequired)}</span>
            <span className={classes.amount}>{words.from(formatMoney(minAmount))}</span>
          </li>
        ))}
      </ol>
      {policy.levels.length === 0 && <Text size="sm">{words.noLevels}</Text>}
      {amount !== undefined && approval && (
        <Text className={classes.answer} role="status" data-testid="approval">
          {words.answer(formatMoney(amount), approvers(approval))}
        </Text>
      )}
    </Paper>
  );
}

function approvers(approval: Approval): string {
  if (approval.by === 'nobody needed') return words.automatic.toLowerCase();
  if (approval.by === 'no level') return words.nobody.toLowerCase();
  return approval.levels.map(({ roleRequired }) => roleName(roleRequired)).join(words.afterwards);
}
