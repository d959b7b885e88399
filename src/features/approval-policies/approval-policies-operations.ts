import { Type } from 'typebox';
import { parseBody } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { INCLUDED_ID } from '../../api/list-schemas.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { activeUser, corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { findCallers } from '../../auth/callers/identity-queries.ts';
import type { Database, Reader } from '../../db/database.ts';
import type { CompanySettings } from '../companies/companies-queries.ts';
import { readNewPolicy, readPolicyUpdate } from './approval-policies-input.ts';
import { approvalPolicies } from './approval-policies-queries.ts';
import {
  ApprovalPolicyDetail,
  ApprovalPolicyView,
  NEW_POLICY_PROPERTIES,
  POLICY_PATCH_PROPERTIES,
} from './approval-policies-schemas.ts';
import { evaluate, readEvaluation } from './evaluate.ts';
import { rememberFacts } from './evaluation-queries.ts';
import { EvaluationInputSchema, EvaluationView } from './evaluation-schemas.ts';
import { checkPolicies, PolicyCheckInput, PolicyCheckView, readPolicyCheck } from './policy-check.ts';
import { withRoleIds } from './policy-levels.ts';

const { list, get, create, update, remove } = operationsOf(approvalPolicies, {
  output: one(ApprovalPolicyDetail),
  reads: { access: corporateStaff, scope: 'policies.evaluate' },
  writes: { access: corporateAdmins, scope: 'organization.write' },
});

const evaluation = operation({
  id: 'approvalPolicies.evaluate',
  operationId: 'evaluateApprovalPolicy',
  tag: 'Approval policies',
  summary: 'Evaluate an approval',
  description:
    'What a booking of an amount needs: by a policy, or by the one that applies to the person, who approves it and ' +
    'why. For Corporate Admins and Managers of that company, and for everybody about themselves, with the names of ' +
    'the approvers alone.',
  access: activeUser(findCallers),
  scope: 'policies.evaluate',
  methods: ['GET', 'POST'],
  errors: ['NOT_FOUND'],
  input: EvaluationInputSchema,
  // The role is checked before the input, and depends on whom it is about.
  parse: (raw, caller) => readEvaluation(parseBody(raw), caller),
  output: one(EvaluationView),
  message: 'Approval evaluated successfully',
  async handle({ input, caller }, { db, defaultCurrency }: CompanySettings & { db: Database }) {
    const evaluation = await evaluate(db, input, caller, defaultCurrency);
    await rememberFacts(db, evaluation, input.facts);
    return evaluation;
  },
});

const check = operation({
  id: 'approvalPolicies.check',
  operationId: 'checkApprovalPolicies',
  tag: 'Approval policies',
  summary: 'Check approval policies',
  description:
    'For each policy of a company the amount from which nobody can approve, the levels that nobody can reach, and which ' +
    'policies keep it from applying or are equal to it; the people without an applicable policy; the facts that ' +
    'evaluations have named. Changes nothing. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'policies.evaluate',
  methods: ['POST'],
  input: PolicyCheckInput,
  parse: readPolicyCheck,
  output: one(PolicyCheckView),
  message: 'Approval Policies checked successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return checkPolicies(lists, input.companyId);
  },
});

export const approvalPoliciesOperations = [
  list({
    id: 'approvalPolicies.list',
    ignoresUnknown: true,
    description:
      'The approval policies of a company with their levels, sorted by name. For Corporate Admins and Managers of that ' +
      'company.',
    searched: 'name',
    includes: { scope: 'adds it', active: 'adds it', levels: 'adds to each what one policy has', ...INCLUDED_ID },
    more: {
      sort: Type.Optional(
        Type.Unsafe<'precedence'>({
          type: 'string',
          enum: ['precedence'],
          description: 'precedence: the order in which policies are asked. Omitted: by name',
        }),
      ),
    },
    output: page(ApprovalPolicyView),
  }),
  get({ id: 'approvalPolicies.get' }),
  create(
    { id: 'approvalPolicies.create', errors: ['AMBIGUOUS'] },
    {
      properties: NEW_POLICY_PROPERTIES,
      read: readNewPolicy,
      write: async (db, call, { levels, ...row }) =>
        approvalPolicies.create(db, call, row, await withRoleIds(db, call.scope, row, levels)),
    },
  ),
  update(
    { id: 'approvalPolicies.update', errors: ['AMBIGUOUS'] },
    {
      properties: POLICY_PATCH_PROPERTIES,
      read: readPolicyUpdate,
      write: async (db, call, { levels, ...change }) =>
        approvalPolicies.update(db, call, change, levels && (await withRoleIds(db, call.scope, change, levels))),
    },
  ),
  remove({ id: 'approvalPolicies.delete' }),
  evaluation,
  check,
];
