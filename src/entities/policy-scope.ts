import { fold } from '../lib/text-folding.ts';
import { isObject } from './check-fields.ts';
import { type FieldProblem, problemOf } from './field-problem.ts';
import { isCanonicalUuid } from './uuid.ts';
import type { Reading, ValueKind } from './values.ts';

/** Facts about a booking, as the caller of an evaluation gives them. */
export type Facts = Readonly<Record<string, boolean | string>>;

/** Facts under which a policy applies: a boolean, or texts of which one holds. */
export type Conditions = Readonly<Record<string, boolean | readonly string[]>>;

/** To whom a policy applies. */
export interface PolicyScope {
  departmentIds: readonly string[];
  bandIds: readonly string[];
  conditions: Conditions;
  priority: number;
  active: boolean;
}

/** The fact that the service itself knows: whether the booking exceeds the budget of the department. */
export const OVER_BUDGET = 'overBudget';

const NAME = /^[a-z][A-Za-z0-9]{0,49}$/;
const [MAX_FACTS, MAX_TEXTS, MAX_TEXT] = [20, 50, 200];

/** Finds what is wrong with facts, or with conditions, which have lists of texts. */
export function checkFacts(field: string, given: unknown, isCondition: boolean): FieldProblem[] {
  const problem = (at: string, code: FieldProblem['code'], expected: string): FieldProblem[] => [
    problemOf(at, code, `must be ${expected}`),
  ];
  if (!isObject(given)) return problem(field, 'INVALID_TYPE', 'an object');
  const entries = Object.entries(given);
  if (entries.length > MAX_FACTS) return problem(field, 'TOO_LONG', `of at most ${MAX_FACTS} facts`);
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT;
  return entries.flatMap(([name, value]) => {
    const at = `${field}.${name.slice(0, 50)}`;
    if (!NAME.test(name)) return problem(at, 'INVALID_FORMAT', 'a name in camel case of at most 50 letters and digits');
    if (typeof value === 'boolean' || (!isCondition && isText(value))) return [];
    if (!isCondition) return problem(at, 'INVALID_TYPE', `true, false or a text of 1 to ${MAX_TEXT} characters`);
    const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_TEXTS && value.every(isText);
    return isList ? [] : problem(at, 'INVALID_TYPE', `true, false or a list of 1 to ${MAX_TEXTS} texts`);
  });
}

/** A kind whose values are texts that {@link read} brings into one form; undefined for what breaks the rule. */
export function formedText(
  rule: string,
  read: (text: string) => string | undefined,
  schema: ValueKind['schema'] = {},
): ValueKind<string> {
  const parse = (given: string): Reading<string> => {
    const value = read(given.trim());
    return value === undefined ? { code: 'INVALID_FORMAT', expected: rule } : { value };
  };
  return {
    rule,
    sqlType: 'text',
    schema: { type: 'string', ...schema },
    parse,
    check: (value) => (typeof value === 'string' ? parse(value) : { code: 'INVALID_TYPE', expected: rule }),
  };
}

/** Ids, each once, in order and separated by spaces: one text for the same set. */
export const uuidList = formedText('UUIDs separated by spaces', (given) => {
  const ids = given === '' ? [] : given.toLowerCase().split(/[\s,]+/);
  return ids.every(isCanonicalUuid) ? [...new Set(ids)].sort().join(' ') : undefined;
});

/** Conditions as JSON, with sorted names and texts: one text for the same conditions. */
export const conditionsText = formedText('a JSON object of facts: name -> a boolean or a list of texts', (given) => {
  if (given === '') return '';
  try {
    const conditions = JSON.parse(given) as Conditions;
    if (checkFacts('conditions', conditions, true).length > 0) return undefined;
    const entries = Object.entries(conditions).sort(([one], [other]) => (one < other ? -1 : 1));
    const texts = (value: boolean | readonly string[]) =>
      typeof value === 'boolean' ? value : [...new Set(value.map((each) => each.trim()))].sort();
    return entries.length === 0
      ? ''
      : JSON.stringify(Object.fromEntries(entries.map(([name, value]) => [name, texts(value)])));
  } catch {
    return undefined;
  }
});

/** What decides which policy applies to a person. */
export interface ScopedPerson {
  /** The person's department and those above it. */
  departmentIds: readonly string[];
  bandId: string;
}

/** Returns whether the conditions hold; a fact that is not given does not. */
export function holds(conditions: Conditions, facts: Facts): boolean {
  return Object.entries(conditions).every(([name, wanted]) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    if (typeof wanted === 'boolean') return fact === wanted;
    return typeof fact === 'string' && wanted.some((text) => fold(text) === fold(fact));
  });
}

/** Returns whether a policy applies to a person under these facts. */
export function applies(scope: PolicyScope, person: ScopedPerson, facts: Facts): boolean {
  const { departmentIds, bandIds, conditions, active } = scope;
  return (
    active &&
    (departmentIds.length === 0 || departmentIds.some((id) => person.departmentIds.includes(id))) &&
    (bandIds.length === 0 || bandIds.includes(person.bandId)) &&
    holds(conditions, facts)
  );
}

/**
 * Chooses the policy that applies to a person: the lowest priority, then more conditions, then with a department, then with a band, then
 * by name and id.
 */
export function choosePolicy<Policy extends { id: string; name: string; scope: PolicyScope }>(
  policies: readonly Policy[],
  person: ScopedPerson,
  facts: Facts,
): Policy | undefined {
  const rank = ({ id, name, scope }: Policy): (number | string)[] => [
    scope.priority,
    -Object.keys(scope.conditions).length,
    scope.departmentIds.length > 0 ? 0 : 1,
    scope.bandIds.length > 0 ? 0 : 1,
    fold(name),
    id,
  ];
  const [first] = policies
    .filter(({ scope }) => applies(scope, person, facts))
    .map((policy) => ({ policy, rank: rank(policy) }))
    .sort((one, other) => compare(one.rank, other.rank));
  return first?.policy;
}

function compare(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [a = 0, b = 0] = [one[index], other[index]];
  return index < 0 ? 0 : a < b ? -1 : 1;
}
