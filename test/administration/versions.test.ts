import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { directoryFor, patchOf } from '../scim/directory.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { otherTags, proxiedTags } from '../support/proxied-tags.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, home, superAdmin, admin, get, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());

const department = { id: home.departmentId };
const band = { id: home.bandId };
const person = await add();

/** How each kind of resource is read, and changed under a condition to a value that is a new one each time. */
const RESOURCES = {
  profile: {
    read: () => api.send({ url: '/api/users/profile', as: person.email }),
    change: (name: string, headers: Record<string, string>) =>
      api.send({
        method: 'POST',
        url: '/api/users/update-profile',
        as: person.email,
        payload: { firstName: name, addressLine2: '' },
        headers,
      }),
  },
  person: {
    read: () => get(admin, 'users/get', { id: person.id }),
    change: (lastName: string, headers: Record<string, string>) =>
      post(admin, 'users/update', { id: person.id, lastName }, headers),
  },
  company: {
    read: () => get(superAdmin, 'companies/get', { id: home.id }),
    change: (name: string, headers: Record<string, string>) =>
      post(superAdmin, 'companies/update', { id: home.id, name }, headers),
  },
  department: {
    read: () => get(admin, 'departments/get', department),
    change: (name: string, headers: Record<string, string>) =>
      post(admin, 'departments/update', { ...department, name }, headers),
  },
  band: {
    read: () => get(admin, 'bands/get', band),
    change: (name: string, headers: Record<string, string>) => post(admin, 'bands/update', { ...band, name }, headers),
  },
};

for (const [kind, { read, change }] of Object.entries(RESOURCES)) {
  describe(`If-Match of a ${kind}`, () => {
    it(`If-Match of a ${kind} accepts a tag that a proxy made weak or labelled with a content coding`, async () => {
      const tagNow = async () => String((await read()).headers.etag);
      const { length } = proxiedTags(await tagNow());
      for (let index = 0; index < length; index++) {
        const sent = proxiedTags(await tagNow())[index] ?? '';
        const response = await change(`Name ${index}`, { 'if-match': sent });
        assert.equal(response.statusCode, 200, `${sent}: ${response.body}`);
      }
    });

    it(`If-Match of a ${kind} returns 412 for any other tag, and for the tag before a change`, async () => {
      const before = String((await read()).headers.etag);
      for (const sent of otherTags(before)) {
        assertRefused(await change('Never', { 'if-match': sent }), 412, 'PRECONDITION_FAILED');
      }
      dataOf(await change('Changed', {}));
      for (const sent of proxiedTags(before)) {
        assertRefused(await change('Never', { 'if-match': sent }), 412, 'PRECONDITION_FAILED');
      }
    });
  });
}

describe('If-Match and If-None-Match of SCIM', () => {
  it('If-Match and If-None-Match of SCIM accept a tag that a proxy has changed, and no other tag', async () => {
    const directory = await directoryFor(api, home);
    const url = `/Users/${person.id}`;
    const read = async (headers = {}) => directory.send('GET', url, undefined, headers);
    const patch = (value: string, headers: Record<string, string>) => {
      const operation = { op: 'replace', path: 'name.givenName', value };
      return directory.send('PATCH', url, patchOf(operation), headers);
    };
    const { length } = proxiedTags('"x"');
    for (let index = 0; index < length; index++) {
      const sent = proxiedTags((await read()).body.meta.version)[index] ?? '';
      assert.equal((await read({ 'if-none-match': sent })).status, 304, sent);
      assert.equal((await patch(`Name ${index}`, { 'if-match': sent })).status, 200, sent);
    }
    for (const sent of otherTags((await read()).body.meta.version)) {
      assert.equal((await read({ 'if-none-match': sent })).status, 200, sent);
      assert.equal((await patch('Never', { 'if-match': sent })).status, 412, sent);
    }
  });
});
