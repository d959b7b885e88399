import type { FastifyInstance } from 'fastify';
import type { Executor } from '../../db/database.ts';
import { listEnvelopeSchema, pageEnvelope } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { compileListInput, validateWith } from '../../http/input.ts';
import { pageRequestOf } from '../../http/pagination.ts';
import { listCompanies } from './companies-queries.ts';
import { CompanyListInput, CompanyView } from './companies-schemas.ts';
import { companyView } from './companies-views.ts';

const MESSAGE = 'Companies retrieved successfully';

/** The companies list, on a scope that authenticates its callers. */
export function companiesRoutes(scope: FastifyInstance, { db }: { db: Executor }): void {
  scope.get<{ Querystring: CompanyListInput }>(
    '/api/companies/list',
    {
      config: { operation: 'companies.list' },
      validatorCompiler: validateWith(compileListInput),
      schema: {
        operationId: 'listCompanies',
        tags: ['Companies'],
        summary: 'List companies',
        description: 'The registered companies by name, with how many people and bookings each has. For Super Admins and Platform RMs.',
        querystring: CompanyListInput,
        response: { 200: listEnvelopeSchema(MESSAGE, CompanyView, 'always'), ...errorResponses(400, 401, 403) },
      },
    },
    async ({ query }) => {
      const request = pageRequestOf(query);
      return pageEnvelope(MESSAGE, await listCompanies(db, query, request), request, companyView);
    },
  );
}
