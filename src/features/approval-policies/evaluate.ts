import { checkOptional, checkValue, parseBody, validOrThrow } from '../../api/body.ts';
import { notFound } from '../../api/write-request.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { decideApproval } from '../../entities/approval-decision.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { allOf } from '../../entities/check-fields.ts';
import { money, uuid } from '../../entities/values.ts';
import { type EvaluationInput, findLimits, findSteps } from './evaluation-queries.ts';
import type { EvaluationView } from './evaluation-schemas.ts';

/** Parses the parameters of an evaluation; an empty one counts as absent. @throws ApiError `INVALID_INPUT` */
export function readEvaluation(raw: unknown): EvaluationInput {
  const given = parseBody(raw);
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));
  const [id, amount, userId] = validOrThrow(
    allOf(
      checkValue('id', approvalPolicy.fields.id.kind, filled.id),
      checkValue('amount', money, filled.amount),
      checkOptional('userId', uuid, filled),
    ),
  );
  return { id, amount, userId };
}

/**
 * Returns the levels that a booking requires, and who can approve it. @throws ApiError `NOT_FOUND` for a policy or person that does not
 * exist or is out of scope
 */
export async function evaluate(db: Reader, input: EvaluationInput, reach: CompanyScope): Promise<EvaluationView> {
  const limits = await findLimits(db, input, reach);
  if (limits === undefined) throw notFound(approvalPolicy.noun);
  if (!limits.hasPerson) throw notFound('user');
  const { companyId, ...rules } = limits;
  const due = decideApproval(rules, input.amount).steps;
  const levels =
    due.length === 0
      ? []
      : await findSteps(
          db,
          input,
          companyId,
          due.map((level) => level.id),
        );
  const { decision, steps } = decideApproval(
    { ...rules, levels },
    input.amount,
    ({ approvers }) => approvers.total > 0,
  );
  return {
    policyId: input.id,
    amount: input.amount,
    userId: input.userId ?? null,
    decision,
    autoApprovalLimit: rules.autoApprovalLimit,
    maxBookingLimit: rules.maxBookingLimit,
    steps,
  };
}
