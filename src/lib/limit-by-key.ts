/** The queue of a key is full. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Runs work for a key once a slot is free. Rejects with a {@link QueueFullError} where the queue of the key is full. */
export type KeyedLimit = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits concurrency per key; further work waits in a FIFO queue.
 *
 * @param bounds maximum of running and of waiting work per key
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
      // The slot passes to the longest waiter, so that `running` stays the same.
      if (next) next();
      else if (--state.running === 0) keys.delete(key);
    }
  };
}

/** Returns the result of limited work. Rejects with the error that `full` returns where the queue of its key is full. */
export function unlessFull<Result>(work: Promise<Result>, full: () => Error): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof QueueFullError ? full() : error;
  });
}
