import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { openPGliteDatabase } from './pglite-database.ts';

test('embedded database: what it has answered takes no memory any longer', async () => {
  await using db = await openPGliteDatabase({});
  const answer = async (times: number) => {
    for (let time = 0; time < times; time++) await db.query(sql`select repeat('x', 1000000) as text`);
    return process.memoryUsage.rss() / 1_000_000;
  };
  const before = await answer(100);
  const grown = (await answer(400)) - before;
  assert.ok(grown < 200, `${grown.toFixed(0)} MB more after 400 answers of 1 MB`);
});
