import { openSync, readSync } from 'node:fs';

/*
 * Loaded into the process of the service before it starts. Between `begin` and `end` it keeps the event loop turning, and answers
 * `end` with the milliseconds of its longest turn, but those for which other programs had the processor (Linux).
 */
const statistics = openSync('/proc/self/schedstat', 'r');
const text = Buffer.alloc(100);
let isWatching = false;
let longest = 0;
let last = now();

interface Moment {
  /** Milliseconds that have passed, but those that this thread stood in line for a processor. */
  passed: number;
  /** Milliseconds that the process has had a processor, all its threads together. */
  used: number;
}

function now(): Moment {
  for (let before = inLine(); ; ) {
    const { user, system } = process.cpuUsage();
    const passed = performance.now();
    const after = inLine();
    // Otherwise it stood in line in between.
    if (after === before) return { passed: passed - after, used: (user + system) / 1000 };
    before = after;
  }
}

function inLine(): number {
  const length = readSync(statistics, text, 0, text.length, 0);
  const [, nanoseconds] = text.toString('latin1', 0, length).split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Either may be too much: the thread waits for others of its process that stand in line, and they work next to it. */
function look(): void {
  const present = now();
  longest = Math.max(longest, Math.min(present.passed - last.passed, present.used - last.used));
  last = present;
  if (isWatching) setImmediate(look);
}

process.on('message', (message) => {
  isWatching = message === 'begin';
  if (isWatching) {
    last = now();
    longest = 0;
    setImmediate(look);
    process.send?.('begun');
  } else {
    look();
    process.send?.(longest);
  }
});
process.channel?.unref();
