import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { ERROR_STATUS } from '../../../src/entities/api-error.ts';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { assertErrorForm, exchange, requestText } from '../../support/raw-http.ts';

const NOTHING = 'GET /api/nothing';
const LIST = 'GET /api/countries/list';
const NEW_ID = /^[0-9a-f]{32}$/;

const bare = await buildBareApp();
const port = await listenLocally(bare.app);
after(() => bare[Symbol.asyncDispose]());

describe('the request id', { concurrency: true }, () => {
  for (const given of [
    'a',
    'trace-1.2:3/4+5=_',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'x'.repeat(128),
  ]) {
    it(`the request id "${given.slice(0, 60)}" of the caller is returned`, async () => {
      const headers = [`X-Request-Id: ${given}`];
      const error = assertErrorForm(await exchange(port, requestText(NOTHING, headers)), 404, 'NOT_FOUND');
      assert.equal(error.requestId, given);
      const success = await exchange(port, requestText(LIST, headers));
      assert.deepEqual([success.status, success.headers['x-request-id']], [200, given]);
    });
  }

  for (const [what, headers] of [
    ['there is none', []],
    ['it is empty', ['X-Request-Id: ']],
    ['it is longer than 128 characters', [`X-Request-Id: ${'x'.repeat(129)}`]],
    ['it holds a space', ['X-Request-Id: a b']],
    ['it holds what could break a log line', ['X-Request-Id: "},{"level":60']],
    ['it holds a letter beyond ASCII', ['X-Request-Id: \xe9']],
    ['there are two', ['X-Request-Id: a', 'X-Request-Id: b']],
  ] as const) {
    it(`a new request id is returned if the header X-Request-Id is invalid: ${what}`, async () => {
      const ids = new Set<string>();
      for (let time = 0; time < 2; time++) {
        const error = assertErrorForm(await exchange(port, requestText(NOTHING, headers)), 404, 'NOT_FOUND');
        assert.match(error.requestId, NEW_ID);
        ids.add(error.requestId);
      }
      assert.equal(ids.size, 2);
    });
  }

  it('a new request id is returned for a request that is not HTTP', async () => {
    const error = assertErrorForm(await exchange(port, 'X-Request-Id: mine\r\n\r\n'), 400, 'MALFORMED_REQUEST');
    assert.match(error.requestId, NEW_ID);
  });
});

describe('problem details', { concurrency: true }, () => {
  const accept = ['Accept: application/problem+json'];
  for (const [request, status, code, title] of [
    [requestText(NOTHING, accept), 404, 'NOT_FOUND', 'Not Found'],
    [requestText('DELETE /docs', accept), 405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed'],
    [requestText('GET /api/users/profile', accept), 401, 'AUTHENTICATION_REQUIRED', 'Unauthorized'],
    [requestText('GET /%ff', accept), 400, 'MALFORMED_REQUEST', 'Bad Request'],
    [requestText('POST /api/cities/list', accept, 'x'), 415, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported Media Type'],
  ] as const) {
    it(`a client that accepts problem details gets a ${status} in the form of RFC 9457`, async () => {
      const { headers, body, ...answer } = await exchange(port, request);
      assert.equal(answer.status, status);
      assert.match(String(headers['content-type']), /^application\/problem\+json(?:;|$)/);
      assert.deepEqual([headers['cache-control'], headers.vary], ['no-store', 'Accept']);
      const problem = JSON.parse(body);
      assert.deepEqual(Object.keys(problem), [
        'type',
        'title',
        'status',
        'detail',
        'success',
        'message',
        'code',
        'requestId',
      ]);
      const { requestId, detail } = problem;
      assert.deepEqual(problem, {
        type: `/docs/errors#${code}`,
        title,
        status,
        detail,
        success: false,
        message: detail,
        code,
        requestId,
      });
      assert.match(detail, /^\S.*\.$/);
      assert.equal(headers['x-request-id'], requestId);
    });
  }

  it('problem details name the same invalid fields as the default form', async () => {
    const line = `${LIST}?isPaginationNeeded=true&limit=0&page=0`;
    const problem = JSON.parse((await exchange(port, requestText(line, accept))).body);
    const error = assertErrorForm(await exchange(port, requestText(line)), 400, 'INVALID_INPUT');
    assert.deepEqual(problem.errors, error.errors);
    assert.equal(problem.detail, error.message);
    assert.equal(error.errors?.length, 2);
  });

  it('a successful response is the same for every Accept', async () => {
    for (const wanted of ['application/problem+json', 'text/html', 'image/png;q=0.1', '*/*']) {
      const answer = await exchange(port, requestText(LIST, [`Accept: ${wanted}`]));
      assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json; charset=utf-8']);
    }
  });
});

it('docs/errors.md lists every code with its status, and no other', () => {
  const text = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = Array.from(text.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \|/gm), ([, status, code]) => [
    code,
    Number(status),
  ]);
  assert.deepEqual(Object.fromEntries(rows), ERROR_STATUS);
  assert.equal(rows.length, Object.keys(ERROR_STATUS).length);
});
