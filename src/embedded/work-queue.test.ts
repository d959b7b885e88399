import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_WAITING } from '../db/database-errors.ts';
import { LOOK_INTERVAL_MS, openWorkQueue, WAIT_LIMIT_MS, WORK_LIMIT_MS } from './work-queue.ts';

const WAIT_LOOKS = WAIT_LIMIT_MS / LOOK_INTERVAL_MS;
const WORK_LOOKS = WORK_LIMIT_MS / LOOK_INTERVAL_MS;

function gate() {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}

/** A queue whose deadlines are checked when the test says so, and work that ends when it says so. */
function openTestQueue(end?: (error: Error) => Promise<void>) {
  let [look, now] = [() => {}, 0];
  const lookRegularly = (given: () => void) => {
    look = given;
    return { [Symbol.dispose]: () => undefined };
  };
  const queue = openWorkQueue(lookRegularly, end, () => now);
  const begun: string[] = [];
  function work(name: string, milliseconds = 0) {
    const { over, end } = gate();
    const start = async () => {
      begun.push(name);
      await over;
      now += milliseconds;
      return name;
    };
    return { start, end };
  }
  const looks = (times: number) => {
    for (let time = 0; time < times; time++) look();
  };
  return { queue, begun, work, looks };
}

/** Wanted work of a client. */
const of = (share: string, member?: string) =>
  Object.assign(() => true, { share, ...(member === undefined ? {} : { member }) });

const busy = { code: 'DATABASE_BUSY' };

test('the work queue runs one piece of work at a time in order of arrival, also after a failure', async () => {
  const { queue, begun, work } = openTestQueue();
  const [first, third] = [work('first'), work('third')];
  const results = [
    queue.run(first.start),
    queue.run(() => Promise.reject(new Error('second'))),
    queue.runLong(third.start),
  ];
  assert.deepEqual(begun, ['first']);
  first.end();
  third.end();
  const settled = await Promise.allSettled(results);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(begun, ['first', 'third']);
});

test('the work queue gives each waiting client a turn, however many requests another client has', async () => {
  const { queue, begun, work } = openTestQueue();
  const many = Array.from({ length: 5 }, (_, index) => work(`a${index}`));
  const few = [work('b0'), work('b1')];
  const other = work('c0');
  const anybody = work('x');
  const running = [
    ...many.map(({ start }) => queue.run(start, of('a'))),
    ...few.map(({ start }) => queue.run(start, of('b'))),
    queue.run(other.start, of('c')),
    queue.runLong(anybody.start),
  ];
  for (const one of [...many, ...few, other, anybody]) one.end();
  await Promise.all(running);
  assert.deepEqual(begun, ['a0', 'b0', 'c0', 'x', 'a1', 'b1', 'a2', 'a3', 'a4']);
});

test('the work queue gives each user of a company a turn, however many requests one API key has', async () => {
  const { queue, begun, work } = openTestQueue();
  const key = Array.from({ length: 4 }, (_, index) => work(`key${index}`));
  const [ana, ben, other] = [work('ana'), work('ben'), work('other')];
  const running = [
    ...key.map(({ start }) => queue.run(start, of('acme', 'key'))),
    queue.run(ana.start, of('acme', 'ana')),
    queue.run(ben.start, of('acme', 'ben')),
    queue.run(other.start, of('other', 'key')),
  ];
  for (const one of [...key, ana, ben, other]) one.end();
  await Promise.all(running);
  assert.deepEqual(begun, ['key0', 'other', 'ana', 'ben', 'key1', 'key2', 'key3']);
});

test('the work queue lets clients that use more time wait longer, within and between companies', async () => {
  for (const [heavy, light] of [
    [of('acme'), of('other')],
    [of('acme', 'key'), of('acme', 'ana')],
  ] as const) {
    const { queue, begun, work } = openTestQueue();
    const slow = Array.from({ length: 2 }, (_, index) => work(`slow${index}`, 10));
    const quick = Array.from({ length: 4 }, (_, index) => work(`quick${index}`, 2));
    const running = [
      ...slow.map(({ start }) => queue.run(start, heavy)),
      ...quick.map(({ start }) => queue.run(start, light)),
    ];
    for (const one of [...slow, ...quick]) one.end();
    await Promise.all(running);
    assert.deepEqual(begun, ['slow0', 'quick0', 'quick1', 'quick2', 'quick3', 'slow1']);
  }
});

test('the work queue gives a new client a turn soon, without credit for the time before', async () => {
  const { queue, begun, work } = openTestQueue();
  const old = Array.from({ length: 4 }, (_, index) => work(`old${index}`, 50));
  const late = Array.from({ length: 2 }, (_, index) => work(`late${index}`, 50));
  const running = old.map(({ start }) => queue.run(start, of('acme')));
  for (const one of old.slice(0, 2)) one.end();
  await Promise.all(running.slice(0, 2));
  running.push(...late.map(({ start }) => queue.run(start, of('late'))));
  for (const one of [...old, ...late]) one.end();
  await Promise.all(running);
  assert.deepEqual(begun, ['old0', 'old1', 'old2', 'late0', 'old3', 'late1']);
});

test('the work queue runs short work without a client before the next work of each client', async () => {
  const { queue, begun, work } = openTestQueue();
  const heavy = [work('a0'), work('a1')];
  const lookUps = [work('x0'), work('x1'), work('x2')];
  const long = work('long');
  const running = [
    ...heavy.map(({ start }) => queue.run(start, of('a'))),
    queue.runLong(long.start),
    ...lookUps.map(({ start }) => queue.run(start)),
  ];
  for (const one of [...heavy, ...lookUps, long]) one.end();
  await Promise.all(running);
  assert.deepEqual(begun, ['a0', 'x0', 'x1', 'x2', 'long', 'a1']);
});

test('the work queue refuses work that has waited for two seconds, and lets long work wait', async () => {
  const { queue, begun, work, looks } = openTestQueue();
  const [first, late, long] = [work('first'), work('late'), work('long')];
  const running = queue.run(first.start);
  const waiting = queue.run(late.start);
  const longWaiting = queue.runLong(long.start);
  looks(WAIT_LOOKS - 1);
  const refused = assert.rejects(waiting, busy);
  looks(1);
  await refused;
  first.end();
  await running;
  long.end();
  await longWaiting;
  assert.deepEqual(begun, ['first', 'long']);
});

test('the work queue does not start work that is no longer wanted', async () => {
  const { queue, begun, work } = openTestQueue();
  const [first, unwanted, wanted] = [work('first'), work('unwanted'), work('wanted')];
  let isWanted = true;
  const running = queue.run(first.start);
  const refused = assert.rejects(
    queue.run(unwanted.start, () => isWanted),
    { code: 'DATABASE_UNWANTED' },
  );
  const last = queue.run(wanted.start, () => true);
  isWanted = false;
  first.end();
  wanted.end();
  await Promise.all([running, refused, last]);
  assert.deepEqual(begun, ['first', 'wanted']);
});

test('the work queue refuses work beyond its maximum, except long work', async () => {
  const { queue, work } = openTestQueue();
  const first = work('first');
  const all: Promise<unknown>[] = [queue.run(first.start)];
  for (let count = 0; count < MAX_WAITING; count++) all.push(queue.run(async () => count));
  await assert.rejects(
    queue.run(async () => undefined),
    busy,
  );
  all.push(queue.runLong(async () => 'long'));
  first.end();
  assert.equal((await Promise.all(all)).length, MAX_WAITING + 2);
});

test('the work queue aborts work that passes its deadline, and starts the next work only after the abort', async () => {
  const ending = gate();
  const ended: Error[] = [];
  const { queue, begun, work, looks } = openTestQueue((error) => {
    ended.push(error);
    return ending.over;
  });
  const [endless, next] = [work('endless'), work('next')];
  const cut = assert.rejects(queue.run(endless.start), { code: 'DATABASE_TIMEOUT' });
  looks(WORK_LOOKS);
  await cut;
  const waiting = queue.run(next.start);
  // Aborted work may settle late.
  endless.end();
  await Promise.resolve();
  assert.deepEqual([ended.length, begun], [1, ['endless']]);
  ending.end();
  next.end();
  assert.equal(await waiting, 'next');
});

test('the work queue never aborts long work', async () => {
  const { queue, work, looks } = openTestQueue(() => assert.fail('It was ended'));
  const long = work('long');
  const running = queue.runLong(long.start);
  looks(100 * WORK_LOOKS);
  long.end();
  assert.equal(await running, 'long');
});

test('a closed work queue refuses waiting and new work, and reports whether the running work has ended', async () => {
  const { queue, work } = openTestQueue();
  const first = work('first');
  const running = queue.run(first.start);
  const waiting = queue.run(async () => undefined);
  const closed = { code: 'CONNECTION_CLOSED' };
  const refused = assert.rejects(waiting, closed);
  assert.equal(await queue.close(0), false);
  await refused;
  await assert.rejects(
    queue.runLong(async () => undefined),
    closed,
  );
  const over = queue.close(60_000);
  first.end();
  await running;
  assert.equal(await over, true);
});
