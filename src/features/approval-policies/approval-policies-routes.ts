import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkCompanyAccess } from '../../auth/company-access.ts';
import type { Caller } from '../../auth/roles.ts';
import type { Executor } from '../../db/database.ts';
import { listEnvelopeSchema, pageEnvelope } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { compileListInput, validateWith } from '../../http/input.ts';
import { pageRequestOf } from '../../http/pagination.ts';
import { listApprovalPolicies } from './approval-policies-queries.ts';
import { ApprovalPolicyListInput, ApprovalPolicyView } from './approval-policies-schemas.ts';

const MESSAGE = 'Approval Policies retrieved successfully';

/** The approval policies list, on a scope that authenticates its callers. */
export function approvalPoliciesRoutes(
  scope: FastifyInstance,
  { db, callerOf }: { db: Executor; callerOf: (request: FastifyRequest) => Caller },
): void {
  scope.get<{ Querystring: ApprovalPolicyListInput }>(
    '/api/approval-policies/list',
    {
      config: { operation: 'approvalPolicies.list' },
      validatorCompiler: validateWith(compileListInput),
      schema: {
        operationId: 'listApprovalPolicies',
        tags: ['Approval policies'],
        summary: 'List approval policies',
        description: 'The approval policies of a company by name, each with its levels. For Corporate Admins and Managers of that company.',
        querystring: ApprovalPolicyListInput,
        response: { 200: listEnvelopeSchema(MESSAGE, ApprovalPolicyView, 'always'), ...errorResponses(400, 401, 403) },
      },
    },
    async (request) => {
      checkCompanyAccess(callerOf(request), request.query.companyId);
      const page = pageRequestOf(request.query);
      return pageEnvelope(MESSAGE, await listApprovalPolicies(db, request.query, page), page, (policy) => policy);
    },
  );
}
