import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, tryAgain } from '../../entities/api-error.ts';
import { deferred } from '../../lib/deferred.ts';
import { removeFrom } from '../../lib/remove-from.ts';
import { withoutSlot } from '../connections/in-flight.ts';
import { whenOver } from '../connections/response-over.ts';

/** Bytes of a body that is neither counted nor held up. */
const SMALL_BODY = 16 * 1024;
/** Part of the bytes in flight that one owner may have. */
const SHARE = 1 / 4;
/** Maximum of bodies that wait: each keeps up to 64 KiB in the buffers of its connection. */
const MAX_WAITING = { owner: 250, all: 1_000 };
/** Milliseconds that a body waits. */
const MAX_WAIT = 2_000;

export interface BodyBudgetOptions {
  /** Maximum bytes of all large bodies in flight. */
  bytes: number;
  /** Returns who a request is counted for: the company of its caller, or the caller network. */
  ownerOf(request: FastifyRequest): string;
}

interface LargeBody {
  readonly owner: string;
  readonly size: number;
  readonly admit: () => void;
}

/**
 * Bounds the bytes of large bodies in flight: each counts from before it is read until its response is over. A body beyond the bound, or
 * beyond the share of its owner, waits unread in the order of arrival.
 *
 * @throws ApiError `OVERLOADED` for a body that waits too long, or behind too many others
 */
export function boundBodies(app: FastifyInstance, { bytes, ownerOf }: BodyBudgetOptions): { readonly refused: number } {
  const inFlight: LargeBody[] = [];
  const waiting: LargeBody[] = [];
  let refused = 0;

  function admitWaiting(): void {
    for (const body of [...waiting]) {
      if (!fits(body, of(body.owner, inFlight), bytes * SHARE)) continue;
      if (!fits(body, inFlight, bytes)) return;
      removeFrom(waiting, body);
      inFlight.push(body);
      body.admit();
    }
  }

  function refusal(): ApiError {
    refused += 1;
    return tryAgain('OVERLOADED', 'Too many large requests are in flight: try again shortly.', 2);
  }

  /** Waits until the body may be read; it counts until the response is over. @throws ApiError `OVERLOADED` */
  async function admission({ raw }: FastifyReply, owner: string, size: number): Promise<void> {
    if (waiting.length >= MAX_WAITING.all || of(owner, waiting).length >= MAX_WAITING.owner) throw refusal();
    const { promise, resolve, reject } = deferred<void>();
    const body = { owner, size, admit: resolve };
    const leave = (): void => {
      removeFrom(waiting, body);
      removeFrom(inFlight, body);
      resolve();
      admitWaiting();
    };
    waiting.push(body);
    admitWaiting();
    const timer = setTimeout(() => {
      reject(refusal());
      leave();
    }, MAX_WAIT);
    whenOver(raw, leave);
    await promise.finally(() => clearTimeout(timer));
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const size = sizeOf(request);
    if (!(size > SMALL_BODY)) {
      done(null, payload);
      return;
    }
    withoutSlot(reply.raw, async () => admission(reply, ownerOf(request), size)).then(() => done(null, payload), done);
  });
  return {
    get refused() {
      return refused;
    },
  };
}

/** Returns the bodies of one owner. */
function of(owner: string, bodies: readonly LargeBody[]): readonly LargeBody[] {
  return bodies.filter((body) => body.owner === owner);
}

/** Returns whether one more body stays within a bound of bytes. One that is larger than the bound fits where it is alone. */
function fits({ size }: LargeBody, others: readonly LargeBody[], bound: number): boolean {
  return others.length === 0 || others.reduce((sum, other) => sum + other.size, size) <= bound;
}

/** Returns the bytes of the body to come, the largest possible if it does not say; 0: it is refused unread, or there is none. */
function sizeOf({ raw: { headers }, routeOptions: { bodyLimit = 0 } }: FastifyRequest): number {
  const length = headers['content-length'];
  const size = length === undefined && headers['transfer-encoding'] !== undefined ? bodyLimit : Number(length ?? 0);
  return size > bodyLimit ? 0 : size;
}
