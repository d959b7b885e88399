import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ReducedProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, userRow } from '../support/people.ts';
import { UPDATE_PROFILE } from '../support/update-profile.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { id, email } = await addPerson(api.db);

/** Sends the query string as it stands. */
function get(query: string, headers: Record<string, string> = {}) {
  return api.send({ url: `${UPDATE_PROFILE}?${query}`, as: email, headers });
}

/** Whatever is done, the person stays as it is. */
async function unchangedBy(act: () => Promise<void>): Promise<void> {
  const before = await userRow(api.db, id);
  await act();
  assert.deepEqual(await userRow(api.db, id), before);
}

describe('update profile by GET: the request', () => {
  it('update-profile by GET reads decoded fields from the query string', async () => {
    const query = 'firstName=Ana+Mar%C3%ADa&lastName=c%2Bd&addressLine1=1%2C%20Rua%3Da%26b&addressLine2=😀=1';
    const data = dataOf<ReducedProfileView>(await get(query));
    const { firstName, lastName, addressLine1, addressLine2 } = data;
    assert.deepEqual([firstName, lastName, addressLine1, addressLine2], ['Ana María', 'c+d', '1, Rua=a&b', '😀=1']);
  });

  it('update-profile by GET ignores a body', async () => {
    await unchangedBy(async () => {
      const payload = { firstName: 'Body' };
      dataOf(await api.send({ url: UPDATE_PROFILE, method: 'GET', as: email, payload }));
    });
  });

  it('update-profile by GET reads an empty value as an empty text, not as an absent field', async () => {
    await unchangedBy(async () => {
      for (const query of ['firstName=', 'firstName', 'firstName=&lastName=Rao', 'firstName=%20']) {
        assertInvalid(await get(query), 'firstName');
      }
    });
    dataOf(await get('addressLine2=Flat+3B'));
    assert.equal(dataOf<ReducedProfileView>(await get('addressLine2=')).addressLine2, null);
  });

  it('update-profile by GET reads the word null as a text', async () => {
    assert.equal(dataOf<ReducedProfileView>(await get('addressLine2=null')).addressLine2, 'null');
  });

  it('update-profile by GET returns 400 for a repeated field, also with the same value or in brackets', async () => {
    await unchangedBy(async () => {
      const queries = ['firstName=Ana&firstName=Bo', 'firstName=Ana&firstName=Ana', 'firstName=Ana&firstName='];
      for (const query of [...queries, 'firstName[]=x', 'firstName[0]=x']) {
        assertInvalid(await get(query), 'firstName');
      }
      assertInvalid(await get('addressLine2=a&gender=x&addressLine2=b&gender=y'), 'gender', 'addressLine2');
    });
  });

  it('update-profile by GET ignores unknown parameters, repeated ones too', async () => {
    await unchangedBy(async () => {
      for (const query of ['', 'x=1&x=2', '__proto__=x&constructor=y', 'nope[]=x', 'firstName.a=x']) {
        dataOf(await get(query));
      }
    });
  });

  it('update-profile by GET returns 400 for a query string that is not percent-encoded UTF-8', async () => {
    await unchangedBy(async () => {
      for (const value of ['%ED%A0%80', '%ED%BF%BF', 'a%ffb', '%C3%28', '%zz', '100%', '%F0%9F%98', '%C0%80']) {
        assertRefused(await get(`firstName=${value}`), 400, 'MALFORMED_REQUEST');
      }
    });
  });

  it('update-profile by HEAD returns 405 with Allow, with and without a token, and writes nothing', async () => {
    await unchangedBy(async () => {
      for (const as of [{ as: email }, {}]) {
        const response = await api.send({ url: `${UPDATE_PROFILE}?firstName=Head`, method: 'HEAD', ...as });
        assert.equal(response.statusCode, 405);
        assert.equal(response.headers.allow, 'GET, POST');
      }
    });
  });

  it("update-profile by GET returns 403 for a browser's prefetch, and writes nothing", async () => {
    await unchangedBy(async () => {
      for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip', 'Prefetch']) {
        assertRefused(await get('firstName=Prefetch', { 'sec-purpose': purpose }), 403, 'PREFETCH_REFUSED');
      }
      for (const headers of [{ purpose: 'prefetch' }, { 'x-moz': 'prefetch' }, { 'x-purpose': 'preview' }] as const) {
        assertRefused(await get('firstName=Prefetch', headers), 403, 'PREFETCH_REFUSED');
      }
    });
    dataOf(await get('firstName=Clicked', { 'sec-purpose': 'other' }));
    assert.equal((await userRow(api.db, id)).first_name, 'Clicked');
  });

  it('update-profile by GET is never cached and never returns 304', async () => {
    const written = await get('firstName=Ana');
    const again = await get('firstName=Ana', { 'if-none-match': `${written.headers.etag}, *` });
    const refused = await get('firstName=');
    const prefetched = await get('firstName=Ana', { 'sec-purpose': 'prefetch' });
    assert.deepEqual(
      [written, again, refused, prefetched].map(({ statusCode }) => statusCode),
      [200, 200, 400, 403],
    );
    for (const { headers } of [written, again, refused, prefetched]) assert.equal(headers['cache-control'], 'no-store');
  });
});
