import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { assertInvalid, assertRefused } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';
import { countChanges, trailFor } from './trail.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const acme = await companyNamed(api.db, 'Acme');

describe('the audit trail of profile updates', () => {
  for (const way of UPDATE_WAYS) {
    it(`a profile update by ${way} records the caller, the changed values, the time and the request`, async () => {
      const person = await addPerson(api.db, { columns: { address_line_2: 'Flat 1' } });
      const begin = Date.now();
      const fields = { phone: '+353 1 555 0199', dateOfBirth: '1984-02-29', gender: 'Female' };
      const answer = await updateProfile(api, way, person.email, fields, { 'x-request-id': `audit-${way}` });
      assert.equal(answer.statusCode, 200);
      const [change, ...others] = await trailFor(api, person.email);
      assert.ok(change);
      const { id, changedAt, ...rest } = change;
      assert.match(id, /^\d+$/);
      assert.ok(Date.parse(changedAt) >= begin - 1 && Date.parse(changedAt) <= Date.now() + 1, changedAt);
      assert.deepEqual(rest, {
        action: 'changed',
        entity: 'user',
        entityId: person.id,
        userId: person.id,
        companyId: acme.id,
        actor: { kind: 'user', userId: person.id, runId: null },
        requestId: `audit-${way}`,
        actorName: rest.entityName,
        entityName: rest.entityName,
        names: rest.names,
        changes: [
          { field: 'phone', before: '+91 98450 12345', after: '+35315550199', kept: true },
          { field: 'dateOfBirth', before: '1990-05-15', after: '1984-02-29', kept: true },
          { field: 'addressLine2', before: 'Flat 1', after: null, kept: true },
        ],
      });
      assert.match(rest.entityName ?? '', / Rao$/);
      assert.deepEqual(others, []);
    });
  }

  it('a profile update records the request id of its response', async () => {
    const person = await addPerson(api.db);
    const { headers } = await updateProfile(api, 'POST', person.email, { firstName: 'Niamh' });
    const [change] = await trailFor(api, person.email);
    assert.equal(change?.requestId, headers['x-request-id']);
  });

  it('audit/list returns one change for each profile update, newest first', async () => {
    const person = await addPerson(api.db);
    for (const gender of ['1', '2', '3']) await updateProfile(api, 'POST', person.email, { gender });
    const changes = (await trailFor(api, person.email)).map(({ changes: [field] }) => [field?.before, field?.after]);
    assert.deepEqual(changes, [
      ['2', '3'],
      ['1', '2'],
      ['Female', '1'],
    ]);
  });

  it('a profile update that changes nothing, is refused or has a stale ETag records nothing', async () => {
    const person = await addPerson(api.db);
    const gone = await addPerson(api.db, { columns: { active: false } });
    const count = await countChanges(api.db);
    for (const way of UPDATE_WAYS) {
      const none = await updateProfile(api, way, person.email, {});
      const same = await updateProfile(api, way, person.email, { firstName: 'Ana', dateOfBirth: '1990-05-15' });
      assert.deepEqual([none.statusCode, same.statusCode], [200, 200]);
      assertInvalid(await updateProfile(api, way, person.email, { firstName: 'Bo', pincode: '?' }), 'pincode');
      const stale = await updateProfile(api, way, person.email, { firstName: 'Bo' }, { 'if-match': '"stale"' });
      assertRefused(stale, 412, 'PRECONDITION_FAILED');
      assertRefused(await updateProfile(api, way, gone.email, { firstName: 'Bo' }), 401, 'INVALID_TOKEN');
    }
    assert.equal(await countChanges(api.db), count);
  });

  it('a profile update with a current If-Match records its change', async () => {
    const person = await addPerson(api.db);
    await updateProfile(api, 'POST', person.email, { gender: 'Other' }, { 'if-match': '*' });
    const [change] = await trailFor(api, person.email);
    assert.deepEqual(change?.changes, [{ field: 'gender', before: 'Female', after: 'Other', kept: true }]);
  });

  it('a profile update is rolled back if its change cannot be recorded', async () => {
    const person = await addPerson(api.db);
    const count = await countChanges(api.db);
    await api.db.query(sql`alter table audit_changes add constraint full_up check (id < 0) not valid`);
    try {
      const response = await api.app.inject({
        method: 'POST',
        url: '/api/users/update-profile',
        payload: { firstName: 'Bo' },
        headers: { authorization: `Bearer ${await api.tokenFor(person.email)}` },
      });
      assert.equal(response.statusCode, 500);
    } finally {
      await api.db.query(sql`alter table audit_changes drop constraint full_up`);
    }
    const [row] = await api.db.query<{ name: string }>(
      sql`select first_name as name from users where id = ${person.id}`,
    );
    assert.deepEqual([row?.name, await countChanges(api.db)], ['Ana', count]);
  });

  it('many simultaneous profile updates record the values before and after each', async () => {
    const person = await addPerson(api.db);
    const values = Array.from({ length: 40 }, (_, index) => `Gender ${index}`);
    await Promise.all(values.map((gender) => updateProfile(api, 'POST', person.email, { gender })));
    const changes = (await trailFor(api, person.email)).reverse().map(({ changes: [field] }) => field);
    assert.deepEqual(changes.map((field) => field?.after).toSorted(), values.toSorted());
    let present: unknown = 'Female';
    for (const field of changes) {
      assert.equal(field?.before, present);
      present = field?.after;
    }
  });
});
