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
import { ownFacts, useOwnFields } from '../parts/own-fields.tsx';
import { PageHead } from '../parts/states.tsx';
import { MoneyOf } from '../session/money.tsx';
import { useBands, useDepartments, useGet, usePolicies } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import classes from './policies.module.css';
import { PolicyForm } from './policy-form.tsx';
import { Ladder, useHighestLimits } from './policy-parts.tsx';
import { precedenceText, scopeText, typedConditions } from './policy-scope.ts';
import { WhoApproves } from './who-approves.tsx';

const CRUMBS = [{ href: '/policies', label: t('Approval policies') }];

/** The page of a policy, with a form that asks who approves an amount. */
export function PolicyPage({ id, caller }: { id: string; caller: Person }) {
  return (
    <RecordPage found={useGet('/api/approval-policies/get', { id })} crumbs={CRUMBS}>
      {(policy: FullPolicy, version) => (
        <MoneyOf companyId={policy.companyId}>
          <Stack>
            <PageHead
              title={policy.name}
              lead={t('Who has to approve bookings under {policy}.', { policy: isolated(policy.name) })}
            >
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
            <WhoApproves title={t('Who approves?')} companyId={policy.companyId} policyId={policy.id} />
          </Stack>
        </MoneyOf>
      )}
    </RecordPage>
  );
}

function Scope({ policy }: { policy: FullPolicy }) {
  const { id, companyId, scope } = policy;
  const departments = useDepartments(companyId);
  const never = precedenceText(policy, usePolicies(companyId) ?? [], departments ?? []);
  const named = (all: readonly { id: string; name: string }[] | undefined, ids: readonly string[]) =>
    ids.length === 0
      ? t('Everybody')
      : (all ?? []).flatMap((one) => (ids.includes(one.id) ? [one.name] : [])).join(', ');
  const conditions = typedConditions(scope.conditions);
  const { departmentIds: _, bandIds: __, conditions: ___, priority: ____, active: _____, ...narrow } = scope;
  const isNarrow = Object.keys(narrow).length > 0;
  const own = ownFacts(useOwnFields('approvalPolicy', companyId), policy);
  return (
    <Facts
      title={t('Whom it applies to')}
      facts={[
        [t('Departments, with those below them'), named(departments, scope.departmentIds)],
        [t('Bands'), named(useBands(companyId), scope.bandIds)],
        conditions !== '' && [t('Only for bookings with'), conditions],
        isNarrow && [
          t('Only for'),
          scopeText({ scope: { ...scope, departmentIds: [], bandIds: [], conditions: {} } }, []),
        ],
        never !== undefined && [t('Precedence'), never],
        [t('Priority'), formatCount(scope.priority)],
        [t('Status'), scope.active ? t('Active') : t('Inactive')],
        ...own,
        [t('Policy id'), <Copied key="id" text={id} label={t('Policy id')} />],
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
      <DialogButton title={t('Edit')} of={name} variant="filled">
        {(close) => <PolicyForm {...{ policy, companyId: policy.companyId, version, close }} />}
      </DialogButton>
      <ConfirmButton
        title={t('Delete')}
        of={name}
        text={t('The policy and its levels are deleted for good.')}
        done={t('{name} deleted.', { name })}
        run={async () => {
          await client.post('/api/approval-policies/delete', { id: policy.id }, { version });
          navigate('/policies');
        }}
        color="red"
      />
    </>
  );
}
