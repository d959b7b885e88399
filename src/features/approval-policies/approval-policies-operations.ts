import { parseBody, readId } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { activeUser, corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { findCallers } from '../../auth/callers/caller-queries.ts';
import type { Database, Reader } from '../../db/database.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { readNewPolicy, readPolicyUpdate } from './approval-policies-input.ts';
import { approvalPolicies, listApprovalPolicies } from './approval-policies-queries.ts';
import {
  ApprovalPolicyCreateInput,
  ApprovalPolicyDetail,
  ApprovalPolicyIdInput,
  ApprovalPolicyListInput,
  ApprovalPolicyUpdateInput,
  ApprovalPolicyView,
} from './approval-policies-schemas.ts';
import { evaluate, readEvaluation } from './evaluate.ts';
import { EvaluationInputSchema, EvaluationView } from './evaluation-schemas.ts';
import { checkPolicies, PolicyCheckInput, PolicyCheckView, readPolicyCheck } from './policy-check.ts';

const list = operation({
  id: 'approvalPolicies.list',
  operationId: 'listApprovalPolicies',
  tag: 'Approval policies',
  summary: 'List approval policies',
  description:
    'The approval policies of a company with their levels, sorted by name. For Corporate Admins and Managers of that ' +
    'company.',
  access: corporateStaff,
  scope: 'policies.evaluate',
  methods: ['GET'],
  path: '/api/approval-policies/list',
  input: ApprovalPolicyListInput,
  output: page(ApprovalPolicyView),
  message: 'Approval Policies retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listApprovalPolicies(lists, input, pageRequestOf(input));
  },
});

const common = { tag: 'Approval policies', output: one(ApprovalPolicyDetail) } as const;

const get = operation({
  ...common,
  id: 'approvalPolicies.get',
  operationId: 'getApprovalPolicy',
  scope: 'policies.evaluate',
  summary: 'Get approval policy',
  description: 'One approval policy with its company. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  methods: ['GET'],
  path: '/api/approval-policies/get',
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: ApprovalPolicyIdInput,
  message: 'Approval Policy retrieved successfully',
  handle: ({ input, scope }, { db }: { db: Database }) => approvalPolicies.get(db, input.id, scope),
});

const create = operation({
  ...common,
  id: 'approvalPolicies.create',
  operationId: 'createApprovalPolicy',
  scope: 'organization.write',
  summary: 'Create approval policy',
  description:
    'Idempotent with a client-generated id: a repetition with the same content changes nothing. For Corporate Admins ' +
    'of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/approval-policies/create',
  writes: true,
  etag: 'response',
  errors: ['ALREADY_EXISTS'],
  input: ApprovalPolicyCreateInput,
  parse: readNewPolicy,
  message: 'Approval Policy created successfully',
  handle(call, { db }: { db: Database }) {
    const { levels, ...row } = call.input;
    return approvalPolicies.create(db, call, row, levels);
  },
});

const update = operation({
  ...common,
  id: 'approvalPolicies.update',
  operationId: 'updateApprovalPolicy',
  scope: 'organization.write',
  summary: 'Update approval policy',
  description:
    'Changes the fields that are sent. With If-Match, fails with 412 if it has changed since it was read. For ' +
    'Corporate Admins of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/approval-policies/update',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND'],
  input: ApprovalPolicyUpdateInput,
  parse: readPolicyUpdate,
  message: 'Approval Policy updated successfully',
  handle: (call, { db }: { db: Database }) => approvalPolicies.update(db, call, call.input, call.input.levels),
});

const remove = operation({
  ...common,
  id: 'approvalPolicies.delete',
  operationId: 'deleteApprovalPolicy',
  scope: 'organization.write',
  summary: 'Delete approval policy',
  description: 'Returns the deleted approval policy. For Corporate Admins of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/approval-policies/delete',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND'],
  input: ApprovalPolicyIdInput,
  parse: (raw) => readId(approvalPolicy, raw),
  message: 'Approval Policy deleted successfully',
  handle: (call, { db }: { db: Database }) => approvalPolicies.remove(db, call, call.input.id),
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
  path: '/api/approval-policies/evaluate',
  errors: ['NOT_FOUND'],
  input: EvaluationInputSchema,
  // The role is checked before the input, and depends on whom it is about.
  parse: (raw, caller) => readEvaluation(parseBody(raw), caller),
  output: one(EvaluationView),
  message: 'Approval evaluated successfully',
  handle: ({ input, caller }, { db }: { db: Database }) => evaluate(db, input, caller),
});

const check = operation({
  id: 'approvalPolicies.check',
  operationId: 'checkApprovalPolicies',
  tag: 'Approval policies',
  summary: 'Check approval policies',
  description:
    'For each policy of a company the amount from which nobody can approve and the levels that nobody can reach, and the ' +
    'people without an applicable policy. Changes nothing. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'policies.evaluate',
  methods: ['POST'],
  path: '/api/approval-policies/check',
  input: PolicyCheckInput,
  parse: readPolicyCheck,
  output: one(PolicyCheckView),
  message: 'Approval Policies checked successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return checkPolicies(lists, input.companyId);
  },
});

export const approvalPoliciesOperations = [list, get, create, update, remove, evaluation, check];
