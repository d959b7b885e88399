import type { FastifyReply } from 'fastify';
import { ApiError } from '../lib/errors.ts';

/** Counts a request until its answer has gone out, or its caller has gone away. @throws ApiError `OVERLOADED` where there are too many */
export type UnderWay = (reply: FastifyReply) => void;

export interface RequestsUnderWay {
  readonly enter: UnderWay;
  /** How many there are at the moment. */
  readonly count: number;
  /** How many have been refused so far. */
  readonly refused: number;
}

/**
 * Bounds how many requests wait for the database or are being sent at once: beyond that, to wait longer would only make all
 * of them late.
 */
export function boundRequestsUnderWay(limit: number): RequestsUnderWay {
  let count = 0;
  let refused = 0;
  return {
    enter({ raw }) {
      if (count >= limit) {
        refused += 1;
        throw new ApiError('OVERLOADED', 'The service has too much to do at the moment: try again shortly.', {
          headers: { 'retry-after': '1' },
        });
      }
      count += 1;
      let isOver = false;
      const leave = () => {
        if (!isOver) count -= 1;
        isOver = true;
      };
      raw.once('finish', leave).once('close', leave);
    },
    get count() {
      return count;
    },
    get refused() {
      return refused;
    },
  };
}
