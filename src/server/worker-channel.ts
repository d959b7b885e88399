import type { Cluster } from 'node:cluster';
import type { CountChannel, Counts } from '../http/limits/count-exchange.ts';

/** What workers send each other, by way of the process that started them. */
interface Message {
  counted: Counts;
}

/** The way of a worker to the others. */
export const workerChannel: CountChannel = {
  send(counted) {
    // Where that process has gone this one goes too.
    if (process.connected) process.send?.({ counted } satisfies Message, undefined, undefined, () => undefined);
  },
  receive(listener) {
    process.on('message', (message) => {
      if (isMessage(message)) listener(message.counted);
    });
  },
};

/** Passes on what each worker tells, to all others. */
export function relayCounts(cluster: Cluster): void {
  cluster.on('message', (from, message: unknown) => {
    if (!isMessage(message)) return;
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker !== from && worker?.isConnected()) worker.send(message, undefined, undefined, () => undefined);
    }
  });
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'counted' in message;
}
