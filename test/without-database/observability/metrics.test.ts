import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import type { Database } from '../../../src/db/database.ts';
import { deferred } from '../../../src/lib/deferred.ts';
import { openMetrics } from '../../../src/metrics/metrics.ts';
import { type BareAppOptions, buildBareApp } from '../../support/bare-app.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { buildMeasuredApp, type MeasuredApp, ownSeries, waitUntilCounted, works } from '../../support/measured-app.ts';
import { exchange, requestText, sendAll } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const PAGE = '/api/cities/list?isPaginationNeeded=true';
const TOTAL = 'orgdesk_http_requests_total';

const ask = async ({ port }: MeasuredApp, line: string, headers: string[] = [], body?: string) =>
  (await exchange(port, requestText(line, headers, body))).status;

describe('the metrics of requests', () => {
  it('the request metrics count each response by operation and status', async () => {
    await using service = await buildMeasuredApp();
    for (let time = 0; time < 3; time++) assert.equal(await ask(service, `GET ${PAGE}`), 200);
    const { headers } = await exchange(service.port, requestText(`GET ${PAGE}`));
    assert.equal(await ask(service, `GET ${PAGE}`, [`If-None-Match: ${headers.etag}`]), 304);
    assert.equal(await ask(service, `GET http://localhost${PAGE}`), 200);
    assert.equal(await ask(service, `GET http://localhost${PAGE}`), 200);
    assert.equal(await ask(service, 'POST /api/states/list', [], '{"limit":0,"isPaginationNeeded":true}'), 415);
    assert.equal(await ask(service, 'GET /api/countries/list?isPaginationNeeded=x'), 400);
    assert.equal(await ask(service, 'GET /api/users/profile'), 401);
    assert.equal(await ask(service, 'GET /livez'), 200);
    assert.equal(await ask(service, 'GET /nothing'), 404);
    assert.equal(await ask(service, 'DELETE /api/users/profile'), 405);
    assert.equal(await ask(service, 'PROPFIND /api/users/profile'), 405);
    assert.equal(await ask(service, 'GET /%zz'), 400);
    assert.equal(await ask(service, 'POST /api/cities/list', ['Expect: a miracle'], '{}'), 417);
    assert.deepEqual(await service.counted(), {
      'cities.list 200': 6,
      'cities.list 304': 1,
      'cities.list 417': 1,
      'states.list 415': 1,
      'countries.list 400': 1,
      'profile.view 401': 1,
      'health 200': 1,
      'unmatched 404': 1,
      'unmatched 405': 2,
      'unmatched 400': 1,
    });
  });

  it('the request metrics count requests that are not HTTP separately', async () => {
    await using service = await buildMeasuredApp();
    assert.equal((await exchange(service.port, 'nonsense\r\n\r\n')).status, 400);
    assert.equal(await ask(service, 'GET /livez', [`X: ${'x'.repeat(40_000)}`]), 431);
    const { figures } = await service.scrape();
    assert.equal(figures.get('orgdesk_http_unreadable_requests_total'), 2);
    assert.deepEqual(await service.counted(), {});
  });

  it('the request metrics count requests whose callers disconnect before the response as aborted', async () => {
    let requested = 0;
    const query: Database['query'] = ({ text }) => {
      if (!text.includes('users')) return works();
      requested += 1;
      return new Promise<never>(() => undefined);
    };
    await using service = await buildMeasuredApp({ query });
    const authorization = `Authorization: Bearer ${await service.bare.context.signToken('11111111-2222-4333-8444-555555555555', 60)}`;
    const socket = connect(service.port, '127.0.0.1', () =>
      socket.write(requestText('GET /api/users/profile', [authorization])),
    );
    await waitUntil('the request to wait', () => requested === 1);
    const { figures } = await service.scrape();
    assert.equal(figures.get('orgdesk_http_requests_under_way'), 1);
    socket.destroy();
    await waitUntilCounted(service, 'profile.view aborted');
    assert.equal((await service.scrape()).figures.get('orgdesk_http_requests_under_way'), 0);
  });

  it('the request metrics contain the durations of responses in cumulative buckets', async (t) => {
    // Each look at the clock takes a millisecond.
    let now = 0;
    t.mock.method(performance, 'now', () => ++now);
    const query = async <Row>() => {
      now += 120;
      return works<Row>();
    };
    await using service = await buildMeasuredApp({ query });
    await ask(service, 'GET /readyz');
    for (let time = 0; time < 5; time++) await ask(service, `GET ${PAGE}`);
    await service.counted();
    const { figures, types } = await service.scrape();
    const name = 'orgdesk_http_request_duration_seconds';
    assert.equal(types.get(name), 'histogram');
    const bucket = (operation: string, le: string) =>
      figures.get(`${name}_bucket{le="${le}",operation="${operation}"}`);
    assert.deepEqual([bucket('health', '0.1'), bucket('health', '10'), bucket('health', '+Inf')], [0, 1, 1]);
    const seconds = figures.get(`${name}_sum{operation="health"}`) ?? 0;
    assert.ok(seconds > 0.1 && seconds < 5, `${seconds} s`);
    assert.equal(figures.get(`${name}_count{operation="cities.list"}`), 5);
    assert.equal(bucket('cities.list', '+Inf'), 5);
    const sum = figures.get(`${name}_sum{operation="cities.list"}`) ?? 0;
    assert.ok(sum > 0 && sum < 5, `${sum} s`);
    const all = [...figures].filter(
      ([series]) => series.startsWith(`${name}_bucket`) && series.includes('operation="cities.list"'),
    );
    assert.ok(all.length > 10);
    for (const [index, [, count]] of all.entries()) assert.ok(count >= (all[index - 1]?.[1] ?? 0));
  });

  it('the request metrics have no more series for ten thousand paths than for a single path', async () => {
    await using service = await buildMeasuredApp();
    await ask(service, 'GET /one');
    await ask(service, 'POST /one');
    await service.counted();
    const before = await ownSeries(service);
    const lines = Array.from({ length: 10_000 }, (_, number) => {
      const path = `/${number.toString(36)}/${(number * 7919).toString(36)}?search=${number}`;
      return requestText(`${['GET', 'POST', 'HEAD', 'PUT'][number % 4]} ${path}`, [`X-Request-Id: id-${number}`]);
    });
    await sendAll(service.port, lines);
    const { figures } = await service.scrape();
    const unmatched = [...figures].filter(([series]) => series.startsWith(`${TOTAL}{operation="unmatched"`));
    assert.equal(
      unmatched.reduce((sum, [, count]) => sum + count, 0),
      10_002,
    );
    assert.deepEqual(await ownSeries(service), before);
  });
});

describe('the metrics of the service', () => {
  it('the service metrics contain the version and size of the geography, and the database connections', async () => {
    const figuresOf = { open: 7, inUse: 3, waiting: 2 };
    await using service = await buildMeasuredApp({ poolFigures: () => figuresOf });
    const { figures, types } = await service.scrape();
    const { version } = service.bare.geography.index;
    for (const [series, figure] of Object.entries({
      orgdesk_ready: 1,
      'orgdesk_dependency_up{dependency="database"}': 1,
      [`orgdesk_geography_info{version="${version}"}`]: 1,
      'orgdesk_geography_places{kind="countries"}': 2,
      'orgdesk_geography_places{kind="states"}': 1,
      'orgdesk_geography_places{kind="cities"}': 1,
      'orgdesk_database_connections{state="in_use"}': 3,
      'orgdesk_database_connections{state="idle"}': 4,
      orgdesk_database_statements_waiting: 2,
      orgdesk_http_requests_under_way: 0,
    })) {
      assert.equal(figures.get(series), figure, series);
    }
    for (const series of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ]) {
      assert.ok((figures.get(series) ?? -1) >= 0, series);
    }
    for (const [name, type] of types) {
      if (!name.startsWith('orgdesk_')) continue;
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.match(name, /^[a-z_]+$/);
    }
  });

  it('the service metrics report not ready while a dependency fails and during the stop', async (t) => {
    let fails = false;
    const stop = new AbortController();
    const query = async <Row>() => {
      if (fails) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
      return works<Row>();
    };
    await using service = await buildMeasuredApp({ query, stop: stop.signal });
    const ready = async () => {
      const { figures } = await service.scrape();
      return [figures.get('orgdesk_ready'), figures.get('orgdesk_dependency_up{dependency="database"}')];
    };
    assert.deepEqual(await ready(), [1, 1]);
    fails = true;
    using clock = manualClock(t);
    await clock.pass(1_000);
    assert.deepEqual(await ready(), [0, 0]);
    fails = false;
    await clock.pass(1_000);
    assert.deepEqual(await ready(), [1, 1]);
    stop.abort();
    assert.deepEqual(await ready(), [0, 1]);
  });

  it('the service metrics count each refused request once, by its limit', async () => {
    const settings = {
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_PUBLIC: '2',
      RATE_LIMIT_BAD_TOKENS: '1',
      RATE_LIMIT_USER: '1',
      MAX_REQUESTS_UNDER_WAY: '1',
    };
    const held = deferred();
    let isQueried = false;
    const query = async () => {
      isQueried = true;
      await held.promise;
      return [];
    };
    await using service = await buildMeasuredApp({ query, settings });
    for (const status of [200, 200, 429, 429, 429]) assert.equal(await ask(service, `GET ${PAGE}`), status);
    for (const status of [401, 429])
      assert.equal(await ask(service, 'GET /api/users/profile', ['Authorization: Bearer x']), status);
    const token = await service.bare.context.signToken('11111111-2222-4333-8444-555555555555', 60);
    const profile = () => ask(service, 'GET /api/users/profile', [`Authorization: Bearer ${token}`]);
    const first = profile();
    await waitUntil('the database to be asked', () => isQueried);
    assert.equal(await profile(), 503);
    held.resolve();
    // Nobody is in this database.
    assert.equal(await first, 429);
    const { figures } = await service.scrape();
    const refused = (limit: string) => figures.get(`orgdesk_http_requests_refused_total{limit="${limit}"}`);
    assert.deepEqual(['public', 'bad_token', 'user', 'under_way'].map(refused), [3, 2, 0, 1]);
    assert.equal(await profile(), 429);
    const later = (await service.scrape()).figures;
    assert.equal(later.get('orgdesk_http_requests_refused_total{limit="user"}'), 1);
  });
});

it('a service without metrics has no listener for metrics', async () => {
  const metrics = openMetrics();
  const hooks = async (options: BareAppOptions) => {
    await using bare = await buildBareApp(options);
    return bare.app.server.listeners('request').length + bare.app.server.listeners('clientError').length;
  };
  assert.equal(await hooks({}), 2);
  assert.equal(await hooks({ metrics }), 3);
});

it('a scrape queries the database once about webhooks, and once about each dependency', async () => {
  const requested: string[] = [];
  const query: Database['query'] = ({ text }) => {
    requested.push(text);
    return works();
  };
  await using service = await buildMeasuredApp({ query });
  await service.scrape();
  assert.deepEqual([requested.filter((text) => text.includes('oldestUndelivered')).length, requested.length], [1, 2]);
});
