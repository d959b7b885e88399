import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.ts';
import type { Person, Services } from './services.ts';

/** What one writer did: one update of the own profile after the other, each with a value of its own. */
export interface Written {
  userId: string;
  /** Values whose update was answered with 200, in their order. */
  acknowledged: string[];
  /** Values whose update failed or was not answered: it may have happened. The number of acknowledged ones before each. */
  unknown: { value: string; after: number }[];
  /** The longest time between two acknowledged updates, in milliseconds. */
  gap: number;
}

/** What the public lists did meanwhile. */
export interface Reading {
  answered: number;
  /** Milliseconds. */
  slowest: number;
}

/** Those who write and read. */
export interface Traffic {
  written: readonly Written[];
  reading: Reading;
  /** What nobody should see: answers other than 200 and 503, or none. */
  unexpected: string[];
  /** Waits until each writer has had so many updates acknowledged from now on. */
  goesOn(updates: number): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds that a client waits for an answer, between two updates, and between two looks at a public list. */
const DEADLINE_MS = 10_000;
const WRITE_EVERY = 50;
const READ_EVERY = 100;

/**
 * Each person writes by one instance, in turn; each instance is asked for a public list.
 *
 * @param mark begins the values of this round
 */
export function startTraffic({ addresses, people }: Services, mark: string): Traffic {
  let isOver = false;
  const unexpected: string[] = [];
  const reading: Reading = { answered: 0, slowest: 0 };

  async function write(written: Written, { authorization }: Person, address: string, who: number): Promise<void> {
    let last = performance.now();
    for (let place = 0; !isOver; place++) {
      const value = `${mark}-${who}-${place}`;
      const status = await send(`${address}/api/users/update-profile`, authorization, { addressLine1: value });
      if (status === 200) {
        const now = performance.now();
        written.gap = Math.max(written.gap, now - last);
        last = now;
        written.acknowledged.push(value);
      } else {
        written.unknown.push({ value, after: written.acknowledged.length });
        if (status !== 503) unexpected.push(`an update was answered with ${status}`);
      }
      await sleep(WRITE_EVERY);
    }
    // A gap that has not ended is one.
    written.gap = Math.max(written.gap, performance.now() - last);
  }

  async function read(address: string): Promise<void> {
    for (let place = 0; !isOver; place++) {
      const began = performance.now();
      // Each time another search, which is worked out anew.
      const status = await send(`${address}/api/countries/list?search=${place}`);
      if (status === 200) reading.answered++;
      else unexpected.push(`a public list was answered with ${status}`);
      reading.slowest = Math.max(reading.slowest, performance.now() - began);
      await sleep(READ_EVERY);
    }
  }

  const written = people.map(({ id }): Written => ({ userId: id, acknowledged: [], unknown: [], gap: 0 }));
  const working = [
    ...people.map((person, who) => {
      const own = written[who];
      const address = addresses[who % addresses.length];
      return own && address ? write(own, person, address, who) : undefined;
    }),
    ...addresses.map(read),
  ];
  return {
    written,
    reading,
    unexpected,
    async goesOn(updates) {
      const goals = written.map(({ acknowledged }) => acknowledged.length + updates);
      const areReached = () => written.every(({ acknowledged }, who) => acknowledged.length >= (goals[who] ?? 0));
      await waitUntil('the updates to go on', areReached, 60_000);
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

/** The status of the answer, or why there is none. */
async function send(url: string, authorization?: string, body?: object): Promise<number | string> {
  try {
    const response = await fetch(url, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: { ...(authorization ? { authorization } : {}), ...(body ? { 'content-type': 'application/json' } : {}) },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return String(error);
  }
}
