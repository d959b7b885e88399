import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const SOURCES = 'web/src';
/** What names a side of the screen, which is the other one in languages that are read from the right. */
const PHYSICAL = [
  /(?:margin|padding|border|inset)-(?:left|right)/,
  /^\s*(?:left|right):[^']*;$/,
  /border-(?:top|bottom)-(?:left|right)-radius/,
  /(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
  /\s(?:ml|mr|pl|pr|left|right)=/,
  /\b(?:ta|justify|align|float)="(?:left|right)"/,
  /\b(?:margin|padding|border)(?:Left|Right)\b/,
];

function physicalIn(text: string): string[] {
  return text.split('\n').filter((line) => PHYSICAL.some((one) => one.test(line)));
}

it('no style of the console names the left or the right side of the screen', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:css|tsx)$/.test(name),
  );
  const found = files.flatMap((name) =>
    physicalIn(readFileSync(join(SOURCES, name), 'utf8')).map((line) => `${name}: ${line}`),
  );
  assert.deepEqual(found, []);
});

it('the check of sides reports styles and properties that name one', () => {
  for (const line of ['  margin-left: 1rem;', '  left: 0;', '  text-align: right;', '<Text ml={4}>', '<Box ta="left">'])
    assert.deepEqual(physicalIn(line), [line]);
  assert.deepEqual(physicalIn('  margin-inline-start: 1rem;\n<Text ms={4}>'), []);
});
