import type { Method, Operation } from '../../api/operation.ts';
import { ApiError } from '../../entities/api-error.ts';
import { GROUP_BODY_LIMIT, GROUP_SCHEMA } from './groups/group-schema.ts';
import { SCIM_MEDIA_TYPE, ScimError, scimErrorBody } from './protocol/error.ts';
import { MAX_OPERATIONS } from './protocol/patch.ts';
import type { Attribute, Schema } from './protocol/schema.ts';
import { listResponse, send } from './response.ts';
import { MAX_RESULTS, type ScimCall, type ScimServices, scimOperation } from './scim-operation.ts';
import { schemasOf } from './users/own-fields.ts';

const URN = 'urn:ietf:params:scim:schemas:core:2.0';

/** Returns the service provider configuration (RFC 7643, section 5). @param base base URL of this SCIM service */
function serviceProviderConfig(base: string): object {
  const supported = (isSupported: boolean) => ({ supported: isSupported });
  return {
    schemas: [`${URN}:ServiceProviderConfig`],
    patch: supported(true),
    // Bulk is unsupported, but authentik splits its PATCH requests by these limits.
    bulk: { supported: false, maxOperations: MAX_OPERATIONS, maxPayloadSize: GROUP_BODY_LIMIT },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: supported(false),
    sort: supported(false),
    etag: supported(true),
    // RFC 9865, section 4.
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: MAX_RESULTS,
      maxPageSize: MAX_RESULTS,
    },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'API key',
        description: 'An API key of the company with the scope scim, sent as a bearer token',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** Each resource with its schemas: the core, then the extensions. */
type Resources = Readonly<Record<'User' | 'Group', readonly Schema[]>>;

/** Returns the resource types (RFC 7643, section 6). */
function resourceTypes(base: string, resources: Resources): { id: string }[] {
  return Object.entries(resources).map(([id, [core, ...extensions]]) => ({
    schemas: [`${URN}:ResourceType`],
    id,
    name: id,
    endpoint: `/${id}s`,
    description: core?.description,
    schema: core?.id,
    ...(extensions.length > 0
      ? { schemaExtensions: extensions.map((extension) => ({ schema: extension.id, required: false })) }
      : {}),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  }));
}

/** Returns the schemas (RFC 7643, section 7), with the supported attributes only. */
function schemaDocuments(base: string, resources: Resources): { id: string }[] {
  return Object.values(resources)
    .flat()
    .map(({ id, name, description, attributes }) => ({
      schemas: [`${URN}:Schema`],
      id,
      name,
      description,
      attributes: describeAll(attributes),
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
    }));
}

function describeAll(attributes: readonly Attribute[]): object[] {
  return attributes
    .filter(({ common, ignored, selector }) => !common && !ignored && selector !== 'hidden')
    .map(describe);
}

function describe(attribute: Attribute): object {
  const { name, type, description, refersTo = 'User', values, sub, max, selector } = attribute;
  return {
    name,
    type,
    description: max === undefined ? description : `${description}. At most ${max} values`,
    multiValued: max !== undefined,
    required: attribute.required === true,
    ...(type === 'string' ? { caseExact: attribute.caseExact === true } : {}),
    mutability: attribute.readOnly || selector === 'answered' ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: attribute.unique ? 'server' : 'none',
    ...(type === 'reference' ? { referenceTypes: [refersTo] } : {}),
    ...(values === undefined ? {} : { canonicalValues: values }),
    ...(sub === undefined || type !== 'complex' ? {} : { subAttributes: describeAll(sub) }),
  };
}

const config = scimOperation({
  id: 'scim.config',
  operationId: 'getScimServiceProviderConfig',
  summary: 'What the service can do',
  description: 'ServiceProviderConfig of RFC 7643.',
  path: '/ServiceProviderConfig',
  handle: ({ directory, reply }) => send(reply, 200, serviceProviderConfig(directory.base)),
});

/** Declares the operations that list documents and return one by id. */
function documents(
  name: string,
  path: string,
  describeAs: (base: string, resources: Resources) => readonly { id: string }[],
): Operation<ScimServices>[] {
  const all = async ({ db, directory: { base, companyId } }: ScimCall) =>
    describeAs(base, { User: await schemasOf(db, companyId), Group: [GROUP_SCHEMA] });
  const list = scimOperation({
    id: `scim.${name}.list`,
    operationId: `listScim${path}`,
    summary: `List ${path}`,
    description: `${path} of RFC 7643.`,
    path: `/${path}`,
    async handle(call) {
      const { request, reply } = call;
      // RFC 7644, section 4: a filter is refused, and other parameters are ignored.
      const { filter } = request.query as { filter?: unknown };
      if (filter !== undefined) throw new ScimError('invalidFilter', `${path} cannot be filtered.`, 'FIELD_FORBIDDEN');
      const found = await all(call);
      return send(reply, 200, {
        ...listResponse({ totalResults: found.length, startIndex: 1, itemsPerPage: found.length }),
        Resources: found,
      });
    },
  });
  const get = scimOperation({
    id: `scim.${name}.get`,
    operationId: `getScim${path}`,
    summary: `Get one of ${path}`,
    description: `${path} of RFC 7643.`,
    path: `/${path}/:id`,
    async handle(call) {
      const { request, reply } = call;
      const { id } = request.params as { id: string };
      const found = (await all(call)).find((each) => each.id.toLowerCase() === id.toLowerCase());
      if (found === undefined) throw new ApiError('NOT_FOUND', `There is no resource with this id in ${path}.`);
      return send(reply, 200, found);
    },
  });
  return [list, get];
}

/** Declares an unsupported endpoint of the standard, which responds with 501 (RFC 7644, section 3.11). */
function unsupported(name: string, path: string, methods: readonly Method[]): Operation<ScimServices> {
  return scimOperation({
    id: `scim.${name.toLowerCase()}`,
    operationId: `unsupportedScim${name}`,
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
  unsupported('Me', '/Me', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  unsupported('Bulk', '/Bulk', ['POST']),
  unsupported('Search', '/.search', ['POST']),
];
