import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { SCOPES } from '../../src/entities/api-key.ts';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { directoryFor, ERROR, GROUP, type Json, newUser, ORGDESK, openDirectory, patchOf } from './directory.ts';
import { testDiscovery } from './discovery-tests.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const one = await openDirectory(api, 'One');
const two = await openDirectory(api, 'Two');
const { body: stranger } = await two.send('POST', '/Users', newUser({ externalId: 'of two' }));
const { body: own } = await one.send('POST', '/Users', newUser());
const [foreignGroup] = (await two.send('GET', '/Groups')).body.Resources;
const [ownGroup] = (await one.send('GET', '/Groups')).body.Resources;

const ROUTES = OPERATIONS.filter(({ standard }) => standard === 'SCIM').flatMap(({ id, methods, path }) =>
  methods.map((method) => ({ id, method, path })),
);

/** Asks for an operation, of a person or group of that id. */
function ask(route: (typeof ROUTES)[number], id: string, authorization: string | undefined) {
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE';
  return api.app.inject({
    method: route.method,
    url: route.path.replace(':id', id),
    headers: {
      ...(authorization ? { authorization } : {}),
      ...(hasBody ? { 'content-type': 'application/scim+json' } : {}),
    },
    ...(hasBody ? { payload: '{}' } : {}),
  });
}

describe('SCIM', () => {
  it('every SCIM operation without a valid key returns 401 in the form of SCIM', async () => {
    for (const route of ROUTES) {
      for (const authorization of [undefined, 'non-token', 'Bearer x', `Bearer odk_${'a'.repeat(43)}`]) {
        const response = await ask(route, own.id, authorization);
        const body = response.json();
        assert.deepEqual([response.statusCode, body.status, body.schemas], [401, '401', [ERROR]], route.id);
        assert.match(String(response.headers['content-type']), /^application\/scim\+json/);
        assert.match(String(response.headers['www-authenticate']), /^Bearer/);
      }
    }
  });

  it("every SCIM operation returns 403 to an administrator's token and to a key without the scim scope", async () => {
    const { email } = await addPerson(api.db, {
      company: one.company,
      roles: [['CORPORATE_ADMIN', one.company]],
      systemRole: { role: 'SUPER_ADMIN', active: true },
    });
    const scopes = SCOPES.filter((scope) => scope !== 'scim');
    const made = { name: 'Other', scopes, companyId: one.company.id, expiresAt: null };
    const { key } = await api.db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, made));
    for (const token of [await api.tokenFor(email), key]) {
      for (const route of ROUTES) {
        const response = await ask(route, own.id, `Bearer ${token}`);
        assert.equal(response.statusCode, 403, `${route.id}: ${response.body}`);
      }
    }
  });

  it('a key with the scim scope alone returns 403 SCOPE_REQUIRED for the other operations', async () => {
    for (const url of ['/api/users/profile', `/api/users/list?companyId=${one.company.id}`, '/api/events/list']) {
      const { statusCode, body } = await api.app.inject({ url, headers: { authorization: `Bearer ${one.key}` } });
      assert.deepEqual([statusCode, JSON.parse(body).code], [403, 'SCOPE_REQUIRED'], url);
    }
  });

  it('a SCIM key returns 401 once the key is revoked or its company is deactivated', async () => {
    const directory = await openDirectory(api, 'Closing');
    const again = await directoryFor(api, directory.company);
    assert.equal((await directory.send('GET', '/Users')).status, 200);
    await api.db.query(sql`update api_keys set revoked_at = now() where id = ${directory.keyId}`);
    assert.equal((await directory.send('GET', '/Users')).status, 401);
    assert.equal((await again.send('GET', '/Users')).status, 200);
    await api.db.query(sql`update companies set active = false where id = ${directory.company.id}`);
    assert.equal((await again.send('POST', '/Users', newUser())).status, 401);
  });

  it('SCIM returns the same 404 for a person or group of another company as for an unknown id', async () => {
    const unknown = randomUUID();
    for (const [method, path, body] of [
      ['GET', '/Users/:id', undefined],
      ['PUT', '/Users/:id', newUser()],
      ['PATCH', '/Users/:id', patchOf({ op: 'replace', path: 'active', value: false })],
      ['DELETE', '/Users/:id', undefined],
    ] as const) {
      const [foreign, none] = await Promise.all(
        [stranger.id, unknown].map((id) =>
          one.send(method, path.replace(':id', id), body && JSON.parse(JSON.stringify(body).replace(':id', id))),
        ),
      );
      assert.deepEqual([foreign?.status, foreign?.body], [404, none?.body], `${method} ${path}`);
    }
    const members = [{ value: stranger.id }, { value: unknown }];
    const whole = { schemas: [GROUP], displayName: ownGroup.displayName, members };
    for (const [method, body, status] of [
      ['PATCH', patchOf({ op: 'add', path: 'members', value: members }), 204],
      ['PUT', whole, 200],
    ] as const) {
      assert.equal((await one.send(method, `/Groups/${ownGroup.id}`, body)).status, status);
    }
    const present: Json[] = (await one.send('GET', `/Groups/${ownGroup.id}`)).body.members;
    assert.ok(present.every(({ value }) => value !== stranger.id && value !== unknown));
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { displayName: foreignGroup.displayName, members: [] }],
      ['PATCH', patchOf({ op: 'remove', path: 'members' })],
      ['DELETE', undefined],
    ] as const) {
      assert.equal((await one.send(method, `/Groups/${foreignGroup.id}`, body)).status, 404, method);
    }
    for (const filter of [
      `id eq "${stranger.id}"`,
      `userName eq "${stranger.userName}"`,
      'externalId eq "of two"',
      `userName ew "@joiner.example" and not (id eq "${own.id}")`,
    ]) {
      const { body } = await one.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      assert.equal(body.totalResults, 0, filter);
    }
    const removal = patchOf({ op: 'remove', path: `members[value eq "${stranger.id}"]` });
    assert.equal((await one.send('PATCH', `/Groups/${ownGroup.id}`, removal)).status, 204);
    assert.deepEqual((await two.send('GET', `/Users/${stranger.id}`)).body, stranger);
  });

  it("SCIM's POST of a user with the band of another company returns 400 invalidValue", async () => {
    const bandId = randomUUID();
    await api.db.query(sql`
      insert into employee_bands (id, company_id, name, code, auto_approval_limit) values (${bandId}, ${two.company.id}, 'Two', 'ONLY-TWO', 0)`);
    const answer = await one.send('POST', '/Users', newUser({ [ORGDESK]: { bandCode: 'ONLY-TWO' } }));
    assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidValue']);
  });

  it('SCIM returns 404 for a person who moved to another company, and their externalId is free again', async () => {
    const { body: mover } = await one.send('POST', '/Users', newUser({ externalId: 'mover' }));
    const { id: companyId, departmentId, bandId } = await addCompany(api.db, 'Elsewhere');
    await api.db.query(sql`
      update users set company_id = ${companyId}, department_id = ${departmentId}, band_id = ${bandId} where id = ${mover.id}`);
    assert.equal((await one.send('GET', `/Users/${mover.id}`)).status, 404);
    assert.equal((await one.send('POST', '/Users', newUser({ externalId: 'mover' }))).status, 201);
  });
});

describe('a request that is not understood', () => {
  const send = (request: object) => api.app.inject({ url: '/scim/v2/Users', method: 'POST', ...request });
  const headers = { authorization: `Bearer ${one.key}`, 'content-type': 'application/scim+json' };

  it('a malformed SCIM request returns its 4xx status in the form of SCIM', async () => {
    for (const [request, status, scimType] of [
      [{ headers, payload: '{' }, 400, 'invalidSyntax'],
      [{ headers, payload: '[]' }, 400, 'invalidSyntax'],
      [{ headers: { ...headers, 'content-type': 'text/plain' }, payload: 'x' }, 415, undefined],
      [{ headers, payload: JSON.stringify({ userName: 'x'.repeat(600_000) }) }, 413, undefined],
      [{ headers, url: '/scim/v2/Nothing' }, 404, undefined],
      [{ headers, url: '/scim/v2/Users/x', payload: '{}' }, 405, undefined],
      [{ headers, url: '/scim/v2', method: 'GET', payload: undefined }, 404, undefined],
    ] as const) {
      const response = await send(request);
      const body = response.json() as Json;
      assert.deepEqual(
        [response.statusCode, body.status, body.scimType],
        [status, String(status), scimType],
        response.body,
      );
      assert.match(String(response.headers['content-type']), /^application\/scim\+json/);
    }
    assert.equal(
      (await send({ headers, url: '/scim/v2/Users/x', payload: '{}' })).headers.allow,
      'DELETE, GET, HEAD, PATCH, PUT',
    );
  });

  it("SCIM's POST may declare its body as JSON, with or without a charset", async () => {
    for (const type of ['application/json', 'application/scim+json', 'Application/SCIM+JSON; charset=utf-8']) {
      const payload = JSON.stringify(newUser());
      assert.equal((await send({ headers: { ...headers, 'content-type': type }, payload })).statusCode, 201, type);
    }
    const url = '/api/users/profile';
    assert.equal(
      (await send({ headers: { ...headers, authorization: `Bearer ${await personsToken()}` }, url, payload: '{}' }))
        .statusCode,
      415,
    );
  });
});

async function personsToken(): Promise<string> {
  return api.tokenFor((await addPerson(api.db)).email);
}

testDiscovery(one);
