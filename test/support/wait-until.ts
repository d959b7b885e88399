import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for something that happens by itself, and soon.
 *
 * @param limit milliseconds, ten seconds unless given; rejects after them
 * @returns the milliseconds that it took
 */
export async function waitUntil(
  what: string,
  happened: () => boolean | Promise<boolean>,
  limit = 10_000,
): Promise<number> {
  const began = performance.now();
  while (!(await happened())) {
    if (performance.now() - began > limit) throw new Error(`Waited in vain for ${what}.`);
    await sleep(5);
  }
  return Math.round(performance.now() - began);
}
