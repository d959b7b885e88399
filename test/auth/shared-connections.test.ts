import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { ChangeView } from '../../src/audit/change-view.ts';
import type { ProfileView, UserView } from '../../src/features/profile/profile-schemas.ts';
import type {
  ConnectionView,
  SharedConnectionView,
} from '../../src/features/sign-in-connections/sign-in-connections-schemas.ts';
import { openDirectory, USER } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, type Person, type PersonOptions } from '../support/people.ts';
import { type Claims, startSigningProvider } from '../support/signing-provider.ts';
import { waitUntil } from '../support/wait-until.ts';

const AUDIENCE = 'api://orgdesk';
const settings = { WEBHOOK_PRIVATE_TARGETS: 'true', RATE_LIMIT_BAD_TOKENS: '0', RATE_LIMIT_WRITES: '0' };
const api = await buildCheckedApp(settings, undefined, {});
after(() => api[Symbol.asyncDispose]());
const provider = await startSigningProvider(AUDIENCE);
after(() => provider[Symbol.asyncDispose]());

const root = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const [holding, sister, stranger] = [
  await openParty('Group Holding'),
  await openParty('Group Sister'),
  await openParty('Stranger'),
];
const { id: sisterId } = sister.company;

async function openParty(name: string) {
  const directory = await openDirectory(api, name);
  const { company } = directory;
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  return { directory, company, admin };
}

const post = (as: Person, path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/${path}`, as: as.email, payload });
const change = (as: Person, path: string, payload: object) => post(as, `sign-in-connections/${path}`, payload);

/** Makes a connection of the holding that it shares with the sister, which is gone after the use of it. */
async function share(fields: object = {}, as = holding.admin): Promise<ConnectionView & AsyncDisposable> {
  const body = { companyId: holding.company.id, issuer: provider.issuer, audience: AUDIENCE, algorithm: 'ES256' };
  const made = dataOf<ConnectionView>(await change(as, 'create', { ...body, sharedWith: [sisterId], ...fields }));
  return { ...made, [Symbol.asyncDispose]: async () => void dataOf(await change(root, 'delete', { id: made.id })) };
}
const agree = async ({ id }: ConnectionView, verb = 'agree') =>
  dataOf<SharedConnectionView>(await change(sister.admin, `${verb}-sharing`, { id, companyId: sisterId }));
const offered = async () =>
  dataOf<SharedConnectionView[]>(
    await api.send({
      url: '/api/sign-in-connections/shared',
      as: sister.admin.email,
      query: { companyId: sisterId },
    }),
  );
const stateOf = async ({ id }: ConnectionView) => {
  const read = await api.send({ url: '/api/sign-in-connections/get', as: holding.admin.email, query: { id } });
  const { sharedWith, agreedBy } = dataOf<ConnectionView>(read);
  return [sharedWith, agreedBy.map((company) => company.id)];
};
const inSister = (options: PersonOptions = {}) => addPerson(api.db, { company: sister.company, ...options });
const account = (email: string, claims: Claims = {}) => ({ sub: randomUUID(), email, email_verified: true, ...claims });

async function call(claims: Claims, url = '/api/users/profile') {
  const headers = { authorization: `Bearer ${await provider.token(claims)}` };
  let answer = await api.app.inject({ url, headers });
  await waitUntil('the keys', async () => {
    if (answer.statusCode === 503) answer = await api.app.inject({ url, headers });
    return answer.statusCode !== 503;
  });
  return answer;
}
const idOf = async (claims: Claims) => dataOf<ProfileView>(await call(claims)).id;
const assertNobody = async (claims: Claims) => assertRefused(await call(claims), 401, 'INVALID_TOKEN');

describe('a sign-in connection that several companies share', () => {
  it('a connection signs in people of another company once that has agreed, and no longer once it has left', async () => {
    await using made = await share();
    const claims = account((await inSister()).email);
    await assertNobody(claims);
    const offer = { agreed: false, company: { id: holding.company.id, name: 'Group Holding' } };
    assert.deepEqual(
      (await offered()).map(({ agreed, company }) => ({ agreed, company })),
      [offer],
    );
    assert.equal((await agree(made)).agreed, true);
    assert.deepEqual(await agree(made), { ...(await agree(made)), agreed: true });
    const { id, companyRoles } = dataOf<ProfileView>(await call(claims));
    assert.ok(id && companyRoles.every(({ companyId }) => companyId === sisterId));
    assert.deepEqual(await stateOf(made), [[sisterId], [sisterId]]);
    assert.equal((await agree(made, 'leave')).agreed, false);
    await assertNobody(claims);
    await agree(made);
    assert.equal(await idOf(claims), id);
    // The holding takes the offer back: an agreement is to one offer.
    for (const sharedWith of [[], [sisterId]])
      dataOf(await change(holding.admin, 'update', { id: made.id, sharedWith }));
    assert.deepEqual(await stateOf(made), [[sisterId], []]);
    await assertNobody(claims);
  });

  it('a token of a shared connection has the rights of the company of its person, and no others', async () => {
    await using made = await share();
    await agree(made);
    const ours = account(sister.admin.email);
    assert.deepEqual(dataOf<ProfileView>(await call(ours)).roles, ['CORPORATE_ADMIN']);
    assert.equal((await call(ours, `/api/users/list?companyId=${sisterId}`)).statusCode, 200);
    const foreign = await call(ours, `/api/users/list?companyId=${holding.company.id}`);
    assertRefused(foreign, 403, 'COMPANY_FORBIDDEN');
    const theirs = account(holding.admin.email);
    assertRefused(await call(theirs, `/api/users/list?companyId=${sisterId}`), 403, 'COMPANY_FORBIDDEN');
    await assertNobody(account(stranger.admin.email));
  });

  it('a shared connection signs in nobody of another company with a platform role or a role elsewhere', async () => {
    await using made = await share();
    await agree(made);
    const staff = await inSister({ systemRole: { role: 'PLATFORM_RM', active: true } });
    await assertNobody(account(staff.email));
    const person = await inSister({ roles: [['EMPLOYEE', sister.company]] });
    const claims = account(person.email);
    assert.equal(await idOf(claims), person.id);
    const grant = (path: string, companyId: string) =>
      post(root, `users/${path}`, { userId: person.id, role: 'MANAGER', companyId });
    for (const { company } of [stranger, holding]) {
      dataOf(await grant('grant-role', company.id));
      await assertNobody(claims);
      const read = await api.send({ url: '/api/users/get', as: sister.admin.email, query: { id: person.id } });
      await waitUntil('the refusal', async () => {
        const { signIn } = dataOf<UserView>(
          await api.send({ url: '/api/users/get', as: sister.admin.email, query: { id: person.id } }),
        );
        return signIn.lastRefusal?.reason === 'role elsewhere';
      });
      dataOf(read);
      dataOf(await grant('revoke-role', company.id));
      assert.equal(await idOf(claims), person.id);
    }
    // As a guest of the company of the connection: with the role there alone.
    dataOf(await grant('grant-role', holding.company.id));
    dataOf(await change(holding.admin, 'update', { id: made.id, guests: true }));
    const { companyRoles } = dataOf<ProfileView>(await call(claims));
    assert.deepEqual(
      companyRoles.map(({ companyId, role }) => [companyId, role]),
      [[holding.company.id, 'MANAGER']],
    );
  });

  it('a connection of a company that is closed signs in nobody of the others', async () => {
    await using made = await share();
    await agree(made);
    const claims = account((await inSister()).email);
    dataOf(await call(claims));
    const close = async (active: boolean, id = holding.company.id) =>
      dataOf(await post(root, 'companies/update', { id, active }));
    await close(false);
    await assertNobody(claims);
    await close(true);
    dataOf(await call(claims));
    await close(false, sisterId);
    const body = { id: made.id, companyId: sisterId };
    assertRefused(await change(sister.admin, 'leave-sharing', body), 403, 'COMPANY_FORBIDDEN');
    dataOf(await change(root, 'leave-sharing', body));
    await close(true, sisterId);
    await assertNobody(claims);
  });

  it('an agreement ends when the provider of the connection becomes another one', async () => {
    await using made = await share();
    for (const patch of [
      { audience: 'api://other' },
      { emailsVerified: true },
      { demandedClaims: { hd: 'group.example' } },
      { issuer: `${provider.issuer}/other` },
    ]) {
      await agree(made);
      dataOf(await change(holding.admin, 'update', { id: made.id, clientId: randomUUID() }));
      assert.deepEqual(await stateOf(made), [[sisterId], [sisterId]]);
      dataOf(await change(holding.admin, 'update', { id: made.id, ...patch }));
      assert.deepEqual(await stateOf(made), [[sisterId], []], JSON.stringify(patch));
    }
  });

  it('only administrators of the other company and Super Admins agree, the latter by sharing it, too', async () => {
    await using made = await share();
    const body = { id: made.id, companyId: sisterId };
    assertRefused(await change(holding.admin, 'agree-sharing', body), 403, 'COMPANY_FORBIDDEN');
    const manager = await inSister({ roles: [['MANAGER', sister.company]] });
    assertRefused(await change(manager, 'agree-sharing', body), 403, 'ROLE_REQUIRED');
    const uninvited = { id: made.id, companyId: stranger.company.id };
    for (const verb of ['agree-sharing', 'leave-sharing']) {
      assertRefused(await change(stranger.admin, verb, uninvited), 404, 'NOT_FOUND');
    }
    const patch = { id: made.id, agreedBy: [sisterId] };
    assertInvalid(await change(holding.admin, 'update', patch), 'agreedBy');
    for (const sharedWith of [[holding.company.id], ['x'], sisterId, Array(51).fill(sisterId)]) {
      const answer = await change(holding.admin, 'update', { id: made.id, sharedWith });
      assertInvalid(answer, Array.isArray(sharedWith) && sharedWith[0] === 'x' ? 'sharedWith[0]' : 'sharedWith');
    }
    assert.deepEqual(await stateOf(made), [[sisterId], []]);
    dataOf(await change(root, 'update', { id: made.id, sharedWith: [sisterId.toUpperCase()] }));
    assert.deepEqual(await stateOf(made), [[sisterId], [sisterId]]);
    await using atOnce = await share({ audience: 'api://second' }, root);
    assert.deepEqual(await stateOf(atOnce), [[sisterId], [sisterId]]);
    // Both companies read of it.
    for (const { admin, company } of [holding, sister]) {
      const query = { companyId: company.id, entity: 'signInConnection', entityId: made.id };
      await agree(made, 'leave');
      const { items } = pageOf<ChangeView>(await api.send({ url: '/api/audit/list', as: admin.email, query }));
      assert.ok(items.some(({ changes }) => changes.some(({ field }) => field === 'agreedText')));
      await agree(made);
    }
  });

  it('addresses of a domain are no foreign ones among the companies that share its connection, and lead there', async () => {
    const domain = `${randomUUID()}.example`;
    await using made = await share({ domains: [domain] }, root);
    const create = (party: typeof sister, name = randomUUID()) =>
      post(party.admin, 'users/create', {
        companyId: party.company.id,
        email: `${name}@${domain}`,
        firstName: 'Priya',
        lastName: 'Das',
      });
    const csv = (party: typeof sister) =>
      api.send({
        method: 'POST',
        url: '/api/users/import',
        as: party.admin.email,
        query: { companyId: party.company.id, dryRun: 'true' },
        payload: `email,firstName,lastName\nfile@${domain},Ravi,Rao\n`,
        headers: { 'content-type': 'text/csv' },
      });
    const provision = async ({ directory }: typeof sister) => {
      const userName = `${randomUUID()}@${domain}`;
      const body = { schemas: [USER], userName, name: { givenName: 'A', familyName: 'B' } };
      return (await directory.send('POST', '/Users', body)).status;
    };
    const problems = async (party: typeof sister) => dataOf<{ problems: object[] }>(await csv(party)).problems.length;
    const foreign = async ({ company, admin }: typeof sister) =>
      dataOf<object[]>(
        await api.send({
          url: '/api/sign-in-connections/foreign-addresses',
          as: admin.email,
          query: { companyId: company.id },
        }),
      ).length;
    const { id, email } = dataOf<UserView>(await create(sister));
    assert.equal(await idOf(account(email)), id);
    assert.deepEqual([await problems(sister), await provision(sister), await foreign(sister)], [0, 201, 0]);
    assert.equal(await foreign(holding), 0);
    assertRefused(await create(stranger), 409, 'ALREADY_EXISTS', ['email']);
    assert.deepEqual([await problems(stranger), await provision(stranger)], [1, 409]);
    await agree(made, 'leave');
    assertRefused(await create(sister), 409, 'ALREADY_EXISTS', ['email']);
    assert.deepEqual([await problems(sister), await foreign(sister), await foreign(holding)], [1, 1, 1]);
  });
});
