import { ActionIcon, Alert, Button, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { approvalPolicy } from '../../../src/entities/approval-policy.ts';
import { paiseOf, parseAmount, readAmount } from '../../../src/entities/money.ts';
import { conditionsText, type PolicyScope } from '../../../src/entities/policy-scope.ts';
import { NAMED_APPROVERS, RELATIVE_ROLES } from '../../../src/entities/roles.ts';
import type { Body, FullPolicy, Level, Role } from '../api/types.ts';
import { separators, typedAmount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { fieldLabel } from '../labels.ts';
import type { Typed } from '../parts/draft.ts';
import { NO_AMOUNT } from '../parts/field-problems.ts';
import { entityFields, type FormField, nested, type Sent } from '../parts/form-fields.ts';
import { Icon } from '../parts/icons.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { PersonBox } from '../parts/search-box.tsx';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { useAll, useBands, useDepartments, usePolicies, usePolicyCheck } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { policyChangedBy } from './changed-by.ts';
import { PolicyWarnings, useHighestLimits } from './policy-parts.tsx';
import { precedenceText, readConditions, typedConditions, wholeScope } from './policy-scope.ts';

const ROLES: readonly Role[] = [
  ...RELATIVE_ROLES,
  ...NAMED_APPROVERS,
  ...(['MANAGER', 'CORPORATE_ADMIN', 'EMPLOYEE', 'PLATFORM_RM', 'SUPER_ADMIN'] as const),
];
/** Maximum levels of a policy, as in the service. */
const MAX_LEVELS = 20;

const FIELDS = entityFields(approvalPolicy, ['name', 'autoApprovalLimit']);

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
      ...{ name: 'defaultApprover', label: t('Asked where a step would have nobody'), kind: 'person', companyId },
      ...{ isNullable: true, group },
    },
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
  const rules = { distinct: 'false', excludeReports: 'false', limit: 'SMALLER', defaultApprover: '' };
  if (policy === undefined) return { 'scope.priority': '100', 'scope.active': 'true', ...rules };
  const { name, autoApprovalLimit } = policy;
  const scope = wholeScope(policy.scope);
  return {
    ...{ distinct: String(policy.distinct), excludeReports: String(policy.excludeReports), limit: policy.limit },
    defaultApprover: policy.defaultApprovers?.userIds?.[0] ?? '',
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

/** Returns the changes as the service takes them. */
function bodyOf(changes: Sent): Record<string, unknown> {
  const { 'scope.conditions': conditions, 'scope.active': active, defaultApprover, ...others } = changes;
  const lists = TEXT_LISTS.filter((list) => changes[`scope.${list}`] !== undefined);
  return nested({
    ...others,
    ...Object.fromEntries(lists.map((list) => [`scope.${list}`, textsIn(changes[`scope.${list}`])])),
    ...(defaultApprover === undefined
      ? {}
      : { defaultApprovers: (defaultApprover === null ? null : { userIds: [defaultApprover] }) as never }),
    ...(conditions === undefined ? {} : { 'scope.conditions': readConditions(String(conditions ?? '')) as never }),
    ...(active === undefined ? {} : { 'scope.active': active === 'true' }),
  });
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
    ...Object.fromEntries(TEXT_LISTS.map((list) => [list, textsIn(typed[`scope.${list}`])])),
    conditions: readConditions(typed['scope.conditions'] ?? '') as FullPolicy['scope']['conditions'],
    from: typed['scope.from'] || null,
    until: typed['scope.until'] || null,
    priority: Number(typed['scope.priority'] ?? 100),
    active: typed['scope.active'] !== 'false',
  });
}

/** A level in the form. */
interface LevelDraft {
  /** What the form keeps as it is. */
  kept: Pick<Level, 'maxAmount' | 'minApprovers' | 'mode'>;
  /** Whether it has the number of the level before it. */
  isParallel: boolean;
  userIds: readonly string[];
  groupId: string;
  /** The React key; unlike the id, also of a new level. */
  key: string;
  id: string | undefined;
  role: Role;
  amount: string;
}

/** Returns the problem of each level: its amount is malformed, or lower than that of the level before; undefined if there is none. */
function problemsOf(drafts: readonly LevelDraft[]): (string | undefined)[] {
  let before = 0n;
  return drafts.map(({ amount }, _at) => {
    const read = readAmount(amount, separators);
    const paise = read === undefined ? undefined : paiseOf(read);
    if (paise === undefined) return NO_AMOUNT;
    const falls = paise < before;
    before = paise;
    return falls ? t('It starts below the level before it.') : undefined;
  });
}

function draftOf(
  { id, level, roleRequired, minAmount, approver, ...kept }: Level,
  at: number,
  all: readonly Level[],
): LevelDraft {
  const named = { userIds: approver?.userIds ?? [], groupId: approver?.groupId ?? '' };
  return {
    key: id,
    id,
    role: roleRequired,
    amount: typedAmount(minAmount),
    kept,
    isParallel: all[at - 1]?.level === level,
    ...named,
  };
}

/** Returns what a level names: a role, people or a group. */
function namedBy({ role, userIds, groupId }: LevelDraft) {
  if (role === 'USERS') return { approver: { userIds: [...userIds] } };
  return role === 'GROUP' ? { approver: { groupId } } : { roleRequired: role };
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
  const levels = drafts.map((draft, at) => ({
    ...(draft.id === undefined ? {} : { id: draft.id }),
    ...{
      level: drafts.slice(0, at + 1).filter(({ isParallel }) => !isParallel).length,
      ...draft.kept,
      ...namedBy(draft),
    },
    minAmount: readAmount(draft.amount, separators) ?? '',
  }));
  const fields = [...FIELDS, ...useScopeFields(companyId), ...useRuleFields(companyId)];
  const others = usePolicies(companyId) ?? [];
  const departments = useDepartments(companyId) ?? [];
  const save = (changes: Sent, key: string) => {
    const body = { ...bodyOf(changes), ...(isChanged ? { levels } : {}) };
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
      first={typedPolicy(policy)}
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

interface LevelFieldsProps {
  drafts: readonly LevelDraft[];
  problems: readonly (string | undefined)[];
  change: (drafts: readonly LevelDraft[]) => void;
  companyId: string;
}

function LevelFields({ drafts, problems, change, companyId }: LevelFieldsProps) {
  const hasGroup = drafts.some(({ role }) => role === 'GROUP');
  const groups = useAll('/api/directories/groups', hasGroup ? { companyId } : undefined).data ?? [];
  const [made, setMade] = useState(0);
  const { sign } = useMoney();
  const set = (key: string, values: Partial<LevelDraft>) =>
    change(drafts.map((draft) => (draft.key === key ? { ...draft, ...values } : draft)));
  const add = () => {
    setMade(made + 1);
    change([
      ...drafts,
      {
        key: `new ${made}`,
        id: undefined,
        role: 'MANAGER',
        amount: '',
        kept: {},
        isParallel: false,
        userIds: [],
        groupId: '',
      },
    ]);
  };
  return (
    <Fieldset legend={t('Levels')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t(
            'The first level approves first. Each level must start at the same amount as the one before it, or higher.',
          )}
        </Text>
        {drafts.map(({ key, role, amount, userIds, groupId }, at) => (
          <Group key={key} align="flex-start" gap="sm">
            <NativeSelect
              label={t('Level {number}: approver', { number: at + 1 })}
              data={ROLES.map((value) => ({ value, label: roleName(value) }))}
              value={role}
              onChange={(event) => set(key, { role: event.currentTarget.value as Role })}
              flex="1 1 12rem"
            />
            {role === 'USERS' &&
              [...userIds, ''].map((userId, place) => (
                <PersonBox
                  key={userId}
                  companyId={companyId}
                  label={t('Level {number}: person', { number: at + 1 })}
                  placeholder={t('Search by name')}
                  userId={userId}
                  choose={(id) =>
                    set(key, { userIds: [...userIds.filter((_, one) => one !== place), id].filter(Boolean) })
                  }
                />
              ))}
            {role === 'GROUP' && (
              <NativeSelect
                label={t('Level {number}: group', { number: at + 1 })}
                data={['', ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
                value={groupId}
                onChange={(event) => set(key, { groupId: event.currentTarget.value })}
                flex="1 1 12rem"
              />
            )}
            <Group align="flex-start" gap="sm" wrap="nowrap" flex="1 1 12rem">
              <TextInput
                label={t('Level {number}: from', { number: at + 1 })}
                leftSection={sign}
                inputMode="decimal"
                value={amount}
                error={amount === '' ? undefined : problems[at]}
                onChange={(event) => set(key, { amount: event.currentTarget.value })}
                autoComplete="off"
                flex={1}
              />
              <ActionIcon
                variant="subtle"
                color="red"
                mt={29}
                aria-label={t('Remove level {number}', { number: at + 1 })}
                onClick={() => change(drafts.filter((draft) => draft.key !== key))}
              >
                <Icon name="clear" size={16} />
              </ActionIcon>
            </Group>
          </Group>
        ))}
        <Button variant="default" size="xs" onClick={add} disabled={drafts.length >= MAX_LEVELS}>
          {t('Add a level')}
        </Button>
      </Stack>
    </Fieldset>
  );
}
