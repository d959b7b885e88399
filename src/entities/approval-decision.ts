import { cents, type DecimalString } from './money.ts';
import { type ApproverRole, type RelativeRole, ROLE_NAMES } from './roles.ts';

/** The part of a policy level that the decision depends on. */
export interface DecidingLevel {
  level: number;
  roleRequired: ApproverRole;
  minAmount: DecimalString;
}

/** Who can sign a step. */
export interface StepApprovers {
  /** Number of people, including substitutes. */
  total: number;
  /** The only person, apart from a substitute; null where there are several or none. */
  sole: string | null;
}

/** Input of a decision. Limits of null are absent: no person is named, or a band has no maximum. */
export interface ApprovalCase<Level extends DecidingLevel, Approvers extends StepApprovers> {
  amount: DecimalString;
  policyLimit: DecimalString;
  bandLimit: DecimalString | null;
  maxBookingLimit: DecimalString | null;
  /** In ascending order. */
  levels: readonly Level[];
  /**
   * Returns who can sign at a level, without the person who books.
   *
   * @param withAuthority only those whose approval limit is at least the amount
   */
  approversOf(level: Level, withAuthority: boolean): Approvers;
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
  'APPLIES_TO_ALL',
  'NO_POLICY',
  'OVER_MAX_BOOKING',
  'ABOVE_BAND_LIMIT',
  'ABOVE_POLICY_LIMIT',
  'NO_LEVELS',
  'LOWEST_LEVEL',
  'CLIMBED_FOR_AUTHORITY',
  'STEP_SKIPPED',
  'NO_AUTHORITY',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

export interface DecidedStep<Level, Approvers> {
  level: Level;
  /** Why nobody has to sign this step; null where somebody has to. */
  skipped: SkipCode | null;
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
  const [lowest] = levels;
  if (lowest === undefined) {
    because('NO_LEVELS', 'The policy has no level, so that nobody can approve above its limit.');
    return nobody([]);
  }
  const isDue = ({ minAmount }: DecidingLevel) => cents(minAmount) <= cents(amount);
  const due = levels.filter(isDue);
  if (due.length === 0) {
    because('LOWEST_LEVEL', `No level begins at ${amount} or below: the lowest one decides.`);
    due.push(lowest);
  }
  const others = levels.slice(levels.indexOf(due.at(-1) ?? lowest) + 1);
  const hasAuthority = (level: Level) => approversOf(level, true).total > 0;
  const climbed = [due.at(-1) ?? lowest, ...others].findIndex(hasAuthority);
  const stepOf = (level: Level, index: number, all: readonly Level[]): DecidedStep<Level, Approvers> => {
    return { level, skipped: null, approvers: approversOf(level, index === all.length - 1) };
  };
  if (climbed < 0) {
    because('NO_AUTHORITY', `Nobody at the last step or above it may approve ${amount}.`);
    return nobody([...due, ...others].map(stepOf));
  }
  if (climbed > 0) {
    const added = others.slice(0, climbed).map(nameOf).join(', ');
    because('CLIMBED_FOR_AUTHORITY', `Nobody at the last level due may approve ${amount}: added ${added}.`);
  }
  const steps = [...due, ...others.slice(0, climbed)].map(stepOf);
  for (const [index, step] of steps.entries()) {
    step.skipped = skipOf(step, steps.slice(index + 1));
    if (step.skipped === null) continue;
    const why = step.skipped === 'NOBODY' ? 'nobody has the role' : 'the same person decides at a later step';
    because('STEP_SKIPPED', `${nameOf(step.level)} is skipped: ${why}.`);
  }
  return { decision: 'APPROVAL_NEEDED', steps, reasons };
}

function skipOf<Level>(
  { approvers }: DecidedStep<Level, StepApprovers>,
  later: readonly DecidedStep<Level, StepApprovers>[],
): SkipCode | null {
  if (later.length === 0) return null;
  if (approvers.total === 0) return 'NOBODY';
  const { sole } = approvers;
  return sole !== null && later.some((step) => step.approvers.sole === sole) ? 'SAME_PERSON' : null;
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
 * @returns undefined if every amount has an approver as far as is known
 */
export function nobodyFrom<Level extends Pick<DecidingLevel, 'minAmount'>>(
  { autoApprovalLimit, levels }: PolicyRules<Level>,
  highestLimit: (level: Level) => DecimalString | null | undefined,
): DecimalString | undefined {
  const first = cents(autoApprovalLimit) + 1n;
  if (levels.length === 0) return amountAbove(autoApprovalLimit);
  // Within these bounds the same levels are due.
  const bounds = [first, ...levels.map(({ minAmount }) => cents(minAmount)).filter((from) => from > first)];
  const ascending = bounds.sort((one, other) => (one < other ? -1 : 1));
  for (const [index, from] of ascending.entries()) {
    const dueAt = levels.filter(({ minAmount }) => cents(minAmount) <= from);
    const last = dueAt.at(-1);
    const limits = levels.slice(last === undefined ? 0 : levels.indexOf(last)).map(highestLimit);
    if (limits.includes(undefined)) continue;
    const highest = limits.reduce((most, limit) => (limit && cents(limit) > most ? cents(limit) : most), -1n);
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

function amountOf(paise: bigint): DecimalString {
  const digits = String(paise).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The people whom a person has above them, nearest first; they may be among them, where managers form a circle. */
export interface Relations<Someone> {
  managers: readonly Someone[];
  /** Heads of the person's department and of those above it. */
  heads: readonly Someone[];
}

/** Returns who has a relative role for a person. Whoever does not work, or is the person, is passed over upwards. */
export function relativeOf<Someone extends { id: string; works: boolean }>(
  role: RelativeRole,
  personId: string | null,
  { managers, heads }: Relations<Someone>,
): Someone | undefined {
  const decides = ({ id, works }: Someone) => works && id !== personId;
  if (role === 'DEPARTMENT_HEAD') return heads.find(decides);
  return managers.filter(decides)[role === 'LINE_MANAGER' ? 0 : 1];
}
