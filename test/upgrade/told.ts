import assert from 'node:assert/strict';
import { patchOf, replace, USER } from '../scim/directory.ts';

/** What an instance was told and has acknowledged. */
export interface Told {
  /** A key of a directory. */
  readonly key: string;
  /** Requests that it acknowledged. */
  readonly count: number;
  /** Looks whether an instance has all of it. */
  check(address: string): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: what comes is JSON.
type Json = any;
type Tokens = Readonly<Record<'admin' | 'staff', string>>;

async function send(address: string, token: string, path: string, body?: object | string, method = 'POST') {
  const isCsv = typeof body === 'string';
  const response = await fetch(address + path, {
    method: body === undefined ? 'GET' : method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': isCsv ? 'text/csv' : 'application/json' }),
    },
    ...(body !== undefined && { body: isCsv ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: (text === '' ? undefined : JSON.parse(text)) as Json };
}

/** Tells an instance of what directories, HR, travel and administrators send. @param mark tells what one run writes from that of another */
export async function tellOldInstance(address: string, companyId: string, tokens: Tokens, mark: string): Promise<Told> {
  let count = 0;
  async function tell(token: string, path: string, body: object | string, method?: string): Promise<Json> {
    const answer = await send(address, token, path, body, method);
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`);
    count += 1;
    return answer.body?.data ?? answer.body;
  }
  const admin = (path: string, body: object | string) => tell(tokens.admin, `/api/${path}`, body);
  const made = await tell(tokens.staff, '/api/api-keys/create', {
    companyId,
    name: `Directory ${mark}`,
    scopes: ['scim'],
  });
  const { key } = made as { key: string };
  const scim = (path: string, body: object, method?: string) => tell(key, `/scim/v2${path}`, body, method);

  const userName = `mid-${mark}@acme.example`;
  const named = { schemas: [USER], name: { givenName: 'Mid', familyName: 'Way' } };
  const person = await scim('/Users', { ...named, userName, externalId: `mid-${mark}` });
  const taken = await send(address, key, '/scim/v2/Users', {
    ...named,
    userName: `other-${mark}@acme.example`,
    externalId: `mid-${mark}`,
  });
  assert.equal(taken.status, 409, taken.text);
  await scim(
    `/Users/${person.id}`,
    patchOf(replace('externalId', `moved-${mark}`), replace('title', 'Guide')),
    'PATCH',
  );
  const group = await scim('/Groups', { displayName: `Guides ${mark}`, members: [{ value: person.id }] });
  const mapping = await admin('group-mappings/create', { companyId, groupId: group.id, role: 'MANAGER' });
  const webhook = await admin('webhooks/create', {
    companyId,
    url: `https://127.0.0.1:9/${mark}`,
    entities: ['user', 'department'],
  });
  const policy = await admin('approval-policies/create', { companyId, name: `Trips ${mark}` });
  await admin(`users/import?companyId=${companyId}`, `email,firstName,lastName\nfile-${mark}@acme.example,File,Row\n`);
  await admin('users/update', { id: person.id, lastName: 'Lead' });
  const booking = {
    id: `beside-${mark}`,
    companyId,
    userId: person.id,
    amount: '12.50',
    createdAt: new Date().toISOString(),
  };
  await tell(tokens.staff, '/api/bookings/record', { bookings: [booking] });

  return {
    key,
    get count() {
      return count;
    },
    async check(place) {
      const read = async (path: string, token = tokens.admin) => {
        const answer = await send(place, token, path);
        assert.equal(answer.status, 200, `${path}: ${answer.text}`);
        return answer.body?.data ?? answer.body;
      };
      const find = (value: string) =>
        read(`/scim/v2/Users?filter=${encodeURIComponent(`externalId eq "${value}"`)}`, key);
      const found = await find(`moved-${mark}`);
      assert.deepEqual(
        found.Resources.map(({ id }: Json) => id),
        [person.id],
      );
      assert.equal((await find(`mid-${mark}`)).totalResults, 0);
      const groups = await read(`/scim/v2/Groups/${group.id}`, key);
      assert.deepEqual(
        groups.members.map(({ value }: Json) => value),
        [person.id],
      );
      const shown = await read(`/api/users/get?id=${person.id}`);
      assert.deepEqual([shown.email, shown.lastName, shown.roles.includes('MANAGER')], [userName, 'Lead', true]);
      assert.equal((await read(`/scim/v2/Users/${person.id}`, key)).title, 'Guide');
      assert.equal((await read(`/api/group-mappings/get?id=${mapping.id}`)).groupId, group.id);
      const hook = await read(`/api/webhooks/get?id=${webhook.id}`);
      assert.deepEqual([hook.url, [...hook.entities].sort()], [webhook.url, ['department', 'user']]);
      assert.equal((await read(`/api/approval-policies/get?id=${policy.id}`)).name, policy.name);
      const imported = await read(`/api/users/list?companyId=${companyId}&search=file-${mark}%40acme.example`);
      assert.equal(imported.length, 1);
      const bookings = await read(`/api/bookings/list?companyId=${companyId}&userId=${person.id}`);
      assert.deepEqual(
        bookings.map(({ id, amount }: Json) => [id, amount]),
        [[booking.id, booking.amount]],
      );
    },
  };
}

/** Returns the versions of all people and groups that a directory sees, by their ids. */
export async function versionsOf(address: string, key: string): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const path of ['/scim/v2/Users?count=200', '/scim/v2/Groups?count=200']) {
    const { body, text } = await send(address, key, path);
    assert.ok(body.Resources.length > 0, text);
    for (const { id, meta } of body.Resources) versions[id] = meta.version;
  }
  return versions;
}
