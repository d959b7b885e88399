import { Alert } from '@mantine/core';
import { useState } from 'react';
import { approvalPolicy } from '../../../src/entities/approval-policy.ts';
import { parseAmount, readAmount } from '../../../src/entities/money.ts';
import { conditionsText } from '../../../src/entities/policy-scope.ts';
import type { Body, FullPolicy } from '../api/types.ts';
import { separators } from '../format.ts';
import { isolated } from '../isolated.ts';
import { ACTIVE_NAMES, fieldLabel, YES_NO } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import type { Typed } from '../parts/draft.ts';
import { changesIn, entityFields, type FormField, nested, type Sent, typedOf } from '../parts/form-fields.ts';
import { ownDefaults, ownForm, useOwnFields } from '../parts/own-fields.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useBands, useDepartments, useGroups, usePolicies, usePolicyCheck } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { policyChangedBy } from './changed-by.ts';
import { draftOf, type LevelDraft, LevelFields, levelsOf, problemsOf } from './policy-levels.tsx';
import { PolicyWarnings, useHighestLimits } from './policy-parts.tsx';
import { precedenceText, readConditions, typedConditions, wholeScope } from './policy-scope.ts';

const FIELDS = entityFields(approvalPolicy, ['name', 'autoApprovalLimit']);

/** Lists of texts in a scope, typed with commas. */
const TEXT_LISTS = ['costCenters', 'jobTitles', 'countryCodes', 'workerTypes'] as const;

/** Returns the fields of who signs, beside the levels. */
function useRuleFields(companyId: string): FormField[] {
  const group = { title: t('Who signs'), note: t('What holds for all levels.') };
  const yesOrNo = { sentAs: 'boolean', choices: choicesOf(YES_NO), group } as const;
  const hint = t('Up to it no new approval is needed.');
  const tolerances = entityFields(approvalPolicy, ['reapprovePercent', 'reapproveAmount'], {
    reapprovePercent: { label: t('Percent above what was approved'), isPlain: true, hint, group },
    reapproveAmount: { label: t('Amount above what was approved'), hint, group },
  });
  return [
    { name: 'distinct', label: t('Each signature by another person'), ...yesOrNo },
    { name: 'excludeReports', label: t('Nobody below the person approves'), ...yesOrNo },
    {
      ...{ name: 'limit', label: t('Limits of the band'), group },
      choices: choicesOf({ SMALLER: t('count too'), POLICY: t('do not count, as for emergencies') }),
    },
    {
      ...{ name: 'defaultApprovers.userIds', label: t('Asked where a step would have nobody'), kind: 'people' },
      ...{ companyId, group },
    },
    {
      ...{ name: 'defaultApprovers.groupId', label: t('Or the people of a group'), isNullable: true, group },
      choices: [...choicesOf([], '–'), ...useGroups(companyId)],
    },
    ...tolerances.map((field) => ({
      ...field,
      name: field.name === 'reapprovePercent' ? 'reapproveAbove.percent' : 'reapproveAbove.amount',
    })),
  ];
}

const typedRuleOfConditions = {
  ...conditionsText,
  parse: (typed: string) => conditionsText.parse(JSON.stringify(readConditions(typed))),
};

/** Returns the fields of whom a policy applies to. */
function useScopeFields(companyId: string): FormField[] {
  const group = {
    title: t('Whom it applies to'),
    note: t('Of several policies that apply to a booking, the one with the lowest priority decides.'),
  };
  const several = { kind: 'choices', placeholder: t('Everybody'), isWide: true, group } as const;
  const departments = choicesOf(useDepartments(companyId));
  const bands = choicesOf(useBands(companyId));
  const seen = (usePolicyCheck(companyId).data?.data.factsSeen ?? []).map(({ name }) => name).join(', ');
  return [
    { name: 'scope.departmentIds', label: t('Departments, with those below them'), choices: departments, ...several },
    { name: 'scope.bandIds', label: t('Bands'), choices: bands, ...several },
    {
      ...{ name: 'scope.conditions', label: t('Only for bookings with'), isNullable: true, isWide: true, group },
      hint: t(
        'Facts that the booking tool sends: international = true; category = flight, rail; days = 0..6; meal = not vegan',
      ),
      ...(seen !== '' && { placeholder: t('Seen: {facts}', { facts: seen }) }),
      rule: typedRuleOfConditions,
    },
    ...TEXT_LISTS.map((name): FormField => {
      const hint = t('Several with commas; none: all');
      return { name: `scope.${name}`, label: fieldLabel(name), hint, sentAs: 'texts', group };
    }),
    { name: 'scope.userIds', label: t('People'), kind: 'people', companyId, group },
    ...['from', 'until'].map((name): FormField => {
      return { name: `scope.${name}`, label: fieldLabel(name), kind: 'date', isNullable: true, group };
    }),
    ...entityFields(approvalPolicy, ['priority']).map((field) => ({ ...field, name: 'scope.priority', group })),
    { name: 'scope.active', label: t('Status'), sentAs: 'boolean', choices: choicesOf(ACTIVE_NAMES), group },
  ];
}

/** The values of a form that adds a policy. */
const NEW: Typed = {
  ...{ 'scope.priority': '100', 'scope.active': 'true' },
  ...{ distinct: 'false', excludeReports: 'false', limit: 'SMALLER' },
};

function typedPolicy(fields: readonly FormField[], policy: FullPolicy): Typed {
  const scope = wholeScope(policy.scope);
  return { ...typedOf(fields, { ...policy, scope }), 'scope.conditions': typedConditions(scope.conditions) };
}

interface PolicyBody extends Record<string, unknown> {
  scope?: Partial<FullPolicy['scope']>;
}

/** Returns the changes as the service takes them: the tolerance and the default approvers as a whole. */
function bodyOf(changes: Sent, policy: FullPolicy | undefined): PolicyBody {
  const { 'scope.conditions': conditions, ...others } = changes;
  const read =
    conditions === undefined ? {} : { 'scope.conditions': readConditions(String(conditions ?? '')) as never };
  const { reapproveAbove, defaultApprovers, ...body } = nested({ ...others, ...read });
  return {
    ...body,
    ...(reapproveAbove ? { reapproveAbove: { ...policy?.reapproveAbove, ...reapproveAbove } } : {}),
    ...(defaultApprovers ? { defaultApprovers: { ...policy?.defaultApprovers, ...defaultApprovers } } : {}),
  };
}

type NewPolicy = Body<'/api/approval-policies/create'>;

interface PolicyFormProps {
  /** Undefined: the form adds one. */
  policy: FullPolicy | undefined;
  companyId: string;
  version?: string;
  done?: (saved: { id: string }) => void;
  close: () => void;
}

/** The form of a policy and its levels, in order. */
export function PolicyForm({ policy, companyId, version, done, close }: PolicyFormProps) {
  const { client } = useSession();
  const [first] = useState(() => (policy?.levels ?? []).map(draftOf));
  const [drafts, setRungs] = useState<readonly LevelDraft[]>(first);
  const problems = problemsOf(drafts);
  const wrong = problems.findIndex((problem) => problem !== undefined);
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(first);
  const own = useOwnFields(approvalPolicy.name, companyId);
  const fields = [...FIELDS, ...useScopeFields(companyId), ...useRuleFields(companyId), ...ownForm(own)];
  const others = usePolicies(companyId) ?? [];
  const departments = useDepartments(companyId) ?? [];
  const scopeTyped = (typed: Typed) =>
    wholeScope(bodyOf(changesIn(fields, typed, {}), undefined).scope) as FullPolicy['scope'];
  const save = (changes: Sent, key: string) => {
    const body = { ...bodyOf(changes, policy), ...(isChanged ? { levels: levelsOf(drafts) } : {}) };
    return policy
      ? client.post('/api/approval-policies/update', { id: policy.id, ...body }, { version })
      : client.post('/api/approval-policies/create', { companyId, ...body } as object as NewPolicy, { key });
  };
  return (
    <RecordForm
      title={policy?.name ?? t('Add an approval policy')}
      fields={fields}
      first={policy ? typedPolicy(fields, policy) : { ...NEW, ...ownDefaults(own) }}
      submit={policy ? t('Save') : t('Add an approval policy')}
      save={save}
      {...(policy ? { changedBy: () => policyChangedBy(client, { companyId, name: policy.name }) } : {})}
      saved={({ data }) => {
        const name = isolated(data.name);
        return policy ? t('{name} saved.', { name }) : t('{name} added.', { name });
      }}
      done={({ data }) => done?.(data)}
      close={close}
      extra={{
        isChanged,
        problem:
          wrong < 0 ? undefined : t('Level {number}: {what}', { number: wrong + 1, what: problems[wrong] ?? '' }),
      }}
    >
      {(typed) => (
        <>
          <LevelFields drafts={drafts} problems={problems} change={setRungs} companyId={companyId} />
          <Precedence
            text={precedenceText(
              { id: policy?.id ?? '', name: typed.name ?? '', scope: scopeTyped(typed) },
              others,
              departments,
            )}
          />
          {wrong < 0 && <TypedWarnings companyId={companyId} limit={typed.autoApprovalLimit ?? ''} drafts={drafts} />}
        </>
      )}
    </RecordForm>
  );
}

/** Says while one types that the policy would never apply. */
function Precedence({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Alert color="yellow" p="xs" role="note" data-testid="precedence">
      {text}
    </Alert>
  );
}

interface TypedWarningsProps {
  companyId: string;
  limit: string;
  drafts: readonly LevelDraft[];
}

/** The warnings about the policy as typed; none while an amount is malformed. */
function TypedWarnings({ companyId, limit, drafts }: TypedWarningsProps) {
  const { highest } = useHighestLimits(companyId, new Set(drafts.map(({ role }) => role)));
  const autoApprovalLimit = typedRule(limit === '' ? '0' : limit);
  const levels = drafts.flatMap(({ role, amount }, at) => {
    const minAmount = typedRule(amount);
    return minAmount === undefined ? [] : [{ level: at + 1, roleRequired: role, minAmount }];
  });
  if (autoApprovalLimit === undefined || levels.length < drafts.length) return null;
  return <PolicyWarnings policy={{ autoApprovalLimit, levels }} highest={highest} />;
}

/** Returns a typed amount in the service's format; undefined if it is malformed. */
function typedRule(typed: string): string | undefined {
  return parseAmount(readAmount(typed, separators) ?? '');
}
