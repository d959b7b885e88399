/** Those of the process, also where a test has stopped its clock. */
const { setTimeout: setRealTimeout } = globalThis;
const realTime = performance.now.bind(performance);

/**
 * Waits for something that happens by itself, and as a rule soon.
 *
 * @param limit milliseconds after which it is taken to hang; the machine may be busy
 * @returns the milliseconds that it took
 */
export async function waitUntil(
  what: string,
  happened: () => boolean | Promise<boolean>,
  limit = 240_000,
): Promise<number> {
  const began = realTime();
  while (!(await happened())) {
    if (realTime() - began > limit) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setRealTimeout(resolve, 5));
  }
  return Math.round(realTime() - began);
}
