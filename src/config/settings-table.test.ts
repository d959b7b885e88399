import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { givenIn, readSettings } from './read-settings.ts';
import type { Setting } from './setting.ts';
import { SECTIONS, SETTINGS } from './settings-table.ts';

const ROWS: [name: string, setting: Setting][] = Object.entries(SETTINGS);
const WRONG = '\u0007 wrong';

const problemsOf = (env: Record<string, string>) => readSettings(givenIn(env)).problems;

test('each setting of the settings table is in exactly one section', () => {
  const inSections = SECTIONS.flatMap(({ settings }) => Object.entries(settings));
  assert.deepEqual(inSections, ROWS);
});

test('the default of each setting satisfies the rule of that setting', () => {
  const withDefault = ROWS.filter(([, { default: fallback }]) => fallback !== undefined);
  assert.ok(withDefault.length > 20);
  for (const [name, { rule, default: fallback = '' }] of withDefault) {
    for (const given of [() => undefined, (other: string) => `the text of ${other}`]) {
      const text = typeof fallback === 'string' ? fallback : fallback.of(given);
      assert.ok('value' in rule.parse(text), `${name}: ${text}`);
    }
  }
});

test('each setting requires only other existing settings', () => {
  for (const [name, { onlyWith = [], requires = [] }] of ROWS) {
    for (const other of [...onlyWith, ...requires]) assert.ok(other in SETTINGS && other !== name, `${name}: ${other}`);
  }
});

test('each invalid setting is named with the expected value, and the value of a secret is not shown', () => {
  const strict = ROWS.filter(([, { rule }]) => 'code' in rule.parse(WRONG));
  assert.deepEqual(
    strict.filter(([, { secret }]) => secret).map(([name]) => name),
    [
      ...['PROFILE_KEY', 'PROFILE_KEY_PREVIOUS'],
      ...[
        'DATABASE_URL',
        'DATABASE_DIRECT_URL',
        'DATABASE_REPLICA_URL',
        'JWT_SECRET',
        'JWT_SECRET_PREVIOUS',
        'SMTP_URL',
      ],
    ],
  );
  const problems = problemsOf(Object.fromEntries(strict.map(([name]) => [name, WRONG])));
  for (const [name, { rule, secret }] of strict) {
    const shown = secret ? '(not shown here)' : 'is "\\u0007 wrong"';
    assert.ok(problems.includes(`  ${name} ${shown}: expected ${rule.rule}`), name);
  }
});

test('each setting is refused without the settings that it requires', () => {
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

test('a secret is read from the file that its _FILE variable names, and problems name only the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-settings-'));
  const [good, empty] = [join(folder, 'good'), join(folder, 'empty')];
  writeFileSync(good, 'a secret that is long enough for this\n');
  writeFileSync(empty, '\n');
  const problems = (env: Record<string, string>) => {
    try {
      readConfig(env);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  assert.equal(readConfig({ JWT_SECRET_FILE: good }).jwtSecret, 'a secret that is long enough for this');
  assert.match(
    problems({ JWT_SECRET_FILE: join(folder, 'none') }),
    /JWT_SECRET_FILE is .*none: expected a file that can be read/,
  );
  assert.match(problems({ JWT_SECRET_FILE: empty }), /JWT_SECRET_FILE is .*empty: expected a file with a text/);
  assert.match(
    problems({ JWT_SECRET_FILE: good, JWT_SECRET: 'x'.repeat(40) }),
    /JWT_SECRET and JWT_SECRET_FILE are set together/,
  );
  // Other settings are no secrets, and have no file.
  assert.equal(readConfig({ PORT_FILE: good }).port, 3000);
  rmSync(folder, { recursive: true });
});
