import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { assertErrorForm, everythingUntilClosed, parseAnswer } from '../../support/raw-http.ts';
import { chunks, get, LIST, ONE_CHUNK, post, REFUSED, TAKEN } from './ambiguous-requests.ts';

const bare = await buildBareApp();
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

/** What the tables send is followed by this: an answer to it would be one to a smuggled request. */
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

const statuses = (received: string) => Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => status);

describe('a request that could be read in two ways', { concurrency: 8 }, () => {
  for (const [what, request] of Object.entries(REFUSED)) {
    it(`the server returns 400 and closes the connection for an ambiguous request: ${what}`, async () => {
      const received = await everythingUntilClosed(port, `${request}${SMUGGLED}`);
      assert.deepEqual(statuses(received), ['400'], received);
      const answer = parseAnswer(received, false) ?? assert.fail(received);
      assertErrorForm(answer, 400, 'MALFORMED_REQUEST');
      assert.equal(answer.headers.connection, 'close');
    });
  }

  it('there are more than a hundred ambiguous requests', () => assert.ok(Object.keys(REFUSED).length > 100));

  it('the server closes the connection of an ambiguous request also for an unknown path or method', async () => {
    const twoHosts = '\r\nHost: a\r\nHost: b\r\n\r\n';
    for (const [line, status] of [
      ['GET /nothing HTTP/1.1', '404'],
      [`DELETE ${LIST} HTTP/1.1`, '405'],
      [`PURGE ${LIST} HTTP/1.1`, '405'],
      [`PURGE /nothing HTTP/1.1`, '404'],
    ]) {
      assert.deepEqual(statuses(await everythingUntilClosed(port, `${line}${twoHosts}${SMUGGLED}`)), [status], line);
    }
  });
});

describe('a request with more than a thousand header lines', { concurrency: 8 }, () => {
  const lines = (number: number) => 'a:\r\n'.repeat(number);
  const HIDDEN = [
    'Host: another',
    'Authorization: Bearer x',
    'If-Match: "x"',
    'Content-Type: text/plain',
    'Content-Length: 5',
    'Transfer-Encoding: gzip, chunked',
    'X-Forwarded-For: 192.0.2.1',
    'Connection: close',
    'Expect: a miracle',
  ];
  for (const hidden of HIDDEN) {
    it(`the server returns 431 for a header after a thousand lines, and nothing further: ${hidden}`, async () => {
      for (const line of [
        `GET ${LIST}`,
        `POST ${LIST}`,
        'GET /api/users/profile',
        'POST /api/users/update-profile',
        'GET /console/config',
        'GET /nothing',
        `DELETE ${LIST}`,
        `PURGE ${LIST}`,
      ]) {
        const request = `${line} HTTP/1.1\r\nHost: localhost\r\n${lines(999)}${hidden}\r\n\r\n`;
        const received = await everythingUntilClosed(port, `${request}${SMUGGLED}`);
        assert.deepEqual(statuses(received), ['431'], line);
        assertErrorForm(parseAnswer(received, false) ?? assert.fail(received), 431, 'HEADERS_TOO_LARGE');
      }
    });
  }

  it('the server answers pending requests before it returns 431 for too many header lines', async () => {
    const before = get('Host: localhost').repeat(3);
    const received = await everythingUntilClosed(port, `${before}${get('Host: localhost', lines(1_000))}${SMUGGLED}`);
    assert.deepEqual(statuses(received), ['200', '200', '200', '431']);
  });

  it('the server reads every one of a thousand header lines', async () => {
    const thousand = (last: string) => `${get('Host: localhost', `${lines(998)}${last}`)}${SMUGGLED}`;
    assert.deepEqual(statuses(await everythingUntilClosed(port, thousand('b:'))), ['200', '404']);
    assert.deepEqual(statuses(await everythingUntilClosed(port, thousand('Host: another'))), ['400']);
  });
});

describe('a request for another protocol', { concurrency: 8 }, () => {
  for (const protocol of ['websocket', 'h2c']) {
    const upgrade = ['Host: localhost', 'Connection: Upgrade', `Upgrade: ${protocol}`];
    const headers = upgrade.slice(1).join('\r\n');

    it(`the server answers an upgrade request to ${protocol} as a plain one and closes the connection`, async () => {
      for (const request of [
        get(...upgrade),
        post(`${headers}\r\nContent-Length: 2`),
        chunks(ONE_CHUNK, `chunked\r\n${headers}`),
      ]) {
        const received = await everythingUntilClosed(port, `${request}${SMUGGLED}`);
        assert.deepEqual(statuses(received), ['200'], request);
        assert.match(received, /\r\nconnection: close\r\n/i);
      }
    });

    it(`the server does not process the body of a request after an upgrade request to ${protocol}`, async () => {
      const behind = `POST ${LIST} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n`;
      const received = await everythingUntilClosed(port, `${get(...upgrade)}${behind}`, SMUGGLED);
      assert.deepEqual(statuses(received), ['200']);
    });
  }
});

describe('a request that can be read in one way only', { concurrency: 8 }, () => {
  for (const [what, request] of Object.entries(TAKEN)) {
    it(`the server answers an unambiguous request and then the next one: ${what}`, async () => {
      const received = await everythingUntilClosed(port, `${request}${SMUGGLED}`);
      assert.deepEqual(statuses(received), ['200', '404'], received.slice(0, 1000));
    });
  }

  it('the server does not change the protocol for an upgrade request with Connection: close', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const request = get('Host: localhost', 'Connection: Upgrade, close', `Upgrade: ${protocol}`);
      assert.deepEqual(statuses(await everythingUntilClosed(port, request)), ['200'], protocol);
    }
  });
});
