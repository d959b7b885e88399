import { type Operation, operation } from '../../api/operation.ts';
import { rawResponse } from '../../api/output.ts';
import { apiKeyOnly } from '../../auth/callers/access.ts';
import { SCIM_PATH } from '../../http/scim-protocol.ts';
import { ApiError } from '../../lib/errors.ts';
import { send, sendList } from './scim-answers.ts';
import { directoryOf } from './scim-directory.ts';
import { resourceTypes, schemaDocuments, serviceProviderConfig } from './scim-discovery.ts';

const common = {
  tag: 'SCIM',
  access: apiKeyOnly,
  scope: 'scim',
  standard: 'SCIM',
  message: '',
  output: rawResponse,
  methods: ['GET'],
} as const;

const config = operation({
  ...common,
  id: 'scim.config',
  operationId: 'getScimServiceProviderConfig',
  summary: 'What the service can do',
  description: 'ServiceProviderConfig of RFC 7643.',
  path: `${SCIM_PATH}/ServiceProviderConfig`,
  handle: (call) => send(call, 200, serviceProviderConfig(directoryOf(call).base)),
});

/** A list of documents, and each of them by its id. */
function documents(name: string, path: string, all: (base: string) => { id: string }[]): Operation<unknown>[] {
  const list = operation({
    ...common,
    id: `scim.${name}.list`,
    operationId: `listScim${path}`,
    summary: `List ${path}`,
    description: `${path} of RFC 7643.`,
    path: `${SCIM_PATH}/${path}`,
    handle(call) {
      // RFC 7644, section 4: a filter is refused, and the rest of the query does not count.
      const { filter } = call.request.query as { filter?: unknown };
      if (filter !== undefined)
        throw new ApiError('FIELD_FORBIDDEN', `${path} cannot be filtered.`, { scimType: 'invalidFilter' });
      const found = all(directoryOf(call).base);
      return sendList(call, found, { totalResults: found.length, startIndex: 1, projection: {} });
    },
  });
  const get = operation({
    ...common,
    id: `scim.${name}.get`,
    operationId: `getScim${path}`,
    summary: `Get one of ${path}`,
    description: `${path} of RFC 7643.`,
    path: `${SCIM_PATH}/${path}/:id`,
    handle(call) {
      const { id } = call.request.params as { id: string };
      const found = all(directoryOf(call).base).find((each) => each.id.toLowerCase() === id.toLowerCase());
      if (found === undefined) throw new ApiError('NOT_FOUND', `There is nothing of this id in ${path}.`);
      return send(call, 200, found);
    },
  });
  return [list, get];
}

export const scimDiscoveryOperations = [
  config,
  ...documents('resourceTypes', 'ResourceTypes', resourceTypes),
  ...documents('schemas', 'Schemas', schemaDocuments),
];
