import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildApp } from '../../src/app/build-app.ts';
import type { ChangeView } from '../../src/audit/change-view.ts';
import { forgetLinksCommand } from '../../src/commands/people-commands.ts';
import type { UserView } from '../../src/features/profile/profile-schemas.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import { newUser, openDirectory, PATCH_OP } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { collectLog } from '../support/collect-log.ts';
import { type Account, startIdentityProvider } from '../support/identity-provider.ts';
import { addPerson } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';
import { accountOf, openAccounts } from './provider-accounts.ts';

const provider = await startIdentityProvider();
after(() => provider[Symbol.asyncDispose]());
const api = await buildCheckedApp({ ...provider.settings, OIDC_SUBJECT_CLAIM: 'uid' });
after(() => api[Symbol.asyncDispose]());
const { log, lines } = collectLog();
const logged = await buildApp({ ...api.context, geography: api.geography, log: createLog('info', log) });
after(() => logged.close());
const directory = await openDirectory(api, 'Identity');
const { company } = directory;
const { signIn, viewAs, linksOf } = openAccounts(api, provider);

/** An account as Okta's tokens have it: `sub` is the login, `uid` stays for ever. */
const oktaAccount = (email: string, more: object = {}): Account =>
  accountOf(email, { sub: `00-${email}`, uid: randomUUID(), ...more });
const bearerOf = async (account: Account) => ({ authorization: `Bearer ${await signIn(account)}` });

/** A Corporate Admin of the company who has signed in. */
const admin = oktaAccount((await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] })).email);
const headers = await bearerOf(admin);
const post = (path: string, payload: object, by = headers) =>
  api.send({ method: 'POST', url: `/api/users/${path}`, headers: by, payload });
const signInOf = async (id: string) =>
  dataOf<UserView>(await api.send({ url: '/api/users/get', query: { id }, headers })).signIn;
const idOf = async (account: Account) => dataOf<{ id: string }>(await viewAs(account)).id;
const join = async (more: object = {}) => (await directory.send('POST', '/Users', newUser(more))).body;
const patch = (id: string, ...Operations: object[]) =>
  directory.send('PATCH', `/Users/${id}`, { schemas: [PATCH_OP], Operations });
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

/** Sends a token that is refused; returns the reason in the log. */
async function reasonFor(account: Account, audience?: string): Promise<unknown> {
  const from = lines.length;
  const authorization = `Bearer ${await signIn(account, audience)}`;
  const { statusCode } = await logged.inject({ url: '/api/users/profile', headers: { authorization } });
  assert.equal(statusCode, 401);
  return lines.slice(from).find(({ msg }) => msg === 'request')?.reason;
}

describe('a person whose token is named by a claim of choice', () => {
  it('a token without a text in the configured subject claim gets 401', async () => {
    const { email } = await addPerson(api.db, { company });
    for (const uid of [undefined, null, '', 7, ['x'], 'a\u0000b']) {
      assert.equal(await reasonFor(oktaAccount(email, { uid })), 'subject');
    }
  });

  it('a token whose subject is an e-mail address gets 401 with that reason, and links nobody', async () => {
    const { id, email } = await addPerson(api.db, { company });
    for (const uid of [email, 'someone@intranet', `auth|${email}`]) {
      assert.equal(await reasonFor(oktaAccount(email, { uid })), 'subject is an address');
      const { message } = assertRefused(await viewAs(oktaAccount(email, { uid })), 401, 'INVALID_TOKEN');
      assert.match(message, /names people by their e-mail address/);
    }
    assert.deepEqual(await linksOf(id), []);
    await waitUntil('the refusal', async () => (await signInOf(id)).lastRefusal?.reason === 'subject is an address');
  });

  it('an account linked by sub stays linked when the connection changes to another claim', async () => {
    const { id, email } = await addPerson(api.db, { company });
    const account = oktaAccount('moved@elsewhere.example', { email_verified: false });
    await api.db.query(sql`
      insert into user_identities (issuer, subject, user_id) values (${provider.issuer}, ${account.sub}, ${id})`);
    assert.equal(await idOf(account), id);
    assert.deepEqual(await linksOf(id), [{ issuer: provider.issuer, subject: account.uid }]);
    assert.equal(await reasonFor(oktaAccount(email)), 'linked to another account');
  });

  it('a token whose sub is the subject of somebody else is not linked', async () => {
    const { id, email } = await addPerson(api.db, { company });
    const account = oktaAccount(email);
    assert.equal(await idOf(account), id);
    assert.equal(await reasonFor(oktaAccount('nobody@identity.example', { sub: account.uid })), 'address unknown');
  });
});

describe('a person whose userName is not their mail', () => {
  const withMail = (mail: string) => join({ emails: [{ type: 'work', value: mail, primary: true }] });

  it('a work address does not sign a person in if somebody else has the same address or userName', async () => {
    const [shared, taken] = [`${randomUUID()}@mail.example`, `${randomUUID()}@mail.example`];
    await withMail(shared);
    await withMail(shared);
    assert.equal(await reasonFor(oktaAccount(shared)), 'address unknown');
    await withMail(taken);
    const owner = await join({ userName: taken });
    assert.equal(await idOf(oktaAccount(taken)), owner.id);
  });
});

describe('a link to an account ends', () => {
  it('a person deleted by a directory loses the link to their account and the last sign-in', async () => {
    const { id, userName } = await join();
    assert.equal(await idOf(oktaAccount(userName)), id);
    await directory.send('DELETE', `/Users/${id}`);
    assert.deepEqual(await linksOf(id), []);
    await directory.send('POST', '/Users', newUser({ userName }));
    assert.equal((await signInOf(id)).lastSignInAt, null);
  });

  for (const [how, steps] of [
    ['in one request', [[replace('externalId', 'heir'), replace('active', true)]]],
    ['after their id', [[replace('externalId', 'heir')], [replace('active', true)]]],
    [
      'after their id was taken away',
      [[{ op: 'remove', path: 'externalId' }], [replace('externalId', 'heir')], [replace('active', true)]],
    ],
  ] as const) {
    it(`a newcomer signs in anew when the directory gives a deactivated person another id and reactivates them ${how}`, async () => {
      const { id, userName } = await join({ externalId: randomUUID(), roles: [{ value: 'MANAGER' }] });
      const old = oktaAccount(userName);
      assert.equal(await idOf(old), id);
      await patch(id, replace('active', false));
      const heir = randomUUID();
      let newcomer = id;
      for (const operations of steps) {
        const sent = operations.map((one) => ('value' in one && one.value === 'heir' ? { ...one, value: heir } : one));
        const { status, body } = await patch(id, ...sent);
        assert.equal(status, 200);
        newcomer = body.id;
      }
      assert.notEqual(newcomer, id);
      assert.equal(await reasonFor({ ...old, email: 'other@identity.example' }), 'address unknown');
      const profile = dataOf<UserView>(await viewAs(oktaAccount(userName)));
      assert.deepEqual([profile.id, profile.roles], [newcomer, ['EMPLOYEE']]);
    });
  }

  it('a link survives a leave of absence, whatever else the directory writes', async () => {
    const { id, userName } = await join({ externalId: randomUUID(), roles: [{ value: 'MANAGER' }] });
    const account = oktaAccount(userName);
    await idOf(account);
    await patch(id, replace('active', false));
    await patch(id, replace('name.familyName', 'Married'));
    await patch(id, replace('active', true));
    assert.deepEqual(dataOf<UserView>(await viewAs(account)).roles, ['MANAGER']);
  });

  it('users/forget-sign-in ends a link, is in the trail, and lets the next account be linked', async () => {
    const person = await addPerson(api.db, { company });
    const old = oktaAccount(person.email);
    await idOf(old);
    assert.equal(await reasonFor(oktaAccount(person.email)), 'linked to another account');
    await waitUntil('the refusal', async () => (await signInOf(person.id)).lastRefusal !== null);
    const { signIn } = dataOf<UserView>(await post('forget-sign-in', { id: person.id }));
    assert.deepEqual([signIn.linked, signIn.lastRefusal], [false, null]);
    const by = {
      url: '/api/audit/list',
      headers,
      query: { companyId: company.id, entity: 'user', entityId: person.id },
    };
    const { action, entity, userId, changes } = pageOf<ChangeView>(await api.send(by)).items[0] ?? assert.fail();
    const forgotten = { field: 'signIn', before: 'linked', after: null, kept: true };
    assert.deepEqual([action, entity, userId, changes], ['changed', 'user', person.id, [forgotten]]);
    const count = async () => (await api.db.query(sql`select from audit_changes where user_id = ${person.id}`)).length;
    const before = await count();
    dataOf(await post('forget-sign-in', { id: person.id }));
    assert.equal(await count(), before);
    assert.equal(await idOf(oktaAccount(person.email)), person.id);
  });

  it('users/forget-sign-in returns 403 for a protected person, and 404 for a foreign or unknown person', async () => {
    const other = (await openDirectory(api, 'Elsewhere')).company;
    const guest = await addPerson(api.db, { company, roles: [['MANAGER', other]] });
    const staff = await addPerson(api.db, { company, systemRole: { role: 'PLATFORM_RM', active: true } });
    const foreign = await addPerson(api.db, { company: other });
    for (const { id } of [guest, staff]) assertRefused(await post('forget-sign-in', { id }), 403, 'PROTECTED_USER');
    for (const id of [foreign.id, randomUUID()]) assertRefused(await post('forget-sign-in', { id }), 404, 'NOT_FOUND');
    assertInvalid(await post('forget-sign-in', { id: guest.id, ID: 1 }), 'ID');
    const root = await addPerson(api.db, { company, systemRole: { role: 'SUPER_ADMIN', active: true } });
    const byRoot = await bearerOf(oktaAccount(root.email));
    for (const { id } of [guest, foreign]) dataOf(await post('forget-sign-in', { id }, byRoot));
  });
});

describe('why somebody cannot sign in', () => {
  it('users/get returns the refusal of a sign-in with an unverified address', async () => {
    const person = await addPerson(api.db, { company });
    const reason = 'address not verified';
    assert.equal(await reasonFor(oktaAccount(person.email, { email_verified: false })), reason);
    await waitUntil('the refusal', async () => (await signInOf(person.id)).lastRefusal?.reason === reason);
  });

  it('users/get returns the refusal of a sign-in by a deactivated person, linked or not', async () => {
    for (const isLinked of [true, false]) {
      const person = await addPerson(api.db, { company });
      const account = oktaAccount(person.email);
      if (isLinked) await idOf(account);
      await api.db.query(sql`update users set active = false where id = ${person.id}`);
      assert.equal(await reasonFor(account), 'user inactive');
      await waitUntil('the refusal', async () => (await signInOf(person.id)).lastRefusal?.reason === 'user inactive');
    }
  });

  it('a sign-in leaves the ETag of a person unchanged', async () => {
    const person = await addPerson(api.db, { company });
    const read = await api.send({ url: '/api/users/get', query: { id: person.id }, headers });
    await idOf(oktaAccount(person.email));
    await waitUntil('the sign-in', async () => (await signInOf(person.id)).lastSignInAt !== null);
    const ifMatch = { ...headers, 'if-match': String(read.headers.etag) };
    dataOf(await post('update', { id: person.id, lastName: 'Edited' }, ifMatch));
  });
});

describe('who has signed in', () => {
  it('users/list returns and filters by the last sign-in, which is recorded once an hour', async () => {
    const person = await addPerson(api.db, { company });
    const list = async (query: Record<string, string>) => {
      const answer = await api.send({
        url: '/api/users/list',
        headers,
        query: { companyId: company.id, limit: '100', ...query },
      });
      return pageOf<{ id: string; lastSignInAt: string | null }>(answer).items.find(({ id }) => id === person.id);
    };
    assert.equal((await list({ signedIn: 'false' }))?.lastSignInAt, null);
    assert.equal(await list({ signedIn: 'true' }), undefined);
    const account = oktaAccount(person.email);
    await idOf(account);
    await waitUntil('the sign-in', async () => (await list({ signedIn: 'true' })) !== undefined);
    assert.equal(await list({ signedIn: 'false' }), undefined);
    const first = (await list({}))?.lastSignInAt;
    assert.ok(Math.abs(Date.now() - Date.parse(String(first))) < 3_600_000);
    await idOf(account);
    assert.equal((await list({}))?.lastSignInAt, first);
    assert.deepEqual(await signInOf(person.id), {
      linked: true,
      connectionId: null,
      lastSignInAt: first,
      lastRefusal: null,
    });
  });
});

it('orgdesk forget-links ends the links to the provider of the platform, and each sign-in links anew', async () => {
  const { id, email } = await addPerson(api.db, { company });
  dataOf(await viewAs(oktaAccount(email)));
  assert.equal((await linksOf(id)).length, 1);
  const said: string[] = [];
  const output = {
    print: (text: string) => void said.push(text),
    progress: () => undefined,
    flushed: async () => undefined,
  };
  await forgetLinksCommand.act(api.context, [], output, {});
  assert.match(said.join(), /^The links of \d+ people to accounts at http\S+ ended\.$/);
  assert.deepEqual(await linksOf(id), []);
  dataOf(await viewAs(oktaAccount(email)));
  assert.equal((await linksOf(id)).length, 1);
});
