import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkCompanyAccess } from '../../auth/company-access.ts';
import type { Caller } from '../../auth/roles.ts';
import type { Executor } from '../../db/database.ts';
import { pagedListRoute } from '../../http/paged-list-route.ts';
import { listApprovalPolicies } from './approval-policies-queries.ts';
import { ApprovalPolicyListInput, ApprovalPolicyView } from './approval-policies-schemas.ts';

/** The approval policies list, on a scope that authenticates its callers. */
export function approvalPoliciesRoutes(
  scope: FastifyInstance,
  { db, callerOf }: { db: Executor; callerOf: (request: FastifyRequest) => Caller },
): void {
  pagedListRoute(scope, {
    path: '/api/approval-policies/list',
    config: { operation: 'approvalPolicies.list' },
    documentation: {
      operationId: 'listApprovalPolicies',
      tags: ['Approval policies'],
      summary: 'List approval policies',
      description:
        'The approval policies of a company by name, each with its levels. For Corporate Admins and Managers of that company.',
    },
    message: 'Approval Policies retrieved successfully',
    input: ApprovalPolicyListInput,
    view: ApprovalPolicyView,
    async list(request, input, page) {
      checkCompanyAccess(callerOf(request), input.companyId);
      return listApprovalPolicies(db, input, page);
    },
  });
}
