import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { BookingView } from '../../src/features/bookings/bookings-schemas.ts';
import type { UserView } from '../../src/features/profile/profile-schemas.ts';
import { directoryFor, newUser } from '../scim/directory.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { describeChange, openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, admin, superAdmin, add, get, post, changesOf } = administration;
after(() => administration[Symbol.asyncDispose]());

const make = async (path: string, fields: object) =>
  dataOf<{ id: string }>(await post(admin, `${path}/create`, { companyId: home.id, ...fields })).id;
const read = async (id: string) => dataOf<UserView>(await get(admin, 'users/get', { id }));
const update = (fields: object) => post(admin, 'users/update', fields);
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const typesListed = async (query: object) => {
  const people = dataOf<UserView[]>(await get(admin, 'users/list', { companyId: home.id, limit: '100', ...query }));
  return new Map(people.map(({ id, workerType }) => [id, workerType]));
};

const departmentId = await make('departments', { name: 'Hosts', costCode: 'HOSTS' });
const bandId = await make('bands', { name: 'Hosts', code: 'HOSTS', autoApprovalLimit: '700.00' });
const boss = await add({ columns: { approval_limit: '90000.00' } });
const host = await add({
  columns: { department_id: departmentId, band_id: bandId, manager_id: boss.id, cost_center: 'CC-H' },
});
const guestFields = (fields: object = {}) => {
  const { email: _, ...person } = personFields(home);
  return { ...person, workerType: 'GUEST', until: dayFromNow(30), hostId: host.id, ...fields };
};
const newGuest = async (fields: object = {}) =>
  dataOf<UserView>(await post(admin, 'users/create', guestFields(fields)));

describe('kinds of people', () => {
  it('users/create, update, save, get and list write, return and filter the workerType, EMPLOYEE by default', async () => {
    const plain = dataOf<UserView>(await post(admin, 'users/create', personFields(home)));
    assert.deepEqual([plain.workerType, plain.hostId, plain.until, plain.host], ['EMPLOYEE', null, null, null]);
    const intern = { ...personFields(home), workerType: 'INTERN' };
    assert.equal(dataOf<UserView>(await post(admin, 'users/create', intern)).workerType, 'INTERN');
    assert.deepEqual(await typesListed({ workerType: 'INTERN' }), new Map([[intern.id, 'INTERN']]));
    const changes = await changesOf(async () => {
      const save = { companyId: home.id, update: [{ id: intern.id, workerType: 'CONTINGENT' }] };
      dataOf(await post(admin, 'users/save', save));
    });
    assert.deepEqual(changes.map(describeChange), [
      { what: 'user changed', id: intern.id, fields: { workerType: ['INTERN', 'CONTINGENT'] } },
    ]);
    const both = await typesListed({ workerType: 'CONTINGENT,EMPLOYEE' });
    assert.deepEqual([both.get(intern.id), both.get(plain.id)], ['CONTINGENT', 'EMPLOYEE']);
    assertInvalid(await update({ id: intern.id, workerType: 'ROBOT' }), 'workerType');
    assertInvalid(await get(admin, 'users/list', { companyId: home.id, workerType: 'ROBOT' }), 'workerType');
  });

  it('users/import reads the kinds of HR files, and leaves out a word that it does not know', async () => {
    const people = [['Full-time'], ['Werkstudentin'], ['Contractor'], ['Wizard']].map(([word], at) => {
      return { email: `kind-${at}-${randomUUID()}@new.example`, word };
    });
    const lines = people.map(({ email, word }) => `${email},Ana,Lee,${word}`);
    const answer = await api.send({
      method: 'POST',
      url: '/api/users/import',
      as: admin.email,
      query: { companyId: home.id, choices: '{}' },
      headers: { 'content-type': 'text/csv' },
      payload: ['E-mail,First name,Last name,Employment type', ...lines].join('\n'),
    });
    const { added, leftOut } = dataOf<{ added: number; leftOut: { value: string }[] }>(answer);
    assert.deepEqual([added, leftOut.map(({ value }) => value)], [4, ['Wizard']]);
    const found = await Promise.all(
      people.map(async ({ email }) =>
        dataOf<UserView[]>(await get(admin, 'users/list', { companyId: home.id, email })).map(
          (each) => each.workerType,
        ),
      ),
    );
    assert.deepEqual(found.flat(), ['EMPLOYEE', 'INTERN', 'CONTINGENT', 'EMPLOYEE']);
  });

  it('a directory reads and writes the userType, filters by it, and keeps nobody out by an unknown one', async () => {
    const directory = await directoryFor(api, home);
    const made = await directory.send('POST', '/Users', newUser({ userType: 'contingent worker' }));
    assert.deepEqual([made.status, made.body.userType], [201, 'Contractor']);
    const { id } = made.body;
    assert.equal((await read(id)).workerType, 'CONTINGENT');
    const filter = encodeURIComponent('userType eq "contractor"');
    const found = await directory.send('GET', `/Users?filter=${filter}`);
    assert.ok(found.body.Resources.some((each: { id: string }) => each.id === id));
    const put = await directory.send('PUT', `/Users/${id}`, newUser({ userName: made.body.userName }));
    assert.equal(put.body.userType, 'Contractor', 'a PUT without it');
    const Operations = [{ op: 'replace', path: 'userType', value: 'Wizard' }];
    const unknown = await directory.send('PATCH', `/Users/${id}`, { Operations });
    assert.deepEqual([unknown.status, (await read(id)).workerType], [200, 'CONTINGENT']);
    const guest = await directory.send('POST', '/Users', newUser({ userType: 'Guest' }));
    assert.deepEqual([guest.status, (await read(guest.body.id)).workerType], [201, 'GUEST']);
  });

  it('approval-policies/evaluate applies a policy by the workerType of the person', async () => {
    const scope = { workerTypes: ['INTERN'], priority: 1 };
    await make('approval-policies', { name: 'Interns', autoApprovalLimit: '5.00', scope });
    const person = dataOf<Person>(await post(admin, 'users/create', { ...personFields(home), workerType: 'INTERN' }));
    const policyOf = async (userId: string) =>
      dataOf<{ policy: { name: string } | null }>(
        await get(admin, 'approval-policies/evaluate', { userId, amount: '1.00' }),
      ).policy?.name;
    assert.deepEqual([await policyOf(person.id), await policyOf(boss.id)], ['Interns', undefined]);
  });
});

describe('guests', () => {
  it('users/create adds a guest without an address, in the department of the host, and refuses one without host and end', async () => {
    const guest = await newGuest();
    assert.deepEqual(
      [guest.email, guest.workerType, guest.hostId, guest.until, guest.works, guest.departmentId, guest.bandId],
      [`${guest.id}@guest.invalid`, 'GUEST', host.id, dayFromNow(30), false, departmentId, bandId],
    );
    assert.deepEqual(guest.host?.id, host.id);
    assertInvalid(await post(admin, 'users/create', guestFields({ until: null })), 'until');
    assertInvalid(await post(admin, 'users/create', guestFields({ hostId: null })), 'hostId');
    assertInvalid(await post(admin, 'users/create', guestFields({ hostId: guest.id })), 'hostId');
    const foreign = await add({ company: other });
    assertInvalid(await post(admin, 'users/create', guestFields({ hostId: foreign.id })), 'hostId');
    assertInvalid(await update({ id: guest.id, hostId: null }), 'hostId');
    assertInvalid(await post(admin, 'users/create', { ...guestFields(), workerType: 'EMPLOYEE' }), 'email');
    const later = dataOf<UserView>(await update({ id: guest.id, until: dayFromNow(60) }));
    assert.deepEqual([later.until, later.employment.endDate], [dayFromNow(60), dayFromNow(60)]);
  });

  it('a guest is not signed in, approves nothing, and is no administrator who may stay alone', async () => {
    const guest = await newGuest({ email: `${randomUUID()}@guests.example` });
    assert.equal((await get(guest, 'users/profile', {})).statusCode, 401);
    assertRefused(
      await update({ id: admin.id, workerType: 'GUEST', until: dayFromNow(9), hostId: host.id }),
      409,
      'LAST_ADMIN',
    );
    dataOf(await update({ id: guest.id, workerType: 'EMPLOYEE' }));
    assert.equal((await get(guest, 'users/profile', {})).statusCode, 200);
  });

  it('approval-policies/evaluate asks the managers of the host, by the band and department of the host', async () => {
    const guest = await newGuest();
    const levels = [{ level: 1, roleRequired: 'LINE_MANAGER', minAmount: '0.00' }];
    const scope = { departmentIds: [departmentId], workerTypes: ['GUEST'], priority: 2 };
    await make('approval-policies', { name: 'Guests', autoApprovalLimit: '600.00', scope, levels });
    const ask = async (amount: string, query: object = {}) =>
      dataOf<{
        decision: string;
        limits: { band: string };
        steps: { approvers: { people: { id: string }[] } }[];
        reasons: { code: string }[];
      }>(await get(admin, 'approval-policies/evaluate', { userId: guest.id, amount, ...query }));
    assert.equal((await ask('600.00')).decision, 'AUTO_APPROVED');
    const { decision, limits, steps } = await ask('800.00');
    assert.deepEqual([decision, limits.band], ['APPROVAL_NEEDED', '700.00']);
    assert.deepEqual(
      steps[0]?.approvers.people.map(({ id }) => id),
      [boss.id],
    );
    const over = await ask('1.00', { on: dayFromNow(31) });
    assert.deepEqual([over.decision, over.steps], ['NOBODY_CAN_APPROVE', []]);
    assert.equal(over.reasons[0]?.code, 'PERSON_DOES_NOT_WORK');
  });

  it('bookings/record books on the department and band of the host, and no new booking after the last day', async () => {
    const guest = await newGuest();
    const book = (fields: object = {}) =>
      post(superAdmin, 'bookings/record', {
        bookings: [{ id: randomUUID(), companyId: home.id, userId: guest.id, amount: '10.00', ...fields }],
      });
    const id = randomUUID();
    dataOf(await book({ id }));
    const booked = dataOf<BookingView>(await get(admin, 'bookings/get', { id }));
    assert.deepEqual([booked.departmentId, booked.bandId, booked.costCenter], [departmentId, bandId, 'CC-H']);
    const spent = dataOf<{ departmentId: string; spent: string }[]>(
      await get(admin, 'companies/spending', { companyId: home.id, by: 'department' }),
    );
    assert.equal(spent.find((each) => each.departmentId === departmentId)?.spent, '10.00');
    assertInvalid(await book({ createdAt: `${dayFromNow(32)}T00:00:00Z` }), 'bookings[0].userId');
    dataOf(await update({ id: guest.id, until: dayFromNow(-1), employment: { startDate: dayFromNow(-3) } }));
    assertInvalid(await book(), 'bookings[0].userId');
    dataOf(await book({ id, amount: '11.00' }));
  });
});
