import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { type Json, newUser, openDirectory, patchOf } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Bounded');
const { body: user } = await directory.send('POST', '/Users', newUser());
const url = `/Users/${user.id}`;

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: `${index}@bounded.example`, type: `type${index}` }));
const patch = (...operations: object[]) => directory.send('PATCH', url, patchOf(...operations));

function assertRefused({ status, body }: { status: number; body: Json }, scimType: string, detail: RegExp): void {
  assert.deepEqual([status, body.scimType], [400, scimType], JSON.stringify(body));
  assert.match(body.detail, detail);
  assert.ok(body.detail.length < 500, `${body.detail.length} characters are said`);
}

describe('lists that are sent', () => {
  it('a SCIM request with more than 100 emails, phoneNumbers or addresses returns 400', async () => {
    for (const [name, values] of [
      ['emails', addresses],
      ['phoneNumbers', (count: number) => addresses(count).map(({ type }) => ({ value: '+919845000001', type }))],
      ['addresses', (count: number) => addresses(count).map(({ type }) => ({ postalCode: '560001', type }))],
    ] as const) {
      const most = /at most 100 values/;
      assertRefused(await directory.send('POST', '/Users', newUser({ [name]: values(101) })), 'invalidValue', most);
      assertRefused(await directory.send('PUT', url, { ...user, [name]: values(101) }), 'invalidValue', most);
      assertRefused(await patch({ op: 'add', path: name, value: values(101) }), 'invalidValue', most);
      assertRefused(await patch({ op: 'remove', path: name, value: values(101) }), 'invalidValue', most);
      assertRefused(await patch({ op: 'replace', value: { [name]: values(101) } }), 'invalidValue', most);
      const halves = [values(80), values(160).slice(80)].map((value) => ({ op: 'add', path: name, value }));
      assertRefused(await patch(...halves), 'invalidValue', most);
      assert.equal((await directory.send('POST', '/Users', newUser({ [name]: values(100) }))).status, 201, name);
    }
  });

  it('a SCIM request with more than 100 roles returns 400', async () => {
    const roles = Array.from({ length: 20_000 }, () => 0);
    for (const [method, path, body] of [
      ['POST', '/Users', newUser({ roles })],
      ['PUT', url, { ...user, roles }],
      ['PATCH', url, patchOf({ op: 'add', path: 'roles', value: roles })],
    ] as const) {
      assertRefused(await directory.send(method, path, body), 'invalidValue', /at most 100 values/);
    }
  });

  it('the SCIM schema of users states how many values each list may have', async () => {
    const { body } = await directory.send('GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User');
    for (const [name, most] of [
      ['emails', 100],
      ['phoneNumbers', 100],
      ['addresses', 100],
      ['roles', 100],
    ] as const) {
      const { description } = body.attributes.find((attribute: Json) => attribute.name === name);
      assert.match(description, new RegExp(`At most ${most} values`), name);
    }
  });
});

describe('an address', () => {
  it("SCIM's POST keeps a country of 200 characters, and leaves a longer one out", async () => {
    for (const [country, kept] of [
      ['x'.repeat(200), 'x'.repeat(200)],
      ['x'.repeat(201), undefined],
    ] as const) {
      const sent = newUser({ addresses: [{ type: 'work', country }] });
      const { status, body } = await directory.send('POST', '/Users', sent);
      assert.deepEqual([status, body.addresses?.[0].country], [201, kept], JSON.stringify(body));
    }
  });
});

describe('names of requested attributes', () => {
  it('a SCIM request for more than 100 attributes returns 400', async () => {
    const names = Array.from({ length: 20_000 }, () => 'a');
    for (const name of ['attributes', 'excludedAttributes']) {
      for (const many of [names.join(','), names.slice(0, 101), [names.slice(0, 101).join(',')]]) {
        const answer = await directory.send('POST', '/Users/.search', { [name]: many });
        assertRefused(answer, 'invalidValue', /at most 100 names/);
      }
      const query = `/Users?${name}=${names.slice(0, 101).join(',')}`;
      assertRefused(await directory.send('GET', query), 'invalidValue', /at most 100 names/);
      const few = { [name]: names.slice(0, 100).join(',') };
      assert.equal((await directory.send('POST', '/Users/.search', few)).status, 200);
    }
  });
});

describe('comparisons', () => {
  const types = (count: number) => Array.from({ length: count }, (_, index) => `type eq "${index}"`).join(' or ');

  it('a SCIM filter with more than 20 comparisons returns 400 invalidFilter', async () => {
    const filter = (count: number) => Array.from({ length: count }, () => 'active eq true').join(' and ');
    assert.equal((await directory.send('POST', '/Users/.search', { filter: filter(20) })).status, 200);
    for (const path of ['/Users/.search', `/Users?filter=${encodeURIComponent(filter(21))}`]) {
      const answer = path.includes('?')
        ? await directory.send('GET', path)
        : await directory.send('POST', path, { filter: filter(21) });
      assertRefused(answer, 'invalidFilter', /more than 20 comparisons/);
    }
  });

  it('a SCIM PATCH with more than 20 comparisons in all of its paths returns 400 invalidFilter', async () => {
    const remove = (count: number) => ({ op: 'remove', path: `emails[${types(count)}]` });
    assert.equal((await patch(remove(10), remove(10))).status, 200);
    assertRefused(await patch(remove(10), remove(11)), 'invalidFilter', /more than 20 comparisons/);
    const [group] = (await directory.send('GET', '/Groups')).body.Resources;
    const chosen = (count: number) => Array.from({ length: count }, (_, index) => `value eq "${index}"`).join(' or ');
    const ofGroup = (...paths: string[]) => {
      const operations = paths.map((path) => ({ op: 'remove', path: `members[${path}]` }));
      return directory.send('PATCH', `/Groups/${group.id}`, patchOf(...operations));
    };
    assert.equal((await ofGroup(chosen(10), chosen(10))).status, 204);
    assertRefused(await ofGroup(chosen(10), chosen(11)), 'invalidFilter', /more than 20 comparisons/);
    assert.equal((await ofGroup(...Array.from({ length: 500 }, () => chosen(1)))).status, 204);
  });
});

describe('names in a body', () => {
  it('a SCIM body that repeats an attribute in other letter case returns 400 invalidSyntax', async () => {
    const twice = { NICKNAME: 'a', nickname: 'b' };
    const both = /nickname is sent twice/;
    assertRefused(await directory.send('POST', '/Users', newUser(twice)), 'invalidSyntax', both);
    assertRefused(await directory.send('PUT', url, { ...user, ...twice }), 'invalidSyntax', both);
    assertRefused(await patch({ op: 'add', value: twice }), 'invalidSyntax', both);
    const [group] = (await directory.send('GET', '/Groups')).body.Resources;
    const names = { externalId: 'a', EXTERNALID: 'b' };
    for (const answer of [
      await directory.send('PUT', `/Groups/${group.id}`, { displayName: group.displayName, ...names }),
      await directory.send('PATCH', `/Groups/${group.id}`, patchOf({ op: 'add', value: names })),
    ]) {
      assertRefused(answer, 'invalidSyntax', /EXTERNALID is sent twice/);
    }
  });

  it('a SCIM body that repeats a name at any level, also an unknown one, returns 400 invalidSyntax', async () => {
    const twice = (text: string) =>
      api.app.inject({
        method: 'POST',
        url: '/scim/v2/Users',
        headers: { authorization: `Bearer ${directory.key}`, 'content-type': 'application/scim+json' },
        payload: JSON.stringify(newUser({ unknown: '?' })).replace('"unknown":"?"', text),
      });
    for (const text of ['"unknown":1,"unknown":1', '"unknown":{"a":1,"a":1}', '"unknown":[{"a":1,"\\u0061":1}]']) {
      const response = await twice(text);
      assert.deepEqual([response.statusCode, response.json().scimType], [400, 'invalidSyntax'], text);
    }
  });
});

describe('bodies', () => {
  const membersOf = (count: number) => patchOf({ op: 'add', path: 'members', value: new Array(count).fill({}) });

  it('a SCIM request with a person of more than 64 KiB returns 413', async () => {
    const more = (length: number) => newUser({ nickName: 'x'.repeat(length) });
    assert.equal((await directory.send('POST', '/Users', more(64 * 1024 - 1_000))).status, 201);
    const large = more(64 * 1024);
    for (const [method, path, body] of [
      ['POST', '/Users', large],
      ['PUT', url, large],
      ['PATCH', url, patchOf({ op: 'add', value: large })],
      ['POST', '/Users/.search', large],
    ] as const) {
      const answer = await directory.send(method, path, body);
      assert.deepEqual([answer.status, answer.body.detail], [413, 'The body is larger than 64 KiB.'], method);
    }
  });

  it('a SCIM body with more than 100,000 names, objects and lists returns 413', async () => {
    const [group] = (await directory.send('GET', '/Groups')).body.Resources;
    const send = (count: number) => directory.send('PATCH', `/Groups/${group.id}`, membersOf(count));
    // The body with two names and two lists, an operation with three names, and the list of members.
    const others = 10;
    assertRefused(await send(100_000 - others), 'invalidValue', /at most 20000 values/);
    const { status, body } = await send(100_000 - others + 1);
    assert.deepEqual([status, body.detail], [413, 'The body has more than 100,000 names, objects and lists.']);
  });
});
