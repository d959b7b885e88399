import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import { erasePerson } from '../../src/features/people/erase-person.ts';
import { removeOldTravellers } from '../../src/features/travellers/remove-old-travellers.ts';
import { rotateProfileKey } from '../../src/features/travellers/rotate-profile-key.ts';
import { profileKeys } from '../../src/features/travellers/sealed-numbers.ts';
import type { TravellerView } from '../../src/features/travellers/traveller-schemas.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { openAdministration } from './administration.ts';

const SECRET = 'a profile key for tests, long enough';
const administration = await openAdministration(undefined, { PROFILE_KEY: SECRET });
const { api, home, other, admin, foreignAdmin, superAdmin, get, post, add, addCompany } = administration;
after(() => administration[Symbol.asyncDispose]());

type View = TravellerView & Record<'legalName' | 'home' | 'preferences' | 'emergencyContact', unknown>;

const PASSPORT = {
  type: 'PASSPORT',
  number: 'Z1234567',
  issuingCountry: 'in',
  nationality: 'IN',
  issuedOn: '2022-04-01',
  expiresOn: '2032-03-31',
  primary: true,
};
const PROGRAMME = { kind: 'AIR', supplier: 'AI', number: 'AI998877', tier: 'Gold' };
const CONTACT = { name: 'Ravi Rao', relation: 'Brother', phone: '+919876543210' };

const read = async (as: Person, query: Record<string, string> = {}) =>
  dataOf<View>(await get(as, 'users/get-traveller', query));
const change = (as: Person, body: object) => post(as, 'users/update-traveller', body);

async function newTraveller(body: object = {}): Promise<Person> {
  const person = await add();
  dataOf(await change(person, { documents: [PASSPORT], programmes: [PROGRAMME], emergencyContact: CONTACT, ...body }));
  return person;
}

async function keyWith(...scopes: string[]): Promise<Record<string, string>> {
  const given = { name: 'Agency', scopes, companyId: home.id, expiresAt: null } as never;
  const { key } = await api.db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, given));
  return { authorization: `Bearer ${key}` };
}

const entriesAbout = ({ id }: Person) =>
  api.db.query<{ action: string; entity: string; text: string }>(sql`
    select action, entity, field_values::text || coalesce((select personal.field_values::text from audit_personal_values personal
      where personal.change_id = audit_changes.id), '') as text from audit_changes where user_id = ${id}::uuid order by id`);

describe('what people need to travel', () => {
  it('users/get-traveller returns empty lists and nulls to a person who has saved nothing', async () => {
    const person = await add();
    const view = await read(person);
    assert.deepEqual(
      [view.id, view.legalName, view.home, view.documents, view.programmes, view.arrangers, view.emergencyContact],
      [person.id, null, null, [], [], [], null],
    );
  });

  it('users/update-traveller returns 400 for what is no time zone', async () => {
    const person = await add();
    for (const timeZone of ['+02:00', 'Mars/Base', 'CET2'])
      assertInvalid(await change(person, { timeZone }), 'timeZone');
  });

  it('users/update-traveller returns every value that a person saves, codes in capitals and numbers by their end', async () => {
    const person = await newTraveller({
      legalName: { given: 'Asha', family: 'Rao' },
      title: 'Dr',
      documentGender: 'X',
      nationality: 'in',
      home: { cityId: 133024, countryCode: 'IN' },
      homeAirport: 'bom',
      language: 'en-in',
      timeZone: 'Asia/Kolkata',
      preferences: { seat: 'Aisle', meal: 'vgml', accessibility: ['wchr'] },
    });
    const view = await read(person);
    assert.deepEqual(view.legalName, { given: 'Asha', middle: null, family: 'Rao', suffix: null });
    assert.deepEqual([view.nationality, view.homeAirport, view.language], ['IN', 'BOM', 'en-IN']);
    assert.deepEqual(view.preferences, {
      seat: 'Aisle',
      meal: 'VGML',
      room: null,
      accessibility: ['WCHR'],
      notes: null,
    });
    const [document] = view.documents;
    assert.deepEqual([document?.number, document?.lastFour, document?.issuingCountry], [null, '4567', 'IN']);
    assert.deepEqual(view.emergencyContact, { ...CONTACT, email: null });
  });

  it('users/update-traveller keeps the items of a list that come back with their id, adds those without and removes the others', async () => {
    const person = await newTraveller();
    const [document] = (await read(person)).documents;
    const visa = { type: 'VISA', number: 'V-77', issuingCountry: 'US', expiresOn: '2031-01-01' };
    const view = dataOf<View>(await change(person, { documents: [document, visa], programmes: [] }));
    assert.deepEqual(
      view.documents.map(({ type, lastFour }) => [type, lastFour]),
      [
        ['PASSPORT', '4567'],
        ['VISA', 'V-77'],
      ],
    );
    assert.equal(view.documents[0]?.id, document?.id);
    assert.deepEqual(view.programmes, []);
    assert.equal((await read(person, { reveal: 'true' })).documents[0]?.number, 'Z1234567');
  });

  it('users/update-traveller changes nothing for a person who sends back what they have read', async () => {
    const person = await newTraveller();
    const view = await read(person);
    const after = await administration.withoutTrace(() => change(person, { ...view, id: undefined }));
    assert.deepEqual(dataOf(after), view);
  });

  it('users/update-traveller returns 400 with the path of each wrong value, and saves nothing', async () => {
    const person = await newTraveller();
    const wrong = {
      documents: [{ ...PASSPORT, issuingCountry: 'India', expiresOn: '2030-02-30' }],
      preferences: { accessibility: ['WHEELCHAIR'] },
      language: 'no language',
    };
    const answer = await change(person, wrong);
    assertInvalid(
      answer,
      'language',
      'preferences.accessibility[0]',
      'documents[0].issuingCountry',
      'documents[0].expiresOn',
    );
    assertInvalid(await change(person, { legalName: { given: 'Asha' } }), 'legalName.family');
    assertInvalid(await change(person, { documents: [{ ...PASSPORT, id: randomUUID() }] }), 'documents[0].id');
    assert.equal((await read(person)).documents.length, 1);
  });

  it('users/get-traveller warns of a document that ends within six months and of another legal name', async () => {
    const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const person = await newTraveller({
      documents: [{ ...PASSPORT, expiresOn: soon }],
      legalName: { given: 'Zoe', family: 'Other' },
    });
    const { warnings } = await read(person);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['DOCUMENT_ENDS_SOON', 'LEGAL_NAME_DIFFERS'],
    );
  });
});

describe('who may read a traveller', () => {
  it('users/get-traveller returns whole numbers to the person alone, with an entry in the trail', async () => {
    const person = await newTraveller();
    assert.equal((await read(person, { reveal: 'true' })).documents[0]?.number, 'Z1234567');
    const entries = await entriesAbout(person);
    assert.ok(entries.some(({ action, entity }) => action === 'searched' && entity === 'traveller'));
    assertRefused(await get(admin, 'users/get-traveller', { id: person.id, reveal: 'true' }), 403, 'ROLE_REQUIRED');
  });

  it('users/get-traveller returns ends of numbers and the emergency contact to the Corporate Admin of the company', async () => {
    const person = await newTraveller();
    const view = await read(admin, { id: person.id });
    assert.deepEqual([view.documents[0]?.number, view.documents[0]?.lastFour], [null, '4567']);
    assert.deepEqual(view.emergencyContact, { ...CONTACT, email: null });
  });

  it('users/get-traveller returns an error to a Manager, a Super Admin, a colleague and the admin of another company', async () => {
    const person = await newTraveller();
    const manager = await add({ roles: [['MANAGER', home]] });
    for (const who of [manager, superAdmin, await add()]) {
      assertRefused(await get(who, 'users/get-traveller', { id: person.id }), 403, 'ROLE_REQUIRED');
    }
    assertRefused(await get(foreignAdmin, 'users/get-traveller', { id: person.id }), 404, 'NOT_FOUND');
    assertRefused(await change(foreignAdmin, { id: person.id, title: 'Dr' }), 404, 'NOT_FOUND');
  });

  it('users/get-traveller returns whole numbers to an arranger who may read documents, and to no arranger whose time is over', async () => {
    const [books, reads, former] = [await add(), await add(), await add()];
    const person = await newTraveller({
      arrangers: [
        { userId: books.id },
        { userId: reads.id, may: 'BOOK_AND_READ_DOCUMENTS' },
        { userId: former.id, until: '2020-01-01' },
      ],
    });
    assert.equal((await read(books, { id: person.id })).documents[0]?.lastFour, '4567');
    assertRefused(await get(books, 'users/get-traveller', { id: person.id, reveal: 'true' }), 403, 'ROLE_REQUIRED');
    assert.equal((await read(reads, { id: person.id, reveal: 'true' })).documents[0]?.number, 'Z1234567');
    assertRefused(await get(former, 'users/get-traveller', { id: person.id }), 403, 'ROLE_REQUIRED');
    assertInvalid(await change(person, { arrangers: [{ userId: person.id }] }), 'arrangers[0].userId');
    assertInvalid(await change(person, { arrangers: [{ userId: foreignAdmin.id }] }), 'arrangers[0].userId');
  });

  it('users/get-traveller returns to a key what its scopes name, and notes each reading', async () => {
    const person = await newTraveller();
    const request = async (scopes: string[], query: Record<string, string> = {}) =>
      api.send({
        url: '/api/users/get-traveller',
        query: { id: person.id, ...query },
        headers: await keyWith(...scopes),
      });
    assertRefused(await request(['users.read']), 403, 'SCOPE_REQUIRED');
    const view = dataOf<View>(await request(['travellers.read']));
    assert.deepEqual([view.documents[0]?.lastFour, view.emergencyContact], ['4567', null]);
    assertRefused(await request(['travellers.read'], { reveal: 'true' }), 403, 'SCOPE_REQUIRED');
    const all = ['travellers.read', 'travellers.documents', 'travellers.emergency'];
    const whole = dataOf<View>(await request(all, { reveal: 'true' }));
    assert.equal(whole.documents[0]?.number, 'Z1234567');
    assert.deepEqual(whole.emergencyContact, { ...CONTACT, email: null });
    const readings = (await entriesAbout(person)).filter(({ action }) => action === 'searched');
    assert.equal(readings.length, 2);
  });

  it('users/list returns people whose documents end before a day to their Corporate Admin, and 403 to a Manager', async () => {
    const person = await newTraveller({ documents: [{ ...PASSPORT, expiresOn: '2026-06-30' }] });
    const query = { companyId: home.id, documentsExpireBefore: '2026-07-01' };
    const { items } = pageOf<{ id: string }>(await get(admin, 'users/list', query));
    assert.deepEqual(
      items.map(({ id }) => id),
      [person.id],
    );
    const manager = await add({ roles: [['MANAGER', home]] });
    assertRefused(await get(manager, 'users/list', query), 403, 'ROLE_REQUIRED');
  });

  it('users/list returns the people for whom somebody arranges trips', async () => {
    const arranger = await add();
    const person = await newTraveller({ arrangers: [{ userId: arranger.id }] });
    const query = { companyId: home.id, arrangedBy: arranger.id };
    const { items } = pageOf<{ id: string }>(await get(admin, 'users/list', query));
    assert.deepEqual(
      items.map(({ id }) => id),
      [person.id],
    );
  });
});

describe('how numbers are kept', () => {
  it('users/update-traveller stores no number in clear, neither in its table nor in the trail', async () => {
    const person = await newTraveller();
    const [stored] = await api.db.query<{ number: string }>(
      sql`select number from traveller_documents where user_id = ${person.id}`,
    );
    assert.doesNotMatch(stored?.number ?? 'Z1234567', /Z1234567/);
    const entries = await entriesAbout(person);
    assert.doesNotMatch(JSON.stringify(entries), /Z1234567|AI998877/);
    assert.ok(entries.some(({ entity, text }) => entity === 'travellerDocument' && text.includes('4567')));
  });

  it('users/update-traveller returns 409 NOT_CONFIGURED for a document where the service has no key', async () => {
    await using plain = await openAdministration();
    const person = await plain.add();
    assertRefused(await plain.post(person, 'users/update-traveller', { documents: [PASSPORT] }), 409, 'NOT_CONFIGURED');
    dataOf(await plain.post(person, 'users/update-traveller', { title: 'Dr' }));
  });

  it('the service opens numbers of documents by a new key alone once they have been rotated', async () => {
    const person = await newTraveller();
    const next = 'another profile key for the tests';
    const moved = await rotateProfileKey(api.db, profileKeys(next, SECRET));
    const [stored] = await api.db.query<{ number: string }>(
      sql`select number from traveller_documents where user_id = ${person.id}`,
    );
    assert.ok(moved > 0);
    assert.equal(profileKeys(next).open(stored?.number ?? '', person.id), 'Z1234567');
    assert.throws(() => profileKeys(next).open(stored?.number ?? '', admin.id));
    await rotateProfileKey(api.db, profileKeys(SECRET, next));
    assert.equal(await rotateProfileKey(api.db, profileKeys(SECRET)), 0);
  });

  it('the service removes documents 90 days after their end, and all of a person 180 days after their last day', async () => {
    const old = await newTraveller({ documents: [{ ...PASSPORT, expiresOn: '2020-01-01' }, PASSPORT] });
    const leaver = await newTraveller();
    await api.db.query(sql`update users set end_date = '2020-01-01' where id = ${leaver.id}`);
    await removeOldTravellers(api.db, { documentRetention: 90, travellerRetention: 180 });
    assert.equal((await read(admin, { id: old.id })).documents.length, 1);
    const left = await read(admin, { id: leaver.id });
    assert.deepEqual([left.documents, left.programmes, left.emergencyContact], [[], [], null]);
  });

  it('the service counts the days after the end of a document in the time zone of the company', async () => {
    // 26 hours apart: two days at the same time.
    const [ahead, behind] = [
      await add({ company: await addCompany({ timeZone: 'Pacific/Kiritimati' }) }),
      await add({ company: await addCompany({ timeZone: 'Etc/GMT+12' }) }),
    ];
    const [day] = await api.db.query<{ end: string }>(
      sql`select ((now() at time zone 'Pacific/Kiritimati')::date - 91)::text as end`,
    );
    for (const person of [ahead, behind])
      dataOf(await change(person, { documents: [{ ...PASSPORT, expiresOn: day?.end }] }));
    await removeOldTravellers(api.db, { documentRetention: 90, travellerRetention: 180 });
    const left = await api.db.query(sql`
      select user_id as id from traveller_documents where user_id in (${ahead.id}::uuid, ${behind.id}::uuid)`);
    assert.deepEqual(left, [{ id: behind.id }]);
  });

  it('orgdesk erase leaves nothing of what a person needs to travel', async () => {
    const person = await newTraveller();
    await erasePerson(api.db, person.id);
    const [row] = await api.db.query<{ left: number }>(sql`
      select (select count(*) from travellers where user_id = ${person.id}) +
             (select count(*) from traveller_documents where user_id = ${person.id}) +
             (select count(*) from traveller_programmes where user_id = ${person.id}) as left`);
    assert.equal(Number(row?.left), 0);
    assert.doesNotMatch(JSON.stringify(await entriesAbout(person)), /4567|Ravi/);
  });
});

describe('own data', () => {
  it('users/export-own returns profile, traveller with whole numbers, bookings and the people they arrange for', async () => {
    const person = await newTraveller();
    const traveller = await newTraveller({ arrangers: [{ userId: person.id }] });
    const own = dataOf<{ profile: { id: string }; traveller: TravellerView; arranges: { userId: string }[] }>(
      await get(person, 'users/export-own', {}),
    );
    assert.deepEqual(
      [own.profile.id, own.traveller.documents[0]?.number, own.arranges.map(({ userId }) => userId)],
      [person.id, 'Z1234567', [traveller.id]],
    );
    assert.notEqual(other.id, home.id);
  });
});
