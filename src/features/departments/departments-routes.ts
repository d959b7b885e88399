import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkCompanyAccess } from '../../auth/company-access.ts';
import type { Caller } from '../../auth/roles.ts';
import type { Executor } from '../../db/database.ts';
import { listEnvelopeSchema, pageEnvelope } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { compileListInput, validateWith } from '../../http/input.ts';
import { pageRequestOf } from '../../http/pagination.ts';
import { listDepartments } from './departments-queries.ts';
import { DepartmentListInput, DepartmentView } from './departments-schemas.ts';
import { departmentView } from './departments-views.ts';

const MESSAGE = 'Departments retrieved successfully';

/** The departments list, on a scope that authenticates its callers. */
export function departmentsRoutes(
  scope: FastifyInstance,
  { db, callerOf }: { db: Executor; callerOf: (request: FastifyRequest) => Caller },
): void {
  scope.get<{ Querystring: DepartmentListInput }>(
    '/api/departments/list',
    {
      config: { operation: 'departments.list' },
      validatorCompiler: validateWith(compileListInput),
      schema: {
        operationId: 'listDepartments',
        tags: ['Departments'],
        summary: 'List departments',
        description: 'The departments of a company by name. For Corporate Admins and Managers of that company.',
        querystring: DepartmentListInput,
        response: { 200: listEnvelopeSchema(MESSAGE, DepartmentView, 'always'), ...errorResponses(400, 401, 403) },
      },
    },
    async (request) => {
      checkCompanyAccess(callerOf(request), request.query.companyId);
      const page = pageRequestOf(request.query);
      return pageEnvelope(MESSAGE, await listDepartments(db, request.query, page), page, departmentView);
    },
  );
}
