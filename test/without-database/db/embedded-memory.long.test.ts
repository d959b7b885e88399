import { test } from 'node:test';
import sql from 'sql-template-tag';
import { openPGliteDatabase } from '../../../src/embedded/pglite-database.ts';
import { leastWithin } from '../../support/least-within.ts';

test('the memory of the embedded database does not grow by the size of its results', async () => {
  await using db = await openPGliteDatabase({});
  const growth = async () => {
    const before = process.memoryUsage.rss();
    for (let time = 0; time < 200; time++) await db.query(sql`select repeat('x', 1000000) as text`);
    return (process.memoryUsage.rss() - before) / 1_000_000;
  };
  await growth(); // what starting it left is collected meanwhile
  // What waits to be collected lets the process grow as well, but not each time.
  await leastWithin(100, 'MB more after 200 answers of 1 MB', growth);
});
