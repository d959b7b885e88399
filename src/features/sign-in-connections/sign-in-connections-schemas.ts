import { type Static, Type } from 'typebox';
import { idParameter, newIdParameter, timeFields } from '../../api/list-schemas.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields, titled } from '../../entities/field-schemas.ts';
import { domainName, signInConnection } from '../../entities/sign-in-connection.ts';

export const MAX_DOMAINS = 50;

/** Fields that a body sets as they are stored. */
export const PLAIN_FIELDS = fieldsBut(signInConnection, 'id', 'companyId', 'demandedText', 'domainNames', 'createdAt');

const domains = Type.Array(Type.Unsafe<string>({ ...domainName.schema, examples: ['acme.example'] }), {
  maxItems: MAX_DOMAINS,
  description:
    'Domains of the e-mail addresses of its people, each of one connection on the platform. Each needs the TXT ' +
    'record `orgdesk=COMPANY_ID` at `_orgdesk.DOMAIN`, unless a Super Admin sets it',
  examples: [['acme.example']],
});

export const [MAX_CLAIMS, MAX_CLAIM] = [10, 100];

const demandedClaims = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: `Claims that its tokens must have, such as \`hd\`, \`tid\` or \`acr\`, with their values: at most ${MAX_CLAIMS}`,
  examples: [{ hd: 'acme.example' }],
});

const id = idParameter(signInConnection);

export const ConnectionIdInput = Type.Object({ id });

export const ConnectionCreateInput = Type.Object({
  id: newIdParameter,
  ...newRowFields(signInConnection, ['companyId', ...PLAIN_FIELDS]),
  demandedClaims: Type.Optional(demandedClaims),
  domains: Type.Optional(domains),
});

export const ConnectionUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object({ ...givenFields(signInConnection, PLAIN_FIELDS), demandedClaims, domains })).properties,
});

export const ConnectionView = titled('SignInConnection', {
  ...answeredFields(signInConnection, ['id', 'companyId', ...PLAIN_FIELDS]),
  demandedClaims,
  domains,
  missingRecords: Type.Array(
    Type.Object({
      domain: Type.String({ examples: ['acme.example'] }),
      since: Type.String({ format: 'date-time', examples: ['2026-02-01T06:00:00.000Z'] }),
      until: Type.String({ format: 'date-time', examples: ['2026-02-08T06:00:00.000Z'] }),
    }),
    { description: 'Its domains whose TXT record is gone, and until when it keeps them', examples: [[]] },
  ),
  ...timeFields,
});
export type ConnectionView = Static<typeof ConnectionView>;

/** What is wrong with the documents of a provider. */
export const ConnectionTestView = titled('SignInConnectionTest', {
  working: Type.Boolean({ description: 'Whether people can sign in: nothing is wrong', examples: [false] }),
  problems: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Of the discovery document', examples: ['token_endpoint'] }),
      message: Type.String({ examples: ['The discovery document names no token_endpoint that is https.'] }),
    }),
  ),
  domains: Type.Array(
    Type.Object({
      domain: Type.String({ examples: ['acme.example'] }),
      hasRecord: Type.Boolean({ description: 'Whether its TXT record names the company', examples: [true] }),
    }),
  ),
});
export type ConnectionTestView = Static<typeof ConnectionTestView>;
