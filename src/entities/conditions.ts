import { fold } from '../lib/text-folding.ts';
import { type FieldProblem, problemOf } from './api-error.ts';
import { isObject } from './check-fields.ts';

type Fact = boolean | number | string | readonly string[];

/** Facts about a booking, as the caller of an evaluation gives them. */
export type Facts = Readonly<Record<string, Fact>>;

interface Range {
  readonly min?: number;
  readonly max?: number;
}
type Plain = boolean | readonly string[] | Range;
type Condition = Plain | { readonly not: Plain };

/** Facts under which a policy applies: a boolean, texts of which one holds, a range of numbers, or what must not hold. */
export type Conditions = Readonly<Record<string, Condition>>;

/** The fact that the service itself knows: whether the booking exceeds the budget of the department. */
export const OVER_BUDGET = 'overBudget';

/** A number as JSON and texts have it: no other notation, and no Infinity. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;
const NAME = /^[a-z][A-Za-z0-9]{0,49}$/;
const [MAX_FACTS, MAX_TEXTS, MAX_TEXT] = [20, 50, 200];
const FACT = `true, false, a number, a text of 1 to ${MAX_TEXT} characters or a list of 1 to ${MAX_TEXTS} texts`;
const CONDITION = `true, false, a list of 1 to ${MAX_TEXTS} texts, { min, max } with numbers, or { not } with one of these`;

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= MAX_TEXT;
const isTexts = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_TEXTS && value.every(isText);
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isFact = (value: unknown) => typeof value === 'boolean' || isNumber(value) || isText(value) || isTexts(value);

function isRange(value: unknown): value is Range {
  if (!isObject(value)) return false;
  const bounds = Object.entries(value);
  return (
    bounds.length > 0 &&
    bounds.every(([name, bound]) => (name === 'min' || name === 'max') && isNumber(bound)) &&
    !(Number(value.min) > Number(value.max))
  );
}

const isPlain = (value: unknown): value is Plain => typeof value === 'boolean' || isTexts(value) || isRange(value);

function isNegation(condition: Condition): condition is { readonly not: Plain } {
  return isObject(condition) && 'not' in condition;
}

/** Finds what is wrong with facts. */
export const checkFacts = (field: string, given: unknown) => check(field, given, FACT, isFact);

/** Finds what is wrong with conditions. */
export const checkConditions = (field: string, given: unknown) =>
  check(field, given, CONDITION, (value) =>
    isPlain(isObject(value) && Object.keys(value).join() === 'not' ? value.not : value),
  );

function check(field: string, given: unknown, expected: string, isRight: (value: unknown) => boolean): FieldProblem[] {
  if (!isObject(given)) return [problemOf(field, 'INVALID_TYPE', 'must be an object')];
  const entries = Object.entries(given);
  if (entries.length > MAX_FACTS) return [problemOf(field, 'TOO_LONG', `must be of at most ${MAX_FACTS} facts`)];
  return entries.flatMap(([name, value]) => {
    const at = `${field}.${name.slice(0, 50)}`;
    if (!NAME.test(name)) {
      return [problemOf(at, 'INVALID_FORMAT', 'must be a name in camel case of at most 50 letters and digits')];
    }
    return isRight(value) ? [] : [problemOf(at, 'INVALID_TYPE', `must be ${expected}`)];
  });
}

/** Returns conditions with sorted names and texts: the same for equal conditions. */
export function inOneForm(conditions: Conditions): Conditions {
  const plain = (value: Plain): Plain => {
    if (Array.isArray(value)) return [...new Set(value.map((each) => each.trim()))].sort();
    return isRange(value)
      ? { ...('min' in value && { min: value.min }), ...('max' in value && { max: value.max }) }
      : value;
  };
  const entries = Object.entries(conditions).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isNegation(value) ? { not: plain(value.not) } : plain(value)]),
  );
}

/** Returns whether the conditions hold; a fact that is not given does not, so that its negation does. */
export function holds(conditions: Conditions, facts: Facts): boolean {
  return Object.entries(conditions).every(([name, wanted]) => {
    const fact = Object.hasOwn(facts, name) ? facts[name] : undefined;
    return isNegation(wanted) ? !isHeld(wanted.not, fact) : isHeld(wanted, fact);
  });
}

function isHeld(wanted: Plain, fact: Fact | undefined): boolean {
  if (fact === undefined) return false;
  const values = (Array.isArray(fact) ? fact : [fact]).map(String);
  return values.some((value) => isAmong(value, wanted));
}

/** Returns whether a value is among those that hold; `true` and "true" are the same. */
function isAmong(value: string, wanted: Plain): boolean {
  if (!isRange(wanted)) return textsOf(wanted).includes(fold(value));
  const number = NUMBER.test(value.trim()) ? Number(value) : Number.NaN;
  return number >= (wanted.min ?? Number.NEGATIVE_INFINITY) && number <= (wanted.max ?? Number.POSITIVE_INFINITY);
}

function textsOf(wanted: boolean | readonly string[]): string[] {
  return typeof wanted === 'boolean' ? [String(wanted)] : wanted.map(fold);
}

/** Returns whether one value of a fact cannot fulfil both. */
function exclude(one: Condition, other: Condition): boolean {
  if (isNegation(one)) return !isNegation(other) && implies(other, one.not);
  if (isNegation(other)) return exclude(other, one);
  if (!isRange(one)) return !textsOf(one).some((text) => isAmong(text, other));
  if (!isRange(other)) return exclude(other, one);
  return Math.max(one.min ?? -Infinity, other.min ?? -Infinity) > Math.min(one.max ?? Infinity, other.max ?? Infinity);
}

/** Returns whether whatever fulfils one condition on a fact fulfils the other one too. */
function implies(one: Condition, other: Condition): boolean {
  if (isNegation(other)) return isNegation(one) ? implies(other.not, one.not) : exclude(one, other.not);
  if (isNegation(one)) return false;
  if (!isRange(one)) return textsOf(one).every((text) => isAmong(text, other));
  return (
    isRange(other) &&
    [other.min ?? -Infinity, other.max ?? Infinity].every((bound, at) => {
      return at === 0 ? (one.min ?? -Infinity) >= bound : (one.max ?? Infinity) <= bound;
    })
  );
}

/** Returns whether facts can fulfil both. */
export function canMeet(one: Conditions, other: Conditions): boolean {
  return Object.entries(one).every(([name, condition]) => {
    const against = other[name];
    return against === undefined || !exclude(condition, against);
  });
}

/** Returns whether all facts that fulfil some conditions fulfil the wider ones too. */
export function isWithin(conditions: Conditions, wider: Conditions): boolean {
  return Object.entries(wider).every(([name, condition]) => {
    const own = conditions[name];
    return own !== undefined && implies(own, condition);
  });
}
