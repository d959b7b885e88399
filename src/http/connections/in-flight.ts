import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { tryAgain } from '../../entities/api-error.ts';
import { removeFrom } from '../../lib/remove-from.ts';
import { whenOver } from './response-over.ts';

/**
 * Acquires a slot for a request that waits for the database. The slot is released when the response has been handed over
 * for sending, however slow its reader, or when the caller disconnects.
 *
 * @throws ApiError `OVERLOADED` when no slot is free
 */
export type AcquireSlot = (reply: FastifyReply) => void;

const released = new WeakSet<ServerResponse>();

/** Releases the slot of a request that no longer waits for the database. */
export function releaseSlot(response: ServerResponse): void {
  released.add(response);
}

/** Runs work of a request that waits for something other than the database; another request may take its slot meanwhile. */
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
  /** Slots held now. */
  readonly count: number;
  /** Requests refused so far. */
  readonly refused: number;
}

/** Bounds the requests that wait for the database at once: beyond the limit, queueing would only make all of them late. */
export function boundInFlight(limit: number): InFlight {
  let slots: ServerResponse[] = [];
  let refused = 0;

  /** No event tells when a response is handed over, so it is checked on demand. */
  function releaseAnswered(): void {
    slots = slots.filter((response) => !response.headersSent && !released.has(response));
  }

  return {
    acquire({ raw }) {
      if (slots.length >= limit) releaseAnswered();
      if (slots.length >= limit) {
        refused += 1;
        throw tryAgain('OVERLOADED', 'The service is overloaded: try again shortly.', 1);
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
