/** What goes on with the next turn, in order: those who are behind others wait until none of these is left. */
const waiting: (() => void)[] = [];
const waitingBehind: (() => void)[] = [];
/** Milliseconds of a turn that those share who wait for one. */
const SHARED_MS = 5;
let isScheduled = false;

/**
 * Fulfils in a later turn of the event loop: between two of them requests are taken, sockets read and timers run. Those who wait share
 * a few milliseconds of each, in order. Who has a lot to do does it in pieces, and waits before each.
 *
 * @param behind whether all others go first: for who has had many turns already
 */
export function yieldToEventLoop(behind = false): Promise<void> {
  return new Promise((resolve) => {
    (behind ? waitingBehind : waiting).push(resolve);
    schedule();
  });
}

/** Returns what is awaited after each piece of work: it gives way to others once pieces of so much weight together are done. */
export function yieldEvery(limit: number): (weight: number) => Promise<void> | undefined {
  let done = 0;
  return (weight) => {
    done += weight;
    if (done < limit) return undefined;
    done = 0;
    return yieldToEventLoop();
  };
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(drain);
}

async function drain(): Promise<void> {
  const end = performance.now() + SHARED_MS;
  // Who waits again meanwhile has the turn after this one.
  for (let left = waiting.length + waitingBehind.length; left > 0; left -= 1) {
    (waiting.shift() ?? waitingBehind.shift())?.();
    // What has been let on runs before this does.
    await undefined;
    if (performance.now() >= end) break;
  }
  isScheduled = false;
  if (waiting.length + waitingBehind.length > 0) schedule();
}
