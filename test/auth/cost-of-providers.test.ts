import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { after, describe, it } from 'node:test';
import { readPublishedKeys } from '../../src/auth/tokens/published-keys.ts';
import type { ConnectionView } from '../../src/features/sign-in-connections/sign-in-connections-schemas.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import { dataOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { collectLog } from '../support/collect-log.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { startSigningProvider } from '../support/signing-provider.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
const { log, lines } = collectLog();
const recorded = recordStatements(await openDemoDatabase());
const settings = { WEBHOOK_PRIVATE_TARGETS: 'true', TRUST_PROXY: '127.0.0.1', RATE_LIMIT_BAD_TOKENS: '20' };
const api = await buildTestApp(settings, async () => recorded.db, { log: createLog('info', log) });
after(() => api[Symbol.asyncDispose]());
const company = await addCompany(api.db, 'Costly');
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
const provider = await startSigningProvider(AUDIENCE);
after(() => provider[Symbol.asyncDispose]());

const post = (path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/sign-in-connections/${path}`, as: admin.email, payload });
const connectionOf = (issuer: string) => ({ companyId: company.id, issuer, audience: AUDIENCE, algorithm: 'ES256' });
const create = async (issuer: string) => dataOf<ConnectionView>(await post('create', connectionOf(issuer)));
async function statusOf(token: string, from: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
  return (await api.app.inject({ url: '/api/users/profile', headers })).statusCode;
}
const stranger = (more: object = {}) => ({
  sub: randomUUID(),
  email: `${randomUUID()}@no.example`,
  email_verified: true,
  ...more,
});

/** Waits until a token gets another answer than that the keys are missing. */
async function untilKnown(from: string): Promise<void> {
  await waitUntil('the keys', async () => (await statusOf(await provider.token(stranger()), from)) !== 503);
}

describe('what a provider of a company costs', () => {
  it('a key with a modulus above 8,192 bits or an exponent above 64 bits is not used', async () => {
    const jwkOf = (publicExponent: number) =>
      generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent }).publicKey.export({ format: 'jwk' });
    const [usual] = [{ ...jwkOf(65_537), alg: 'RS256' }];
    const dear = { ...usual, e: Buffer.from(`01${'00'.repeat(7)}01`, 'hex').toString('base64url') };
    const large = { ...usual, n: Buffer.alloc(1025, 0xff).toString('base64url') };
    assert.deepEqual(await readPublishedKeys({ keys: [usual, dear, large] }, 'RS256'), [usual]);
  });

  it('an address over its limit of bad tokens is refused before a signature is verified or a person looked up', async () => {
    const made = await create(provider.issuer);
    await untilKnown('203.0.113.9');
    const tokens = await Promise.all(Array.from({ length: 40 }, () => provider.token(stranger())));
    const before = recorded.statements.length;
    const statuses: number[] = [];
    for (const token of tokens) statuses.push(await statusOf(token, '203.0.113.1'));
    assert.equal(statuses.filter((status) => status === 401).length, 20);
    assert.equal(statuses.filter((status) => status === 429).length, 20);
    const statements = recorded.statements.length - before;
    const from = recorded.statements.length;
    for (const token of tokens.slice(20)) assert.equal(await statusOf(token, '203.0.113.1'), 429);
    assert.equal(recorded.statements.slice(from).length, 0, `${statements} before`);
    // Somebody who signs in from elsewhere is not concerned.
    const person = await addPerson(api.db, { company });
    assert.equal(await statusOf(await provider.token(stranger({ email: person.email })), '203.0.113.2'), 200);
    dataOf(await post('delete', { id: made.id }));
  });

  it('tokens for which userinfo is asked in vain are counted', async () => {
    const made = await create(provider.issuer);
    await untilKnown('203.0.113.8');
    const ask = async () => provider.token({ sub: randomUUID() });
    const statuses: number[] = [];
    for (let times = 0; times < 30; times++) statuses.push(await statusOf(await ask(), '203.0.113.3'));
    assert.equal(statuses.filter((status) => status === 429).length, 10, statuses.join(' '));
    dataOf(await post('delete', { id: made.id }));
  });

  it('a provider that publishes a long value is reported once an hour, with 200 characters', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer: 'x'.repeat(100_000) }));
    });
    await using listening = await listenOnLoopback(server);
    const made = await create(listening.url);
    const from = lines.length;
    const token = await provider.token(stranger({ iss: listening.url }));
    for (let times = 0; times < 3; times++) {
      assert.equal(await statusOf(token, '203.0.113.4'), 503);
      // Made anew, it is asked at once.
      dataOf(await post('update', { id: made.id, active: true }));
    }
    const told = lines.slice(from).filter(({ connectionId }) => connectionId === made.id);
    assert.equal(told.length, 1);
    assert.ok(JSON.stringify(told[0]).length < 1000);
    const { body } = await post('test', { id: made.id });
    assert.ok(body.length < 2000, body.slice(0, 500));
    dataOf(await post('delete', { id: made.id }));
  });

  it("a person's requests are counted by the person, whichever account they come with", async () => {
    const limited = await buildTestApp({ ...settings, RATE_LIMIT_USER: '5' });
    after(() => limited[Symbol.asyncDispose]());
    const home = await addCompany(limited.db, 'Counted');
    const person = await addPerson(limited.db, { company: home, roles: [['CORPORATE_ADMIN', home]] });
    const statuses: number[] = [];
    for (const audience of ['one', 'two']) {
      const payload = { ...connectionOf(provider.issuer), companyId: home.id, audience };
      const send = { method: 'POST' as const, url: '/api/sign-in-connections/create', as: person.email, payload };
      dataOf(await limited.send(send));
    }
    const accounts = { one: stranger({ email: person.email }), two: stranger({ email: person.email }) };
    const ask = async (audience: 'one' | 'two') => {
      const token = await provider.token({ ...accounts[audience], aud: audience });
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.5' };
      return (await limited.app.inject({ url: '/api/users/profile', headers })).statusCode;
    };
    for (const audience of ['one', 'two', 'one', 'two', 'one', 'two'] as const) {
      await waitUntil('the keys', async () => {
        const status = await ask(audience);
        if (status !== 503) statuses.push(status);
        return status !== 503;
      });
    }
    assert.ok(statuses.includes(429), statuses.join(' '));
  });
});
