import { type Static, Type } from 'typebox';
import { companyIdParameter, idParameter, newIdParameter, timeFields } from '../../api/list-schemas.ts';
import { MAX_TOKEN_LENGTH } from '../../auth/tokens/token-form.ts';
import { company } from '../../entities/company.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields, titled } from '../../entities/field-schemas.ts';
import { domainName, signInConnection } from '../../entities/sign-in-connection.ts';

export const MAX_DOMAINS = 50;

/** What a problem of a provider keeps from working. */
export const NEEDED_FOR = ['signIn', 'console', 'recommended'] as const;

/** Fields that a body sets as they are stored. */
export const PLAIN_FIELDS = fieldsBut(
  signInConnection,
  ...(['id', 'companyId', 'demandedText', 'domainNames', 'sharedText', 'agreedText', 'createdAt'] as const),
);

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

export const MAX_SHARED = 50;

const sharedWith = Type.Array(Type.String({ format: 'uuid', examples: [company.fields.id.example] }), {
  maxItems: MAX_SHARED,
  description:
    'Other companies whose people sign in by it and have addresses of its domains, from when an administrator of theirs has agreed; at ' +
    'once if a Super Admin sets it. Agreements end when the provider becomes another one',
  examples: [[]],
});

const companyName = answeredFields(company, ['id', 'name']);

const id = idParameter(signInConnection);

export const ConnectionIdInput = Type.Object({ id });

export const ConnectionCreateInput = Type.Object({
  id: newIdParameter,
  ...newRowFields(signInConnection, ['companyId', ...PLAIN_FIELDS]),
  demandedClaims: Type.Optional(demandedClaims),
  domains: Type.Optional(domains),
  sharedWith: Type.Optional(sharedWith),
});

export const ConnectionUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object({ ...givenFields(signInConnection, PLAIN_FIELDS), demandedClaims, domains, sharedWith }))
    .properties,
});

export const ConnectionView = titled('SignInConnection', {
  ...answeredFields(signInConnection, ['id', 'companyId', ...PLAIN_FIELDS]),
  demandedClaims,
  domains,
  sharedWith,
  agreedBy: Type.Array(Type.Object(companyName), { description: 'Those of them that have agreed', examples: [[]] }),
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

export const SharingInput = Type.Object({ id, companyId: companyIdParameter });

/** A connection of another company, as those see it with which it is shared. */
export const SharedConnectionView = titled('SharedSignInConnection', {
  ...answeredFields(signInConnection, ['id', 'companyId', 'issuer', 'audience', 'emailsVerified', 'active']),
  company: Type.Object(companyName, { description: 'The company that has it' }),
  domains,
  agreed: Type.Boolean({
    description: 'Whether the company has agreed: its people sign in by it, those with a role elsewhere excepted',
    examples: [false],
  }),
});
export type SharedConnectionView = Static<typeof SharedConnectionView>;

export const ConnectionTestInput = Type.Object({
  id,
  token: Type.Optional(
    Type.String({
      maxLength: MAX_TOKEN_LENGTH,
      description: 'A token of the provider to try; nobody is signed in by it',
      examples: ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    }),
  ),
});

const claimNames = Type.Array(Type.String(), { description: 'Names of its claims', examples: [['aud', 'iss', 'sub']] });
const rule = Type.String({ description: 'What the token is, where the reason alone does not say it', examples: [''] });

/** Why tokens of a connection were refused. */
export const RefusalView = titled('SignInRefusal', {
  reason: Type.String({ examples: ['audience'] }),
  rule,
  claims: claimNames,
  count: Type.Integer({ description: 'How often', examples: [3] }),
  refusedAt: Type.String({ format: 'date-time', description: 'The last time', examples: ['2026-02-01T06:00:00.000Z'] }),
});
export type RefusalView = Static<typeof RefusalView>;

export const LinksView = titled('ForgottenLinks', {
  links: Type.Integer({ description: 'How many links of accounts to people ended', examples: [12] }),
});

/** What is wrong with the documents of a provider. */
export const ConnectionTestView = titled('SignInConnectionTest', {
  working: Type.Boolean({
    description: 'Whether people can sign in with a token: nothing that this needs is missing',
    examples: [false],
  }),
  problems: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Of the discovery document', examples: ['token_endpoint'] }),
      message: Type.String({ examples: ['The discovery document names no token_endpoint that is https.'] }),
      neededFor: Type.Enum(NEEDED_FOR, {
        description: '`signIn`: nobody can sign in; `console`: not on its pages; `recommended`: some may be kept out',
        examples: ['console'],
      }),
    }),
  ),
  domains: Type.Array(
    Type.Object({
      domain: Type.String({ examples: ['acme.example'] }),
      hasRecord: Type.Boolean({ description: 'Whether its TXT record names the company', examples: [true] }),
    }),
  ),
  token: Type.Optional(
    Type.Object(
      {
        accepted: Type.Boolean({ examples: [false] }),
        reason: Type.Union([Type.String(), Type.Null()], { examples: ['audience'] }),
        rule,
        claims: claimNames,
        userId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
          description: 'Whom it would sign in',
          examples: [null],
        }),
      },
      { description: 'What the given token would do' },
    ),
  ),
});
export type ConnectionTestView = Static<typeof ConnectionTestView>;
