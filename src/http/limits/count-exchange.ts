/** What was counted since the last time: for each limit its keys, and how often each. */
export type Counts = Readonly<Record<string, readonly (readonly [key: string, count: number])[]>>;

/** The way to the other processes of the service. */
export interface CountChannel {
  /** Tells all of them. */
  send(counts: Counts): void;
  /** @param listener is called with what each of them tells */
  receive(listener: (counts: Counts) => void): void;
}

/** Keeps the counts of several processes in step, so that a limit is one of the service as a whole. */
export interface CountExchange {
  /** Counts so many more for the key, less than 0 to take back; the others hear of it within the interval. */
  tell(limit: string, key: string, count: number): void;
  /** @param listener is called with what the others have counted for that limit */
  onTold(limit: string, listener: (key: string, count: number) => void): void;
}

/** Milliseconds; for so long a process may not know what another one has allowed. */
const INTERVAL = 200;

/** Tells the others what was counted, five times a second at most and only where there is something to tell. */
export function exchangeCounts(channel: CountChannel): CountExchange {
  const untold = new Map<string, Map<string, number>>();
  const listeners = new Map<string, (key: string, count: number) => void>();

  function flush(): void {
    const counts = Object.fromEntries([...untold].map(([limit, keys]) => [limit, [...keys]]));
    untold.clear();
    channel.send(counts);
  }
  channel.receive((counts) => {
    for (const [limit, keys] of Object.entries(counts)) {
      for (const [key, count] of keys) listeners.get(limit)?.(key, count);
    }
  });
  return {
    tell(limit, key, count) {
      if (untold.size === 0) setTimeout(flush, INTERVAL).unref();
      const keys = untold.get(limit) ?? new Map<string, number>();
      untold.set(limit, keys.set(key, (keys.get(key) ?? 0) + count));
    },
    onTold(limit, listener) {
      listeners.set(limit, listener);
    },
  };
}
