import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import sql, { type Sql } from 'sql-template-tag';
import type { Executor } from './database.ts';
import { shareReads } from './shared-reads.ts';

/** Answers with the first value of a statement, and remembers what it was sent. */
function recording() {
  const sent: unknown[] = [];
  const db: Executor = {
    async query<Row extends object>({ values: [value] }: Sql) {
      sent.push(value);
      await setImmediate();
      if (value === 'bad') throw new RangeError('bad');
      return [{ value }] as unknown as Row[];
    },
  };
  return { sent, db: shareReads(db) };
}

const read = (db: Executor, value: unknown) => db.query(sql`select ${value}`);

it('equal statements of one turn of the event loop are sent once, and others apart', async () => {
  const { sent, db } = recording();
  const [first, other, second, text] = await Promise.all([read(db, 1), read(db, 2), read(db, 1), read(db, '1')]);
  assert.deepEqual(sent, [1, 2, '1']);
  assert.deepEqual([first, other, text], [[{ value: 1 }], [{ value: 2 }], [{ value: '1' }]]);
  assert.equal(second, first);
});

it('a statement that comes when an equal one has been sent is sent itself: the answer under way may be older', async () => {
  const { sent, db } = recording();
  const first = read(db, 1);
  await setImmediate();
  await setImmediate();
  assert.deepEqual(sent, [1]);
  await Promise.all([first, read(db, 1)]);
  assert.deepEqual(sent, [1, 1]);
});

it('a failure is that of all who share the statement, and of nobody else', async () => {
  const { sent, db } = recording();
  const results = await Promise.allSettled([read(db, 'bad'), read(db, 1), read(db, 'bad')]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected'],
  );
  assert.deepEqual(sent, ['bad', 1]);
});
