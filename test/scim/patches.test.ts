import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { ENTERPRISE, type Json, newUser, ORGDESK, openDirectory, patchOf, USER } from './directory.ts';
import { type Op, patched } from './rfc7644.ts';

const PATCHES = 500;
const SEED = 20_260_101;

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Patched');
// Whoever is patched may lose the role.
await addPerson(api.db, { company: directory.company, roles: [['CORPORATE_ADMIN', directory.company]] });

const anyOp = (op: string) => fc.constantFrom(op, op.toUpperCase(), op.charAt(0).toUpperCase() + op.slice(1));
/** The same text with its letters in any case. */
const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase())).join(''));
/** A path as the schemas write it, with the id of the core schema, or in any case; texts in its filters likewise. */
const anyForm = (path: string) =>
  fc.oneof(
    fc.constant(path),
    anyCase(path),
    ...(path.startsWith('urn:') ? [] : [anyCase(path).map((other) => `${USER}:${other}`)]),
  );
const write = fc.oneof(anyOp('add'), anyOp('replace'));
const words = fc.constantFrom('Ada', 'Bo', 'Çelik', 'de la Cruz', "O'Hara", 'Zoë');
const booleans = fc.constantFrom<unknown>(true, false, 'True', 'False', 'true', 'FALSE');
const addresses = fc.nat(99).map((number) => `Work.${number}@mail.example`);
const phones = fc.nat(9_999).map((number) => `+9198450${String(10_000 + number)}`);
const types = fc.constantFrom('work', 'Work', 'home', 'mobile', 'Mobile', 'pager');

function set(path: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Op> {
  return fc.record({ op: write, path: anyForm(path), value: values });
}
function remove(...paths: string[]): fc.Arbitrary<Op> {
  return fc.record({ op: anyOp('remove'), path: fc.constantFrom(...paths).chain(anyForm) });
}
const roles = fc.constantFrom('MANAGER', 'EMPLOYEE', 'CORPORATE_ADMIN');
const roleOps = roles.chain((value) =>
  fc.oneof(
    fc.record({ op: anyOp('add'), path: anyForm('roles'), value: anyCase(value).map((role) => [{ value: role }]) }),
    fc.record({
      op: anyOp('replace'),
      path: fc.constant('roles'),
      value: fc.constant([{ value }, { value: 'EMPLOYEE', primary: true }]),
    }),
    fc.record({ op: write, path: anyForm('roles[primary eq "True"].value'), value: fc.constant(value) }),
    fc.record({
      op: anyOp('remove'),
      path: fc.constant('roles'),
      value: anyCase(value).map((role) => [{ value: role }]),
    }),
    remove(`roles[value eq "${value}"]`, `roles[value sw "${value.slice(0, 3)}" and value pr]`),
    remove(`roles[not (value eq "${value}")]`, `roles[value ne "${value}" or value co "ADMIN"]`),
  ),
);
const phone = fc.record({ value: phones, type: types, primary: fc.boolean() }, { requiredKeys: ['value', 'type'] });
const address = fc.record(
  { type: types, streetAddress: words, postalCode: fc.constantFrom('560001', '10115'), country: fc.constant('IN') },
  { requiredKeys: ['type', 'streetAddress'] },
);
const extension = { gender: words, dateOfBirth: fc.constantFrom('1990-05-14', '2001-12-31'), addressLine2: words };
const ops: fc.Arbitrary<Op> = fc.oneof(
  set('name.givenName', words),
  set('name.familyName', words),
  set('name', fc.record({ givenName: words, familyName: words }, { requiredKeys: ['givenName'] })),
  set('active', booleans),
  set(
    'externalId',
    fc.nat(1_000).map((number) => `patched-${number}`),
  ),
  set(
    'userName',
    fc.uuid().map((id) => `${id}@Patched.example`),
  ),
  set('emails[type eq "work"].value', addresses),
  set('emails[type eq "work" and primary eq "True"].value', addresses),
  set('emails[primary eq "true"].value', addresses),
  fc.record({
    op: anyOp('add'),
    path: anyForm('emails'),
    value: addresses.map((value) => [{ value, type: 'WORK', primary: true }]),
  }),
  set('phoneNumbers[type eq "work"].value', phones),
  set('phoneNumbers[type eq "mobile"].value', phones),
  fc.record({ op: write, path: anyForm('phoneNumbers'), value: fc.array(phone, { minLength: 1, maxLength: 3 }) }),
  fc.record({ op: write, path: anyForm('addresses'), value: fc.array(address, { minLength: 1, maxLength: 2 }) }),
  set('addresses[type eq "work"].streetAddress', words),
  set('addresses[type eq "work"].postalCode', fc.constantFrom('560001', '10115')),
  set('addresses[type eq "work"]', fc.record({ streetAddress: words, postalCode: fc.constant('560001') })),
  set(`${ENTERPRISE}:department`, fc.constantFrom('Sales', 'Research', 'Legal')),
  ...Object.entries(extension).map(([name, values]) => set(`${ORGDESK}:${name}`, values)),
  set(`${ORGDESK}:approvalLimit`, fc.constantFrom('0.00', '120.50', null, '')),
  set(`${ORGDESK}:clientType`, fc.constantFrom('AGENCY', 'DIRECT', null)),
  set(ORGDESK, fc.record({ gender: words, approvalLimit: fc.constantFrom('7.00', null) })),
  roleOps,
  remove(
    'externalId',
    'phoneNumbers',
    'phoneNumbers[type eq "work"]',
    'phoneNumbers[type eq "mobile" or type eq "pager"].value',
    'addresses',
    'addresses[type eq "work"].postalCode',
    `${ORGDESK}:gender`,
    `${ORGDESK}:addressLine2`,
    `${ORGDESK}:approvalLimit`,
    `${ORGDESK}:clientType`,
  ),
  fc.record({
    op: write,
    value: fc.record(
      {
        active: booleans,
        'name.givenName': words,
        externalId: fc.nat(1_000).map((number) => `whole-${number}`),
        'emails[type eq "work"].value': addresses,
        [`${ENTERPRISE}:department`]: fc.constantFrom('Sales', 'Research'),
        name: fc.record({ familyName: words }),
      },
      { requiredKeys: ['active'] },
    ),
  }),
);
/** What no person can be made. */
const wrongOps: fc.Arbitrary<Op> = fc.constantFrom(
  { op: 'replace', path: 'userName', value: 'no address' },
  { op: 'remove', path: 'name.familyName' },
  { op: 'replace', path: 'userName', value: '' },
  { op: 'remove', path: 'active' },
  { op: 'replace', path: `${ORGDESK}:bandCode`, value: null },
  { op: 'replace', path: 'emails', value: 'a@b.example' },
  { op: 'add', value: { 'emails[type eq "work"].nonsense': 'a@b.example' } },
  { op: 'replace', path: 'roles', value: [{ value: 'EMPLOYES' }] },
  { op: 'replace', path: `${ORGDESK}:bandCode`, value: 'none' },
  { op: 'replace', path: 'unknown', value: 'x' },
  { op: 'replace', path: 'active', value: 'perhaps' },
  { op: 'replace', path: 'id', value: 'x' },
  { op: 'replace', path: 'emails[type eq "work"].', value: 'a@b.example' },
  { op: 'replace', path: '__proto__.polluted', value: 'yes' },
  { op: 'sort', path: 'active', value: true },
);

/** Without the order of names, of roles and of what stands in an address. */
function comparable({ meta: _, groups: __, ...resource }: Json): Json {
  return resource;
}

/** Whether an inactive person returns under another id than the one with which they left. */
function isNewcomer(before: Json, after: Json, leftAs: unknown): boolean {
  return !before.active && after.active && Boolean(leftAs) && after.externalId !== leftAs;
}

/** The rows of the trail that the request of the last write left, of the person and of their roles. */
async function trailSince(userId: string, last: string): Promise<{ id: string; entity: string; fields: string[] }[]> {
  return api.db.query(sql`
    select id::text, entity, to_json(fields) as fields from audit_changes where user_id = ${userId} and id > ${last}::bigint order by id`);
}

describe('patches', () => {
  it(`${PATCHES} generated SCIM patches do what a plain evaluator does, or change nothing and return 400`, async () => {
    const { body: first } = await directory.send('POST', '/Users', newUser());
    const url = `/Users/${first.id}`;
    let present: Json = first;
    let last = '0';
    let leftAs: unknown;
    let [changed, refused] = [0, 0];
    const batches = fc.tuple(
      fc.array(ops, { minLength: 1, maxLength: 4 }),
      fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, wrongOps),
    );
    for (const [right, wrong] of fc.sample(batches, { numRuns: PATCHES, seed: SEED })) {
      const operations = wrong === null ? right : [...right, wrong];
      const before = present;
      leftAs = before.active ? undefined : (leftAs ?? before.externalId);
      // Somebody else gets the row: see sent-values.test.ts.
      if (wrong === null && isNewcomer(before, patched(before, operations), leftAs)) continue;
      last = (await trailSince(first.id, last)).at(-1)?.id ?? last;
      const { status, body } = await directory.send('PATCH', url, patchOf(...operations));
      const reported = JSON.stringify(operations);
      const rows = await trailSince(first.id, last);
      present = (await directory.send('GET', url)).body;
      if (wrong !== null) {
        assert.deepEqual([status, rows], [400, []], `${reported}: ${JSON.stringify(body)}`);
        assert.deepEqual(present, before, reported);
        refused += 1;
        continue;
      }
      assert.equal(status, 200, `${reported}: ${JSON.stringify(body)}`);
      assert.deepEqual(present, body, reported);
      assert.deepEqual(comparable(present), comparable(patched(before, operations)), reported);
      const ofUser = rows.filter(({ entity }) => entity === 'user');
      const { roles: rolesBefore, ...restBefore } = comparable(before);
      const { roles: rolesNow, ...restNow } = comparable(present);
      assert.equal(ofUser.length, isSame(restBefore, restNow) ? 0 : 1, `${reported}: ${JSON.stringify(rows)}`);
      assert.equal(
        rows.some(({ entity }) => entity === 'companyRole'),
        !isSame(rolesBefore, rolesNow),
        reported,
      );
      assert.equal(present.meta.version === before.meta.version, rows.length === 0, reported);
      if (rows.length > 0) changed += 1;
    }
    assert.ok(changed > PATCHES / 2 && refused > PATCHES / 20, `${changed} changed, ${refused} refused`);
    assert.equal(({} as Json).polluted, undefined);
  });
});

function isSame(left: unknown, right: unknown): boolean {
  try {
    assert.deepEqual(left, right);
    return true;
  } catch {
    return false;
  }
}
