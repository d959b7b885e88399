import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { stopClock } from '../support/clock.ts';
import { type Account, startIdentityProvider } from '../support/identity-provider.ts';
import { addPerson } from '../support/people.ts';
import { UPDATE_PROFILE } from '../support/update-profile.ts';
import { accountOf, assertUnknown, openAccounts } from './provider-accounts.ts';
import { testProviderTokens } from './provider-tokens-tests.ts';

const provider = await startIdentityProvider();
after(() => provider[Symbol.asyncDispose]());
const api = await buildCheckedApp(provider.settings);
after(() => api[Symbol.asyncDispose]());

const { view, signIn, viewAs, linksOf } = openAccounts(api, provider);

describe('the first sign-in by an identity provider', () => {
  it('the first sign-in links an account to the user with its verified e-mail address', async () => {
    const { id, email } = await addPerson(api.db);
    const account = accountOf(email);
    assert.equal(dataOf<{ id: string }>(await viewAs(account)).id, id);
    assert.deepEqual(await linksOf(id), [{ issuer: provider.issuer, subject: account.sub }]);
  });

  it('the first sign-in is refused for an address that only folds into that of a user', async () => {
    const { id } = await addPerson(api.db, { columns: { email: `kåre-${randomUUID()}@kilo.example` } });
    const [{ email } = assert.fail()] = await api.db.query<{ email: string }>(
      sql`select email from users where id = ${id}`,
    );
    for (const [letter, other] of [
      ['k', '\u212a'],
      ['å', '\u212b'],
      ['å', 'Å'],
    ] as const) {
      assertUnknown(await viewAs(accountOf(email.replace(letter, other))));
    }
    assert.deepEqual(await linksOf(id), []);
    assert.equal(dataOf<{ id: string }>(await viewAs(accountOf(email.replace('k', 'K')))).id, id);
  });

  it('the first sign-in accepts an e-mail address that is no longer valid for new users', async () => {
    const { id } = await addPerson(api.db);
    const email = `person-${randomUUID()}@intranet`;
    await api.db.query(sql`update users set email = ${email} where id = ${id}`);
    assert.equal(dataOf<{ id: string }>(await viewAs(accountOf(email))).id, id);
  });

  it('the first sign-in is refused if the provider does not say that the address is verified', async () => {
    const { id, email } = await addPerson(api.db);
    for (const verified of [false, 'false', 'False', 'yes', ' true', 1, 0, {}, ['true'], true.toString().repeat(2)]) {
      assertUnknown(await viewAs(accountOf(email, { email_verified: verified })));
    }
    assert.deepEqual(await linksOf(id), []);
    assert.equal(provider.userinfo.tokens.length, 0);
  });

  it('the first sign-in calls userinfo if the token lacks the address or its verification', async () => {
    for (const missing of [
      ...[undefined, null, ''].flatMap((value) => [{ email: value }, { email_verified: value }]),
      { email: null, email_verified: null },
      { email: '', email_verified: false },
    ]) {
      for (const verified of [true, 'true']) {
        const { id, email } = await addPerson(api.db);
        const account = accountOf(email, missing);
        provider.userinfo.answer = { sub: account.sub, email: email.toUpperCase(), email_verified: verified };
        assert.equal(dataOf<{ id: string }>(await viewAs(account)).id, id, JSON.stringify(missing));
      }
    }
    provider.userinfo.answer = {};
  });

  it('the first sign-in accepts userinfo that is a JWT', async () => {
    const { id, email } = await addPerson(api.db);
    const account = accountOf(email, { email_verified: undefined });
    const claims = Buffer.from(JSON.stringify({ sub: account.sub, email, email_verified: true })).toString('base64url');
    provider.userinfo.jwt = `eyJhbGciOiJSUzI1NiJ9.${claims}.c2lnbmF0dXJl`;
    const answer = await viewAs(account);
    provider.userinfo.jwt = undefined;
    assert.equal(dataOf<{ id: string }>(answer).id, id);
  });

  it('the first sign-in is refused if no active user has the address', async () => {
    const gone = await addPerson(api.db, { columns: { active: false } });
    provider.userinfo.tokens.length = 0;
    for (const email of ['nobody@acme.example', gone.email, `${gone.email}\u0000`, '', 'x', null, 7, [gone.email]]) {
      assertUnknown(await viewAs(accountOf(email as string)));
    }
    assert.deepEqual(await linksOf(gone.id), []);
  });

  it('the first sign-in of a second account with the address of a linked user is refused', async () => {
    const { id, email } = await addPerson(api.db);
    const first = accountOf(email);
    dataOf(await viewAs(first));
    assertUnknown(await viewAs(accountOf(email)));
    assert.deepEqual(await linksOf(id), [{ issuer: provider.issuer, subject: first.sub }]);
  });

  it('simultaneous first requests of one account link it once', async () => {
    const { id, email } = await addPerson(api.db);
    const account = accountOf(email);
    const token = await signIn(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => view(token)));
    for (const answer of answers) assert.equal(dataOf<{ id: string }>(answer).id, id);
    assert.deepEqual(await linksOf(id), [{ issuer: provider.issuer, subject: account.sub }]);
  });

  it('one of two accounts with the same address that first sign in at once is linked', async () => {
    const { id, email } = await addPerson(api.db);
    const tokens = await Promise.all([signIn(accountOf(email)), signIn(accountOf(email))]);
    const answers = await Promise.all([...tokens, ...tokens].map(view));
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 200, 401, 401]);
    assert.equal((await linksOf(id)).length, 1);
  });

  it('simultaneous requests with a token without an address call userinfo once', async () => {
    const { id, email } = await addPerson(api.db);
    const account = { sub: 'by-userinfo' };
    const token = await signIn(account);
    provider.userinfo.answer = { sub: account.sub, email, email_verified: true };
    provider.userinfo.tokens.length = 0;
    const answers = await Promise.all([view(token), view(token)]);
    for (const answer of answers) assert.equal(dataOf<{ id: string }>(answer).id, id);
    assert.deepEqual(provider.userinfo.tokens, [`Bearer ${token}`]);
  });

  it('the first sign-in calls userinfo once per cool-down and person, and refuses unverified answers', async () => {
    const { id, email } = await addPerson(api.db);
    const start = Date.now();
    for (const [index, answer] of [
      { email, email_verified: true },
      { sub: 'other', email, email_verified: true },
      { sub: 'asked-again', email, email_verified: 'false' },
      { sub: 'asked-again', email },
      [],
    ].entries()) {
      using _ = stopClock(start + index * 30_000);
      const token = await signIn({ sub: 'asked-again' });
      provider.userinfo.tokens.length = 0;
      provider.userinfo.answer = answer;
      for (let times = 0; times < 3; times++) assertUnknown(await view(token));
      assert.equal(provider.userinfo.tokens.length, 1);
    }
    assert.deepEqual(await linksOf(id), []);
  });
});

describe('the first sign-in by a provider whose addresses count as verified', () => {
  it('a provider with trusted addresses links an address without a verification, and no unverified one', async () => {
    await using trusting = await buildCheckedApp({ ...provider.settings, TOKEN_EMAILS_VERIFIED: 'true' });
    const viewThere = async (account: Account) => {
      const headers = { authorization: `Bearer ${await signIn(account)}` };
      return trusting.send({ url: '/api/users/profile', headers });
    };
    for (const verified of [undefined, null, '', true, 'true']) {
      const { id, email } = await addPerson(trusting.db);
      const answer = await viewThere(accountOf(email, { email_verified: verified }));
      assert.equal(dataOf<{ id: string }>(answer).id, id, String(verified));
    }
    const { id, email } = await addPerson(trusting.db);
    for (const verified of [false, 'false', 0, 'no']) {
      assertUnknown(await viewThere(accountOf(email, { email_verified: verified })));
    }
    const account = accountOf(email, { email: undefined, email_verified: undefined });
    provider.userinfo.answer = { sub: account.sub, email };
    assert.equal(dataOf<{ id: string }>(await viewThere(account)).id, id);
    provider.userinfo.answer = {};
  });
});

describe('the link to an identity', () => {
  it('a linked account stays linked when the address changes at the provider or in orgdesk', async () => {
    const { id, email } = await addPerson(api.db);
    const account = accountOf(email);
    dataOf(await viewAs(account));
    const other = await addPerson(api.db);
    assert.equal(dataOf<{ id: string }>(await viewAs({ ...account, email: other.email })).id, id);
    await api.db.query(sql`update users set email = ${`new-${email}`} where id = ${id}`);
    assert.equal(dataOf<{ id: string }>(await viewAs({ ...account, email_verified: false })).id, id);
    assert.deepEqual(await linksOf(other.id), []);
  });

  it('a request of a linked account takes one round trip to the database', async (t) => {
    const { email } = await addPerson(api.db);
    const token = await signIn(accountOf(email));
    dataOf(await view(token));
    const query = t.mock.method(api.db, 'query');
    dataOf(await view(token));
    assert.equal(query.mock.callCount(), 1);
  });

  it('a linked account of a deactivated user gets 401', async () => {
    const { id, email } = await addPerson(api.db);
    const token = await signIn(accountOf(email));
    dataOf(await view(token));
    await api.db.query(sql`update users set active = false where id = ${id}`);
    assertUnknown(await view(token));
  });

  it('a linked account can update the profile', async () => {
    const { email } = await addPerson(api.db);
    const authorization = `Bearer ${await signIn(accountOf(email))}`;
    const request = { method: 'POST', url: UPDATE_PROFILE, headers: { authorization } } as const;
    const { gender } = dataOf<{ gender: string }>(await api.send({ ...request, payload: { gender: 'Diverse' } }));
    assert.equal(gender, 'Diverse');
  });

  it('a token whose subject is the id of a user gets 401', async () => {
    const { id } = await addPerson(api.db);
    assertUnknown(await viewAs(accountOf('nobody@acme.example', { sub: id })));
  });
});

testProviderTokens(api, provider);
