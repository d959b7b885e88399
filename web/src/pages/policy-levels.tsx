import {
  ActionIcon,
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useState } from 'react';
import { paiseOf, readAmount } from '../../../src/entities/money.ts';
import { NAMED_APPROVERS, RELATIVE_ROLES } from '../../../src/entities/roles.ts';
import type { Level, Role } from '../api/types.ts';
import { separators, typedAmount } from '../format.ts';
import { type Choice, choicesOf } from '../parts/choices.ts';
import { NO_AMOUNT } from '../parts/field-problems.ts';
import { Icon } from '../parts/icons.tsx';
import { removing } from '../parts/row-fields.tsx';
import { PeopleBoxes } from '../parts/search-box.tsx';
import { Dimmed } from '../parts/text.tsx';
import { roleName } from '../roles.ts';
import { useMoney } from '../session/money.tsx';
import { useGroups, useOwnRoles } from '../session/queries.ts';
import { t } from '../translate.ts';

const ROLES: readonly Role[] = [
  ...RELATIVE_ROLES,
  ...NAMED_APPROVERS,
  ...(['MANAGER', 'CORPORATE_ADMIN', 'EMPLOYEE', 'PLATFORM_RM', 'SUPER_ADMIN'] as const),
];
const ROLE_CHOICES = ROLES.map((value) => ({ value, label: roleName(value) }));
/** Maximum levels of a policy, as in the service. */
const MAX_LEVELS = 20;

/** How many different people may have to sign a level. */
const SIGNATURES = Array.from({ length: 20 }, (_, index) => String(index + 1));

/** A level in the form. */
export interface LevelDraft {
  /** What the form keeps as it is. */
  kept: Pick<Level, 'mode'>;
  /** As typed; empty: any amount. */
  most: string;
  signatures: string;
  /** Whether it has the number of the level before it. */
  isParallel: boolean;
  userIds: readonly string[];
  groupId: string;
  roleId: string;
  /** The React key; unlike the id, also of a new level. */
  key: string;
  id: string | undefined;
  role: Role;
  amount: string;
}

const NEW: Omit<LevelDraft, 'key'> = {
  ...{ id: undefined, role: 'MANAGER', amount: '', kept: {}, most: '', signatures: '1', isParallel: false },
  ...{ userIds: [], groupId: '', roleId: '' },
};

function paiseTyped(typed: string): bigint | undefined {
  const read = readAmount(typed, separators);
  return read === undefined ? undefined : paiseOf(read);
}

/** Returns the problem of each level: an amount is malformed, or lower than another one; undefined if there is none. */
export function problemsOf(drafts: readonly LevelDraft[]): (string | undefined)[] {
  let before = 0n;
  return drafts.map(({ amount, most }) => {
    const [from, to] = [paiseTyped(amount), most === '' ? null : paiseTyped(most)];
    if (from === undefined || to === undefined) return NO_AMOUNT;
    const falls = from < before;
    before = from;
    if (falls) return t('It starts below the level before it.');
    return to !== null && to < from ? t('It ends below its beginning.') : undefined;
  });
}

export function draftOf(
  { id, level, roleRequired, minAmount, maxAmount = null, minApprovers = 1, approver, ...kept }: Level,
  at: number,
  all: readonly Level[],
): LevelDraft {
  const named = { userIds: approver?.userIds ?? [], groupId: approver?.groupId ?? '', roleId: approver?.roleId ?? '' };
  return {
    key: id,
    id,
    role: roleRequired,
    amount: typedAmount(minAmount),
    most: maxAmount === null ? '' : typedAmount(maxAmount),
    signatures: String(minApprovers),
    kept,
    isParallel: all[at - 1]?.level === level,
    ...named,
  };
}

/** Returns what a level names: a role, people or a group. */
function namedBy({ role, userIds, groupId, roleId }: LevelDraft) {
  if (role === 'USERS') return { approver: { userIds: [...userIds] } };
  if (role === 'ROLE') return { approver: { roleId } };
  return role === 'GROUP' ? { approver: { groupId } } : { roleRequired: role };
}

/** Returns the levels as the service takes them. */
export function levelsOf(drafts: readonly LevelDraft[]) {
  return drafts.map((draft, at) => ({
    ...(draft.id === undefined ? {} : { id: draft.id }),
    level: drafts.slice(0, at + 1).filter(({ isParallel }) => !isParallel).length,
    ...draft.kept,
    ...namedBy(draft),
    minAmount: readAmount(draft.amount, separators) ?? '',
    maxAmount: draft.most === '' ? null : (readAmount(draft.most, separators) ?? ''),
    minApprovers: Number(draft.signatures || 1),
  }));
}

type Chosen = 'role' | 'groupId' | 'roleId' | 'signatures';
type Width = { flex: string } | { w: string };

const WIDE: Width = { flex: '1 1 12rem' };

interface LevelFieldsProps {
  drafts: readonly LevelDraft[];
  problems: readonly (string | undefined)[];
  change: (drafts: readonly LevelDraft[]) => void;
  companyId: string;
}

/** The levels of a policy in its form, in the order in which they approve. */
export function LevelFields({ drafts, problems, change, companyId }: LevelFieldsProps) {
  const hasGroup = drafts.some(({ role }) => role === 'GROUP');
  const groups = useGroups(hasGroup ? companyId : undefined);
  const roles = useOwnRoles(drafts.some(({ role }) => role === 'ROLE') ? companyId : undefined) ?? [];
  const [made, setMade] = useState(0);
  const { sign } = useMoney();
  const set = (key: string, values: Partial<LevelDraft>) =>
    change(drafts.map((draft) => (draft.key === key ? { ...draft, ...values } : draft)));
  const add = () => {
    setMade(made + 1);
    change([...drafts, { ...NEW, key: `new ${made}` }]);
  };
  return (
    <Fieldset legend={t('Levels')}>
      <Stack gap="sm">
        <Dimmed>
          {t(
            'The first level approves first. Each level must start at the same amount as the one before it, or higher.',
          )}
        </Dimmed>
        {drafts.map((draft, at) => {
          const { key, role, amount, isParallel, userIds } = draft;
          const level = { number: at + 1 };
          const choice = (name: Chosen, label: string, data: readonly (string | Choice)[], width: Width = WIDE) => (
            <NativeSelect
              {...{ label, data: [...data], value: draft[name], ...width }}
              onChange={({ currentTarget: { value } }) => set(key, { [name]: value })}
            />
          );
          const money = (name: 'amount' | 'most', own: TextInputProps) => (
            <TextInput
              {...{ leftSection: sign, inputMode: 'decimal', autoComplete: 'off', flex: '1 1 9rem', ...own }}
              value={draft[name]}
              onChange={({ currentTarget: { value } }) => set(key, { [name]: value })}
            />
          );
          return (
            <Group key={key} align="flex-start" gap="sm" data-row>
              {choice('role', t('Level {number}: approver', level), ROLE_CHOICES)}
              {role === 'USERS' && (
                <PeopleBoxes
                  {...{ companyId, userIds, label: t('Level {number}: person', level) }}
                  choose={(ids) => set(key, { userIds: ids })}
                />
              )}
              {role === 'GROUP' && choice('groupId', t('Level {number}: group', level), ['', ...groups])}
              {role === 'ROLE' && choice('roleId', t('Level {number}: own role', level), choicesOf(roles, ''))}
              <Group align="flex-start" gap="sm" flex="1 1 26rem">
                {money('amount', {
                  label: t('Level {number}: from', level),
                  error: amount === '' ? undefined : problems[at],
                })}
                {money('most', { label: t('Level {number}: up to', level), placeholder: t('any amount') })}
                {choice('signatures', t('Level {number}: signatures', level), SIGNATURES, { w: '6rem' })}
                <ActionIcon
                  {...{ variant: 'subtle', color: 'red', mt: 29 }}
                  aria-label={t('Remove level {number}', level)}
                  onClick={removing(() => change(drafts.filter((one) => one.key !== key)))}
                >
                  <Icon name="clear" size={16} />
                </ActionIcon>
              </Group>
              {at > 0 && (
                <Checkbox
                  label={t('Level {number}: at the same time as the one before it', level)}
                  checked={isParallel}
                  onChange={(event) => set(key, { isParallel: event.currentTarget.checked })}
                  w="100%"
                />
              )}
            </Group>
          );
        })}
        <Button variant="default" size="xs" onClick={add} disabled={drafts.length >= MAX_LEVELS}>
          {t('Add a level')}
        </Button>
      </Stack>
    </Fieldset>
  );
}
