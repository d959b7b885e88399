import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for something that happens by itself, and as a rule soon.
 *
 * @param limit milliseconds, a minute unless given, as the machine may be busy; rejects after them
 * @returns the milliseconds that it took
 */
export async function waitUntil(
  what: string,
  happened: () => boolean | Promise<boolean>,
  limit = 60_000,
): Promise<number> {
  const began = performance.now();
  while (!(await happened())) {
    if (performance.now() - began > limit) throw new Error(`Waited in vain for ${what}.`);
    await sleep(5);
  }
  return Math.round(performance.now() - began);
}
