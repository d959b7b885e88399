import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../entities/api-error.ts';
import { removeFrom } from '../../lib/remove-from.ts';
import { whenOver } from './response-over.ts';

/**
 * Acquires a slot for a request that waits for the database. It is released when the answer has been handed over for sending, however long its reader
 * takes, or when its caller has gone away. @throws ApiError `OVERLOADED` where there is none
 */
export type AcquireSlot = (reply: FastifyReply) => void;

const released = new WeakSet<ServerResponse>();

/** Says that the request of this response waits for something else than the database from now on, and needs no slot. */
export function releaseSlot(response: ServerResponse): void {
  released.add(response);
}

/** Does something for the request of this response that waits for something else than the database: its slot may be given to another meanwhile. */
export async function withoutSlot<Result>(response: ServerResponse, work: () => Promise<Result>): Promise<Result> {
  released.add(response);
  try {
    return await work();
  } finally {
    released.delete(response);
  }
}

export interface InFlight {
  readonly acquire: AcquireSlot;
  /** How many slots are held at the moment. */
  readonly count: number;
  /** How many requests have been refused so far. */
  readonly refused: number;
}

/** Bounds how many requests wait for the database at once: beyond that, to wait longer would only make all of them late. */
export function boundInFlight(limit: number): InFlight {
  let slots: ServerResponse[] = [];
  let refused = 0;

  /** Nobody says when an answer is handed over: it is asked when somebody wants to know. */
  function releaseAnswered(): void {
    slots = slots.filter((response) => !response.headersSent && !released.has(response));
  }

  return {
    acquire({ raw }) {
      if (slots.length >= limit) releaseAnswered();
      if (slots.length >= limit) {
        refused += 1;
        throw new ApiError('OVERLOADED', 'The service has too much to do at the moment: try again shortly.', {
          headers: { 'retry-after': '1' },
        });
      }
      slots.push(raw);
      whenOver(raw, () => removeFrom(slots, raw));
    },
    get count() {
      releaseAnswered();
      return slots.length;
    },
    get refused() {
      return refused;
    },
  };
}
