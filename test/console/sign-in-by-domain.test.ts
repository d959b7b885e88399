import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ConsoleConfig } from '../../src/features/console/console-schemas.ts';
import type { ConnectionView } from '../../src/features/sign-in-connections/sign-in-connections-schemas.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { startSigningProvider } from '../support/signing-provider.ts';

const provider = await startSigningProvider('orgdesk');
after(() => provider[Symbol.asyncDispose]());
const FILES = { page: '<!doctype html><meta name="csp-nonce" content="__NONCE__">', assets: new Map() };
const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' }, undefined, { consoleFiles: FILES });
after(() => api[Symbol.asyncDispose]());
const company = await addCompany(api.db, 'By domain');
const root = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

const post = (path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/sign-in-connections/${path}`, as: root.email, payload });

/** Makes a connection of the company, which is gone after the use of it. */
async function connect(fields: object): Promise<ConnectionView & AsyncDisposable> {
  const body = { companyId: company.id, issuer: provider.issuer, audience: 'orgdesk', algorithm: 'ES256', ...fields };
  const made = dataOf<ConnectionView>(await post('create', body));
  return { ...made, [Symbol.asyncDispose]: async () => void dataOf(await post('delete', { id: made.id })) };
}

const offered = async (domain?: string) =>
  dataOf<ConsoleConfig>(
    await api.send({
      url: '/console/config',
      headers: { host: 'orgdesk.example' },
      ...(domain ? { query: { domain } } : {}),
    }),
  );
const WITHOUT = { signIn: 'token' };

describe('the sign-in that is offered for a domain', () => {
  it("the console offers the platform's sign-in for a domain without an active connection", async () => {
    assert.deepEqual(await offered(), WITHOUT);
    assert.deepEqual(await offered('acme.example'), WITHOUT);
    for (const fields of [
      { clientId: null },
      { clientId: 'console', active: false },
      { clientId: 'console', domains: [] },
    ]) {
      await using _ = await connect({ domains: ['by-domain.example'], ...fields });
      for (const domain of [undefined, 'by-domain.example']) assert.deepEqual(await offered(domain), WITHOUT);
    }
  });

  it("the console offers a domain's own provider in any letter case, and asks others for an address", async () => {
    await using made = await connect({
      domains: ['by-domain.example'],
      clientId: 'console',
      audience: 'https://orgdesk.example/api',
    });
    const expected = {
      signIn: 'provider',
      provider: {
        issuer: provider.issuer,
        authorizationEndpoint: `${provider.issuer}/auth`,
        tokenEndpoint: `${provider.issuer}/token`,
        clientId: 'console',
        scope: 'openid email',
        resource: 'https://orgdesk.example/api',
        connectionId: made.id,
        tokenUse: 'access',
        responseType: 'code',
      },
      asksAddress: true,
    };
    for (const domain of ['by-domain.example', 'BY-Domain.example']) assert.deepEqual(await offered(domain), expected);
    for (const domain of [undefined, 'other.example', 'sub.by-domain.example', '%', ''])
      assert.deepEqual(await offered(domain), { ...WITHOUT, asksAddress: true });
  });

  it("the console requests the scopes of the domain's connection", async () => {
    const scope = 'openid email offline_access api://orgdesk/access';
    await using _ = await connect({ domains: ['by-domain.example'], clientId: 'c', audience: 'api://orgdesk', scope });
    const found = (await offered('by-domain.example')).provider;
    assert.deepEqual([found?.scope, found?.resource], [scope, null]);
  });

  for (const [types, responseType] of [
    [undefined, 'code'],
    [['code'], 'code'],
    [['code', 'id_token', 'code id_token'], 'code'],
    [['id_token'], 'id_token'],
  ] as const) {
    it(`the console requests an ID token by ${responseType} of a provider that answers ${String(types)}`, async () => {
      await using own = await startSigningProvider('console');
      own.document = { response_types_supported: types };
      const fields = { domains: ['by-domain.example'], issuer: own.issuer, audience: 'console', tokenUse: 'id' };
      await using _ = await connect({ ...fields, clientId: 'console' });
      const found = (await offered('by-domain.example')).provider;
      assert.deepEqual([found?.tokenUse, found?.responseType, found?.resource], ['id', responseType, null]);
    });
  }

  for (const [issuer, signIn, responseType] of [
    ['https://accounts.google.com', 'provider', 'id_token'],
    ['https://appleid.apple.com', 'token', undefined],
    ['https://www.linkedin.com/oauth', 'token', undefined],
  ] as const) {
    it(`the console offers the way ${signIn} for ${issuer}, which exchanges codes for secrets only`, async () => {
      await using own = await startSigningProvider('console');
      own.document = { issuer, response_types_supported: ['code', 'id_token'] };
      const discoveryUrl = `${own.issuer}/.well-known/openid-configuration`;
      const fields = { domains: ['by-domain.example'], issuer, discoveryUrl, audience: 'console', tokenUse: 'id' };
      await using _ = await connect({ ...fields, clientId: 'console' });
      const found = await offered('by-domain.example');
      assert.deepEqual([found.signIn, found.provider?.responseType], [signIn, responseType]);
    });
  }
});

describe('the page to which a provider leads back', () => {
  it("the console's policy permits the provider of the connection in the state alone", async () => {
    await using made = await connect({ domains: ['by-domain.example'], clientId: 'console' });
    const policyOf = async (path: string) => {
      const { headers } = await api.app.inject({ url: path, headers: { accept: 'text/html' } });
      return /connect-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
    };
    assert.equal(await policyOf(`/?code=x&state=${made.id}.random`), `'self' ${provider.issuer}`);
    await using odd = await startSigningProvider('console');
    odd.document = { token_endpoint: 'https://a;b.example/token' };
    const fields = { domains: ['odd.example'], issuer: odd.issuer, audience: 'console', clientId: 'console' };
    await using second = await connect(fields);
    assert.equal(await policyOf(`/?code=x&state=${second.id}.random`), "'self'");
    const others = ['/', '/?state=x', `/?state=${company.id}.x`, `/?state=a&state=${made.id}.x`, `/?code=${made.id}.x`];
    for (const path of others) assert.equal(await policyOf(path), "'self'", path);
  });
});
