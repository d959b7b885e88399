import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import type { BookingView } from '../../src/features/bookings/bookings-schemas.ts';
import type { CompanyDetail } from '../../src/features/companies/companies-schemas.ts';
import type { BillToView, LegalEntityView } from '../../src/features/legal-entities/legal-entities-schemas.ts';
import type { UserView } from '../../src/features/profile/profile-schemas.ts';
import { describeChange, openAdministration, personFields } from '../administration/administration.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';

const administration = await openAdministration();
const { api, home, other, admin, foreignAdmin, superAdmin, add, get, post, changesOf } = administration;
after(() => administration[Symbol.asyncDispose]());

const MAHARASHTRA = 4008;
const KARNATAKA = 4026;
const BENGALURU = '1 MG Road, Bengaluru';
/** As the geography of tests has it. */
const GOA = 1;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Returns a GSTIN with its check digit. */
function gstinOf(state: string, pan: string): string {
  const body = `${state}${pan}1Z`;
  const sum = [...body].reduce((total, character, at) => {
    const product = DIGITS.indexOf(character) * (at % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return body + DIGITS.charAt((36 - (sum % 36)) % 36);
}
let made = 1000;
const newPan = () => `AAPFU${made++}F`;
const gst = (state: string, pan: string, fields: object = {}) => ({
  type: 'GSTIN',
  number: gstinOf(state, pan),
  countryCode: 'IN',
  ...fields,
});
const vat = (number: string, countryCode: string) => ({ type: 'VAT', number, countryCode });

const fieldsOf = (fields: object = {}) => ({
  companyId: home.id,
  name: 'Acme India',
  registeredName: 'Acme India Private Limited',
  countryCode: 'IN',
  address: '14 Lake View Road, Mumbai 400001',
  ...fields,
});
const create = (fields: object = {}, as: Person = admin) => post(as, 'legal-entities/create', fieldsOf(fields));
const update = (fields: object, as: Person = admin) => post(as, 'legal-entities/update', fields);
const newEntity = async (fields: object = {}) => dataOf<LegalEntityView>(await create(fields));
const read = async (id: string) => dataOf<LegalEntityView>(await get(admin, 'legal-entities/get', { id }));
const defaultOf = async (companyId: string) =>
  dataOf<LegalEntityView[]>(await get(superAdmin, 'legal-entities/list', { companyId, limit: '100' })).find(
    (each) => each.default,
  );
const companyNow = async () => dataOf<CompanyDetail>(await get(superAdmin, 'companies/get', { id: home.id }));
const billTo = (userId: string, query: object = {}, as: Person = admin) =>
  get(as, 'legal-entities/bill-to', { userId, ...query } as Record<string, string>);

describe('legal entities', () => {
  it('legal-entities/create, get, list, update and delete keep a legal entity with its tax registrations, and tell of them', async () => {
    const pan = newPan();
    const id = randomUUID();
    const body = { id, externalId: 'LE-1', currency: 'INR', taxRegistrations: [gst('27', pan), gst('29', pan)] };
    const changes = await changesOf(() => newEntity(body));
    assert.deepEqual(
      changes.map(describeChange).map(({ what }) => what),
      ['legalEntity added', 'taxRegistration added', 'taxRegistration added'],
    );
    assert.deepEqual(await newEntity(body), await read(id), 'a repetition');
    const { taxRegistrations, default: isDefault, active, timeZone } = await read(id);
    assert.deepEqual([isDefault, active, timeZone], [false, true, null]);
    assert.deepEqual(
      taxRegistrations.map((each) => [each.number, each.stateId, each.default]),
      [
        [gstinOf('27', pan), MAHARASHTRA, true],
        [gstinOf('29', pan), KARNATAKA, false],
      ],
    );
    const [first] = taxRegistrations;
    const changed = dataOf<LegalEntityView>(await update({ id, address: 'Pune', taxRegistrations: [first] }));
    assert.deepEqual([changed.address, changed.taxRegistrations], ['Pune', [first]]);
    const listed = await get(admin, 'legal-entities/list', { companyId: home.id, search: 'acme india' });
    assert.ok(dataOf<LegalEntityView[]>(listed).some((each) => each.id === id));
    assertRefused(await get(foreignAdmin, 'legal-entities/get', { id }), 404, 'NOT_FOUND');
    assertRefused(await create({}, foreignAdmin), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await create({ externalId: 'LE-1' }), 409, 'ALREADY_EXISTS', ['externalId']);
    dataOf(await post(admin, 'legal-entities/delete', { id }));
    assertRefused(await get(admin, 'legal-entities/get', { id }), 404, 'NOT_FOUND');
  });

  it('legal-entities/create refuses a GSTIN with a wrong digit, of another state or PAN, and two defaults', async () => {
    const pan = newPan();
    const good = gst('27', pan);
    const wrong = `${good.number.slice(0, 14)}${good.number.endsWith('A') ? 'B' : 'A'}`;
    const refused = async (taxRegistrations: object[], ...fields: string[]) =>
      assertInvalid(await create({ taxRegistrations }), ...fields.map((field) => `taxRegistrations${field}`));
    await refused([{ ...good, number: wrong }], '[0].number');
    await refused([{ ...good, number: 'U123' }], '[0].number');
    await refused([{ ...good, countryCode: 'DE' }], '[0].countryCode');
    await refused([{ ...good, stateId: KARNATAKA }], '[0].stateId');
    await refused([good, gst('29', newPan())], '[1].number');
    await refused([good, good], '[1].number');
    await refused([{ ...good, default: true }, gst('29', pan, { default: true })], '[1].default');
    await refused([{ ...good, validFrom: '2026-02-01', validUntil: '2026-01-01' }], '[0].validUntil');
    await refused(
      Array.from({ length: 51 }, () => good),
      '',
    );
  });

  it('legal-entities/create reads VAT numbers by the form and check digits of their country, with EL for Greece', async () => {
    const { taxRegistrations } = await newEntity({
      taxRegistrations: [vat('DE 136.695.976', 'DE'), vat('094259216', 'GR'), vat('CHE-116.281.710 MWST', 'CH')],
    });
    assert.deepEqual(taxRegistrations.map(({ number }) => number).sort(), [
      'CHE116281710MWST',
      'DE136695976',
      'EL094259216',
    ]);
    for (const [number, country] of [
      ['DE136695977', 'DE'],
      ['DE136695976', 'FR'],
      ['GR094259217', 'GR'],
    ] as const) {
      assertInvalid(await create({ taxRegistrations: [vat(number, country)] }), 'taxRegistrations[0].number');
    }
    const ein = { type: 'EIN', number: '123', countryCode: 'US' };
    assertInvalid(await create({ taxRegistrations: [ein] }), 'taxRegistrations[0].number');
  });

  it('legal-entities/create returns 409 for a number that an active legal entity of any company has', async () => {
    const taxRegistrations = [gst('27', newPan())];
    const { id } = await newEntity({ taxRegistrations });
    const elsewhere = { companyId: other.id, taxRegistrations };
    assertRefused(await create(elsewhere, foreignAdmin), 409, 'ALREADY_EXISTS', ['taxRegistrations']);
    const company = { name: 'X', legalName: 'X', email: 'x@x.example', gstin: taxRegistrations[0]?.number };
    assertRefused(await post(superAdmin, 'companies/create', company), 409, 'ALREADY_EXISTS', ['gstin']);
    dataOf(await update({ id, active: false }));
    dataOf(await create(elsewhere, foreignAdmin));
    assertRefused(await update({ id, active: true }), 409, 'ALREADY_EXISTS', ['taxRegistrations']);
  });
});

describe('the number of a company', () => {
  it('companies/create and update write it as the default registration of the default legal entity', async () => {
    const entity = await defaultOf(home.id);
    const { gstin, legalName } = await companyNow();
    assert.deepEqual(
      [entity?.id, entity?.registeredName, entity?.taxRegistrations.map((each) => [each.number, each.type])],
      [home.id, legalName, [[gstin, 'OTHER']]],
    );
    const number = gstinOf('29', newPan()).toLowerCase();
    dataOf(await post(superAdmin, 'companies/update', { id: home.id, gstin: number }));
    const [registration] = (await defaultOf(home.id))?.taxRegistrations ?? [];
    assert.deepEqual(
      [registration?.number, registration?.type, registration?.countryCode, registration?.stateId],
      [number, 'GSTIN', 'IN', KARNATAKA],
    );
    // As a former version writes it.
    await api.db.query(sql`update companies set gstin = 'FORMER-1' where id = ${home.id}`);
    assert.equal((await defaultOf(home.id))?.taxRegistrations[0]?.number, 'FORMER-1');
  });

  it('legal-entities/update changes it for a Super Admin with the default registration, and not for a Corporate Admin', async () => {
    const taxRegistrations = [gst('27', newPan())];
    const change = { id: home.id, taxRegistrations };
    assertRefused(await update(change), 403, 'FIELD_FORBIDDEN', ['taxRegistrations']);
    const changes = await changesOf(async () => dataOf(await update(change, superAdmin)));
    assert.equal((await companyNow()).gstin, taxRegistrations[0]?.number);
    assert.ok(changes.some(({ entity, changes: fields }) => entity === 'company' && fields[0]?.field === 'gstin'));
    assertInvalid(await update({ id: home.id, taxRegistrations: [] }, superAdmin), 'taxRegistrations');
    assertInvalid(await update({ id: home.id, default: false }), 'default');
    assertInvalid(await update({ id: home.id, active: false }), 'active');
    assertRefused(await post(superAdmin, 'legal-entities/delete', { id: home.id }), 409, 'IN_USE');
    const second = await newEntity({ taxRegistrations: [gst('27', newPan())] });
    assertRefused(await update({ id: second.id, default: true }), 403, 'FIELD_FORBIDDEN', ['taxRegistrations']);
    dataOf(await update({ id: second.id, default: true }, superAdmin));
    assert.deepEqual(
      [(await defaultOf(home.id))?.id, (await companyNow()).gstin],
      [second.id, second.taxRegistrations[0]?.number],
    );
    dataOf(await update({ id: home.id, default: true }, superAdmin));
  });
});

describe('bill-to', () => {
  it('people get the legal entity of the nearest department, and bookings keep the one at recording', async () => {
    const entity = await newEntity({ taxRegistrations: [gst('27', newPan())] });
    const make = async (fields: object) => {
      const body = { companyId: home.id, name: 'Tree', costCode: randomUUID(), ...fields };
      return dataOf<{ id: string; legalEntityId: string; legalEntity: object }>(
        await post(admin, 'departments/create', body),
      );
    };
    const above = await make({ legalEntityId: entity.id });
    const below = await make({ parentId: above.id });
    const shown = { id: entity.id, name: entity.name };
    assert.deepEqual(above.legalEntity, { ...shown, inherited: false });
    assert.deepEqual([below.legalEntityId, below.legalEntity], [entity.id, { ...shown, inherited: true }]);
    const { id } = await add({ columns: { department_id: below.id } });
    const person = dataOf<UserView>(await get(admin, 'users/get', { id }));
    assert.deepEqual([person.legalEntityId, person.legalEntity], [entity.id, { ...shown, inherited: true }]);
    const bookings = [{ id: randomUUID(), companyId: home.id, userId: id, amount: '5.00' }];
    dataOf(await post(superAdmin, 'bookings/record', { bookings }));
    dataOf(await post(admin, 'users/update', { id, legalEntityId: home.id }));
    assert.equal(dataOf<UserView>(await get(admin, 'users/get', { id })).legalEntityId, home.id);
    const booked = dataOf<BookingView>(await get(admin, 'bookings/get', { id: bookings[0]?.id ?? '' }));
    assert.equal(booked.legalEntityId, entity.id);
    const foreign = await defaultOf(other.id);
    assertInvalid(await post(admin, 'users/update', { id, legalEntityId: foreign?.id }), 'legalEntityId');
    assertInvalid(
      await post(admin, 'departments/update', { id: below.id, legalEntityId: foreign?.id }),
      'legalEntityId',
    );
    assertRefused(await post(admin, 'legal-entities/delete', { id: entity.id }), 409, 'IN_USE');
    dataOf(await post(admin, 'users/update', { id, legalEntityId: null }));
    assert.equal(dataOf<UserView>(await get(admin, 'users/get', { id })).legalEntityId, entity.id);
  });

  it('legal-entities/bill-to returns the registration of the same state, else the same country, else the default one', async () => {
    const pan = newPan();
    const [home1, south, german] = [
      gst('27', pan),
      gst('29', pan, { address: BENGALURU }),
      { ...vat('DE811569869', 'DE'), default: true },
    ];
    const ended = gst('33', pan, { validUntil: '2020-03-31' });
    const entity = await newEntity({ taxRegistrations: [home1, south, german, ended] });
    const person = await add({ columns: { legal_entity_id: entity.id } });
    const ask = async (query: object) => {
      const { number, address } = dataOf<BillToView>(await billTo(person.id, query));
      return [number, address];
    };
    const [first, other1] = [entity.address, BENGALURU];
    assert.deepEqual(await ask({}), [german.number, first]);
    assert.deepEqual(await ask({ stateId: KARNATAKA }), [south.number, other1]);
    assert.deepEqual(await ask({ stateId: GOA }), [home1.number, first], 'none in that state');
    assert.deepEqual(await ask({ countryCode: 'in' }), [home1.number, first]);
    assert.deepEqual(await ask({ countryCode: 'FR' }), [german.number, first]);
    const whole = dataOf<BillToView>(await billTo(person.id, { stateId: KARNATAKA }));
    assert.deepEqual(whole, {
      legalEntityId: entity.id,
      name: entity.registeredName,
      address: other1,
      number: south.number,
      type: 'GSTIN',
      countryCode: 'IN',
      stateId: KARNATAKA,
    });
    const guest = { ...personFields(home), workerType: 'GUEST', until: '2999-01-01', hostId: person.id };
    const { id } = dataOf<Person>(await post(admin, 'users/create', guest));
    assert.equal(dataOf<BillToView>(await billTo(id)).legalEntityId, entity.id, 'of the host');
  });

  it('legal-entities/bill-to returns the default legal entity for a person or department of an inactive one', async () => {
    const { id: legalEntityId } = await newEntity({ taxRegistrations: [gst('27', newPan())] });
    const body = { companyId: home.id, name: 'Closed', costCode: randomUUID(), legalEntityId };
    const department = dataOf<{ id: string }>(await post(admin, 'departments/create', body));
    const people = [
      await add({ columns: { legal_entity_id: legalEntityId } }),
      await add({ columns: { department_id: department.id } }),
    ];
    const billed = async () =>
      Promise.all(people.map(async ({ id }) => dataOf<BillToView>(await billTo(id)).legalEntityId));
    assert.deepEqual(await billed(), [legalEntityId, legalEntityId]);
    dataOf(await update({ id: legalEntityId, active: false }));
    const fallback = (await defaultOf(home.id))?.id;
    assert.deepEqual(await billed(), [fallback, fallback]);
  });

  it('legal-entities/bill-to answers people of the company and API keys, and returns 404 to others', async () => {
    const person = await add();
    const colleague = await add({ roles: [['EMPLOYEE', home]] });
    assert.equal(dataOf<BillToView>(await billTo(person.id, {}, colleague)).legalEntityId, home.id);
    assert.equal((await billTo(person.id, {}, person)).statusCode, 200);
    assertRefused(await billTo(person.id, {}, foreignAdmin), 404, 'NOT_FOUND');
    assertRefused(await billTo(randomUUID()), 404, 'NOT_FOUND');
    const url = '/api/legal-entities/bill-to';
    const key = async (companyId: string) => {
      const given = { name: 'Travel tool', scopes: ['users.read'] as const, companyId, expiresAt: null };
      const added = await api.db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, given));
      return { authorization: `Bearer ${added.key}` };
    };
    const query = { userId: person.id };
    assert.equal((await api.app.inject({ url, query, headers: await key(home.id) })).statusCode, 200);
    assert.equal((await api.app.inject({ url, query, headers: await key(other.id) })).statusCode, 404);
  });
});
