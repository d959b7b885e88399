import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { pageOf } from '../support/answers.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';
import { byGet, type CityItem } from '../support/geography-lists.ts';
import { openSeededDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Requests that a rebuild lets through at least; one that lets nobody in is over with the first. */
const MIN_ANSWERED = 5;

let api: TestApp;
before(async () => {
  api = await buildTestApp({}, openSeededDatabase);
});
after(() => api[Symbol.asyncDispose]());

const search = async (text: string) =>
  pageOf<CityItem>(await api.app.inject(byGet('/api/cities/list', { search: text }))).items;

/** Gives a city a name. @returns how many searches are answered until one finds it */
async function answeredUntilFound(name: string): Promise<number> {
  await api.db.query(sql`update cities set name = ${name} where id = 133024`);
  for (let answered = 1; ; answered++) {
    if ((await search(name)).length > 0) return answered;
    await sleep(2);
  }
}

describe('a rebuild after a change', () => {
  it('keeps no request waiting, and shows the change', async () => {
    await search('warm');
    const answered = await answeredUntilFound('Qwertzuiop 1');
    assert.ok(answered >= MIN_ANSWERED, `${answered} searches were answered`);
    const [city] = pageOf<CityItem & { population: number }>(
      await api.app.inject(byGet('/api/cities/list', { search: 'qwertzuiop', include: 'population' })),
    ).items;
    assert.equal(city?.population, 12_691_836);
  });

  it('comes to an end with the last of many changes', async () => {
    for (let round = 0; round < 20; round++) {
      await api.db.query(sql`update cities set name = ${`Yxcvbnm ${round}`} where id = 133024`);
      await sleep(30);
    }
    await waitUntil('the change to show', async () => (await search('yxcvbnm 19')).length > 0);
  });
});
