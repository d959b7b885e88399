import { type Static, Type } from 'typebox';
import { ROLES } from '../../entities/roles.ts';

const DemoPersonView = Type.Object({
  email: Type.String({ examples: ['employee@acme.example'] }),
  name: Type.String({ examples: ['Asha Rao'] }),
  company: Type.String({ examples: ['Acme'] }),
  roles: Type.Array(Type.String({ title: 'Role', enum: [...ROLES], examples: ['EMPLOYEE'] })),
  active: Type.Boolean({ description: 'The service refuses people who are not', examples: [true] }),
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
      description: 'What the access token is asked for (RFC 8707); null where the scope says it',
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
      description: 'As a person of the demo, at an identity provider, or with an access token that one brings along',
      examples: ['demo'],
    }),
    people: Type.Optional(
      Type.Array(DemoPersonView, {
        description: 'With signIn demo. Only on the embedded default with the demo, and to this very machine alone',
      }),
    ),
    provider: Type.Optional(ProviderView),
  },
  { title: 'ConsoleConfig' },
);
export type ConsoleConfig = Static<typeof ConsoleConfig>;
