import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { assertRefused } from '../support/answers.ts';
import { userRow } from '../support/people.ts';
import { openAdministration, personFields, userOf } from './administration.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, foreignAdmin, post, add } = administration;

const former = () => add({ columns: { active: false, employee_number: randomUUID() }, roles: [['MANAGER', home]] });

it('users/create with the address of an inactive person adds a newcomer where both names differ', async () => {
  const before = await former();
  const names = { firstName: 'Zoe', lastName: 'Xu' };
  const created = userOf(await post(admin, 'users/create', { ...personFields(home), ...names, email: before.email }));
  assert.deepEqual([created.email, created.roles], [before.email, ['EMPLOYEE']]);
  const { email, active } = await userRow(api.db, before.id);
  assert.deepEqual([email, active], [`${before.id}@former.invalid`, false]);
});

it('users/create with the address of an inactive person who may be the same returns 409 until newcomer is true', async () => {
  const before = await former();
  const { first_name: firstName, last_name: lastName } = await userRow(api.db, before.id);
  const body = { ...personFields(home), firstName, lastName, email: before.email };
  const { message } = assertRefused(await post(admin, 'users/create', body), 409, 'ALREADY_EXISTS', ['email']);
  assert.match(message, /has left/);
  const created = userOf(await post(admin, 'users/create', { ...body, newcomer: true }));
  assert.equal(created.email, before.email);
});

it('users/create with the address of an inactive person of another company returns 409', async () => {
  const before = await former();
  const body = { ...personFields(other), firstName: 'Zoe', lastName: 'Xu', email: before.email, newcomer: true };
  const { message } = assertRefused(await post(foreignAdmin, 'users/create', body), 409, 'ALREADY_EXISTS', ['email']);
  assert.doesNotMatch(message, /has left/);
});

it('users/create with the employee number or externalId of an inactive person adds a newcomer, or returns 409 where they may be the same', async () => {
  for (const [column, given] of [
    ['employee_number', (value: string) => ({ employment: { employeeNumber: value.toUpperCase() } })],
    ['external_id', (externalId: string) => ({ externalId })],
  ] as const) {
    const leaver = () => add({ columns: { active: false, [column]: randomUUID() }, roles: [['MANAGER', home]] });
    const create = async (before: { id: string }, names: object) => {
      const row = await userRow(api.db, before.id);
      const same = { firstName: row.first_name, lastName: 'Other' };
      const body = { ...personFields(home), ...same, ...names, ...given(String(row[column])) };
      return post(admin, 'users/create', body);
    };
    const other = await leaver();
    assert.deepEqual(userOf(await create(other, { firstName: 'Zoe', lastName: 'Xu' })).roles, ['EMPLOYEE']);
    const former = await userRow(api.db, other.id);
    assert.deepEqual([former.email, former[column]], [`${other.id}@former.invalid`, null]);
    const unclear = await leaver();
    const field = column === 'external_id' ? 'externalId' : 'employment.employeeNumber';
    assertRefused(await create(unclear, {}), 409, 'ALREADY_EXISTS', [field]);
    assert.deepEqual(userOf(await create(unclear, { newcomer: true })).roles, ['EMPLOYEE']);
  }
});

it('users/create with the names of an inactive person and another externalId returns 409', async () => {
  const before = await add({ columns: { active: false, external_id: randomUUID() } });
  const { first_name: firstName, last_name: lastName } = await userRow(api.db, before.id);
  const body = { ...personFields(home), firstName, lastName, email: before.email, externalId: randomUUID() };
  assertRefused(await post(admin, 'users/create', body), 409, 'ALREADY_EXISTS', ['email']);
});
