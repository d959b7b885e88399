import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tryOften } from '../faults/try-often.ts';
import { startTarget } from '../hostile/target.ts';
import type { DatabaseKind } from '../support/installed.ts';
import { startKeyServer } from '../support/key-server.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../support/postgres-server.ts';
import { makeToken, providerMaker } from '../support/token-makers.ts';
import { assertServed, besideOthers, othersInWords } from './others.ts';
import { sendAttack, statusesInWords } from './sending.ts';

const AUDIENCE = 'https://orgdesk.example/api';
/** Callers at once: more than there are slots of requests in flight. */
const CALLERS = 1_100;

type Userinfo = (subject: string, response: ServerResponse) => void;
const json = (value: object) => (_subject: string, response: ServerResponse) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
const saying =
  (value: object): Userinfo =>
  (sub, response) =>
    json({ sub, ...value })(sub, response);
const silent: Userinfo = () => undefined;
const absent: Userinfo = (_subject, response) => void response.writeHead(404).end();

/** What providers say of a person, in the token and at userinfo, and how the first request is answered. */
const FORMS: readonly (readonly [
  who: string,
  claims: (email: string) => object,
  userinfo: Userinfo,
  status: number,
])[] = [
  ['manager@acme.example', (email) => ({ email, email_verified: true }), absent, 200],
  ['employee@acme.example', (email) => ({ email, email_verified: 'true' }), absent, 200],
  ['admin@acme.example', (email) => ({ email }), saying({ email: 'admin@acme.example', email_verified: true }), 200],
  [
    'admin@globex.example',
    (email) => ({ email, email_verified: null }),
    saying({ email: 'admin@globex.example', email_verified: 'true' }),
    200,
  ],
  [
    'platform.rm@orgdesk.example',
    () => ({ email: '' }),
    saying({ email: 'platform.rm@orgdesk.example', email_verified: 'True' }),
    200,
  ],
  ['super.admin@orgdesk.example', (email) => ({ email, email_verified: false }), absent, 401],
  ['super.admin@orgdesk.example', (email) => ({ email }), absent, 401],
  ['super.admin@orgdesk.example', (email) => ({ email }), saying({}), 401],
  ['super.admin@orgdesk.example', (email) => ({ email }), silent, 503],
];

/** First sign-ins with the tokens of providers as they are, then of very many whose userinfo endpoint says nothing. @param percent of 1,100 */
export async function tryTokens(kind: DatabaseKind, percent: number): Promise<string[]> {
  const callers = Math.ceil((CALLERS * percent) / 100);
  const name = `${FORMS.length} forms of tokens, then ${callers} first sign-ins at once while userinfo says nothing, and once it is gone; ${kind}`;
  return [await tryOften(name, 1, () => signIn(kind, callers))];
}

async function signIn(kind: DatabaseKind, callers: number): Promise<string> {
  await using server = kind === 'server' ? await startPostgresServer(SERVER_SETTINGS) : undefined;
  let userinfo: Userinfo = absent;
  // At another host than the provider, as that of Entra ID and Cognito.
  await using elsewhere = await startKeyServer((request: IncomingMessage, response: ServerResponse) => {
    const [, claims = ''] = String(request.headers.authorization).split('.');
    userinfo((JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub, response);
  });
  await using provider = await startKeyServer({});
  const maker = providerMaker(provider.url, AUDIENCE);
  provider.answer = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
    const document = {
      issuer: provider.url,
      jwks_uri: `${provider.url}/keys`,
      userinfo_endpoint: `${elsewhere.url}/userinfo`,
    };
    json(url.startsWith('/keys') ? { keys: [maker.jwk] } : document)('', response);
  };
  await using target = await startTarget({
    OIDC_ISSUER: provider.url,
    TOKEN_AUDIENCE: AUDIENCE,
    LOG_LEVEL: 'fatal',
    ...(server === undefined ? {} : { DATABASE_URL: server.url, DEMO_DATA: 'true' }),
  });
  const tokenOf = (sub: string, claims: object) => makeToken(maker, maker.header, { ...maker.claims, sub, ...claims });
  const profile = (token: string) => sendAttack(target.port, { method: 'GET', path: '/api/users/profile', token });
  const linked: string[] = [];
  for (const [index, [email, claimsOf, answer, status]] of FORMS.entries()) {
    userinfo = answer;
    const token = tokenOf(`form-${index}`, claimsOf(email));
    const { status: given, text } = await profile(token);
    assert.equal(given, status, `${email}, form ${index}: ${text}`);
    if (status === 200) linked.push(token);
  }
  const [good = ''] = linked;
  const others = [
    { path: '/api/users/profile', token: good },
    { path: '/api/countries/list?search=in' },
    { path: '/livez' },
  ];
  const seen: string[] = [];
  for (const [name, answer] of [
    ['silent', silent],
    ['gone', absent],
  ] as const) {
    userinfo = answer;
    const tokens = Array.from({ length: callers }, (_, n) =>
      tokenOf(`${name}-${n}`, { email: 'super.admin@orgdesk.example' }),
    );
    let statuses = '';
    const saw = await besideOthers(target.port, others, async () => {
      const answers = await Promise.all(tokens.map(profile));
      for (const { status } of answers) assert.ok(status === 503 || status === 401, `answered ${status}`);
      statuses = statusesInWords(answers);
    });
    assertServed(saw);
    seen.push(`${name}: ${statuses}; ${othersInWords(saw)}`);
  }
  return `${linked.length} forms were linked, ${FORMS.length - linked.length} refused; userinfo ${seen.join('; ')}`;
}
