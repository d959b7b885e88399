import sql from 'sql-template-tag';
import { checkOptional, checkValue, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { notFound } from '../../api/write-request.ts';
import {
  type CompanyScope,
  companyForbidden,
  companyScopeOf,
  corporateStaff,
  requireRole,
} from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { type Caller, isThemselves } from '../../auth/callers/roles.ts';
import type { Reader } from '../../db/database.ts';
import { problemOf } from '../../entities/api-error.ts';
import {
  decideApproval,
  limitOf,
  type Reason,
  type ReasonCode,
  relativesOf,
  type StepApprovers,
} from '../../entities/approval-decision.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { allOf, type Checked, invalid, noProblems, type RawFields, valid } from '../../entities/check-fields.ts';
import { checkFacts, type Facts, OVER_BUDGET } from '../../entities/conditions.ts';
import { cents } from '../../entities/money.ts';
import { choosePolicy } from '../../entities/policy-scope.ts';
import { isRelativeRole } from '../../entities/roles.ts';
import { currency, date, money, uuid } from '../../entities/values.ts';
import { parseOnce } from '../../lib/strict-json.ts';
import { approverOf } from './approval-policies-schemas.ts';
import {
  type Booker,
  type CandidatePolicy,
  type EvaluatedLevel,
  type FoundApprovers,
  findApprovers,
  findBooker,
  findCandidates,
  findCurrency,
  isOfCompany,
  isPolicy,
  mayApply,
  NAMED_APPROVERS,
  type Superior,
} from './evaluation-queries.ts';
import type { Approver, EvaluationView } from './evaluation-schemas.ts';

/** What is evaluated: a policy, or the one that applies to a person. */
type EvaluationInput = ReturnType<typeof readEvaluation>;

const STAFF = ['CORPORATE_ADMIN', 'MANAGER'] as const;

/**
 * Parses the parameters of an evaluation; an empty one counts as absent.
 *
 * @throws ApiError `ROLE_REQUIRED` for somebody who is nobody's staff and does not ask about themselves, `INVALID_INPUT`
 */
export function readEvaluation(given: RawFields, caller: Caller | KeyCaller) {
  const isOwn = typeof given.userId === 'string' && isThemselves(caller, given.userId.toLowerCase());
  if ('userId' in caller && !isOwn) requireRole(corporateStaff, caller);
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));
  const [, id, companyId, amount, userId, facts, on, requestedBy, approvedAmount, givenCurrency] = validOrThrow(
    allOf(
      noProblems(...(filled.id === undefined && filled.userId === undefined ? [NEITHER] : [])),
      checkOptional('id', approvalPolicy.fields.id.kind, filled),
      checkOptional('companyId', uuid, filled),
      checkValue('amount', money, filled.amount),
      checkOptional('userId', uuid, filled),
      readFacts(filled),
      checkOptional('on', date, filled),
      checkOptional('requestedBy', uuid, filled),
      checkOptional('approvedAmount', money, filled),
      checkOptional('currency', currency, filled),
    ),
  );
  return { id, companyId, userId, amount, facts, on, requestedBy, approvedAmount, currency: givenCurrency };
}

const NEITHER = problemOf('id', 'REQUIRED', 'is required, or userId');

function readFacts({ facts = {} }: RawFields): Checked<Facts> {
  let given = facts;
  try {
    if (typeof given === 'string') given = parseOnce(given);
  } catch {
    return invalid(problemOf('facts', 'INVALID_FORMAT', 'must be a JSON object with each name once'));
  }
  const problems = checkFacts('facts', given);
  return problems.length > 0 ? invalid(...problems) : valid(given as Facts);
}

/**
 * Returns what has to be approved and by whom. Staff and keys ask for anybody of their companies, everybody for themselves.
 *
 * @throws ApiError `COMPANY_FORBIDDEN`, and `NOT_FOUND` for a policy or person that does not exist or is out of scope
 */
export async function evaluate(
  db: Reader,
  input: EvaluationInput,
  caller: Caller | KeyCaller,
  defaultCurrency = '',
): Promise<EvaluationView> {
  const scope = companyScopeOf(corporateStaff, caller);
  const isSelf = isThemselves(caller, input.userId);
  const isStaffOf = (companyId: string) => scope === 'active' || scope.includes(companyId);
  const booker = input.userId === undefined ? undefined : await findBooker(db, input.userId, input);
  const isStaff = booker === undefined || isStaffOf(booker.companyId);
  if (input.userId !== undefined && (booker === undefined || !(isSelf || isStaff))) throw notFound('user');
  const opened: CompanyScope = isSelf && booker ? [booker.companyId] : scope;
  if (input.companyId !== undefined && opened !== 'active' && !opened.includes(input.companyId)) {
    throw companyForbidden(STAFF);
  }
  if (booker && input.companyId !== undefined && booker.companyId !== input.companyId) throw notFound('user');
  const where = input.id === undefined ? (booker ? mayApply(booker) : sql`false`) : isPolicy(input.id, opened);
  const { policies, budget, credit } = await findCandidates(db, where, booker, { ...input, seesCredit: isStaff });
  const asked = input.id === undefined ? undefined : policies[0];
  if (input.id !== undefined && asked === undefined) throw notFound(approvalPolicy.noun);
  if (asked && input.companyId !== undefined && asked.companyId !== input.companyId) {
    throw notFound(approvalPolicy.noun);
  }
  if (asked && booker && asked.companyId !== booker.companyId) throw notFound('user');
  const companyId = asked?.companyId ?? booker?.companyId ?? '';
  await assertOfCompany(db, companyId, input, defaultCurrency);
  // A fact of the service's own, whatever the caller gives.
  const facts = { ...input.facts, ...(budget && { [OVER_BUDGET]: budget.overBudget.length > 0 }) };
  const { policy, tied } =
    asked === undefined && booker
      ? choosePolicy(policies, booker, facts, input.on ?? booker.today)
      : { policy: asked, tied: undefined };
  const found = policy ? await decide(db, policy, booker, input) : withoutPolicy(input, booker);
  const isOver = booker?.workerType === 'GUEST' && !booker.works;
  const view: Decision = isOver ? { ...found, decision: 'NOBODY_CAN_APPROVE', steps: [] } : found;
  const reasons = [
    ...(booker?.works === false
      ? [reason('PERSON_DOES_NOT_WORK', `The person does not work on ${input.on ?? booker.today}.`)]
      : []),
    ...(asked === undefined && policy ? reasonsOf(policy) : []),
    ...(policy && tied ? [reason('AMBIGUOUS', `"${policy.name}" comes before "${tied.name}" by its id alone.`)] : []),
    ...view.reasons,
  ];
  const inCurrency = budget && { ...budget, currency: budget.currency ?? defaultCurrency };
  const whole = { ...view, budget: inCurrency, ...(credit && { credit }), reasons };
  return isStaff ? whole : withNamesAlone(whole);
}

const reason = (code: ReasonCode, message: string): Reason => ({ code, message });

/** Asserts that the currency is that of the company, and who asks for the person of it. @throws ApiError `INVALID_INPUT`, `NOT_FOUND` */
async function assertOfCompany(
  db: Reader,
  companyId: string,
  { requestedBy, currency: given }: EvaluationInput,
  defaultCurrency: string,
): Promise<void> {
  if (given !== undefined) {
    const own = (await findCurrency(db, companyId)) ?? defaultCurrency;
    if (own !== given) throwIfInvalid([problemOf('currency', 'INVALID_VALUE', `must be that of the company, ${own}`)]);
  }
  if (requestedBy !== undefined && !(await isOfCompany(db, requestedBy, companyId))) throw notFound('user');
}

type Decision = Omit<EvaluationView, 'budget' | 'credit'>;

async function decide(
  db: Reader,
  policy: CandidatePolicy,
  booker: Booker | undefined,
  { amount, on, requestedBy, approvedAmount }: EvaluationInput,
): Promise<Decision> {
  const band = { bandLimit: booker?.bandLimit ?? null, maxBookingLimit: booker?.maxBookingLimit ?? null };
  const counted = policy.limit === 'POLICY' ? { bandLimit: null, maxBookingLimit: null } : band;
  const given = { amount, policyLimit: policy.autoApprovalLimit, distinct: policy.distinct, ...counted };
  const head = {
    ...headOf(policy, booker, given.amount),
    autoApprovalLimit: limitOf(given),
    limits: { policy: policy.autoApprovalLimit, band: band.bandLimit },
  };
  const isAbove = (limit: string | null) => limit !== null && cents(amount) > cents(limit);
  const ignored =
    policy.limit === 'POLICY' && (isAbove(band.bandLimit) || isAbove(band.maxBookingLimit))
      ? [reason('BAND_LIMITS_IGNORED', `"${policy.name}" does not count the limits of the band.`)]
      : [];
  // Without levels the limits alone decide, or nobody.
  const early = decideApproval<EvaluatedLevel, Signers>({ ...given, levels: [], approversOf: () => [] });
  if (early.decision !== 'NOBODY_CAN_APPROVE') {
    return { ...head, decision: early.decision, steps: [], reasons: [...ignored, ...early.reasons] };
  }
  if (approvedAmount !== undefined && isWithinTolerance(policy, amount, approvedAmount)) {
    const message = `${amount} is within the tolerance of "${policy.name}" for ${approvedAmount}, which was approved.`;
    return {
      ...head,
      decision: 'AUTO_APPROVED',
      steps: [],
      reasons: [...ignored, reason('WITHIN_TOLERANCE', message)],
    };
  }
  const found = await findApprovers(db, policy, { amount, booker, requestedBy, on });
  const excluded = new Set([booker?.id, requestedBy, ...found.reports]);
  const { decision, steps, reasons } = decideApproval<EvaluatedLevel, Signers>({
    ...given,
    levels: found.levels,
    approversOf: (level, withAuthority) => signersOf(level, withAuthority, amount, { booker, excluded, ...found }),
    defaults: (withAuthority) => severalOf(found.named.default ?? [], withAuthority, amount),
  });
  const away = steps.flatMap(({ approvers }) => approvers.people.filter(({ passed }) => passed));
  return {
    ...head,
    decision,
    steps: steps.map(({ level, skipped, needed, approvers: { total, people } }) => {
      const { level: number, roleRequired, minAmount } = level;
      const approver = approverOf(level);
      return {
        ...{ level: number, roleRequired, minAmount },
        ...(approver ? { approver } : {}),
        ...(needed > 1 ? { minApprovers: needed } : {}),
        ...{ skipped, approvers: { total, people: people.map(({ passed: _, ...person }) => person) } },
      };
    }),
    reasons: [
      ...ignored,
      ...reasons,
      ...away.map(({ firstName, lastName, for: absent }) => {
        const who = `${firstName} ${lastName} stands in for ${absent?.firstName} ${absent?.lastName}`;
        return reason('SUBSTITUTE_AWAY', `${who}, whose substitute is away or does not work.`);
      }),
    ],
  };
}

/** Returns whether an amount is not more than was approved and the tolerance of the policy. Of two tolerances the smaller one counts. */
function isWithinTolerance(
  { reapprovePercent, reapproveAmount }: CandidatePolicy,
  amount: string,
  approvedAmount: string,
): boolean {
  const [now, before] = [cents(amount), cents(approvedAmount)];
  const tolerances = [
    ...(reapprovePercent === null ? [] : [(before * cents(reapprovePercent)) / 10_000n]),
    ...(reapproveAmount === null ? [] : [cents(reapproveAmount)]),
  ];
  return tolerances.length > 0 && tolerances.every((tolerance) => now <= before + tolerance);
}

type Signers = StepApprovers & { people: (Approver & { passed?: boolean })[] };

const NOBODY: Signers = { total: 0, sole: null, people: [] };

interface Among extends FoundApprovers {
  booker: Booker | undefined;
  excluded: ReadonlySet<string | undefined>;
}

/** Returns who can sign at a level: holders of a role, people who are named, or somebody above the person, with their substitutes. */
function signersOf(
  { id, roleRequired }: EvaluatedLevel,
  withAuthority: boolean,
  amount: string,
  { booker, excluded, roles, named }: Among,
): Signers[] {
  if (
    roleRequired === 'USERS' ||
    roleRequired === 'GROUP' ||
    roleRequired === 'ROLE' ||
    roleRequired === 'COST_CENTER_OWNER'
  ) {
    return [severalOf(named[id] ?? [], withAuthority, amount)];
  }
  if (!isRelativeRole(roleRequired)) {
    const holders = roles.find((each) => each.role === roleRequired && each.withAuthority === withAuthority);
    return [holders ?? NOBODY];
  }
  const decides = ({ id: own, works }: Superior) => works && !excluded.has(own);
  const found = relativesOf(roleRequired, booker ?? { managers: [], heads: [] }, decides);
  if (roleRequired !== 'MANAGEMENT_CHAIN') return [severalOf(found, withAuthority, amount)];
  const end = found.findIndex(({ approvalLimit }) => cents(approvalLimit) >= cents(amount));
  if (withAuthority && end < 0) return [];
  const line = end < 0 ? found : found.slice(0, end + 1);
  return line.length === 0 ? [NOBODY] : line.map((each) => severalOf([each], false, amount));
}

function severalOf(all: readonly Superior[], withAuthority: boolean, amount: string): Signers {
  const able = all.filter(({ approvalLimit }) => !withAuthority || cents(approvalLimit) >= cents(amount));
  const people = able.flatMap(({ substitute, works: _, ...approver }) => {
    if (substitute === null) return [approver];
    const { approvalLimit, ...away } = approver;
    return [approver, { ...substitute, approvalLimit, for: away }];
  });
  const ids = able.map(({ id }) => id);
  return {
    total: people.length,
    principals: ids.length,
    ids,
    sole: ids.length === 1 ? (ids[0] ?? null) : null,
    people: people.slice(0, NAMED_APPROVERS),
  };
}

function headOf(policy: CandidatePolicy | undefined, booker: Booker | undefined, amount: string) {
  return {
    policyId: policy?.id ?? null,
    policy: policy ? { id: policy.id, name: policy.name } : null,
    amount,
    userId: booker?.id ?? null,
    maxBookingLimit: booker?.maxBookingLimit ?? null,
  };
}

function withoutPolicy({ amount }: EvaluationInput, booker: Booker | undefined): Decision {
  const limits = { policyLimit: amount, bandLimit: null, maxBookingLimit: booker?.maxBookingLimit ?? null };
  const early = decideApproval({ amount, ...limits, levels: [], approversOf: () => [] });
  return {
    ...headOf(undefined, booker, amount),
    decision: early.decision === 'OVER_LIMIT' ? 'OVER_LIMIT' : 'NO_POLICY',
    autoApprovalLimit: null,
    limits: { policy: null, band: booker?.bandLimit ?? null },
    steps: [],
    reasons: [reason('NO_POLICY', 'No active policy applies to the person and these facts.'), ...early.reasons],
  };
}

/** Returns why a policy applies to a person. */
function reasonsOf({ name, scope }: CandidatePolicy): Reason[] {
  const because = (code: ReasonCode, by: string) => reason(code, `"${name}" applies ${by}.`);
  const { departmentIds, bandIds, conditions, priority: _, active: __, from, until, ...lists } = scope;
  const isNarrow = from !== null || until !== null || Object.values(lists).some((list) => list.length > 0);
  const reasons = [
    ...(departmentIds.length > 0 ? [because('APPLIES_BY_DEPARTMENT', 'to the department')] : []),
    ...(bandIds.length > 0 ? [because('APPLIES_BY_BAND', 'to the band')] : []),
    ...(Object.keys(conditions).length > 0 ? [because('APPLIES_BY_CONDITIONS', 'under these facts')] : []),
    ...(isNarrow ? [because('APPLIES_BY_SCOPE', 'to such people on these days')] : []),
  ];
  return reasons.length > 0 ? reasons : [because('APPLIES_TO_ALL', 'to everybody')];
}

function withNamesAlone(view: EvaluationView): EvaluationView {
  const steps = view.steps.map(({ approvers, approver: _, ...step }) => {
    const people = approvers.people.map(({ firstName, lastName, for: away }) => {
      const names = { firstName, lastName };
      return away ? { ...names, for: { firstName: away.firstName, lastName: away.lastName } } : names;
    });
    return { ...step, approvers: { ...approvers, people } };
  });
  return { ...view, steps };
}
