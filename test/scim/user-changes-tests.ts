import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { TestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import {
  assertFault,
  createUser,
  ENTERPRISE,
  ORGDESK,
  patchOf,
  replace,
  type TestDirectory,
  trailOf,
  USER,
} from './directory.ts';

/** All that a directory may tell of a user, next to what each needs. */
export const FULL = {
  externalId: 'full-1',
  phoneNumbers: [
    { value: '+919845000001', type: 'mobile' },
    { value: '+919845000002', type: 'work' },
  ],
  addresses: [{ type: 'work', streetAddress: '14 Lake View Road', postalCode: '560001', locality: 'Bengaluru' }],
  roles: [{ value: 'MANAGER' }, { value: 'EMPLOYEE' }],
  [ENTERPRISE]: { department: 'Sales' },
  [ORGDESK]: {
    bandCode: 'B1',
    approvalLimit: '120.50',
    clientType: 'AGENCY',
    dateOfBirth: '1990-05-14',
    gender: 'Female',
    addressLine2: 'Flat 3B',
  },
};

/** What a directory changes of a user, by a PUT or a PATCH. */
export function testUserChanges(api: TestApp, directory: TestDirectory): void {
  const { company } = directory;
  const get = async (id: string) => (await directory.send('GET', `/Users/${id}`)).body;
  const put = (id: string, body: object) => directory.send('PUT', `/Users/${id}`, body);
  const patch = (id: string, ...operations: object[]) =>
    directory.send('PATCH', `/Users/${id}`, patchOf(...operations));

  describe('a user that is replaced', () => {
    it('a SCIM PUT of a user as it was read changes nothing and leaves no trail', async () => {
      const sent = await createUser(directory, { ...FULL, externalId: 'read' });
      const madeHere = await addPerson(api.db, { company, roles: [['EMPLOYEE', company]] });
      for (const { id } of [sent, madeHere]) {
        const before = await trailOf(api, id);
        const user = await get(id);
        const { status, body } = await put(id, user);
        assert.deepEqual([status, body], [200, user]);
        assert.deepEqual(await trailOf(api, id), before);
      }
    });

    it('a SCIM PUT without optional values clears them, and keeps active, department, band and roles', async () => {
      const { id, userName } = await createUser(directory, {
        ...FULL,
        externalId: 'cleared',
        active: false,
        emails: [{ type: 'work', value: 'w@x.example' }],
      });
      const { status, body } = await put(id, {
        schemas: [USER],
        userName,
        name: { givenName: 'New', familyName: 'Name' },
      });
      assert.equal(status, 200);
      assert.deepEqual(
        [body.active, body.roles, body[ENTERPRISE], body[ORGDESK]],
        [
          false,
          [{ value: 'EMPLOYEE' }, { value: 'MANAGER' }],
          { department: 'Sales' },
          { bandCode: 'B1', approvalLimit: '0.00', clientType: 'CORPORATE' },
        ],
      );
      assert.deepEqual([body.externalId, body.phoneNumbers, body.addresses], [undefined, undefined, undefined]);
      assert.deepEqual(body.emails, [{ value: userName, type: 'work', primary: true }]);
    });

    it('a SCIM PUT or PATCH that empties the userName or a name returns 400', async () => {
      const user = await createUser(directory);
      for (const wrong of [
        { userName: '' },
        { userName: null },
        { name: { givenName: '', familyName: 'X' } },
        { name: null },
      ]) {
        assertFault(await put(user.id, { ...user, ...wrong }), 400, 'invalidValue');
      }
      for (const path of [
        'userName',
        'name',
        'name.givenName',
        'name.familyName',
        'active',
        `${ORGDESK}:bandCode`,
        ORGDESK,
      ]) {
        assertFault(await patch(user.id, { op: 'remove', path }), 400, 'mutability');
        // An empty last name is one; only that it is removed is refused.
        if (path !== 'name.familyName') assertFault(await patch(user.id, replace(path, null)), 400, 'invalidValue');
      }
      assert.deepEqual(await get(user.id), user);
    });

    it("a person's work address in SCIM is the userName until a separate one is sent", async () => {
      const { id, userName } = await createUser(directory, { emails: undefined });
      const addresses = async () => {
        const user = await get(id);
        return [user.userName, user.emails[0].value];
      };
      assert.deepEqual(await addresses(), [userName, userName]);
      await patch(id, replace('userName', 'second@people.example'));
      assert.deepEqual(await addresses(), ['second@people.example', 'second@people.example']);
      await patch(id, replace('emails[type eq "work"].value', 'Work@people.example'));
      await patch(id, replace('userName', 'third@people.example'));
      assert.deepEqual(await addresses(), ['third@people.example', 'Work@people.example']);
      await patch(id, { op: 'remove', path: 'emails' });
      assert.deepEqual(await addresses(), ['third@people.example', 'third@people.example']);
    });

    it('a SCIM PATCH with an unreadable phone keeps the stored phone', async () => {
      const { id } = await createUser(directory, { phoneNumbers: [{ value: '+919845000001', type: 'mobile' }] });
      for (const value of ['ext. 12', '98450 00002', '+91 1234 567']) {
        const { status, body } = await patch(id, replace('phoneNumbers', [{ value, type: 'work' }]));
        assert.deepEqual([status, body.phoneNumbers], [200, [{ value: '+919845000001', type: 'mobile' }]], value);
      }
    });
  });

  describe('a patch', () => {
    it('a SCIM PATCH without a known operation, path and value returns 400', async () => {
      const { id } = await createUser(directory);
      for (const [operations, scimType] of [
        [[], 'invalidSyntax'],
        [[{ op: 'move', path: 'active', value: true }], 'invalidSyntax'],
        [[{ op: 'remove' }], 'noTarget'],
        [[{ op: 'replace', path: 'active' }], 'invalidValue'],
        [[{ op: 'replace', value: 'x' }], 'invalidValue'],
        [[replace('nonsense', 1)], 'invalidPath'],
        [[replace('name.nonsense', 1)], 'invalidPath'],
        [[replace('emails[type eq "work"', 1)], 'invalidPath'],
        [[replace('emails[nonsense eq "x"].value', 'a@b.example')], 'invalidPath'],
        [[replace('emails[type pr and].value', 'a@b.example')], 'invalidFilter'],
        [[replace('emails[type co "home"].value', 'a@b.example')], 'noTarget'],
        [[replace('userName[type eq "x"]', 'a@b.example')], 'invalidPath'],
        [[replace('id', randomUUID())], 'mutability'],
        [[replace('meta.version', 'x')], 'mutability'],
      ] as const) {
        assertFault(await directory.send('PATCH', `/Users/${id}`, patchOf(...operations)), 400, scimType);
      }
      const operations = { Operations: [replace('active', true)] };
      assertFault(
        await directory.send('PATCH', `/Users/${id}`, { schemas: ['urn:other'], ...operations }),
        400,
        'invalidSyntax',
      );
      assert.equal((await directory.send('PATCH', `/Users/${id}`, operations)).status, 200);
    });

    it('a SCIM PATCH of several attributes leaves one change in the trail, by the key', async () => {
      const { id } = await createUser(directory);
      const before = (await trailOf(api, id)).length;
      const { status } = await patch(
        id,
        replace('name.givenName', 'Trail'),
        replace('externalId', 'trail'),
        replace('active', 'False'),
      );
      assert.equal(status, 200);
      const rows = (await trailOf(api, id)).slice(before);
      assert.deepEqual(
        rows.map(({ fields, actor, action }) => [action, fields, actor]),
        [['changed', ['firstName', 'externalId', 'active'], `key ${directory.keyId}`]],
      );
    });
  });

  describe('versions', () => {
    it('a SCIM write with an old version in If-Match returns 412, and a GET with the current one 304', async () => {
      const { id, meta } = await createUser(directory);
      const url = `/Users/${id}`;
      const read = await directory.send('GET', url);
      assert.equal(read.headers.etag, meta.version);
      assert.equal(
        (await directory.send('GET', url, undefined, { 'if-none-match': `"x", W/${meta.version}` })).status,
        304,
      );
      const changed = await directory.send('PATCH', url, patchOf(replace('name.givenName', 'One')), {
        'if-match': meta.version,
      });
      assert.equal(changed.status, 200);
      assert.notEqual(changed.headers.etag, meta.version);
      assert.equal((await directory.send('GET', url, undefined, { 'if-none-match': meta.version })).status, 200);
      const late = { 'if-match': meta.version };
      assertFault(await directory.send('PATCH', url, patchOf(replace('name.givenName', 'Two')), late), 412);
      assertFault(await directory.send('PUT', url, changed.body, late), 412);
      assertFault(await directory.send('DELETE', url, undefined, late), 412);
      assert.deepEqual(await get(id), changed.body);
      assert.equal(
        (await directory.send('DELETE', url, undefined, { 'if-match': String(changed.headers.etag) })).status,
        204,
      );
    });
  });
}
