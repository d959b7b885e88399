import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkCompanyAccess } from '../../auth/company-access.ts';
import type { Caller } from '../../auth/roles.ts';
import type { Executor } from '../../db/database.ts';
import { pagedListRoute } from '../../http/paged-list-route.ts';
import { listDepartments } from './departments-queries.ts';
import { DepartmentListInput, DepartmentView } from './departments-schemas.ts';

/** The departments list, on a scope that authenticates its callers. */
export function departmentsRoutes(
  scope: FastifyInstance,
  { db, callerOf }: { db: Executor; callerOf: (request: FastifyRequest) => Caller },
): void {
  pagedListRoute(scope, {
    path: '/api/departments/list',
    config: { operation: 'departments.list' },
    documentation: {
      operationId: 'listDepartments',
      tags: ['Departments'],
      summary: 'List departments',
      description: 'The departments of a company by name. For Corporate Admins and Managers of that company.',
    },
    message: 'Departments retrieved successfully',
    input: DepartmentListInput,
    view: DepartmentView,
    async list(request, input, page) {
      checkCompanyAccess(callerOf(request), input.companyId);
      return listDepartments(db, input, page);
    },
  });
}
