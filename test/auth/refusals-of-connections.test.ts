import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type {
  ConnectionTestView,
  ConnectionView,
  RefusalView,
} from '../../src/features/sign-in-connections/sign-in-connections-schemas.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { type Claims, startSigningProvider } from '../support/signing-provider.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
const settings = { WEBHOOK_PRIVATE_TARGETS: 'true', RATE_LIMIT_BAD_TOKENS: '0', RATE_LIMIT_WRITES: '0' };
const api = await buildCheckedApp(settings);
after(() => api[Symbol.asyncDispose]());
const provider = await startSigningProvider(AUDIENCE);
after(() => provider[Symbol.asyncDispose]());
const company = await addCompany(api.db, 'Acme with refusals');
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
const foreign = await addPerson(api.db, {
  company: await addCompany(api.db, 'Globex with refusals'),
  roles: [],
});

const post = (path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/sign-in-connections/${path}`, as: admin.email, payload });
const { id } = dataOf<ConnectionView>(
  await post('create', { companyId: company.id, issuer: provider.issuer, audience: AUDIENCE, algorithm: 'ES256' }),
);
const now = () => Math.floor(Date.now() / 1000);
const account = (email: string, claims: Claims = {}): Claims => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  ...claims,
});
const knock = async (claims: Claims) =>
  api.app.inject({
    url: '/api/users/profile',
    headers: { authorization: `Bearer ${await provider.token(claims)}` },
  });
const refusals = async () =>
  dataOf<RefusalView[]>(await api.send({ url: '/api/sign-in-connections/refusals', query: { id }, as: admin.email }));
const noted = (count: number) => waitUntil('the refusals', async () => (await refusals()).length === count);
const tryToken = async (claims: Claims) =>
  dataOf<ConnectionTestView>(await post('test', { id, token: await provider.token(claims) })).token;

describe('the refusals of a connection', () => {
  it('sign-in-connections/refusals returns each reason with its rule, the names of the claims and how often', async () => {
    assert.deepEqual(await refusals(), []);
    for (const claims of [
      account('nobody@acme.example'),
      account('nobody@acme.example', { aud: 'api://other' }),
      account('nobody@acme.example', { aud: 'api://other' }),
      account('nobody@acme.example', { iat: now() + 3_600 }),
      { sub: randomUUID() },
    ]) {
      assert.equal((await knock(claims)).statusCode, 401);
    }
    await noted(4);
    await waitUntil('the second time', async () => (await refusals()).some(({ count }) => count === 2));
    const found = await refusals();
    assert.deepEqual(found.map(({ reason, rule, count }) => [reason, rule, count]).sort(), [
      ['address absent', '', 1],
      ['address unknown', '', 1],
      ['audience', 'aud is for somebody else', 2],
      ['not yet valid', 'iat or nbf is no number or ahead of now', 1],
    ]);
    const unknown = found.find(({ reason }) => reason === 'address unknown');
    assert.deepEqual(unknown?.claims, ['aud', 'email', 'email_verified', 'exp', 'iss', 'sub']);
  });

  it('sign-in-connections/refusals returns the last twenty', async () => {
    for (let number = 0; number < 22; number++) {
      await knock(account('nobody@acme.example', { [`claim${number}`]: 'given' }));
    }
    await noted(20);
  });

  it('sign-in-connections/refusals and forget-links return 404 to an administrator of another company', async () => {
    const other = await addCompany(api.db, 'Initech with refusals');
    const theirs = await addPerson(api.db, { company: other, roles: [['CORPORATE_ADMIN', other]] });
    const list = { url: '/api/sign-in-connections/refusals', query: { id }, as: theirs.email };
    assertRefused(await api.send(list), 404, 'NOT_FOUND');
    const forget = { url: '/api/sign-in-connections/forget-links', payload: { id }, as: theirs.email };
    assertRefused(await api.send({ method: 'POST', ...forget }), 404, 'NOT_FOUND');
  });
});

describe('a token that is tried', () => {
  it('sign-in-connections/test returns whom a token would sign in, and links nobody', async () => {
    const person = await addPerson(api.db, { company });
    const claims = account(person.email);
    const accepted = { accepted: true, reason: null, rule: '', userId: person.id };
    const { claims: names, ...outcome } = (await tryToken(claims)) ?? assert.fail();
    assert.deepEqual(outcome, accepted);
    assert.deepEqual(names, ['aud', 'email', 'email_verified', 'exp', 'iss', 'sub']);
    assert.equal((await tryToken({ ...claims, sub: randomUUID() }))?.userId, person.id);
  });

  it('sign-in-connections/test returns why a token would be refused', async () => {
    for (const [claims, reason] of [
      [account(foreign.email), 'address unknown'],
      [account(admin.email, { email_verified: false }), 'address not verified'],
      [account(admin.email, { aud: 'api://other' }), 'audience'],
      [account(admin.email, { exp: now() - 3_600 }), 'expired'],
      [account(admin.email, { sub: admin.email }), 'subject is an address'],
    ] as const) {
      const tried = await tryToken(claims);
      assert.deepEqual([tried?.accepted, tried?.reason, tried?.userId], [false, reason, null]);
    }
    const other = dataOf<ConnectionTestView>(await post('test', { id, token: 'no token' })).token;
    assert.deepEqual([other?.accepted, other?.reason, other?.claims], [false, 'form', []]);
  });

  it('sign-in-connections/test tries a token at a connection that is switched off', async () => {
    dataOf(await post('update', { id, active: false }));
    assert.equal((await tryToken(account(admin.email)))?.accepted, true);
    dataOf(await post('update', { id, active: true }));
  });
});

describe('accounts that are linked anew', () => {
  it('sign-in-connections/forget-links lets people sign in by new accounts, and returns how many links ended', async () => {
    const person = await addPerson(api.db, { company });
    dataOf(await knock(account(person.email)));
    assert.equal((await knock(account(person.email))).statusCode, 401);
    const { links } = dataOf<{ links: number }>(await post('forget-links', { id }));
    assert.ok(links >= 1);
    dataOf(await knock(account(person.email)));
    assert.deepEqual(dataOf(await post('forget-links', { id })), { links: 1 });
    assert.deepEqual(dataOf(await post('forget-links', { id })), { links: 0 });
  });

  it('a new account of a person takes the place of the linked one until relinkUntil, and is a 401 afterwards', async () => {
    const person = await addPerson(api.db, { company });
    const [old, next] = [account(person.email), account(person.email)];
    dataOf(await knock(old));
    const until = (relinkUntil: string | null) => post('update', { id, relinkUntil });
    dataOf(await until('2001-01-01T00:00:00Z'));
    assert.equal((await knock(next)).statusCode, 401);
    dataOf(await until('2999-01-01T00:00:00Z'));
    dataOf(await knock(next));
    dataOf(await until(null));
    dataOf(await knock(next));
    assert.equal((await knock(old)).statusCode, 401);
  });
});

describe('the clock of a provider', () => {
  it('a token that is up to 60 s ahead of this service is accepted, and one that has expired is a 401', async () => {
    const person = await addPerson(api.db, { company });
    const claims = account(person.email);
    dataOf(await knock({ ...claims, exp: now() + 24 * 3_600 + 30, iat: now() + 30 }));
    for (const times of [{ exp: now() + 24 * 3_600 + 120 }, { iat: now() + 120 }, { exp: now() - 1 }]) {
      assert.equal((await knock({ ...claims, ...times })).statusCode, 401);
    }
  });
});
