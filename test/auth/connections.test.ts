import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import sql from 'sql-template-tag';
import type { ChangeView } from '../../src/audit/change-view.ts';
import type { UserView } from '../../src/features/profile/profile-schemas.ts';
import type {
  ConnectionTestView,
  ConnectionView,
} from '../../src/features/sign-in-connections/sign-in-connections-schemas.ts';
import { createLog } from '../../src/http/request/request-log.ts';
import { openDirectory } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { collectLog } from '../support/collect-log.ts';
import { addPerson, type Person, type TestCompany } from '../support/people.ts';
import { type Claims, startSigningProvider } from '../support/signing-provider.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
const texts = new Map<string, string>();
const { log, lines } = collectLog();
const more = {
  log: createLog('info', log),
  resolveTexts: async (name: string) => ['other', texts.get(name) ?? ''],
};
const settings = { WEBHOOK_PRIVATE_TARGETS: 'true', RATE_LIMIT_BAD_TOKENS: '0', RATE_LIMIT_WRITES: '0' };
const api = await buildCheckedApp(settings, undefined, more);
after(() => api[Symbol.asyncDispose]());

const acme = await openParty('Acme by itself');
const globex = await openParty('Globex by itself');
const root = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const provider = await startSigningProvider(AUDIENCE);
after(() => provider[Symbol.asyncDispose]());

async function openParty(name: string) {
  const directory = await openDirectory(api, name);
  const { company } = directory;
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  return { directory, company, admin };
}

const post = (as: Person, path: string, payload: object, headers = {}) =>
  api.send({ method: 'POST', url: `/api/sign-in-connections/${path}`, as: as.email, payload, headers });
const connectionOf = (company: TestCompany, fields: object = {}) => ({
  companyId: company.id,
  issuer: provider.issuer,
  audience: AUDIENCE,
  algorithm: 'ES256',
  ...fields,
});
const create = async (as: Person, company: TestCompany, fields: object = {}) =>
  dataOf<ConnectionView>(await post(as, 'create', connectionOf(company, fields)));
const drop = async ({ id }: ConnectionView) => dataOf(await post(root, 'delete', { id }));
const account = (email: string, claims: Claims = {}): Claims => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  ...claims,
});
const knock = (token: string) =>
  api.app.inject({ url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } });

/** Asks again while the keys of a provider, on a machine that is busy, are still on their way. */
async function view(token: string): Promise<LightMyRequestResponse> {
  let answer = await knock(token);
  await waitUntil('the keys', async () => {
    if (answer.statusCode === 503) answer = await knock(token);
    return answer.statusCode !== 503;
  });
  return answer;
}
const idOf = async (claims: Claims, by = provider) => dataOf<{ id: string }>(await view(await by.token(claims))).id;

async function reasonFor(token: string): Promise<unknown> {
  const from = lines.length;
  const { statusCode } = await view(token);
  assert.equal(statusCode, 401);
  return lines.slice(from).find(({ msg }) => msg === 'request')?.reason;
}

describe('a connection of a company', () => {
  it('a sign-in connection accepts people and guests from its company, and nobody else', async () => {
    const made = await create(acme.admin, acme.company);
    const person = await addPerson(api.db, { company: acme.company });
    const guest = await addPerson(api.db, { company: acme.company, roles: [['MANAGER', globex.company]] });
    for (const { id, email } of [person, guest]) {
      const claims = account(email);
      assert.equal(await idOf(claims), id);
      assert.equal(await idOf({ ...claims, email: 'changed@elsewhere.example' }), id);
    }
    const foreign = await addPerson(api.db, { company: globex.company, roles: [['EMPLOYEE', acme.company]] });
    assert.equal(await reasonFor(await provider.token(account(foreign.email))), 'address unknown');
    const staff = await addPerson(api.db, {
      company: acme.company,
      systemRole: { role: 'SUPER_ADMIN', active: true },
    });
    assert.equal(await reasonFor(await provider.token(account(staff.email))), 'platform role');
    const { signIn } = dataOf<UserView>(
      await api.send({ url: '/api/users/get', query: { id: person.id }, as: acme.admin.email }),
    );
    assert.deepEqual([signIn.linked, signIn.connectionId], [true, made.id]);
    await drop(made);
  });

  it('a connection refuses a person with a platform role, and accepts them after its revocation', async () => {
    const made = await create(acme.admin, acme.company);
    const person = await addPerson(api.db, { company: acme.company });
    const token = await provider.token(account(person.email));
    dataOf(await view(token));
    const grant = (path: string) =>
      api.send({
        method: 'POST',
        url: `/api/users/${path}`,
        as: root.email,
        payload: { userId: person.id, role: 'PLATFORM_RM' },
      });
    dataOf(await grant('grant-role'));
    assertRefused(await view(token), 401, 'INVALID_TOKEN');
    dataOf(await grant('revoke-role'));
    dataOf(await view(token));
    await drop(made);
  });

  it('a changed, deactivated or deleted connection applies from the next request', async () => {
    const made = await create(acme.admin, acme.company);
    const person = await addPerson(api.db, { company: acme.company });
    const claims = account(person.email, { oid: randomUUID() });
    const token = await provider.token(claims);
    dataOf(await view(token));
    const changed = (patch: object) => post(acme.admin, 'update', { id: made.id, ...patch });
    for (const [patch, back] of [
      [{ active: false }, { active: true }],
      [{ audience: 'another' }, { audience: AUDIENCE }],
      [{ issuer: `${provider.issuer}/other` }, { issuer: provider.issuer }],
    ] as const) {
      dataOf(await changed(patch));
      assertRefused(await view(token), 401, 'INVALID_TOKEN');
      dataOf(await changed(back));
      dataOf(await view(token));
    }
    dataOf(await changed({ subjectClaim: 'oid' }));
    assert.equal(dataOf<{ id: string }>(await view(token)).id, person.id);
    assert.equal(await reasonFor(await provider.token({ ...claims, oid: undefined })), 'subject');
    await drop(made);
    assertRefused(await view(token), 401, 'INVALID_TOKEN');
  });

  it('a token selects the connection by issuer and audience, also for two companies at one provider', async () => {
    const [ours, theirs] = [
      await create(acme.admin, acme.company),
      await create(globex.admin, globex.company, { audience: 'api://globex', subjectClaim: 'nickname' }),
    ];
    const [one, two] = [
      await addPerson(api.db, { company: acme.company }),
      await addPerson(api.db, { company: globex.company }),
    ];
    const sub = randomUUID();
    // What a company takes for the name of a person blocks nobody at another one.
    assert.equal(await idOf({ ...account(two.email), aud: 'api://globex', nickname: sub }), two.id);
    assert.equal(await idOf({ ...account(one.email), sub }), one.id);
    assert.equal(await idOf({ sub, nickname: sub, aud: ['api://globex', 'x'] }), two.id);
    assert.equal(await idOf({ sub, nickname: sub }), one.id);
    assertRefused(await post(acme.admin, 'create', connectionOf(acme.company)), 409, 'ALREADY_EXISTS', ['audience']);
    await drop(ours);
    await drop(theirs);
  });

  it('two connections of one company accept the accounts of the same person during a move', async () => {
    await using next = await startSigningProvider(AUDIENCE);
    const [before, behind] = [
      await create(acme.admin, acme.company),
      await create(acme.admin, acme.company, { issuer: next.issuer }),
    ];
    const person = await addPerson(api.db, { company: acme.company });
    const [former, present] = [account(person.email), account(person.email)];
    assert.equal(await idOf(former), person.id);
    assert.equal(await idOf(present, next), person.id);
    assert.equal(await idOf(former), person.id);
    await drop(before);
    assert.equal(await idOf(present, next), person.id);
    await drop(behind);
  });

  it('a connection for ID tokens accepts an ID token, and calls no userinfo endpoint', async () => {
    const made = await create(acme.admin, acme.company, {
      audience: 'client-id',
      clientId: 'client-id',
      tokenUse: 'id',
    });
    const person = await addPerson(api.db, { company: acme.company });
    const claims = {
      ...account(person.email),
      aud: 'client-id',
      nonce: 'n',
      at_hash: 'h',
      azp: 'client-id',
      hd: 'acme.example',
    };
    provider.requests.length = 0;
    assert.equal(
      await reasonFor(await provider.token({ ...claims, email_verified: undefined })),
      'address not verified',
    );
    assert.ok(!provider.requests.includes('/me'));
    assert.equal(await reasonFor(await provider.token({ ...claims, azp: 'another-client' })), 'use');
    assert.equal(await idOf(claims), person.id);
    await drop(made);
  });

  it('a connection for access tokens refuses an ID token, and takes the nonce of an access token by Keycloak', async () => {
    const made = await create(acme.admin, acme.company);
    const claims = account((await addPerson(api.db, { company: acme.company })).email);
    for (const sign of [{ nonce: 'n' }, { at_hash: 'h' }, { c_hash: 'h' }, { typ: 'ID' }]) {
      assert.equal(await reasonFor(await provider.token({ ...claims, ...sign })), 'use', JSON.stringify(sign));
    }
    dataOf(await view(await provider.token({ ...claims, nonce: 'n', typ: 'Bearer' })));
    await drop(made);
  });

  it('users/get returns to an administrator that a token was refused for its audience', async () => {
    const made = await create(acme.admin, acme.company);
    const person = await addPerson(api.db, { company: acme.company });
    const refusal = async () =>
      dataOf<UserView>(await api.send({ url: '/api/users/get', query: { id: person.id }, as: acme.admin.email })).signIn
        .lastRefusal?.reason;
    const token = await provider.token({ ...account(person.email), aud: 'graph' });
    const forged = `${token.slice(0, -8)}AAAAAAAA`;
    assert.equal(await reasonFor(forged), 'audience');
    // The keys are known from here on.
    await idOf(account((await addPerson(api.db, { company: acme.company })).email));
    assertRefused(await view(forged), 401, 'INVALID_TOKEN');
    assert.equal(await refusal(), undefined);
    assertRefused(await view(token), 401, 'INVALID_TOKEN');
    await waitUntil('the refusal', async () => (await refusal()) === 'audience');
    await drop(made);
  });
});

describe('a connection that says more of its tokens', () => {
  it('a connection refuses tokens without the demanded claims', async () => {
    const made = await create(acme.admin, acme.company, { demandedClaims: { hd: 'acme.example', amr: 'mfa' } });
    assert.deepEqual(made.demandedClaims, { amr: 'mfa', hd: 'acme.example' });
    const claims = account((await addPerson(api.db, { company: acme.company })).email, { hd: 'acme.example' });
    assert.equal(await reasonFor(await provider.token(claims)), 'claims');
    assert.equal(await reasonFor(await provider.token({ ...claims, amr: ['mfa'], hd: 'gmail.example' })), 'claims');
    dataOf(await view(await provider.token({ ...claims, amr: ['pwd', 'mfa'] })));
    dataOf(await post(acme.admin, 'update', { id: made.id, demandedClaims: {} }));
    dataOf(await view(await provider.token(claims)));
    for (const [demanded, one, refused] of [
      ['2', 2, ['2.', ['1', ['2']]]],
      ['true', [true], ['TRUE', [{}]]],
      ['[object Object]', '[object Object]', [{ a: 1 }, [{}]]],
      ['null', 'null', [null, [null]]],
    ] as const) {
      dataOf(await post(acme.admin, 'update', { id: made.id, demandedClaims: { level: demanded } }));
      dataOf(await view(await provider.token({ ...claims, level: one })));
      for (const level of refused) assert.equal(await reasonFor(await provider.token({ ...claims, level })), 'claims');
    }
    for (const demandedClaims of [[], 'hd', { hd: 1 }, { hd: '' }]) {
      assertInvalid(await post(acme.admin, 'update', { id: made.id, demandedClaims }), 'demandedClaims');
    }
    await drop(made);
  });

  it('a connection reads the discovery document at another address than the issuer, and asks no userinfo there', async () => {
    const issuer = 'https://sts.tenant.example/v2';
    const discoveryUrl = `${provider.issuer}/policy/.well-known/openid-configuration`;
    provider.document = { issuer };
    const made = await create(acme.admin, acme.company, { issuer, discoveryUrl });
    const claims = account((await addPerson(api.db, { company: acme.company })).email, { iss: issuer });
    dataOf(await view(await provider.token(claims)));
    provider.requests.length = 0;
    assert.equal(await reasonFor(await provider.token({ sub: randomUUID(), iss: issuer })), 'address absent');
    assert.ok(!provider.requests.includes('/me'));
    // AD FS names the issuer of its access tokens beside its own.
    provider.document = { issuer: 'https://fs.example/adfs', access_token_issuer: issuer };
    const test = async () => dataOf<ConnectionTestView>(await post(acme.admin, 'test', { id: made.id }));
    assert.equal((await test()).working, true);
    provider.document = { issuer: 'https://login.example/{tenantid}/v2.0' };
    assert.match((await test()).problems[0]?.message ?? '', /is a template/);
    provider.document = {};
    for (const template of ['https://login.example/{tenantid}/v2.0', '{tenant}']) {
      assertInvalid(await post(acme.admin, 'update', { id: made.id, issuer: template }), 'issuer');
    }
    assertInvalid(await post(acme.admin, 'update', { id: made.id, issuer: 'acme.com', discoveryUrl: null }), 'issuer');
    dataOf(await post(acme.admin, 'update', { id: made.id, issuer: 'acme.com', discoveryUrl }));
    assertInvalid(await post(acme.admin, 'update', { id: made.id, discoveryUrl: null }), 'issuer');
    await drop(made);
  });
});

describe('who may set up connections', () => {
  it("sign-in-connections operations are open to Super Admins and the company's Corporate Admins alone", async () => {
    const manager = await addPerson(api.db, { company: acme.company, roles: [['MANAGER', acme.company]] });
    const made = await create(root, acme.company, { issuer: 'https://id.acme.example' });
    const body = connectionOf(acme.company);
    assertRefused(await post(manager, 'create', body), 403, 'ROLE_REQUIRED');
    assertRefused(await post(globex.admin, 'create', body), 403, 'COMPANY_FORBIDDEN');
    for (const path of ['update', 'delete', 'test']) {
      assertRefused(await post(globex.admin, path, { id: made.id }), 404, 'NOT_FOUND');
    }
    const list = (as: Person) =>
      api.send({ url: '/api/sign-in-connections/list', as: as.email, query: { companyId: acme.company.id } });
    assertRefused(await list(globex.admin), 403, 'COMPANY_FORBIDDEN');
    assert.deepEqual(pageOf<ConnectionView>(await list(acme.admin)).items, [made]);
    const again = await post(acme.admin, 'create', { ...body, issuer: 'https://id.acme.example', id: made.id });
    assert.deepEqual(dataOf(again), made);
    await drop(made);
  });

  it('sign-in-connections/create returns all problems of a body at once', async () => {
    const wrong = {
      issuer: 'http://id.example',
      audience: '',
      tokenUse: 'refresh',
      algorithm: 'HS256',
      domains: ['x', 'a.example'],
    };
    assertInvalid(
      await post(acme.admin, 'create', { ...connectionOf(acme.company), ...wrong }),
      'audience',
      'algorithm',
      'tokenUse',
      'domains[0]',
      'issuer',
    );
    for (const subjectClaim of ['iss', 'aud', 'name', 'email']) {
      assertInvalid(await post(acme.admin, 'create', connectionOf(acme.company, { subjectClaim })), 'subjectClaim');
    }
    for (const issuer of ['https://id.example?a=1', 'https://u:p@id.example', 'ftp://id.example', 'id.example']) {
      assertInvalid(await post(acme.admin, 'create', connectionOf(acme.company, { issuer })), 'issuer');
    }
  });

  it('sign-in-connections/create and update return 400 for the issuer of the platform', async () => {
    const own = { issuer: 'orgdesk', discoveryUrl: 'https://id.example/openid-configuration' };
    assertInvalid(await post(acme.admin, 'create', connectionOf(acme.company, own)), 'issuer');
    const made = await create(acme.admin, acme.company);
    assertInvalid(await post(acme.admin, 'update', { id: made.id, ...own }), 'issuer');
    await drop(made);
  });

  it('sign-in-connections/create returns 409 for the eleventh connection of a company', async () => {
    const { company, admin } = await openParty('Ten');
    for (let number = 0; number < 10; number++) {
      await create(admin, company, { issuer: `https://id.ten.example/${number}` });
    }
    assertRefused(
      await post(admin, 'create', connectionOf(company, { issuer: 'https://id.ten.example/10' })),
      409,
      'LIMIT_REACHED',
    );
  });
});

describe('a domain of a connection', () => {
  it('sign-in-connections/create accepts a domain that DNS proves or a Super Admin sets', async () => {
    const domains = ['acme-itself.example'];
    assertInvalid(await post(acme.admin, 'create', connectionOf(acme.company, { domains })), 'domains[0]');
    texts.set('_orgdesk.acme-itself.example', `orgdesk=${globex.company.id}`);
    const { message } = assertInvalid(
      await post(acme.admin, 'create', connectionOf(acme.company, { domains })),
      'domains[0]',
    );
    assert.match(message, new RegExp(`orgdesk=${acme.company.id} at _orgdesk\\.acme-itself\\.example`));
    texts.set('_orgdesk.acme-itself.example', `orgdesk=${acme.company.id}`);
    const made = await create(acme.admin, acme.company, { domains: ['ACME-itself.example', 'acme-itself.example'] });
    assert.deepEqual(made.domains, domains);
    const body = connectionOf(globex.company, { audience: 'other', domains });
    assertRefused(await post(root, 'create', body), 409, 'ALREADY_EXISTS', ['domains']);
    const record = async () => dataOf<ConnectionTestView>(await post(acme.admin, 'test', { id: made.id })).domains;
    assert.deepEqual(await record(), [{ domain: 'acme-itself.example', hasRecord: true }]);
    texts.clear();
    assert.deepEqual(await record(), [{ domain: 'acme-itself.example', hasRecord: false }]);
    const update = (as: Person, wanted: string[]) => post(as, 'update', { id: made.id, domains: wanted });
    // What it has needs no second proof.
    dataOf(await update(root, [...domains, 'said.example']));
    dataOf(await update(acme.admin, ['said.example', ...domains]));
    assertInvalid(await update(acme.admin, [...domains, 'third.example']), 'domains[1]');
    dataOf(await update(acme.admin, []));
    await drop(await create(root, globex.company, { audience: 'other', domains }));
    await drop(made);
  });
});

describe('a company that moves from one provider to another', () => {
  it('sign-in-connections/update moves a domain to another connection of the company without a new proof', async () => {
    const domains = ['moving.example', 'staying.example'];
    const before = await create(root, acme.company, { domains });
    const next = await create(acme.admin, acme.company, { audience: 'next' });
    dataOf(await post(acme.admin, 'update', { id: next.id, domains: ['moving.example'] }));
    const query = { companyId: acme.company.id };
    const list = pageOf<ConnectionView>(
      await api.send({ url: '/api/sign-in-connections/list', as: acme.admin.email, query }),
    ).items;
    const found = new Map(list.map((connection) => [connection.id, connection.domains]));
    assert.deepEqual([found.get(before.id), found.get(next.id)], [['staying.example'], ['moving.example']]);
    const trail = pageOf<ChangeView>(
      await api.send({
        url: '/api/audit/list',
        as: acme.admin.email,
        query: { ...query, entity: 'signInConnection', entityId: before.id },
      }),
    ).items;
    assert.deepEqual(trail[0]?.changes, [
      { field: 'domainNames', before: domains.join(' '), after: 'staying.example', kept: true },
    ]);
    const third = await create(acme.admin, acme.company, { audience: 'third', domains });
    assert.deepEqual(third.domains, domains);
    for (const each of [before, next, third]) await drop(each);
  });

  it('sign-in-connections/update returns 409 for a domain of another company', async () => {
    const theirs = await create(root, globex.company, { audience: 'theirs', domains: ['theirs.example'] });
    const ours = await create(acme.admin, acme.company);
    const taken = await post(root, 'update', { id: ours.id, domains: ['theirs.example'] });
    assertRefused(taken, 409, 'ALREADY_EXISTS', ['domains']);
    for (const each of [theirs, ours]) await drop(each);
  });
});

describe('the test of a connection', () => {
  it('sign-in-connections/test returns what the documents of the provider lack', async () => {
    const made = await create(acme.admin, acme.company, { clientId: 'console' });
    const test = async () => dataOf<ConnectionTestView>(await post(acme.admin, 'test', { id: made.id }));
    assert.deepEqual(await test(), { working: true, problems: [], domains: [] });
    for (const [document, field, neededFor] of [
      [{ issuer: 'https://other.example' }, 'issuer', 'signIn'],
      [{ jwks_uri: undefined }, 'issuer', 'signIn'],
      [{ token_endpoint: undefined }, 'authorization_endpoint or token_endpoint', 'console'],
      [{ userinfo_endpoint: undefined }, 'userinfo_endpoint', 'recommended'],
      [{ code_challenge_methods_supported: ['plain'] }, 'code_challenge_methods_supported', 'recommended'],
      [{ scopes_supported: ['openid'] }, 'scopes_supported', 'recommended'],
    ] as const) {
      provider.document = document;
      const { working, problems } = await test();
      assert.equal(working, neededFor !== 'signIn', field);
      assert.deepEqual(
        problems.map((problem) => [problem.field, problem.neededFor]),
        [[field, neededFor]],
      );
    }
    provider.document = {};
    dataOf(await post(acme.admin, 'update', { id: made.id, algorithm: 'RS256' }));
    assert.deepEqual(
      (await test()).problems.map(({ field }) => field),
      ['jwks_uri'],
    );
    await drop(made);
  });

  it('sign-in-connections/test and tokens reach no private address', async () => {
    const guarded = await buildTestApp({ RATE_LIMIT_BAD_TOKENS: '0' });
    after(() => guarded[Symbol.asyncDispose]());
    const admin = 'admin@acme.example';
    const [me] = await guarded.db.query<{ companyId: string }>(
      sql`select company_id as "companyId" from users where email = ${admin}`,
    );
    provider.requests.length = 0;
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const issuer = `http://${host}:${new URL(provider.issuer).port}`;
      const payload = { companyId: me?.companyId, issuer, audience: AUDIENCE, algorithm: 'ES256' };
      const { id } = dataOf<ConnectionView>(
        await guarded.send({ method: 'POST', url: '/api/sign-in-connections/create', as: admin, payload }),
      );
      const tested = await guarded.send({
        method: 'POST',
        url: '/api/sign-in-connections/test',
        as: admin,
        payload: { id },
      });
      assert.deepEqual(dataOf<ConnectionTestView>(tested).problems, [
        {
          field: 'issuer',
          message: 'The discovery document, or the set of keys, cannot be read.',
          neededFor: 'signIn',
        },
      ]);
      const authorization = `Bearer ${await provider.token({ ...account('employee@acme.example'), iss: issuer })}`;
      assert.equal((await guarded.send({ url: '/api/users/profile', headers: { authorization } })).statusCode, 503);
    }
    assert.deepEqual(provider.requests, []);
  });
});

describe('ten providers at once, of which one refuses and one never answers', () => {
  it('people sign in at eight providers while one provider refuses and one never answers', async (t) => {
    // Requests that nobody answers are held to the end of the test, however long it takes.
    t.mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
    const parties = await Promise.all(
      Array.from({ length: 10 }, async (_, number) => {
        const { company, admin } = await openParty(`Party ${number}`);
        const own = await startSigningProvider(AUDIENCE);
        after(() => own[Symbol.asyncDispose]());
        await create(admin, company, { issuer: own.issuer });
        const person = await addPerson(api.db, { company });
        return { own, person, token: await own.token(account(person.email)) };
      }),
    );
    const [refusing = assert.fail(), silent = assert.fail(), ...living] = parties;
    refusing.own.refuses = true;
    silent.own.isDead = true;
    const five = <Answer>(ask: () => Promise<Answer>) => Array.from({ length: 5 }, ask);
    const asking = [refusing, silent].flatMap(({ token }) => five(() => knock(token)));
    await Promise.all(
      living.flatMap(({ token, person }) =>
        five(async () => assert.equal(dataOf<{ id: string }>(await view(token)).id, person.id)),
      ),
    );
    assert.equal(silent.own.held, 1);
    assert.equal(silent.own.requests.length, 1);
    for (const { own } of living) {
      assert.deepEqual(own.requests, ['/.well-known/openid-configuration', '/keys']);
    }
    for (const { statusCode } of await Promise.all(asking)) assert.equal(statusCode, 503);
    assert.equal(silent.own.held, 1);
    assert.ok(refusing.own.requests.length < asking.length);
  });
});
