import type { Attribute, Schema } from './attribute.ts';
import { GROUP_BODY_LIMIT } from './body-limits.ts';
import { GROUP_SCHEMA } from './group-schema.ts';
import { MAX_OPERATIONS } from './patch-request.ts';
import { MAX_RESULTS } from './scim-request.ts';
import { ENTERPRISE_SCHEMA, ORGDESK_SCHEMA, USER_SCHEMA } from './user-schemas.ts';

const URN = 'urn:ietf:params:scim:schemas:core:2.0';

/** Returns the service provider configuration (RFC 7643, section 5). @param base base URL of this SCIM service */
export function serviceProviderConfig(base: string): object {
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

/** Returns the resource types (RFC 7643, section 6). */
export function resourceTypes(base: string): { id: string }[] {
  const type = (id: string, schema: Schema, extensions: readonly Schema[]) => ({
    schemas: [`${URN}:ResourceType`],
    id,
    name: id,
    endpoint: `/${id}s`,
    description: schema.description,
    schema: schema.id,
    ...(extensions.length === 0
      ? {}
      : { schemaExtensions: extensions.map((extension) => ({ schema: extension.id, required: false })) }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  });
  return [type('User', USER_SCHEMA, [ENTERPRISE_SCHEMA, ORGDESK_SCHEMA]), type('Group', GROUP_SCHEMA, [])];
}

/** Returns the schemas (RFC 7643, section 7), with the supported attributes only. */
export function schemaDocuments(base: string): { id: string }[] {
  return [USER_SCHEMA, ENTERPRISE_SCHEMA, ORGDESK_SCHEMA, GROUP_SCHEMA].map(
    ({ id, name, description, attributes }) => ({
      schemas: [`${URN}:Schema`],
      id,
      name,
      description,
      attributes: describeAll(attributes),
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
    }),
  );
}

function describeAll(attributes: readonly Attribute[]): object[] {
  return attributes.filter(({ ignored, selector }) => !ignored && selector !== 'hidden').map(describe);
}

function describe(attribute: Attribute): object {
  const { name, type, description, values, sub, max, selector } = attribute;
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
    ...(type === 'reference' ? { referenceTypes: ['User'] } : {}),
    ...(values === undefined ? {} : { canonicalValues: values }),
    ...(sub === undefined ? {} : { subAttributes: describeAll(sub) }),
  };
}
