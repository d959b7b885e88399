import sql from 'sql-template-tag';
import { checkOptional, checkValue, validOrThrow } from '../../api/body.ts';
import { notFound } from '../../api/write-request.ts';
import {
  type CompanyScope,
  companyForbidden,
  companyScopeOf,
  corporateStaff,
  requireHolder,
} from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Reader } from '../../db/database.ts';
import {
  decideApproval,
  limitOf,
  type Reason,
  type Relations,
  relativeOf,
  type StepApprovers,
} from '../../entities/approval-decision.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { allOf, type Checked, invalid, noProblems, type RawFields, valid } from '../../entities/check-fields.ts';
import { problemOf } from '../../entities/field-problem.ts';
import { cents } from '../../entities/money.ts';
import { checkFacts, choosePolicy, type Facts, OVER_BUDGET } from '../../entities/policy-scope.ts';
import { RELATIVE_ROLES } from '../../entities/roles.ts';
import { date, money, uuid } from '../../entities/values.ts';
import {
  type Booker,
  type CandidatePolicy,
  type EvaluatedLevel,
  findApprovers,
  findBooker,
  findCandidates,
  isPolicy,
  mayApply,
  type RoleApprovers,
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
  const isOwn = typeof given.userId === 'string' && 'userId' in caller && given.userId.toLowerCase() === caller.userId;
  if ('userId' in caller && !isOwn) requireHolder(caller, STAFF);
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));
  const [, id, companyId, amount, userId, facts, on] = validOrThrow(
    allOf(
      noProblems(...(filled.id === undefined && filled.userId === undefined ? [NEITHER] : [])),
      checkOptional('id', approvalPolicy.fields.id.kind, filled),
      checkOptional('companyId', uuid, filled),
      checkValue('amount', money, filled.amount),
      checkOptional('userId', uuid, filled),
      readFacts(filled),
      checkOptional('on', date, filled),
    ),
  );
  return { id, companyId, userId, amount, facts, on };
}

const NEITHER = problemOf('id', 'REQUIRED', 'is required, or userId');

function readFacts({ facts = {} }: RawFields): Checked<Facts> {
  let given = facts;
  try {
    if (typeof given === 'string') given = JSON.parse(given);
  } catch {
    return invalid(problemOf('facts', 'INVALID_FORMAT', 'must be a JSON object'));
  }
  const problems = checkFacts('facts', given, false);
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
): Promise<EvaluationView> {
  const scope = companyScopeOf(corporateStaff, caller);
  const isSelf = 'userId' in caller && input.userId === caller.userId;
  const isStaffOf = (companyId: string) => scope === 'active' || scope.includes(companyId);
  const booker = input.userId === undefined ? undefined : await findBooker(db, input.userId, input.on);
  const isStaff = booker === undefined || isStaffOf(booker.companyId);
  if (input.userId !== undefined && (booker === undefined || !(isSelf || isStaff))) throw notFound('user');
  const opened: CompanyScope = isSelf && booker ? [booker.companyId] : scope;
  if (input.companyId !== undefined && opened !== 'active' && !opened.includes(input.companyId)) {
    throw companyForbidden(STAFF);
  }
  if (booker && input.companyId !== undefined && booker.companyId !== input.companyId) throw notFound('user');
  const where = input.id === undefined ? (booker ? mayApply(booker) : sql`false`) : isPolicy(input.id, opened);
  const { policies, budget } = await findCandidates(db, where, booker, input);
  const chosen = input.id === undefined ? undefined : policies[0];
  if (input.id !== undefined && chosen === undefined) throw notFound(approvalPolicy.noun);
  if (chosen && input.companyId !== undefined && chosen.companyId !== input.companyId) {
    throw notFound(approvalPolicy.noun);
  }
  if (chosen && booker && chosen.companyId !== booker.companyId) throw notFound('user');
  // A fact of the service's own, whatever the caller gives.
  const facts = { ...input.facts, ...(budget && { [OVER_BUDGET]: budget.after.startsWith('-') }) };
  const policy = chosen ?? (booker && choosePolicy(policies, booker, facts));
  const applied = chosen === undefined && policy ? reasonsOf(policy) : [];
  const view = policy ? await decide(db, policy, booker, input) : withoutPolicy(input, booker);
  const whole = { ...view, budget, reasons: [...applied, ...view.reasons] };
  return isStaff ? whole : withNamesAlone(whole);
}

type Decision = Omit<EvaluationView, 'budget'>;

async function decide(
  db: Reader,
  policy: CandidatePolicy,
  booker: Booker | undefined,
  { amount, on }: EvaluationInput,
): Promise<Decision> {
  const { bandLimit = null, maxBookingLimit = null } = booker ?? {};
  const given = { amount, policyLimit: policy.autoApprovalLimit, bandLimit, maxBookingLimit };
  const head = {
    ...headOf(policy, booker, given.amount),
    autoApprovalLimit: limitOf(given),
    limits: { policy: policy.autoApprovalLimit, band: bandLimit },
  };
  // Without levels the limits alone decide, or nobody.
  const early = decideApproval({ ...given, levels: [], approversOf: () => ({ total: 0, sole: null }) });
  if (early.decision !== 'NOBODY_CAN_APPROVE') {
    return { ...head, decision: early.decision, steps: [], reasons: early.reasons };
  }
  const { levels, roles } = await findApprovers(db, policy, { amount, userId: booker?.id ?? null, on });
  const { decision, steps, reasons } = decideApproval({
    ...given,
    levels,
    approversOf: (level, withAuthority) => signersOf(level, withAuthority, amount, { booker, roles }),
  });
  return {
    ...head,
    decision,
    steps: steps.map(({ level, skipped, approvers: { total, people } }) => {
      return { ...level, skipped, approvers: { total, people } };
    }),
    reasons,
  };
}

type Signers = StepApprovers & { people: Approver[] };

const NOBODY: Signers = { total: 0, sole: null, people: [] };

/** Returns who can sign at a level: holders of a role, or somebody above the person, with their substitute. */
function signersOf(
  { roleRequired }: EvaluatedLevel,
  withAuthority: boolean,
  amount: string,
  { booker, roles }: { booker: Booker | undefined; roles: readonly RoleApprovers[] },
): Signers {
  const relative = RELATIVE_ROLES.find((role) => role === roleRequired);
  if (relative === undefined) {
    return roles.find((each) => each.role === roleRequired && each.withAuthority === withAuthority) ?? NOBODY;
  }
  const relations: Relations<Superior> = booker ?? { managers: [], heads: [] };
  const found = relativeOf(relative, booker?.id ?? null, relations);
  if (found === undefined || (withAuthority && cents(found.approvalLimit) < cents(amount))) {
    return NOBODY;
  }
  const { substitute, works: _, ...approver } = found;
  const { id, firstName, lastName, approvalLimit } = approver;
  const standIn = substitute && { ...substitute, approvalLimit, for: { id, firstName, lastName } };
  const people = standIn ? [approver, standIn] : [approver];
  return { total: people.length, sole: id, people };
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
  const reason: Reason = { code: 'NO_POLICY', message: 'No active policy applies to the person and these facts.' };
  return {
    ...headOf(undefined, booker, amount),
    decision: 'NO_POLICY',
    autoApprovalLimit: null,
    limits: { policy: null, band: booker?.bandLimit ?? null },
    steps: [],
    reasons: [reason],
  };
}

/** Returns why a policy applies to a person. */
function reasonsOf({ name, scope }: CandidatePolicy): Reason[] {
  const because = (code: Reason['code'], by: string): Reason => ({ code, message: `"${name}" applies ${by}.` });
  const reasons = [
    ...(scope.departmentIds.length > 0 ? [because('APPLIES_BY_DEPARTMENT', 'to the department')] : []),
    ...(scope.bandIds.length > 0 ? [because('APPLIES_BY_BAND', 'to the band')] : []),
    ...(Object.keys(scope.conditions).length > 0 ? [because('APPLIES_BY_CONDITIONS', 'under these facts')] : []),
  ];
  return reasons.length > 0 ? reasons : [because('APPLIES_TO_ALL', 'to everybody')];
}

function withNamesAlone(view: EvaluationView): EvaluationView {
  const steps = view.steps.map(({ approvers, ...step }) => {
    const people = approvers.people.map(({ firstName, lastName, for: away }) => {
      const names = { firstName, lastName };
      return away ? { ...names, for: { firstName: away.firstName, lastName: away.lastName } } : names;
    });
    return { ...step, approvers: { ...approvers, people } };
  });
  return { ...view, steps };
}
