import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A group of processes with a bound on its memory, as containers have: for root, where groups can be made. */
export class MemoryGroup {
  readonly #folder: string;
  readonly #isV2 = existsSync('/sys/fs/cgroup/cgroup.controllers');

  /** @param room bytes */
  constructor(room: number) {
    this.#folder = join('/sys/fs/cgroup', this.#isV2 ? '' : 'memory', `orgdesk-${process.pid}-${Date.now()}`);
    mkdirSync(this.#folder);
    writeFileSync(join(this.#folder, this.#isV2 ? 'memory.max' : 'memory.limit_in_bytes'), String(room));
  }

  /** Starts something whose processes are in the group from their beginning. */
  start<Started>(start: () => Started): Started {
    const enter = (folder: string) => writeFileSync(join(folder, 'cgroup.procs'), String(process.pid));
    enter(this.#folder);
    try {
      return start();
    } finally {
      enter(join(this.#folder, '..'));
    }
  }

  /** The most bytes that it has held. */
  get peak(): number {
    return Number(readFileSync(join(this.#folder, this.#isV2 ? 'memory.peak' : 'memory.max_usage_in_bytes'), 'utf8'));
  }

  async [Symbol.asyncDispose]() {
    for (let tries = 0; existsSync(this.#folder); tries++) {
      try {
        rmdirSync(this.#folder);
      } catch (error) {
        // Its processes are about to end.
        if (tries === 100) throw error;
        await sleep(50);
      }
    }
  }
}
