import type { FastifyReply } from 'fastify';
import { ApiError } from '../lib/errors.ts';

/** Counts a request until its answer has gone out, or its caller has gone away. @throws ApiError `OVERLOADED` where there are too many */
export type UnderWay = (reply: FastifyReply) => void;

/**
 * Bounds how many requests wait for the database or are being sent at once: beyond that, to wait longer would only make all
 * of them late.
 */
export function boundRequestsUnderWay(limit: number): UnderWay {
  let count = 0;
  return ({ raw }) => {
    if (count >= limit) {
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
  };
}
