import { type Static, Type } from 'typebox';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import { band } from '../../entities/band.ts';
import { answeredFields, givenFields } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';
import { money } from '../../entities/values.ts';

const AMOUNT = '60000.00';

export const EvaluationInputSchema = Type.Object({
  id: givenFields(approvalPolicy, ['id']).id,
  amount: Type.String({ ...money.given, description: `Of the booking: ${money.rule}`, examples: [AMOUNT] }),
  userId: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The person who books, of the same company',
      examples: [user.fields.id.example],
    }),
  ),
});

/** Fields of a step, and of its approvers, in responses. */
export const STEP_FIELDS = ['level', 'roleRequired', 'minAmount'] as const;
export const APPROVER_FIELDS = ['id', 'firstName', 'lastName', 'approvalLimit'] as const;

export const EvaluationView = Type.Object(
  {
    policyId: answeredFields(approvalPolicy, ['id']).id,
    amount: Type.String({
      ...money.schema,
      description: 'The requested amount, with two fraction digits',
      examples: [AMOUNT],
    }),
    userId: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      examples: [user.fields.id.example],
    }),
    decision: Type.Unsafe<'AUTO_APPROVED' | 'APPROVAL_NEEDED' | 'OVER_LIMIT' | 'NOBODY_CAN_APPROVE'>({
      type: 'string',
      enum: ['AUTO_APPROVED', 'APPROVAL_NEEDED', 'OVER_LIMIT', 'NOBODY_CAN_APPROVE'],
      description: 'NOBODY_CAN_APPROVE: a step has no approver',
      examples: ['APPROVAL_NEEDED'],
    }),
    autoApprovalLimit: Type.String({
      ...money.schema,
      description: "The smaller of the limit of the policy and that of the person's band",
      examples: ['10000.00'],
    }),
    maxBookingLimit: answeredFields(band, ['maxBookingLimit']).maxBookingLimit,
    steps: Type.Array(
      Type.Object({
        ...answeredFields(approvalPolicyLevel, STEP_FIELDS),
        approvers: Type.Object({
          total: Type.Integer({ examples: [1] }),
          people: Type.Array(Type.Object(answeredFields(user, APPROVER_FIELDS)), {
            description: 'The first ten by name',
          }),
        }),
      }),
      { description: 'The levels reached by the amount, ascending' },
    ),
  },
  { title: 'Evaluation' },
);
export type EvaluationView = Static<typeof EvaluationView>;
