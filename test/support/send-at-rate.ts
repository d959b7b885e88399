import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two handfuls. */
const BEAT = 10;

/**
 * Does something so many times a second, whether the times before are over or not, and waits for the last of them. Rejects where one of them
 * does.
 *
 * @param times how often at most
 * @param stop ends it before that
 * @param send is told the number, from 0 on, and when it was due by the clock of `performance`
 */
export async function sendAtRate(
  { rate, times = Number.POSITIVE_INFINITY, stop }: { rate: number; times?: number; stop?: AbortSignal },
  send: (number: number, due: number) => Promise<unknown>,
): Promise<void> {
  const inFlight = new Set<Promise<unknown>>();
  const failed: unknown[] = [];
  const began = performance.now();
  for (let sent = 0; sent < times && failed.length === 0 && !stop?.aborted; ) {
    const due = Math.min(times, Math.floor(((performance.now() - began) / 1000) * rate));
    for (; sent < due; sent++) {
      const sending = send(sent, began + (sent / rate) * 1000)
        .catch((error: unknown) => failed.push(error))
        .finally(() => inFlight.delete(sending));
      inFlight.add(sending);
    }
    await sleep(BEAT);
  }
  await Promise.all(inFlight);
  if (failed.length > 0) throw failed[0];
}
