import { assertCompanyVisible } from '../../api/company-row.ts';
import { ownThingOperations } from '../../api/crud-operations.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateStaff } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { listApprovalPolicies, policyColumns } from './approval-policies-queries.ts';
import {
  ApprovalPolicyInFull,
  ApprovalPolicyListInput,
  ApprovalPolicyView,
  LISTED_FIELDS,
  levelsInput,
} from './approval-policies-schemas.ts';
import { evaluate, readEvaluation } from './evaluate.ts';
import { EvaluationInputSchema, EvaluationView } from './evaluation-schemas.ts';
import { checkLevels, policyLevels } from './policy-levels.ts';

const list = operation({
  id: 'approvalPolicies.list',
  operationId: 'listApprovalPolicies',
  tag: 'Approval policies',
  summary: 'List approval policies',
  description:
    'The approval policies of a company by name, each with its levels. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'policies.evaluate',
  methods: ['GET'],
  path: '/api/approval-policies/list',
  input: ApprovalPolicyListInput,
  output: page(ApprovalPolicyView),
  message: 'Approval Policies retrieved successfully',
  async handle({ input, reach }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, reach, input.companyId);
    return listApprovalPolicies(lists, input, pageRequestOf(input));
  },
});

const own = ownThingOperations(
  {
    entity: approvalPolicy,
    columns: policyColumns([...LISTED_FIELDS, 'companyId']),
    writable: ['name', 'autoApprovalLimit'],
    parts: policyLevels,
  },
  {
    thing: 'Approval Policy',
    prefix: 'approvalPolicies',
    path: '/api/approval-policies',
    operationName: 'ApprovalPolicy',
    tag: 'Approval policies',
    view: ApprovalPolicyInFull,
    parts: { schema: (isNew) => ({ levels: levelsInput(isNew) }), check: checkLevels },
  },
);

const evaluation = operation({
  id: 'approvalPolicies.evaluate',
  operationId: 'evaluateApprovalPolicy',
  tag: 'Approval policies',
  summary: 'Who has to approve',
  description:
    'What a policy asks for a booking of an amount, by a person where one is named, and who can approve it. ' +
    'For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'policies.evaluate',
  methods: ['GET'],
  path: '/api/approval-policies/evaluate',
  errors: ['NOT_FOUND'],
  input: EvaluationInputSchema,
  parse: readEvaluation,
  output: one(EvaluationView),
  message: 'Approval evaluated successfully',
  handle: ({ input, reach }, { db }: { db: Database }) => evaluate(db, input, reach),
});

export const approvalPoliciesOperations = [list, ...own, evaluation];
