import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ChangeView } from '../../src/audit/change-view.ts';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import type { FieldView } from '../../src/features/fields/fields-schemas.ts';
import { removeOldFields } from '../../src/features/fields/fields-service.ts';
import { erasePerson } from '../../src/features/people/erase-person.ts';
import type { UsersImportView } from '../../src/features/people/import/import-schemas.ts';
import { directoryFor, newUser } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, admin, foreignAdmin, superAdmin, get, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());

type Row = { id: string; fields?: Record<string, unknown> };

const define = (fields: object, as: Person = admin) =>
  post(as, 'fields/create', { companyId: home.id, entity: 'user', type: 'TEXT', label: 'Some', ...fields });
const defined = async (fields: object, as?: Person) => dataOf<FieldView>(await define(fields, as));
const read = async (as: Person, id: string, query: object = {}) =>
  dataOf<Row>(await get(as, 'users/get', { id, ...query })).fields;
const write = (id: string, fields: object, as: Person = admin) => post(as, 'users/update', { id, fields });

async function keyWith(...scopes: string[]): Promise<Record<string, string>> {
  const given = { name: 'Agency', scopes, companyId: home.id, expiresAt: null } as never;
  const { key } = await api.db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, given));
  return { authorization: `Bearer ${key}` };
}
const asKey = (headers: Record<string, string>, path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/${path}`, payload, headers });

describe('definitions of fields', () => {
  it('fields/create returns a definition with its defaults to a Corporate Admin, and the same when it is sent again', async () => {
    const body = {
      id: randomUUID(),
      key: 'shoeSize',
      type: 'INTEGER',
      label: ' Shoe size ',
      labels: { de: 'Schuhgröße' },
    };
    const { createdAt, updatedAt, ...view } = await defined(body);
    assert.deepEqual(view, {
      ...body,
      label: 'Shoe size',
      companyId: home.id,
      entity: 'user',
      choices: null,
      required: false,
      default: null,
      pattern: null,
      readableBy: 'MANAGER',
      writableBy: 'ADMIN',
      sensitive: false,
      inList: false,
      position: 0,
      active: true,
    });
    assert.equal(createdAt, updatedAt);
    assert.deepEqual(await defined(body), { ...view, createdAt, updatedAt });
    assert.deepEqual(dataOf(await get(admin, 'fields/get', { id: view.id })), { ...view, createdAt, updatedAt });
  });

  it('fields/list returns the fields of the platform and of the company by entity, position and key', async () => {
    await defined({ companyId: undefined, key: 'visitorBadge', position: 3 }, superAdmin);
    await defined({ key: 'ally', position: 9 });
    const { items } = pageOf<FieldView>(await get(admin, 'fields/list', { companyId: home.id, entity: 'user' }));
    assert.deepEqual(
      items.map(({ key }) => key),
      ['shoeSize', 'visitorBadge', 'ally'],
    );
    const ofPlatform = pageOf<FieldView>(await get(superAdmin, 'fields/list', {}));
    assert.deepEqual(
      ofPlatform.items.map(({ key, companyId }) => [key, companyId]),
      [['visitorBadge', null]],
    );
  });

  it('fields/create returns 403 to a Corporate Admin for a field of the platform or of another company, and update 404', async () => {
    assertRefused(await define({ companyId: undefined, key: 'mine' }), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await define({ key: 'mine' }, foreignAdmin), 403, 'COMPANY_FORBIDDEN');
    const [found] = pageOf<FieldView>(await get(superAdmin, 'fields/list', {})).items;
    assertRefused(await post(admin, 'fields/update', { id: found?.id, label: 'Mine' }), 404, 'NOT_FOUND');
  });

  it('fields/create returns 409 for a key that the company or the platform has, in any case', async () => {
    assertRefused(await define({ key: 'shoeSize' }), 409, 'ALREADY_EXISTS', ['key']);
    assertRefused(await define({ key: 'visitorbadge' }), 409, 'ALREADY_EXISTS', ['key']);
    assertRefused(await define({ companyId: undefined, key: 'shoeSize' }, superAdmin), 409, 'ALREADY_EXISTS', ['key']);
    assert.equal((await defined({ companyId: other.id, key: 'shoeSize' }, foreignAdmin)).key, 'shoeSize');
    assert.equal((await defined({ entity: 'band', key: 'shoeSize' })).entity, 'band');
  });

  it('fields/create returns 400 with each wrong part of a definition', async () => {
    assertInvalid(await define({ key: 'Shoe' }), 'key');
    assertInvalid(await define({ key: 'a'.repeat(41) }), 'key');
    assertInvalid(await define({ key: 'k', type: 'FLOAT', entity: 'costCenter' }), 'entity', 'type');
    assertInvalid(await define({ key: 'k', type: 'CHOICE' }), 'choices');
    assertInvalid(await define({ key: 'k', choices: ['a'] }), 'choices');
    assertInvalid(await define({ key: 'k', type: 'CHOICE', choices: ['a', 'a'] }), 'choices');
    assertInvalid(await define({ key: 'k', type: 'INTEGER', pattern: '\\d' }), 'pattern');
    assertInvalid(await define({ key: 'k', type: 'CHOICE', choices: ['a'], default: 'b' }), 'default');
    assertInvalid(await define({ key: 'k', type: 'INTEGER', default: 'b' }), 'default');
    assertInvalid(await define({ key: 'k', labels: { 'no language': 'x' } }), 'labels');
    assertInvalid(await define({ key: 'k', readableBy: 'EVERYBODY' }), 'readableBy');
  });

  it('fields/create returns 400 for patterns that are none, or that could take long', async () => {
    for (const pattern of ['(a+)+', '(a*)*b', '(a|a)*{2}', '[', '(', 'a{101}', '(?=a)', '\\1', 'a**']) {
      assertInvalid(await define({ key: 'k', pattern }), 'pattern');
    }
  });

  it('fields/update changes what may change, and returns 400 for another key, entity or type', async () => {
    const { id, ...view } = await defined({ key: 'changing' });
    assertInvalid(await post(admin, 'fields/update', { id, key: 'changed' }), 'key');
    assertInvalid(await post(admin, 'fields/update', { id, type: 'URL' }), 'type');
    const changed = dataOf<FieldView>(await post(admin, 'fields/update', { ...view, id, label: 'Other', position: 4 }));
    assert.deepEqual([changed.label, changed.position, changed.key], ['Other', 4, 'changing']);
  });

  it('fields/create refuses the 51st field of a company and entity, those of the platform counted', async () => {
    const of = { companyId: other.id, entity: 'department' };
    await defined({ ...of, companyId: undefined, key: 'everywhere' }, superAdmin);
    for (let at = 1; at < 50; at++) await defined({ ...of, key: `k${at}` }, foreignAdmin);
    assertRefused(await define({ ...of, key: 'more' }, foreignAdmin), 409, 'LIMIT_REACHED');
    assertRefused(await define({ ...of, companyId: undefined, key: 'more' }, superAdmin), 409, 'LIMIT_REACHED');
  });

  it('API keys with organization.write define fields', async () => {
    const body = { companyId: home.id, entity: 'user', type: 'TEXT', label: 'By key', key: 'byKey' };
    assert.equal(
      dataOf<FieldView>(await asKey(await keyWith('organization.write'), 'fields/create', body)).key,
      'byKey',
    );
    assertRefused(await asKey(await keyWith('users.write'), 'fields/create', body), 403, 'SCOPE_REQUIRED');
  });
});

describe('values of fields', () => {
  let colleague: Person;
  before(async () => {
    colleague = await add();
    await defined({ key: 'size', type: 'CHOICE', choices: ['S', 'M', 'L'] });
    await defined({ key: 'skills', type: 'CHOICES', choices: ['A', 'B', 'C'] });
    await defined({ key: 'heads', type: 'INTEGER' });
    await defined({ key: 'allowance', type: 'DECIMAL' });
    await defined({ key: 'since', type: 'DATE' });
    await defined({ key: 'remote', type: 'BOOLEAN' });
    await defined({ key: 'mentor', type: 'PERSON' });
    await defined({ key: 'page', type: 'URL' });
    await defined({ key: 'badge', pattern: '[A-Z]{2}-\\d{4}' });
  });

  it('users/update writes values of fields, and users/get returns each in its form', async () => {
    const { id } = await add();
    const fields = {
      ...{ size: 'M', skills: ['C', 'A'], heads: 3, allowance: '12.5', since: '2026-02-28', remote: true },
      ...{ mentor: colleague.id, page: 'https://acme.example/x', badge: 'AB-1234' },
    };
    const kept = { ...fields, skills: ['A', 'C'], allowance: '12.50' };
    assert.deepEqual(dataOf<Row>(await write(id, fields)).fields, kept);
    assert.deepEqual(await read(admin, id), kept);
    const listed = pageOf<Row>(await get(admin, 'users/list', { companyId: home.id, include: 'fields' })).items;
    assert.deepEqual(listed.find((row) => row.id === id)?.fields, kept);
    assert.deepEqual(dataOf<Row>(await write(id, { heads: null, size: '', skills: [] })).fields, {
      ...Object.fromEntries(Object.entries(kept).filter(([key]) => !['heads', 'size', 'skills'].includes(key))),
    });
  });

  it('users/update returns 400 with the path of each value that its field does not take', async () => {
    const { id } = await add();
    const stranger = await add({ company: other });
    const wrong = {
      ...{ size: 'XL', skills: ['A', 'D'], heads: 1.5, allowance: '-1', since: '2026-02-30', remote: 'maybe' },
      ...{ page: 'ftp://x', badge: 'ab-1' },
    };
    assertInvalid(
      await write(id, wrong),
      ...Object.keys(wrong)
        .map((key) => `fields.${key}`)
        .sort(byLength),
    );
    assertInvalid(await write(id, { mentor: stranger.id }), 'fields.mentor');
    assertInvalid(await write(id, { skills: ['A', 'A'] }), 'fields.skills');
    assertInvalid(await write(id, { size: { a: 1 } }), 'fields.size');
    const { errors } = assertInvalid(await write(id, { sizes: 'M' }), 'fields.sizes');
    assert.equal(errors?.[0]?.code, 'UNKNOWN_FIELD');
    assert.match(errors?.[0]?.message ?? '', /did you mean size\?/);
    assertInvalid(await post(admin, 'users/update', { id, fields: 'M' }), 'fields');
  });

  it('users/update takes a value that is stored already, although its field would refuse it today', async () => {
    const { id: definition } = await defined({ key: 'colour', type: 'CHOICE', choices: ['red', 'blue'] });
    const { id } = await add();
    dataOf(await write(id, { colour: 'red' }));
    dataOf(await post(admin, 'fields/update', { id: definition, choices: ['blue'] }));
    assert.deepEqual(dataOf<Row>(await write(id, { colour: 'red', heads: 2 })).fields, { colour: 'red', heads: 2 });
    assertInvalid(await write((await add()).id, { colour: 'red' }), 'fields.colour');
  });

  it('users/create and save write values of fields, and the default where none is given', async () => {
    await defined({ key: 'floor', type: 'INTEGER', default: 4 });
    const created = dataOf<Row>(await post(admin, 'users/create', { ...personFields(home), fields: { heads: 1 } }));
    assert.deepEqual(created.fields, { heads: 1, floor: 4 });
    const { companyId, ...person } = personFields(home);
    const saved = {
      companyId,
      create: [{ ...person, fields: { heads: 'x' } }],
      update: [{ id: created.id, fields: { no: 1 } }],
    };
    assertInvalid(await post(admin, 'users/save', saved), 'update[0].fields.no');
    assertInvalid(await post(admin, 'users/save', { ...saved, update: [] }), 'create[0].fields.heads');
    const right = {
      companyId,
      create: [{ ...person, fields: { floor: null } }],
      update: [{ id: created.id, fields: { heads: 1 } }],
    };
    const answer = dataOf<Record<string, unknown>>(await post(admin, 'users/save', right));
    assert.deepEqual([answer.added, answer.changed, answer.unchanged], [1, 0, 1]);
    assert.deepEqual(await read(admin, person.id), {});
  });

  it('users/create and update return 400 without a required field, and fields/get counts the rows that lack it', async () => {
    const of = { companyId: other.id, required: true, key: 'locker' };
    const person = await add({ company: other });
    const definition = dataOf<FieldView>(await define(of, foreignAdmin));
    const found = dataOf<FieldView>(await get(foreignAdmin, 'fields/get', { id: definition.id }));
    assert.ok((found.missing ?? 0) >= 1);
    assertInvalid(await post(foreignAdmin, 'users/create', personFields(other)), 'fields.locker');
    dataOf(await post(foreignAdmin, 'users/update', { id: person.id, lastName: 'Other' }));
    assertInvalid(await write(person.id, { locker: null }, foreignAdmin), 'fields.locker');
    dataOf(await write(person.id, { locker: '7' }, foreignAdmin));
    assertInvalid(await write(person.id, { locker: '' }, foreignAdmin), 'fields.locker');
    dataOf(await post(foreignAdmin, 'fields/update', { id: definition.id, required: false }));
  });

  it('the person, Managers, administrators and API keys read and write the values that the field opens to them', async () => {
    const manager = await add({ roles: [['MANAGER', home]] });
    const { id } = await add();
    for (const level of ['SELF', 'MANAGER', 'ADMIN', 'KEY']) {
      await defined({ key: `r${level}`, readableBy: level, writableBy: level });
    }
    const key = await keyWith('users.read', 'users.write');
    const all = { rSELF: 'a', rMANAGER: 'b', rADMIN: 'c', rKEY: 'd' };
    assertRefused(await write(id, all), 403, 'FIELD_FORBIDDEN', ['fields.rKEY']);
    assert.deepEqual(dataOf<Row>(await asKey(key, 'users/update', { id, fields: all })).fields, all);
    const { rKEY: _, ...ofAdmins } = all;
    assert.deepEqual(await read(admin, id), ofAdmins);
    assert.deepEqual(await read(superAdmin, id), ofAdmins);
    assert.deepEqual(await read(manager, id), { rSELF: 'a', rMANAGER: 'b' });
    const rows = pageOf<Row>(await get(manager, 'users/list', { companyId: home.id, limit: '100' })).items;
    assert.deepEqual(rows.find((row) => row.id === id)?.fields, { rSELF: 'a', rMANAGER: 'b' });
    assertRefused(await write(id, { rKEY: 'd' }), 403, 'FIELD_FORBIDDEN', ['fields.rKEY']);
  });

  it('users/get of a company without fields returns none of them unless include names fields', async () => {
    const empty = await administration.addCompany();
    const person = await add({ company: empty });
    await api.db.query(sql`delete from field_definitions where company_id is null`);
    assert.equal(await read(superAdmin, person.id), undefined);
    assert.deepEqual(await read(superAdmin, person.id, { include: 'fields' }), {});
  });
});

describe('lists by fields', () => {
  it('users/list returns the people with a value, within a range, and in the order of a field', async () => {
    await defined({ key: 'team', type: 'CHOICE', choices: ['X', 'Y'] });
    await defined({ key: 'points', type: 'INTEGER' });
    await defined({ key: 'hidden', readableBy: 'ADMIN' });
    const people = await Promise.all([1, 2, 3].map(() => add()));
    const [one, two, three] = people.map(({ id }) => id);
    for (const [at, { id }] of people.entries()) {
      dataOf(await write(id, { team: at === 1 ? 'Y' : 'X', points: [5, 20, 100][at], hidden: 'h' }));
    }
    const ids = async (query: Record<string, string>, as = admin) =>
      pageOf<Row>(await get(as, 'users/list', { companyId: home.id, ...query })).items.map(({ id }) => id);
    assert.deepEqual((await ids({ 'fields.team': 'X' })).sort(), [one, three].sort());
    assert.deepEqual(await ids({ 'fields.team': 'X', 'fields.points': '100' }), [three]);
    assert.deepEqual(await ids({ 'fields.points.min': '6', 'fields.points.max': '50' }), [two]);
    assert.deepEqual(await ids({ 'fields.hidden': 'h', sort: '-fields.points' }), [three, two, one]);
    assert.deepEqual(await ids({ 'fields.hidden': 'h', sort: 'fields.points', after: 'start' }), [one, two, three]);
    const list = (query: Record<string, string>, as = admin) => get(as, 'users/list', { companyId: home.id, ...query });
    assertInvalid(await list({ 'fields.teams': 'X' }), 'fields.teams');
    assertInvalid(await list({ 'fields.team': 'Z' }), 'fields.team');
    assertInvalid(await list({ 'fields.team.min': 'X' }), 'fields.team.min');
    assertInvalid(await list({ sort: 'fields.none' }), 'sort');
    const manager = await add({ roles: [['MANAGER', home]] });
    assertInvalid(await list({ 'fields.hidden': 'h' }, manager), 'fields.hidden');
  });

  it('departments/list and companies/list return those with a value of a field', async () => {
    const { id } = dataOf<Row>(
      await post(admin, 'departments/create', { companyId: home.id, name: 'By', costCode: 'BY' }),
    );
    await defined({ entity: 'department', key: 'zone' });
    dataOf(await post(admin, 'departments/update', { id, fields: { zone: 'north' } }));
    const query = { companyId: home.id, 'fields.zone': 'north' };
    assert.deepEqual(
      pageOf<Row>(await get(admin, 'departments/list', query)).items.map((row) => row.id),
      [id],
    );
    await defined({ companyId: undefined, entity: 'company', key: 'tier' }, superAdmin);
    dataOf(await post(superAdmin, 'companies/update', { id: home.id, fields: { tier: 'gold' } }));
    const companies = pageOf<Row>(
      await get(superAdmin, 'companies/list', { 'fields.tier': 'gold', sort: 'fields.tier' }),
    );
    assert.deepEqual(
      companies.items.map((row) => row.id),
      [home.id],
    );
    dataOf(await post(superAdmin, 'companies/update', { id: home.id, fields: { tier: null } }));
  });

  it('users/profile returns own fields by include, and the trail no values that others may keep from the person', async () => {
    const person = await add();
    await defined({ key: 'nick', readableBy: 'SELF' });
    dataOf(await write(person.id, { nick: 'Ash', hidden: 'rating' }));
    const profile = dataOf<Row>(await get(person, 'users/profile', { include: 'fields' }));
    assert.deepEqual(profile.fields, { nick: 'Ash' });
    assert.ok(!('fields' in dataOf<Row>(await get(person, 'users/profile', {}))));
    await defined({ key: 'motto', readableBy: 'SELF', writableBy: 'SELF' });
    dataOf(await post(person, 'users/update-profile', { fields: { motto: 'go' } }));
    assert.deepEqual(await read(admin, person.id), { nick: 'Ash', hidden: 'rating', motto: 'go' });
    const refused = await post(person, 'users/update-profile', { fields: { motto: 'on', nick: 'Me' } });
    assertRefused(refused, 403, 'FIELD_FORBIDDEN', ['fields.nick']);
    const trail = await get(person, 'audit/list', {});
    assert.ok(trail.body.includes('fields.hidden') && !trail.body.includes('rating'));
    assert.ok((await get(admin, 'audit/list', { userId: person.id })).body.includes('rating'));
  });
});

describe('fields of other things', () => {
  it('departments, bands, policies and companies write and return fields, and list them by include', async () => {
    const created = {
      departments: { companyId: home.id, name: 'Own', costCode: 'OWN-1' },
      bands: { companyId: home.id, name: 'Own', code: 'OWN', autoApprovalLimit: '1.00' },
      'approval-policies': { companyId: home.id, name: 'Own', autoApprovalLimit: '1.00' },
    };
    const entities: Record<string, string> = {
      departments: 'department',
      bands: 'band',
      'approval-policies': 'approvalPolicy',
    };
    for (const [path, body] of Object.entries(created)) {
      await defined({ entity: entities[path], key: 'site', default: 'HQ' });
      const { id, fields } = dataOf<Row>(await post(admin, `${path}/create`, { ...body, fields: {} }));
      assert.deepEqual(fields, { site: 'HQ' }, path);
      assert.deepEqual(dataOf<Row>(await post(admin, `${path}/update`, { id, fields: { site: 'B' } })).fields, {
        site: 'B',
      });
      const view = dataOf<Row>(await get(admin, `${path}/get`, { id }));
      assert.deepEqual(view.fields, { site: 'B' });
      dataOf(await post(admin, `${path}/update`, view));
      assertInvalid(await post(admin, `${path}/update`, { id, fields: { sight: 'B' } }), 'fields.sight');
      const query = { companyId: home.id, include: 'fields' };
      const listed = pageOf<Row>(await get(admin, `${path}/list`, query)).items;
      assert.deepEqual(listed.find((row) => row.id === id)?.fields, { site: 'B' });
    }
    await defined({ entity: 'company', key: 'site' });
    assert.deepEqual(
      dataOf<Row>(await post(admin, 'companies/update', { id: home.id, fields: { site: 'C' } })).fields,
      { site: 'C' },
    );
    assert.deepEqual(dataOf<Row>(await get(admin, 'companies/get', { id: home.id })).fields, { site: 'C' });
    const companies = pageOf<Row>(await get(superAdmin, 'companies/list', { include: 'fields' })).items;
    assert.deepEqual(companies.find((row) => row.id === home.id)?.fields, { site: 'C' });
  });

  it('the lists of the contract return no fields without include', async () => {
    for (const path of ['departments', 'approval-policies']) {
      const { items } = pageOf<Row>(await get(admin, `${path}/list`, { companyId: home.id }));
      assert.ok(items.length > 0 && items.every((row) => !('fields' in row)), path);
    }
    assert.ok(pageOf<Row>(await get(superAdmin, 'companies/list', {})).items.every((row) => !('fields' in row)));
  });

  it('bookings/record keeps fields with bookings, also those that a repetition omits, and returns 400 for unknown ones', async () => {
    await defined({ entity: 'booking', key: 'trip' });
    await defined({ entity: 'booking', key: 'legs', type: 'INTEGER', default: 1 });
    const { id: userId } = await add();
    const id = randomUUID();
    const booking = { id, companyId: home.id, userId, amount: '10.00' };
    const record = (more: object) => post(superAdmin, 'bookings/record', { bookings: [{ ...booking, ...more }] });
    assert.deepEqual(dataOf(await record({ fields: { trip: 'Berlin' } })), { added: 1, changed: 0, unchanged: 0 });
    const found = async () => dataOf<Row>(await get(admin, 'bookings/get', { id })).fields;
    assert.deepEqual(await found(), { trip: 'Berlin', legs: 1 });
    assert.deepEqual(dataOf(await record({ amount: '11.00' })), { added: 0, changed: 1, unchanged: 0 });
    assert.deepEqual(dataOf(await record({ amount: '11.00', fields: { trip: 'Berlin' } })), {
      added: 0,
      changed: 0,
      unchanged: 1,
    });
    dataOf(await record({ fields: { trip: null, legs: 2 } }));
    assert.deepEqual(await found(), { legs: 2 });
    assertInvalid(await record({ fields: { tripp: 'x' } }), 'bookings[0].fields.tripp');
    const listed = pageOf<Row>(await get(admin, 'bookings/list', { companyId: home.id })).items;
    assert.deepEqual(listed.find((row) => row.id === id)?.fields, { legs: 2 });
  });
});

describe('what becomes of values', () => {
  const trailOf = async (id: string) =>
    pageOf<ChangeView>(await get(superAdmin, 'audit/list', { entity: 'user', entityId: id })).items;

  it('the trail names changed fields by key, and has no value of a sensitive one', async () => {
    await defined({ key: 'desk' });
    await defined({ key: 'health', sensitive: true });
    const { id } = await add();
    dataOf(await write(id, { desk: '4', health: 'secret words' }));
    const [change] = await trailOf(id);
    assert.deepEqual(change?.changes, [
      { field: 'fields.desk', before: null, after: '4', kept: true },
      { field: 'fields.health', before: null, after: null, kept: false },
    ]);
    const [kept] = await api.db.query<{ found: boolean }>(sql`
      select exists (select from audit_personal_values where field_values::text like '%secret words%') as found`);
    assert.equal(kept?.found, false);
  });

  it('orgdesk erase removes the values of a person, in the trail too', async () => {
    const { id } = await add();
    dataOf(await write(id, { desk: 'erase me' }));
    await erasePerson(api.db, id);
    const [row] = await api.db.query<{ fields: unknown }>(sql`select fields from users where id = ${id}::uuid`);
    assert.equal(row?.fields, null);
    assert.ok(!JSON.stringify(await trailOf(id)).includes('erase me'));
  });

  it('fields/delete makes a field inactive, keeps its values for 30 days, and then removes it with them', async () => {
    const { id } = await defined({ key: 'leaving' });
    const person = await add();
    dataOf(await write(person.id, { leaving: 'x', desk: '1' }));
    assert.equal(dataOf<FieldView>(await post(admin, 'fields/delete', { id })).active, false);
    assert.deepEqual(await read(admin, person.id), { desk: '1' });
    assertInvalid(await write(person.id, { leaving: 'y' }), 'fields.leaving');
    await removeOldFields(api.db);
    dataOf(await post(admin, 'fields/update', { id, active: true }));
    assert.deepEqual(await read(admin, person.id), { desk: '1', leaving: 'x' });
    dataOf(await post(admin, 'fields/delete', { id }));
    await api.db.query(
      sql`update field_definitions set deactivated_at = now() - interval '31 days' where id = ${id}::uuid`,
    );
    await removeOldFields(api.db);
    assertRefused(await get(admin, 'fields/get', { id }), 404, 'NOT_FOUND');
    const again = await defined({ key: 'leaving' });
    assert.deepEqual(await read(admin, person.id), { desk: '1' });
    dataOf(await write(person.id, { leaving: 'z' }));
    dataOf(await post(admin, 'fields/delete', { id: again.id }));
    dataOf(await post(admin, 'fields/delete', { id: again.id }));
    assertRefused(await post(admin, 'fields/delete', { id: again.id }), 404, 'NOT_FOUND');
  });
});

/** The order of keys in a request. */
function byLength(one: string, another: string): number {
  return one.length - another.length || (one < another ? -1 : 1);
}

describe('fields of people who come by a file or a directory', () => {
  let company: Awaited<ReturnType<typeof administration.addCompany>>;
  let boss: Person;
  before(async () => {
    company = await administration.addCompany();
    boss = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
    const fields = [
      { key: 'shirt', type: 'CHOICE', choices: ['S', 'M'], label: 'Shirt', labels: { de: 'Hemdgröße' } },
      { key: 'floor', type: 'INTEGER', default: 4 },
      { key: 'mentor', type: 'PERSON' },
      { key: 'badge', writableBy: 'KEY' },
    ];
    for (const each of fields) await defined({ ...each, companyId: company.id }, boss);
  });
  const bring = (csv: string, query: object = {}) =>
    api.send({
      method: 'POST',
      url: '/api/users/import',
      as: boss.email,
      query: { companyId: company.id, changes: 'true', ...query },
      headers: { 'content-type': 'text/csv' },
      payload: csv,
    });
  const newcomer = () => `${randomUUID()}@fields.example`;

  it('users/import sets fields by columns of their keys, gives new people the default, and keeps the other fields', async () => {
    const email = newcomer();
    const csv = `email,firstName,lastName,fields.shirt\n${email},Ana,Lee,M\n`;
    const preview = dataOf<UsersImportView>(await bring(csv, { dryRun: 'true' }));
    const [added] = dataOf<UsersImportView>(await bring(csv)).changes;
    assert.deepEqual(preview.changes[0]?.fields, added?.fields);
    assert.deepEqual(added?.fields.at(-1), { field: 'fields.shirt', before: null, after: 'M' });
    const id = added?.id ?? '';
    assert.deepEqual(await read(boss, id), { shirt: 'M', floor: 4 });
    const again = dataOf<UsersImportView>(await bring(`email,fields.floor,fields.mentor\n${email},-1,${boss.id}\n`));
    assert.equal(again.changed, 1);
    assert.deepEqual(await read(boss, id), { shirt: 'M', floor: -1, mentor: boss.id });
    const same = dataOf<UsersImportView>(await bring(`email,fields.floor,fields.shirt\n${email},-1,M\n`));
    assert.deepEqual([same.unchanged, same.changed], [1, 0]);
    dataOf(await bring(`email,fields.shirt\n${email},\n`));
    assert.deepEqual(await read(boss, id), { floor: -1, mentor: boss.id });
  });

  it('users/import knows columns by the label of a field in any of its languages', async () => {
    const email = newcomer();
    dataOf(await bring(`E-Mail;Vorname;Nachname;Hemdgröße\n${email};Ana;Lee;S\n`));
    const [found] = dataOf<Row[]>(await get(boss, 'users/list', { companyId: company.id, search: email }));
    assert.deepEqual(await read(boss, found?.id ?? ''), { shirt: 'S', floor: 4 });
  });

  it('SCIM POST gives a new person the defaults of fields', async () => {
    const directory = await directoryFor(api, company);
    const { status, body } = await directory.send('POST', '/Users', newUser());
    assert.equal(status, 201);
    assert.deepEqual(await read(boss, String(body.id)), { floor: 4 });
  });

  it('users/import returns 400 with the lines of values that a field does not take, and writes nothing', async () => {
    await defined({ companyId: company.id, key: 'oath', type: 'BOOLEAN', required: true }, boss);
    const stranger = await add({ company: await administration.addCompany() });
    const response = await bring(
      [
        'email,firstName,lastName,fields.shirt,fields.mentor,fields.badge,fields.oath',
        `${newcomer()},Ana,Lee,XL,,,true`,
        `${newcomer()},Ana,Lee,M,${stranger.id},,true`,
        `${newcomer()},Ana,Lee,M,,7,true`,
        `${newcomer()},Ana,Lee,M,,,`,
        '',
      ].join('\n'),
    );
    const { data } = response.json<{ data: UsersImportView }>();
    assert.deepEqual(
      data.problems.map(({ line, column }) => [line, column]),
      [
        [2, 'fields.shirt'],
        [3, 'fields.mentor'],
        [4, 'fields.badge'],
        [5, 'fields.oath'],
      ],
    );
    assertInvalid(
      response,
      'lines[2].fields.shirt',
      'lines[3].fields.mentor',
      'lines[4].fields.badge',
      'lines[5].fields.oath',
    );
  });

  it('users/import returns 400 for a column of a field that there is not, and of fields as a whole', async () => {
    for (const column of ['fields.hat', 'fields']) {
      const { data } = (await bring(`email,${column}\n${newcomer()},x\n`)).json<{ data: UsersImportView }>();
      assert.deepEqual(new Set(data.problems.map((each) => each.column)), new Set([column]));
    }
  });
});
