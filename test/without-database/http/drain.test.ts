import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { buildApp } from '../../../src/app/build-app.ts';
import { stopListening } from '../../../src/server/listen.ts';
import { buildBareApp, listenLocally } from '../../support/bare-app.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { exchange, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

const PAGE = requestText('GET /api/countries/list?isPaginationNeeded=true');

it('the stopping service is not ready, answers requests, and closes each connection afterwards', async (t) => {
  await using bare = await buildBareApp({ query: async () => [] });
  const stop = new AbortController();
  const { context, geography } = bare;
  const app = await buildApp({ ...context, geography, stop: stop.signal });
  const port = await listenLocally(app);
  assert.equal((await exchange(port, requestText('GET /readyz'))).status, 200);
  // The page is a ready answer from the second time on.
  for (let round = 0; round < 2; round++) assert.equal((await exchange(port, PAGE)).headers.connection, 'keep-alive');

  stop.abort();
  using clock = manualClock(t);
  let hasStopped = false;
  const stopped = stopListening(app, { delay: 300 }).finally(() => {
    hasStopped = true;
  });
  const kept = connect(port, '127.0.0.1');
  await once(kept, 'connect');
  let received = '';
  kept.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const ready = await exchange(port, requestText('GET /readyz'));
  assert.deepEqual([ready.status, ready.headers.connection], [503, 'close']);
  assert.match(ready.body, /about to stop/);
  for (const text of [PAGE, requestText('GET /livez')]) {
    const { status, headers } = await exchange(port, text);
    assert.deepEqual([status, headers.connection], [200, 'close']);
  }
  // A request that has begun before the end, and arrives after it.
  kept.write(PAGE.slice(0, 20));
  await clock.pass(299);
  assert.equal((await exchange(port, PAGE)).status, 200);
  await clock.pass(1);
  await waitUntil('the end of listening', () => !app.server.listening);
  await assert.rejects(exchange(port, PAGE), { code: 'ECONNREFUSED' });
  const closed = once(kept, 'close');
  kept.write(PAGE.slice(20));
  await closed;
  await clock.passUntil('the end of the service', () => hasStopped);
  await stopped;
  assert.match(received, /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
});
