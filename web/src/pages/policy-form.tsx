import { ActionIcon, Button, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { approvalPolicy } from '../../../src/entities/approval-policy.ts';
import { parseAmount } from '../../../src/entities/money.ts';
import { conditionsText } from '../../../src/entities/policy-scope.ts';
import { RELATIVE_ROLES } from '../../../src/entities/roles.ts';
import { paiseOf, readAmount } from '../../../src/lib/amounts.ts';
import type { Body, FullPolicy, Level, Role } from '../api/types.ts';
import { separators, typedAmount } from '../format.ts';
import { isolated } from '../isolated.ts';
import type { Typed } from '../parts/draft.ts';
import { NO_AMOUNT } from '../parts/field-problems.ts';
import { entityFields, type FormField, nested, type Sent } from '../parts/form-fields.ts';
import { Icon } from '../parts/icons.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { useBands, useDepartments } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { policyChangedBy } from './changed-by.ts';
import { PolicyWarnings, useHighestLimits } from './policy-parts.tsx';

const ROLES: readonly Role[] = [
  ...RELATIVE_ROLES,
  ...(['MANAGER', 'CORPORATE_ADMIN', 'EMPLOYEE', 'PLATFORM_RM', 'SUPER_ADMIN'] as const),
];
/** Maximum levels of a policy, as in the service. */
const MAX_LEVELS = 20;

const FIELDS = entityFields(approvalPolicy, ['name', 'autoApprovalLimit']);

const PRIORITY = entityFields(approvalPolicy, ['priority']);

/** Returns conditions as they are typed: `international = true; category = flight, rail`. */
export function typedConditions(conditions: FullPolicy['scope']['conditions']): string {
  return Object.entries(conditions)
    .map(([name, value]) => `${name} = ${Array.isArray(value) ? value.join(', ') : value}`)
    .join('; ');
}

function readConditions(typed: string): Record<string, unknown> {
  const parts = typed.split(';').filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', ...values] = part.split('=');
      const value = values.join('=').trim();
      return [
        name.trim(),
        /^(?:true|false)$/.test(value) ? value === 'true' : value.split(',').map((one) => one.trim()),
      ];
    }),
  );
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
  return [
    { name: 'scope.departmentIds', label: t('Departments, with those below them'), choices: departments, ...several },
    { name: 'scope.bandIds', label: t('Bands'), choices: bands, ...several },
    {
      ...{
        name: 'scope.conditions',
        label: t('Only for bookings with'),
        hint: t('Facts that the booking tool sends: international = true; category = flight, rail'),
        isWide: true,
        group,
      },
      rule: typedRuleOfConditions,
      isNullable: true,
    },
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
  if (policy === undefined) return { 'scope.priority': '100', 'scope.active': 'true' };
  const { name, autoApprovalLimit, scope } = policy;
  return {
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
  const { 'scope.conditions': conditions, 'scope.active': active } = changes;
  return nested({
    ...changes,
    ...(conditions === undefined ? {} : { 'scope.conditions': readConditions(String(conditions ?? '')) as never }),
    ...(active === undefined ? {} : { 'scope.active': active === 'true' }),
  });
}

/** A level in the form. */
interface LevelDraft {
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

function draftOf({ id, roleRequired, minAmount }: Level): LevelDraft {
  return { key: id, id, role: roleRequired, amount: typedAmount(minAmount) };
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
  const levels = drafts.map(({ id, role, amount }, at) => ({
    ...(id === undefined ? {} : { id }),
    ...{ level: at + 1, roleRequired: role, minAmount: readAmount(amount, separators) ?? '' },
  }));
  const fields = [...FIELDS, ...useScopeFields(companyId)];
  const save = (changes: Sent, key: string) => {
    const body = { ...bodyOf(changes), ...(isChanged ? { levels } : {}) };
    return policy
      ? client.post('/api/approval-policies/update', { id: policy.id, ...body }, { version })
      : client.post('/api/approval-policies/create', { companyId, ...body } as Body<'/api/approval-policies/create'>, {
          key,
        });
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
      {({ autoApprovalLimit = '' }) => (
        <>
          <LevelFields drafts={drafts} problems={problems} change={setRungs} />
          {wrong < 0 && <TypedWarnings companyId={companyId} limit={autoApprovalLimit} drafts={drafts} />}
        </>
      )}
    </RecordForm>
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
  const levels = drafts.flatMap(({ role, amount }) => {
    const minAmount = typedRule(amount);
    return minAmount === undefined ? [] : [{ roleRequired: role, minAmount }];
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
}

function LevelFields({ drafts, problems, change }: LevelFieldsProps) {
  const [made, setMade] = useState(0);
  const { sign } = useMoney();
  const set = (key: string, values: Partial<LevelDraft>) =>
    change(drafts.map((draft) => (draft.key === key ? { ...draft, ...values } : draft)));
  const add = () => {
    setMade(made + 1);
    change([...drafts, { key: `new ${made}`, id: undefined, role: 'MANAGER', amount: '' }]);
  };
  return (
    <Fieldset legend={t('Levels')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t(
            'The first level approves first. Each level must start at the same amount as the one before it, or higher.',
          )}
        </Text>
        {drafts.map(({ key, role, amount }, at) => (
          <Group key={key} align="flex-start" gap="sm">
            <NativeSelect
              label={t('Level {number}: approver', { number: at + 1 })}
              data={ROLES.map((value) => ({ value, label: roleName(value) }))}
              value={role}
              onChange={(event) => set(key, { role: event.currentTarget.value as Role })}
              flex="1 1 12rem"
            />
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
