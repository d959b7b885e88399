import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { UserView } from '../../src/features/profile/profile-schemas.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import { newUser, openDirectory, PATCH_OP } from '../scim/directory.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { collectLog } from '../support/collect-log.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { type Claims, startSigningProvider } from '../support/signing-provider.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
const [provider, second] = [await startSigningProvider(AUDIENCE), await startSigningProvider(AUDIENCE)];
const { log, lines } = collectLog();
const settings = {
  ...{ OIDC_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE, TOKEN_ALGORITHM: 'ES256', JWT_SECRET: '' },
  ...{ RATE_LIMIT_BAD_TOKENS: '0', RATE_LIMIT_WRITES: '0', WEBHOOK_PRIVATE_TARGETS: 'true' },
};
const api = await buildCheckedApp(settings, undefined, { log: createLog('info', log) });
after(async () => {
  await api[Symbol.asyncDispose]();
  for (const each of [provider, second]) await each[Symbol.asyncDispose]();
});
await waitUntil('the keys', () => api.context.identityProvider?.keys.state === 'up');
const directory = await openDirectory(api, 'Stories');
const { company } = directory;

/** Sends a token. @returns the id of whoever is let in, or the reason of the refusal in the log */
async function signIn(claims: Claims, by = provider): Promise<unknown> {
  const request = { url: '/api/users/profile', headers: { authorization: `Bearer ${await by.token(claims)}` } };
  const from = lines.length;
  let answer = await api.app.inject(request);
  await waitUntil('the keys', async () => {
    if (answer.statusCode === 503) answer = await api.app.inject(request);
    return answer.statusCode !== 503;
  });
  if (answer.statusCode === 200) return dataOf<UserView>(answer).id;
  return lines.slice(from).findLast(({ msg }) => msg === 'request')?.reason;
}

const account = (email: string, more: Claims = {}): Claims => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  ...more,
});

type Shape = readonly [
  what: string,
  claims: (email: string) => Claims,
  outcome: string,
  userinfo?: (email: string) => Claims,
];
const LINKED = 'is linked';
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]));

const SHAPES: readonly Shape[] = [
  ['a verified address', account, LINKED],
  ['an address in capitals', (email) => account(email.toUpperCase()), LINKED],
  ['email_verified as a text', (email) => account(email, { email_verified: 'True' }), LINKED],
  ['email_verified false', (email) => account(email, { email_verified: false }), 'address not verified'],
  ['email_verified "false"', (email) => account(email, { email_verified: 'false' }), 'address not verified'],
  ['no email_verified', (email) => account(email, without('email_verified')), 'address not verified'],
  [
    'no email_verified, which userinfo has',
    (email) => account(email, without('email_verified')),
    LINKED,
    (email) => ({ email, email_verified: true }),
  ],
  ['no address', (email) => account(email, without('email')), 'address absent'],
  [
    'no address, which userinfo has',
    (email) => account(email, without('email', 'email_verified')),
    LINKED,
    (email) => ({ email, email_verified: 'true' }),
  ],
  [
    'no address, with userinfo about somebody else',
    (email) => account(email, without('email', 'email_verified')),
    'address absent',
    (email) => ({ sub: 'other', email, email_verified: true }),
  ],
  ['a upn alone', (email) => account('', { ...without('email'), upn: email, unique_name: email }), 'address absent'],
  [
    'a preferred_username alone',
    (email) => account('', { ...without('email'), preferred_username: email }),
    'address absent',
  ],
  ['a list of addresses', (email) => account('', { ...without('email'), emails: [email] }), 'address absent'],
  ['the address of nobody', () => account(`${randomUUID()}@nobody.example`), 'address unknown'],
  ['an address as the subject', (email) => account(email, { sub: email }), 'subject is an address'],
  [
    'an address of an intranet as the subject',
    (email) => account(email, { sub: 'joan@intranet' }),
    'subject is an address',
  ],
  ['no subject', (email) => account(email, without('sub')), 'subject'],
  ['several audiences', (email) => account(email, { aud: ['account', AUDIENCE] }), LINKED],
  ['the audience of another API', (email) => account(email, { aud: 'https://graph.example' }), 'audience'],
  [
    'the audience of a client, as ID tokens have it',
    (email) => account(email, { aud: 'client', nonce: 'n' }),
    'audience',
  ],
  [
    'roles and groups, which grant nothing',
    (email) => account(email, { roles: ['SUPER_ADMIN'], groups: ['Admins'] }),
    LINKED,
  ],
  ['120 groups', (email) => account(email, { groups: Array.from({ length: 120 }, () => randomUUID()) }), LINKED],
];

describe('a token at the first sign-in', () => {
  for (const [what, claims, outcome, userinfo] of SHAPES) {
    it(`the first sign-in with ${what} has the outcome: ${outcome}`, async () => {
      const { id, email } = await addPerson(api.db, { company });
      const given = claims(email);
      provider.userinfo = userinfo ? { sub: given.sub, ...userinfo(email) } : {};
      assert.equal(await signIn(given), outcome === LINKED ? id : outcome);
      const links = await api.db.query(sql`select from user_identities where user_id = ${id}`);
      assert.equal(links.length, outcome === LINKED ? 1 : 0);
      const roles = await api.db.query(sql`select from system_roles where user_id = ${id}`);
      assert.equal(roles.length, 0);
    });
  }
});

/** Somebody in the directory, with the account by which they sign in. */
interface Hired {
  id: string;
  userName: string;
  by: Claims;
}

async function hire(): Promise<Hired> {
  const { id, userName } = (await directory.send('POST', '/Users', newUser({ externalId: randomUUID() }))).body;
  const by = account(userName);
  assert.equal(await signIn(by), id);
  return { id, userName, by };
}
/** @returns the id in the answer: that of a newcomer if it is about one */
async function patch(id: string, values: Record<string, unknown>): Promise<string> {
  const Operations = Object.entries(values).map(([path, value]) => ({ op: 'replace', path, value }));
  const { status, body } = await directory.send('PATCH', `/Users/${id}`, { schemas: [PATCH_OP], Operations });
  assert.equal(status, 200);
  return body.id;
}
const rolesOf = async (id: string) =>
  (await api.db.query<{ role: string }>(sql`select role from company_roles where user_id = ${id} order by role`)).map(
    ({ role }) => role,
  );

/** Each story returns pairs of what happened and the right answer. */
const STORIES: Readonly<Record<string, () => Promise<readonly (readonly [found: unknown, right: unknown])[]>>> = {
  'a person renamed in the directory and at the provider signs in as the same user': async () => {
    const { id, by } = await hire();
    const userName = `${randomUUID()}@married.example`;
    await patch(id, { userName });
    return [[await signIn({ ...by, email: userName }), id]];
  },
  'the next holder of an address signs in as another user than the previous holder': async () => {
    const { id, userName, by } = await hire();
    await patch(id, { userName: `${randomUUID()}@moved.example` });
    const next = (await directory.send('POST', '/Users', newUser({ userName }))).body;
    return [
      [await signIn(account(userName)), next.id],
      [await signIn(by), id],
    ];
  },
  'a person rehired after DELETE signs in by a new account, and the old one is refused': async () => {
    const { id, userName, by } = await hire();
    await directory.send('DELETE', `/Users/${id}`);
    await directory.send('POST', '/Users', newUser({ userName }));
    return [
      [await signIn(account(userName)), id],
      [await signIn(by), 'linked to another account'],
    ];
  },
  'a person back from leave signs in by the same account with the same roles': async () => {
    const { id, by } = await hire();
    await patch(id, { roles: [{ value: 'MANAGER' }] });
    await patch(id, { active: false });
    const away = await signIn(by);
    await patch(id, { active: true });
    return [
      [away, 'user inactive'],
      [await signIn(by), id],
      [await rolesOf(id), ['MANAGER']],
    ];
  },
  'a person put by PATCH into the row of a leaver gets neither the old account nor the old roles': async () => {
    const { id, userName, by } = await hire();
    await patch(id, { roles: [{ value: 'MANAGER' }] });
    await patch(id, { active: false });
    const newcomer = await patch(id, { externalId: randomUUID(), active: true });
    return [
      [await rolesOf(newcomer), ['EMPLOYEE']],
      [await signIn(account(userName)), newcomer],
      [await signIn(by), 'linked to another account'],
    ];
  },
  'a person put by PUT into the row of a leaver signs in by a new account, and the old one is refused': async () => {
    const { id, userName, by } = await hire();
    await patch(id, { active: false });
    const anew = newUser({ userName, externalId: randomUUID(), active: true });
    const { body } = await directory.send('PUT', `/Users/${id}`, anew);
    return [
      [await signIn(account(userName)), body.id],
      [await signIn(by), 'linked to another account'],
    ];
  },
  'a person with a new account at the provider is refused until the old one is forgotten': async () => {
    const { id, userName } = await hire();
    const anew = account(userName);
    const before = await signIn(anew);
    const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
    const authorization = `Bearer ${await provider.token(account(admin.email))}`;
    const url = '/api/users/forget-sign-in';
    dataOf(await api.send({ method: 'POST', url, headers: { authorization }, payload: { id } }));
    return [
      [before, 'linked to another account'],
      [await signIn(anew), id],
    ];
  },
  'an active person whose directory id changes signs in by the same account': async () => {
    const { id, by } = await hire();
    await patch(id, { externalId: randomUUID() });
    return [[await signIn(by), id]];
  },
  'one of two accounts that first sign in with one address at once is accepted': async () => {
    const { id, email } = await addPerson(api.db, { company });
    const found = await Promise.all([signIn(account(email)), signIn(account(email))]);
    return [[found.filter((one) => one === id).length, 1]];
  },
  'a person whose mail is not their userName signs in by the work address at the provider of their company':
    async () => {
      const value = `${randomUUID()}@mail.example`;
      const { id } = (
        await directory.send('POST', '/Users', newUser({ emails: [{ type: 'work', value, primary: true }] }))
      ).body;
      return withConnection(company.id, async () => [
        [await signIn(account(value)), 'address unknown'],
        [await signIn(account(value), second), id],
      ]);
    },
  'a person with accounts at the platform’s and the company’s provider signs in as one user': () =>
    withConnection(company.id, async () => {
      const { id, userName, by } = await hire();
      const there = account(userName);
      return [
        [await signIn(there, second), id],
        [await signIn(by), id],
        [await signIn(there, second), id],
      ];
    }),
  'a person of another company is refused at the provider of this company': () =>
    withConnection(company.id, async () => {
      const other = await addPerson(api.db, { company: await addCompany(api.db, randomUUID()) });
      return [[await signIn(account(other.email), second), 'address unknown']];
    }),
  'a person with a platform role signs in only by the platform’s provider': () =>
    withConnection(company.id, async () => {
      const systemRole = { role: 'PLATFORM_RM', active: true } as const;
      const { id, email } = await addPerson(api.db, { company, systemRole });
      return [
        [await signIn(account(email), second), 'platform role'],
        [await signIn(account(email)), id],
      ];
    }),
};

async function withConnection<Result>(companyId: string, tell: () => Promise<Result>): Promise<Result> {
  const root = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
  const headers = { authorization: `Bearer ${await provider.token(account(root.email))}` };
  const post = async (path: string, payload: object) =>
    dataOf<{ id: string }>(
      await api.send({ method: 'POST', url: `/api/sign-in-connections/${path}`, headers, payload }),
    );
  const fields = { issuer: second.issuer, audience: AUDIENCE, algorithm: 'ES256' };
  const { id } = await post('create', { companyId, ...fields });
  try {
    return await tell();
  } finally {
    await post('delete', { id });
  }
}

describe('sign-in stories', () => {
  for (const [story, tell] of Object.entries(STORIES)) {
    it(story, async () => {
      for (const [found, right] of await tell()) assert.deepEqual(found, right);
    });
  }
});
