import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { exchange, requestText } from '../../support/raw-http.ts';

const bare = await buildBareApp({ places: 'world' });
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

function ask(url: string, acceptEncoding?: string, more: InjectOptions = {}): Promise<LightMyRequestResponse> {
  return bare.app.inject({ url, ...more, headers: acceptEncoding ? { 'accept-encoding': acceptEncoding } : {} });
}

function bodyOf({ headers, rawPayload }: LightMyRequestResponse): string {
  const coding = headers['content-encoding'];
  if (coding === undefined) return rawPayload.toString();
  return (coding === 'br' ? brotliDecompressSync : gunzipSync)(rawPayload).toString();
}

const CITIES = '/api/cities/list';
for (const [what, url] of [
  ['a page of 10', `${CITIES}?search=san&isPaginationNeeded=true`],
  ['a page of 1,000', `${CITIES}?search=san&isPaginationNeeded=true&limit=1000`],
  ['a part of a list', `${CITIES}?countryId=233`],
  ['a part of a list with more fields', `${CITIES}?countryId=99&include=population`],
  ['a whole list that is not kept compressed', '/api/states/list'],
  ['the OpenAPI document', '/openapi.json'],
  ['a script', '/docs/swagger-ui-bundle.js'],
  [
    'a long error',
    `${CITIES}?${['stateId', 'countryId', 'ids', 'include', 'countryCode', 'isPaginationNeeded'].map((name) => `${name}=${'x'.repeat(9)}`).join('&')}&search=${'x'.repeat(300)}`,
  ],
] as const) {
  describe(what, () => {
    for (const [accepted, coding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      it(`${what} is sent ${coding ? `in ${coding}` : 'uncompressed'} for Accept-Encoding: ${accepted}`, async () => {
        const [plain, response] = [await ask(url), await ask(url, accepted)];
        assert.equal(response.statusCode, plain.statusCode);
        assert.equal(response.headers['content-encoding'], coding);
        const { headers } = response;
        for (const name of ['etag', 'content-type', 'cache-control', 'vary'])
          assert.equal(headers[name], plain.headers[name]);
        assert.match(String(headers.vary), /\bAccept-Encoding\b/);
        const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, '');
        assert.equal(withoutId(bodyOf(response)), withoutId(plain.body));
        if (coding) assert.ok(response.rawPayload.length < plain.rawPayload.length / 1.5);
        const length = headers['content-length'];
        if (length !== undefined) assert.equal(Number(length), response.rawPayload.length);
      });
    }

    it('the compressed response has the same headers for HEAD as for GET, and no body', async () => {
      const [path] = url.split(' ');
      for (const accepted of ['br', 'gzip']) {
        const get = await ask(url, accepted);
        const head = await exchange(port, requestText(`HEAD ${path}`, [`Accept-Encoding: ${accepted}`]));
        assert.deepEqual([head.status, head.body], [get.statusCode, '']);
        for (const name of ['content-encoding', 'vary', 'content-type', 'etag'])
          assert.equal(head.headers[name], get.headers[name], name);
      }
    });
  });
}

describe('answers that are not compressed', () => {
  it('a response of 1 KiB or less is not compressed', async () => {
    for (const url of ['/livez', '/api/countries/list?search=nepal', '/api/nowhere']) {
      const response = await ask(url, 'br, gzip');
      assert.ok(response.rawPayload.length <= 1024);
      assert.equal(response.headers['content-encoding'], undefined);
      assert.equal(Number(response.headers['content-length']), response.rawPayload.length);
    }
  });

  it('an image is not compressed', async () => {
    const { headers } = await ask('/docs/favicon-32x32.png', 'br');
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined]);
  });
});

it('a 304 response has the Vary header of the full response', async () => {
  const url = `${CITIES}?search=san&isPaginationNeeded=true`;
  const { headers } = await ask(url, 'br');
  const again = await bare.app.inject({
    url,
    headers: { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) },
  });
  assert.deepEqual([again.statusCode, again.body, again.headers.vary], [304, '', headers.vary]);
  assert.equal(again.headers['content-encoding'], undefined);
});

it('the compressed list of the cities of the United States has less than 600 kB', async () => {
  for (const accepted of ['br', 'gzip']) {
    const response = await ask(`${CITIES}?countryId=233`, accepted);
    assert.ok(response.rawPayload.length < 600_000, String(response.rawPayload.length));
  }
});

it('the service continues when a client disconnects during a compressed response', async () => {
  for (let round = 0; round < 5; round++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(requestText(`GET ${CITIES}?search=a`, ['Accept-Encoding: br']));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
  }
  assert.equal((await ask('/api/countries/list?search=nepal')).statusCode, 200);
});
