import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildApp } from '../../src/app/build-app.ts';
import { buildBareApp } from '../support/bare-app.ts';

const CONSOLE = {
  page: '<meta name="base-path" content="__BASE_PATH__"><link href="./assets/a.css"><script src="./assets/a.js"></script><a href="#content">',
  assets: new Map([['/assets/a.js', { type: 'text/javascript', plain: Buffer.from('plain') }]]),
};
const PROXY = '10.0.0.1';

/** Requests pages of a service with a console as from a proxy. */
async function open(settings: Record<string, string>) {
  const bare = await buildBareApp({ settings: { TRUST_PROXY: PROXY, ...settings } });
  const app = await buildApp({ ...bare.context, geography: bare.geography, consoleFiles: CONSOLE });
  return {
    async get(url: string, prefix?: string, remoteAddress = PROXY): Promise<string> {
      const forwarded: Record<string, string> = prefix === undefined ? {} : { 'x-forwarded-prefix': prefix };
      const { statusCode, body } = await app.inject({
        url,
        remoteAddress,
        headers: { accept: 'text/html', ...forwarded },
      });
      assert.equal(statusCode, url.includes('nothing') ? 404 : 200, url);
      return body;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await bare[Symbol.asyncDispose]();
    },
  };
}

const addressesIn = (html: string) =>
  [...html.matchAll(/\b(?:href|src|content)="([^"]*)"/g)].map(([, address]) => address);
const consoleAt = (path: string) => [path, `${path}/assets/a.css`, `${path}/assets/a.js`, '#content'];
const serverOf = (document: string) => (JSON.parse(document) as { servers: { url: string }[] }).servers[0]?.url;

test('the pages of the console link to addresses under the prefix of a trusted proxy, and of no other', async () => {
  await using service = await open({});
  for (const [prefix, path] of [
    ['/orgdesk', '/orgdesk'],
    ['/orgdesk/', '/orgdesk'],
    ['/a, /b/c', '/a/b/c'],
    ["/a$&b'", "/a$&b'"],
    [undefined, ''],
    ['', ''],
    ['orgdesk', ''],
    ['//evil.example', ''],
    ['/"><script>', ''],
  ] as const) {
    for (const page of ['/', '/people/1', '/nothing/there']) {
      assert.deepEqual(addressesIn(await service.get(page, prefix)), consoleAt(path), `${page} ${prefix}`);
    }
  }
  assert.deepEqual(addressesIn(await service.get('/', '/orgdesk', '10.0.0.2')), consoleAt(''));
});

test('the API documents, the documentation page and the guides link under the prefix of the proxy, the documents with the address of the host', async () => {
  await using service = await open({});
  for (const document of ['/openapi.json', '/openapi-3.0.json']) {
    assert.match(serverOf(await service.get(document, '/orgdesk')) ?? '', /^http:\/\/[^/]+\/orgdesk$/);
    assert.match(serverOf(await service.get(document)) ?? '', /^http:\/\/[^/]+$/);
  }
  for (const page of ['/docs', '/docs/', '/docs/guides', '/docs/errors']) {
    const addresses = addressesIn(await service.get(page, '/orgdesk')).filter((address) => address?.startsWith('/'));
    assert.ok(addresses.length > 1);
    for (const address of addresses) assert.match(address ?? '', /^\/orgdesk\/(?:docs|openapi)/);
    await Promise.all(addresses.map((address = '') => service.get(address.replace(/^\/orgdesk|#.*$/g, ''))));
  }
});

test('BASE_PATH sets the prefix for a proxy that sends no prefix, whether it keeps the path or not', async () => {
  await using service = await open({ BASE_PATH: '/org/desk' });
  for (const page of ['/', '/org/desk', '/org/desk/', '/org/desk?a=b', '/org/desk/people/1', '/people/1']) {
    assert.deepEqual(addressesIn(await service.get(page)), consoleAt('/org/desk'), page);
  }
  assert.match(serverOf(await service.get('/org/desk/openapi.json')) ?? '', /^http:\/\/[^/]+\/org\/desk$/);
  assert.match(serverOf(await service.get('/openapi.json', '/other')) ?? '', /^http:\/\/[^/]+\/other$/);
  assert.deepEqual(addressesIn(await service.get('/org/desknothing')), consoleAt('/org/desk'));
  assert.match(await service.get('/org/desk/api/countries/list'), /^\{"success":true/);
});
