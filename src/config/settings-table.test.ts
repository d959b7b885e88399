import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenIn, readSettings } from './read-settings.ts';
import type { Setting } from './setting.ts';
import { SECTIONS, SETTINGS } from './settings-table.ts';

const ROWS: [name: string, setting: Setting][] = Object.entries(SETTINGS);
const WRONG = '\u0007 wrong';

const problemsOf = (env: Record<string, string>) => readSettings(givenIn(env)).problems;

test('settings table: each setting stands in one section', () => {
  const inSections = SECTIONS.flatMap(({ settings }) => Object.entries(settings));
  assert.deepEqual(inSections, ROWS);
});

test('settings table: each default is what its rule expects', () => {
  const withDefault = ROWS.filter(([, { default: fallback }]) => fallback !== undefined);
  assert.ok(withDefault.length > 20);
  for (const [name, { rule, default: fallback = '' }] of withDefault) {
    for (const given of [() => undefined, (other: string) => `the text of ${other}`]) {
      const text = typeof fallback === 'string' ? fallback : fallback.of(given);
      assert.notEqual(rule.parse(text), undefined, `${name}: ${text}`);
    }
  }
});

test('settings table: what a setting needs are settings', () => {
  for (const [name, { onlyWith = [], requires = [] }] of ROWS) {
    for (const other of [...onlyWith, ...requires]) assert.ok(other in SETTINGS && other !== name, `${name}: ${other}`);
  }
});

test('settings table: each wrong one is named with what is expected, and a secret is not repeated', () => {
  const strict = ROWS.filter(([, { rule }]) => rule.parse(WRONG) === undefined);
  assert.deepEqual(
    strict.filter(([, { secret }]) => secret).map(([name]) => name),
    ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'JWT_SECRET'],
  );
  const problems = problemsOf(Object.fromEntries(strict.map(([name]) => [name, WRONG])));
  for (const [name, { rule, secret }] of strict) {
    const shown = secret ? '(not shown here)' : 'is "\\u0007 wrong"';
    assert.ok(problems.includes(`  ${name} ${shown}: expected ${rule.expected}`), name);
  }
});

test('settings table: each one is refused without those that it needs', () => {
  for (const [name, { onlyWith, requires = [] }] of ROWS) {
    const problems = problemsOf({ [name]: 'x' }).filter((line) => / is (not )?set: /.test(line));
    assert.deepEqual(problems, [
      ...requires.map((other) => `  ${other} is not set: expected with ${name}`),
      ...(onlyWith ? [`  ${name} is set: expected only with ${onlyWith.join(' or ')}`] : []),
    ]);
    for (const other of onlyWith ?? []) {
      assert.ok(!problemsOf({ [name]: 'x', [other]: 'x' }).some((line) => line.startsWith(`  ${name} is set:`)));
    }
  }
});
