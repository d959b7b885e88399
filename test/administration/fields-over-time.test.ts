import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eraseCommand } from '../../src/commands/people-commands.ts';
import type { FieldView } from '../../src/features/fields/fields-schemas.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, admin, foreignAdmin, superAdmin, get, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());

type Row = { id: string; fields?: Record<string, unknown> };

const defined = async (fields: object, as: Person = admin) => {
  const body = { companyId: home.id, entity: 'user', type: 'TEXT', label: 'Some', ...fields };
  return dataOf<FieldView>(await post(as, 'fields/create', body));
};
const write = (as: Person, id: string, fields: object) => post(as, 'users/update', { id, fields });

describe('a value that names a person who is gone', () => {
  it('fields/get counts the rows that name somebody who has left, moved or was erased, users/list finds them, and writes keep the values', async () => {
    const { id } = await defined({ key: 'tutor', type: 'PERSON' });
    await defined({ key: 'desk' });
    const [leaver, mover, erased, tutor] = [await add(), await add(), await add(), await add()];
    const people = await Promise.all(
      [leaver, mover, erased, tutor].map(async (named) => {
        const person = await add();
        dataOf(await write(admin, person.id, { tutor: named.id }));
        return { id: person.id, named: named.id };
      }),
    );
    const gone = async () => {
      const query = { companyId: home.id, limit: '100', 'fields.tutor.gone': 'true' };
      const listed = pageOf<Row>(await get(admin, 'users/list', query)).items.map((row) => row.id);
      return { listed: listed.sort(), count: dataOf<FieldView>(await get(admin, 'fields/get', { id })).gone };
    };
    assert.deepEqual(await gone(), { listed: [], count: 0 });
    dataOf(await post(admin, 'users/update', { id: leaver.id, active: false }));
    dataOf(await post(superAdmin, 'users/request-move', { companyId: other.id, userIds: [mover.id] }));
    await eraseCommand.act(api.context, [erased.id], { print() {}, progress() {}, async flushed() {} }, {});
    const three = people.slice(0, 3);
    assert.deepEqual(await gone(), { listed: three.map((each) => each.id).sort(), count: 3 });
    for (const [at, { id: person, named }] of three.entries()) {
      dataOf(await post(admin, 'users/update', { id: person, lastName: 'Other', fields: { desk: '1', tutor: named } }));
      dataOf(await write(admin, person, { desk: '2' }));
      const update = [{ id: person, firstName: 'Saved', fields: { desk: '3', tutor: named } }];
      dataOf(await post(admin, 'users/save', { companyId: home.id, update }));
      const { fields } = dataOf<Row>(await get(admin, 'users/get', { id: person }));
      assert.deepEqual(fields, { desk: '3', tutor: named }, `${at}`);
    }
    assertInvalid(await write(admin, people[3]?.id ?? '', { tutor: mover.id }), 'fields.tutor');
    const imported = await api.send({
      method: 'POST',
      url: '/api/users/import',
      as: admin.email,
      query: { companyId: home.id },
      headers: { 'content-type': 'text/csv' },
      payload: ['id,fields.desk,fields.tutor', ...three.map((each) => `${each.id},4,${each.named}`), ''].join('\n'),
    });
    assert.equal(dataOf<{ changed: number }>(imported).changed, 3);
    const wrong = await get(admin, 'users/list', { companyId: home.id, 'fields.desk.gone': 'true' });
    assert.equal(wrong.statusCode, 400);
  });

  it('fields/get of a field of the platform answers a Corporate Admin with the count of their companies, and nobody else changes it', async () => {
    const { id } = await defined({ companyId: undefined, key: 'coach', type: 'PERSON', required: true }, superAdmin);
    const before = dataOf<FieldView>(await get(admin, 'fields/get', { id }));
    const [far, near] = [await add({ company: other }), await add()];
    const after = dataOf<FieldView>(await get(admin, 'fields/get', { id }));
    assert.deepEqual([after.gone, (after.missing ?? 0) - (before.missing ?? 0)], [0, 1], `${far.id} ${near.id}`);
    for (const active of [true, false]) {
      assertRefused(await post(admin, 'fields/update', { id, label: 'Mine' }), 404, 'NOT_FOUND');
      assertRefused(await post(admin, 'fields/delete', { id }), 404, 'NOT_FOUND');
      if (active) dataOf(await post(superAdmin, 'fields/delete', { id }));
    }
    dataOf(await post(superAdmin, 'fields/delete', { id }));
  });
});

describe('a field that becomes required', () => {
  it('fields/get counts the rows without a field that becomes required, and only writes that leave it out return 400', async () => {
    const [without, having] = [await add(), await add()];
    const { id } = await defined({ key: 'badge' });
    dataOf(await write(admin, having.id, { badge: '7' }));
    dataOf(await post(admin, 'fields/update', { id, required: true }));
    const list = (query: Record<string, string>) =>
      get(admin, 'users/list', { companyId: home.id, limit: '100', ...query });
    const { missing = 0 } = dataOf<FieldView>(await get(admin, 'fields/get', { id }));
    const lacking = pageOf<Row>(await list({ 'fields.badge.missing': 'true' })).items.map((row) => row.id);
    assert.equal(lacking.length, missing);
    assert.ok(lacking.includes(without.id) && !lacking.includes(having.id));
    const others = pageOf<Row>(await list({ 'fields.badge.missing': 'false' })).items.map((row) => row.id);
    assert.deepEqual(others, [having.id]);
    assertInvalid(await list({ 'fields.badge.missing': 'perhaps' }), 'fields.badge.missing');
    dataOf(await post(admin, 'users/update', { id: without.id, lastName: 'Other' }));
    assertInvalid(await write(admin, without.id, { badge: null }), 'fields.badge');
  });
});

describe('a definition that changes', () => {
  it('a changed definition gives no 304 for what was read before, and the tag read before still updates', async () => {
    const person = await add();
    const { id } = await defined({ key: 'hidden' });
    dataOf(await write(admin, person.id, { hidden: 'x', badge: '1' }));
    const authorization = `Bearer ${await api.tokenFor(admin.email)}`;
    const read = (path: string, query: Record<string, string>, known = '""') =>
      api.app.inject({ url: `/api/${path}`, query, headers: { authorization, 'if-none-match': known } });
    for (const [path, entity, given] of [
      ['users', 'user', person.id],
      ['companies', 'company', home.id],
    ] as const) {
      const { id: definition } = entity === 'user' ? { id } : await defined({ entity, key: 'hidden' });
      if (entity === 'company') dataOf(await post(admin, 'companies/update', { id: given, fields: { hidden: 'x' } }));
      const first = await read(`${path}/get`, { id: given });
      const tag = String(first.headers.etag);
      assert.equal(dataOf<Row>(first).fields?.hidden, 'x');
      assert.equal((await read(`${path}/get`, { id: given }, tag)).statusCode, 304);
      dataOf(await post(admin, 'fields/update', { id: definition, active: false }));
      const again = await read(`${path}/get`, { id: given }, tag);
      assert.equal(dataOf<Row>(again).fields?.hidden, undefined);
      const headers = { 'if-match': tag };
      const payload = { id: given, ...(entity === 'user' ? { lastName: 'New' } : { email: 'new@acme.example' }) };
      const updated = await api.send({ method: 'POST', url: `/api/${path}/update`, as: admin.email, payload, headers });
      assert.equal(updated.statusCode, 200, updated.body);
    }
  });
});

describe('a person who moves to another company', () => {
  it('a person who moves to another company keeps the values of the fields of the platform, and none of the old company', async () => {
    const person = await add({ company: other });
    await defined({ companyId: undefined, key: 'passportName' }, superAdmin);
    await defined({ companyId: undefined, key: 'buddy', type: 'PERSON' }, superAdmin);
    await defined({ companyId: other.id, key: 'locker' }, foreignAdmin);
    const colleague = await add({ company: other });
    dataOf(await write(foreignAdmin, person.id, { passportName: 'ANA LEE', buddy: colleague.id, locker: '12' }));
    dataOf(await post(superAdmin, 'users/request-move', { companyId: home.id, userIds: [person.id] }));
    const { fields } = dataOf<Row>(await get(admin, 'users/get', { id: person.id }));
    assert.deepEqual(fields, { passportName: 'ANA LEE' });
    await defined({ key: 'locker' });
    assert.deepEqual(dataOf<Row>(await get(admin, 'users/get', { id: person.id })).fields, { passportName: 'ANA LEE' });
  });
});
