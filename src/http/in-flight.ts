import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../lib/errors.ts';
import { whenOver } from './response-over.ts';

/**
 * Acquires a slot for a request that waits for the database. It is released when the answer has been handed over for sending, however long its reader
 * takes, or when its caller has gone away. @throws ApiError `OVERLOADED` where there is none
 */
export type AcquireSlot = (reply: FastifyReply) => void;

const waitingForNothing = new WeakSet<ServerResponse>();

/** Says that the request of this response waits for something else than the database from now on, and needs no slot. */
export function needsNoSlot(response: ServerResponse): void {
  waitingForNothing.add(response);
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
  const slots = new Set<ServerResponse>();
  let refused = 0;

  /** Nobody says when an answer is handed over: it is asked when somebody wants to know. */
  function releaseAnswered(): void {
    for (const response of slots) {
      if (response.headersSent || waitingForNothing.has(response)) slots.delete(response);
    }
  }

  return {
    acquire({ raw }) {
      if (slots.size >= limit) releaseAnswered();
      if (slots.size >= limit) {
        refused += 1;
        throw new ApiError('OVERLOADED', 'The service has too much to do at the moment: try again shortly.', {
          headers: { 'retry-after': '1' },
        });
      }
      slots.add(raw);
      whenOver(raw, () => slots.delete(raw));
    },
    get count() {
      releaseAnswered();
      return slots.size;
    },
    get refused() {
      return refused;
    },
  };
}
