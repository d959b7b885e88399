import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runFiles } from '../../support/run-files.ts';

/** Milliseconds. */
const TEST_DEADLINE = 8_000;

/** Test files, in the order in which they run. */
const FILES: Readonly<Record<string, string>> = {
  fails: `
    test('flat', () => assert.deepEqual({ a: [1, 2] }, { a: [1, 3] }));
    describe('suite', () => describe('inner', () => { it('throws', () => { throw new TypeError('of the test'); }); it('works'); }));
    describe('hooked', () => { after(() => { throw new Error('of the hook'); }); it('works'); });`,
  passes: `
    const order = ['imported'];
    before(() => order.push('before'));
    after(() => { assert.equal(order.join(), 'imported,awaited,before,inner,of the suite,flat'); process.env.LEFT = 'x'; });
    process.env.LEFT = 'x';
    mock.timers.enable({ apis: ['Date'], now: 0 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    order.push('awaited');
    describe('suite', () => { before(() => order.push('inner')); it('works', () => { order.push('of the suite'); }); });
    test('flat', () => { order.push('flat'); });`,
  'sees nothing of others': `
    it('is as at the start', () => { assert.equal(process.env.LEFT, undefined); assert.ok(Date.now() > 1); });`,
  skips: `it.skip('skipped', () => {}); it.todo('is to come'); it('works', () => {});`,
  empty: 'export const nothing = 0;',
  'cannot be imported': `it('is not reached'); throw new Error('of the import');`,
  'waits for nothing': `it('works'); describe('suite', () => it('waits', () => new Promise(() => {})));`,
  'is imported for ever': `await new Promise(() => {}); it('is not reached');`,
  'loses what it uses': `
    it('fails', () => { process.send({ type: 'interrupted', reason: 'its browser ended by SIGSEGV' }); throw new Error('no browser'); });
    it('works');`,
  exits: `it('ends', () => process.exit(0)); it('is not reached');`,
  hangs: `it('hangs', () => new Promise(() => { setInterval(() => {}, 1000); }));`,
  'names its group': `const { OF_THE_GROUP } = process.env; it('fails', () => { throw new Error('of group ' + OF_THE_GROUP); });`,
  'is the last': `it('works');`,
};

describe('test files in one process after the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-runner-'));
  after(() => rmSync(folder, { recursive: true }));
  const fileOf = (name: string) => join(folder, `${name}.mjs`);
  const head = `import assert from 'node:assert/strict';
    import { after, before, describe, it, mock, test } from 'node:test';\n`;
  for (const [name, text] of Object.entries(FILES)) writeFileSync(fileOf(name), head + text);

  let printed = '';
  const result = runFiles(
    [
      { name: 'a group', files: Object.keys(FILES).map(fileOf), settings: Promise.resolve({ OF_THE_GROUP: '1' }) },
      { name: 'another', files: [fileOf('is the last')], settings: Promise.reject(new Error('no server')) },
      { name: 'a third', files: [fileOf('names its group')], settings: Promise.resolve({ OF_THE_GROUP: '3' }) },
    ],
    new AbortController().signal,
    { processes: 1, testDeadline: TEST_DEADLINE, write: (text) => (printed += text) },
  );
  /** What is printed of a failure, from the line that names it to the next. */
  const failureOf = (where: string, group = 'a group') =>
    printed.split('✖ ').find((text) => text.startsWith(`${group}: ${where}\n`)) ?? '';

  it('the test runner counts the passed tests of a file, whatever happened to earlier files', async () => {
    const [tally, other] = await result;
    assert.deepEqual([tally?.passed, other?.passed, other?.failed], [8, 0, 1], printed);
    assert.match(printed, /✖ another: the tests could not be run\nError: no server/);
  });

  it('the test runner names a failed test with its file, error and difference', async () => {
    await result;
    assert.match(failureOf(`${fileOf('fails')}: flat`), /strictly deep-equal.*\+ +2\n- +3\n.*fails\.mjs:\d+/s);
    assert.match(failureOf(`${fileOf('fails')}: suite › inner › throws`), /^[^\n]*\nTypeError: of the test\n/);
    assert.match(failureOf(`${fileOf('fails')}: hooked`), /of the hook/);
    assert.match(failureOf(`${fileOf('skips')}: skipped`), /was skipped/);
    assert.match(failureOf(`${fileOf('skips')}: is to come`), /is still to do/);
    assert.match(failureOf(fileOf('empty')), /has no tests/);
  });

  it('the test runner runs a file again in another group with the settings of that group', async () => {
    const [, , third] = await result;
    assert.deepEqual([third?.passed, third?.failed], [0, 1], printed);
    assert.match(failureOf(`${fileOf('names its group')}: fails`), /Error: of group 1\n/);
    assert.match(failureOf(`${fileOf('names its group')}: fails`, 'a third'), /Error: of group 3\n/);
  });

  it('the test runner names a file that cannot be imported, does not end or ends its process', async () => {
    await result;
    assert.match(failureOf(fileOf('cannot be imported')), /Error: of the import\n/);
    assert.match(failureOf(`${fileOf('waits for nothing')}: suite › waits`), /still pending/);
    assert.match(failureOf(fileOf('is imported for ever')), /it waits for what cannot come any more/);
    assert.match(failureOf(fileOf('exits')), /its process ended with code 0/);
    assert.match(failureOf(fileOf('hangs')), /none of its tests began or ended for 8 seconds, in the middle of: hangs/);
  });

  it('the test runner does not count a file whose browser has ended', async () => {
    const [tally] = await result;
    assert.deepEqual(tally?.interrupted, [fileOf('loses what it uses')]);
    assert.match(printed, /loses what it uses\.mjs does not count: its browser ended by SIGSEGV\n/);
  });

  it('the test runner gives each file a fresh state and runs its tests in the written order', async () => {
    await result;
    for (const name of ['passes', 'sees nothing of others', 'is the last']) {
      assert.equal(printed.includes(`✖ a group: ${fileOf(name)}`), false, printed);
    }
  });
});
