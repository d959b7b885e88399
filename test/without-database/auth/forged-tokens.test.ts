import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, mock } from 'node:test';
import type { InjectOptions } from 'fastify';
import type { Sql } from 'sql-template-tag';
import { OPERATIONS } from '../../../src/app/all-operations.ts';
import { assertRefused } from '../../support/answers.ts';
import { type BareApp, buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { forgeries } from '../../support/forgeries.ts';
import { startKeyServer } from '../../support/key-server.ts';
import { assertErrorForm, exchange, requestText } from '../../support/raw-http.ts';
import { makeToken, ownKeyMaker, providerMaker, secretMaker, type TokenMaker } from '../../support/token-makers.ts';

const REALM = 'Bearer realm="orgdesk"';
const AUDIENCE = 'https://orgdesk.example/api';
const ISSUER = 'https://id.example/';

// Keys of a provider are asked for once per cool-down: here that is not over before the end.
mock.timers.enable({ apis: ['Date'], now: Date.now() });

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-forged-tokens-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const trap = await startKeyServer({});
after(() => trap[Symbol.asyncDispose]());
const provider = providerMaker(ISSUER, AUDIENCE);
const keys = await startKeyServer({ keys: [provider.jwk] });
after(() => keys[Symbol.asyncDispose]());

interface Source {
  settings: Record<string, string>;
  maker: () => TokenMaker;
  /** The operations that are tried: all of them, or one of each scope that authenticates. */
  tried: 'all' | readonly string[];
}
const ONE_OF_EACH = ['/api/users/profile', '/api/companies/list'];

/** Where tokens come from: the settings, and what makes good ones once the service is there. */
const SOURCES: Readonly<Record<string, Source>> = {
  'an identity provider': {
    settings: { JWKS_URL: `${keys.url}/keys`, TOKEN_ISSUER: ISSUER, TOKEN_AUDIENCE: AUDIENCE, JWT_SECRET: '' },
    maker: () => provider,
    tried: 'all',
  },
  'a shared secret': { settings: {}, maker: secretMaker, tried: ONE_OF_EACH },
  'the own key pair': {
    settings: { JWT_SECRET: '', DATA_DIR: folder },
    maker: () => ownKeyMaker(readFileSync(join(folder, 'token-key.pem'), 'utf8')),
    tried: ONE_OF_EACH,
  },
};

/** Every operation that is not public, in each of its ways; those of SCIM have errors of their own form (test/scim). */
const PROTECTED = OPERATIONS.filter(
  ({ access, path }) => access.name !== 'public' && !path.startsWith('/scim/'),
).flatMap(({ methods, path }) => methods.map((method) => ({ method, url: path })));

for (const [source, { settings, maker, tried }] of Object.entries(SOURCES)) {
  let queries = 0;
  const query = async <Row extends object>(statement: Sql) => {
    // The service tidies answers that it keeps each minute.
    if (!statement.sql.includes('kept_answers')) queries++;
    return [] as Row[];
  };
  const service: BareApp = await buildBareApp({ query, settings });
  describe(`forged tokens, where tokens come from ${source}`, () => {
    after(() => service[Symbol.asyncDispose]());
    const { app } = service;
    const operations = PROTECTED;
    const some = operations.filter(({ method, url }) => tried === 'all' || (method === 'GET' && tried.includes(url)));
    const good = makeToken(maker());

    /** Asserts that each operation refuses the request without having asked anybody else about it. */
    async function assertForged(
      request: InjectOptions,
      code: 'INVALID_TOKEN' | 'AUTHENTICATION_REQUIRED',
      tried = some,
      lookUps = 0,
    ): Promise<void> {
      const before = [queries, keys.requests.length] as const;
      for (const operation of tried) {
        const response = await app.inject({ ...operation, ...request });
        assertRefused(response, 401, code);
        const challenge = String(response.headers['www-authenticate']);
        if (code === 'INVALID_TOKEN') assert.ok(challenge.startsWith(`${REALM}, error="invalid_token"`), challenge);
        else assert.equal(challenge, REALM);
        assert.equal(response.headers['cache-control'], 'no-store');
      }
      assert.deepEqual([queries, keys.requests.length], [before[0] + lookUps, before[1]]);
      assert.deepEqual(trap.requests, []);
    }

    it('a well-formed token causes a look-up of its caller', async () => {
      assert.ok(operations.length > 30);
      for (const operation of operations) {
        const before = queries;
        assertRefused(
          await app.inject({ ...operation, headers: { authorization: `Bearer ${good}` } }),
          401,
          'INVALID_TOKEN',
        );
        assert.ok(queries > before);
      }
    });

    for (const [what, token] of forgeries(maker(), trap.url)) {
      // Another issuer may be the connection of a company: it is looked up once.
      const lookUps = what.startsWith('claims {"iss":"') ? 1 : 0;
      it(`protected operations return 401 for a forged token: ${what}`, () =>
        assertForged({ headers: { authorization: `Bearer ${token}` } }, 'INVALID_TOKEN', some, lookUps));
    }

    for (const [where, request] of Object.entries<InjectOptions>({
      'in the query': { query: { access_token: good, authorization: `Bearer ${good}` } },
      'in the body': { method: 'POST', payload: { access_token: good, authorization: `Bearer ${good}` } },
      'in a form': {
        method: 'POST',
        payload: `access_token=${good}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      'in a cookie': { headers: { cookie: `access_token=${good}` } },
      'in another header': {
        headers: { 'x-authorization': `Bearer ${good}`, 'proxy-authorization': `Bearer ${good}` },
      },
      'behind another scheme': { headers: { authorization: `Token ${good}` } },
    })) {
      it(`protected operations return 401 for a good token ${where} instead of a Bearer token`, async () => {
        const ways = operations.filter(({ method }) => method === (request.method ?? method));
        await assertForged(request, 'AUTHENTICATION_REQUIRED', ways);
      });
    }

    it('protected operations return 400 for two Authorization headers, even equal ones', async () => {
      const port = await listenLocally(app);
      const before = queries;
      for (const { method, url } of operations) {
        const headers = [`Authorization: Bearer ${good}`, `Authorization: Bearer ${good}`];
        assertErrorForm(await exchange(port, requestText(`${method} ${url}`, headers)), 400, 'MALFORMED_REQUEST');
      }
      assert.equal(queries, before);
    });
  });
}
