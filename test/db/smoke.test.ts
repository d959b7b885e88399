import { test } from 'node:test';
import { openBlankDatabase, openSeededDatabase, openTestDatabase } from '../support/test-database.ts';

test('opens', async () => {
  for (const f of [openTestDatabase, openSeededDatabase, openBlankDatabase]) {
    const t = performance.now();
    await using db = await f();
    console.log(f.name, performance.now() - t);
  }
});
