import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openAdministration } from '../administration/administration.ts';
import { dataOf } from '../support/answers.ts';
import type { TestCompany } from '../support/people.ts';
import {
  assertFault,
  createUser,
  directoryFor,
  ENTERPRISE,
  newUser,
  patchOf,
  replace,
  type TestDirectory,
} from './directory.ts';

const FIELDS = 'urn:orgdesk:params:scim:schemas:extension:fields:2.0';

const administration = await openAdministration();
const { api, superAdmin, get, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());

let company: TestCompany;
let directory: TestDirectory;
let mentor: string;
before(async () => {
  company = await administration.addCompany();
  directory = await directoryFor(api, company);
  mentor = (await add({ company })).id;
  const fields = [
    { key: 'shoeSize', type: 'INTEGER', label: 'Shoe size', readableBy: 'KEY', writableBy: 'KEY' },
    { key: 'badge', label: 'Badge', pattern: '[A-Z]{2}-\\d{4}' },
    { key: 'remote', type: 'BOOLEAN', label: 'Remote' },
    { key: 'since', type: 'DATE', label: 'Since' },
    { key: 'allowance', type: 'DECIMAL', label: 'Allowance' },
    { key: 'skills', type: 'CHOICES', choices: ['A', 'B', 'C'], label: 'Skills' },
    { key: 'page', type: 'URL', label: 'Page' },
    { key: 'mentor', type: 'PERSON', label: 'Mentor' },
    { key: 'floor', type: 'INTEGER', label: 'Floor', default: 4 },
  ];
  for (const each of fields) {
    dataOf(await post(superAdmin, 'fields/create', { companyId: company.id, entity: 'user', type: 'TEXT', ...each }));
  }
});

const user = (id: string) => directory.send('GET', `/Users/${id}`);
const patch = (id: string, ...operations: object[]) => directory.send('PATCH', `/Users/${id}`, patchOf(...operations));
const fieldsOf = async (id: string) => (await user(id)).body[FIELDS];
const kept = async (id: string) =>
  dataOf<{ fields?: object }>(await get(superAdmin, 'users/get', { id, include: 'fields' })).fields;

describe('the schema of fields of one’s own', () => {
  it('the SCIM schema of own fields describes the active ones of people of the company, and extends users', async () => {
    const { body } = await directory.send('GET', `/Schemas/${FIELDS}`);
    const described = Object.fromEntries(body.attributes.map((each: { name: string }) => [each.name, each]));
    assert.deepEqual(Object.keys(described).sort(), [
      ...['allowance', 'badge', 'floor', 'mentor', 'page', 'remote', 'shoeSize', 'since', 'skills'],
    ]);
    assert.deepEqual(described.shoeSize, {
      name: 'shoeSize',
      type: 'integer',
      description: 'Shoe size',
      multiValued: false,
      required: false,
      mutability: 'readWrite',
      returned: 'default',
      uniqueness: 'none',
    });
    assert.equal(described.remote.type, 'boolean');
    assert.deepEqual([described.skills.multiValued, described.skills.canonicalValues], [true, ['A', 'B', 'C']]);
    const { body: type } = await directory.send('GET', '/ResourceTypes/User');
    assert.deepEqual(type.schemaExtensions.at(-1), { schema: FIELDS, required: false });
    const { body: all } = await directory.send('GET', '/Schemas');
    assert.equal(all.Resources.at(-2).id, FIELDS);
  });

  it('a company without fields has no SCIM schema of them', async () => {
    const other = await directoryFor(api, await administration.addCompany());
    assertFault(await other.send('GET', `/Schemas/${FIELDS}`), 404);
    const created = await createUser(other, { [FIELDS]: { shoeSize: 44 } });
    assert.ok(!(FIELDS in created) && !created.schemas.includes(FIELDS));
    const path = await other.send('PATCH', `/Users/${created.id}`, patchOf(replace(`${FIELDS}:shoeSize`, 1)));
    assertFault(path, 400, 'invalidPath');
  });
});

describe('fields of one’s own of a user', () => {
  it('a SCIM POST writes own fields in their types or as texts, with the defaults of the others, and a GET returns them', async () => {
    const sent = {
      ...{ shoeSize: '44', badge: 'AB-1234', remote: 'True', since: '2026-02-28', allowance: 12.5 },
      ...{ skills: ['C', 'A'], page: 'https://acme.example/x', mentor },
    };
    const created = await createUser(directory, { [FIELDS]: sent });
    const read = { ...sent, shoeSize: 44, remote: true, allowance: '12.50', skills: ['A', 'C'], floor: 4 };
    assert.deepEqual(created[FIELDS], read);
    assert.ok(created.schemas.includes(FIELDS));
    const { shoeSize: _, ...ofAdmins } = read;
    assert.deepEqual(await kept(created.id), ofAdmins);
    const { body: list } = await directory.send(
      'GET',
      `/Users?filter=userName eq "${created.userName}"`.replaceAll(' ', '%20'),
    );
    assert.deepEqual(list.Resources[0], (await user(created.id)).body);
    const asked = await directory.send('GET', `/Users/${created.id}?attributes=${FIELDS}:badge`);
    assert.deepEqual(asked.body[FIELDS], { badge: 'AB-1234' });
    assert.ok(!('name' in asked.body));
  });

  it('a SCIM POST and PATCH take the id of another system for a person, and leave out one of nobody', async () => {
    dataOf(await post(superAdmin, 'users/update', { id: mentor, externalId: 'M 1' }));
    const { id } = await createUser(directory, { [FIELDS]: { mentor: 'externalId:M 1', floor: 2 } });
    assert.deepEqual(await fieldsOf(id), { mentor, floor: 2 });
    await patch(id, replace(`${FIELDS}:mentor`, 'externalId:M-none'), replace(`${FIELDS}:floor`, 3));
    assert.deepEqual(await fieldsOf(id), { mentor, floor: 3 });
  });

  it('a SCIM PUT that sends back a person who is gone leaves the value and writes the others', async () => {
    const gone = await add({ company });
    const created = await createUser(directory, { [FIELDS]: { mentor: gone.id, floor: 2 } });
    const to = await administration.addCompany();
    dataOf(await post(superAdmin, 'users/request-move', { companyId: to.id, userIds: [gone.id] }));
    const body = { ...newUser({ userName: created.userName }), [FIELDS]: { mentor: gone.id, floor: 3 } };
    const { status, body: replaced } = await directory.send('PUT', `/Users/${created.id}`, body);
    assert.deepEqual([status, replaced[FIELDS]], [200, { mentor: gone.id, floor: 3 }]);
    const other = await createUser(directory, { [FIELDS]: { mentor: gone.id, floor: 2 } });
    assert.deepEqual(other[FIELDS], { floor: 2 }, 'of a new person it is left out');
  });

  it('a SCIM PATCH changes own fields with the schema in the path, in a name, or around an object', async () => {
    const { id } = await createUser(directory);
    assert.deepEqual(await fieldsOf(id), { floor: 4 });
    await patch(id, replace(`${FIELDS}:shoeSize`, 41));
    await patch(id, { op: 'add', value: { [`${FIELDS}:badge`]: 'AB-0001' } });
    await patch(id, { op: 'replace', path: FIELDS, value: { remote: true } });
    const { body } = await patch(id, { op: 'add', value: { [FIELDS]: { skills: ['B'] } } });
    assert.deepEqual(body[FIELDS], { floor: 4, shoeSize: 41, badge: 'AB-0001', remote: true, skills: ['B'] });
    await patch(id, { op: 'add', path: `${FIELDS}:skills`, value: ['A'] });
    assert.deepEqual((await fieldsOf(id)).skills, ['A', 'B']);
    await patch(
      id,
      { op: 'remove', path: `${FIELDS}:skills[value eq "B"]` },
      { op: 'remove', path: `${FIELDS}:badge` },
    );
    assert.deepEqual(await fieldsOf(id), { floor: 4, shoeSize: 41, remote: true, skills: ['A'] });
  });

  it('a SCIM PUT with the extension replaces own fields, and one without leaves them', async () => {
    const created = await createUser(directory, { [FIELDS]: { badge: 'AB-0002', shoeSize: 40 } });
    const { [FIELDS]: _, ...without } = created;
    const put = (body: object) => directory.send('PUT', `/Users/${created.id}`, body);
    assert.deepEqual((await put({ ...without, title: 'Lead' })).body[FIELDS], created[FIELDS]);
    assert.deepEqual((await put({ ...without, [FIELDS]: { shoeSize: 39 } })).body[FIELDS], { shoeSize: 39 });
    const { body } = await put({ ...without, [FIELDS]: {} });
    assert.ok(!(FIELDS in body));
  });

  it('a SCIM request with values that do not fit succeeds without them, and the directory reports what was left out', async () => {
    const stranger = (await add()).id;
    const wrong = {
      shoeSize: 'large',
      badge: { a: 1 },
      skills: ['D'],
      since: [1],
      page: 'x',
      mentor: stranger,
      none: 1,
    };
    const { id, ...created } = await createUser(directory, { [FIELDS]: { ...wrong, remote: false } });
    assert.deepEqual(created[FIELDS], { floor: 4, remote: false });
    const { body } = await patch(id, replace(`${FIELDS}:floor`, 'top'), replace('title', 'Lead'));
    assert.deepEqual([body.title, body[FIELDS].floor], ['Lead', 4]);
    const told = (await get(superAdmin, 'audit/list', { userId: id, action: 'refused' })).body;
    for (const name of ['shoeSize', 'badge', 'skills', 'since', 'page', 'mentor', 'floor']) {
      assert.ok(told.includes(`fields.${name}`), name);
    }
    assertFault(await patch(id, replace(`${FIELDS}:none`, 1)), 400, 'invalidPath');
  });

  it('a SCIM change of own fields changes the version, and a required field cannot be removed but is missed by nobody who comes', async () => {
    const { id, meta } = await createUser(directory);
    const { headers } = await patch(id, replace(`${FIELDS}:shoeSize`, 43));
    assert.notEqual(headers.etag, meta.version);
    const known = { 'if-none-match': String(headers.etag) };
    assert.equal((await directory.send('GET', `/Users/${id}`, undefined, known)).status, 304);
    const body = {
      companyId: company.id,
      entity: 'user',
      type: 'TEXT',
      key: 'locker',
      label: 'Locker',
      required: true,
    };
    dataOf(await post(superAdmin, 'fields/create', body));
    const come = await createUser(directory, { [ENTERPRISE]: { costCenter: '4' } });
    await patch(come.id, replace(`${FIELDS}:locker`, '7'));
    assertFault(await patch(come.id, { op: 'remove', path: `${FIELDS}:locker` }), 400, 'mutability');
    assert.equal(
      (await directory.send('PUT', `/Users/${come.id}`, newUser({ [FIELDS]: { shoeSize: 1 } }))).body[FIELDS].locker,
      '7',
    );
  });
});
