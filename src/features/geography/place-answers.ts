import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { acceptsCoding, CODINGS, type Coding } from '../../http/content-codings.ts';
import type { PageRequest } from '../../http/pagination.ts';
import type { FoundPlaces } from './place-list.ts';

/** What a request says about paging, checked. */
export type PlaceInput = Partial<PageRequest> & { isPaginationNeeded?: boolean };

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends an answer with one page. */
export function sendPage(reply: FastifyReply, page: Buffer): void {
  reply.header('content-type', JSON_TYPE).send(page);
}

/**
 * Sends all of the places: the whole list in the smallest coding that the client takes and that is ready, some of it as a
 * stream that is made as fast as the client reads.
 */
export function sendList(
  reply: FastifyReply,
  found: FoundPlaces,
  compressed: (coding: Coding) => Buffer | undefined,
  acceptEncoding: string | undefined,
): void {
  reply.header('content-type', JSON_TYPE).header('vary', 'Accept-Encoding');
  const codings = found.isWholeList ? CODINGS.filter((coding) => acceptsCoding(acceptEncoding, coding)) : [];
  for (const coding of codings) {
    const body = compressed(coding);
    if (body) {
      reply.header('content-encoding', coding).send(body);
      return;
    }
  }
  sendPieces(reply, found.pieces());
}

/** Whether the client names the present tag in `If-None-Match`: the weak comparison (RFC 9110, section 13.1.2). */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch === etag || ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag.replace(/^W\//, ''));
}

/** Bytes that are given to a socket at once, at most. */
const PIECE_BYTES = 64 * 1024;

/** Sends a small answer at once, a large one as a stream. */
function sendPieces(reply: FastifyReply, pieces: Iterator<Buffer, void>): void {
  const [first, second] = [pieces.next(), pieces.next()];
  if (first.done || second.done) {
    const whole = first.value ?? Buffer.alloc(0);
    if (whole.length <= PIECE_BYTES) reply.send(whole);
    else reply.header('content-length', whole.length).send(inTurns(slices(whole)));
  } else reply.send(inTurns(onwards([first.value, second.value], pieces)));
}

/**
 * A stream that gives a piece when its turn comes, and none while the reader has not taken the last: sockets that read fast
 * would take megabytes at once, and everyone else would wait while they are copied.
 */
function inTurns(pieces: Iterator<Buffer, void>): Readable {
  return new Readable({
    read() {
      if (waiting.push(() => this.push(pieces.next().value ?? null)) === 1) setImmediate(takeTurn);
    },
  });
}

/** What the streams that may go on would do, in order. */
const waiting: (() => void)[] = [];

/** One piece of one stream a turn of the event loop. */
function takeTurn(): void {
  waiting[0]?.();
  waiting.shift();
  if (waiting.length > 0) setImmediate(takeTurn);
}

function* slices(whole: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < whole.length; at += PIECE_BYTES) yield whole.subarray(at, at + PIECE_BYTES);
}

function* onwards(taken: Buffer[], rest: Iterator<Buffer, void>): Generator<Buffer, void> {
  yield* taken;
  yield* { [Symbol.iterator]: () => rest };
}
