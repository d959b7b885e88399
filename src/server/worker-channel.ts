import type { Cluster } from 'node:cluster';
import { connectionError } from '../db/database-errors.ts';
import type { CountChannel, Counts } from '../http/limits/count-exchange.ts';

/** What workers send each other, by way of the process that started them. */
interface Message {
  counted: Counts;
}

/** What a worker asks the process that started it, and the answer. */
type Question = { asks: 'is the database prepared' };
type Answer = { isDatabasePrepared: boolean };

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

/** Answers workers that ask whether the database is prepared. */
export function answerWorkers(cluster: Cluster, isPrepared: () => boolean): void {
  cluster.on('message', (worker, message: unknown) => {
    if (typeof message !== 'object' || message === null || !('asks' in message)) return;
    worker.send({ isDatabasePrepared: isPrepared() } satisfies Answer, undefined, undefined, () => undefined);
  });
}

/** @throws where the process that started this worker has not prepared the database yet */
export async function expectPreparedDatabase(): Promise<void> {
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
