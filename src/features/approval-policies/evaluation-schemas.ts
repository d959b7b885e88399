import { type Static, Type } from 'typebox';
import { APPROVAL_DECISIONS, REASON_CODES, SKIP_CODES } from '../../entities/approval-decision.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import { band } from '../../entities/band.ts';
import { company } from '../../entities/company.ts';
import type { Facts } from '../../entities/conditions.ts';
import { answeredFields, nullable, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';
import { currency, date, money } from '../../entities/values.ts';
import { RemainingCreditView } from '../companies/credit.ts';
import { type RemainingBudget, RemainingBudgetView } from '../spending/spending.ts';
import { ApproverChoice } from './approval-policies-schemas.ts';

const AMOUNT = '60000.00';

export const EvaluationInputSchema = Type.Object(
  {
    id: optional.text({
      maxLength: 100,
      description: 'A policy; without it, the one that applies to the person decides',
    }),
    companyId: optional.id("The person's or policy's company", company.fields.id.example),
    userId: optional.id('The person who books', user.fields.id.example),
    amount: Type.String({ ...money.given, description: `Of the booking: ${money.rule}`, examples: [AMOUNT] }),
    requestedBy: optional.id('Who asks for the person, and never approves', user.fields.id.example),
    approvedAmount: optional.text({ ...money.given, description: `What was approved before: ${money.rule}` }),
    currency: optional.text({ ...currency.schema, description: 'Of the amount: that of the company, or a 400' }),
    facts: Type.Optional(
      Type.Unsafe<Facts>({
        type: 'object',
        description:
          'Facts about the booking: name -> true, false, a number, a text or a list of texts; in a query string one JSON text',
        additionalProperties: {
          anyOf: [
            { type: 'boolean' },
            { type: 'number' },
            { type: 'string' },
            { type: 'array', items: { type: 'string' } },
          ],
        },
        examples: [{ international: true, category: 'flight' }],
      }),
    ),
    on: optional.text({
      ...date.schema,
      description: 'The day on which somebody decides; today in the time zone of the company if omitted',
    }),
  },
  { additionalProperties: false },
);

/** Fields of a step, and of its approvers, in responses. */
export const STEP_FIELDS = ['level', 'roleRequired', 'minAmount'] as const;
/** Fields of a level that decide. */
export const DECIDING_FIELDS = [
  'level',
  'part',
  'roleRequired',
  'minAmount',
  'maxAmount',
  'minApprovers',
  'mode',
  'userIds',
  'groupId',
  'roleId',
] as const;
export const APPROVER_FIELDS = ['id', 'firstName', 'lastName', 'approvalLimit'] as const;

const { id, firstName, lastName, approvalLimit } = answeredFields(user, APPROVER_FIELDS);
const away = Type.Object({ id: Type.Optional(id), firstName, lastName }, { description: 'The approver who is away' });

export const Approver = Type.Object(
  { id: Type.Optional(id), firstName, lastName, approvalLimit: Type.Optional(approvalLimit), for: Type.Optional(away) },
  { title: 'Approver', description: 'Names alone for a person who asks for themselves' },
);
export type Approver = Static<typeof Approver>;

const words = <Word extends string>(values: readonly Word[], description?: string) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) });

const policyRef = Type.Object(answeredFields(approvalPolicy, ['id', 'name']), { description: 'null without one' });
const skip = words(SKIP_CODES);
const limit = Type.String({ ...money.schema, examples: ['10000.00'] });

export const EvaluationView = titled('Evaluation', {
  policyId: nullable<string>(answeredFields(approvalPolicy, ['id']).id),
  policy: nullable<Static<typeof policyRef>>(policyRef),
  amount: Type.String({
    ...money.schema,
    description: 'The requested amount, with two fraction digits',
    examples: [AMOUNT],
  }),
  userId: textOrNull({ format: 'uuid', examples: [user.fields.id.example] }),
  decision: Type.Unsafe<(typeof APPROVAL_DECISIONS)[number]>({
    type: 'string',
    enum: [...APPROVAL_DECISIONS],
    description:
      'NOBODY_CAN_APPROVE: nobody at the last step or above it has the authority; NO_POLICY: none applies to the person',
    examples: ['APPROVAL_NEEDED'],
  }),
  autoApprovalLimit: nullable<string>({
    ...limit,
    description: "The smaller of the limit of the policy and that of the person's band; null without a policy",
  }),
  limits: Type.Object({
    policy: nullable<string>({ ...limit, description: 'Of the policy' }),
    band: nullable<string>({ ...limit, description: "Of the person's band; null without a person" }),
  }),
  maxBookingLimit: answeredFields(band, ['maxBookingLimit']).maxBookingLimit,
  steps: Type.Array(
    Type.Object({
      ...answeredFields(approvalPolicyLevel, STEP_FIELDS),
      approver: Type.Optional(ApproverChoice),
      minApprovers: Type.Optional(
        Type.Integer({ description: 'How many different people sign this step; absent: one', examples: [2] }),
      ),
      skipped: nullable<(typeof SKIP_CODES)[number]>({
        ...skip,
        description: 'Why nobody has to sign this step; null where somebody has to',
        examples: [null],
      }),
      approvers: Type.Object({
        total: Type.Integer({ description: 'Including substitutes', examples: [1] }),
        people: Type.Array(Approver, { description: 'The first ten by name' }),
      }),
    }),
    { description: 'Who has to approve, ascending; at the last step those with the authority for the amount' },
  ),
  reasons: Type.Array(
    Type.Object({
      code: words(REASON_CODES),
      message: Type.String({ examples: ['60000.00 is above the limit of the policy, 10000.00.'] }),
    }),
    { description: 'What decided, in order' },
  ),
  budget: nullable<RemainingBudget>(RemainingBudgetView),
  credit: Type.Optional(RemainingCreditView),
});
export type EvaluationView = Static<typeof EvaluationView>;
