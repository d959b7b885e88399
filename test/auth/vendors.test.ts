import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import type { ConnectionView } from '../../src/features/sign-in-connections/sign-in-connections-schemas.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { collectLog } from '../support/collect-log.ts';
import { type Account, startIdentityProvider, type VendorBehaviour } from '../support/identity-provider.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { CLIENT } from '../support/sign-in-by-code.ts';
import { waitUntil } from '../support/wait-until.ts';

const API = 'https://orgdesk.example/api';
const { log, lines } = collectLog();
const settings = { WEBHOOK_PRIVATE_TARGETS: 'true', RATE_LIMIT_BAD_TOKENS: '0', RATE_LIMIT_WRITES: '0' };
const api = await buildCheckedApp(settings, undefined, { log: createLog('info', log) });
after(() => api[Symbol.asyncDispose]());
const root = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

/** A provider as its page of the documentation has it, and what goes wrong without a setting of that page. */
interface Vendor extends VendorBehaviour {
  /** Of the connection, by the page. */
  audience: string;
  settings?: object;
  /** The account of a person with an address and a name for ever. */
  account: (email: string, id: string) => Account;
  /** What userinfo returns, where access tokens have no address. */
  userinfo?: (email: string) => object;
  /** The reason in the log where the connection has these settings instead. */
  without?: readonly [settings: object, reason: string];
}

const sub = (id: string) => ({ sub: id });
const VENDORS: Readonly<Record<string, Vendor>> = {
  Keycloak: {
    audience: 'orgdesk',
    claims: { aud: ['orgdesk', 'account'], typ: 'Bearer', azp: CLIENT, realm_access: { roles: ['SUPER_ADMIN'] } },
    account: (email, id) => ({ ...sub(id), email, email_verified: true, preferred_username: email }),
    without: [{ audience: 'another' }, 'audience'],
  },
  'Microsoft Entra ID': {
    audience: '6731de76-14a6-49ae-97bc-6eba6914391e',
    settings: { subjectClaim: 'oid', emailsVerified: true },
    claims: { aud: '6731de76-14a6-49ae-97bc-6eba6914391e', ver: '2.0', scp: 'access', groups: [randomUUID()] },
    account: (email, id) => ({
      sub: `pairwise-${id}`,
      oid: id,
      email,
      tid: 'tenant',
      preferred_username: 'upn@acme.example',
    }),
    without: [{ emailsVerified: false }, 'address not verified'],
  },
  Okta: {
    audience: 'api://default',
    settings: { subjectClaim: 'uid', emailsVerified: true },
    claims: { aud: 'api://default', ver: 1, cid: CLIENT, scp: ['openid', 'email'] },
    account: (email, id) => ({ sub: email, uid: id, email }),
    without: [{ subjectClaim: 'sub' }, 'subject is an address'],
  },
  'Amazon Cognito': {
    audience: CLIENT,
    claims: { aud: CLIENT, token_use: 'access', client_id: CLIENT, version: 2 },
    account: (email, id) => ({ ...sub(id), username: id, email, email_verified: 'true' }),
    without: [{ audience: API }, 'audience'],
  },
  Google: {
    audience: CLIENT,
    settings: { tokenUse: 'id' },
    isOpaque: true,
    account: (email, id) => ({ ...sub(id), email, email_verified: true, hd: 'acme.example' }),
    without: [{ audience: API }, 'audience'],
  },
  Ping: {
    audience: API,
    claims: { aud: [API], client_id: CLIENT, env: 'environment', org: 'organization' },
    account: (_email, id) => sub(id),
    userinfo: (email) => ({ email, email_verified: true, preferred_username: email }),
    without: [{ subjectClaim: 'uid' }, 'subject'],
  },
  authentik: {
    path: '/application/o/orgdesk/',
    audience: CLIENT,
    claims: { aud: CLIENT, azp: CLIENT, acr: 'goauthentik.io/providers/oauth2/default', groups: ['authentik Admins'] },
    account: (email, id) => ({ sub: id.replaceAll('-', ''), email, email_verified: true, nickname: email }),
    without: [{ subjectClaim: 'nickname' }, 'subject is an address'],
  },
  'A provider like Auth0': {
    path: '/',
    audience: API,
    claims: { aud: [API, 'https://acme.id.example/userinfo'], azp: CLIENT, scope: 'openid email' },
    account: (_email, id) => ({ sub: `auth0|${id}` }),
    userinfo: (email) => ({ email, email_verified: true }),
    without: [{ audience: 'another' }, 'audience'],
  },
  Zitadel: {
    audience: '298765432109876543',
    claims: { aud: ['298765432109876543', CLIENT], client_id: CLIENT, jti: 'V2_1' },
    account: (_email, id) => sub(id),
    userinfo: (email) => ({ email, email_verified: true, preferred_username: email }),
    without: [{ audience: API }, 'audience'],
  },
  'OneLogin, JumpCloud, GitLab': {
    audience: CLIENT,
    settings: { tokenUse: 'id', emailsVerified: true },
    isOpaque: true,
    account: (email, id) => ({ ...sub(id), email }),
    without: [{ emailsVerified: false }, 'address not verified'],
  },
  'LinkedIn and Apple': {
    audience: CLIENT,
    settings: { tokenUse: 'id' },
    isOpaque: true,
    account: (email, id) => ({ ...sub(id), email, email_verified: 'true' }),
    without: [{ audience: API }, 'audience'],
  },
};

it('the table has every provider of the documentation for sign-in', () => {
  const page = readFileSync(new URL('../../docs/identity-providers.md', import.meta.url), 'utf8');
  const [, settingUp = ''] = /\n## Setting up\n(.*?)\n## /s.exec(page) ?? [];
  const pages = [...settingUp.matchAll(/^### (.*)$/gm)].map(([, name]) => name);
  assert.deepEqual(pages, [...Object.keys(VENDORS), 'A gateway that signs tokens']);
});

for (const [name, vendor] of Object.entries(VENDORS)) {
  describe(`a connection to ${name}, set up as its page says`, async () => {
    const { audience, account, userinfo } = vendor;
    const provider = await startIdentityProvider([], vendor);
    after(() => provider[Symbol.asyncDispose]());
    const company = await addCompany(api.db, name);
    const { id: connection } = await post<ConnectionView>('create', {
      companyId: company.id,
      issuer: provider.issuer,
      audience,
      clientId: CLIENT,
      ...vendor.settings,
    });

    /** Signs in by code, and sends the token as the page says. */
    async function knock(email: string, id: string, isOther = false) {
      const who = account(email, id);
      provider.userinfo.answer = { sub: who.sub, ...userinfo?.(email) };
      const { accessToken, idToken } = await provider.signIn(who, API);
      const token = (vendor.isOpaque === true) === isOther ? accessToken : idToken;
      const url = { url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } };
      let answer = await api.app.inject(url);
      await waitUntil('the keys', async () => {
        if (answer.statusCode === 503) answer = await api.app.inject(url);
        return answer.statusCode !== 503;
      });
      return answer;
    }
    async function reasonFor(...who: Parameters<typeof knock>): Promise<unknown> {
      const from = lines.length;
      assert.equal((await knock(...who)).statusCode, 401);
      return lines.slice(from).find(({ msg }) => msg === 'request')?.reason;
    }
    const change = (patch: object) => post('update', { id: connection, ...patch });

    it(`people sign in at ${name}, also when renamed, and nobody else gets their address`, async () => {
      const [person, next] = [await addPerson(api.db, { company }), await addPerson(api.db, { company })];
      const id = randomUUID();
      assert.equal(dataOf<{ id: string }>(await knock(person.email, id)).id, person.id);
      assert.equal(dataOf<{ id: string }>(await knock(`new-${person.email}`, id)).id, person.id);
      assert.equal(await reasonFor(person.email, randomUUID()), 'linked to another account');
      assert.equal(dataOf<{ id: string }>(await knock(next.email, randomUUID())).id, next.id);
    });

    it(`a sign-in at ${name} without a setting of its page is refused, with the reason in the log`, async () => {
      const [changes, reason] = vendor.without ?? assert.fail();
      await change(changes);
      assert.equal(await reasonFor((await addPerson(api.db, { company })).email, randomUUID()), reason);
      await change({ audience, subjectClaim: 'sub', emailsVerified: false, ...vendor.settings });
    });

    // Where the client is the audience, both tokens are for it.
    if (audience !== CLIENT || vendor.isOpaque === true) {
      it(`a connection to ${name} refuses the other kind of token`, async () => {
        const { email } = await addPerson(api.db, { company });
        const expected = vendor.isOpaque ? 'form' : vendor.settings === undefined ? 'audience' : /audience|subject/;
        assert.match(String(await reasonFor(email, randomUUID(), true)), new RegExp(expected));
      });
    }

    it(`the test of connections finds no problem at ${name}`, async () => {
      assert.deepEqual(await post('test', { id: connection }), { working: true, problems: [], domains: [] });
    });
  });
}

async function post<Data>(path: string, payload: object): Promise<Data> {
  return dataOf<Data>(
    await api.send({ method: 'POST', url: `/api/sign-in-connections/${path}`, as: root.email, payload }),
  );
}
