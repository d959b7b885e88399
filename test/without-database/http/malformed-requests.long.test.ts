import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import type { ErrorCode } from '../../../src/entities/api-error.ts';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { assertErrorForm, everythingUntilClosed, exchange, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const LIST = '/api/countries/list';
const GET = `GET ${LIST}`;
const POST = `POST ${LIST}`;

const bare = await buildBareApp();
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

async function assertRefused(request: string, status: number, code: ErrorCode): Promise<string> {
  return assertErrorForm(await exchange(port, request), status, code).message;
}

describe('malformed requests', { concurrency: true }, () => {
  for (const target of ['/api/%zz', '/%', '/%ff', '/api/cities/%c0%af', `${LIST}%00%fe`]) {
    it(`the badly encoded path ${target} returns 400`, async () => {
      assert.match(await assertRefused(requestText(`GET ${target}`), 400, 'MALFORMED_REQUEST'), /path/);
    });
  }

  it('a badly encoded query is read literally', async () => {
    const { status, body } = await exchange(port, requestText(`${GET}?search=%zz%ff`));
    assert.equal(status, 200, body);
    assert.deepEqual(JSON.parse(body).data, []);
  });

  it('headers of more than 16 KiB return 431', async () => {
    const sized = (size: number) => {
      const text = requestText(GET, ['X: ']);
      return text.replace('X: ', `X: ${'x'.repeat(size - text.length + '\r\n'.length)}`);
    };
    assert.equal((await exchange(port, sized(16_384))).status, 200);
    for (const size of [16_385, 32_000, 33_000, 100_000]) {
      assert.match(await assertRefused(sized(size), 431, 'HEADERS_TOO_LARGE'), /larger than 16 KiB/);
    }
    const many = Array.from({ length: 1_000 }, (_, number) => `X-${number}: some text`);
    await assertRefused(requestText(GET, many), 431, 'HEADERS_TOO_LARGE');
    await assertRefused(requestText(`${GET}?search=${'x'.repeat(17_000)}`), 431, 'HEADERS_TOO_LARGE');
  });
});

describe('headers that may come once', { concurrency: true }, () => {
  const malformed = 'MALFORMED_REQUEST';

  it('a request of HTTP/1.0 needs no Host', async () => {
    assert.equal((await exchange(port, `${GET} HTTP/1.0\r\n\r\n`)).status, 200);
  });

  it('two Authorization headers return 400, on public paths and before the token is verified', async () => {
    const two = ['Authorization: Bearer a', 'AUTHORIZATION: Bearer a'];
    for (const request of [GET, 'GET /api/users/profile', 'POST /api/users/update-profile']) {
      assert.match(await assertRefused(requestText(request, two), 400, malformed), /more than one Authorization/);
    }
  });

  it('an unknown Expect header returns 417 and closes the connection', async () => {
    for (const expected of ['something', '200-ok', '']) {
      const request = requestText(POST, [`Expect: ${expected}`, 'Content-Type: application/json'], '{}');
      const answer = await exchange(port, request);
      assertErrorForm(answer, 417, 'EXPECTATION_FAILED');
      assert.equal(answer.headers.connection, 'close');
    }
  });
});

describe('connections', { concurrency: true }, () => {
  it('a connection is closed after an error, even if the client keeps its side open', async () => {
    for (const request of ['garbage\r\n\r\n', requestText('CONNECT elsewhere.example:443')]) {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      const accepted: Socket[] = [];
      bare.app.server.on('connection', (socket: Socket) => accepted.push(socket));
      client.write(request);
      await once(client.resume(), 'end');
      const ours = accepted.find(({ remotePort }) => remotePort === client.localPort);
      assert.ok(ours);
      await waitUntil('the end of the connection', () => ours.destroyed);
      client.destroy();
    }
  });

  it('a malformed request after a good one on the same connection returns 400', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(requestText(GET));
    const [first] = await once(socket, 'data');
    socket.write('garbage\r\n\r\n');
    const [second] = await once(socket, 'data');
    assert.deepEqual(statusLines(`${first}${second}`), ['HTTP/1.1 200', 'HTTP/1.1 400']);
    await once(socket, 'close');
  });

  for (const [what, beginning] of [
    ['a client that sends nothing', ''],
    ['headers that never end', `${GET} HTTP/1.1\r\nHost: localhost\r\n`],
    ['a body that never ends', requestText(POST, ['Content-Type: application/json', 'Content-Length: 10'])],
  ] as const) {
    it(`the server returns 408 after ten seconds and closes the connection for ${what}`, async () => {
      await using hurried = await buildBareApp();
      const { server } = hurried.app;
      const hurriedPort = await listenLocally(hurried.app);
      assert.deepEqual([server.headersTimeout, server.requestTimeout], [10_000, 10_000]);
      Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });
      const answer = await everythingUntilClosed(hurriedPort, beginning);
      assert.deepEqual(statusLines(answer), ['HTTP/1.1 408']);
      const { code } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { code: ErrorCode };
      assert.equal(code, 'REQUEST_TIMEOUT');
    });
  }
});

function statusLines(received: string): string[] {
  return Array.from(received.matchAll(/HTTP\/1\.1 \d{3}/g), ([line]) => line);
}
