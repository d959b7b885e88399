import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { ApiError, type Client, createClient, type FeedPart, type Schemas } from '../../src/client/client.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { allOf, serve } from './served.ts';

const served = await serve({}, openDemoDatabase);
after(() => served[Symbol.asyncDispose]());
const { clientOf, api } = served;

/** Somebody who sees their own changes alone. */
let client: Client;
beforeEach(async () => {
  const { email } = await addPerson(api.db, { company: await addCompany(api.db, 'Followed') });
  client = await clientOf(email);
});
const change = (gender: string) => client.post('/api/users/update-profile', { gender });
const genderIn = ({ changes }: Schemas['Change']) => changes.find(({ field }) => field === 'gender')?.after;

/** Somewhere to keep a cursor, and what was kept there. */
function place() {
  const saved: string[] = [];
  return { saved, load: () => saved.at(-1), save: (cursor: string) => void saved.push(cursor) };
}

describe('client: the change feed', () => {
  it("the client's change feed yields each change once, in order, and continues from the stored cursor", async () => {
    const { load, save, saved } = place();
    const rest = () => allOf(client.changes({ from: 'now', load, save, live: false, limit: 2 }));
    assert.deepEqual(await rest(), []);
    for (const value of ['1', '2', '3', '4', '5']) await change(value);
    assert.deepEqual((await rest()).map(genderIn), ['1', '2', '3', '4', '5']);
    assert.deepEqual(await rest(), []);
    await change('6');
    assert.deepEqual((await rest()).map(genderIn), ['6']);
    assert.equal(new Set(saved).size, saved.length);
  });

  it("the client's change feed begins with the first change, or after a given cursor", async () => {
    await change('1');
    const [part] = await allOf(client.feed({ live: false, limit: 1 }));
    await change('2');
    assert.deepEqual((await allOf(client.changes({ live: false }))).map(genderIn), ['1', '2']);
    const after = (part as FeedPart).next;
    assert.deepEqual((await allOf(client.changes({ after, live: false }))).map(genderIn), ['2']);
  });

  it("the client's change feed stores a cursor once its changes have been processed, and not before", async () => {
    const { load, save, saved } = place();
    for (const value of ['1', '2', '3']) await change(value);
    const worked: unknown[] = [];
    for await (const each of client.changes({ load, save, limit: 2 })) {
      worked.push(genderIn(each));
      assert.equal(saved.length, worked.length > 2 ? 1 : 0);
      if (worked.length === 3) break;
    }
    const again = await allOf(client.changes({ load, save, live: false }));
    assert.deepEqual([worked, again.map(genderIn)], [['1', '2', '3'], ['3']]);
  });

  it("the client's change feed waits for the next change", async () => {
    const changes = client.changes({ from: 'now' });
    const next = changes.next();
    // What comes before the first answer is behind it: something has to come later than that.
    const late = (async () => {
      for (let number = 0; ; number++) {
        await change(`late ${number}`);
        if (await Promise.race([next.then(() => true), new Promise((go) => setTimeout(go, 200, false))])) return;
      }
    })();
    const { value } = await next;
    assert.match(String(value && genderIn(value)), /^late/);
    await late;
    await changes.return();
  });

  it('a live change feed of the client continues after an outage, and one that is not live rejects', async () => {
    const flaky = (failures: number) => {
      let left = failures;
      const answer = { success: true, message: '', data: [{ id: '1' }], next: 'behind' };
      const fetch = async () => {
        if (left-- > 0) throw new TypeError('fetch failed');
        return Response.json(answer);
      };
      return createClient({ baseUrl: 'http://127.0.0.1:9', token: 'odk_x', retries: 0, fetch });
    };
    const changes = flaky(2).changes();
    assert.equal((await changes.next()).value?.id, '1');
    await changes.return();
    await assert.rejects(allOf(flaky(1).changes({ live: false })), TypeError);
  });

  it("the client's change feed rejects with AbortError once the signal is aborted, also while it waits", async () => {
    const saved: string[] = [];
    const stop = new AbortController();
    const save = (cursor: string) => {
      saved.push(cursor);
      setTimeout(() => stop.abort(), 100);
    };
    const following = allOf(client.changes({ from: 'now', save, signal: stop.signal }));
    await assert.rejects(following, { name: 'AbortError' });
    assert.equal(saved.length, 1);
  });

  it("the client's change feed with a filter yields only matching changes, and continues past the others", async () => {
    await change('1');
    const parts = await allOf(client.feed({ live: false, entity: 'band' }));
    assert.ok(parts.length > 0 && parts.every(({ data }) => data.length === 0));
    assert.deepEqual((await allOf(client.changes({ live: false, entity: 'user' }))).map(genderIn), ['1']);
  });

  it("the client's change feed rejects an invalid cursor and one of another database", async () => {
    const gone = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code;
    await assert.rejects(allOf(client.changes({ after: 'nonsense' })), gone('INVALID_INPUT'));
    const [part] = await allOf(client.feed({ live: false }));
    const [version, , ...others] = Buffer.from(part?.next ?? '', 'base64url')
      .toString()
      .split(':');
    const cursor = [version, '00000000-0000-4000-8000-000000000000', ...others].join(':');
    const other = Buffer.from(cursor).toString('base64url');
    await assert.rejects(allOf(client.changes({ after: other })), gone('CURSOR_GONE'));
  });
});
