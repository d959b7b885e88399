import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson, type Person } from '../support/people.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());

/** A company with defaults, its admin, and some people who are in no file. */
async function openCompany(name: string, people: number) {
  const company = await addCompany(api.db, name);
  await api.db.query(sql`
    update companies set default_department_id = ${company.departmentId}, default_band_id = ${company.bandId}
     where id = ${company.id}`);
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  const others: Person[] = [];
  for (let index = 0; index < people; index++) others.push(await addPerson(api.db, { company }));
  const send = async (csv: string, query: object) => {
    const response = await api.send({
      method: 'POST',
      url: '/api/users/import',
      query: { companyId: company.id, mode: 'all', ...query },
      as: admin.email,
      headers: { 'content-type': 'text/csv' },
      payload: csv,
    });
    return { status: response.statusCode, data: response.json().data ?? response.body };
  };
  return { company, admin, others, send };
}

const fileOf = (...people: readonly { email: string }[]) =>
  ['email,firstName,lastName', ...people.map(({ email }) => `${email},In,File`), ''].join('\n');
const activeOf = async (people: readonly { id: string }[]) => {
  const rows = await api.db.query<{ id: string; active: boolean }>(sql`select id, active from users`);
  return people.map(({ id }) => rows.find((row) => row.id === id)?.active);
};

it('users/import with mode=all counts missing people, deactivates them, and refuses more than maxLeavers', async () => {
  const { others, send } = await openCompany('Everybody', 4);
  const [stays, ...leavers] = others;
  assert.ok(stays);
  const csv = fileOf(stays, { email: `${randomUUID()}@new.example` });
  const checked = await send(csv, { dryRun: 'true' });
  assert.deepEqual([checked.status, checked.data.added, checked.data.leavers, checked.data.problems], [200, 1, 3, []]);
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort();
  assert.deepEqual(ids(checked.data.leaving), ids(leavers));
  for (const query of [{}, { maxLeavers: '2' }]) {
    const { status, data } = await send(csv, query);
    assert.deepEqual([status, data.problems.length, data.problems[0].line], [400, 1, null]);
    assert.match(data.problems[0].message, /^3 active people are missing from the file/);
  }
  assert.deepEqual(await activeOf(others), [true, true, true, true]);
  const done = await send(csv, { maxLeavers: '3' });
  assert.deepEqual([done.status, done.data.added, done.data.leavers], [200, 1, 3], JSON.stringify(done.data));
  assert.deepEqual(await activeOf(others), [true, false, false, false]);
  const trail = await api.db.query(sql`
    select field_values as values from audit_changes
     where action = 'changed' and user_id = ${leavers[0]?.id}::uuid and fields @> array['active']`);
  assert.deepEqual(trail, [{ values: { active: [true, false] } }]);
  const again = await send(csv, { maxLeavers: '0' });
  assert.deepEqual([again.status, again.data.leavers], [200, 0]);
});

it('users/import with mode=all deactivates people with a platform role too, and keeps the caller active', async () => {
  const { company, admin, others, send } = await openCompany('Rules of everybody', 1);
  const guarded = await addPerson(api.db, { company, systemRole: { role: 'PLATFORM_RM', active: true } });
  const done = await send(fileOf(), { maxLeavers: '10' });
  assert.deepEqual([done.status, done.data.leavers], [200, 2]);
  assert.deepEqual(await activeOf([...others, admin, guarded]), [false, true, false]);
});

it('users/import with mode=all deactivates missing people after 1,100 rows too', async () => {
  const { others, send } = await openCompany('Many of everybody', 2);
  const people = Array.from({ length: 1100 }, () => ({ email: `${randomUUID()}@many.example` }));
  const { status, data } = await send(fileOf(...people), { maxLeavers: '2' });
  assert.deepEqual([status, data.added, data.leavers], [200, 1100, 2]);
  assert.deepEqual(await activeOf(others), [false, false]);
});

it('users/import without mode=all deactivates nobody', async () => {
  const { others, send } = await openCompany('Some', 1);
  const { status, data } = await send(fileOf({ email: `${randomUUID()}@some.example` }), {
    mode: 'some',
    maxLeavers: '9',
  });
  assert.deepEqual([status, 'leavers' in data], [200, false]);
  assert.deepEqual(await activeOf(others), [true]);
});
