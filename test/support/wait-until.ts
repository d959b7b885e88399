import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something that happens by itself, and soon; fails after ten seconds. */
export async function waitUntil(what: string, happened: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 10_000;
  while (!(await happened())) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`);
    await sleep(5);
  }
}
