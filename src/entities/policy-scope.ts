import { fold } from '../lib/text-folding.ts';
import { type Conditions, canMeet, checkConditions, type Facts, holds, inOneForm, isWithin } from './conditions.ts';
import type { CalendarDate } from './dates.ts';
import { formedText } from './formed-values.ts';
import type { ValueKind } from './values.ts';

/** To whom a policy applies; an empty list: to everybody. */
export interface PolicyScope extends Readonly<Record<ListName, readonly string[]>> {
  /** Departments, with those below them. */
  departmentIds: readonly string[];
  conditions: Conditions;
  from: CalendarDate | null;
  until: CalendarDate | null;
  priority: number;
  active: boolean;
}

/** What decides which policy applies to a person. */
export interface ScopedPerson {
  id: string;
  /** The person's department and those above it. */
  departmentIds: readonly string[];
  bandId: string;
  costCenter: string | null;
  jobTitle: string | null;
  countryCodes: readonly string[];
  workerType: string;
}

/** The lists of a scope, each with what it is compared with. */
const LISTS = {
  bandIds: ({ bandId }: ScopedPerson) => [bandId],
  costCenters: ({ costCenter }: ScopedPerson) => [costCenter],
  jobTitles: ({ jobTitle }: ScopedPerson) => [jobTitle],
  countryCodes: ({ countryCodes }: ScopedPerson) => countryCodes,
  workerTypes: ({ workerType }: ScopedPerson) => [workerType],
  userIds: ({ id }: ScopedPerson) => [id],
} as const;
type ListName = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** A policy with its scope. */
export interface ScopedPolicy {
  id: string;
  name: string;
  scope: PolicyScope;
}

/** Texts as a JSON list, each once and in order: one text for the same set. */
export function textList(rule: string, read: (text: string) => string | undefined): ValueKind<string> {
  return formedText(`a JSON list of ${rule}`, (given) => {
    if (given === '') return '';
    const texts: unknown = parsed(given);
    if (!Array.isArray(texts)) return undefined;
    const values = texts.map((each) => (typeof each === 'string' ? read(each.trim()) : undefined));
    if (values.includes(undefined)) return undefined;
    return values.length === 0 ? '' : JSON.stringify([...new Set(values)].sort());
  });
}

/** Conditions as JSON: one text for the same conditions. */
export const conditionsText = formedText(
  'a JSON object of facts: name -> a boolean, a list of texts, { "min", "max" } or { "not" }',
  (given) => {
    if (given === '') return '';
    const conditions = parsed(given);
    if (checkConditions('conditions', conditions).length > 0) return undefined;
    const text = JSON.stringify(inOneForm(conditions as Conditions));
    return text === '{}' ? '' : text;
  },
);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a policy applies to a person under these facts on a day. */
export function applies(scope: PolicyScope, person: ScopedPerson, facts: Facts, on: CalendarDate): boolean {
  const { departmentIds, conditions, active, from, until } = scope;
  return (
    active &&
    (from === null || from <= on) &&
    (until === null || on <= until) &&
    (departmentIds.length === 0 || departmentIds.some((id) => person.departmentIds.includes(id))) &&
    LIST_NAMES.every((name) => scope[name].length === 0 || share(scope[name], LISTS[name](person))) &&
    holds(conditions, facts)
  );
}

function share(one: readonly (string | null)[], other: readonly (string | null)[]): boolean {
  const texts = new Set(one.map((each) => fold(each ?? '')));
  return other.some((each) => each !== null && texts.has(fold(each)));
}

/**
 * Returns what decides between policies of which several apply, the lowest first: the priority, then more conditions, the nearest
 * department of the person's line upwards, a band, and more of any other scope.
 *
 * @param line the person's department and those above it
 */
export function precedenceOf(scope: PolicyScope, line: readonly string[]): number[] {
  const others = LIST_NAMES.filter((name) => name !== 'bandIds' && scope[name].length > 0).length;
  const isDated = scope.from !== null || scope.until !== null;
  const nearest = line.findIndex((id) => scope.departmentIds.includes(id));
  return [
    scope.priority,
    -Object.keys(scope.conditions).length,
    nearest < 0 ? Number.POSITIVE_INFINITY : nearest,
    scope.bandIds.length > 0 ? 0 : 1,
    -others - Number(isDated),
  ];
}

/** Compares policies by precedence, and equal ones by id. */
export function compareIn(line: readonly string[]) {
  return (one: ScopedPolicy, other: ScopedPolicy): number =>
    compare([...precedenceOf(one.scope, line), one.id], [...precedenceOf(other.scope, line), other.id]);
}

function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [a = 0, b = 0] = [one[index], other[index]];
  return index < 0 ? 0 : a < b ? -1 : 1;
}

/** Chooses the policy that applies to a person, and the first of those that only its id precedes. */
export function choosePolicy<Policy extends ScopedPolicy>(
  policies: readonly Policy[],
  person: ScopedPerson,
  facts: Facts,
  on: CalendarDate,
): { policy: Policy | undefined; tied: Policy | undefined } {
  const line = person.departmentIds;
  const [policy, next] = policies.filter(({ scope }) => applies(scope, person, facts, on)).sort(compareIn(line));
  const isTied = policy && next && compare(precedenceOf(policy.scope, line), precedenceOf(next.scope, line)) === 0;
  return { policy, tied: isTied ? next : undefined };
}

/** Returns whether two active policies are equal in precedence and both apply to some booking that there may be. */
export function areAmbiguous({ scope: one }: ScopedPolicy, { scope: other }: ScopedPolicy): boolean {
  const bothOrMeet = (a: readonly string[], b: readonly string[]) => a.length === 0 || b.length === 0 || share(a, b);
  const department = one.departmentIds.find((id) => other.departmentIds.includes(id));
  if (department === undefined && one.departmentIds.length + other.departmentIds.length > 0) return false;
  const line = department === undefined ? [] : [department];
  return (
    one.active &&
    other.active &&
    compare(precedenceOf(one, line), precedenceOf(other, line)) === 0 &&
    LIST_NAMES.every((name) => bothOrMeet(one[name], other[name])) &&
    !(one.until !== null && other.from !== null && one.until < other.from) &&
    !(other.until !== null && one.from !== null && other.until < one.from) &&
    canMeet(one.conditions, other.conditions)
  );
}

/** Returns whether a policy never applies, as another one applies to the same bookings and more, and comes first. @param lines of all departments */
export function isShadowedBy(
  policy: ScopedPolicy,
  first: ScopedPolicy,
  lines: readonly (readonly string[])[],
): boolean {
  const [own, wider] = [policy.scope, first.scope];
  const isPart = (line: readonly string[], { departmentIds }: PolicyScope) =>
    departmentIds.length === 0 || departmentIds.some((id) => line.includes(id));
  const among = lines.filter((line) => isPart(line, own));
  return (
    own.active &&
    wider.active &&
    (wider.from === null || (own.from !== null && wider.from <= own.from)) &&
    (wider.until === null || (own.until !== null && own.until <= wider.until)) &&
    LIST_NAMES.every((name) => {
      return (
        wider[name].length === 0 || (own[name].length > 0 && own[name].every((each) => share(wider[name], [each])))
      );
    }) &&
    isWithin(own.conditions, wider.conditions) &&
    among.length > 0 &&
    among.every((line) => isPart(line, wider) && compareIn(line)(first, policy) < 0)
  );
}

/** Returns the line upwards of each department. */
export function linesOf(departments: readonly { id: string; parentId: string | null }[]): string[][] {
  const parents = new Map(departments.map(({ id, parentId }) => [id, parentId]));
  return departments.map(({ id: own }) => {
    const line: string[] = [];
    for (let id: string | null | undefined = own; id && !line.includes(id); id = parents.get(id)) line.push(id);
    return line;
  });
}
