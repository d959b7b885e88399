import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { speedInWords, terminalOutput } from './terminal-output.ts';

function streams(isTTY: boolean) {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
  return { stdout, stderr, written: () => [stdout, stderr].map(textIn) };
}

/** Returns everything written to a stream; since Node 26 a read returns one chunk. */
function textIn(stream: PassThrough): string {
  let text = '';
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece);
  return text;
}

const step = (name: string, done: number, total: number) => ({ step: name, done, total, unit: 'rows' }) as const;

/** Returns the number of timers that keep this process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('the terminal output writes no progress bar to a file or a pipe', () => {
  const { stdout, stderr, written } = streams(false);
  using output = terminalOutput(stdout, stderr);
  output.progress(step('reading', 1, 2));
  output.print('done');
  assert.deepEqual(written(), ['done\n', '']);
});

test('the terminal output shows a progress bar on a terminal until the step is complete', () => {
  const { stdout, stderr, written } = streams(true);
  const before = timers();
  using output = terminalOutput(stdout, stderr);
  output.progress(step('reading', 1, 2));
  output.progress(step('writing', 1, 4));
  assert.equal(timers(), before + 1);
  output.progress(step('writing', 4, 4));
  assert.equal(timers(), before);
  const [text, bar = ''] = written();
  assert.equal(text, '');
  assert.match(bar, /reading.*50 %.*writing.*25 %/s);
});

test('the terminal output releases its timer and leaves Ctrl+C alone when a step is abandoned', () => {
  const { stdout, stderr } = streams(true);
  const [before, listeners] = [timers(), process.listenerCount('SIGINT')];
  {
    using output = terminalOutput(stdout, stderr);
    output.progress(step('reading', 1, 2));
    assert.equal(process.listenerCount('SIGINT'), listeners);
  }
  assert.equal(timers(), before);
});

test('the terminal output stops the progress bar before it prints a line', () => {
  const { stdout, stderr } = streams(true);
  const before = timers();
  using output = terminalOutput(stdout, stderr);
  output.progress(step('reading', 1, 2));
  output.print('a line');
  assert.equal(timers(), before);
  assert.equal(textIn(stdout), 'a line\n');
});

test('the terminal output shows the speed of a step and the remaining time once both can be estimated', () => {
  const half = { step: 'x', done: 45_000_000, total: 90_000_000 };
  assert.equal(speedInWords({ ...half, unit: 'bytes' }, 3_600), ', 12.5 MB/s, 0:04 left');
  assert.equal(speedInWords({ ...half, unit: 'rows' }, 100_000), ', 450000 rows/s, 1:40 left');
  assert.equal(speedInWords({ ...half, unit: 'rows' }, 499), '');
  assert.equal(speedInWords({ ...half, done: 0, unit: 'rows' }, 10_000), '');
});
