import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operationRoutes } from '../../api/operation-routes.ts';
import { ApiError } from '../../entities/api-error.ts';
import { acceptJsonBodies } from '../../http/request/json-body.ts';
import { errorHandler } from '../../http/response/error-handler.ts';
import { discoveryOperations } from './discovery.ts';
import { groupsOperations } from './groups/groups-operations.ts';
import { SCIM_MEDIA_TYPE, scimErrorAnswer } from './protocol/error.ts';
import { SCIM_PATH, type ScimServices } from './scim-operation.ts';
import { usersOperations } from './users/users-operations.ts';

/** The operations of SCIM 2.0 (RFC 7644). */
export const scimOperations = [...discoveryOperations, ...usersOperations, ...groupsOperations];

/** Registers the SCIM operations, with their media type and error format. */
export function scimRoutes(app: FastifyInstance, servicesFor: (request: FastifyRequest) => ScimServices): void {
  app.register(async (scope) => {
    scope.setErrorHandler(sendScimError);
    acceptJsonBodies(scope, [SCIM_MEDIA_TYPE, 'application/json']);
    // The ETag must equal `meta.version` (RFC 7643, section 3.1), whatever the content encoding; responses are not cached.
    scope.addHook('onSend', (_request, reply, _payload, done) => {
      const etag = reply.getHeader('etag');
      if (typeof etag === 'string') reply.header('etag', etag.replace(/-(?:br|gzip)"$/, '"'));
      done();
    });
    operationRoutes(scope, scimOperations, servicesFor);
    scope.register(
      async (below) => {
        below.setNotFoundHandler(() => {
          throw new ApiError('NOT_FOUND', 'There is nothing at this path of SCIM.');
        });
      },
      { prefix: SCIM_PATH },
    );
  });
}

/** Error handler that sends SCIM errors. */
export const sendScimError = errorHandler(scimErrorAnswer);

const SCIM_URL = /^((?:https?:\/\/[^/?#]*)?)\/+scim\/+v2(?=[/?#]|$)([^?#]*)(.*)$/is;

/** Returns whether the target of a request is a SCIM endpoint. */
export function isScimUrl(url: string): boolean {
  return SCIM_URL.test(url);
}

/** Removes double and trailing slashes, which directories add, from the target of a SCIM request. Returns other targets unchanged. */
export function normalizeScimUrl(url: string): string {
  const [, origin = '', path, rest = ''] = SCIM_URL.exec(url) ?? [];
  if (path === undefined) return url;
  return `${origin}${SCIM_PATH}${path.replace(/\/{2,}/g, '/').replace(/\/$/, '')}${rest}`;
}
