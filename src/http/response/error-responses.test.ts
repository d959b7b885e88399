import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, apiErrors, ERROR_STATUS, type ErrorCode } from '../../entities/api-error.ts';
import { errorAnswer, toApiError } from './error-responses.ts';

const ERROR = new ApiError('NOT_FOUND', 'Not here.');

function isProblem(accept: string | undefined): boolean {
  return errorAnswer(ERROR, 'id', accept).headers['content-type'] === 'application/problem+json';
}

describe('an error over the wire', () => {
  it('the error response has the status, code, message and request id for every error code', () => {
    for (const [code, status] of Object.entries(ERROR_STATUS) as [ErrorCode, number][]) {
      const answer = errorAnswer(new ApiError(code, 'Why.'), 'id', undefined);
      assert.equal(answer.status, status);
      assert.deepEqual(JSON.parse(answer.body), { success: false, message: 'Why.', code, requestId: 'id' });
    }
  });

  it('the error response names the invalid fields in their order', () => {
    const problems = [
      { field: 'limit', code: 'OUT_OF_RANGE', message: 'limit must be less.' },
      { field: 'page', code: 'INVALID_TYPE', message: 'page must be a number.' },
    ] as const;
    const { body } = errorAnswer(apiErrors.invalidInput(problems), 'id', undefined);
    assert.deepEqual(JSON.parse(body), {
      success: false,
      message: 'limit must be less. page must be a number.',
      code: 'INVALID_INPUT',
      errors: problems,
      requestId: 'id',
    });
  });

  it('the error response contains the headers of the error', () => {
    const error = new ApiError('METHOD_NOT_ALLOWED', 'No.', { headers: { allow: 'GET', 'cache-control': 'private' } });
    assert.deepEqual(errorAnswer(error, 'id', undefined).headers, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private',
      vary: 'Accept',
      'x-request-id': 'id',
      'x-content-type-options': 'nosniff',
      allow: 'GET',
    });
  });

  it('the error response escapes quotes and line breaks in its texts', () => {
    const { body } = errorAnswer(new ApiError('MALFORMED_REQUEST', 'A "b"\n.'), 'a"b', undefined);
    assert.deepEqual([JSON.parse(body).message, JSON.parse(body).requestId], ['A "b"\n.', 'a"b']);
  });
});

describe('problem details', () => {
  it('the problem details contain the error under the names of RFC 9457', () => {
    const { status, body } = errorAnswer(ERROR, 'id', 'application/problem+json');
    const expected = {
      type: '/docs/errors#NOT_FOUND',
      title: 'Not Found',
      status,
      detail: 'Not here.',
      code: 'NOT_FOUND',
    };
    assert.deepEqual(JSON.parse(body), { ...expected, success: false, message: 'Not here.', requestId: 'id' });
  });

  for (const accept of [
    'application/problem+json',
    'APPLICATION/Problem+JSON',
    'application/json, application/problem+json',
    'application/problem+json, */*;q=0.1',
    'application/json;q=0.9,application/problem+json;q=0.1,*/*;q=0',
    ' application/problem+json ; q=0.001',
    'application/problem+json;charset=utf-8',
    'application/problem+json;q=1.0',
    'text/html,\tapplication/problem+json',
  ]) {
    it(`the error response uses problem details for Accept: ${accept}`, () => assert.equal(isProblem(accept), true));
  }

  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/*',
    'application/json',
    'application/problem+xml',
    'application/problem+json-x',
    'x-application/problem+json',
    'application/problem+json;q=0',
    'application/problem+json; q=0.000, application/json',
    'text/html, application/problem+json ;q=0.0',
  ]) {
    it(`no problem details are returned for ${accept === undefined ? 'no Accept' : `Accept: ${accept}`}`, () =>
      assert.equal(isProblem(accept), false));
  }

  it('an Accept header of 8 KiB is parsed in less than 0.2 seconds', () => {
    const start = process.cpuUsage();
    for (const piece of [',', ' ', ', ', 'application/problem+json;q=', ',application/problem+json ; q=0']) {
      isProblem(piece.repeat(8192 / piece.length));
    }
    // Microseconds.
    assert.ok(process.cpuUsage(start).user < 200_000);
  });
});

describe('what an error returns to the caller', () => {
  const withCode = (code: string, more: object = {}) => Object.assign(new Error('secret'), { code, ...more });

  for (const [what, error, code] of [
    ['an error for the caller', ERROR, 'NOT_FOUND'],
    ['a path that is not well encoded', withCode('FST_ERR_BAD_URL', { statusCode: 400 }), 'MALFORMED_REQUEST'],
    [
      'another error of the framework that blames the request',
      withCode('FST_ERR_X', { statusCode: 422 }),
      'MALFORMED_REQUEST',
    ],
    ['an error of the framework that blames us', withCode('FST_ERR_Y', { statusCode: 500 }), 'INTERNAL_ERROR'],
    ['a client that has gone away', withCode('ECONNRESET', { statusCode: 400 }), 'MALFORMED_REQUEST'],
    ['a database that has gone away', withCode('ECONNRESET'), 'UNAVAILABLE'],
    ['a database that refuses connections', withCode('ECONNREFUSED'), 'UNAVAILABLE'],
    ['a database that shuts down', withCode('57P01'), 'UNAVAILABLE'],
    ['a database without a free connection', withCode('53300'), 'UNAVAILABLE'],
    ['a database that takes no writes', withCode('25006'), 'UNAVAILABLE'],
    ['a statement that is wrong', withCode('42601'), 'INTERNAL_ERROR'],
    ['a value that is refused by the database', withCode('23505'), 'INTERNAL_ERROR'],
    ['a statement that took too long', withCode('57014'), 'UNAVAILABLE'],
    ['a transaction that was rolled back to end a deadlock', withCode('40P01'), 'UNAVAILABLE'],
    ['a transaction that others got in the way of', withCode('40001'), 'UNAVAILABLE'],
    ['a lock that did not come in time', withCode('55P03'), 'UNAVAILABLE'],
    ['a transaction that took too long', withCode('25P04'), 'UNAVAILABLE'],
    ['a mistake in the code', new TypeError('secret'), 'INTERNAL_ERROR'],
    ['a text that is thrown', 'secret', 'INTERNAL_ERROR'],
    ['nothing that is thrown', undefined, 'INTERNAL_ERROR'],
    ['null that is thrown', null, 'INTERNAL_ERROR'],
    ['a code that is no text', { code: 57, message: 'secret' }, 'INTERNAL_ERROR'],
  ] as const) {
    it(`toApiError returns ${code} for ${what}`, () => {
      const reported = toApiError(error);
      assert.equal(reported.code, code);
      assert.ok(!reported.message.includes('secret'));
      if (reported !== error) assert.equal(reported.cause, error);
      assert.equal('retry-after' in reported.headers, code === 'UNAVAILABLE');
    });
  }
});
