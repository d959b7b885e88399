import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { assertErrorForm, exchange, type RawAnswer, requestText } from '../../support/raw-http.ts';

const LINE = 'POST /api/countries/list';
/** Ignores unknown fields. */
const STATES_LINE = 'POST /api/states/list';
const JSON_TYPE = 'application/json';
const LIMIT = 64 * 1024;

const bare = await buildBareApp();
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

async function post(body: string | Buffer, contentType?: string, line = LINE): Promise<RawAnswer> {
  const headers = contentType === undefined ? [] : [`Content-Type: ${contentType}`];
  return exchange(port, requestText(line, headers, body));
}

async function postChunks(chunks: readonly string[], contentType?: string): Promise<RawAnswer> {
  const headers = contentType === undefined ? [] : [`Content-Type: ${contentType}`];
  const pieces = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`);
  return exchange(port, `${requestText(LINE, ['Transfer-Encoding: chunked', ...headers])}${pieces.join('')}0\r\n\r\n`);
}

function assertNames(answer: RawAnswer, ...expected: string[]): void {
  assert.equal(answer.status, 200, answer.body);
  const { data } = JSON.parse(answer.body) as { data: { name: string }[] };
  assert.deepEqual(
    data.map(({ name }) => name),
    expected,
  );
}

/** A JSON object of so many bytes that asks for Nepal. */
function objectOf(bytes: number): string {
  const start = '{"search":"nepal"';
  return `${start}${' '.repeat(bytes - start.length - 1)}}`;
}

describe('an empty body counts as {}', { concurrency: true }, () => {
  const contentTypes = [undefined, JSON_TYPE, 'text/plain', `${JSON_TYPE}; charset=utf-16`, 'nonsense', ';;;/', ''];
  for (const contentType of contentTypes) {
    const name = contentType === undefined ? 'without a content type' : `with the content type "${contentType}"`;
    it(`an empty body ${name} counts as {}`, async () => {
      const headers = contentType === undefined ? [] : [`Content-Type: ${contentType}`];
      assertNames(await post('', contentType), 'India', 'Nepal');
      assertNames(await exchange(port, requestText(LINE, headers)), 'India', 'Nepal');
      assertNames(await postChunks([], contentType), 'India', 'Nepal');
    });
  }
});

describe('a JSON object is taken', { concurrency: true }, () => {
  for (const contentType of [
    JSON_TYPE,
    'Application/JSON',
    `${JSON_TYPE};charset=utf-8`,
    `${JSON_TYPE} ; Charset="UTF-8"`,
    `${JSON_TYPE}; charset=utf8`,
    `${JSON_TYPE}; profile="x"`,
  ]) {
    it(`a JSON object with the content type ${contentType} is accepted`, async () => {
      assertNames(await post('{"search":"nepal"}', contentType), 'Nepal');
      assertNames(await postChunks(['{"sea', 'rch":"nep', 'al"}'], contentType), 'Nepal');
    });
  }

  it('a JSON object with white space around it is accepted', async () => {
    assertNames(await post(' \r\n\t{ "search" : "nepal" }\n', JSON_TYPE), 'Nepal');
  });

  it('a JSON object after 100 Continue is accepted', async () => {
    const headers = [`Content-Type: ${JSON_TYPE}`, 'Expect: 100-continue'];
    assertNames(await exchange(port, requestText(LINE, headers, '{"search":"nepal"}')), 'Nepal');
  });

  it('a JSON object with the keys __proto__, constructor and toString is accepted and changes nothing', async () => {
    const keys = '"__proto__":{"search":"nepal"},"constructor":{"prototype":{"search":"nepal"}},"toString":1';
    assertNames(await post(`{${keys}}`, JSON_TYPE, STATES_LINE), 'Goa');
    assert.equal(({} as { search?: string }).search, undefined);
    assertNames(await post('{}', JSON_TYPE, STATES_LINE), 'Goa');
  });

  it('a JSON object of up to 32 levels is accepted, and a deeper one gets 400', async () => {
    const nest = (open: string, close: string, times: number) => `${open.repeat(times)}1${close.repeat(times)}`;
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      assertNames(await post(`{"more":${nest(open, close, 31)}}`, JSON_TYPE, STATES_LINE), 'Goa');
      for (const levels of [32, 10_000]) {
        const answer = await post(`{"search":${nest(open, close, levels)}}`, JSON_TYPE);
        assertErrorForm(answer, 400, 'MALFORMED_REQUEST');
      }
    }
  });

  it('the body of a GET request is ignored', async () => {
    const headers = [`Content-Type: ${JSON_TYPE}`];
    assertNames(await exchange(port, requestText('GET /api/countries/list', headers, '{"half')), 'India', 'Nepal');
  });
});

describe('a name that occurs twice in a JSON body', { concurrency: true }, () => {
  const cases: readonly (readonly [body: string, field: string | undefined])[] = [
    ['{"limit":5,"isPaginationNeeded":true,"limit":1}', 'limit'],
    ['{"limit":5,"isPaginationNeeded":true,"l\\u0069mit":1}', 'limit'],
    ['{"search":"Nepal","search":"India"}', 'search'],
    ['{"search":null,"search":null}', 'search'],
    ['{"isPaginationNeeded":true,"isPaginationNeeded":false}', 'isPaginationNeeded'],
    ['{"unknown":{"a":1,"a":2}}', undefined],
    ['{"unknown":1,"search":"nep","unknown":2}', undefined],
    ['{"toString":1,"toString":2}', undefined],
  ];
  for (const [body, field] of cases) {
    it(`a JSON body with a repeated name gets 400: ${body}`, async () => {
      const answer = await post(body, JSON_TYPE);
      assert.equal(answer.status, 400, answer.body);
      const { code, errors = [] } = JSON.parse(answer.body) as {
        code: string;
        errors?: { field: string; code: string }[];
      };
      if (field === undefined) assert.equal(code, 'MALFORMED_REQUEST');
      else assert.deepEqual([errors[0]?.field, errors[0]?.code], [field, 'DUPLICATE']);
    });
  }
});

describe('another body is refused', { concurrency: true }, () => {
  for (const contentType of [
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/problem+json',
    `${JSON_TYPE}; charset=utf-16`,
    `${JSON_TYPE}; charset=iso-8859-1`,
    'nonsense',
  ]) {
    it(`a body with ${contentType ?? 'no content type'} gets 415`, async () => {
      assertErrorForm(await post('{}', contentType), 415, 'UNSUPPORTED_MEDIA_TYPE');
      assertErrorForm(await postChunks(['{}'], contentType), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
  }
});

describe('a compressed body', () => {
  it('a compressed body gets 415, and Content-Encoding: identity is accepted', async () => {
    const send = (coding: string) =>
      exchange(
        port,
        requestText(LINE, [`Content-Type: ${JSON_TYPE}`, `Content-Encoding: ${coding}`], '{"search":"nepal"}'),
      );
    for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'identity, gzip', '']) {
      assertErrorForm(await send(coding), 415, 'UNSUPPORTED_MEDIA_TYPE');
    }
    assertNames(await send('Identity'), 'Nepal');
  });
});

describe('the size of a body', { concurrency: true }, () => {
  it('a body of 64 KiB is accepted, at once and in chunks', async () => {
    const body = objectOf(LIMIT);
    assert.equal(Buffer.byteLength(body), 65_536);
    assertNames(await post(body, JSON_TYPE), 'Nepal');
    assertNames(await postChunks([body.slice(0, 40_000), body.slice(40_000)], JSON_TYPE), 'Nepal');
  });

  it('a body of 64 KiB and one byte gets 413, at once and in chunks, and the connection is closed', async () => {
    const body = objectOf(LIMIT + 1);
    for (const answer of [
      await post(body, JSON_TYPE),
      await postChunks([body.slice(0, 40_000), body.slice(40_000)], JSON_TYPE),
      await post(body, 'text/plain'),
    ]) {
      assertErrorForm(answer, 413, 'PAYLOAD_TOO_LARGE');
      assert.equal(answer.headers.connection, 'close');
    }
  });

  it('a body whose Content-Length is too large gets 413 before it is sent', async () => {
    const announced = requestText(LINE, [`Content-Type: ${JSON_TYPE}`, 'Content-Length: 9999999999']);
    assertErrorForm(await exchange(port, announced), 413, 'PAYLOAD_TOO_LARGE');
  });
});
