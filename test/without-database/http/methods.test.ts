import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { assertErrorForm, exchange, requestText } from '../../support/raw-http.ts';

const ALLOWED = {
  '/api/users/profile': 'GET, HEAD, POST',
  '/api/users/update-profile': 'GET, POST',
  '/api/cities/list': 'GET, HEAD, POST',
  '/api/states/list': 'GET, HEAD, POST',
  '/api/countries/list': 'GET, HEAD, POST',
  '/api/companies/list': 'GET, HEAD',
  '/api/approval-policies/list': 'GET, HEAD',
  '/api/departments/list': 'GET, HEAD',
  '/openapi.json': 'GET, HEAD',
  '/openapi-3.0.json': 'GET, HEAD',
  '/docs': 'GET, HEAD',
};

const bare = await buildBareApp();
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

async function assertNotAllowed(request: string, allow: string): Promise<void> {
  const answer = await exchange(port, request);
  assert.equal(answer.headers.allow, allow, request.slice(0, 100));
  if (request.startsWith('HEAD ')) assert.deepEqual([answer.status, answer.body], [405, '']);
  else assertErrorForm(answer, 405, 'METHOD_NOT_ALLOWED');
}

describe('methods', { concurrency: true }, () => {
  for (const [path, allow] of Object.entries(ALLOWED)) {
    it(`${path} returns 405 with Allow: ${allow} for every other method`, async () => {
      const others = METHODS.filter((method) => !allow.split(', ').includes(method));
      assert.ok(others.length > 25);
      await Promise.all(others.map((method) => assertNotAllowed(requestText(`${method} ${path}`), allow)));
    });
  }

  it('the method is checked before the token, the headers, the content type and the body', async () => {
    const profile = '/api/users/profile';
    const requests = [
      requestText(`DELETE ${profile}`, ['Authorization: Bearer nonsense']),
      requestText(`DELETE ${profile}`, ['Authorization: Basic a', 'Authorization: Basic b', 'Host: other']),
      requestText(`PUT ${profile}`, ['Content-Type: text/plain'], 'no JSON'),
      requestText(`PATCH ${profile}`, ['Content-Type: application/json'], '{"half":'),
      requestText(`PUT ${profile}`, ['Content-Type: application/json'], 'x'.repeat(70_000)),
      requestText(`OPTIONS ${profile}`, ['Origin: https://elsewhere.example', 'Access-Control-Request-Method: POST']),
      requestText(`DELETE ${profile}`, ['Expect: the-impossible']),
    ];
    for (const request of requests) await assertNotAllowed(request, 'GET, HEAD, POST');
  });

  it('an unsupported method returns 405 for every spelling of the path', async () => {
    for (const target of [
      '/api/cities/list?limit=1&limit=2',
      '/api/cities/list#there',
      '/api/c%69ties/list',
      'http://localhost/api/cities/list?limit=1',
    ]) {
      await assertNotAllowed(requestText(`DELETE ${target}`), 'GET, HEAD, POST');
    }
  });

  it('CONNECT to another host returns 405', async () => {
    await assertNotAllowed(requestText('CONNECT elsewhere.example:443'), 'GET, HEAD, POST');
  });

  it('the service continues when a client sends CONNECT and resets the connection', async () => {
    for (let time = 0; time < 20; time++) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(requestText('CONNECT elsewhere.example:443'), () => {
            socket.resetAndDestroy();
            resolve();
          });
        });
      });
    }
    // An error that nobody handles would end the process, which fails the file.
    await sleep(100);
    assert.equal((await exchange(port, requestText('GET /api/countries/list'))).status, 200);
  });

  it('HEAD returns the headers of GET without a body', async () => {
    const [get, head] = [
      await exchange(port, requestText('GET /api/countries/list')),
      await exchange(port, requestText('HEAD /api/countries/list')),
    ];
    assert.deepEqual([get.status, head.status, head.body], [200, 200, '']);
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      assert.ok(get.headers[name]);
      assert.equal(head.headers[name], get.headers[name]);
    }
  });
});

describe('paths', { concurrency: true }, () => {
  for (const [what, target] of [
    ['an unknown path', '/api/nothing'],
    ['a path with a slash at its end', '/api/cities/list/'],
    ['a path with two slashes', '//api/cities/list'],
    ['a path in other letters', '/API/cities/list'],
    ['a path with a parameter', '/api/cities/list;page=1'],
    ['a path with an encoded slash', '/api%2Fcities/list'],
    ['a path with dots', '/api/x/../cities/list'],
    ['the asterisk of OPTIONS', '*'],
    ['a file of the service', '/docs/../package.json'],
    ['a file of the documentation that is not published', '/docs/index.html'],
  ] as const) {
    it(`${what} returns 404 for every method`, async () => {
      const methods = METHODS.filter((method) => target !== '*' || method === 'OPTIONS');
      for (const method of methods.filter((name) => name !== 'CONNECT' && name !== 'HEAD')) {
        assertErrorForm(await exchange(port, requestText(`${method} ${target}`)), 404, 'NOT_FOUND');
      }
    });
  }

  it('HEAD of an unknown path returns 404 without a body', async () => {
    const answer = await exchange(port, requestText('HEAD /api/nothing'));
    assert.deepEqual([answer.status, answer.body], [404, '']);
  });

  it('a request whose target is a whole URL is answered by the path of the URL', async () => {
    const answer = await exchange(port, requestText('GET http://localhost/api/countries/list?search=nepal'));
    assert.equal(answer.status, 200);
    assert.deepEqual(
      JSON.parse(answer.body).data.map(({ name }: { name: string }) => name),
      ['Nepal'],
    );
  });
});
