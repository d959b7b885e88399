import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { createUser, ENTERPRISE, type Json, ORGDESK, openDirectory, patchOf, replace } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Unreadable values');
await api.db.query(sql`update companies set country = 'DE' where id = ${directory.company.id}`);

const address = (parts: object) => ({ addresses: [{ type: 'work', ...parts }] });
const phone = (value: string) => ({ phoneNumbers: [{ type: 'work', value }] });
const street = ({ addresses }: Json) => addresses?.[0].streetAddress;
const postalCode = ({ addresses }: Json) => addresses?.[0].postalCode;
const number = ({ phoneNumbers }: Json) => phoneNumbers?.[0].value;

/** What is stored of a value that does not hold to its rule as it is. */
const TIDIED: readonly (readonly [sent: object, stored: (user: Json) => unknown, value: string])[] = [
  [address({ streetAddress: '14 Lake View Road\nFlat 3B' }), street, '14 Lake View Road Flat 3B'],
  [address({ streetAddress: '14 Lake View Road\r\nFlat 3B\r\n' }), street, '14 Lake View Road Flat 3B'],
  [address({ streetAddress: '14 Lake\tView\u0000Road' }), street, '14 Lake View Road'],
  [address({ postalCode: '〒150-0001' }), postalCode, '150-0001'],
  [address({ postalCode: '１５０－０００１' }), postalCode, '150-0001'],
  [{ name: { givenName: 'Ines\n', familyName: 'de la\nCruz' } }, ({ name }) => name.formatted, 'Ines de la Cruz'],
  [{ title: 'Head of\nTravel' }, ({ title }) => title, 'Head of Travel'],
  [phone('0151/1234567'), number, '+491511234567'],
  [phone('+49 89 / 123456'), number, '+4989123456'],
  [phone('+49 (0)89/123456-0'), number, '+49891234560'],
  [phone('+1.201.555.0123'), number, '+12015550123'],
  [phone('+1 201 555 0123 ext. 7'), number, '+12015550123;ext=7'],
  [phone('+1 201 555 0123 x7'), number, '+12015550123;ext=7'],
  [phone('tel:+1-201-555-0123;ext=7;isub=1'), number, '+12015550123;ext=7'],
];

/** Values that cannot be read, and the field that the report names. */
const UNREADABLE: readonly (readonly [sent: object, field: string])[] = [
  [address({ streetAddress: 'x'.repeat(256) }), 'addressLine1'],
  [address({ postalCode: '-' }), 'pincode'],
  [address({ postalCode: '1234567890123' }), 'pincode'],
  [address({ country: 'x'.repeat(201) }), 'country'],
  [address({ locality: 'x'.repeat(201) }), 'locality'],
  [address({ region: 'an unread \ufffd' }), 'region'],
  [phone('ask the desk'), 'phone'],
  [phone('12'), 'phone'],
  [phone('000 0000000'), 'phone'],
  [phone('+91 1234 567'), 'phone'],
  [{ title: 'x'.repeat(250) }, 'jobTitle'],
  [{ emails: [{ type: 'work', value: 'no address' }] }, 'workEmail'],
  [{ [ENTERPRISE]: { costCenter: 'x'.repeat(101) } }, 'costCenter'],
  [{ [ENTERPRISE]: { employeeNumber: 'x'.repeat(51) } }, 'employeeNumber'],
  [{ [ENTERPRISE]: { department: 'x'.repeat(201) } }, 'department'],
  [{ [ENTERPRISE]: { manager: { value: 'x'.repeat(256) } } }, 'manager'],
  [{ [ORGDESK]: { gender: 'x'.repeat(51) } }, 'gender'],
  [{ [ORGDESK]: { dateOfBirth: '31.02.1990' } }, 'dateOfBirth'],
  [{ [ORGDESK]: { addressLine2: 'x'.repeat(256) } }, 'addressLine2'],
  [{ [ORGDESK]: { clientType: 'Employee' } }, 'clientType'],
];

async function leftOutOf(id: string): Promise<Json[]> {
  const rows = await api.db.query<{ values: Json }>(sql`
    select field_values as values from audit_changes
     where action = 'refused' and entity = 'user' and entity_id = ${id} and actor_id = ${directory.keyId}::uuid`);
  return rows.map(({ values }) => values);
}

describe('a value that a directory sends in an optional attribute', () => {
  for (const [sent, stored, value] of TIDIED) {
    it(`SCIM's POST of ${JSON.stringify(sent)} stores ${value}, and the same again changes nothing`, async () => {
      const user = await createUser(directory, sent);
      assert.equal(stored(user), value);
      assert.deepEqual(await leftOutOf(user.id), []);
      const { status, body } = await directory.send('PUT', `/Users/${user.id}`, { ...user, ...sent });
      assert.deepEqual([status, body], [200, user]);
    });
  }

  for (const [sent, field] of UNREADABLE) {
    it(`a SCIM POST of ${JSON.stringify(sent).slice(0, 100)} omits it, and the trail reports ${field}`, async () => {
      const user = await createUser(directory, sent);
      assert.deepEqual(await leftOutOf(user.id), [{ [field]: [null, 'invalid'] }]);
      const { id, meta: _, ...plain } = user;
      const again = await directory.send('PUT', `/Users/${id}`, { ...plain, ...sent });
      assert.deepEqual([again.status, again.body], [200, user]);
    });
  }

  it('a SCIM PATCH with an unreadable optional value keeps the previous one and changes the rest', async () => {
    const before = { title: 'Clerk', ...address({ streetAddress: '1 Road', postalCode: '560001' }) };
    const { id } = await createUser(directory, before);
    const operations = [
      replace('title', 'x'.repeat(250)),
      replace('addresses[type eq "work"].postalCode', '!'),
      replace('name.givenName', 'Ada'),
    ];
    const { status, body } = await directory.send('PATCH', `/Users/${id}`, patchOf(...operations));
    assert.deepEqual([status, body.title, postalCode(body), body.name.givenName], [200, 'Clerk', '560001', 'Ada']);
    assert.deepEqual(await leftOutOf(id), [{ jobTitle: [null, 'invalid'], pincode: [null, 'invalid'] }]);
  });

  it('a newcomer with a deleted userName and unreadable values gets no value of the former person', async () => {
    const former = await createUser(directory, { title: 'Clerk', ...phone('+919845000001') });
    assert.equal((await directory.send('DELETE', `/Users/${former.id}`)).status, 204);
    const { userName } = former;
    const newcomer = await createUser(directory, { userName, title: 'x'.repeat(250), ...phone('none') });
    assert.deepEqual([newcomer.id, newcomer.title, newcomer.phoneNumbers], [former.id, undefined, undefined]);
  });

  it('a blank SCIM value is stored as absent or as the default', async () => {
    const user = await createUser(directory, { title: '  ', externalId: ' ', [ENTERPRISE]: { department: '\n' } });
    assert.deepEqual([user.title, user.externalId, user[ENTERPRISE].department], [undefined, undefined, 'Sales']);
    assert.deepEqual(await leftOutOf(user.id), []);
  });

  it('a SCIM PATCH with an unreadable limit, band, role or active value returns 400 invalidValue', async () => {
    const { id } = await createUser(directory);
    for (const operation of [
      replace(`${ORGDESK}:approvalLimit`, '1,200.00'),
      replace(`${ORGDESK}:bandCode`, 'none'),
      replace('roles', [{ value: 'EMPLOYES' }]),
      replace('active', 'perhaps'),
    ]) {
      const { status, body } = await directory.send('PATCH', `/Users/${id}`, patchOf(operation));
      assert.deepEqual([status, body.scimType], [400, 'invalidValue'], JSON.stringify(operation));
    }
  });
});
