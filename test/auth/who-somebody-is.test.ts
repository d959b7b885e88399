import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { domainToASCII } from 'node:url';
import sql from 'sql-template-tag';
import { personOf } from '../../src/auth/callers/identity-queries.ts';
import { SIGN_IN_FIELDS } from '../../src/entities/user.ts';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { lookAtDomains } from '../../src/features/sign-in-connections/domain-proofs.ts';
import type { ConnectionView } from '../../src/features/sign-in-connections/sign-in-connections-schemas.ts';
import { newUser, openDirectory, patchOf, replace } from '../scim/directory.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, type Person, type TestCompany } from '../support/people.ts';
import { type Claims, startSigningProvider } from '../support/signing-provider.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
const texts = new Map<string, string>();
const resolveTexts = async (name: string) => [texts.get(name) ?? ''];
const settings = { WEBHOOK_PRIVATE_TARGETS: 'true', RATE_LIMIT_BAD_TOKENS: '0' };
const api = await buildCheckedApp(settings, undefined, { resolveTexts });
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const provider = await startSigningProvider(AUDIENCE);
after(() => provider[Symbol.asyncDispose]());
const root = await addPerson(db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const [acme, globex] = [await openParty('Acme of its own'), await openParty('Globex of its own')];

async function openParty(name: string) {
  const directory = await openDirectory(api, name);
  const { company } = directory;
  return { directory, company, admin: await addPerson(db, { company, roles: [['CORPORATE_ADMIN', company]] }) };
}

const post = (as: Person, path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/${path}`, as: as.email, payload });
async function connect({ company, admin }: { company: TestCompany; admin: Person }, fields: object = {}) {
  const issuer = { issuer: provider.issuer, audience: AUDIENCE, algorithm: 'ES256' };
  const body = { companyId: company.id, ...issuer, ...fields };
  return dataOf<ConnectionView>(await post(admin, 'sign-in-connections/create', body));
}
const drop = async ({ id }: ConnectionView) => dataOf(await post(root, 'sign-in-connections/delete', { id }));
const account = (email: string, claims: Claims = {}) => ({ sub: randomUUID(), email, email_verified: true, ...claims });

/** Calls by a token, again while the keys of its provider are on their way. */
async function call(claims: Claims, url = '/api/users/profile', payload?: object) {
  const headers = { authorization: `Bearer ${await provider.token(claims)}` };
  const send = () => api.send({ url, headers, ...(payload ? { method: 'POST' as const, payload } : {}) });
  let answer = await api.app.inject({ url: '/api/users/profile', headers });
  await waitUntil('the keys', async () => {
    if (answer.statusCode === 503) answer = await api.app.inject({ url: '/api/users/profile', headers });
    return answer.statusCode !== 503;
  });
  return send();
}
const profileOf = async (claims: Claims) => dataOf<ProfileView>(await call(claims));

describe('the values that make a token a person', () => {
  it('the statement of a sign-in reads no field of a person that is not in the list of sign-in fields', () => {
    const connection = { id: randomUUID(), audience: AUDIENCE };
    const text = `${personOf('a@b.example').text} ${personOf('a@b.example', connection).text}`;
    const decides = [
      'email',
      'externalId',
      'employeeNumber',
      'phone',
      'firstName',
      'lastName',
      'workEmail',
      'managerValue',
    ];
    const columnOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const read = decides.filter((name) => new RegExp(`\\b${columnOf(name)}(_key)?\\b`).test(text));
    assert.ok(read.includes('email') && read.includes('workEmail'));
    assert.deepEqual(
      read.filter((name) => !SIGN_IN_FIELDS.some((one) => one === name)),
      [],
    );
  });

  it('SCIM gets 403 for the work address or externalId of a person with a role elsewhere, and of platform staff', async () => {
    const { company } = acme;
    const guest = await addPerson(db, { company, roles: [['CORPORATE_ADMIN', globex.company]] });
    const staff = await addPerson(db, { company, systemRole: { role: 'SUPER_ADMIN', active: true } });
    for (const { id, email } of [guest, staff]) {
      for (const change of [
        replace('emails[type eq "work"].value', 'attacker@elsewhere.example'),
        replace('externalId', 'x'),
        replace('userName', 'attacker@elsewhere.example'),
      ]) {
        assert.equal((await acme.directory.send('PATCH', `/Users/${id}`, patchOf(change))).status, 403, change.path);
      }
      // What they sign in by anyway changes nothing.
      const own = patchOf(replace('emails[type eq "work"].value', email));
      assert.equal((await acme.directory.send('PATCH', `/Users/${id}`, own)).status, 200);
      assertRefused(await post(acme.admin, 'users/forget-sign-in', { id }), 403, 'PROTECTED_USER');
    }
  });

  it('a work address signs a person in by a connection of their company alone, unless they hold a role elsewhere', async () => {
    const ours = await connect(acme);
    const mail = `${randomUUID()}@mail.example`;
    const { body } = await acme.directory.send(
      'POST',
      '/Users',
      newUser({ emails: [{ type: 'work', value: mail, primary: true }] }),
    );
    // Another company may give its own person the same work address.
    await globex.directory.send('POST', '/Users', newUser({ emails: [{ type: 'work', value: mail, primary: true }] }));
    const claims = account(mail);
    assert.equal((await profileOf(claims)).id, body.id);
    dataOf(await post(acme.admin, 'users/forget-sign-in', { id: body.id }));
    const grant = { userId: body.id, companyId: globex.company.id, role: 'MANAGER' };
    dataOf(await post(root, 'users/grant-role', grant));
    assertRefused(await call(claims), 401, 'INVALID_TOKEN');
    await drop(ours);
  });
});

describe('the scope of a token', () => {
  it("a token of a company's connection has the rights of that company alone, whatever the person holds elsewhere", async () => {
    const ours = await connect(acme);
    const { company } = acme;
    const person = await addPerson(db, {
      company,
      roles: [
        ['MANAGER', company],
        ['CORPORATE_ADMIN', globex.company],
      ],
    });
    const claims = account(person.email);
    const { id, roles, companyRoles } = await profileOf(claims);
    assert.deepEqual([id, roles], [person.id, ['MANAGER']]);
    assert.equal(companyRoles.length, 1);
    assert.equal((await call(claims, `/api/users/list?companyId=${company.id}`)).statusCode, 200);
    const foreign = await call(claims, `/api/users/list?companyId=${globex.company.id}`);
    assertRefused(foreign, 403, 'COMPANY_FORBIDDEN');
    const key = { name: 'Mine', scopes: ['scim'], companyId: globex.company.id };
    assertRefused(await call(claims, '/api/api-keys/create', key), 403, 'ROLE_REQUIRED');
    // By the platform's own token they hold all.
    const own = await api.send({ url: '/api/users/profile', as: person.email });
    assert.deepEqual(dataOf<ProfileView>(own).roles, ['CORPORATE_ADMIN', 'MANAGER']);
    const updated = await call(claims, '/api/users/update-profile', { lastName: 'Scoped' });
    assert.equal(updated.statusCode, 200, updated.body);
    await drop(ours);
  });

  it('a guest signs in by a connection of the host company once it lets in guests, with the rights there alone', async () => {
    const host = await connect(globex);
    const guest = await addPerson(db, {
      company: acme.company,
      rules: ['corporate', 'audit'],
      roles: [
        ['CORPORATE_ADMIN', acme.company],
        ['MANAGER', globex.company],
      ],
    });
    const claims = account(guest.email);
    assertRefused(await call(claims), 401, 'INVALID_TOKEN');
    dataOf(await post(globex.admin, 'sign-in-connections/update', { id: host.id, guests: true }));
    const { id, roles, phone } = await profileOf(claims);
    assert.deepEqual([id, roles, phone], [guest.id, ['MANAGER'], null]);
    const change = await call(claims, '/api/users/update-profile', { lastName: 'Taken' });
    assertRefused(change, 403, 'COMPANY_FORBIDDEN');
    assertRefused(await call(claims, '/api/users/export-own'), 403, 'COMPANY_FORBIDDEN');
    const arranged = await addPerson(db, { company: acme.company });
    dataOf(await post(arranged, 'users/update-traveller', { arrangers: [{ userId: guest.id }] }));
    for (const query of ['', `?id=${guest.id}`, `?id=${arranged.id}`]) {
      assertRefused(await call(claims, `/api/users/get-traveller${query}`), 403, 'ROLE_REQUIRED');
    }
    const contact = { emergencyContact: { name: 'Taken', phone: '+353 1 555 0100' } };
    assertRefused(await call(claims, '/api/users/update-traveller', contact), 403, 'ROLE_REQUIRED');
    const substitute = { substituteId: acme.admin.id, from: '2026-01-01', until: '2026-01-02' };
    assertRefused(await call(claims, '/api/users/set-substitute', substitute), 403, 'ROLE_REQUIRED');
    assertRefused(await call(claims, `/api/users/list?companyId=${acme.company.id}`), 403, 'COMPANY_FORBIDDEN');
    // A role of their own company's counts by its connection alone, or the platform's.
    const departments = `/api/departments/list?companyId=${acme.company.id}`;
    assertRefused(await call(claims, departments), 403, 'COMPANY_FORBIDDEN');
    assert.deepEqual(dataOf<{ roles: object[] }>(await call(claims, '/api/roles/own')).roles, []);
    await drop(host);
    const home = await connect(acme);
    assert.equal((await call(claims, departments)).statusCode, 200);
    await drop(home);
  });
});

describe('an issuer that several connections name', () => {
  it("a token is tried with every matching connection, and the person's company decides", async () => {
    // Ids are the choice of who makes a connection: the lowest one is tried first.
    const theirs = await connect(globex, {
      id: `00000000-0000-4000-8000-${randomUUID().slice(-12)}`,
      audience: 'userinfo',
    });
    const [same, ours] = [await connect(globex), await connect(acme)];
    const person = await addPerson(db, { company: acme.company });
    const claims = account(person.email, { aud: [AUDIENCE, 'userinfo'] });
    assert.equal((await profileOf(claims)).id, person.id);
    assert.equal((await profileOf({ ...claims, aud: AUDIENCE })).id, person.id);
    const other = await addPerson(db, { company: globex.company });
    assert.equal((await profileOf(account(other.email))).id, other.id);
    assertRefused(await call(account('nobody@elsewhere.example')), 401, 'INVALID_TOKEN');
    for (const one of [theirs, same, ours]) await drop(one);
  });
});

describe('a domain that a company has proven', () => {
  /** Imports a new person of the other company with an address. */
  const importOf = (email: string) =>
    api.send({
      method: 'POST',
      url: '/api/users/import',
      query: { companyId: globex.company.id },
      headers: { 'content-type': 'text/csv' },
      payload: `email,firstName,lastName\r\n${email},New,One\r\n`,
      as: globex.admin.email,
    });

  it('another company cannot give its addresses to people, by hand, SCIM or file', async () => {
    const domain = `${randomUUID()}.example`;
    texts.set(`_orgdesk.${domain}`, `orgdesk=${acme.company.id}`);
    const before = await addPerson(db, { company: globex.company, columns: { email: `before@${domain}` } });
    const ours = await connect(acme, { domains: [domain] });
    const email = `new@${domain}`;
    const person = { companyId: globex.company.id, email, firstName: 'New', lastName: 'One' };
    assertRefused(await post(globex.admin, 'users/create', person), 409, 'ALREADY_EXISTS', ['email']);
    assert.equal((await globex.directory.send('POST', '/Users', newUser({ userName: email, emails: [] }))).status, 409);
    const work = newUser({ emails: [{ type: 'work', value: email, primary: true }] });
    assert.equal((await globex.directory.send('POST', '/Users', work)).status, 409);
    const someone = await addPerson(db, { company: globex.company });
    assertRefused(await post(globex.admin, 'users/update', { id: someone.id, email }), 409, 'ALREADY_EXISTS', [
      'email',
    ]);
    const file = await importOf(email);
    assert.equal(file.statusCode, 400, file.body);
    assert.match(file.body, /that of another company/);
    // Who has one already stays, and the company itself may give them.
    dataOf(await post(globex.admin, 'users/update', { id: before.id, lastName: 'Stays' }));
    // Both companies are told.
    const told = async ({ company, admin }: { company: { id: string }; admin: { email: string } }) => {
      const query = { companyId: company.id };
      const answer = await api.send({ url: '/api/sign-in-connections/foreign-addresses', as: admin.email, query });
      type Told = { domain: string; own: boolean; people: number; users: { id: string }[] };
      return dataOf<Told[]>(answer)
        .filter((one) => one.domain === domain)
        .map(({ own, people, users }) => [own, people, users.map(({ id }) => id)]);
    };
    assert.deepEqual(await told(acme), [[true, 1, []]]);
    assert.deepEqual(await told(globex), [[false, 1, [before.id]]]);
    dataOf(await post(acme.admin, 'users/create', { ...person, companyId: acme.company.id }));
    await drop(ours);
  });

  it('another company cannot give addresses of a proven domain in other spellings of it', async () => {
    const name = `b\u00fccher-${randomUUID().slice(0, 8)}.example`;
    const domain = domainToASCII(name);
    texts.set(`_orgdesk.${domain}`, `orgdesk=${acme.company.id}`);
    const ours = await connect(acme, { domains: [domain] });
    const wide = domain.replace('e', '\uff45');
    for (const spelling of [domain.toUpperCase(), name, name.toUpperCase(), name.normalize('NFD'), wide]) {
      const email = `new@${spelling}`;
      const person = { companyId: globex.company.id, email, firstName: 'New', lastName: 'One' };
      assertRefused(await post(globex.admin, 'users/create', person), 409, 'ALREADY_EXISTS', ['email']);
      const file = await importOf(email);
      assert.match(file.body, /that of another company/, spelling);
    }
    dataOf(
      await post(acme.admin, 'users/create', {
        companyId: acme.company.id,
        email: `new@${name}`,
        firstName: 'New',
        lastName: 'One',
      }),
    );
    await drop(ours);
  });

  it('a domain whose record is gone is reported, kept for seven days, and then another company can prove it', async () => {
    const domain = `${randomUUID()}.example`;
    const record = `_orgdesk.${domain}`;
    texts.set(record, `orgdesk=${acme.company.id}`);
    const ours = await connect(acme, { domains: [domain] });
    const day = 24 * 3_600_000;
    const look = (days: number) => lookAtDomains(db, { resolveTexts, now: new Date(Date.now() + days * day) });
    const read = async () =>
      dataOf<ConnectionView>(
        await api.send({ url: '/api/sign-in-connections/get', query: { id: ours.id }, as: acme.admin.email }),
      );
    assert.deepEqual(await look(1), []);
    texts.set(record, `orgdesk=${globex.company.id}`);
    assert.deepEqual(await look(2), [{ domain, companyId: acme.company.id, isLost: false }]);
    assert.deepEqual(
      (await read()).missingRecords.map((one) => one.domain),
      [domain],
    );
    const claim = { issuer: provider.issuer, audience: 'theirs', algorithm: 'ES256', domains: [domain] };
    const body = { companyId: globex.company.id, ...claim };
    assertRefused(await post(globex.admin, 'sign-in-connections/create', body), 409, 'ALREADY_EXISTS', ['domains']);
    // A look at the same day changes nothing.
    assert.deepEqual(await look(2), []);
    assert.deepEqual(await look(9.5), [{ domain, companyId: acme.company.id, isLost: true }]);
    assert.deepEqual((await read()).domains, []);
    const theirs = dataOf<ConnectionView>(await post(globex.admin, 'sign-in-connections/create', body));
    assert.deepEqual(theirs.domains, [domain]);
    await drop(ours);
    await drop(theirs);
  });

  it('a domain that a Super Admin has set without a record is kept', async () => {
    const domain = `${randomUUID()}.example`;
    const ours = await connect({ ...acme, admin: root }, { domains: [domain] });
    const now = new Date(Date.now() + 30 * 24 * 3_600_000);
    assert.deepEqual(await lookAtDomains(db, { resolveTexts, now }), []);
    const rows = await db.query(sql`select from sign_in_domains where domain = ${domain}`);
    assert.equal(rows.length, 1);
    await drop(ours);
  });
});
