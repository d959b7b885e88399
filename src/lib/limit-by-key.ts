/** As much as may wait for a key waits already. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Runs work for a key as soon as it may. Rejects with a {@link QueueFullError} where too much waits for that key. */
export type KeyedLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Bounds how much work runs at once for each key; what comes beyond that waits, in order.
 *
 * @param bounds for each key: how much runs, and how much waits, at most
 */
export function limitByKey({ running, waiting }: { running: number; waiting: number }): KeyedLimit {
  const keys = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (key, work) => {
    const state = keys.get(key) ?? { running: 0, waiting: [] };
    keys.set(key, state);
    if (state.running < running) {
      state.running += 1;
    } else {
      if (state.waiting.length >= waiting) throw new QueueFullError(`${waiting} wait for ${key}.`);
      await new Promise<void>((resolve) => state.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = state.waiting.shift();
      // Whoever waited longest takes the place over.
      if (next) next();
      else if (--state.running === 0) keys.delete(key);
    }
  };
}
