import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TObject } from 'typebox';
import { listEnvelopeSchema, pageEnvelope } from './envelope.ts';
import { errorResponses } from './error-responses.ts';
import { type Page, type PageRequest, pageRequestOf } from './pagination.ts';

/** A list behind a token that is always paginated: what it says about itself, and where its pages come from. */
export interface PagedListRoute<Input extends TObject, View extends TObject> {
  path: string;
  config: NonNullable<Parameters<FastifyInstance['get']>[1]>['config'];
  documentation: { operationId: string; tags: string[]; summary: string; description: string };
  /** Human-readable text of the envelope (spec.: Messages per operation). */
  message: string;
  input: Input;
  view: View;
  list(request: FastifyRequest, input: Static<Input>, page: PageRequest): Promise<Page<Static<View>>>;
}

/** Registers the GET route of a list that is always paginated. */
export function pagedListRoute<Input extends TObject, View extends TObject>(
  scope: FastifyInstance,
  route: PagedListRoute<Input, View>,
): void {
  scope.get(
    route.path,
    {
      config: route.config ?? {},
      schema: {
        ...route.documentation,
        querystring: route.input,
        response: {
          200: listEnvelopeSchema(route.message, route.view, 'always'),
          ...errorResponses(400, 401, 403),
        },
      },
    },
    async (request) => {
      // The route's schema has been checked: the query is what it describes.
      const input = request.query as Static<Input>;
      const page = pageRequestOf(input as Partial<PageRequest>);
      return pageEnvelope(route.message, await route.list(request, input, page), page);
    },
  );
}
