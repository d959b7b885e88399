import { amountOf, cents, type DecimalString } from './money.ts';
import { type ApproverRole, type RelativeRole, ROLE_NAMES } from './roles.ts';

/** The part of a policy level that the decision depends on. */
export interface DecidingLevel {
  level: number;
  roleRequired: ApproverRole;
  minAmount: DecimalString;
  /** The amount up to which the level is due; null: any. */
  maxAmount?: DecimalString | null;
  minApprovers?: number;
  mode?: 'ANY' | 'ALL';
}

/** Who can sign a step. */
export interface StepApprovers {
  /** Number of people, including substitutes. */
  total: number;
  /** The only person, apart from a substitute; null where there are several or none. */
  sole: string | null;
  /** Number of people without substitutes; absent: the total. */
  principals?: number;
  /** Ids of those of them who are known. */
  ids?: readonly string[];
}

/** Input of a decision. Limits of null are absent: no person is named, or a band has no maximum. */
export interface ApprovalCase<Level extends DecidingLevel, Approvers extends StepApprovers> {
  amount: DecimalString;
  policyLimit: DecimalString;
  bandLimit: DecimalString | null;
  maxBookingLimit: DecimalString | null;
  /** In ascending order; levels of one number are parallel. */
  levels: readonly Level[];
  /** Whether each signature is of another person. */
  distinct?: boolean;
  /**
   * Returns who can sign at a level, without the person who books: one step, or several of a line of managers.
   *
   * @param withAuthority of a single step only those whose approval limit is at least the amount; of several none if nobody in them has that
   */
  approversOf(level: Level, withAuthority: boolean): readonly Approvers[];
  /** Returns who is asked where nobody else can be. */
  defaults?(withAuthority: boolean): Approvers;
}

export const APPROVAL_DECISIONS = [
  'AUTO_APPROVED',
  'APPROVAL_NEEDED',
  'OVER_LIMIT',
  'NOBODY_CAN_APPROVE',
  'NO_POLICY',
] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

export const SKIP_CODES = ['NOBODY', 'SAME_PERSON'] as const;
export type SkipCode = (typeof SKIP_CODES)[number];

/** Why a decision is as it is; `message` is a sentence for people. */
export interface Reason {
  code: ReasonCode;
  message: string;
}

export const REASON_CODES = [
  'APPLIES_BY_DEPARTMENT',
  'APPLIES_BY_BAND',
  'APPLIES_BY_CONDITIONS',
  'APPLIES_BY_SCOPE',
  'APPLIES_TO_ALL',
  'AMBIGUOUS',
  'PERSON_DOES_NOT_WORK',
  'NO_POLICY',
  'OVER_MAX_BOOKING',
  'ABOVE_BAND_LIMIT',
  'ABOVE_POLICY_LIMIT',
  'NO_LEVELS',
  'LOWEST_LEVEL',
  'CLIMBED_FOR_AUTHORITY',
  'STEP_SKIPPED',
  'NO_AUTHORITY',
  'BAND_LIMITS_IGNORED',
  'WITHIN_TOLERANCE',
  'ABOVE_LEVELS',
  'DEFAULT_APPROVERS',
  'TOO_FEW_APPROVERS',
  'DISTINCT',
  'SUBSTITUTE_AWAY',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export interface DecidedStep<Level, Approvers> {
  level: Level;
  /** Why nobody has to sign this step; null where somebody has to. */
  skipped: SkipCode | null;
  /** How many different people have to sign it. */
  needed: number;
  approvers: Approvers;
}

export interface Decided<Level, Approvers> {
  decision: ApprovalDecision;
  steps: DecidedStep<Level, Approvers>[];
  /** In the order in which they decided; empty up to the limit. */
  reasons: Reason[];
}

/** Returns the limit up to which nobody has to approve: the smaller of those of the policy and the band. */
export function limitOf({ policyLimit, bandLimit }: Pick<ApprovalCase<never, never>, 'policyLimit' | 'bandLimit'>) {
  return bandLimit !== null && cents(bandLimit) < cents(policyLimit) ? bandLimit : policyLimit;
}

/**
 * Decides on a booking. Above the limit somebody approves: the levels that are due sign by their role, and the last step has the authority
 * for the amount; levels are added until it has. The service and the console share this rule.
 */
export function decideApproval<Level extends DecidingLevel, Approvers extends StepApprovers>(
  given: ApprovalCase<Level, Approvers>,
): Decided<Level, Approvers> {
  const { amount, policyLimit, bandLimit, maxBookingLimit, levels, approversOf } = given;
  const isAbove = (limit: DecimalString | null) => limit !== null && cents(amount) > cents(limit);
  if (isAbove(maxBookingLimit)) {
    const message = `${amount} is above the largest booking of the band, ${maxBookingLimit}.`;
    return { decision: 'OVER_LIMIT', steps: [], reasons: [{ code: 'OVER_MAX_BOOKING', message }] };
  }
  if (!isAbove(limitOf(given))) return { decision: 'AUTO_APPROVED', steps: [], reasons: [] };
  const reasons: Reason[] = [];
  const because = (code: ReasonCode, message: string) => reasons.push({ code, message });
  if (isAbove(bandLimit))
    because('ABOVE_BAND_LIMIT', `${amount} is above the automatic limit of the band, ${bandLimit}.`);
  if (isAbove(policyLimit))
    because('ABOVE_POLICY_LIMIT', `${amount} is above the limit of the policy, ${policyLimit}.`);
  const nobody = (steps: DecidedStep<Level, Approvers>[]): Decided<Level, Approvers> => {
    return { decision: 'NOBODY_CAN_APPROVE', steps, reasons };
  };
  const ends = levels.filter((level) => !isAbove(level.maxAmount ?? null));
  const [lowest] = ends;
  if (lowest === undefined) {
    if (levels.length > 0) because('ABOVE_LEVELS', `No level goes up to ${amount}.`);
    else because('NO_LEVELS', 'The policy has no level, so that nobody can approve above its limit.');
    return nobody([]);
  }
  const due = ends.filter(({ minAmount }) => cents(minAmount) <= cents(amount));
  if (due.length === 0) {
    because('LOWEST_LEVEL', `No level begins at ${amount} or below: the lowest one decides.`);
    due.push(...ends.filter(({ level }) => level === lowest.level));
  }
  const lastDue = due.at(-1)?.level ?? lowest.level;
  const numbers = [...new Set(ends.map(({ level }) => level))].filter((number) => number >= lastDue);
  const stage = (number: number) => (number === lastDue ? due : ends).filter(({ level }) => level === number);
  const canEnd = (level: Level) => {
    const able = approversOf(level, true).at(-1);
    return able !== undefined && principalsOf(able) >= (level.mode === 'ALL' ? 1 : (level.minApprovers ?? 1));
  };
  const climbed = numbers.findIndex((number) => stage(number).some(canEnd));
  const stepsTo = (added: readonly number[], isFailing = false) =>
    [...due, ...added.flatMap(stage)].flatMap((level): DecidedStep<Level, Approvers>[] => {
      const isLast = level.level === (added.at(-1) ?? lastDue);
      const isEnd = isLast && (isFailing || (canEnd(level) && level.mode !== 'ALL'));
      const able = isEnd ? approversOf(level, true) : [];
      return (able.length > 0 ? able : approversOf(level, false)).map((approvers) => {
        return { level, skipped: null, needed: neededOf(level, approvers), approvers };
      });
    });
  const added = numbers.slice(1, Math.max(climbed, 0) + 1);
  const last = added.at(-1) ?? lastDue;
  const steps = stepsTo(added);
  if (climbed > 0) {
    const names = added.flatMap(stage).map(nameOf).join(', ');
    because('CLIMBED_FOR_AUTHORITY', `Nobody at the last level due may approve ${amount}: added ${names}.`);
  }
  const byDefault = (step: DecidedStep<Level, Approvers>, withAuthority: boolean) => {
    const approvers = given.defaults?.(withAuthority);
    if (approvers === undefined || principalsOf(approvers) < 1) return false;
    because('DEFAULT_APPROVERS', `Nobody can sign ${nameOf(step.level)}: the default approvers are asked.`);
    Object.assign(step, { approvers, needed: 1 });
    return true;
  };
  const final = steps.at(-1);
  if (climbed < 0 && final !== undefined) {
    const isEmpty = principalsOf(final.approvers) === 0;
    const end = isEmpty ? final : { ...final };
    if (!byDefault(end, true)) {
      because('NO_AUTHORITY', `Nobody at the last step or above it may approve ${amount}.`);
      return nobody(stepsTo(numbers.slice(1), true));
    }
    if (!isEmpty) steps.push(end);
  }
  const isPossible = steps.map((step, index) => {
    const { level, approvers, needed } = step;
    const mustSign = given.distinct || needed > 1 || level.level === last;
    if (principalsOf(approvers) >= needed) {
      if (!given.distinct && isDecidedLater(step, steps.slice(index + 1))) step.skipped = 'SAME_PERSON';
    } else if (!mustSign) {
      step.skipped = 'NOBODY';
    } else if (!byDefault(step, false)) {
      because('TOO_FEW_APPROVERS', `${nameOf(level)} needs ${needed} different people, and has fewer.`);
      return false;
    }
    if (step.skipped === null) return true;
    const why = step.skipped === 'NOBODY' ? 'nobody has the role' : 'the same person decides at a later step';
    because('STEP_SKIPPED', `${nameOf(level)} is skipped: ${why}.`);
    return true;
  });
  if (isPossible.includes(false)) return nobody(steps);
  if (given.distinct && !canAllDiffer(steps)) {
    because('DISTINCT', 'Each signature has to be of another person, and there are too few.');
    return nobody(steps);
  }
  return { decision: 'APPROVAL_NEEDED', steps, reasons };
}

function principalsOf({ total, principals = total }: StepApprovers): number {
  return principals;
}

function neededOf({ minApprovers = 1, mode }: DecidingLevel, approvers: StepApprovers): number {
  return mode === 'ALL' ? Math.max(principalsOf(approvers), minApprovers) : minApprovers;
}

function isDecidedLater<Level>(
  { approvers: { sole }, needed }: DecidedStep<Level, StepApprovers>,
  later: readonly DecidedStep<Level, StepApprovers>[],
): boolean {
  return sole !== null && needed === 1 && later.some((step) => step.approvers.sole === sole);
}

/** Returns whether all signatures can be of different people. People who are not known by id count as different ones. */
function canAllDiffer(steps: readonly DecidedStep<unknown, StepApprovers>[]): boolean {
  const signatures = steps.flatMap(({ approvers, needed }, at) => {
    const { ids = [] } = approvers;
    const unknown = Array.from({ length: principalsOf(approvers) - ids.length }, (_, index) => `${at} ${index}`);
    return Array.from({ length: needed }, () => [...ids, ...unknown]);
  });
  const signers = new Map<string, number>();
  const finds = (signature: number, tried: Set<string>): boolean =>
    (signatures[signature] ?? []).some((id) => {
      if (tried.has(id)) return false;
      tried.add(id);
      const other = signers.get(id);
      if (other !== undefined && !finds(other, tried)) return false;
      signers.set(id, signature);
      return true;
    });
  return signatures.every((_, signature) => finds(signature, new Set()));
}

function nameOf({ level, roleRequired }: DecidingLevel): string {
  return `level ${level} (${ROLE_NAMES[roleRequired]})`;
}

/** Input of {@link nobodyFrom}. */
export interface PolicyRules<Level> {
  autoApprovalLimit: DecimalString;
  levels: readonly Level[];
}

/**
 * Returns the smallest amount that nobody can approve.
 *
 * @param highestLimit the highest approval limit among those who can sign at a level; null: nobody can, undefined: unknown
 * @param byDefault likewise, of the default approvers
 * @returns undefined if every amount has an approver as far as is known
 */
export function nobodyFrom<Level extends Pick<DecidingLevel, 'level' | 'minAmount' | 'maxAmount' | 'minApprovers'>>(
  { autoApprovalLimit, levels }: PolicyRules<Level>,
  highestLimit: (level: Level) => DecimalString | null | undefined,
  byDefault: DecimalString | null = null,
): DecimalString | undefined {
  const first = cents(autoApprovalLimit) + 1n;
  if (levels.length === 0) return amountAbove(autoApprovalLimit);
  // Within these bounds the same levels are due.
  const changes = levels.flatMap(({ minAmount, maxAmount }) => [
    cents(minAmount),
    ...(maxAmount ? [cents(maxAmount) + 1n] : []),
  ]);
  const ascending = [first, ...changes.filter((from) => from > first)].sort((one, other) => (one < other ? -1 : 1));
  for (const [index, from] of ascending.entries()) {
    const ends = levels.filter(({ maxAmount }) => !maxAmount || cents(maxAmount) >= from);
    const due = ends.filter(({ minAmount }) => cents(minAmount) <= from);
    // Several signatures are never skipped.
    const isShort = due.some((level) => (level.minApprovers ?? 1) > 1 && highestLimit(level) === null);
    if (isShort && byDefault === null) return amountOf(from);
    const last = due.at(-1);
    const limits = ends.filter(({ level }) => last === undefined || level >= last.level).map(highestLimit);
    if (limits.includes(undefined)) continue;
    const highest = [...limits, ends.length > 0 ? byDefault : null].reduce(
      (most, limit) => (limit && cents(limit) > most ? cents(limit) : most),
      -1n,
    );
    const begins = highest + 1n > from ? highest + 1n : from;
    const until = ascending[index + 1];
    if (until === undefined || begins < until) return amountOf(begins);
  }
  return undefined;
}

/** Returns the smallest amount above another one. */
export function amountAbove(amount: DecimalString): DecimalString {
  return amountOf(cents(amount) + 1n);
}

/** The people whom a person has above them, nearest first; they may be among them, where managers form a circle. */
export interface Relations<Someone> {
  managers: readonly Someone[];
  /** Heads of the person's department and of those above it. */
  heads: readonly Someone[];
}

/** The largest number of managers in a line who are asked. */
const MAX_CHAIN = 10;

/**
 * Returns who has a relative role for a person, several of a line of managers: from the nearest one. Whoever cannot decide is passed over
 * upwards.
 *
 * @param decides whether somebody works, and is not the person
 */
export function relativesOf<Someone>(
  role: Exclude<RelativeRole, 'COST_CENTER_OWNER'>,
  { managers, heads }: Relations<Someone>,
  decides: (someone: Someone) => boolean,
): Someone[] {
  if (role === 'DEPARTMENT_HEAD') return heads.filter(decides).slice(0, 1);
  const first = role === 'SECOND_LINE_MANAGER' ? 1 : 0;
  return managers.filter(decides).slice(first, role === 'MANAGEMENT_CHAIN' ? MAX_CHAIN : first + 1);
}
