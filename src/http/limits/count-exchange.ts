/** Counts since the last flush: for each limit, its keys and their counts. */
export type Counts = Readonly<Record<string, readonly (readonly [key: string, count: number])[]>>;

/** A channel to the other processes of the service. */
export interface CountChannel {
  /** Sends counts to all of them. */
  send(counts: Counts): void;
  /** @param listener is called with the counts that any of them sends */
  receive(listener: (counts: Counts) => void): void;
}

/** Shares counts between processes, so that a limit applies to the service as a whole. */
export interface CountExchange {
  /** Adds to the count of a key, a negative count to revert; the others receive it with the next flush. */
  add(limit: string, key: string, count: number): void;
  /** @param listener is called with the counts of the other processes for the limit */
  onReceived(limit: string, listener: (key: string, count: number) => void): void;
}

/** Flush interval in milliseconds: the maximum staleness of the other processes' counts. */
const INTERVAL = 200;

/** Exchanges counts by the channel, at most five times a second and only when there are some. */
export function exchangeCounts(channel: CountChannel): CountExchange {
  const pending = new Map<string, Map<string, number>>();
  const listeners = new Map<string, (key: string, count: number) => void>();

  function flush(): void {
    const counts = Object.fromEntries([...pending].map(([limit, keys]) => [limit, [...keys]]));
    pending.clear();
    channel.send(counts);
  }
  channel.receive((counts) => {
    for (const [limit, keys] of Object.entries(counts)) {
      for (const [key, count] of keys) listeners.get(limit)?.(key, count);
    }
  });
  return {
    add(limit, key, count) {
      if (pending.size === 0) setTimeout(flush, INTERVAL).unref();
      const keys = pending.get(limit) ?? new Map<string, number>();
      pending.set(limit, keys.set(key, (keys.get(key) ?? 0) + count));
    },
    onReceived(limit, listener) {
      listeners.set(limit, listener);
    },
  };
}
