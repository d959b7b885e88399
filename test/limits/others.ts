import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from '../../bench/support/medians.ts';
import { addKeyedCompany, addPeople, type Installed } from '../support/installed.ts';

export interface OtherRequest {
  path: string;
  /** Absent: anybody may send it. */
  token?: string;
}

/** A request of somebody else; status 0: it was cut off, or not answered within a minute. */
export interface Sample {
  path: string;
  status: number;
  milliseconds: number;
}

/** What others saw meanwhile. */
export interface Others {
  served: number;
  /** How many were answered by another status than 200, by it. */
  refused: ReadonlyMap<number, number>;
  /** Milliseconds. */
  median: number;
  longest: number;
  /** Of the health check, by a new connection each. */
  longestCheck: number;
}

export const HEALTH = '/livez';

/** Requests of an employee of another company, and of anybody. */
export async function requestsOfOthers(installed: Installed): Promise<OtherRequest[]> {
  const company = await addKeyedCompany(installed, ['departments.read']);
  const [person = ''] = await addPeople(installed, company.id, 1);
  return [
    { path: '/api/users/profile', token: await installed.sign(person) },
    { path: `/api/departments/list?companyId=${company.id}`, token: company.key },
    { path: HEALTH },
  ];
}

/** Does something while others ask for what is theirs. */
export async function besideOthers(
  port: number,
  requests: readonly OtherRequest[],
  work: () => Promise<void>,
): Promise<Others> {
  const file = fileURLToPath(new URL('./others-process.ts', import.meta.url));
  const child = fork(file, [String(port), JSON.stringify(requests)]);
  try {
    await once(child, 'message');
    await work();
    child.send('stop');
    const [samples] = (await once(child, 'message')) as [Sample[]];
    return seenIn(samples);
  } finally {
    child.kill();
  }
}

function seenIn(samples: readonly Sample[]): Others {
  const refused = new Map<number, number>();
  for (const { status } of samples) if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1);
  const timesOf = (list: readonly Sample[]) => list.map(({ milliseconds }) => milliseconds);
  const [times, checks] = [timesOf(samples), timesOf(samples.filter(({ path }) => path === HEALTH))];
  const served = samples.filter(({ status }) => status === 200).length;
  return { served, refused, median: median(times), longest: Math.max(...times), longestCheck: Math.max(...checks) };
}

/** What others saw, for a table. */
export function othersInWords({ served, refused, median: middle, longest, longestCheck }: Others): string {
  const others = [...refused].map(([status, count]) => `, ${count} × ${status || 'no answer'}`).join('');
  return `others: ${served} answered${others}, median ${middle.toFixed(1)} ms, ${longest.toFixed(0)} ms at most, ${HEALTH} ${longestCheck.toFixed(0)} ms`;
}

/** Milliseconds that others may wait: what a busy machine makes of a few, and less than any wait for the attack itself. */
const MAX_WAIT = 3_000;

/** @throws AssertionError where one of the others was refused, or waited for too long */
export function assertServed(others: Others): void {
  assert.ok(others.served > 0);
  assert.deepEqual([...others.refused], [], 'Another caller was refused.');
  assert.ok(others.longest <= MAX_WAIT, `Another caller waited for ${others.longest.toFixed(0)} ms.`);
}
