import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { askAll, requestBytes } from '../../bench/support/load.ts';
import { residentMegabytes } from '../../bench/support/process-figures.ts';
import { rounded, tryOften } from '../faults/try-often.ts';
import { addKeyedCompany, addPeople, type DatabaseKind, type Installed, install } from '../support/installed.ts';
import { parseAnswer } from '../support/raw-http.ts';

const FOLLOWERS = 200;
/** Milliseconds between two changes, about. */
const PAUSE = 500;
/** Milliseconds after which a change has to be there, and the share by which memory may grow. */
const GOALS = { there: 100, growth: 0.15 };

/** Two hundred who wait for changes at once. One process is all of them: it sends and reads bytes, so that it is not what they wait for. */
export async function tryFollowers(kind: DatabaseKind, seconds: number): Promise<string[]> {
  const name = `${FOLLOWERS} followers who wait, for ${seconds} s; ${kind}`;
  return [await tryOften(name, 1, () => follow(kind, seconds))];
}

async function follow(kind: DatabaseKind, seconds: number): Promise<string> {
  await using installed = await install(kind);
  const { ask, service, settings } = installed;
  const company = await addKeyedCompany(installed, ['events.read']);
  const [person = ''] = await addPeople(installed, company.id, 1);
  const { body } = await ask('/api/events/list?from=now', company.key);
  const stop = new AbortController();
  /** When the change with that value was committed at the latest. */
  const written: number[] = [];
  const late: number[] = [];

  async function follower(): Promise<string[]> {
    const ids: string[] = [];
    let next: string = body.next;
    let isLast = false;
    function* requests(): Generator<Buffer> {
      while (!isLast) {
        isLast = stop.signal.aborted;
        const path = `/api/events/list?wait=${isLast ? 0 : 20}&after=${next}`;
        yield requestBytes('GET', path, { headers: { authorization: `Bearer ${company.key}` } });
      }
    }
    for await (const answer of askAll(Number(settings.PORT), requests())) {
      const now = performance.now();
      const { data, next: following } = JSON.parse(parseAnswer(answer.toString(), false)?.body ?? '');
      for (const { id, changes } of data) {
        ids.push(id);
        const wasWritten = written[Number(changes[0].after)];
        if (wasWritten !== undefined) late.push(now - wasWritten);
      }
      next = following;
    }
    return ids;
  }
  const followers = Promise.all(Array.from({ length: FOLLOWERS }, follower));
  followers.catch(() => undefined);
  await change(installed, person, written, Math.min(30, seconds / 5));
  const before = residentMegabytes(service.pid);
  late.length = 0;
  await change(installed, person, written, seconds);
  const after = residentMegabytes(service.pid);
  await sleep(1_000);
  stop.abort();
  // Wakes all of them.
  await change(installed, person, written, 0);
  const all = await followers;
  const sorted = late.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  const seen =
    `${written.length} changes, each once and in order at all of them; there after ${rounded(quantile(0.5))}, ` +
    `99 % within ${rounded(quantile(0.99))}, the last after ${rounded(quantile(1))}; memory ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB`;
  const [first = []] = all;
  assert.equal(first.length, written.length);
  assert.equal(new Set(first).size, written.length);
  for (const each of all) assert.deepEqual(each, first);
  assert.ok(quantile(0.99) <= GOALS.there && after / before - 1 <= GOALS.growth, seen);
  return seen;
}

/** Changes somebody now and then; once at the least. */
async function change({ data, superAdmin }: Installed, id: string, written: number[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  do {
    const number = written.length;
    await data('/api/users/update', superAdmin, { id, gender: String(number) });
    written.push(performance.now());
    await sleep(Math.random() * 2 * PAUSE);
  } while (performance.now() < end);
}
