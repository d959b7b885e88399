import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { buildApp } from '../../src/app/build-app.ts';
import { CONSOLE_PAGES } from '../../src/features/console/console-routes.ts';
import { PAGE_NAMES } from '../../web/src/shell/page-names.ts';
import { buildTestApp } from '../support/build-test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-console-test-'));
const OWN_KEYS = { JWT_SECRET: '', DATA_DIR: folder };
const FILES = {
  page: '<!doctype html><meta name="csp-nonce" content="__NONCE__"><script type="module" src="/assets/a-1.js"></script>',
  assets: new Map([
    ['/assets/a-1.js', { type: 'text/javascript; charset=utf-8', plain: Buffer.from('plain'), br: Buffer.from('br') }],
  ]),
};
const demo = await buildTestApp(OWN_KEYS);
const app = await buildApp({ ...demo.context, geography: demo.geography, consoleFiles: FILES });
after(async () => {
  await app.close();
  await demo[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Offer {
  signIn: string;
  people?: { email: string; token: string; active: boolean }[];
}

async function offer(
  headers: Record<string, string> = {},
  settings: Partial<typeof demo.context.config> = {},
): Promise<Offer> {
  const config = { ...demo.context.config, ...settings };
  const other = await buildApp({ ...demo.context, config, geography: demo.geography });
  const response = await other.inject({ url: '/console/config', headers: { host: '127.0.0.1:3000', ...headers } });
  await other.close();
  assert.equal(response.headers['cache-control'], 'no-store');
  return response.json<{ data: Offer }>().data;
}

describe('the offer of sign-ins', () => {
  it("the console's configuration offers this machine the people of the demo, each with a working token", async () => {
    for (const host of ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', 'LOCALHOST']) {
      const { signIn, people = [] } = await offer({ host });
      assert.equal(signIn, 'demo', host);
      assert.equal(people.length, 7);
      for (const { token, email, active } of people) {
        const response = await app.inject({ url: '/api/users/profile', headers: { authorization: `Bearer ${token}` } });
        assert.equal(response.statusCode, active ? 200 : 401);
        if (active) assert.equal(response.json<{ data: { email: string } }>().data.email, email);
      }
    }
  });

  it("the console's configuration offers the demo's people to a page of the same origin", async () => {
    const headers = { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' };
    assert.equal((await offer(headers)).signIn, 'demo');
  });

  it("the console's configuration offers no token to another host name, a proxy or another origin", async () => {
    const foreign: Record<string, string>[] = [
      ...['orgdesk.example', '127.0.0.1.example:3000', 'localhost.example', '10.0.0.1'].map((host) => ({ host })),
      ...['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'].map((name) => ({ [name]: '127.0.0.1' })),
      ...['https://page.example', 'null', 'http://127.0.0.1:3001', 'https://127.0.0.1:3000'].map((origin) => ({
        origin,
      })),
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) assert.deepEqual(await offer(headers), { signIn: 'token' }, JSON.stringify(headers));
  });

  it("the console's configuration offers no token unless the service is a local demo", async () => {
    for (const settings of [
      { demoData: false },
      { host: '0.0.0.0' },
      { host: '::' },
      { databaseUrl: 'postgres://127.0.0.1/orgdesk' },
      { jwtSecret: 'x'.repeat(32) },
      { trustProxy: ['127.0.0.1'] },
      { corsOrigins: ['*'] },
      {
        identityProvider: {
          issuer: 'https://id.example',
          jwksUrl: undefined,
          algorithm: 'RS256' as const,
          trustsEmails: false,
          subjectClaim: 'sub',
        },
      },
    ]) {
      assert.deepEqual(await offer({}, settings), { signIn: 'token' }, JSON.stringify(settings));
    }
  });

  it("the console's configuration with an allowed origin offers tokens to this machine, and none to that origin", async () => {
    const settings = { corsOrigins: ['https://page.example'] };
    assert.notDeepEqual(await offer({}, settings), { signIn: 'token' });
    assert.deepEqual(await offer({ origin: 'https://page.example' }, settings), { signIn: 'token' });
  });
});

describe('the console', () => {
  it('the console is served at the path of each of its pages', () => {
    const lists = CONSOLE_PAGES.filter((path) => !path.endsWith('/:id'));
    assert.deepEqual(lists.toSorted(), ['/', ...PAGE_NAMES.map((name) => `/${name}`)].toSorted());
  });

  it('the console answers an unknown path with a page to a browser, and with a JSON error to a program', async () => {
    const people = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const url of ['/other', '/peopel', '/companies/a/b']) {
      const page = await app.inject({ url, headers: people });
      assert.equal(page.statusCode, 404, url);
      assert.match(String(page.headers['content-type']), /^text\/html/, url);
      assert.match(String(page.headers['content-security-policy']), /'nonce-/, url);
      assert.match(page.body, /assets\/a-1\.js/, url);
    }
    const programs = [
      { url: '/other', headers: { accept: '*/*' } },
      { url: '/api/other', headers: people },
      { url: '/api', headers: people },
      { url: '/other', method: 'POST' as const, headers: people },
    ];
    for (const request of programs) {
      const answer = await app.inject(request);
      assert.equal(answer.statusCode, 404, request.url);
      assert.equal(answer.json<{ code: string }>().code, 'NOT_FOUND', request.url);
    }
    const alone = await demo.app.inject({ url: '/other', headers: people });
    assert.equal(alone.json<{ code: string }>().code, 'NOT_FOUND');
  });

  it('the console sends the same page at each path, with a new nonce in its policy each time', async () => {
    const nonces = new Set<string>();
    for (const path of CONSOLE_PAGES) {
      const url = path.replace(':id', 'new');
      const { statusCode, headers, body } = await app.inject(url);
      assert.equal(statusCode, 200);
      const policy = String(headers['content-security-policy']);
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1] ?? assert.fail(policy);
      assert.ok(body.includes(`content="${nonce}"`));
      nonces.add(nonce);
      assert.match(policy, /default-src 'none'; script-src 'self'; .*connect-src 'self'; .*frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
      assert.deepEqual([headers['cache-control'], headers['x-content-type-options']], ['no-cache', 'nosniff']);
    }
    assert.equal(nonces.size, CONSOLE_PAGES.length);
  });

  it('the console sends its files compressed at the build, with an immutable cache header', async () => {
    const ask = (coding: string) => app.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': coding } });
    const compressed = await ask('gzip, br');
    assert.deepEqual([compressed.body, compressed.headers['content-encoding']], ['br', 'br']);
    const plain = await ask('br;q=0');
    assert.deepEqual([plain.body, plain.headers['content-encoding']], ['plain', undefined]);
    for (const { headers } of [compressed, plain]) {
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers.vary, 'Accept-Encoding');
    }
  });

  it('the console returns 404 at other paths, and 405 for other methods than GET and HEAD', async () => {
    for (const url of ['/assets/', '/assets/../package.json', '/index.html', '/profile/', '/other']) {
      assert.equal((await app.inject(url)).statusCode, 404, url);
    }
    assert.equal((await app.inject({ method: 'POST', url: '/profile' })).statusCode, 405);
  });
});
