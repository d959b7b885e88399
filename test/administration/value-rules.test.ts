import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ImportError } from '../../src/import/check/problems.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { company, makeFolder, user, validFiles } from '../import/folders.ts';
import { directoryFor, newUser, patchOf } from '../scim/directory.ts';
import { assertInvalid, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openAdministration, personFields, userOf } from './administration.ts';

const administration = await openAdministration();
const { api, home, admin, superAdmin, get, post } = administration;
after(() => administration[Symbol.asyncDispose]());
const directory = await directoryFor(api, home);

const create = (fields: object) => post(admin, 'users/create', { ...personFields(home), ...fields });
const updateProfile = (as: Person, fields: object) => post(as, 'users/update-profile', fields);

const NO_EMAILS = ['<a@x.example>', 'mailto:a@x.example', 'a@x.example;', "'a@x.example", '“a@x.example”', 'a@x'];
const NO_NAMES = ['\u200b', '\u3164', '\u2800', 'J\ufffdrgen'];

describe('e-mail addresses', () => {
  it('the API, an import and a directory accept the same e-mail addresses', async () => {
    await using db = await openTestDatabase();
    const users = NO_EMAILS.map((email, place) => user(41 + place, 1, { email }));
    const companies = [company(1, { email: 'a@x..example' }), company(2)];
    await using folder = await makeFolder({ ...validFiles, 'companies.csv': companies, 'users.csv': users });
    const problems = await importFolder(db, folder.path).then(
      () => [],
      (error: ImportError) => error.problems,
    );
    const reported = problems.map(({ file, column, value }) => [file, column, value]);
    assert.deepEqual(
      reported.filter(([, column]) => column === 'email'),
      [['companies.csv', 'email', 'a@x..example'], ...NO_EMAILS.map((email) => ['users.csv', 'email', email])],
    );
    for (const email of NO_EMAILS) {
      assertInvalid(await create({ email }), 'email');
      assertInvalid(await post(admin, 'companies/update', { id: home.id, email }), 'email');
      assert.equal((await directory.send('POST', '/Users', newUser({ userName: email }))).status, 400, email);
    }
  });

  it('e-mail addresses are stored as written, and only the case of letters makes two of them the same', async () => {
    const name = randomUUID();
    const emails = [`José-${name}@Bücher.example`, `Jose-${name}@Bücher.example`, `jose-${name}@bucher.example`];
    for (const email of emails) assert.equal(userOf(await create({ email })).email, email);
  });

  it('an e-mail address that is no longer valid stays when other fields of the person change', async () => {
    const person = await administration.add();
    await api.db.query(sql`update users set email = 'old@intranet' where id = ${person.id}`);
    const renamed = userOf(await post(admin, 'users/update', { id: person.id, firstName: 'Renamed' }));
    assert.deepEqual([renamed.email, renamed.firstName], ['old@intranet', 'Renamed']);
    assert.equal(userOf(await get(admin, 'users/get', { id: person.id })).email, 'old@intranet');
    const change = patchOf({ op: 'replace', path: 'name.familyName', value: 'Patched' });
    const patched = await directory.send('PATCH', `/Users/${person.id}`, change);
    assert.deepEqual([patched.status, patched.body.userName], [200, 'old@intranet']);
    const put = await directory.send('PUT', `/Users/${person.id}`, { ...patched.body, name: newUser().name });
    assert.equal(put.status, 200, JSON.stringify(put.body));
  });
});

describe('texts and phone numbers', () => {
  it('a text must have a visible character, and no replacement character', async () => {
    for (const text of NO_NAMES) {
      assertInvalid(await create({ firstName: text }), 'firstName');
      assertInvalid(await create({ addressLine2: text }), 'addressLine2');
      assertInvalid(await updateProfile(admin, { gender: text, addressLine1: text }), 'gender', 'addressLine1');
      assertInvalid(
        await post(admin, 'departments/create', { companyId: home.id, name: text, costCode: text }),
        'name',
        'costCode',
      );
      assertInvalid(await post(admin, 'bands/create', { companyId: home.id, name: text, code: 'B-1' }), 'name');
      assertInvalid(await post(admin, 'api-keys/create', { companyId: home.id, name: text, scopes: ['scim'] }), 'name');
      const name = { givenName: text, familyName: text };
      assert.equal((await directory.send('POST', '/Users', newUser({ name }))).status, 400, JSON.stringify(text));
    }
    assert.equal(userOf(await create({ firstName: 'Zo\u00ad\u00eb' })).firstName, 'Zo\u00ad\u00eb');
  });

  it('a phone number loses invisible characters from copying, and a line break in one is refused', async () => {
    const phone = '\u202a+91\u00a098450\u201112345\u202c';
    assert.equal(userOf(await create({ phone })).phone, '+919845012345');
    assert.equal(dataOf<{ phone: string }>(await updateProfile(admin, { phone })).phone, '+919845012345');
    assertInvalid(await create({ phone: '+91\n9845012345' }), 'phone');
  });
});

describe('dates and date-times as other programs write them', () => {
  it('dateOfBirth accepts midnight UTC with any number of zeros', async () => {
    for (const zeros of ['', '.0', '.000', '.0000000']) {
      const dateOfBirth = `1990-05-15T00:00:00${zeros}Z`;
      assert.equal(userOf(await create({ dateOfBirth })).dateOfBirth, '1990-05-15T00:00:00.000Z');
      assert.equal((await updateProfile(admin, { dateOfBirth })).statusCode, 200, dateOfBirth);
    }
    const wrong = ['1990-05-15T00:00:00', '1990-05-15T00:00:00.0000001Z', '1990-05-15T05:30:00Z'];
    for (const dateOfBirth of wrong) assertInvalid(await create({ dateOfBirth }), 'dateOfBirth');
  });

  it('bookings/record accepts date-times of RFC 3339 with any fraction, any offset and either case', async () => {
    const { key } = dataOf<{ key: string }>(
      await post(admin, 'api-keys/create', { companyId: home.id, name: 'Engine', scopes: ['bookings.write'] }),
    );
    const record = (createdAt: string) =>
      api.send({
        method: 'POST',
        url: '/api/bookings/record',
        headers: { authorization: `Bearer ${key}` },
        payload: {
          bookings: [{ id: 'BK-1', companyId: home.id, userId: admin.id, amount: '1.00', createdAt }],
        },
      });
    const instants = {
      '2026-01-31T09:30:00.123456789Z': '2026-01-31 09:30:00.123456',
      '2026-01-31t09:30:00z': '2026-01-31 09:30:00',
      '2026-01-31T09:30:00+23:59': '2026-01-30 09:31:00',
      '2026-01-31T09:30:00.5-16:00': '2026-02-01 01:30:00.5',
    };
    for (const [createdAt, kept] of Object.entries(instants)) {
      assert.equal((await record(createdAt)).statusCode, 200, createdAt);
      const [row] = await api.db.query<{ kept: string }>(sql`
        select (created_at at time zone 'UTC')::text as kept from bookings where id = 'BK-1'`);
      assert.equal(row?.kept, kept);
    }
    for (const moment of ['2026-01-31T09:30:00.1234567891Z', '2026-01-31t09:30:00z', '2026-01-31T09:30:00+23:59']) {
      const trail = await get(superAdmin, 'audit/list', { from: moment });
      assert.equal(trail.statusCode, 200, moment);
      const filter = encodeURIComponent(`meta.lastModified gt "${moment}"`);
      const found = await directory.send('GET', `/Users?count=0&filter=${filter}`);
      assert.deepEqual([found.status, found.body.totalResults > 0], [200, true], moment);
    }
    for (const createdAt of ['2026-01-31T25:00:00Z', '2026-01-31T09:30:00+24:00', '2026-02-30T00:00:00Z']) {
      assertInvalid(await record(createdAt), 'bookings[0].createdAt');
    }
    const made = await post(superAdmin, 'api-keys/create', {
      companyId: home.id,
      name: 'Timed',
      scopes: ['scim'],
      expiresAt: '2999-01-31t09:30:00.9999999+05:30',
    });
    assert.equal(dataOf<{ expiresAt: string }>(made).expiresAt.slice(0, 19), '2999-01-31T04:00:00');
  });
});
