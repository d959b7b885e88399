import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { UsersImportView } from '../../src/features/people/import/import-schemas.ts';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { directoryFor, newUser } from '../scim/directory.ts';
import { assertInvalid, dataOf } from '../support/answers.ts';
import { addWebhook, unknownThings } from '../support/company-things.ts';
import type { Person } from '../support/people.ts';
import { UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';
import { openAdministration, personFields, userOf } from './administration.ts';

const administration = await openAdministration();
const { api, home, admin, superAdmin, get, post } = administration;
after(() => administration[Symbol.asyncDispose]());

type Item = Readonly<Record<string, unknown>> & { id: string };

/** How clients of different kinds send what they have read, with a change. */
const CLIENTS: Readonly<Record<string, (read: object) => object>> = {
  'sends it as it is': (read) => read,
  'sends empty texts for null': (read) => replaced(read, (value) => value ?? ''),
  'sends booleans as words': (read) =>
    replaced(read, (value) => (typeof value === 'boolean' ? (value ? 'True' : 'False') : value)),
  'sends null for empty texts': (read) => replaced(read, (value) => (value === '' ? null : value)),
};

function replaced(read: object, by: (value: unknown) => unknown): object {
  return JSON.parse(JSON.stringify(read), (_, value) => by(value)) as object;
}

/** Has a person created without anything that they may leave out, whose last name is empty. */
async function createdByAdministrator(): Promise<Person> {
  return userOf(await post(admin, 'users/create', { ...personFields(home), lastName: '' }));
}

async function createdByDirectory(): Promise<Person> {
  const directory = await directoryFor(api, home);
  const { body } = await directory.send('POST', '/Users', newUser());
  return { id: String(body.id), email: String(body.userName) };
}

async function createdByImport(): Promise<Person> {
  const email = `${randomUUID()}@imported.example`;
  const { changes } = dataOf<UsersImportView>(
    await api.send({
      method: 'POST',
      url: '/api/users/import',
      as: admin.email,
      query: { companyId: home.id, changes: 'true' },
      headers: { 'content-type': 'text/csv' },
      payload: `email,firstName,lastName,phone\n${email},Ana,Lee,98765/43210\n`,
    }),
  );
  return { id: String(changes[0]?.id), email };
}

describe('update profile: a client that sends back what it has read', () => {
  const people: Readonly<Record<string, () => Promise<Person>>> = {
    'of the demo': () => Promise.resolve(admin),
    'that an administrator created': createdByAdministrator,
    'that a directory created': createdByDirectory,
    'that an import created': createdByImport,
  };
  for (const [kind, create] of Object.entries(people)) {
    for (const [client, send] of Object.entries(CLIENTS)) {
      it(`update-profile changes only the name of a person ${kind}, if the client ${client}`, async () => {
        const person = await create();
        const read = async () => dataOf<ProfileView>(await get(person, 'users/profile', {}));
        for (const way of UPDATE_WAYS) {
          const before = await read();
          const firstName = `Changed by ${way}`;
          const body = send({ ...before, firstName });
          const fields = way === 'POST' ? body : withoutObjects(body);
          dataOf(await updateProfile(api, way, person.email, fields));
          const { updatedAt, ...changed } = await read();
          assert.deepEqual(changed, { ...withoutUpdatedAt(before), firstName });
        }
      });
    }
  }

  it('update-profile keeps unchanged values that are no longer valid, and refuses others of the kind', async () => {
    const person = await createdByAdministrator();
    const stored = { gender: '\u200b', addressLine2: 'Flat\u0007 3', phone: '1234567', lastName: '' };
    await api.db.query(sql`
      update users set gender = ${stored.gender}, address_line_2 = ${stored.addressLine2}, phone = ${stored.phone}
       where id = ${person.id}`);
    dataOf(await updateProfile(api, 'POST', person.email, { ...stored, pincode: '560001' }));
    const now = dataOf<ProfileView>(await get(person, 'users/profile', {}));
    assert.deepEqual({ ...now, ...stored, pincode: '560001' }, now);
    assertInvalid(await updateProfile(api, 'POST', person.email, { ...stored, gender: '\u200b\u200b' }), 'gender');
  });
});

function withoutObjects(body: object): Record<string, string> {
  const fields = Object.entries(body).filter(([, value]) => value !== null && typeof value !== 'object');
  return Object.fromEntries([...fields, ['addressLine2', '']].map(([name, value]) => [name, String(value)]));
}

function withoutUpdatedAt<View extends { updatedAt: unknown }>({ updatedAt, ...view }: View): Omit<View, 'updatedAt'> {
  return view;
}

/** Lists whose items have an update, with what a test changes in one, and the create of one where the company has none. */
const RESOURCES = [
  { path: 'companies', as: superAdmin, change: { creditDays: 45 } },
  { path: 'departments', change: { budget: '12.00' }, needed: { name: 'Sales', costCode: 'SENT-BACK' } },
  { path: 'bands', change: { name: 'Sent back' }, needed: { name: 'Senior', code: 'SENT-BACK' } },
  {
    path: 'approval-policies',
    change: { name: 'Sent back' },
    needed: { name: 'Policy', levels: [{ level: 1, roleRequired: 'MANAGER', minAmount: '1.00' }] },
  },
  { path: 'webhooks', change: { description: 'Sent back' } },
  { path: 'group-mappings', change: { priority: 7 }, needed: { groupName: 'All', role: 'EMPLOYEE' } },
  {
    path: 'sign-in-connections',
    change: { clientId: 'sent-back' },
    needed: { issuer: 'https://127.0.0.1:9/x', audience: 'a' },
  },
  { path: 'users', change: { gender: 'Other' } },
] as const;

describe('update: an administrator who sends back what they have read', () => {
  for (const { path, change, ...resource } of RESOURCES) {
    const as = 'as' in resource ? resource.as : admin;

    async function listed(): Promise<Item> {
      if (path === 'webhooks') {
        const webhookId = randomUUID();
        await addWebhook(api.db, { ...unknownThings(), companyId: home.id, webhookId });
      }
      if ('needed' in resource) await post(as, `${path}/create`, { companyId: home.id, ...resource.needed });
      const items = dataOf<Item[]>(await get(as, `${path}/list`, path === 'companies' ? {} : { companyId: home.id }));
      const item = items.find(({ id }) => path !== 'users' || id !== admin.id);
      assert.ok(item);
      return item;
    }

    for (const [client, send] of Object.entries(CLIENTS)) {
      it(`${path}/update changes one field of an item sent back from list or get, if the client ${client}`, async () => {
        const item = await listed();
        const read = async () => dataOf<Item>(await get(as, `${path}/get`, { id: item.id }));
        for (const sent of [item, null]) {
          const one = await read();
          dataOf(await post(as, `${path}/update`, send({ ...(sent ?? one), ...change })));
          const now = await read();
          assert.deepEqual({ ...now, ...change }, now);
          const follows = ['updatedAt', 'budgets', ...Object.keys(change)];
          for (const name of Object.keys(one).filter((each) => !follows.includes(each))) {
            assert.deepEqual(now[name], one[name], name);
          }
        }
      });
    }

    it(`${path}/update returns 400 for a changed read-only field and for an unknown field`, async () => {
      const item = await listed();
      const one = dataOf<Item>(await get(as, `${path}/get`, { id: item.id }));
      const readOnly = 'companyId' in one ? 'companyId' : 'createdAt';
      const body = { ...item, ...change, [readOnly]: 'x', unheardOf: 1 };
      assertInvalid(await post(as, `${path}/update`, body), readOnly, 'unheardOf');
    });
  }

  it('departments/update returns 400 for budgets of which a later one lacks its day, although the rest is as it is', async () => {
    const [first, second] = [
      { from: null, budget: '5.00' },
      { from: '2027-04-01', budget: '6.00' },
    ];
    const body = { companyId: home.id, name: randomUUID(), costCode: randomUUID(), budgets: [first, second] };
    const { id } = dataOf<Item>(await post(admin, 'departments/create', body));
    dataOf(await post(admin, 'departments/update', { id, budgets: body.budgets }));
    assertInvalid(await post(admin, 'departments/update', { id, budgets: [first, { budget: '6.00' }] }), 'budgets');
  });

  it('users/save accepts items of users/list, and names the item and field that is wrong', async () => {
    await administration.add();
    const items = dataOf<Item[]>(await get(admin, 'users/list', { companyId: home.id }));
    const update = items.filter(({ id }) => id !== admin.id).map((item) => ({ ...item, gender: 'Saved' }));
    const saved = dataOf<{ changed: number }>(await post(admin, 'users/save', { companyId: home.id, update }));
    assert.equal(saved.changed, update.length);
    const wrong = update.map((item, index) => (index === 1 ? { ...item, works: 'perhaps' } : item));
    assertInvalid(await post(admin, 'users/save', { companyId: home.id, update: wrong }), 'update[1].works');
  });

  it('users/update refused for its fields returns the same for a person of another company', async () => {
    const other = await administration.add({ company: await administration.addCompany() });
    const body = { firstName: 'Ana', lastName: 'Rao', createdAt: 'x' };
    assertInvalid(await post(admin, 'users/update', { ...body, id: other.id }), 'createdAt');
    assertInvalid(await post(admin, 'users/update', { ...body, id: 'x' }), 'id', 'createdAt');
  });
});
