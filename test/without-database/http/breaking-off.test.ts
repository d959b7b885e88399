import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { breakOff, seededRandom } from '../../support/breaking-off.ts';
import { buildMeasuredApp, works } from '../../support/measured-app.ts';
import { exchange, requestText } from '../../support/raw-http.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** `npm run long -- hostile` does the same for longer, with more connections, to the service as it is installed. */
it('connections that break off at any moment leave no request in flight, and other callers are answered', async () => {
  const cities = Array.from({ length: 20_000 }, (_, id) => ({ id: id + 1, name: `Panaji ${id}`, stateId: 1 }));
  const states = [{ id: 1, name: 'Goa', countryId: 1, stateCode: 'GA' }];
  const countries = [{ id: 1, name: 'India', iso2: 'IN', iso3: 'IND' }];
  const query = async <Row>() => {
    await sleep(5);
    return works<Row>();
  };
  await using service = await buildMeasuredApp({ query, places: { cities, states, countries } });
  const token = await service.bare.context.signToken('11111111-2222-4333-8444-555555555555', 60);
  const requests = [
    requestText('GET /api/cities/list'),
    requestText('GET /api/cities/list?search=1'),
    requestText('GET /api/cities/list?isPaginationNeeded=true&limit=1000'),
    requestText('HEAD /api/cities/list'),
    requestText('GET /api/users/profile', [`Authorization: Bearer ${token}`]),
    requestText('POST /api/states/list', ['Content-Type: application/json'], '{"isPaginationNeeded":true}'),
    requestText('GET /livez', ['Connection: Upgrade', 'Upgrade: websocket']),
    requestText('GET /api/countries/list', [`X: ${'x'.repeat(40_000)}`]),
  ];
  const { port } = service;
  const random = seededRandom(20_260_101);
  const outcomes = async () => {
    const { 'cities.list aborted': aborted = 0, 'cities.list 200': answered = 0 } = await service.counted();
    return { aborted, answered };
  };
  do await breakOff({ port, connections: 30, number: 600, requests, random });
  while (Object.values(await outcomes()).includes(0));
  const getConnections = promisify(service.bare.app.server.getConnections.bind(service.bare.app.server));
  await waitUntil('all connections to be closed', async () => (await getConnections()) === 0);
  const inFlight = async () => (await service.scrape()).figures.get('orgdesk_http_requests_under_way');
  await waitUntil('nothing to be in flight', async () => (await inFlight()) === 0);
  const counted = await service.counted();
  await sleep(500);
  assert.deepEqual(await service.counted(), counted, 'nothing is worked on any more');
  assert.equal((await exchange(port, requestText('GET /api/countries/list'))).status, 200);
});
