import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { byGet, byPost, GEOGRAPHY_PATHS } from '../../support/geography-lists.ts';
import { otherTags, proxiedTags } from '../../support/proxied-tags.ts';
import { exchange, requestText } from '../../support/raw-http.ts';

const bare = await buildBareApp();
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

async function get(path: string, ...headers: string[]) {
  return exchange(port, requestText(`GET ${path}`, headers));
}

for (const path of GEOGRAPHY_PATHS) {
  describe(path, () => {
    it(`${path} returns an ETag and public Cache-Control for a full list, a page and an empty result`, async () => {
      for (const query of ['', '?isPaginationNeeded=true', '?search=nowhere']) {
        const { status, headers } = await get(`${path}${query}`);
        assert.equal(status, 200);
        assert.match(String(headers.etag), /^(?:W\/)?"[\w-]+"$/);
        assert.match(String(headers['cache-control']), /^public\b/);
      }
    });

    it(`${path} returns 304 without a body if If-None-Match contains the current ETag`, async () => {
      const { headers } = await get(path);
      const { etag = '' } = headers;
      for (const tags of [etag, `${etag},"other"`, '*', ' * ', ...proxiedTags(etag)]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await exchange(port, requestText(`${method} ${path}`, [`If-None-Match: ${tags}`]));
          assert.deepEqual([answer.status, answer.body], [304, ''], tags);
          assert.equal(answer.headers.etag, etag);
          assert.equal(answer.headers.vary, headers.vary);
          assert.equal(answer.headers['cache-control'], headers['cache-control']);
          assert.ok(answer.headers['x-request-id']);
        }
      }
    });

    it(`${path} returns 200 with the list if If-None-Match contains only other ETags`, async () => {
      const etag = String((await get(path)).headers.etag);
      for (const tags of ['"other"', 'W/"other", "another"', ...otherTags(etag)]) {
        assert.equal((await get(path, `If-None-Match: ${tags}`)).status, 200, tags);
      }
    });

    it(`${path} returns no-store and no ETag for an invalid request, whatever If-None-Match contains`, async () => {
      const { status, headers } = await get(`${path}?isPaginationNeeded=x`, 'If-None-Match: *');
      assert.deepEqual([status, headers['cache-control'], headers.etag], [400, 'no-store', undefined]);
    });

    it(`${path} ignores If-None-Match for POST`, async () => {
      const request = byPost(path);
      const headers = { ...request.headers, 'if-none-match': '*' };
      const response = await bare.app.inject({ ...request, headers });
      assert.deepEqual([response.statusCode, response.json().success], [200, true]);
    });
  });
}

it('two processes with the same data return the same ETag', async () => {
  await using other = await buildBareApp();
  for (const path of GEOGRAPHY_PATHS) {
    const [one, two] = [await bare.app.inject(byGet(path)), await other.app.inject(byGet(path))];
    assert.equal(one.headers.etag, two.headers.etag);
  }
});

describe('a page that was requested before', () => {
  const path = '/api/cities/list';
  const query = '?isPaginationNeeded=true&search=pana';
  const body = '{"isPaginationNeeded":true,"search":"pana"}';
  const post = (contentType: string, text = body) =>
    exchange(port, requestText(`POST ${path}`, [`Content-Type: ${contentType}`], text));

  it('a repeated page request gets the same body and headers, and HEAD gets the headers without the body', async () => {
    const [first, second] = [await get(`${path}${query}`), await get(`${path}${query}`)];
    const { 'x-request-id': _, date: __, ...headers } = first.headers;
    const { 'x-request-id': ___, date: ____, ...again } = second.headers;
    assert.deepEqual([second.status, second.body, again], [200, first.body, headers]);
    const head = await exchange(port, requestText(`HEAD ${path}${query}`));
    assert.deepEqual(
      [head.status, head.body, head.headers['content-length']],
      [200, '', first.headers['content-length']],
    );
    const current = await get(`${path}${query}`, `If-None-Match: ${first.headers.etag}`);
    assert.deepEqual([current.status, current.body, current.headers.vary], [304, '', 'Accept-Encoding']);
  });

  it('a repeated page request by POST gets the same body, and 415 for another content type or encoding', async () => {
    const [first, second] = [await post('application/json'), await post('application/json')];
    assert.deepEqual([first.status, second.status, second.body], [200, 200, first.body]);
    for (const contentType of ['text/plain', 'application/json; charset=utf-16']) {
      assert.equal((await post(contentType)).status, 415, contentType);
    }
    const compressed = ['Content-Type: application/json', 'Content-Encoding: gzip'];
    assert.equal((await exchange(port, requestText(`POST ${path}`, compressed, body))).status, 415);
  });

  it('a POST body of the same length with another search gets another result', async () => {
    assert.equal(JSON.parse((await post('application/json')).body).pagination.totalItems, 1);
    assert.equal(
      JSON.parse((await post('application/json', body.replace('pana', 'xana'))).body).pagination.totalItems,
      0,
    );
  });
});
