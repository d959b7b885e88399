import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, foreignAdmin, get, post } = administration;
after(() => administration[Symbol.asyncDispose]());

type Row = { id: string; externalId: string; name: string };
const code = () => randomUUID().slice(0, 8);
const departmentOf = async (companyId: string, externalId: string, as = admin) =>
  dataOf<Row>(await post(as, 'departments/create', { companyId, name: 'Named', costCode: code(), externalId }));
const bandOf = async (externalId: string) =>
  dataOf<Row>(
    await post(admin, 'bands/create', {
      companyId: home.id,
      name: 'B',
      code: code(),
      externalId,
      autoApprovalLimit: '1.00',
    }),
  );
const personOf = async (fields: object, as = admin) =>
  dataOf<{ id: string; departmentId: string; bandId: string; employment: { managerId: string | null } }>(
    await post(as, 'users/create', { ...personFields(home), ...fields }),
  );

const bringPeople = (columns: string, ...rows: string[]) =>
  api.send({
    method: 'POST',
    url: '/api/users/import',
    as: admin.email,
    query: { companyId: home.id, changes: 'true' },
    headers: { 'content-type': 'text/csv' },
    payload: [
      `email,firstName,lastName,${columns}`,
      ...rows.map((row) => `${code()}@x.example,Ana,${code()},${row}`),
      '',
    ].join('\n'),
  });

describe('a request that names rows by externalId: and the id of another system', () => {
  it('departments/get, update and delete take externalId: for the id, and users/list finds the people of one', async () => {
    const { id } = await departmentOf(home.id, 'D-1');
    const by = { id: 'externalId:D-1' };
    assert.equal(dataOf<Row>(await get(admin, 'departments/get', by)).id, id);
    assert.equal(dataOf<Row>(await post(admin, 'departments/update', { ...by, name: 'Renamed' })).name, 'Renamed');
    const person = await personOf({ departmentId: 'externalId:D-1' });
    const query = { companyId: home.id, departmentId: 'externalId:D-1' };
    assert.deepEqual(
      pageOf<Row>(await get(admin, 'users/list', query)).items.map((item) => item.id),
      [person.id],
    );
    dataOf(await post(admin, 'users/update', { id: person.id, departmentId: home.departmentId }));
    assert.equal(dataOf<Row>(await post(admin, 'departments/delete', by)).id, id);
    assertRefused(await get(admin, 'departments/get', by), 404, 'NOT_FOUND');
  });

  it('users/create and update take the external ids of department, band and manager, nested and by their own', async () => {
    const [department, band] = [await departmentOf(home.id, 'D-2'), await bandOf('B 2')];
    const manager = await personOf({ externalId: 'P-2' });
    const person = await personOf({
      externalId: 'P-3',
      departmentId: 'externalId:D-2',
      bandId: 'externalId: B 2 ',
      employment: { managerId: 'externalId:P-2' },
    });
    assert.deepEqual([person.departmentId, person.bandId], [department.id, band.id]);
    assert.equal(person.employment.managerId, manager.id);
    dataOf(await post(admin, 'users/update', { id: 'externalId:P-3', bandId: home.bandId }));
    const saved = await post(admin, 'users/save', {
      companyId: home.id,
      users: [{ id: person.id, departmentId: 'externalId:D-none' }],
    });
    assertInvalid(saved, 'users[0].departmentId');
  });

  it('users/save changes people by their external ids, and takes one as the value of a field', async () => {
    dataOf(
      await post(admin, 'fields/create', {
        companyId: home.id,
        entity: 'user',
        key: 'mentor',
        label: 'Mentor',
        type: 'PERSON',
      }),
    );
    const [mentor, person] = [await personOf({ externalId: 'P-21' }), await personOf({ externalId: 'P 22' })];
    const update = [{ id: 'externalId:P 22', lastName: 'Saved', fields: { mentor: 'externalId: P-21' } }];
    const saved = dataOf<{ changed: number }>(await post(admin, 'users/save', { companyId: home.id, update }));
    assert.equal(saved.changed, 1);
    const shown = dataOf<{ lastName: string; fields: object }>(await get(admin, 'users/get', { id: person.id }));
    assert.deepEqual([shown.lastName, shown.fields], ['Saved', { mentor: mentor.id }]);
    const unknown = { companyId: home.id, update: [{ id: 'externalId:P-none', lastName: 'Saved' }] };
    assertInvalid(await post(admin, 'users/save', unknown), 'update[0].id');
    const wrong = { id: person.id, fields: { mentor: 'externalId:P-none' } };
    assertInvalid(await post(admin, 'users/update', wrong), 'fields.mentor');
  });

  it('users/import takes external ids of department, band and manager', async () => {
    const [department, band] = [await departmentOf(home.id, 'D Ä-31'), await bandOf('B-31')];
    const manager = await personOf({ externalId: 'p-31' });
    await personOf({ externalId: 'P-31' });
    const bring = (row: string) => bringPeople('department,band,manager', row);
    const answer = await bring('externalId:D Ä-31,externalId:B-31,externalId:p-31');
    const { changes } = dataOf<{ changes: { id: string }[] }>(answer);
    const made = dataOf<Awaited<ReturnType<typeof personOf>>>(
      await get(admin, 'users/get', { id: changes[0]?.id ?? '' }),
    );
    assert.deepEqual([made.departmentId, made.bandId, made.employment.managerId], [department.id, band.id, manager.id]);
    const refused = await bring('externalId:D-none,externalId:B-31,externalId:p-none');
    assertInvalid(refused, 'lines[2].manager', 'lines[2].department');
  });

  it('users/import takes external ids in columns of ids and of fields, also of people of the same file', async () => {
    const [department, band, mentor] = [
      await departmentOf(home.id, 'D-41'),
      await bandOf('B-41'),
      await personOf({ externalId: 'M-41' }),
    ];
    const columns = 'departmentId,bandId,managerId,externalId,fields.mentor';
    const { changes } = dataOf<{ changes: { id: string }[] }>(
      await bringPeople(
        columns,
        'externalId:D-41,externalId:B-41,externalId:N-42,N-41,externalId:M-41',
        `${home.departmentId},${band.id},,N-42,externalId:N-41`,
      ),
    );
    const [one, two] = await Promise.all(
      changes.map(async ({ id }) =>
        dataOf<Awaited<ReturnType<typeof personOf>> & { fields: object }>(await get(admin, 'users/get', { id })),
      ),
    );
    assert.deepEqual([one?.departmentId, one?.bandId, one?.employment.managerId], [department.id, band.id, two?.id]);
    assert.deepEqual([one?.fields, two?.fields], [{ mentor: mentor.id }, { mentor: one?.id }]);
    await departmentOf(other.id, 'D-43', foreignAdmin);
    const refused = await bringPeople(
      columns,
      'externalId:D-43,externalId:B-none,externalId:p-none,,externalId:M-none',
    );
    assertInvalid(
      refused,
      ...['departmentId', 'bandId', 'managerId', 'fields.mentor'].map((each) => `lines[2].${each}`),
    );
    assert.match(refused.body, /\\"externalId:D-43\\" is the externalId of no department of the company/);
  });

  it('groups/create and approval-policies/create and update take external ids in lists and nested, and refuse what cannot be stored', async () => {
    const [person] = [await personOf({ externalId: 'P-4' })];
    const group = dataOf<{ id: string; userIds: string[] }>(
      await post(admin, 'groups/create', {
        companyId: home.id,
        name: 'Board',
        externalId: 'G-4',
        userIds: ['externalId:P-4'],
      }),
    );
    assert.deepEqual(group.userIds, [person.id]);
    assert.equal(dataOf<Row>(await get(admin, 'groups/get', { id: 'externalId:G-4' })).externalId, 'G-4');
    assertInvalid(
      await post(admin, 'groups/update', { id: group.id, userIds: [person.id, 'externalId:P-none'] }),
      'userIds[1]',
    );
    const department = await departmentOf(home.id, 'D-4');
    const { id } = dataOf<Row>(
      await post(admin, 'approval-policies/create', {
        companyId: home.id,
        name: 'Travel of the board',
        autoApprovalLimit: '0.00',
        scope: { departmentIds: ['externalId:D-4'] },
      }),
    );
    const change = { id, defaultApprovers: { groupId: 'externalId:G-4' } };
    const changed = dataOf<{ scope: { departmentIds: string[] }; defaultApprovers: { groupId: string } }>(
      await post(admin, 'approval-policies/update', change),
    );
    assert.deepEqual(changed.scope.departmentIds, [department.id]);
    assert.equal(changed.defaultApprovers.groupId, group.id);
    for (const unknown of ['externalId:G-none', 'externalId:\0', 'externalId: ']) {
      const refused = { id, defaultApprovers: { groupId: unknown } };
      assertInvalid(await post(admin, 'approval-policies/update', refused), 'defaultApprovers.groupId');
    }
  });

  it('an external id finds rows of the named company alone, or of the row that is changed, and never of another one of the caller', async () => {
    const [mine, foreign] = [await departmentOf(home.id, 'D-5'), await departmentOf(other.id, 'D-5', foreignAdmin)];
    assert.equal(dataOf<Row>(await get(admin, 'departments/get', { id: 'externalId:D-5' })).id, mine.id);
    assert.equal(dataOf<Row>(await get(foreignAdmin, 'departments/get', { id: 'externalId:D-5' })).id, foreign.id);
    await departmentOf(other.id, 'D-6', foreignAdmin);
    assertRefused(await get(admin, 'departments/get', { id: 'externalId:D-6' }), 404, 'NOT_FOUND');
    const below = await departmentOf(home.id, 'D-7');
    assertInvalid(await post(admin, 'departments/update', { id: below.id, parentId: 'externalId:D-6' }), 'parentId');
    const made = await personOf({ departmentId: 'externalId:D-5' }, superAdmin);
    assert.equal(made.departmentId, mine.id);
    const [one, two] = [await personOf({ externalId: 'P-8' }), { ...personFields(other), externalId: 'P-8' }];
    dataOf(await post(superAdmin, 'users/create', two));
    assertInvalid(await get(superAdmin, 'users/get', { id: 'externalId:P-8' }), 'id');
    assert.equal(dataOf<Row>(await get(admin, 'users/get', { id: 'externalId:P-8' })).id, one.id);
  });

  it('companies/get takes the external id of a company, and operations of the contract take ids alone', async () => {
    dataOf(await post(superAdmin, 'companies/update', { id: home.id, externalId: 'C-9' }));
    assert.equal(dataOf<Row>(await get(superAdmin, 'companies/get', { id: 'externalId:C-9' })).id, home.id);
    const listed = await get(admin, 'bands/list', { companyId: 'externalId:C-9' });
    assert.equal(listed.statusCode, 200);
    assertInvalid(await get(foreignAdmin, 'bands/list', { companyId: 'externalId:C-9' }), 'companyId');
    assertInvalid(await get(admin, 'departments/list', { companyId: 'externalId:C-9' }), 'companyId');
    assert.equal((await api.send({ url: '/api/users/profile', as: admin.email })).statusCode, 200);
  });
});
