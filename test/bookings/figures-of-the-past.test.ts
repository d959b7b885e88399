import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { erasePerson } from '../../src/features/people/erase-person.ts';
import { openAdministration } from '../administration/administration.ts';
import { importFiles } from '../import/folders.ts';
import { directoryFor, patchOf } from '../scim/directory.ts';
import { dataOf } from '../support/answers.ts';
import { insertRow } from '../support/rows.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, superAdmin, add, get, post } = administration;
const directory = await directoryFor(api, home);

/** Adds a department with a person, and a second one to which the person may go. */
async function travellers() {
  const department = async () => {
    const id = randomUUID();
    await insertRow(api.db, 'departments', { id, company_id: home.id, name: id, cost_code: id, budget: '1000.00' });
    return id;
  };
  const [from, to] = [await department(), await department()];
  const person = await add({ columns: { department_id: from } });
  return { from, to, person };
}
type Travellers = Awaited<ReturnType<typeof travellers>>;

const update = async (path: string, payload: object, as = admin) => dataOf(await post(as, path, payload));
const move = ({ person, to }: Travellers) => update('users/update', { id: person.id, departmentId: to });
const importPeople = async (companyId: string, csv: string) =>
  dataOf(
    await api.send({
      method: 'POST',
      url: '/api/users/import',
      query: { companyId },
      as: admin.email,
      headers: { 'content-type': 'text/csv' },
      payload: csv,
    }),
  );
const patch = async (id: string, ...operations: object[]) => {
  const { status, body } = await directory.send('PATCH', `/Users/${id}`, patchOf(...operations));
  assert.ok(status < 300, JSON.stringify(body));
};
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const EVENTS: readonly (readonly [what: string, happen: (all: Travellers) => Promise<unknown>])[] = [
  ['moves to another department', move],
  [
    'moves by users/save',
    ({ person, to }) => update('users/save', { companyId: home.id, update: [{ id: person.id, departmentId: to }] }),
  ],
  ['moves by a file of people', ({ person, to }) => importPeople(home.id, `id,departmentId\n${person.id},${to}\n`)],
  [
    'moves by SCIM',
    ({ person, to }) => patch(person.id, { op: 'replace', path: `${enterprise}:department`, value: to }),
  ],
  ['leaves', ({ person }) => update('users/update', { id: person.id, active: false })],
  [
    'leaves by SCIM',
    async ({ person }) => assert.equal((await directory.send('DELETE', `/Users/${person.id}`)).status, 204),
  ],
  ['is erased', ({ person }) => erasePerson(api.db, person.id)],
  [
    'goes to another company',
    ({ person }) =>
      importFiles(api.db, {
        'users.csv': `id,companyId,departmentId,bandId\n${person.id},${other.id},${other.departmentId},${other.bandId}\n`,
      }),
  ],
  [
    'is in a department that is renamed and gets another budget',
    ({ from }) => update('departments/update', { id: from, name: `New ${from}`, budget: '5.00' }),
  ],
  [
    'was in a department that is deleted',
    async (all) => {
      await move(all);
      await update('departments/delete', { id: all.from });
    },
  ],
];

/** What finance sees of a time. */
async function figures({ from }: Travellers) {
  const range = { companyId: home.id, from: '2026-01-01', to: '2026-04-01' };
  const by = async (group: string) =>
    dataOf<{ departmentId?: string; name?: string }[]>(await get(admin, 'companies/spending', { ...range, by: group }));
  const departments = (await by('department'))
    .map(({ name: _, ...rest }) => rest)
    .sort((a, b) => String(a.departmentId).localeCompare(String(b.departmentId)));
  const all = { months: await by('month'), departments, costCenters: await by('costCenter') };
  assert.ok(departments.some(({ departmentId }) => departmentId === from));
  return all;
}

describe('bookings stay where they were made', () => {
  for (const [what, happen] of EVENTS) {
    it(`bookings stay in their department and cost center when their person ${what}`, async () => {
      const all = await travellers();
      const bookings = ['2026-01-01T00:00:00Z', '2026-03-31T23:59:59.999999Z', '2026-04-01T00:00:00Z'].map(
        (createdAt, index) => ({
          id: `${all.person.id}-${index}`,
          companyId: home.id,
          userId: all.person.id,
          amount: `10${index}.25`,
          costCenter: `CC ${index}`,
          createdAt,
        }),
      );
      const record = async (batch: readonly (object | undefined)[]) =>
        dataOf(await post(superAdmin, 'bookings/record', { bookings: batch }));
      await record(bookings);
      const before = await figures(all);
      await happen(all);
      assert.deepEqual(await figures(all), before);
      assert.deepEqual(await record(bookings), { added: 0, changed: 0, unchanged: 3 });
      const correction = { ...bookings[1], amount: '1.00' };
      assert.deepEqual(await record([correction]), { added: 0, changed: 1, unchanged: 0 });
      const cancelled = { ...bookings[0], status: 'CANCELLED' };
      assert.deepEqual(await record([cancelled]), { added: 0, changed: 1, unchanged: 0 });
      const [own] = (await figures(all)).departments.filter(({ departmentId }) => departmentId === all.from);
      assert.deepEqual(own, { departmentId: all.from, spent: '1.00', bookings: 1 });
      const back = bookings[0];
      assert.deepEqual(await record([back]), { added: 0, changed: 0, unchanged: 1 });
      assert.deepEqual(await record([{ ...back, status: 'BOOKED' }, bookings[1]]), {
        added: 0,
        changed: 2,
        unchanged: 0,
      });
      assert.deepEqual(await figures(all), before);
    });
  }

  it('companies/spending returns bookings without a department in a separate line', async () => {
    const stranger = await add({ company: other });
    const row = {
      id: randomUUID(),
      company_id: home.id,
      user_id: stranger.id,
      amount: '3.00',
      created_at: '2019-05-01',
    };
    await insertRow(api.db, 'bookings', row);
    const query = { companyId: home.id, from: '2019-05-01', to: '2019-06-01', by: 'department' };
    assert.deepEqual(dataOf(await get(admin, 'companies/spending', query)), [
      { departmentId: null, name: null, spent: '3.00', bookings: 1 },
    ]);
    await api.db.query(sql`update users set company_id = ${home.id}, department_id = ${home.departmentId}, band_id = ${home.bandId}
                            where id = ${stranger.id}`);
    await importFiles(api.db, {
      'bookings.csv': `id,companyId,userId,amount\n${row.id},${home.id},${stranger.id},4.00\n`,
    });
    assert.deepEqual(dataOf(await get(admin, 'companies/spending', query)), [
      { departmentId: null, name: null, spent: '4.00', bookings: 1 },
    ]);
  });

  it('an imported file of bookings assigns departments by cost code, and keeps them', async () => {
    const { from, to, person } = await travellers();
    const [company] = await api.db.query<{ gstin: string }>(sql`select gstin from companies where id = ${home.id}`);
    const file = (...code: string[]) => ({
      'bookings.csv': [
        ['id', 'companyGstin', 'userEmail', 'amount', ...code.map(() => 'departmentCostCode')],
        [person.id, company?.gstin, person.email, '7', ...code],
      ]
        .map((line) => `${line.join()}\n`)
        .join(''),
    });
    assert.deepEqual(await importFiles(api.db, file()), { 'bookings.csv': [1, 0, 0] });
    const stored = async () =>
      dataOf<{ departmentId: string }>(await get(admin, 'bookings/get', { id: person.id })).departmentId;
    assert.equal(await stored(), from);
    await move({ from, to, person });
    assert.deepEqual(await importFiles(api.db, file()), { 'bookings.csv': [0, 0, 1] });
    assert.deepEqual(await importFiles(api.db, file(to)), { 'bookings.csv': [0, 1, 0] });
    assert.equal(await stored(), to);
  });
});
