import { type Static, Type } from 'typebox';
import { ROLES } from '../../entities/roles.ts';

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
  },
  { description: 'With signIn provider: the authorization code flow with PKCE' },
);

/** How people sign in to the console. */
export const ConsoleConfig = Type.Object(
  {
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
  },
  { title: 'ConsoleConfig' },
);
export type ConsoleConfig = Static<typeof ConsoleConfig>;
