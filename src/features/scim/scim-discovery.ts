import {
  type Attribute,
  ENTERPRISE_SCHEMA,
  GROUP_SCHEMA,
  ORGDESK_SCHEMA,
  type Schema,
  USER_SCHEMA,
} from './scim-attributes.ts';
import { MAX_RESULTS } from './scim-input.ts';

const URN = 'urn:ietf:params:scim:schemas:core:2.0';

/** What this service can do (RFC 7643, section 5). @param base the address of this SCIM service */
export function serviceProviderConfig(base: string): object {
  const supported = (isSupported: boolean) => ({ supported: isSupported });
  return {
    schemas: [`${URN}:ServiceProviderConfig`],
    patch: supported(true),
    bulk: { ...supported(false), maxOperations: 0, maxPayloadSize: 0 },
    filter: { ...supported(true), maxResults: MAX_RESULTS },
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

/** The kinds of resources (RFC 7643, section 6), each by its id. */
export function resourceTypes(base: string): { id: string }[] {
  const type = (id: string, schema: Schema, extensions: readonly Schema[]) => ({
    schemas: [`${URN}:ResourceType`],
    ...{ id, name: id, endpoint: `/${id}s`, description: schema.description, schema: schema.id },
    ...(extensions.length === 0
      ? {}
      : { schemaExtensions: extensions.map((extension) => ({ schema: extension.id, required: false })) }),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  });
  return [type('User', USER_SCHEMA, [ENTERPRISE_SCHEMA, ORGDESK_SCHEMA]), type('Group', GROUP_SCHEMA, [])];
}

/** The schemas (RFC 7643, section 7), each by its id: what is kept, and nothing else. */
export function schemaDocuments(base: string): { id: string }[] {
  return [USER_SCHEMA, ENTERPRISE_SCHEMA, ORGDESK_SCHEMA, GROUP_SCHEMA].map(
    ({ id, name, description, attributes }) => ({
      schemas: [`${URN}:Schema`],
      ...{ id, name, description },
      attributes: describeAll(attributes),
      meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
    }),
  );
}

function describeAll(attributes: readonly Attribute[]): object[] {
  return attributes.filter((attribute) => !attribute.ignored).map(describe);
}

function describe(attribute: Attribute): object {
  const { name, type, description, values, sub, many } = attribute;
  return {
    ...{ name, type },
    description: many === undefined ? description : `${description}. At most ${many} values`,
    multiValued: attribute.many !== undefined,
    required: attribute.required === true,
    ...(type === 'string' ? { caseExact: attribute.caseExact === true } : {}),
    mutability: attribute.readOnly ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: attribute.unique ? 'server' : 'none',
    ...(values === undefined ? {} : { canonicalValues: values }),
    ...(sub === undefined ? {} : { subAttributes: describeAll(sub) }),
  };
}
