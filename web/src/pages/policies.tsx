import { Anchor, Paper, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { readAmount } from '../amounts.ts';
import type { Person, Policy } from '../api/types.ts';
import { formatMoney, separators } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { tell } from '../parts/notices.tsx';
import { useTyped } from '../parts/use-list-state.ts';
import { useChanged } from '../session/use-changes.ts';
import { administers } from '../session/use-profile.ts';
import { roleName, texts } from '../texts.ts';
import { companyTexts } from '../texts-company.ts';
import { pageTexts } from '../texts-pages.ts';
import { AmountBox } from './amount-box.tsx';
import { type Approval, approvalOf } from './approvers.ts';
import { AUTOMATIC, Ladder } from './ladder.tsx';
import classes from './policies.module.css';
import { PolicyForm } from './policy-form.tsx';

const words = pageTexts.policies;

/** As they stand in a file. */
const COLUMNS: readonly Column<Policy>[] = [
  { name: companyTexts.policyName, ...plain(({ name }) => name) },
  { name: companyTexts.autoApprovalLimit, ...plain(({ autoApprovalLimit }) => autoApprovalLimit) },
  {
    name: companyTexts.levels,
    ...plain(({ levels }) =>
      levels.map(({ roleRequired, minAmount }) => `${roleName(roleRequired)} ${words.from(minAmount)}`).join('; '),
    ),
  },
];

/** The approval policies of a company, each a ladder, and a box to try an amount on all of them. */
export function PoliciesPage({ profile }: { profile: Person }) {
  const tried = useTyped('amount');
  const amount = readAmount(tried.typed, separators);
  // One sentence for all of them, once somebody has stopped typing.
  const isSettled = amount !== undefined && readAmount(tried.settled, separators) === amount;
  return (
    <CompanyList<Policy>
      profile={profile}
      title={texts.pages.policies}
      lead={words.lead}
      searchHint={words.searchHint}
      kind="policies"
      load={(client, query, signal) => client.get('/api/approval-policies/list', query, signal)}
      file={{ name: 'approval-policies', columns: COLUMNS }}
      actions={({ id }) => administers(profile, id) && <AddPolicy companyId={id} />}
      beside={() => <AmountBox amount={tried} label={words.amount} />}
      show={(policies, isStale) => (
        <div className={classes.policies} aria-busy={isStale}>
          <VisuallyHidden role="status">
            {isSettled && words.tried(formatMoney(amount), policies.length)}
          </VisuallyHidden>
          {policies.map((policy) => (
            <Card key={policy.id} policy={policy} amount={amount} />
          ))}
        </div>
      )}
    />
  );
}

function AddPolicy({ companyId }: { companyId: string }) {
  const changed = useChanged();
  const [, navigate] = useLocation();
  return (
    <DialogButton title={companyTexts.addPolicy} variant="filled">
      {(close) => (
        <PolicyForm
          policy={undefined}
          companyId={companyId}
          close={close}
          done={async ({ id, name }) => {
            await changed();
            tell('done', companyTexts.added(isolated(name)));
            navigate(`/policies/${encodeURIComponent(id)}`);
          }}
        />
      )}
    </DialogButton>
  );
}

function Card({ policy, amount }: { policy: Policy; amount: string | undefined }) {
  const approval = amount === undefined ? undefined : approvalOf(policy, amount);
  return (
    <Paper withBorder component="article" className={classes.policy}>
      <Title order={2} size="h4">
        <Anchor component={Link} href={`/policies/${encodeURIComponent(policy.id)}`} inherit>
          <bdi>{policy.name}</bdi>
        </Anchor>
      </Title>
      <Ladder policy={policy} reached={reachedBy(approval)} />
      {amount !== undefined && approval && (
        <Text className={classes.answer} data-testid="approval">
          {words.answer(formatMoney(amount), approvers(approval))}
        </Text>
      )}
    </Paper>
  );
}

function reachedBy(approval: Approval | undefined): string[] {
  if (approval?.by === 'levels') return approval.levels.map(({ id }) => id);
  return approval?.by === 'nobody needed' ? [AUTOMATIC] : [];
}

function approvers(approval: Approval): string {
  if (approval.by === 'nobody needed') return words.automatically;
  if (approval.by === 'no level') return words.nobody;
  return approval.levels.map(({ roleRequired }) => roleName(roleRequired)).join(words.afterwards);
}
