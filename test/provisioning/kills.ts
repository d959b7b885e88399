import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sql, { raw } from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, type Installed, install } from '../support/installed.ts';
import { databaseUrl } from '../support/templates.ts';

/** A person of a company, who is changed to one number after the other. */
interface Changed {
  id: string;
  sent: number;
  /** The numbers that were answered with 200. */
  answered: number[];
}

/** `kill -9` under a follower, and a restored backup. */
export async function tryKills(kind: DatabaseKind, rounds: number): Promise<string[]> {
  await using installed = await install(kind);
  const company = await addKeyedCompany(installed, ['events.read']);
  const [id = ''] = await addPeople(installed, company.id, 1);
  const person: Changed = { id, sent: 0, answered: [] };
  const { body } = await installed.ask('/api/events/list?from=now', company.key);
  const stop = new AbortController();
  const followed = follow(installed, company.key, body.next, stop.signal);
  followed.catch(() => undefined);
  const kills = await tryOften(`kill -9 amid changes, under a follower who waits; ${kind}`, rounds, async () => {
    await killAmidChanges(installed, person);
    return `${person.answered.length} changes answered`;
  });
  await changeOnce(installed, person);
  // Afterwards: whoever finds nothing new then has all.
  stop.abort();
  const { numbers, next } = await followed;
  const whole = await tryOften(`each change once and in order, across all kills; ${kind}`, 1, async () => {
    // One that was not answered may be there or not; each that is there was made after the one before.
    assert.equal(new Set(numbers).size, numbers.length);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
    const there = new Set(numbers);
    assert.deepEqual(
      person.answered.filter((number) => !there.has(number)),
      [],
    );
    return `${numbers.length} changes followed`;
  });
  const restored = await tryOften(`a cursor of before a restore; ${kind}`, 1, () =>
    restore(installed, person, company.key, next),
  );
  return [kills, whole, restored];
}

async function changeOnce({ ask, superAdmin }: Installed, person: Changed): Promise<void> {
  person.sent += 1;
  const body = { id: person.id, gender: String(person.sent) };
  const { status } = await ask('/api/users/update', superAdmin, { body });
  assert.equal(status, 200);
  person.answered.push(person.sent);
}

async function killAmidChanges(installed: Installed, person: Changed): Promise<void> {
  let isKilled = false;
  const before = person.answered.length;
  const changing = (async () => {
    while (!isKilled) {
      try {
        await changeOnce(installed, person);
      } catch (error) {
        if (!isKilled || error instanceof assert.AssertionError) throw error;
      }
    }
  })();
  changing.catch(() => undefined);
  while (person.answered.length === before) await Promise.race([sleep(5), changing]);
  await sleep(Math.random() * 400);
  isKilled = true;
  await installed.service.kill('SIGKILL');
  await changing;
  await installed.start();
}

/** Follows until it is told to stop, and has then read all that there is. */
async function follow({ ask }: Installed, key: string, from: string, stop: AbortSignal) {
  const numbers: number[] = [];
  for (let next = from; ; ) {
    const isLast = stop.aborted;
    // The service is away now and then.
    const answer = await ask(`/api/events/list?wait=${isLast ? 0 : 5}&after=${next}`, key).catch(() => undefined);
    if (answer === undefined) {
      await sleep(50);
      continue;
    }
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    for (const { changes } of answer.body.data) numbers.push(Number(changes[0].after));
    next = answer.body.next;
    if (isLast && answer.body.data.length === 0) return { numbers, next };
  }
}

async function restore(installed: Installed, person: Changed, key: string, before: string): Promise<string> {
  const { commandLine, settings, databaseUrl: url, ask } = installed;
  const file = join(commandLine.folder, 'backup');
  const command = async (words: readonly string[], own: Record<string, string>) => {
    const { code, stderr } = await commandLine.run(words, own);
    assert.equal(code, 0, stderr);
  };
  await command(['backup', file], settings);
  await changeOnce(installed, person);
  const lost = (await ask(`/api/events/list?after=${before}`, key)).body.next;
  await installed.service.kill('SIGTERM');
  const other = { ...settings, DATA_DIR: join(commandLine.folder, 'restored'), DEMO_DATA: 'false' };
  if (url !== undefined) {
    await using server = openPostgresDatabase({ url, maxConnections: 1 });
    await server.query(sql`${raw('create database restored')}`);
    Object.assign(other, { DATABASE_URL: databaseUrl(url, 'restored') });
  }
  await command(['restore', file], other);
  installed.service = await commandLine.serve(other);
  for (const cursor of [before, lost]) {
    const { status, body } = await ask(`/api/events/list?after=${cursor}&wait=5`, key);
    assert.deepEqual([status, body.code], [410, 'CURSOR_GONE']);
  }
  const { body: anew } = await ask('/api/events/list?from=now', key);
  await changeOnce(installed, person);
  const { body: followed } = await ask(`/api/events/list?after=${anew.next}&wait=5`, key);
  assert.deepEqual(
    followed.data.map(({ changes }: { changes: { after: string }[] }) => changes[0]?.after),
    [String(person.sent)],
  );
  return '410 for those of before, and from=now goes on';
}
