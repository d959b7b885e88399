import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { assertErrorForm, everythingUntilClosed, parseAnswer } from '../../support/raw-http.ts';

const LIST = '/api/countries/list';
const bare = await buildBareApp();
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

const get = (...headers: string[]) => [`GET ${LIST} HTTP/1.1`, ...headers, '', ''].join('\r\n');
const line = (text: string) => `${text}\r\nHost: localhost\r\n\r\n`;
const post = (headers: string, body = '{}') =>
  `POST ${LIST} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const chunks = (body: string, coding = 'chunked') => post(`Transfer-Encoding: ${coding}`, body);
const ONE_CHUNK = '2\r\n{}\r\n0\r\n\r\n';

/** What the tables below send is followed by this: an answer to it would be one to a smuggled request. */
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** Requests that two programs could read in two ways, or that are no HTTP/1.1 at all. */
const REFUSED: Readonly<Record<string, string>> = {
  'a garbage request line': 'garbage\r\n\r\n',
  'bytes that are no text': '\x00\x01\xff\xfe\r\n\r\n',
  'the beginning of a TLS connection': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a method that no standard has': line(`BREW ${LIST} HTTP/1.1`),
  'a method in small letters': line(`get ${LIST} HTTP/1.1`),
  'no target': line('GET HTTP/1.1'),
  'no version': line(`GET ${LIST}`),
  'HTTP/0.9': line(`GET ${LIST} HTTP/0.9`),
  'HTTP/1.2': line(`GET ${LIST} HTTP/1.2`),
  'HTTP/2.0': line(`GET ${LIST} HTTP/2.0`),
  'HTTP/3.0': line(`GET ${LIST} HTTP/3.0`),
  'HTTP/01.1': line(`GET ${LIST} HTTP/01.1`),
  'http in small letters': line(`GET ${LIST} http/1.1`),
  'a comma in the version': line(`GET ${LIST} HTTP/1,1`),
  'another protocol': line(`GET ${LIST} ICE/1.0`),
  'tabs in the request line': line(`GET\t${LIST}\tHTTP/1.1`),
  'a space before the method': line(` GET ${LIST} HTTP/1.1`),
  'a space within the target': line(`GET ${LIST} x HTTP/1.1`),
  'a space behind the version': line(`GET ${LIST} HTTP/1.1 `),
  'a byte beyond ASCII in the target': line(`GET ${LIST}?search=\xff HTTP/1.1`),
  'a NUL in the target': line(`GET ${LIST}\0 HTTP/1.1`),
  'backslashes in the target': line(`GET ${LIST.replaceAll('/', '\\')} HTTP/1.1`),
  'a host as the target': line('GET localhost:80 HTTP/1.1'),
  'a whole URL of another host': line(`GET http://evil.example${LIST} HTTP/1.1`),
  'a whole URL of another port': line(`GET http://localhost:81${LIST} HTTP/1.1`),
  'a whole URL with a user': line(`GET http://user@localhost${LIST} HTTP/1.1`),
  'a whole URL and no Host': `GET http://localhost${LIST} HTTP/1.1\r\n\r\n`,
  'line feeds alone': `GET ${LIST} HTTP/1.1\nHost: localhost\n\n`,
  'a line feed alone behind a header': get('Host: localhost\nX: y'),
  'a line feed alone at the end': `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\n\n`,
  'carriage returns alone': `GET ${LIST} HTTP/1.1\rHost: localhost\r\r`,
  'a carriage return in a value': get('Host: localhost', 'X: a\rb'),
  'a carriage return in a name': get('Host: localhost', 'X\rY: a'),
  'two carriage returns at the end of a line': get('Host: localhost', 'X: a\r'),
  'a folded header': get('Host: localhost', 'X: a', ' b'),
  'a header folded with a tab': get('Host: localhost', 'X: a', '\tb'),
  'a first header with a space before it': get(' Host: localhost'),
  'a header without a colon': get('Host: localhost', 'Nonsense'),
  'a header without a name': get('Host: localhost', ': b'),
  'a space in a name': get('Host: localhost', 'X Y: a'),
  'a space behind a name': get('Host: localhost', 'X : a'),
  'a bracket in a name': get('Host: localhost', 'X(Y): a'),
  'an @ in a name': get('Host: localhost', 'X@: a'),
  'a NUL in a name': get('Host: localhost', 'X\0: a'),
  'a byte beyond ASCII in a name': get('Host: localhost', 'X\xc3\xa9: a'),
  'a NUL in a value': get('Host: localhost', 'X: a\0b'),
  'a control character in a value': get('Host: localhost', 'X: \x01'),
  'a vertical tab in a value': get('Host: localhost', 'X: a\x0bb'),
  'a DEL in a value': get('Host: localhost', 'X: \x7f'),
  'no Host': get(),
  'two Hosts': get('Host: a', 'host: b'),
  'two equal Hosts': get('Host: a', 'Host: a'),
  'a space behind the name Host': get('Host : localhost'),
  'a folded Host': get('Host: a', ' b'),
  'an empty Host': get('Host: '),
  'a list of Hosts': get('Host: a, b'),
  'a space in the Host': get('Host: a b'),
  'a path in the Host': get('Host: a/b'),
  'a query in the Host': get('Host: a?b'),
  'a user in the Host': get('Host: user@a'),
  'a URL as the Host': get('Host: http://localhost'),
  'a word as the port of the Host': get('Host: a:b'),
  'brackets that do not close in the Host': get('Host: [::1'),
  'markup as the Host': get('Host: <script>'),
  'a byte beyond ASCII in the Host': get('Host: \xe9'),
  'two Authorizations': get('Host: localhost', 'Authorization: Bearer a', 'Authorization: Bearer b'),
  'two equal Authorizations': get('Host: localhost', 'Authorization: Bearer a', 'AUTHORIZATION: Bearer a'),
  'two Content-Types': post('Content-Type: text/plain\r\nContent-Length: 2'),
  'two lengths': post('Content-Length: 2\r\nContent-Length: 3'),
  'two equal lengths': post('Content-Length: 2\r\nContent-Length: 2'),
  'a list of lengths': post('Content-Length: 2, 2'),
  'an empty length': post('Content-Length: '),
  'a length that is no number': post('Content-Length: many'),
  'a length with a minus': post('Content-Length: -1'),
  'a length with a plus': post('Content-Length: +2'),
  'a length in hexadecimal': post('Content-Length: 0x2'),
  'a length with a fraction': post('Content-Length: 2.0'),
  'a length with a space within': post('Content-Length: 2 0'),
  'a length beyond all numbers': post('Content-Length: 99999999999999999999999'),
  'a vertical tab before a length': post('Content-Length: \x0b2'),
  'a space behind the name Content-Length': post('Content-Length : 2'),
  'a tab behind the name Content-Length': post('Content-Length\t: 2'),
  'chunks and a length': post('Transfer-Encoding: chunked\r\nContent-Length: 2', ONE_CHUNK),
  'a length and chunks': post('Content-Length: 2\r\nTransfer-Encoding: chunked', ONE_CHUNK),
  'Transfer-Encoding twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', ONE_CHUNK),
  'chunked in chunked': chunks(ONE_CHUNK, 'chunked, chunked'),
  'something behind chunked': chunks(ONE_CHUNK, 'chunked, identity'),
  'something before chunked': chunks(ONE_CHUNK, 'identity, chunked'),
  'gzip in chunks': chunks(ONE_CHUNK, 'gzip, chunked'),
  'gzip in chunks, in two headers': post('Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked', ONE_CHUNK),
  'identity as Transfer-Encoding': chunks(ONE_CHUNK, 'identity'),
  'an unknown Transfer-Encoding': chunks(ONE_CHUNK, 'xchunked'),
  'a parameter of chunked': chunks(ONE_CHUNK, 'chunked;q=1'),
  'quotes around chunked': chunks(ONE_CHUNK, '"chunked"'),
  'a vertical tab before chunked': chunks(ONE_CHUNK, '\x0bchunked'),
  'an empty Transfer-Encoding': chunks(ONE_CHUNK, ''),
  'a folded Transfer-Encoding': chunks(ONE_CHUNK, '\r\n chunked'),
  'a space behind the name Transfer-Encoding': post('Transfer-Encoding : chunked', ONE_CHUNK),
  'chunks in HTTP/1.0': chunks(ONE_CHUNK).replace('HTTP/1.1', 'HTTP/1.0'),
  'chunks in HTTP/1.0, on a connection that is to be kept': chunks(
    ONE_CHUNK,
    'chunked\r\nConnection: keep-alive',
  ).replace('HTTP/1.1', 'HTTP/1.0'),
  'a chunk without a size': chunks('?\r\n{}\r\n0\r\n\r\n'),
  'a chunk size with 0x': chunks('0x2\r\n{}\r\n0\r\n\r\n'),
  'a chunk size with a minus': chunks('-2\r\n{}\r\n0\r\n\r\n'),
  'a chunk size with a plus': chunks('+2\r\n{}\r\n0\r\n\r\n'),
  'a space before a chunk size': chunks(' 2\r\n{}\r\n0\r\n\r\n'),
  'a space behind a chunk size': chunks('2 \r\n{}\r\n0\r\n\r\n'),
  'a chunk size beyond all numbers': chunks('10000000000000002\r\n{}\r\n0\r\n\r\n'),
  'line feeds alone among chunks': chunks('2\n{}\n0\n\n'),
  'a line feed alone behind a chunk': chunks('2\r\n{}\n0\r\n\r\n'),
  'a chunk longer than its size': chunks('1\r\n{}\r\n0\r\n\r\n'),
  'nothing between two chunks': chunks('2\r\n{}0\r\n\r\n'),
  'a line feed in a chunk extension': chunks('2;a\n\r\n{}\r\n0\r\n\r\n'),
  'a carriage return in a chunk extension': chunks('2;a\rb\r\n{}\r\n0\r\n\r\n'),
  'a NUL in a chunk extension': chunks('2;a\0b\r\n{}\r\n0\r\n\r\n'),
  'a line end in a quoted chunk extension': chunks('2;a="\r\n{}\r\n0\r\n\r\n'),
  'a chunk extension of 20 KB': chunks(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  'a length behind the chunks': chunks('2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n'),
  'a Transfer-Encoding behind the chunks': chunks('2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n'),
};

/** Requests that are odd, and can be read in one way only. */
const TAKEN: Readonly<Record<string, string>> = {
  'zeros before a length': post('Content-Length: 002'),
  'a space behind a length': post('Content-Length: 2 '),
  'chunked in capitals': chunks(ONE_CHUNK, 'CHUNKED'),
  'zeros before a chunk size': chunks('0002\r\n{}\r\n0\r\n\r\n'),
  'a chunk extension': chunks('2;a=b\r\n{}\r\n0\r\n\r\n'),
  'a header behind the chunks, which counts for nothing': chunks('2\r\n{}\r\n0\r\nHost: other\r\n\r\n'),
  'a body on a GET': get('Host: localhost', 'Content-Length: 5').concat('hello'),
  'chunks on a GET': get('Host: localhost', 'Transfer-Encoding: chunked').concat(ONE_CHUNK),
  'an empty line before the request': `\r\n${get('Host: localhost')}`,
  'a whole URL of the same host': line(`GET http://LOCALHOST${LIST} HTTP/1.1`),
  'an IPv6 address as the Host': get('Host: [::1]:3000'),
  'an underscore in a name': get('Host: localhost', 'X_Y: a'),
  'a header that Connection names': post('Connection: Content-Length, keep-alive\r\nContent-Length: 2'),
};

const statuses = (received: string) => Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => status);

describe('a request that could be read in two ways', { concurrency: 8 }, () => {
  for (const [what, request] of Object.entries(REFUSED)) {
    it(`is a 400, and nothing behind it on the connection is answered: ${what}`, async () => {
      const received = await everythingUntilClosed(port, `${request}${SMUGGLED}`);
      assert.deepEqual(statuses(received), ['400'], received);
      const answer = parseAnswer(received, false) ?? assert.fail(received);
      assertErrorForm(answer, 400, 'MALFORMED_REQUEST');
      assert.equal(answer.headers.connection, 'close');
    });
  }

  it('has been tried in more than a hundred ways', () => assert.ok(Object.keys(REFUSED).length > 100));

  it('is the last on its connection also where it is refused for its path or its method', async () => {
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
    it(`is a 431, and nothing behind it is answered, whatever is behind the thousandth: ${hidden}`, async () => {
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

  it('is refused behind the answers that are due', async () => {
    const before = get('Host: localhost').repeat(3);
    const received = await everythingUntilClosed(port, `${before}${get('Host: localhost', lines(1_000))}${SMUGGLED}`);
    assert.deepEqual(statuses(received), ['200', '200', '200', '431']);
  });

  it('is seen whole up to then', async () => {
    const thousand = (last: string) => `${get('Host: localhost', `${lines(998)}${last}`)}${SMUGGLED}`;
    assert.deepEqual(statuses(await everythingUntilClosed(port, thousand('b:'))), ['200', '404']);
    assert.deepEqual(statuses(await everythingUntilClosed(port, thousand('Host: another'))), ['400']);
  });
});

describe('a request for another protocol', { concurrency: 8 }, () => {
  for (const protocol of ['websocket', 'h2c']) {
    const upgrade = ['Host: localhost', 'Connection: Upgrade', `Upgrade: ${protocol}`];
    const headers = upgrade.slice(1).join('\r\n');

    it(`${protocol}: is answered as if it did not ask, and is the last on its connection`, async () => {
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

    it(`${protocol}: the body of a request behind it is no request`, async () => {
      const behind = `POST ${LIST} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n`;
      const received = await everythingUntilClosed(port, `${get(...upgrade)}${behind}`, SMUGGLED);
      assert.deepEqual(statuses(received), ['200']);
    });
  }
});

describe('a request that can be read in one way only', { concurrency: 8 }, () => {
  for (const [what, request] of Object.entries(TAKEN)) {
    it(`is answered, and ends where it says: ${what}`, async () => {
      const received = await everythingUntilClosed(port, `${request}${SMUGGLED}`);
      assert.deepEqual(statuses(received), ['200', '404'], received.slice(0, 1000));
    });
  }

  it('does not change the protocol, whatever it asks for', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const request = get('Host: localhost', 'Connection: Upgrade, close', `Upgrade: ${protocol}`);
      assert.deepEqual(statuses(await everythingUntilClosed(port, request)), ['200'], protocol);
    }
  });
});
