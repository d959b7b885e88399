import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { PROFILE_FIELDS as FIELDS, type ProfileFieldName as Field } from '../../src/entities/user.ts';
import type { ReducedProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertInvalid, dataOf, type ErrorBody } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { NAUGHTY_STRINGS } from '../support/naughty-strings.ts';
import { addPerson, userRow } from '../support/people.ts';
import { UPDATE_PROFILE, UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';

const TEXTS = ['firstName', 'lastName', 'gender', 'addressLine1', 'addressLine2'] as const;

function day(fromToday: number): string {
  return new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10);
}

/** What each field takes: the value sent is the value kept, or all are kept as another. */
const ACCEPTED: readonly (readonly [field: Field, rule: string, values: readonly string[], kept?: string])[] = [
  ['firstName', '1 to 100 code points', ['x', 'x'.repeat(100), '😀'.repeat(100)]],
  ['lastName', '1 to 100 code points', ['x', 'x'.repeat(100), '𝒳'.repeat(100)]],
  ['gender', '1 to 50 code points of any text', ['Male', 'Female', 'Other', 'non-binary', '⚧', '😀'.repeat(50)]],
  ['addressLine1', 'up to 255 code points', ['x', 'é'.repeat(255), '😀'.repeat(255)]],
  ['addressLine2', 'up to 255 code points', ['x', 'é'.repeat(255), '😀'.repeat(255)]],
  [
    'pincode',
    '3 to 12 letters, digits, spaces or hyphens',
    ['abc', '560001', 'SW1A 1AA', '01-234', '123456789012', '---'],
  ],
  ['phone', 'E.164 of 7 to 15 digits, with an extension', ['+2901234', '+491512345678901', '+12015550123;ext=7']],
  [
    'phone',
    'international forms, which become E.164',
    ['+91 98450-54321', '+91 (98450) 543-21', '0091 98450 54321', '+91.98450.54321', '+91 (0)98450/54321'],
    '+919845054321',
  ],
  [
    'phone',
    'national forms of the country of the company, which become E.164',
    ['9845054321', '098450 54321', '(098450) 543-21'],
    '+919845054321',
  ],
  ['dateOfBirth', 'calendar dates from 1900-01-01 to today', ['1900-01-01', '1984-02-29', '2000-02-29', day(0)]],
];

/** What each field refuses. */
const REFUSED: readonly (readonly [field: Field, rule: string, values: readonly string[]])[] = [
  ['firstName', 'more than 100 code points', ['x'.repeat(101), '😀'.repeat(101)]],
  ['lastName', 'more than 100 code points', ['x'.repeat(101), '😀'.repeat(101)]],
  ['gender', 'more than 50 code points', ['x'.repeat(51), '😀'.repeat(51)]],
  ['addressLine1', 'more than 255 code points', ['x'.repeat(256), '😀'.repeat(256)]],
  ['addressLine2', 'more than 255 code points', ['x'.repeat(256), '😀'.repeat(256)]],
  ['pincode', 'fewer than 3 or more than 12 characters', ['12', ' 12 ', '1234567890123']],
  [
    'pincode',
    'other characters',
    ['560_001', '560.001', 'é1234', '１２３４５', '५६०००१', '123😀', '560\u00a0001', '560\n001'],
  ],
  [
    'phone',
    'fewer than 7 or more than 15 digits',
    ['123456', '+123456', '1234567890123456', '1 2 3 4 5 6', '+', '()-'],
  ],
  ['phone', 'numbers of no country', ['+9991234567', '+01234567', '1234567', '123456789012345']],
  [
    'phone',
    'too few or too many digits for the country',
    ['+1201555012', '+120155501234', '98450 1234', '98450 123456'],
  ],
  ['phone', 'a plus elsewhere or twice', ['98450+12345', '9845012345+', '++919845012345', '(+91) 9845012345']],
  [
    'phone',
    'other characters',
    ['+91_98450_12345', '98450 1234a', '9845012345x', '९८४५०१२३४५', '９８４５０１２３４５', '98450\n12345'],
  ],
  ['phone', 'separators before, after and in quantity', ['-9845012345', '9845012345-', `98450${' '.repeat(60)}12345`]],
  ['dateOfBirth', 'days before 1900-01-01 and after today', ['1899-12-31', '0001-01-01', day(1), '9999-12-31']],
  [
    'dateOfBirth',
    'days that there are not',
    ['2023-02-29', '1900-02-29', '1990-13-01', '1990-00-10', '1990-04-31', '1990-01-00'],
  ],
  [
    'dateOfBirth',
    'other forms',
    ['15-05-1990', '05/15/1990', '1990-5-15', '19900515', '+1990-05-15', '642729600', 'today', '1990-W20'],
  ],
  [
    'dateOfBirth',
    'date-times other than midnight UTC as the API writes it',
    [
      '1990-05-15T00:00:00.001Z',
      '1990-05-15T05:30:00.000Z',
      '1990-05-15T00:00:00+05:30',
      '1990-05-15 00:00:00.000Z',
      '1990-05-15T00:00:00',
      '2023-02-29T00:00:00.000Z',
      '1899-12-31T00:00:00.000Z',
      `${day(1)}T00:00:00.000Z`,
    ],
  ],
];

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { id, email } = await addPerson(api.db);
const stored = () => userRow(api.db, id);

/** A query string cannot carry half of a surrogate pair, and the head of a request is at most 16 KiB. */
function fitsQuery(text: string): boolean {
  return text.isWellFormed() && encodeURIComponent(text).length * FIELDS.length < 15_000;
}

for (const way of UPDATE_WAYS) {
  const update = (fields: object) => updateProfile(api, way, email, fields);

  describe(`update profile by ${way}: values`, () => {
    for (const [field, rule, values, same] of ACCEPTED) {
      it(`update-profile by ${way} accepts for ${field}: ${rule}`, async () => {
        for (const value of values) {
          const kept = dataOf<ReducedProfileView>(await update({ [field]: value }))[field];
          assert.equal(kept, field === 'dateOfBirth' ? `${value}T00:00:00.000Z` : (same ?? value));
        }
      });
    }

    for (const [field, rule, values] of REFUSED) {
      it(`update-profile by ${way} refuses for ${field}: ${rule}`, async () => {
        const before = await stored();
        for (const value of values) assertInvalid(await update({ [field]: value }), field);
        assert.deepEqual(await stored(), before);
      });
    }

    it(`update-profile by ${way} accepts dateOfBirth in the form that the API returns`, async () => {
      await update({ dateOfBirth: '1990-05-15T00:00:00.000Z' });
      assert.equal((await stored()).date_of_birth, '1990-05-15');
      const { dateOfBirth } = dataOf<ReducedProfileView>(await update({ dateOfBirth: '1984-02-29' }));
      assert.equal(dataOf<ReducedProfileView>(await update({ dateOfBirth })).dateOfBirth, dateOfBirth);
    });

    it(`update-profile by ${way} refuses control characters and NUL in every text`, async () => {
      const before = await stored();
      for (const field of TEXTS) {
        for (const sign of ['\0', '\u0001', '\n', '\r', '\t', '\u001b', '\u007f', '\u0080', '\u009f']) {
          assertInvalid(await update({ [field]: `a${sign}b` }), field);
        }
      }
      for (const field of ['phone', 'pincode', 'dateOfBirth']) assertInvalid(await update({ [field]: '1\0' }), field);
      assert.deepEqual(await stored(), before);
    });

    it(`update-profile by ${way} keeps naughty texts byte for byte or refuses them, in every field`, async () => {
      let kept = 0;
      for (const text of NAUGHTY_STRINGS) {
        if (way === 'GET' && !fitsQuery(text)) continue;
        const refused = (await update(Object.fromEntries(FIELDS.map((field) => [field, text])))).json<ErrorBody>();
        assert.ok(refused.errors, `a phone number, or a date: ${text}`);
        const problems = new Set(refused.errors.map(({ field }) => field));
        const taken = FIELDS.filter((field) => !problems.has(field));
        const data = dataOf<ReducedProfileView>(await update(Object.fromEntries(taken.map((field) => [field, text]))));
        for (const field of taken) assert.equal(data[field], text.trim() || null, JSON.stringify(text));
        if (taken.includes('firstName')) assert.equal((await stored()).first_name, data.firstName);
        kept += taken.length;
      }
      assert.ok(kept > 400);
    });
  });
}

describe('update profile by POST: texts', () => {
  it('update-profile by POST refuses lone surrogates, escaped in JSON or encoded in bytes', async () => {
    const before = await stored();
    const headers = { 'content-type': 'application/json' };
    const post = (payload: string | Buffer) =>
      api.send({ url: UPDATE_PROFILE, method: 'POST', as: email, payload, headers });
    for (const field of TEXTS) {
      for (const half of ['\\ud800', '\\udfff', 'a\\uD83Db', '\\ude00\\ud83d']) {
        assertInvalid(await post(`{"${field}":"${half}"}`), field);
      }
      const bytes = Buffer.concat([Buffer.from(`{"${field}":"`), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]);
      assert.equal((await post(bytes)).statusCode, 400);
    }
    assert.deepEqual(await stored(), before);
    dataOf(await post('{"firstName":"\\ud83d\\ude00"}'));
    assert.equal((await stored()).first_name, '😀');
  });

  it('update-profile by POST counts code points after trimming, not bytes or UTF-16 units', async () => {
    const name = '👩‍👩‍👧‍👦'.repeat(14); // 7 code points, 11 UTF-16 units and 25 bytes each
    assert.equal([...name].length, 98);
    dataOf(await updateProfile(api, 'POST', email, { firstName: `${' '.repeat(60)}${name}xy${' '.repeat(60)}` }));
    assert.equal((await stored()).first_name, `${name}xy`);
    assertInvalid(await updateProfile(api, 'POST', email, { firstName: `${name}xyz` }), 'firstName');
  });
});
