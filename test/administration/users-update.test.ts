import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assertInvalid, assertRefused } from '../support/answers.ts';
import { addPerson, addRole, type Person, userRow } from '../support/people.ts';
import { describeChange, messageOf, openAdministration, personFields, userOf } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, get, post, add, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

type Headers = Record<string, string>;
const update = ({ id }: { id: string }, fields: object, as = admin, headers: Headers = {}) =>
  post(as, 'users/update', { id, ...fields }, headers);
const tagOf = async ({ id }: Person) => String((await get(admin, 'users/get', { id })).headers.etag);

/** A person of whom nothing is known but what a create needs. */
async function bare(): Promise<Person> {
  return userOf(await post(admin, 'users/create', personFields(home)));
}

describe('users/update', () => {
  it('users/update changes the fields that are sent, and no others', async () => {
    const person = await add();
    const { updated_at: before, renamed_at: _before, ...row } = await userRow(api.db, person.id);
    const response = await update(person, { firstName: ' Bo ', approvalLimit: '7', addressLine2: 'Flat 1' });
    assert.equal(messageOf(response), 'User updated successfully');
    const { updatedAt } = userOf(response);
    assert.ok(Date.parse(updatedAt) > Date.parse(String(before)));
    const { updated_at: _, renamed_at: renamed, ...now } = await userRow(api.db, person.id);
    assert.ok(Date.parse(String(renamed)) > Date.parse(String(before)));
    assert.deepEqual(now, { ...row, first_name: 'Bo', approval_limit: 7, address_line_2: 'Flat 1' });
    const got = await get(admin, 'users/get', { id: person.id });
    const whole = { ...response.json().data, roleSources: [] };
    assert.deepEqual([got.json().data, got.headers.etag], [whole, response.headers.etag]);
  });

  it('users/update records old and new values in the trail and the feed once', async () => {
    const person = await add();
    const [change, ...more] = await changesOf(() =>
      update(person, { email: `new-${person.email}`, approvalLimit: '7.00', lastName: 'Rao', active: false }),
    );
    assert.ok(change && more.length === 0);
    assert.deepEqual(describeChange(change), {
      what: 'user changed',
      id: person.id,
      fields: {
        email: [person.email, `new-${person.email}`],
        approvalLimit: ['75000.00', '7.00'],
        active: [true, false],
      },
    });
    assert.equal(change.actor.userId, admin.id);
  });

  it('users/update that changes nothing writes nothing, and leaves no trace', async () => {
    const person = await add();
    const tag = await tagOf(person);
    const before = await userRow(api.db, person.id);
    const { departmentId, bandId } = home;
    for (const fields of [
      {},
      { firstName: 'Ana', email: person.email, approvalLimit: '75000', dateOfBirth: '1990-05-15T00:00:00.000Z' },
      { addressLine2: null, departmentId, bandId, active: true, clientType: ' CORPORATE ' },
    ]) {
      const response = await withoutTrace(() => update(person, fields));
      assert.deepEqual([messageOf(response), response.headers.etag], ['User updated successfully', tag]);
    }
    assert.deepEqual(await userRow(api.db, person.id), before);
  });

  it('users/update sets optional fields, and clears them by null or an empty text', async () => {
    const person = await bare();
    const address = { addressLine1: '1 Long Lane', addressLine2: 'Flat 1', pincode: '12345' };
    const fields = { phone: '+35315550100', gender: 'Other', ...address };
    const shown = { ...fields, dateOfBirth: '1990-02-03T00:00:00.000Z' };
    for (const none of [null, '']) {
      const given = userOf(await update(person, { ...fields, dateOfBirth: '1990-02-03' }));
      assert.deepEqual({ ...given, ...shown }, given);
      const nothing = Object.fromEntries(Object.keys(shown).map((name) => [name, none]));
      const cleared = userOf(await update(person, nothing));
      assert.deepEqual({ ...cleared, ...Object.fromEntries(Object.keys(shown).map((name) => [name, null])) }, cleared);
      await withoutTrace(() => update(person, nothing));
    }
    assertInvalid(
      await update(person, { firstName: null, lastName: null, email: '' }),
      'email',
      'firstName',
      'lastName',
    );
  });

  it('update-profile lets a person set an optional field that was null', async () => {
    const person = await bare();
    const response = await post(person, 'users/update-profile', { phone: '+353 1 555 0100' });
    assert.equal(userOf(response).phone, '+35315550100');
    assert.equal(userOf(response).gender, null);
  });

  it('users/update keeps a deactivated person out from the next request, and lets a reactivated one in', async () => {
    const person = await add();
    const profile = () => api.send({ url: '/api/users/profile', as: person.email });
    assert.equal((await profile()).statusCode, 200);
    assert.equal(userOf(await update(person, { active: false })).active, false);
    assertRefused(await profile(), 401, 'INVALID_TOKEN');
    userOf(await update(person, { active: true }));
    assert.equal((await profile()).statusCode, 200);
  });

  it('users/update accepts the same e-mail address in other letters, and returns 409 for a taken one', async () => {
    const [person, another] = [await add(), await add({ company: other })];
    const email = person.email.toUpperCase();
    assert.equal(userOf(await update(person, { email })).email, email);
    for (const taken of [another.email, another.email.toUpperCase()]) {
      const response = await withoutTrace(() => update(person, { email: taken, gender: 'Other' }));
      assertRefused(response, 409, 'ALREADY_EXISTS', ['email']);
    }
  });

  it('users/update returns 400 alike for a foreign and an unknown department, after 404 for the person', async () => {
    const person = await add();
    for (const places of [
      { departmentId: other.departmentId, bandId: other.bandId },
      { departmentId: randomUUID(), bandId: randomUUID() },
    ]) {
      assertInvalid(await update(person, places), 'departmentId', 'bandId');
      assertRefused(await update(await add({ company: other }), places), 404, 'NOT_FOUND');
      assertRefused(await update({ id: randomUUID() }, places, superAdmin), 404, 'NOT_FOUND');
    }
  });

  it('users/update returns 400 for companyId, roles and unknown fields', async () => {
    const fields = { loyaltyPoints: 1, companyId: other.id, roles: ['MANAGER'], employeeBand: 'B1', firstNam: 'Bo' };
    const { errors } = assertInvalid(await update(await add(), fields), ...Object.keys(fields));
    assert.deepEqual(new Set(errors?.map(({ code }) => code)), new Set(['UNKNOWN_FIELD']));
  });
});

describe('users/update with If-Match', () => {
  it('users/update with the current ETag in If-Match writes, and returns the next ETag', async () => {
    const person = await add();
    const response = await update(person, { gender: 'Other' }, admin, { 'if-match': await tagOf(person) });
    assert.equal(response.headers.etag, await tagOf(person));
    userOf(await update(person, { gender: 'None' }, admin, { 'if-match': String(response.headers.etag) }));
  });

  it('users/update with a stale If-Match returns 412 with the current person', async () => {
    const person = await add();
    const stale = await tagOf(person);
    await addRole(api.db, person.id, 'MANAGER', home.id);
    for (const fields of [{ gender: 'Other' }, {}]) {
      const response = await withoutTrace(() => update(person, fields, admin, { 'if-match': stale }));
      const { data } = assertRefused(response, 412, 'PRECONDITION_FAILED');
      const { roleSources: _, ...present } = (await get(admin, 'users/get', { id: person.id })).json().data;
      assert.deepEqual(data, present);
      assert.equal(response.headers.etag, await tagOf(person));
    }
  });

  it('users/update reports 412 after 400, 404 and the rules about people, and before conflicts', async () => {
    const headers = { 'if-match': '"stale"' };
    const person = await add({ systemRole: { role: 'PLATFORM_RM', active: true } });
    assertInvalid(await update(person, { pincode: '?' }, admin, headers), 'pincode');
    assertInvalid(await update(person, { bandId: randomUUID() }, admin, headers), 'bandId');
    assertRefused(await update({ id: randomUUID() }, {}, admin, headers), 404, 'NOT_FOUND');
    assertRefused(await update(person, { email: 'new@new.example' }, admin, headers), 403, 'PROTECTED_USER');
    assertRefused(await update(admin, { approvalLimit: '9.00' }, admin, headers), 403, 'OWN_LIMIT');
    assertRefused(await update(person, { gender: 'Other' }, admin, headers), 412, 'PRECONDITION_FAILED');
    assertRefused(await update(await add(), { email: admin.email }, admin, headers), 412, 'PRECONDITION_FAILED');
    assertRefused(await update(admin, { active: false }, admin, headers), 412, 'PRECONDITION_FAILED');
  });
});

const closed = await administration.addCompany();
await post(superAdmin, 'companies/update', { id: closed.id, active: false });

describe('people who are protected', () => {
  const PROTECTED = {
    'a platform role': () => add({ systemRole: { role: 'PLATFORM_RM', active: true } }),
    'a role in another company': () => add({ roles: [['EMPLOYEE', other]] }),
    'a role in a closed company': () => add({ roles: [['EMPLOYEE', closed]] }),
  };
  for (const [what, make] of Object.entries(PROTECTED)) {
    it(`users/update changes how a person with ${what} signs in only for a Super Admin`, async () => {
      const person = await make();
      for (const fields of [{ email: `new-${person.email}` }, { email: `new-${person.email}`, active: false }]) {
        const { message } = assertRefused(await withoutTrace(() => update(person, fields)), 403, 'PROTECTED_USER');
        assert.match(message, /^This person holds a platform role, or a role in another company:/);
      }
      // What is as it was is no change, and the rest is free.
      userOf(await update(person, { email: person.email, active: true, gender: 'Other', approvalLimit: '1.00' }));
      const left = userOf(await update(person, { firstName: 'Married', active: false }));
      assert.deepEqual([left.firstName, left.active], ['Married', false]);
      assert.deepEqual(left.companyRoles, []);
      if (left.systemRoleMap) assertRefused(await update(person, { active: true }), 403, 'PROTECTED_USER');
      else assert.equal(userOf(await update(person, { active: true })).active, true);
    });
  }

  it('users/update deactivates people whose platform role is inactive, or whose roles the caller administers', async () => {
    const people = [
      await add({ systemRole: { role: 'SUPER_ADMIN', active: false } }),
      await add({ roles: [['CORPORATE_ADMIN', home]] }),
      await add({ roles: [['EMPLOYEE', other]] }),
    ];
    const both = await addPerson(api.db, {
      company: other,
      roles: [
        ['CORPORATE_ADMIN', home],
        ['CORPORATE_ADMIN', other],
      ],
    });
    for (const person of people) userOf(await update(person, { active: false }, both));
  });
});

describe('own limits', () => {
  it("users/update refuses a higher approval limit or band for the admin's own person", async () => {
    const band = await post(admin, 'bands/create', { companyId: home.id, name: 'High', code: 'H' });
    const bandId = band.json().data.id as string;
    const second = await add({ roles: [['CORPORATE_ADMIN', home]] });
    for (const fields of [{ approvalLimit: '9.00' }, { bandId }, { approvalLimit: '1.00', gender: 'Other' }]) {
      const response = await withoutTrace(() => update(second, fields, second));
      const { message } = assertRefused(response, 403, 'OWN_LIMIT');
      assert.equal(
        message,
        'Nobody changes their own approval limit, band or loyalty points: ask another administrator.',
      );
    }
    userOf(await update(second, { approvalLimit: '75000.00', bandId: home.bandId, gender: 'Other' }, second));
    assert.equal(userOf(await update(second, { approvalLimit: '9.00', bandId }, admin)).approvalLimit, '9.00');
    assert.equal(userOf(await update(superAdmin, { approvalLimit: '9.00' }, superAdmin)).approvalLimit, '9.00');
  });
});
