import { Alert } from '@mantine/core';
import { useState } from 'react';
import { approvalPolicy } from '../../../src/entities/approval-policy.ts';
import { parseAmount, readAmount } from '../../../src/entities/money.ts';
import { conditionsText, type PolicyScope } from '../../../src/entities/policy-scope.ts';
import { money } from '../../../src/entities/values.ts';
import type { Body, FullPolicy } from '../api/types.ts';
import { separators, typedAmount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import type { Typed } from '../parts/draft.ts';
import { entityFields, type FormField, nested, type Sent } from '../parts/form-fields.ts';
import { ownForm, ownTyped, useOwnFields } from '../parts/own-fields.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useBands, useDepartments, useGroups, usePolicies, usePolicyCheck } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { policyChangedBy } from './changed-by.ts';
import { draftOf, type LevelDraft, LevelFields, levelsOf, problemsOf } from './policy-levels.tsx';
import { PolicyWarnings, useHighestLimits } from './policy-parts.tsx';
import { precedenceText, readConditions, typedConditions, wholeScope } from './policy-scope.ts';

const FIELDS = entityFields(approvalPolicy, ['name', 'autoApprovalLimit']);

/** How much more than was approved needs no new approval, by its name in answers. */
const TOLERANCE_NAMES = ['percent', 'amount'] as const;
const TOLERANCE = TOLERANCE_NAMES.flatMap((name) => {
  const isPercent = name === 'percent';
  const label = isPercent ? t('Percent above what was approved') : t('Amount above what was approved');
  const [field] = entityFields(approvalPolicy, [isPercent ? 'reapprovePercent' : 'reapproveAmount']);
  const hint = t('Up to it no new approval is needed.');
  const kind = isPercent ? ({ kind: 'text', rule: money } as const) : {};
  return field ? [{ ...field, ...kind, name: `reapproveAbove.${name}`, label, hint }] : [];
});

const PRIORITY = entityFields(approvalPolicy, ['priority']);

/** Lists of texts in a scope, typed with commas. */
const TEXT_LISTS = ['costCenters', 'jobTitles', 'countryCodes', 'workerTypes'] as const;
const DAYS = ['from', 'until'] as const;

const YES_NO = [
  { value: 'false', label: t('no') },
  { value: 'true', label: t('yes') },
];

/** Returns the fields of who signs, beside the levels. */
function useRuleFields(companyId: string): FormField[] {
  const group = { title: t('Who signs'), note: t('What holds for all levels.') };
  return [
    {
      name: 'distinct',
      label: t('Each signature by another person'),
      kind: 'choice',
      sentAs: 'boolean',
      choices: YES_NO,
      group,
    },
    {
      ...{
        name: 'excludeReports',
        label: t('Nobody below the person approves'),
        kind: 'choice',
        sentAs: 'boolean',
        group,
      },
      choices: YES_NO,
    },
    {
      ...{ name: 'limit', label: t('Limits of the band'), kind: 'choice', group },
      choices: [
        { value: 'SMALLER', label: t('count too') },
        { value: 'POLICY', label: t('do not count, as for emergencies') },
      ],
    },
    {
      ...{ name: 'defaultApprovers.userIds', label: t('Asked where a step would have nobody'), kind: 'people' },
      ...{ companyId, group },
    },
    {
      ...{
        name: 'defaultApprovers.groupId',
        label: t('Or the people of a group'),
        kind: 'choice',
        isNullable: true,
        group,
      },
      choices: [{ value: '', label: '–' }, ...useGroups(companyId)],
    },
    ...TOLERANCE.map((field) => ({ ...field, group })),
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
  const chosen = (all: readonly { id: string; name: string }[] | undefined) =>
    (all ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const several = { kind: 'choices', placeholder: t('Everybody'), isWide: true, group } as const;
  const departments = chosen(useDepartments(companyId));
  const bands = chosen(useBands(companyId));
  const seen = (usePolicyCheck(companyId).data?.data.factsSeen ?? []).map(({ name }) => name).join(', ');
  return [
    { name: 'scope.departmentIds', label: t('Departments, with those below them'), choices: departments, ...several },
    { name: 'scope.bandIds', label: t('Bands'), choices: bands, ...several },
    {
      ...{
        name: 'scope.conditions',
        label: t('Only for bookings with'),
        hint: t(
          'Facts that the booking tool sends: international = true; category = flight, rail; days = 0..6; meal = not vegan',
        ),
        ...(seen === '' ? {} : { placeholder: t('Seen: {facts}', { facts: seen }) }),
        isWide: true,
        group,
      },
      rule: typedRuleOfConditions,
      isNullable: true,
    },
    ...TEXT_LISTS.map((name): FormField => {
      return {
        name: `scope.${name}`,
        label: fieldLabel(name),
        hint: t('Several with commas; none: all'),
        isNullable: true,
        group,
      };
    }),
    { name: 'scope.userIds', label: t('People'), kind: 'people', companyId, group },
    ...DAYS.map((name): FormField => {
      return { name: `scope.${name}`, label: fieldLabel(name), kind: 'date', isNullable: true, group };
    }),
    ...PRIORITY.map((field) => ({ ...field, name: 'scope.priority', group })),
    {
      ...{ name: 'scope.active', label: t('Status'), kind: 'choice', group },
      choices: [
        { value: 'true', label: t('Active') },
        { value: 'false', label: t('Inactive') },
      ],
    },
  ];
}

function typedPolicy(policy: FullPolicy | undefined): Typed {
  const rules = { distinct: 'false', excludeReports: 'false', limit: 'SMALLER' };
  if (policy === undefined) return { 'scope.priority': '100', 'scope.active': 'true', ...rules };
  const { name, autoApprovalLimit } = policy;
  const scope = wholeScope(policy.scope);
  return {
    ...{ distinct: String(policy.distinct), excludeReports: String(policy.excludeReports), limit: policy.limit },
    'defaultApprovers.userIds': (policy.defaultApprovers?.userIds ?? []).join(' '),
    'defaultApprovers.groupId': policy.defaultApprovers?.groupId ?? '',
    ...Object.fromEntries(
      TOLERANCE_NAMES.map((part) => [
        `reapproveAbove.${part}`,
        typedAmount(String(policy.reapproveAbove?.[part] ?? '')),
      ]),
    ),
    'scope.userIds': scope.userIds.join(' '),
    ...Object.fromEntries(TEXT_LISTS.map((list) => [`scope.${list}`, scope[list].join(', ')])),
    ...{ 'scope.from': scope.from ?? '', 'scope.until': scope.until ?? '' },
    name,
    autoApprovalLimit: typedAmount(autoApprovalLimit),
    'scope.departmentIds': scope.departmentIds.join(' '),
    'scope.bandIds': scope.bandIds.join(' '),
    'scope.conditions': typedConditions(scope.conditions),
    'scope.priority': String(scope.priority),
    'scope.active': String(scope.active),
  };
}

/** Returns the changes as the service takes them: the tolerance and the default approvers as a whole. */
function bodyOf(changes: Sent, policy: FullPolicy | undefined): Record<string, unknown> {
  const { 'scope.conditions': conditions, 'scope.active': active, ...others } = changes;
  const lists = TEXT_LISTS.filter((list) => changes[`scope.${list}`] !== undefined);
  const { reapproveAbove, defaultApprovers, ...body } = nested({
    ...others,
    ...Object.fromEntries(lists.map((list) => [`scope.${list}`, textsIn(changes[`scope.${list}`])])),
    ...(conditions === undefined ? {} : { 'scope.conditions': readConditions(String(conditions ?? '')) as never }),
    ...(active === undefined ? {} : { 'scope.active': active === 'true' }),
  });
  return {
    ...body,
    ...(reapproveAbove ? { reapproveAbove: { ...policy?.reapproveAbove, ...reapproveAbove } } : {}),
    ...(defaultApprovers ? { defaultApprovers: { ...policy?.defaultApprovers, ...defaultApprovers } } : {}),
  };
}

const textsIn = (typed: unknown) =>
  String(typed ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);

/** Returns the scope as typed; undefined while the conditions are malformed. */
function scopeTyped(typed: Typed): PolicyScope {
  const ids = (name: string) => (typed[name] ?? '').split(' ').filter(Boolean);
  return wholeScope({
    departmentIds: ids('scope.departmentIds'),
    bandIds: ids('scope.bandIds'),
    userIds: ids('scope.userIds'),
    ...Object.fromEntries(TEXT_LISTS.map((list) => [list, textsIn(typed[`scope.${list}`])])),
    conditions: readConditions(typed['scope.conditions'] ?? '') as FullPolicy['scope']['conditions'],
    from: typed['scope.from'] || null,
    until: typed['scope.until'] || null,
    priority: Number(typed['scope.priority'] ?? 100),
    active: typed['scope.active'] !== 'false',
  });
}

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
  const save = (changes: Sent, key: string) => {
    const body = { ...bodyOf(changes, policy), ...(isChanged ? { levels: levelsOf(drafts) } : {}) };
    return policy
      ? client.post('/api/approval-policies/update', { id: policy.id, ...body }, { version })
      : client.post(
          '/api/approval-policies/create',
          { companyId, ...body } as unknown as Body<'/api/approval-policies/create'>,
          {
            key,
          },
        );
  };
  return (
    <RecordForm
      title={policy?.name ?? t('Add an approval policy')}
      fields={fields}
      first={{ ...typedPolicy(policy), ...ownTyped(own, policy) }}
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
              { id: policy?.id ?? '', name: typed.name ?? '', scope: scopeTyped(typed) as FullPolicy['scope'] },
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

/** The warnings about the policy as typed; none while an amount is malformed. */
function TypedWarnings({
  companyId,
  limit,
  drafts,
}: {
  companyId: string;
  limit: string;
  drafts: readonly LevelDraft[];
}) {
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
