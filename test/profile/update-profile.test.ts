import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ProfileView, ReducedProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, userRow } from '../support/people.ts';
import { UPDATE_PROFILE, UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';

/** Each field of an update, the column it is in, and a value that no one has yet, as it is stored. */
const FIELDS = [
  ['firstName', 'first_name', 'Niamh'],
  ['lastName', 'last_name', 'Ó Cuinn'],
  ['phone', 'phone', '+35315550199'],
  ['dateOfBirth', 'date_of_birth', '1984-02-29'],
  ['gender', 'gender', 'Other'],
  ['addressLine1', 'address_line_1', '7 Harbour Walk'],
  ['addressLine2', 'address_line_2', 'Flat 3B'],
  ['pincode', 'pincode', 'D02 X285'],
] as const;
/** Fields that cannot be cleared. */
const NAMES: readonly string[] = ['firstName', 'lastName'];
const ALL_VALUES = Object.fromEntries(FIELDS.map(([field, , value]) => [field, value]));
const NO_FIELDS = {};

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

/** A person with a second address line, and the row of that person. */
async function person() {
  const { id, email } = await addPerson(api.db, { columns: { address_line_2: 'Near the old mill' } });
  return { id, email, before: await userRow(api.db, id), row: () => userRow(api.db, id) };
}

function withoutTimes({ updated_at, renamed_at, ...row }: Readonly<Record<string, unknown>>) {
  return row;
}

it('update-profile by POST returns 400 for a JSON body with a repeated name, known or unknown', async () => {
  const { email, before, row } = await person();
  const payload = '{"firstName":"Ana","unknown":1,"unknown":2}';
  const headers = { 'content-type': 'application/json' };
  const answer = await api.send({ method: 'POST', url: UPDATE_PROFILE, as: email, headers, payload });
  assertRefused(answer, 400, 'MALFORMED_REQUEST');
  assert.deepEqual(await row(), before);
});

for (const way of UPDATE_WAYS) {
  const update = (email: string, fields: object) => updateProfile(api, way, email, fields);

  describe(`update profile by ${way}`, () => {
    it(`update-profile by ${way} returns the reduced profile in the common envelope`, async () => {
      const { email } = await person();
      const body = (await update(email, ALL_VALUES)).json();
      assert.deepEqual(Object.keys(body).sort(), ['data', 'message', 'success']);
      assert.deepEqual([body.success, body.message], [true, 'Profile updated successfully']);
      const full = dataOf<ProfileView>(await api.send({ url: '/api/users/profile', as: email }));
      const { companyRoles, systemRoleMap, company, department, band, ...own } = full;
      assert.deepEqual(body.data, {
        ...own,
        company: { id: company.id, name: company.name, legalName: company.legalName },
        department: { id: department.id, name: department.name },
        band: { id: band.id, name: band.name, code: band.code },
      });
    });

    it(`update-profile by ${way} writes every field and refreshes updatedAt`, async () => {
      const { email, before, row } = await person();
      const start = Date.now();
      const data = dataOf<ReducedProfileView>(await update(email, ALL_VALUES));
      for (const [field, , value] of FIELDS) {
        assert.equal(data[field], field === 'dateOfBirth' ? `${value}T00:00:00.000Z` : value);
      }
      assert.ok(Date.parse(data.updatedAt) >= start && Date.parse(data.updatedAt) <= Date.now() + 1);
      assert.equal(data.createdAt, '2026-01-02T03:04:05.678Z');
      const columns = Object.fromEntries(FIELDS.map(([, column, value]) => [column, value]));
      assert.deepEqual(withoutTimes(await row()), withoutTimes({ ...before, ...columns }));
    });

    for (const [field, column, value] of FIELDS) {
      const [rest, cleared] =
        field === 'addressLine2'
          ? ['every other field as it is', {}]
          : ['the others as they are, but for an absent addressLine2, which becomes null', { address_line_2: null }];
      it(`update-profile by ${way} writes ${field} alone and leaves ${rest}`, async () => {
        const { email, before, row } = await person();
        const data = dataOf<ReducedProfileView>(await update(email, { [field]: value }));
        assert.deepEqual(withoutTimes(await row()), withoutTimes({ ...before, ...cleared, [column]: value }));
        assert.equal(data.addressLine2, field === 'addressLine2' ? value : null);
      });
    }

    it(`update-profile by ${way} keeps addressLine2 if it is sent with other fields`, async () => {
      const { email, row } = await person();
      await update(email, { firstName: 'Ana', addressLine2: 'Near the old mill' });
      assert.equal((await row()).address_line_2, 'Near the old mill');
    });

    it(`update-profile by ${way} clears each field but the names if its value is empty or blank`, async () => {
      for (const [field, column] of FIELDS.filter(([name]) => !NAMES.includes(name))) {
        for (const value of ['', ' ', '\t \u00a0']) {
          const { email, row } = await person();
          const data = dataOf<ReducedProfileView>(await update(email, { [field]: value }));
          assert.deepEqual([data[field as keyof ReducedProfileView], (await row())[column]], [null, null], field);
        }
      }
    });

    it(`update-profile by ${way} returns 400 for an empty or blank name`, async () => {
      const { email, before, row } = await person();
      for (const name of NAMES) {
        for (const value of ['', ' ', '\t \u00a0']) assertInvalid(await update(email, { [name]: value }), name);
      }
      assert.deepEqual(await row(), before);
    });

    it(`update-profile by ${way} without any known field changes nothing, not even updatedAt`, async () => {
      const { email, before, row } = await person();
      for (const fields of [{}, { nickname: 'x' }, { id: 'x', first_name: 'x', FIRSTNAME: 'x', addressline2: 'x' }]) {
        const data = dataOf<ReducedProfileView>(await update(email, fields));
        assert.equal(data.updatedAt, '2026-01-02T03:04:05.678Z');
        assert.equal(data.addressLine2, 'Near the old mill');
      }
      assert.deepEqual(await row(), before);
    });

    it(`update-profile by ${way} advances updatedAt by at least a millisecond, with equal values too`, async () => {
      const { email } = await person();
      const { email: later } = await addPerson(api.db, { columns: { updated_at: '2999-12-31T23:59:59.999Z' } });
      const moment = async (who: string) =>
        dataOf<ReducedProfileView>(await update(who, { gender: 'Other' })).updatedAt;
      assert.equal(await moment(later), '3000-01-01T00:00:00.000Z');
      const moments = [];
      for (let round = 0; round < 20; round++) moments.push(await moment(email));
      assert.deepEqual(moments, [...new Set(moments)].sort());
    });

    it(`update-profile by ${way} names every wrong field, and then writes none`, async () => {
      const { email, before, row } = await person();
      const response = await update(email, { ...ALL_VALUES, firstName: ' ', pincode: '?', dateOfBirth: '2023-02-29' });
      const { errors, message } = assertInvalid(response, 'firstName', 'dateOfBirth', 'pincode');
      for (const error of errors ?? []) {
        assert.ok(error.message.startsWith(`${error.field} must be `));
        assert.ok(message.includes(error.message));
      }
      assert.deepEqual(await row(), before);
    });

    it(`update-profile by ${way} with the values of the profile changes nothing`, async () => {
      const { email, before, row } = await person();
      const full = dataOf<ProfileView>(await api.send({ url: '/api/users/profile', as: email }));
      const texts = Object.entries(full).filter(([, value]) => typeof value === 'string');
      dataOf(await update(email, way === 'POST' ? full : Object.fromEntries(texts)));
      assert.deepEqual(withoutTimes(await row()), withoutTimes(before));
    });

    it(`update-profile by ${way} trims a value and otherwise stores it unchanged, but for a phone, which is E.164`, async () => {
      const { email, row } = await person();
      const [inner, decomposed] = ['Ana  Mari\u0301a', 'Cafe\u0301 \u200f(שלום)'];
      const fields = { firstName: ` \u00a0${inner}\t`, lastName: '\ufeffRao\u3000', addressLine1: decomposed };
      const data = dataOf<ReducedProfileView>(await update(email, { ...fields, phone: ' +353 (1) 555-0199 ' }));
      assert.deepEqual([data.firstName, data.lastName, data.addressLine1], [inner, 'Rao', decomposed]);
      const { first_name, last_name, address_line_1, phone } = await row();
      assert.deepEqual([first_name, last_name, address_line_1, phone], [inner, 'Rao', decomposed, '+35315550199']);
    });

    it(`update-profile by ${way} returns the strong ETag of the updated profile`, async () => {
      const { email } = await person();
      for (const fields of [ALL_VALUES, NO_FIELDS]) {
        const { etag } = (await update(email, fields)).headers;
        assert.match(String(etag), /^"[^"]+"$/);
        assert.equal((await api.send({ url: '/api/users/profile', as: email })).headers.etag, etag);
      }
    });
  });
}

describe('update profile by POST', () => {
  const post = (email: string, payload: string) =>
    api.send({
      url: UPDATE_PROFILE,
      method: 'POST',
      as: email,
      payload,
      headers: { 'content-type': 'application/json' },
    });

  it('update-profile by POST clears each field but the names if it is null, and leaves the others', async () => {
    for (const [field, column] of FIELDS.filter(([name]) => !NAMES.includes(name))) {
      const { email, before, row } = await person();
      await updateProfile(api, 'POST', email, {
        [field]: null,
        addressLine2: before.address_line_2,
        ...(field === 'addressLine2' && { addressLine2: null }),
      });
      assert.deepEqual(withoutTimes(await row()), withoutTimes({ ...before, [column]: null }), field);
    }
  });

  it('update-profile by POST refuses null for a name, and a value that is not a text for any field', async () => {
    const { email, before, row } = await person();
    for (const [field] of FIELDS) {
      for (const value of [0, 12_345_678, true, false, {}, [], ['x'], { toString: 'x' }, null]) {
        if (value === null && !NAMES.includes(field)) continue;
        assertInvalid(await updateProfile(api, 'POST', email, { [field]: value }), field);
      }
    }
    assert.deepEqual(await row(), before);
  });

  it('update-profile by POST with an empty body changes nothing, with or without a content type', async () => {
    const { email, before, row } = await person();
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      dataOf(await api.send({ url: UPDATE_PROFILE, method: 'POST', as: email, payload: '', headers }));
    }
    assert.deepEqual(await row(), before);
  });

  it('update-profile by POST ignores the query string', async () => {
    const { email, before, row } = await person();
    const query = { firstName: 'Query' };
    dataOf(await api.send({ url: UPDATE_PROFILE, method: 'POST', as: email, query, payload: {} }));
    assert.deepEqual(await row(), before);
  });

  it('update-profile by POST reads no field from a prototype', async () => {
    const { email, before, row } = await person();
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      dataOf(await post(email, `{"${key}":{"firstName":"Forged","prototype":{"firstName":"Forged"}}}`));
    }
    assert.deepEqual(await row(), before);
    assert.equal('firstName' in {}, false);
  });
});
