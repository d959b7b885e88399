import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCommandLine, type Service, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { openSeededDatabase, testDatabaseKind } from '../support/test-database.ts';

/** For a longer run: `CRASH_ROUNDS=20`. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
/** Milliseconds for which updates go on at most before the service is killed. */
const LONGEST_ROUND = 400;

const commandLine = buildCommandLine();
const server = testDatabaseKind === 'postgres' ? await openSeededDatabase() : undefined;
const DATA_DIR = join(commandLine.folder, 'data');
const settings: Settings = { DATA_DIR, LOG_LEVEL: 'warn', ...(server?.url && { DATABASE_URL: server.url }) };
if (!server) await makeDataFolder(DATA_DIR, 'seeded');

after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** A person who numbers the updates of the own profile, one after the other. */
interface Writer {
  token: string;
  sent: number;
  /** The last one that was answered with 200. */
  answered: number;
}

async function makeWriter(email: string): Promise<Writer> {
  const { stdout } = await commandLine.run(['token', email], settings);
  return { token: stdout.trimEnd(), sent: 0, answered: 0 };
}

async function call(service: Service, path: string, token: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
}

/** Updates until the service is gone. */
async function update(service: Service, writer: Writer, killed: AbortSignal): Promise<void> {
  while (!killed.aborted) {
    const number = ++writer.sent;
    const changes = { firstName: `Update ${number}`, addressLine1: `Street ${number}` };
    try {
      await call(service, '/api/users/update-profile', writer.token, changes);
    } catch (error) {
      if (killed.aborted && !(error instanceof assert.AssertionError)) return;
      throw error;
    }
    writer.answered = number;
  }
}

test(`a service that is killed in the middle of updates, ${ROUNDS} times, has lost none that it had answered`, async (t) => {
  let service = await commandLine.serve(settings);
  const people = ['admin@acme.example', 'manager@acme.example', 'employee@acme.example', 'admin@globex.example'];
  const writers = await Promise.all(people.map(makeWriter));

  for (let round = 1; round <= ROUNDS; round++) {
    const before = writers.map(({ answered }) => answered);
    const killed = new AbortController();
    const updates = Promise.all(writers.map((writer) => update(service, writer, killed.signal)));
    updates.catch(() => undefined); // it is awaited below
    while (writers.some(({ answered }, index) => answered === before[index])) await Promise.race([sleep(5), updates]);
    await sleep(Math.random() * LONGEST_ROUND);
    killed.abort();
    const { signal, stderr } = await service.kill('SIGKILL');
    assert.deepEqual([signal, stderr], ['SIGKILL', '']);
    await updates;

    service = await commandLine.serve(settings);
    for (const { token, sent, answered } of writers) {
      const { firstName, addressLine1 } = await call(service, '/api/users/profile', token, {});
      const stored = Number(/^Update (\d+)$/.exec(String(firstName))?.[1]);
      assert.ok(stored >= answered && stored <= sent, `${firstName}: ${answered} answered, ${sent} sent`);
      assert.equal(addressLine1, `Street ${stored}`);
    }
  }
  const { code } = await service.kill('SIGTERM');
  assert.equal(code, 0);
  if (process.env.CRASH_ROUNDS)
    t.diagnostic(`${writers.reduce((sum, { answered }) => sum + answered, 0)} updates answered`);
});
