import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ProfileView, ReducedProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, type Person, userRow } from '../support/people.ts';
import { UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

const view = ({ email }: Person) => api.send({ url: '/api/users/profile', as: email });
const tagOf = async (person: Person) => String((await view(person)).headers.etag);

describe('simultaneous profile updates', () => {
  it('two simultaneous profile updates of different fields keep both', async () => {
    const person = await addPerson(api.db);
    for (let round = 0; round < 50; round++) {
      const answers = await Promise.all([
        updateProfile(api, 'POST', person.email, { firstName: `First ${round}` }),
        updateProfile(api, 'GET', person.email, { lastName: `Last ${round}` }),
      ]);
      for (const answer of answers) assert.equal(answer.statusCode, 200);
      const { first_name, last_name } = await userRow(api.db, person.id);
      assert.deepEqual([first_name, last_name], [`First ${round}`, `Last ${round}`]);
    }
  });

  it('many simultaneous profile updates keep every field, each with a different time', async () => {
    const person = await addPerson(api.db);
    const fields = {
      firstName: 'Niamh',
      lastName: 'Ó Cuinn',
      phone: '+35315550199',
      dateOfBirth: '1984-02-29',
      gender: 'Other',
      addressLine1: '7 Harbour Walk',
      pincode: 'D02 X285',
    };
    const answers = await Promise.all(
      Object.entries(fields).flatMap(([field, value]) =>
        UPDATE_WAYS.map((way) => updateProfile(api, way, person.email, { [field]: value })),
      ),
    );
    const moments = answers.map((answer) => dataOf<ReducedProfileView>(answer).updatedAt);
    assert.equal(new Set(moments).size, 14);
    const profile = dataOf<ProfileView>(await view(person));
    for (const [field, value] of Object.entries(fields)) {
      assert.ok(String(profile[field as keyof typeof fields]).startsWith(value), field);
    }
  });

  it('two clients that read and update a profile with If-Match 1,000 times lose no update', async () => {
    const person = await addPerson(api.db, { columns: { gender: '0' } });
    let refusals = 0;
    async function client(times: number): Promise<void> {
      for (let written = 0; written < times; ) {
        const read = await view(person);
        const gender = String(Number(dataOf<ProfileView>(read).gender) + 1);
        const ifMatch = { 'if-match': String(read.headers.etag) };
        const { statusCode } = await updateProfile(api, 'POST', person.email, { gender }, ifMatch);
        assert.ok(statusCode === 200 || statusCode === 412);
        if (statusCode === 200) written++;
        else refusals++;
      }
    }
    await Promise.all([client(500), client(500)]);
    assert.equal((await userRow(api.db, person.id)).gender, '1000');
    assert.ok(refusals > 0, 'the clients never met');
  });

  it('exactly one of many profile updates with the same ETag succeeds', async () => {
    const person = await addPerson(api.db);
    const ifMatch = { 'if-match': await tagOf(person) };
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
    const answers = await Promise.all(
      names.map((firstName) => updateProfile(api, 'POST', person.email, { firstName }, ifMatch)),
    );
    const through = answers.flatMap((answer, index) => (answer.statusCode === 200 ? [names[index]] : []));
    assert.equal(through.length, 1);
    assert.equal((await userRow(api.db, person.id)).first_name, through[0]);
  });
});

for (const way of UPDATE_WAYS) {
  const update = ({ email }: Person, ifMatch: string, fields: object = { firstName: 'Niamh' }) =>
    updateProfile(api, way, email, fields, { 'if-match': ifMatch });

  describe(`update profile by ${way} with If-Match`, () => {
    it(`a profile update by ${way} with the current ETag, in a list, or with * in If-Match writes`, async () => {
      const person = await addPerson(api.db);
      for (const header of ['TAG', ' TAG ', '"other", TAG', 'TAG,"other"', 'W/"other",TAG', 'W/TAG', '*', ' * ']) {
        const ifMatch = header.replace('TAG', await tagOf(person));
        const { updatedAt } = dataOf<ProfileView>(await view(person));
        const data = dataOf<ReducedProfileView>(await update(person, ifMatch));
        assert.ok(data.updatedAt > updatedAt, header);
      }
    });

    it(`a profile update by ${way} accepts the ETag of a compressed profile`, async () => {
      const person = await addPerson(api.db, {
        columns: { address_line_1: 'é'.repeat(255), address_line_2: 'è'.repeat(255) },
      });
      for (const coding of ['br', 'gzip']) {
        const read = () =>
          api.send({ url: '/api/users/profile', as: person.email, headers: { 'accept-encoding': coding } });
        const { headers } = await read();
        assert.equal(headers['content-encoding'], coding);
        assert.equal(headers.etag, (await tagOf(person)).replace(/"$/, `-${coding}"`));
        assert.equal((await update(person, `"other", ${headers.etag}`, { gender: coding })).statusCode, 200);
        assertRefused(await update(person, String(headers.etag)), 412, 'PRECONDITION_FAILED');
        assert.equal((await update(person, `W/${(await read()).headers.etag}`)).statusCode, 200);
      }
    });

    it(`a profile update by ${way} with a stale or malformed ETag gets 412 with the current profile`, async () => {
      const person = await addPerson(api.db);
      const stale = await tagOf(person);
      await updateProfile(api, 'POST', person.email, { gender: 'Other' });
      const tag = await tagOf(person);
      const before = await userRow(api.db, person.id);
      const present = dataOf<ProfileView>(await view(person));
      const foreign = await tagOf(await addPerson(api.db));
      const bare = tag.slice(1, -1);
      for (const ifMatch of [stale, `W/${stale}`, foreign, `"", ${stale}`, bare, `"${bare}x"`, tag.toLowerCase(), '']) {
        if (ifMatch === tag) continue;
        const response = await update(person, ifMatch);
        const { data } = assertRefused(response, 412, 'PRECONDITION_FAILED');
        assert.deepEqual(data, present);
        assert.equal(response.headers.etag, tag);
        assert.equal(response.headers['cache-control'], 'no-store');
      }
      assert.deepEqual(await userRow(api.db, person.id), before);
    });

    it(`a profile update by ${way} accepts the ETag of the previous update`, async () => {
      const person = await addPerson(api.db);
      let { etag } = (await update(person, '*')).headers;
      for (const firstName of ['Ana', 'Bo', 'Cy']) {
        const response = await update(person, String(etag), { firstName });
        assert.equal(dataOf<ReducedProfileView>(response).firstName, firstName);
        assert.notEqual(response.headers.etag, etag);
        etag = response.headers.etag;
      }
    });

    it(`a profile update by ${way} without fields gets 412 for a stale ETag, and changes nothing`, async () => {
      const person = await addPerson(api.db);
      const before = await userRow(api.db, person.id);
      assertRefused(await update(person, '"stale"', {}), 412, 'PRECONDITION_FAILED');
      const tag = await tagOf(person);
      const response = await update(person, tag, {});
      assert.equal(dataOf<ReducedProfileView>(response).id, person.id);
      assert.equal(response.headers.etag, tag);
      assert.deepEqual(await userRow(api.db, person.id), before);
    });

    it(`a profile update by ${way} gets 412 after somebody else changed what the profile contains`, async () => {
      const person = await addPerson(api.db);
      const tag = await tagOf(person);
      await api.db.query(sql`insert into system_roles (user_id, role) values (${person.id}, 'PLATFORM_RM')`);
      assertRefused(await update(person, tag), 412, 'PRECONDITION_FAILED');
    });

    it(`a profile update by ${way} reports a wrong value before a stale ETag`, async () => {
      assertInvalid(await update(await addPerson(api.db), '"stale"', { pincode: '?' }), 'pincode');
    });
  });
}
