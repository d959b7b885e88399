/** FIFO queues of work to resume in the next turns; `waitingBehind` is served only while `waiting` is empty. */
const waiting: (() => void)[] = [];
const waitingBehind: (() => void)[] = [];
/** Milliseconds per turn, shared by all waiting work. */
const SHARED_MS = 5;
/** Turns in a row for which waiting work stands back. */
const MAX_STOOD_BACK = 256;
let isScheduled = false;
let hasConnection = false;
let stoodBack = 0;

/** Lets waiting work stand back for a turn: Node accepts one connection a turn, and others may be waiting behind it. */
export function noteConnection(): void {
  hasConnection = true;
}

/**
 * Resolves in a later turn of the event loop, so that requests, sockets and timers are served in between. All waiting work shares a few
 * milliseconds per turn, in FIFO order; long work should await this before each piece.
 *
 * @param behind whether to queue behind all others: for work that has had many turns already
 */
export function yieldToEventLoop(behind = false): Promise<void> {
  return new Promise((resolve) => {
    (behind ? waitingBehind : waiting).push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(drain);
}

async function drain(): Promise<void> {
  if (hasConnection && stoodBack < MAX_STOOD_BACK) {
    hasConnection = false;
    stoodBack += 1;
    setImmediate(drain);
    return;
  }
  hasConnection = false;
  stoodBack = 0;
  const end = performance.now() + SHARED_MS;
  // Work that yields again meanwhile is resumed in the next turn.
  for (let left = waiting.length + waitingBehind.length; left > 0; left -= 1) {
    (waiting.shift() ?? waitingBehind.shift())?.();
    // Lets the resumed work run before time is measured.
    await undefined;
    if (performance.now() >= end) break;
  }
  isScheduled = false;
  if (waiting.length + waitingBehind.length > 0) schedule();
}
