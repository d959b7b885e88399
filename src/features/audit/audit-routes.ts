import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../../auth/roles.ts';
import type { Executor } from '../../db/database.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { pagedListRoute } from '../../http/paged-list-route.ts';
import { listChanges } from './audit-queries.ts';
import { AuditListInput, ChangeView, EventListInput } from './audit-schemas.ts';
import { followChanges, visibilityFor } from './audit-service.ts';

const FOLLOWED = 'Events retrieved successfully';
const DEFAULT_LIMIT = 100;
const WHO = 'People see what concerns themselves, Corporate Admins also their companies, Super Admins everything.';

/** The audit trail and the change feed, on a scope that authenticates its callers. */
export function auditRoutes(
  scope: FastifyInstance,
  { db, callerOf }: { db: Executor; callerOf: (request: FastifyRequest) => Caller },
): void {
  pagedListRoute(scope, {
    path: '/api/audit/list',
    config: { operation: 'audit.list' },
    documentation: {
      operationId: 'listAuditTrail',
      tags: ['Audit'],
      summary: 'List the audit trail',
      description: `Who changed which fields of whom, newest first. ${WHO} A filter narrows that, and is never refused.`,
    },
    message: 'Audit trail retrieved successfully',
    input: AuditListInput,
    view: ChangeView,
    list: (request, input, page) => listChanges(db, visibilityFor(callerOf(request)), input, page),
  });

  const answer = envelopeSchema(FOLLOWED, Type.Array(ChangeView));
  scope.get<{ Querystring: EventListInput }>(
    '/api/events/list',
    {
      config: { operation: 'events.list' },
      schema: {
        operationId: 'listEvents',
        tags: ['Audit'],
        summary: 'Follow the changes',
        description: `The changes of the audit trail, each once, in one order for all followers. ${WHO}`,
        querystring: EventListInput,
        response: {
          200: Type.Object({
            ...answer.properties,
            next: Type.String({
              description:
                'Send it as after to get what comes next; good for ever. The same as after where nothing is new',
              examples: ['MTo0NzEx'],
            }),
          }),
          ...errorResponses(400, 401),
        },
      },
    },
    async (request) => {
      const { after, limit = DEFAULT_LIMIT } = request.query;
      const { items, next } = await followChanges(db, callerOf(request), { after, limit });
      return { ...envelope(FOLLOWED, items), next };
    },
  );
}
