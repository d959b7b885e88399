import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { ApiError, createClient } from '../../src/client/client.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { allOf, serve } from './served.ts';

const served = await serve({}, openDemoDatabase);
after(() => served[Symbol.asyncDispose]());
const { baseUrl, clientOf, api } = served;
const ACME = 'b3cb9b86-e923-4834-bb80-42f6e9b215da';
const admin = await clientOf('admin@acme.example');
const staff = await clientOf('super.admin@orgdesk.example');

const refusal = (requested: Promise<unknown>) =>
  requested.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => (error instanceof ApiError ? error : assert.fail(String(error))),
  );

describe('client: reading and writing', () => {
  it("the client's get returns the whole answer, with an etag where the answer has a version", async () => {
    const { success, message, data, etag } = await admin.get('/api/users/profile');
    assert.deepEqual([success, message], [true, 'User profile retrieved successfully']);
    assert.equal(data.email, 'admin@acme.example');
    assert.match(etag, /^".+"$/);
    assert.equal('etag' in (await admin.get('/api/departments/list', { companyId: ACME })), false);
  });

  it('the client sends public operations without a token', async () => {
    const { data } = await createClient({ baseUrl: `${baseUrl}/` }).get('/api/countries/list', { search: 'ind' });
    assert.deepEqual(
      data.map(({ name }) => name),
      ['India'],
    );
  });

  it('the client encodes search texts with special characters as the service reads them', async () => {
    const search = 'a & b=c + 100 % é';
    const name = `Made of ${search}`;
    const id = randomUUID();
    const { data, etag } = await admin.post('/api/departments/create', { id, companyId: ACME, name, costCode: id });
    assert.deepEqual([data.id, data.name], [id, name]);
    const found = await admin.get('/api/departments/list', { companyId: ACME, search });
    assert.deepEqual(
      found.data.map((each) => each.id),
      [id],
    );
    const deleted = await admin.post('/api/departments/delete', { id }, { ifMatch: etag });
    assert.equal(deleted.data.id, id);
  });

  it("the client's write with ifMatch returns 412 with the present version once the profile has changed", async () => {
    const { etag } = await admin.get('/api/users/profile');
    const written = await admin.post('/api/users/update-profile', { gender: 'First' }, { ifMatch: etag });
    assert.equal(written.data.gender, 'First');
    assert.notEqual(written.etag, etag);
    const again = admin.post('/api/users/update-profile', { gender: 'Second' }, { ifMatch: etag });
    const { status, code, data, etag: present } = await refusal(again);
    assert.deepEqual([status, code], [412, 'PRECONDITION_FAILED']);
    assert.equal((data as { gender: string }).gender, 'First');
    await admin.post('/api/users/update-profile', { gender: 'Second' }, { ifMatch: present });
    assert.equal((await admin.get('/api/users/profile')).data.gender, 'Second');
  });
});

describe('client: errors', () => {
  it('the client rejects invalid input with an ApiError that names each wrong field', async () => {
    const empty = { companyId: ACME, name: '', costCode: 'x'.repeat(300) };
    const error = await refusal(admin.post('/api/departments/create', empty));
    assert.deepEqual([error.name, error.status, error.code], ['ApiError', 400, 'INVALID_INPUT']);
    assert.deepEqual(
      error.errors.map(({ field, code }) => [field, code]),
      [
        ['name', 'TOO_SHORT'],
        ['costCode', 'TOO_LONG'],
      ],
    );
    assert.equal(error.message, error.errors.map(({ message }) => message).join(' '));
    assert.match(error.requestId ?? '', /^\w+/);
  });

  it("the client's ApiError of a missing role has no field errors", async () => {
    const { status, code, errors, data } = await refusal(admin.get('/api/companies/list'));
    assert.deepEqual([status, code, errors, data], [403, 'ROLE_REQUIRED', [], undefined]);
  });

  it("the client rejects with fetch's TypeError if nobody answers", async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
    await assert.rejects(nobody.get('/livez'), TypeError);
    assert.throws(() => createClient({ baseUrl: 'orgdesk.example' }), TypeError);
  });
});

describe('client: tokens', () => {
  it('the client requests a token before each request', async () => {
    const people = ['admin@acme.example', 'employee@acme.example'];
    const client = createClient({ baseUrl, token: () => api.tokenFor(people.shift() ?? '') });
    assert.equal((await client.get('/api/users/profile')).data.email, 'admin@acme.example');
    assert.equal((await client.get('/api/users/profile')).data.email, 'employee@acme.example');
  });

  it('the client requests another token and repeats the request if the service refused the first token', async () => {
    const requested: (string | undefined)[] = [];
    const token = (refused?: string) => {
      requested.push(refused);
      return refused === undefined ? 'stale' : api.tokenFor('admin@acme.example');
    };
    const client = createClient({ baseUrl, token, retries: 0 });
    const { data } = await client.post('/api/users/update-profile', { gender: 'Third' });
    assert.deepEqual([data.gender, requested], ['Third', [undefined, 'stale']]);
  });

  it('the client rejects with INVALID_TOKEN after two refused tokens', async () => {
    let requested = 0;
    const client = createClient({ baseUrl, token: () => `stale ${requested++}` });
    assert.equal((await refusal(client.get('/api/users/profile'))).code, 'INVALID_TOKEN');
    assert.equal(requested, 2);
  });

  it('the client sends a request once if a refused token stays the same', async () => {
    for (const token of ['stale', () => 'stale']) {
      const sent: Request[] = [];
      const counted = (request: Request) => {
        sent.push(request);
        return fetch(request);
      };
      const { status } = await refusal(createClient({ baseUrl, token, fetch: counted }).get('/api/users/profile'));
      assert.deepEqual([status, sent.length], [401, 1]);
    }
  });
});

describe('client: lists', () => {
  it('the client reads a whole list, page by page', async () => {
    const { pagination } = await staff.get('/api/companies/list', { limit: 1 });
    const pages = await allOf(staff.pages('/api/companies/list', { limit: 7 }));
    assert.deepEqual(
      pages.map((page) => page.pagination.currentPage),
      Array.from({ length: Math.ceil(pagination.totalItems / 7) }, (_, index) => index + 1),
    );
    const ids = (await allOf(staff.list('/api/companies/list', { limit: 7 }))).map(({ id }) => id);
    assert.equal(new Set(ids).size, pagination.totalItems);
    assert.deepEqual(
      pages.flatMap(({ data }) => data.map(({ id }) => id)),
      ids,
    );
  });

  it('the client reads the countries in pages', async () => {
    const [page, ...others] = await allOf(createClient({ baseUrl }).pages('/api/countries/list'));
    assert.deepEqual([page?.pagination.pageSize, page?.data.length, others], [100, page?.pagination.totalItems, []]);
  });

  it('the client goes on at the page after a cursor that it told', async () => {
    const pages = await allOf(staff.pages('/api/companies/list', { limit: 7 }));
    const after = pages[0]?.pagination.next;
    assert.ok(after);
    const rest = await allOf(staff.pages('/api/companies/list', { limit: 7, after }));
    const idsOf = (some: typeof pages) => some.flatMap(({ data }) => data.map(({ id }) => id));
    assert.deepEqual(idsOf(rest), idsOf(pages.slice(1)));
    assert.equal(rest.at(-1)?.pagination.next, null);
  });

  it('the client requests no further page once the reader of a list stops', async () => {
    const requested: string[] = [];
    const client = await clientOf('super.admin@orgdesk.example', {
      fetch: (request) => {
        requested.push(new URL(request.url).search);
        return fetch(request);
      },
    });
    for await (const { name } of client.list('/api/companies/list', { limit: 2, search: 'acme' })) {
      assert.match(name, /acme/i);
      break;
    }
    assert.deepEqual(requested, ['?limit=2&search=acme&after=start']);
  });

  it('the client stops reading pages once the signal is aborted', async () => {
    const stop = new AbortController();
    await assert.rejects(async () => {
      for await (const _ of staff.pages('/api/companies/list', { limit: 2 }, { signal: stop.signal })) stop.abort();
    }, /abort/i);
  });
});
