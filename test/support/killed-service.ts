import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandLine, Service, Settings } from './command-line.ts';

/** Milliseconds for which updates go on at most before the service is killed. */
const MAX_ROUND = 400;
const PEOPLE = ['admin@acme.example', 'manager@acme.example', 'employee@acme.example', 'admin@globex.example'];

/** A person who numbers the updates of the own profile, one after the other. */
export interface Writer {
  token: string;
  sent: number;
  /** The last one that was answered with 200. */
  answered: number;
}

/** Some people of the demo, each with a token. */
export async function makeWriters(commandLine: CommandLine, settings: Settings): Promise<Writer[]> {
  return Promise.all(
    PEOPLE.map(async (email) => {
      const { stdout } = await commandLine.run(['token', email], settings);
      return { token: stdout.trimEnd(), sent: 0, answered: 0 };
    }),
  );
}

export async function post(service: Service, path: string, token: string, body: object) {
  const response = await fetch(`${service.address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { code?: string; data: Record<string, unknown> } };
}

/** The next update of this person. */
export async function sendUpdate(service: Service, writer: Writer) {
  const number = ++writer.sent;
  const fields = { firstName: `Update ${number}`, addressLine1: `Street ${number}` };
  const { status, body } = await post(service, '/api/users/update-profile', writer.token, fields);
  if (status === 200) writer.answered = number;
  return { status, body };
}

/** Makes sure that no update is lost that was answered, and none is there by half. */
export async function assertUpdates(service: Service, writers: readonly Writer[]): Promise<void> {
  for (const { token, sent, answered } of writers) {
    const { status, body } = await post(service, '/api/users/profile', token, {});
    assert.equal(status, 200, JSON.stringify(body));
    const { firstName, addressLine1 } = body.data;
    const stored = Number(/^Update (\d+)$/.exec(String(firstName))?.[1] ?? 0);
    assert.ok(stored >= answered && stored <= sent, `${firstName}: ${answered} answered, ${sent} sent`);
    if (stored > 0) assert.equal(addressLine1, `Street ${stored}`);
  }
}

export interface KilledRound {
  /** Milliseconds from the start of the next process until it was ready. */
  readyAfter: number;
  service: Service;
}

/** Kills a service in the middle of updates, starts it again, and makes sure that nothing is lost. */
export async function killAmidUpdates(
  commandLine: CommandLine,
  settings: Settings,
  service: Service,
  writers: readonly Writer[],
): Promise<KilledRound> {
  const before = writers.map(({ answered }) => answered);
  const killed = new AbortController();
  const updates = Promise.all(writers.map((writer) => updateUntil(service, writer, killed.signal)));
  updates.catch(() => undefined); // it is awaited below
  while (writers.some(({ answered }, index) => answered === before[index])) await Promise.race([sleep(5), updates]);
  await sleep(Math.random() * MAX_ROUND);
  killed.abort();
  const { signal, stderr } = await service.kill('SIGKILL');
  // A job that waits too long for a busy database is tried again.
  const others = stderr.split('\n').filter((line) => !line.includes('it is tried again'));
  assert.deepEqual([signal, others], ['SIGKILL', ['']]);
  await updates;

  const next = await commandLine.serve(settings);
  await assertUpdates(next, writers);
  return { readyAfter: next.readyAfter, service: next };
}

/** Updates until the service is gone. */
async function updateUntil(service: Service, writer: Writer, killed: AbortSignal): Promise<void> {
  while (!killed.aborted) {
    try {
      const { status, body } = await sendUpdate(service, writer);
      // On a busy machine the database may answer too late: then nothing is promised.
      if (status === 503) continue;
      assert.equal(status, 200, JSON.stringify(body));
    } catch (error) {
      if (killed.aborted && !(error instanceof assert.AssertionError)) return;
      throw error;
    }
  }
}
