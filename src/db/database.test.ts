import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ADVISORY_LOCKS } from './database.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Arguments of all calls that take or release an advisory lock, by file. */
function lockCalls(folder: string, ending: string): Map<string, string[]> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith(ending) && !file.endsWith('.test.ts'),
  );
  const calls = files.map((file): [string, string[]] => {
    const text = readFileSync(join(ROOT, folder, file), 'utf8');
    return [
      file,
      [...text.matchAll(/\bpg_\w*advisory\w*\s*\((\$\{[^}]*\}|[^),]*)[),]/g)].map(([, argument = '']) => argument),
    ];
  });
  return new Map(calls.filter(([, found]) => found.length > 0));
}

test('each advisory lock number has one purpose', () => {
  const numbers = Object.values(ADVISORY_LOCKS);
  assert.equal(new Set(numbers).size, numbers.length);
});

test('migrations take the advisory lock of the feed, and those of texts, and no other', () => {
  const isOfText = (argument: string) => argument.startsWith('hashtextextended(');
  const calls = [...lockCalls('migrations', '.sql').values()].flat().filter((argument) => !isOfText(argument));
  assert.ok(calls.length > 0);
  for (const argument of calls) assert.equal(Number(argument), ADVISORY_LOCKS.feed);
});

test('the service takes and releases each advisory lock in one file, by its name', () => {
  const calls = [...lockCalls('src', '.ts').values()].flatMap((found) => [...new Set(found)]);
  const names = Object.keys(ADVISORY_LOCKS);
  assert.deepEqual(calls.toSorted(), names.map((name) => `\${advisoryLock('${name}')}`).toSorted());
});
