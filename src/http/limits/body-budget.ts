import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../entities/api-error.ts';
import { deferred } from '../../lib/deferred.ts';
import { removeFrom } from '../../lib/remove-from.ts';
import { withoutSlot } from '../connections/in-flight.ts';
import { whenOver } from '../connections/response-over.ts';

/** Bytes of a body that is neither counted nor held up. */
const SMALL_BODY = 16 * 1024;
/** Bytes of memory that each byte of a body takes until its response is over: its pieces, the whole, the text and the values. */
const COST = { json: 4, csv: 2 };
/** Part of the budget that one owner may hold. */
const SHARE = 1 / 4;
/** Milliseconds that a body waits for memory. */
const MAX_WAIT = 2_000;
/** Maximum of bodies that wait, of all owners and of one; each keeps up to 64 KiB in the buffers of its connection. */
const MAX_WAITING = { all: 1_000, owner: 250 };

export interface BodyBudgetOptions {
  /** Memory in bytes for the bodies of all requests in flight. */
  bytes: number;
  /** Returns who a request is counted for: the company of its caller, or the caller network. */
  ownerOf(request: FastifyRequest): string;
}

interface Waiting {
  readonly owner: string;
  readonly cost: number;
  readonly admit: () => void;
}

/**
 * Bounds the memory for bodies: each reserves what it will take before it is read, until its response is over. A body that does not fit
 * into the budget, or into the share of its owner, waits unread in the order of arrival.
 *
 * @throws ApiError `OVERLOADED` for a body that waits too long, or behind too many others
 */
export function boundBodies(app: FastifyInstance, { bytes, ownerOf }: BodyBudgetOptions): { readonly refused: number } {
  const heldBy = new Map<string, number>();
  const waiting: Waiting[] = [];
  let held = 0;
  let refused = 0;

  function hold(owner: string, cost: number): void {
    held += cost;
    const own = (heldBy.get(owner) ?? 0) + cost;
    if (own === 0) heldBy.delete(owner);
    else heldBy.set(owner, own);
  }

  function admitWaiting(): void {
    const full = new Set<string>();
    for (const each of [...waiting]) {
      const { owner, cost, admit } = each;
      if (full.has(owner)) continue;
      if (!fits(cost, heldBy.get(owner) ?? 0, bytes * SHARE)) full.add(owner);
      else if (!fits(cost, held, bytes)) return;
      else {
        removeFrom(waiting, each);
        admit();
      }
    }
  }

  function refusal(): ApiError {
    refused += 1;
    return new ApiError('OVERLOADED', 'Too many large requests are in flight: try again shortly.', {
      headers: { 'retry-after': '2' },
    });
  }

  /** Reserves memory until the response is over. @throws ApiError `OVERLOADED` */
  async function reserve({ raw }: FastifyReply, owner: string, cost: number): Promise<void> {
    const own = waiting.filter((each) => each.owner === owner);
    if (waiting.length >= MAX_WAITING.all || own.length >= MAX_WAITING.owner) throw refusal();
    const { promise, resolve, reject } = deferred<void>();
    let isHeld = false;
    const entry: Waiting = {
      owner,
      cost,
      admit() {
        isHeld = true;
        hold(owner, cost);
        resolve();
      },
    };
    const leave = (): void => {
      removeFrom(waiting, entry);
      admitWaiting();
    };
    waiting.push(entry);
    admitWaiting();
    const timer = setTimeout(() => {
      reject(refusal());
      leave();
    }, MAX_WAIT);
    whenOver(raw, () => {
      if (isHeld) hold(owner, -cost);
      resolve();
      leave();
    });
    await promise.finally(() => clearTimeout(timer));
  }

  app.addHook('preParsing', (request, reply, payload, done) => {
    const cost = costOf(request);
    if (cost === 0) {
      done(null, payload);
      return;
    }
    withoutSlot(reply.raw, async () => reserve(reply, ownerOf(request), cost)).then(() => done(null, payload), done);
  });
  return {
    get refused() {
      return refused;
    },
  };
}

/** Returns whether a body fits. One that is larger than the limit fits where it is alone. */
function fits(cost: number, held: number, limit: number): boolean {
  return held === 0 || held + cost <= limit;
}

/** Returns the bytes of memory that a body will take; 0: it is small, refused unread, or there is none. */
function costOf({ raw: { headers }, routeOptions }: FastifyRequest): number {
  const { bodyLimit = 0, config } = routeOptions;
  const length = headers['content-length'];
  const size = length === undefined && headers['transfer-encoding'] !== undefined ? bodyLimit : Number(length ?? 0);
  if (!(size > SMALL_BODY) || size > bodyLimit) return 0;
  return size * (config.operation?.takesCsv ? COST.csv : COST.json);
}

/**
 * Returns a quarter of the memory that the process may use: that of the machine or container, or twice the heap of V8 if that is less, as
 * half of a body lies outside of the heap.
 */
export function memoryForBodies(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(memory, 2 * getHeapStatistics().heap_size_limit) / 4;
}
