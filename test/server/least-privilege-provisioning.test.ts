import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { trimDeliveries, webhookFigures } from '../../src/features/webhooks/delivery-queries.ts';
import { directoryFor, ENTERPRISE, newUser, patchOf } from '../scim/directory.ts';
import { dataOf } from '../support/answers.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { companyNamed } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { startSender } from '../webhooks/test-sender.ts';
import { openDocumentedRoles } from './documented-roles.ts';

const roles = await openDocumentedRoles();
const { owner, service } = roles;
await roles.prepare();
const api = await buildTestApp({ WEBHOOK_PRIVATE_TARGETS: 'true' }, async () => service);
after(async () => {
  await api[Symbol.asyncDispose]();
  await roles[Symbol.asyncDispose]();
});

describe('with the documented roles', () => {
  it('the service with the documented database role carries out the requests of a directory', async () => {
    const { id, ...acme } = await companyNamed(owner, 'Acme');
    await owner.query(sql`
      update companies set default_department_id = ${acme.departmentId}::uuid, default_band_id = ${acme.bandId}::uuid where id = ${id}`);
    const { send } = await directoryFor(api, { id, ...acme });
    const joiner = newUser({ externalId: 'one', [ENTERPRISE]: { department: 'Brought along' } });
    const { body } = await send('POST', '/Users', joiner);
    const group = (await send('GET', '/Groups')).body.Resources[0];
    const member = patchOf({ op: 'add', path: 'members', value: [{ value: body.id }] });
    for (const [method, path, sent] of [
      ['GET', `/Users?filter=${encodeURIComponent('name.givenName co "INE" and externalId sw "o"')}`, undefined],
      ['PUT', `/Users/${body.id}`, { ...joiner, externalId: 'two' }],
      ['PATCH', `/Users/${body.id}`, patchOf({ op: 'replace', path: 'active', value: 'False' })],
      ['PATCH', `/Groups/${group.id}`, member],
      ['PATCH', `/Groups/${group.id}`, patchOf({ op: 'replace', path: 'externalId', value: 'group' })],
      ['PATCH', `/Groups/${group.id}`, patchOf({ op: 'remove', path: 'externalId' })],
      ['DELETE', `/Users/${body.id}`, undefined],
      ['POST', '/Users', joiner],
    ] as const) {
      const { status, body: answer } = await send(method, path, sent);
      assert.ok(status < 300, `${method} ${path}: ${JSON.stringify(answer)}`);
    }
  });

  it('the service with the documented database role manages keys and webhooks, and sends', async () => {
    await using receiver = await startReceiver();
    const { id: companyId } = await companyNamed(owner, 'Acme');
    const post = async (path: string, payload: object) => {
      const response = await api.send({ method: 'POST', url: `/api/${path}`, payload, as: 'admin@acme.example' });
      return dataOf<{ id: string }>(response);
    };
    const key = await post('api-keys/create', { name: 'A', scopes: ['users.read'], companyId });
    await post('api-keys/revoke', { id: key.id });
    const { id } = await post('webhooks/create', { url: receiver.url, companyId });
    await post('webhooks/rotate-secret', { id });
    await post('webhooks/rotate-secret', { id });
    await post('webhooks/test', { id });
    receiver.answer((response) => response.writeHead(410).end());
    await using _sender = startSender(service);
    await post('webhooks/update', { id, description: 'Told' });
    const isOff = async () => {
      const view = await api.send({ url: `/api/webhooks/get?id=${id}`, as: 'admin@acme.example' });
      return !dataOf<{ active: boolean }>(view).active;
    };
    await waitUntil('it to be switched off', isOff);
    await trimDeliveries(service, id);
    assert.equal((await webhookFigures(service)).switchedOff, 1);
    await post('webhooks/delete', { id });
  });
});
