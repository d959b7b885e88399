import type { FastifyInstance } from 'fastify';
import type { Executor } from '../../db/database.ts';
import { pagedListRoute } from '../../http/paged-list-route.ts';
import { listCompanies } from './companies-queries.ts';
import { CompanyListInput, CompanyView } from './companies-schemas.ts';

/** The companies list, on a scope that authenticates its callers. */
export function companiesRoutes(scope: FastifyInstance, { db }: { db: Executor }): void {
  pagedListRoute(scope, {
    path: '/api/companies/list',
    config: { operation: 'companies.list' },
    documentation: {
      operationId: 'listCompanies',
      tags: ['Companies'],
      summary: 'List companies',
      description:
        'The registered companies by name, with how many people and bookings each has. For Super Admins and Platform RMs.',
    },
    message: 'Companies retrieved successfully',
    input: CompanyListInput,
    view: CompanyView,
    list: (_request, input, page) => listCompanies(db, input, page),
  });
}
