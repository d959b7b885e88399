import {
  areAmbiguous,
  isShadowedBy,
  linesOf,
  type PolicyScope,
  type ScopedPolicy,
} from '../../../src/entities/policy-scope.ts';
import type { Department, FullPolicy, Policy } from '../api/types.ts';
import { formatCount, formatDate } from '../format.ts';
import { isolated } from '../isolated.ts';
import { t } from '../translate.ts';

/** Returns a scope with all of its lists. */
export function wholeScope(scope: Partial<FullPolicy['scope']> | undefined): PolicyScope {
  const none = {
    departmentIds: [],
    bandIds: [],
    costCenters: [],
    jobTitles: [],
    countryCodes: [],
    workerTypes: [],
    userIds: [],
  };
  return { ...none, conditions: {}, from: null, until: null, priority: 100, active: true, ...scope } as PolicyScope;
}

const scoped = ({ id, name, scope }: Pick<Policy, 'id' | 'name' | 'scope'>): ScopedPolicy => ({
  id,
  name,
  scope: wholeScope(scope),
});

/** Returns why a policy never applies, or that its id alone decides; undefined if neither is so. @param others all policies of the company */
export function precedenceText(
  policy: Pick<Policy, 'id' | 'name' | 'scope'>,
  others: readonly Policy[],
  departments: readonly Pick<Department, 'id' | 'parentId'>[],
): string | undefined {
  const lines = linesOf(departments.map(({ id, parentId = null }) => ({ id, parentId })));
  const own = scoped(policy);
  const among = others.filter(({ id }) => id !== policy.id).map(scoped);
  const first = among.find((other) => isShadowedBy(own, other, lines));
  if (first) return t('Never applies: {policy} comes first.', { policy: isolated(first.name) });
  const equal = among.find((other) => areAmbiguous(own, other));
  return (
    equal &&
    t('Has the same precedence as {policy}: give one of them another priority.', { policy: isolated(equal.name) })
  );
}

/** Returns conditions as they are typed: `international = true; category = flight, rail; days = 1..6; meal = not vegan`. */
export function typedConditions(conditions: PolicyScope['conditions']): string {
  const plain = (value: unknown): string => {
    if (Array.isArray(value)) return value.join(', ');
    if (typeof value !== 'object' || value === null) return String(value);
    if ('not' in value) return `not ${plain(value.not)}`;
    const { min = '', max = '' } = value as { min?: number; max?: number };
    return `${min}..${max}`;
  };
  return Object.entries(conditions)
    .map(([name, value]) => `${name} = ${plain(value)}`)
    .join('; ');
}

/** Reads what {@link typedConditions} writes. */
export function readConditions(typed: string): Record<string, unknown> {
  const parts = typed.split(';').filter((part) => part.trim() !== '');
  const read = (text: string): unknown => {
    if (/^not\s/.test(text)) return { not: read(text.slice(4).trim()) };
    if (/^(?:true|false)$/.test(text)) return text === 'true';
    const range = /^(-?[\d.]*\d)?\.\.(-?\d[\d.]*)?$/.exec(text);
    if (range) return { ...(range[1] && { min: Number(range[1]) }), ...(range[2] && { max: Number(range[2]) }) };
    return text.split(',').map((one) => one.trim());
  };
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', ...values] = part.split('=');
      return [name.trim(), read(values.join('=').trim())];
    }),
  );
}

/** Returns in one line whom a policy applies to. @param named departments and bands */
export function scopeText(
  { scope: given }: Pick<Policy, 'scope'>,
  named: readonly { id: string; name: string }[],
): string {
  const scope = wholeScope(given);
  const names = (ids: readonly string[]) => named.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  const lists = [
    ...names([...scope.departmentIds, ...scope.bandIds]),
    ...[...scope.costCenters, ...scope.jobTitles, ...scope.countryCodes, ...scope.workerTypes],
    ...(scope.userIds.length === 0
      ? []
      : [t('{count, plural, one {# person} other {# people}}', { count: scope.userIds.length })]),
  ];
  return [
    lists.length === 0 ? t('Everybody') : lists.join(', '),
    ...(Object.keys(scope.conditions).length === 0 ? [] : [typedConditions(scope.conditions)]),
    ...(scope.from === null ? [] : [t('from {day}', { day: formatDate(scope.from) })]),
    ...(scope.until === null ? [] : [t('until {day}', { day: formatDate(scope.until) })]),
    t('priority {number}', { number: formatCount(scope.priority) }),
  ].join(' · ');
}
