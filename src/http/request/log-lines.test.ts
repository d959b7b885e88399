import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableLines } from './log-lines.ts';
import { createLog } from './request-log.ts';

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(
    createLog(
      'info',
      readableLines({
        write(piece: string | Uint8Array) {
          text += String(piece);
          return true;
        },
      }),
    ),
  );
  return text;
}

test('the log at a terminal writes one readable line per entry', () => {
  const line = written((log) =>
    log.info({ method: 'GET', path: '/api/x', status: 200, reason: 'user unknown' }, 'request'),
  );
  assert.match(line, /^\d\d:\d\d:\d\d INFO {2}request method=GET path=\/api\/x status=200 reason="user unknown"\n$/);
});

test('the log at a terminal writes the indented stack of an error after its line', () => {
  const text = written((log) => log.error({ err: new TypeError('no such thing') }, 'It failed'));
  assert.match(text, /^\S+ ERROR It failed\n {4}TypeError: no such thing\n {8}at /);
});

test('the log at a terminal escapes control characters in values from outside', () => {
  const text = written((log) => log.warn({ path: '/\u001b[2J', err: new Error('\u009b1A') }, 'a\u0007\u202eb'));
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
  assert.match(text, /\\u001b/);
});
