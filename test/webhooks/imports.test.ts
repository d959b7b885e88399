import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import type { WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { follow } from '../audit/trail.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver } from './receiver.ts';
import { startSender } from './test-sender.ts';

const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());

it('an import gives one change of each person to feed and webhooks, in the order of the trail', async () => {
  await using receiver = await startReceiver();
  const company = await addCompany(api.db, 'Listening');
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  const [changed, same] = [await addPerson(api.db, { company }), await addPerson(api.db, { company })];
  const added = `${randomUUID()}@new.example`;
  const post = (url: string, payload: object | string, more: object = {}) =>
    api.send({ method: 'POST', url, as: admin.email, payload, ...more });
  const rows = [
    'email,firstName,lastName,gender,departmentId,bandId,roles',
    `${added},Ana,Lee,F,${company.departmentId},${company.bandId},MANAGER EMPLOYEE`,
    `${changed.email},Renamed,Twice,M,${company.departmentId},${company.bandId},EMPLOYEE`,
    `${same.email},,,,,,`,
  ];
  const send = (...lines: string[]) =>
    post('/api/users/import', lines.join('\n'), {
      query: { companyId: company.id },
      headers: { 'content-type': 'text/csv' },
    });
  const webhook = { url: receiver.url, companyId: company.id, entities: ['user', 'companyRole'] };
  dataOf<WebhookWithSecret>(await post('/api/webhooks/create', webhook));
  const { next } = await follow(api, admin.email, { from: 'now' });
  await using _sender = startSender(api.db);

  const refused = await send(...rows);
  assert.equal(refused.statusCode, 400, refused.body);
  const report = dataOf<{ added: number; changed: number }>(await send(...rows.slice(0, 3)));
  assert.deepEqual([report.added, report.changed], [1, 1]);
  await updateProfile(api, 'POST', same.email, { gender: 'last' });

  const { items } = await follow(api, admin.email, { after: next, limit: '100' });
  const reported = items.map(({ entity, action }) => `${entity} ${action}`);
  assert.deepEqual(reported.filter((what) => what.startsWith('user ')).sort(), [
    'user added',
    'user changed',
    'user changed',
  ]);
  assert.equal(reported.filter((what) => what === 'companyRole added').length, 3);
  const ofImport = items.slice(0, -1);
  assert.equal(new Set(ofImport.map(({ requestId }) => requestId)).size, 1);
  assert.ok(ofImport.every(({ actor }) => actor.kind === 'user' && actor.userId === admin.id));
  await waitUntil('the last delivery', () => receiver.received.length >= items.length);
  const ids = receiver.received.map(({ body }) => JSON.parse(body).data.id);
  assert.deepEqual(
    ids,
    items.map(({ id }) => id),
  );
});
