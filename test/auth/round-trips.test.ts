import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { buildApp } from '../../src/app/build-app.ts';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import { listenLocally } from '../support/bare-app.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { startCollector } from '../support/collector.ts';
import { COMPANIES_LIST, COMPANY_LISTS } from '../support/list-paths.ts';
import { companyNamed } from '../support/people.ts';
import { exchange, requestText } from '../support/raw-http.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openDemoDatabase } from '../support/test-database.ts';

const { db, statements } = recordStatements(await openDemoDatabase());
const api = await buildTestApp({}, async () => db);
after(() => api[Symbol.asyncDispose]());
const { id: companyId } = await companyNamed(db, 'Acme');

const ofRequests = () => statements;

for (const [url, email, trips] of [
  ['/api/users/profile', 'employee@acme.example', 1],
  [COMPANIES_LIST, 'super.admin@orgdesk.example', 2],
  [`${COMPANIES_LIST}?search=an&activeOnly=true&page=2`, 'super.admin@orgdesk.example', 2],
  ...Object.values(COMPANY_LISTS).flatMap((path): [string, string, number][] => [
    [`${path}?companyId=${companyId}`, 'manager@acme.example', 2],
    [`${path}?companyId=${companyId}&search=a&page=3`, 'manager@acme.example', 2],
  ]),
] as const) {
  it(`${url.replace(companyId, '…')} takes ${trips} statement${trips > 1 ? 's' : ''}, including the caller check`, async () => {
    const headers = { authorization: `Bearer ${await api.tokenFor(email)}` };
    // The first request of a person notes that they have signed in.
    await api.app.inject({ url, headers });
    statements.length = 0;
    const { statusCode } = await api.app.inject({ url, headers });
    assert.equal(statusCode, 200);
    const sent = ofRequests();
    assert.equal(sent.length, trips, sent.map(({ text }) => text).join(';\n'));
  });
}

it('every statement of an update has a span below the span of its request, without values', async () => {
  await using collector = await startCollector();
  const tracing = openTracing(
    { url: `${collector.url}/v1/traces`, serviceName: undefined },
    (error) => assert.fail(String(error)),
    20_000,
  );
  const app = await buildApp({ ...api.context, geography: api.geography, tracing });
  const authorization = `Authorization: Bearer ${await api.tokenFor('employee@acme.example')}`;
  const port = await listenLocally(app);
  const update = (phone: string) => {
    const headers = [authorization, 'Content-Type: application/json'];
    return exchange(port, requestText('POST /api/users/update-profile', headers, JSON.stringify({ phone })));
  };
  const phones = Array.from({ length: 12 }, (_, number) => `+91 00000 5432${number}`);
  for (const { status, body } of await Promise.all(phones.map(update))) assert.equal(status, 200, body);
  await app.close();
  await tracing[Symbol.asyncDispose]();

  const updates = collector.spans.filter(({ name }) => name === 'POST /api/users/update-profile');
  assert.equal(updates.length, phones.length);
  for (const request of updates) {
    const own = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    assert.ok(
      own.some(({ name }) => name.includes('UPDATE users')),
      own.map(({ name }) => name).join(', '),
    );
    for (const { traceId, attributes } of own) {
      assert.equal(traceId, request.traceId);
      assert.equal(attributes['db.system.name'], 'postgresql');
    }
  }
  // The callers of those that came together were looked up together.
  const ids = new Set(updates.map(({ spanId }) => spanId));
  for (const { kind, parentSpanId = '', links } of collector.spans) {
    const known =
      kind === 2 || ids.has(parentSpanId) || (links.length > 1 && links.every(({ spanId }) => ids.has(spanId)));
    assert.ok(known);
  }
  for (const { body } of collector.requests) assert.ok(!body.includes('00000 5432') && !body.includes('acme'));
});
