import { type Static, Type } from 'typebox';
import { optional, titled } from '../../entities/field-schemas.ts';
import { ROLES } from '../../entities/roles.ts';
import { BrandView } from './brand.ts';

const DemoPersonView = Type.Object({
  email: Type.String({ examples: ['employee@acme.example'] }),
  name: Type.String({ examples: ['Asha Rao'] }),
  company: Type.String({ examples: ['Acme'] }),
  roles: Type.Array(Type.String({ title: 'Role', enum: [...ROLES], examples: ['EMPLOYEE'] })),
  active: Type.Boolean({ description: 'Required by the service', examples: [true] }),
  token: Type.String({ description: 'An access token', examples: ['eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl'] }),
});

const ProviderView = Type.Object(
  {
    issuer: Type.String({ examples: ['https://id.example/realms/acme'] }),
    authorizationEndpoint: Type.String({ examples: ['https://id.example/realms/acme/auth'] }),
    tokenEndpoint: Type.String({ examples: ['https://id.example/realms/acme/token'] }),
    clientId: Type.String({ examples: ['orgdesk-console'] }),
    scope: Type.String({ examples: ['openid email'] }),
    resource: Type.Union([Type.String(), Type.Null()], {
      description: 'Resource indicator of the access token (RFC 8707); null if the scope implies it',
      examples: ['https://orgdesk.example/api'],
    }),
    connectionId: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'The sign-in connection that it belongs to; null: the provider of the platform',
      examples: [null],
    }),
    tokenUse: Type.String({
      enum: ['access', 'id'],
      description: 'Which token the service takes',
      examples: ['access'],
    }),
    responseType: Type.String({
      enum: ['code', 'id_token'],
      description: 'The authorization code flow with PKCE, or an ID token at once',
      examples: ['code'],
    }),
  },
  { description: 'With signIn provider: where and how people sign in' },
);

export const ConsoleConfigInput = Type.Object({
  domain: optional.text({
    maxLength: 253,
    description: 'Of the e-mail address of whoever signs in: the provider is that of its sign-in connection, if any',
    examples: ['acme.example'],
  }),
});

/** How people sign in to the console. */
export const ConsoleConfig = titled('ConsoleConfig', {
  signIn: Type.String({
    enum: ['demo', 'provider', 'token'],
    description: 'As a demo person, at an identity provider, or by entering an access token',
    examples: ['demo'],
  }),
  people: Type.Optional(
    Type.Array(DemoPersonView, {
      description:
        'With signIn demo. Only on the embedded database with demo data, and only to clients on the same machine',
    }),
  ),
  provider: Type.Optional(ProviderView),
  brand: Type.Optional(BrandView),
  mails: Type.Optional(
    Type.Boolean({ description: 'True where people get mails; otherwise absent', examples: [true] }),
  ),
  asksAddress: Type.Optional(
    Type.Boolean({
      description: 'True where companies have providers, which are found by the domain of an address; otherwise absent',
      examples: [true],
    }),
  ),
});
export type ConsoleConfig = Static<typeof ConsoleConfig>;
