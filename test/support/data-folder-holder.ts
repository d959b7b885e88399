/*
 * A process that locks a data folder, for tests that need a second one: `data-folder-holder.ts MODE FOLDER`.
 * It sends `held` to its parent as soon as it has the lock.
 */
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderInUseError, lockDataFolder } from '../../src/embedded/data-folder-lock.ts';

const [mode = '', folder = ''] = process.argv.slice(2);
/** Far longer than any test. */
const HELD_MS = 3_600_000;

const options = {
  command: `test ${mode}`,
  answer: async (request: readonly string[], print: (text: string) => void) =>
    print(`${process.pid} ${request.join()}`),
};

const modes: Record<string, () => Promise<void>> = {
  /** Holds the lock until killed. */
  async hold() {
    await lockDataFolder(folder, options);
    process.send?.('held');
    await sleep(HELD_MS);
  },
  /** Holds the lock and does not come back to its event loop. */
  async block() {
    await lockDataFolder(folder, options);
    process.send?.('held', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_MS));
  },
  /** Locks and comes to its end without a release. */
  async end() {
    await lockDataFolder(folder, options);
  },
  /** On the parent's word, competes with other such processes: releases the lock twice, then dies with it. */
  async race() {
    process.send?.('ready');
    await once(process, 'message');
    for (let wins = 0; wins < 3; ) {
      const lock = await tryLock();
      if (lock === undefined) continue;
      wins++;
      const marker = join(folder, 'held');
      await writeFile(marker, '', { flag: 'wx' }); // fails where another process has the lock too
      await sleep(30);
      await rm(marker);
      if (wins === 3) process.kill(process.pid, 'SIGKILL');
      await lock[Symbol.asyncDispose]();
    }
  },
};

async function tryLock(): Promise<AsyncDisposable | undefined> {
  try {
    return await lockDataFolder(folder, options);
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    await sleep(Math.random() * 5);
    return undefined;
  }
}

await modes[mode]?.();
