import type { Method, Operation } from '../../api/operation.ts';
import { ApiError } from '../../entities/api-error.ts';
import { resourceTypes, schemaDocuments, serviceProviderConfig } from './discovery.ts';
import { SCIM_MEDIA_TYPE, ScimError, scimErrorBody } from './scim-error.ts';
import { type ScimServices, scimOperation } from './scim-request.ts';
import { listResponse, send } from './scim-response.ts';

const config = scimOperation({
  id: 'scim.config',
  operationId: 'getScimServiceProviderConfig',
  summary: 'What the service can do',
  description: 'ServiceProviderConfig of RFC 7643.',
  methods: ['GET'],
  path: '/ServiceProviderConfig',
  handle: ({ directory, reply }) => send(reply, 200, serviceProviderConfig(directory.base)),
});

/** Declares the operations that list documents and return one by id. */
function documents(
  name: string,
  path: string,
  all: (base: string) => readonly { id: string }[],
): Operation<ScimServices>[] {
  const list = scimOperation({
    id: `scim.${name}.list`,
    operationId: `listScim${path}`,
    summary: `List ${path}`,
    description: `${path} of RFC 7643.`,
    methods: ['GET'],
    path: `/${path}`,
    handle({ directory, request, reply }) {
      // RFC 7644, section 4: a filter is refused, and other parameters are ignored.
      const { filter } = request.query as { filter?: unknown };
      if (filter !== undefined) throw new ScimError('invalidFilter', `${path} cannot be filtered.`, 'FIELD_FORBIDDEN');
      const found = all(directory.base);
      return send(reply, 200, { ...listResponse(found.length, 1, found.length), Resources: found });
    },
  });
  const get = scimOperation({
    id: `scim.${name}.get`,
    operationId: `getScim${path}`,
    summary: `Get one of ${path}`,
    description: `${path} of RFC 7643.`,
    methods: ['GET'],
    path: `/${path}/:id`,
    handle({ directory, request, reply }) {
      const { id } = request.params as { id: string };
      const found = all(directory.base).find((each) => each.id.toLowerCase() === id.toLowerCase());
      if (found === undefined) throw new ApiError('NOT_FOUND', `There is no resource with this id in ${path}.`);
      return send(reply, 200, found);
    },
  });
  return [list, get];
}

/** Declares an unsupported endpoint of the standard, which responds with 501 (RFC 7644, section 3.11). */
function unsupported(name: string, path: string, methods: readonly Method[]): Operation<ScimServices> {
  return scimOperation({
    id: `scim.${name}`,
    operationId: `unsupportedScim${path.replace(/\W/, '')}`,
    summary: `${path} is not supported`,
    description: `${path} of RFC 7644: not supported.`,
    methods,
    path,
    handle: ({ reply }) =>
      reply
        .code(501)
        .type(SCIM_MEDIA_TYPE)
        .send(scimErrorBody(501, `${path} is not supported.`)),
  });
}

export const discoveryOperations = [
  config,
  ...documents('resourceTypes', 'ResourceTypes', resourceTypes),
  ...documents('schemas', 'Schemas', schemaDocuments),
  unsupported('me', '/Me', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  unsupported('bulk', '/Bulk', ['POST']),
  unsupported('search', '/.search', ['POST']),
];
