import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PROGRAM } from '../../../src/lib/program.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { publishedSchemaCheck } from '../../support/matches-schema.ts';
import { waitUntil } from '../../support/wait-until.ts';

const ADDRESS = 'connect ECONNREFUSED db-7.internal:5432 user orgdesk';
const works = async <Row>() => [{ one: 1 }] as Row[];
const fails = async () => {
  throw Object.assign(new Error(ADDRESS), { code: 'ECONNREFUSED' });
};
const hangs = () => new Promise<never>(() => undefined);

describe('/livez', () => {
  it('/livez returns 200 while the process runs, even if the database fails', async () => {
    await using bare = await buildBareApp({ query: fails });
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await bare.app.inject({ method, url: '/livez' });
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers['cache-control'], 'no-store');
    }
    const { success, data } = (await bare.app.inject('/livez')).json();
    assert.deepEqual([success, data], [true, { process: 'up' }]);
  });
});

describe('/readyz', () => {
  it('/readyz returns the state of each dependency', async () => {
    await using bare = await buildBareApp({ query: works });
    const response = await bare.app.inject('/readyz');
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['cache-control'], 'no-store');
    const { success, data } = response.json();
    assert.deepEqual([success, data], [true, { version: PROGRAM.version, database: 'up' }]);
    publishedSchemaCheck()({ method: 'GET', path: '/readyz' }, response);
  });

  it('/readyz returns 503 with only the names of failed dependencies if the database fails', async () => {
    await using bare = await buildBareApp({ query: fails });
    const response = await bare.app.inject('/readyz');
    const { requestId: _, ...body } = response.json();
    assert.equal(response.statusCode, 503);
    const message = 'The service is not ready: database down.';
    assert.deepEqual(body, { success: false, message, code: 'UNAVAILABLE' });
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.match(String(response.headers['retry-after']), /^[1-9]\d*$/);
    publishedSchemaCheck()({ method: 'GET', path: '/readyz' }, response);
  });

  it('/readyz returns 503 after two seconds if the database hangs, and sends it no further query', async (t) => {
    let queries = 0;
    const query = () => {
      queries++;
      return hangs();
    };
    await using bare = await buildBareApp({ query });
    using clock = manualClock(t);
    const statuses: number[] = [];
    for (let caller = 0; caller < 2; caller++) {
      void bare.app.inject('/readyz').then(({ statusCode }) => statuses.push(statusCode));
    }
    await waitUntil('the database to be asked', () => queries > 0);
    await clock.pass(1_999);
    assert.deepEqual(statuses, []);
    await clock.pass(1);
    await waitUntil('the answers', () => statuses.length === 2);
    assert.deepEqual(statuses, [503, 503]);
    assert.equal((await bare.app.inject('/readyz')).statusCode, 503);
    assert.equal(queries, 1);
  });

  it('/readyz queries the database once a second, for any number of callers', async (t) => {
    let queries = 0;
    let isDown = false;
    const query = async <Row>() => {
      queries++;
      return isDown ? fails() : works<Row>();
    };
    await using bare = await buildBareApp({ query });
    let now = 5_000;
    t.mock.method(performance, 'now', () => now);
    const statuses = async () => {
      const responses = await Promise.all(Array.from({ length: 50 }, () => bare.app.inject('/readyz')));
      return [...new Set(responses.map(({ statusCode }) => statusCode))];
    };
    assert.deepEqual([await statuses(), queries], [[200], 1]);
    isDown = true;
    now += 999;
    assert.deepEqual([await statuses(), queries], [[200], 1]);
    now += 1;
    assert.deepEqual([await statuses(), queries], [[503], 2]);
    isDown = false;
    now += 1_000;
    assert.deepEqual([await statuses(), queries], [[200], 3]);
  });
});
