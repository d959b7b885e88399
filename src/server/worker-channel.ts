import type { Cluster } from 'node:cluster';
import { connectionError } from '../db/database-errors.ts';
import type { CountChannel, Counts } from '../http/limits/count-exchange.ts';

/** A message between workers, relayed by the process that started them. */
interface Message {
  counted: Counts;
}

/** A question of a worker to the process that started it, and the answer. */
type Question = { asks: 'is the database prepared' };
type Answer = { isDatabasePrepared: boolean };

/** The channel of a worker to the other workers. */
export const workerChannel: CountChannel = {
  send(counted) {
    // Errors are ignored: a worker ends together with the process that started it.
    if (process.connected) process.send?.({ counted } satisfies Message, undefined, undefined, () => undefined);
  },
  receive(listener) {
    process.on('message', (message) => {
      if (isMessage(message)) listener(message.counted);
    });
  },
};

/** Relays the counts of each worker to all others. */
export function relayCounts(cluster: Cluster): void {
  cluster.on('message', (from, message: unknown) => {
    if (!isMessage(message)) return;
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker !== from && worker?.isConnected()) worker.send(message, undefined, undefined, () => undefined);
    }
  });
}

/** Answers workers that ask whether the database is prepared. */
export function answerWorkers(cluster: Cluster, isPrepared: () => boolean): void {
  cluster.on('message', (worker, message: unknown) => {
    if (typeof message !== 'object' || message === null || !('asks' in message)) return;
    worker.send({ isDatabasePrepared: isPrepared() } satisfies Answer, undefined, undefined, () => undefined);
  });
}

/** Asks the process that started this worker. @throws a connection error if the database is not prepared yet */
export async function assertPreparedDatabase(): Promise<void> {
  const isPrepared = await new Promise<boolean>((resolve) => {
    process.on('message', function hear(message: object) {
      if (!('isDatabasePrepared' in message)) return;
      process.off('message', hear);
      resolve((message as Answer).isDatabasePrepared);
    });
    process.send?.({ asks: 'is the database prepared' } satisfies Question, undefined, undefined, () => undefined);
  });
  if (!isPrepared) throw connectionError('DATABASE_UNPREPARED', 'The database is not prepared yet');
}

function isMessage(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'counted' in message;
}
