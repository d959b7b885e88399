import { Paper, Stack } from '@mantine/core';
import { useLocation } from 'wouter';
import type { FullPolicy, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { RecordPage } from '../parts/company-page.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Cards, Copied, Facts } from '../parts/facts.tsx';
import { HistoryButton } from '../parts/links.tsx';
import { PageHead } from '../parts/states.tsx';
import { MoneyOf } from '../session/money.tsx';
import { useBands, useDepartments, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers } from '../session/use-profile.ts';
import { approvalTexts, pageTexts, texts, companyTexts as words } from '../texts.ts';
import classes from './policies.module.css';
import { PolicyForm, typedConditions } from './policy-form.tsx';
import { Ladder, useHighestLimits } from './policy-parts.tsx';
import { WhoApproves } from './who-approves.tsx';

const CRUMBS = [{ href: '/policies', label: texts.pages.policies }];

/** The page of a policy, with a form that asks who approves an amount. */
export function PolicyPage({ id, caller }: { id: string; caller: Person }) {
  return (
    <RecordPage found={useGet('/api/approval-policies/get', { id })} crumbs={CRUMBS}>
      {(policy: FullPolicy, version) => (
        <MoneyOf companyId={policy.companyId}>
          <Stack>
            <PageHead title={policy.name} lead={approvalTexts.lead(isolated(policy.name))}>
              {administers(caller, policy.companyId) && (
                <>
                  <HistoryButton query={{ entity: 'approvalPolicy', entityId: policy.id }} />
                  <Change policy={policy} version={version} />
                </>
              )}
            </PageHead>
            <Cards columns={2}>
              <Paper withBorder className={classes.policy}>
                <KnownLadder policy={policy} />
              </Paper>
              <Scope policy={policy} />
            </Cards>
            <WhoApproves title={approvalTexts.title} companyId={policy.companyId} policyId={policy.id} />
          </Stack>
        </MoneyOf>
      )}
    </RecordPage>
  );
}

function Scope({ policy: { id, companyId, scope } }: { policy: FullPolicy }) {
  const named = (all: readonly { id: string; name: string }[] | undefined, ids: readonly string[]) =>
    ids.length === 0
      ? words.everybody
      : (all ?? []).flatMap((one) => (ids.includes(one.id) ? [one.name] : [])).join(', ');
  const conditions = typedConditions(scope.conditions);
  return (
    <Facts
      title={words.scope}
      facts={[
        [words.scopeDepartments, named(useDepartments(companyId), scope.departmentIds)],
        [words.scopeBands, named(useBands(companyId), scope.bandIds)],
        ...(conditions === '' ? [] : [[words.conditions, conditions] as const]),
        [words.priority, formatCount(scope.priority)],
        [words.policyState, scope.active ? pageTexts.companies.active : pageTexts.companies.inactive],
        [words.policyId, <Copied key="id" text={id} label={words.policyId} />],
      ]}
    />
  );
}

function KnownLadder({ policy }: { policy: FullPolicy }) {
  const roles = new Set(policy.levels.map(({ roleRequired }) => roleRequired));
  const { highest } = useHighestLimits(policy.companyId, roles);
  return <Ladder policy={policy} highest={highest} />;
}

function Change({ policy, version }: { policy: FullPolicy; version: string }) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const name = isolated(policy.name);
  return (
    <>
      <DialogButton title={`${pageTexts.form.edit}: ${name}`} label={pageTexts.form.edit} variant="filled">
        {(close) => <PolicyForm {...{ policy, companyId: policy.companyId, version, close }} />}
      </DialogButton>
      <ConfirmButton
        title={`${pageTexts.form.remove}: ${name}`}
        label={pageTexts.form.remove}
        text={words.removePolicyText}
        done={words.removed(name)}
        run={async () => {
          await client.post('/api/approval-policies/delete', { id: policy.id }, { version });
          navigate('/policies');
        }}
        color="red"
      />
    </>
  );
}
