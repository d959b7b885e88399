import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { openAdministration } from '../administration/administration.ts';
import { assertInvalid, dataOf } from '../support/answers.ts';
import { AUDIT_LIST, trailFor } from './trail.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, admin, superAdmin, add, post } = administration;
const second = await add({ roles: [['CORPORATE_ADMIN', home]] });

const created = dataOf<{ id: string }>(
  await post(admin, 'departments/create', { companyId: home.id, name: 'Sales', costCode: 'S', budget: '1.00' }),
);
await post(second, 'departments/update', { id: created.id, name: 'Trade' });
await post(admin, 'departments/delete', { id: created.id });
const [removed, changed, added] = await trailFor(api, admin.email, { entity: 'department', entityId: created.id });
assert.ok(removed && changed && added);

const found = async (query: Record<string, string>) => {
  const changes = await trailFor(api, admin.email, { companyId: home.id, entity: 'department', ...query });
  return changes.filter(({ entityId }) => entityId === created.id).map(({ action }) => action);
};

describe('the audit trail', () => {
  it('audit/list filters by who changed an entity, and by the kind of change', async () => {
    assert.deepEqual(await found({ actorId: admin.id }), ['removed', 'added']);
    assert.deepEqual(await found({ actorId: second.id.toUpperCase() }), ['changed']);
    assert.deepEqual(await found({ actorId: superAdmin.id }), []);
    assert.deepEqual(await found({ action: 'removed' }), ['removed']);
    assert.deepEqual(await found({ actorId: admin.id, action: 'changed' }), []);
  });

  it('audit/list filters by the API key that changed an entity', async () => {
    const key = dataOf<{ id: string; key: string }>(
      await post(admin, 'api-keys/create', { name: 'Directory', scopes: ['scim'], companyId: home.id }),
    );
    const person = await add();
    const response = await api.app.inject({
      method: 'PATCH',
      url: `/scim/v2/Users/${person.id}`,
      headers: { authorization: `Bearer ${key.key}` },
      payload: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'name.familyName', value: 'Iyer' }],
      },
    });
    assert.equal(response.statusCode, 200, response.body);
    const changes = await trailFor(api, admin.email, { actorId: key.id });
    assert.deepEqual(
      changes.map(({ entityId }) => entityId),
      [person.id],
    );
  });

  it('audit/list filters by a time, with its beginning and without its end', async () => {
    const [from, to] = [changed.changedAt, removed.changedAt];
    const after = (moment: string, milliseconds: number) => new Date(Date.parse(moment) + milliseconds).toISOString();
    assert.deepEqual(await found({ from: after(added.changedAt, -1), to: after(removed.changedAt, 1) }), [
      'removed',
      'changed',
      'added',
    ]);
    assert.deepEqual(await found({ from: after(removed.changedAt, 1) }), []);
    assert.deepEqual(await found({ to: added.changedAt }), []);
    if (from !== to) assert.ok(!(await found({ to: from })).includes('removed'));
    assert.deepEqual(await found({ from: '2000-01-01T05:30:00.123456789+05:30', to: '2000-01-01t00:00:01z' }), []);
  });

  it('audit/list returns 400 for a wrong filter value, and ignores an empty one', async () => {
    for (const [field, value] of [
      ['actorId', 'Asha'],
      ['action', 'deleted'],
      ['from', 'yesterday'],
      ['from', '2026-01-31'],
      ['to', '2026-02-30T00:00:00Z'],
      ['entity', 'person'],
      ['unknown', ''],
    ] as const) {
      assertInvalid(await api.send({ url: AUDIT_LIST, as: admin.email, query: { [field]: value } }), field);
    }
    const empty = { actorId: '', action: '', from: '', to: '' };
    assert.equal((await api.send({ url: AUDIT_LIST, as: admin.email, query: empty })).statusCode, 200);
  });

  it('audit/list and events/list return changes of kinds that only a later version knows', async () => {
    const id = randomUUID();
    await api.db.query(sql`
      insert into audit_changes (actor_kind, actor_id, request_id, action, entity, entity_id, company_id, fields, field_values)
      values ('user', ${admin.id}::uuid, 'later', 'added', 'dragon', ${id}, ${home.id}::uuid, '{size,head}', '{"size": [null, 7], "head": [null, ${raw(`"${admin.id}"`)}]}')`);
    for (const path of [
      `audit/list?companyId=${home.id}&limit=5`,
      `audit/list?companyId=${home.id}&group=request`,
      `events/list?companyId=${home.id}&limit=1000`,
    ]) {
      const answer = await api.app.inject({
        url: `/api/${path}`,
        headers: { authorization: `Bearer ${await api.tokenFor(superAdmin.email)}` },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.match(answer.body, /dragon/, path);
    }
  });
});
