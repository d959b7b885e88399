import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listenLocally } from '../support/bare-app.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { proxiedTags } from '../support/proxied-tags.ts';
import { type Json, newUser, ORGDESK, openDirectory, patchOf } from './directory.ts';
import { testLocations } from './location-tests.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Protocol');
const { body: user } = await directory.send('POST', '/Users', newUser());
const url = `/Users/${user.id}`;
const groups: Json[] = (await directory.send('GET', '/Groups')).body.Resources;
const group = groups.find(({ displayName }) => displayName === 'Managers');

const ask = (path: string, headers: object = {}, more: object = {}) =>
  api.app.inject({ url: path, headers: { authorization: `Bearer ${directory.key}`, ...headers }, ...more });

describe('addresses', () => {
  it('a SCIM request whose address has trailing or double slashes is answered as without those slashes', async () => {
    const filter = `filter=${encodeURIComponent(`userName eq "${user.userName}"`)}`;
    for (const path of [
      '/scim/v2/Users/',
      '/scim/v2//Users',
      '//scim/v2/Users',
      '/scim//v2/Users//',
      `/scim/v2/Users/?${filter}`,
      `/scim/v2//Users//${user.id}/`,
      '/scim/v2/ServiceProviderConfig/',
      '/scim/v2//Groups/?count=1',
      'http://localhost:80/scim/v2//Users/',
      `/scim/v2/Groups//${group.id}`,
    ]) {
      const response = await ask(path);
      assert.equal(response.statusCode, 200, `${path}: ${response.body}`);
    }
    const posted = await ask(
      '/scim/v2/Users/',
      { 'content-type': 'application/scim+json' },
      { method: 'POST', payload: JSON.stringify(newUser()) },
    );
    assert.equal(posted.statusCode, 201);
    const [slashed, plain] = [await ask(`/scim/v2//Users/?${filter}`), await ask(`/scim/v2/Users?${filter}`)];
    assert.deepEqual(slashed.json(), plain.json());
    for (const path of [
      '/scim/v2/',
      '/scim/v2//Nothing/',
      '/scim/v2x/Users',
      '/api//users/profile',
      '/scim/v2/Users/a/b/',
    ]) {
      assert.equal((await ask(path)).statusCode, 404, path);
    }
  });

  it('a SCIM request with a malformed address returns 400 in the form of SCIM', async () => {
    for (const path of ['/scim/v2/Users/%', '/scim/v2/%ZZ/', '/scim/v2//Users/%E0%A4%A']) {
      const response = await ask(path);
      assert.deepEqual([response.statusCode, response.json().status], [400, '400'], path);
    }
  });

  it("SCIM's Me, Bulk and the search over all resources return 501", async () => {
    for (const [method, path] of [
      ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((one) => [one, '/Me'] as const),
      ['POST', '/Bulk'],
      ['POST', '/.search'],
      ['POST', '/Bulk/'],
    ] as const) {
      const { status, body, headers } = await directory.send(method, path, method === 'GET' ? undefined : {});
      assert.deepEqual([status, body.status], [501, '501'], `${method} ${path}`);
      assert.equal(headers['content-type'], 'application/scim+json');
    }
    assert.equal((await directory.send('GET', '/Bulk')).status, 405);
  });
});

describe('answers', () => {
  it('every SCIM answer has the media type application/scim+json without a parameter', async () => {
    const headers = { 'content-type': 'application/scim+json' };
    for (const response of [
      await ask('/scim/v2/Users'),
      await ask(`/scim/v2${url}`),
      await ask('/scim/v2/Groups'),
      await ask(`/scim/v2/Groups/${group.id}`),
      await ask('/scim/v2/Schemas'),
      await ask('/scim/v2/ServiceProviderConfig'),
      await ask('/scim/v2/Users/x'),
      await ask('/scim/v2/Nothing'),
      await ask('/scim/v2/Me'),
      await ask('/scim/v2/Users?filter=x'),
      await ask('/scim/v2/Users/%'),
      await ask('/scim/v2/Users', headers, { method: 'POST', payload: '{' }),
      await ask('/scim/v2/Users', { ...headers, authorization: '' }),
      await ask('/scim/v2/Users', headers, { method: 'POST', payload: JSON.stringify(newUser()) }),
    ]) {
      assert.equal(response.headers['content-type'], 'application/scim+json', response.body);
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
    }
  });

  it("SCIM's answers have the resource's location and version in Location and ETag", async () => {
    for (const answer of [
      await directory.send('GET', url),
      await directory.send('PUT', url, user),
      await directory.send('PATCH', url, patchOf({ op: 'replace', path: 'active', value: true })),
      await directory.send('GET', `/Groups/${group.id}`),
    ]) {
      assert.equal(answer.status, 200);
      assert.deepEqual(
        [answer.headers.location, answer.headers.etag],
        [answer.body.meta.location, answer.body.meta.version],
      );
    }
  });

  it("SCIM's ETag is the version in any encoding, and a GET with it as a proxy rewrites it returns 304", async () => {
    for (const [path, coding, decode] of [
      [url, 'gzip', gunzipSync],
      [url, 'br', brotliDecompressSync],
      [`/Groups/${group.id}`, 'gzip', gunzipSync],
    ] as const) {
      const response = await ask(`/scim/v2${path}`, { 'accept-encoding': coding });
      const isCompressed = response.headers['content-encoding'] === coding;
      const { meta } = JSON.parse((isCompressed ? decode(response.rawPayload) : response.rawPayload).toString());
      assert.equal(response.headers.etag, meta.version);
      for (const tag of [
        ...proxiedTags(meta.version),
        `${meta.version.slice(0, -1)}-gzip"`,
        `"x", W/${meta.version}`,
        '*',
      ]) {
        assert.equal((await ask(`/scim/v2${path}`, { 'if-none-match': tag })).statusCode, 304, `${path} ${tag}`);
      }
      assert.equal((await ask(`/scim/v2${path}`, { 'if-none-match': '"x"' })).statusCode, 200);
    }
  });

  it("SCIM's GET, PUT, PATCH and list return only the requested attributes", async () => {
    const keys = (body: Json) => Object.keys(body).sort();
    const whole = keys((await directory.send('GET', url)).body);
    for (const [query, expected] of [
      ['attributes=userName', ['id', 'schemas', 'userName']],
      ['attributes=USERNAME,name.givenName', ['id', 'name', 'schemas', 'userName']],
      [`attributes=${ORGDESK}:bandCode`, ['id', 'schemas', ORGDESK]],
      [`attributes=${ORGDESK.toLowerCase()}`, ['id', 'schemas', ORGDESK]],
      ['attributes=emails%5Btype+eq+%22work%22%5D', ['emails', 'id', 'schemas']],
      ['attributes=nothing', ['id', 'schemas']],
      ['excludedAttributes=emails,Meta', whole.filter((name) => name !== 'emails' && name !== 'meta')],
      ['excludedAttributes=id,schemas', whole],
    ] as const) {
      const answers = [
        await directory.send('GET', `${url}?${query}`),
        await directory.send('PUT', `${url}?${query}`, user),
        await directory.send('PATCH', `${url}?${query}`, patchOf({ op: 'replace', path: 'active', value: true })),
      ];
      for (const { status, body } of answers)
        assert.deepEqual([status, keys(body)], [200, [...expected].sort()], query);
      const filter = encodeURIComponent(`id eq "${user.id}"`);
      const list = await directory.send('GET', `/Users?filter=${filter}&${query}`);
      assert.deepEqual(list.body.Resources, [answers[0]?.body], query);
    }
    const { body } = await directory.send('GET', `${url}?attributes=name.familyName,emails.value`);
    assert.deepEqual([keys(body.name), keys(body.emails[0])], [['familyName'], ['value']]);
    const many = Array.from({ length: 101 }, (_, index) => `a${index}`).join(',');
    const before = (await directory.send('GET', url)).body;
    const { status } = await directory.send(
      'PATCH',
      `${url}?attributes=${many}`,
      patchOf({ op: 'replace', path: 'name.givenName', value: 'Unwritten' }),
    );
    assert.equal(status, 400);
    assert.deepEqual((await directory.send('GET', url)).body, before);
  });
});

describe('the last change', () => {
  it("a change of a person's roles changes the last modification that SCIM returns and filters", async () => {
    const { body: other } = await directory.send('POST', '/Users', newUser());
    for (const change of [
      () =>
        directory.send(
          'PATCH',
          `/Users/${other.id}`,
          patchOf({ op: 'add', path: 'roles', value: [{ value: 'MANAGER' }] }),
        ),
      () => directory.send('PATCH', `/Users/${other.id}`, patchOf({ op: 'remove', path: 'roles[value eq "MANAGER"]' })),
      () =>
        directory.send(
          'PATCH',
          `/Groups/${group.id}`,
          patchOf({ op: 'add', path: 'members', value: [{ value: other.id }] }),
        ),
      () => directory.send('PATCH', `/Groups/${group.id}`, patchOf({ op: 'remove', path: 'members' })),
    ]) {
      const before = (await directory.send('GET', `/Users/${other.id}`)).body.meta;
      const groupBefore = (await directory.send('GET', `/Groups/${group.id}`)).body.meta;
      await change();
      const { meta } = (await directory.send('GET', `/Users/${other.id}`)).body;
      assert.ok(meta.lastModified > before.lastModified && meta.version !== before.version);
      assert.equal(meta.created, before.created);
      const filter = encodeURIComponent(`meta.lastModified gt "${before.lastModified}" and id eq "${other.id}"`);
      assert.equal((await directory.send('GET', `/Users?filter=${filter}`)).body.totalResults, 1);
      const groupAfter = (await directory.send('GET', `/Groups/${group.id}`)).body.meta;
      const isMoved = groupAfter.version !== groupBefore.version;
      assert.equal(groupAfter.lastModified > groupBefore.lastModified, isMoved);
    }
  });
});

testLocations(directory);

describe('over a socket', () => {
  it("a SCIM request over a socket accepts double slashes and compression, and returns SCIM's media type", async () => {
    const port = await listenLocally(api.app);
    const response = await new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
      (resolve, reject) => {
        const sent = request(
          {
            port,
            path: '//scim/v2//Groups/',
            headers: { authorization: `Bearer ${directory.key}`, 'accept-encoding': 'gzip' },
          },
          (message) => {
            const chunks: Buffer[] = [];
            message.on('data', (chunk: Buffer) => chunks.push(chunk));
            message.on('end', () =>
              resolve({ status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) }),
            );
          },
        );
        sent.on('error', reject).end();
      },
    );
    assert.deepEqual([response.status, response.headers['content-type']], [200, 'application/scim+json']);
    const body = response.headers['content-encoding'] === 'gzip' ? gunzipSync(response.body) : response.body;
    assert.equal(JSON.parse(body.toString()).totalResults, 3);
  });
});
