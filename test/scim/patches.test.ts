import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type ScimPatchOperation, scimPatch } from 'scim-patch';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { ENTERPRISE, type Json, newUser, ORGDESK, openDirectory, patchOf } from './directory.ts';

const PATCHES = 500;
const SEED = 20_260_101;

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Patched');
// Whoever is patched may lose the role.
await addPerson(api.db, { company: directory.company, roles: [['CORPORATE_ADMIN', directory.company]] });

type Op = { op: string; path?: string; value?: unknown };

const anyOp = (op: string) => fc.constantFrom(op, op.toUpperCase(), op.charAt(0).toUpperCase() + op.slice(1));
const write = fc.oneof(anyOp('add'), anyOp('replace'));
const words = fc.constantFrom('Ada', 'Bo', 'Çelik', 'de la Cruz', "O'Hara", 'Zoë');
const booleans = fc.constantFrom<unknown>(true, false, 'True', 'False', 'true', 'FALSE');
const addresses = fc.nat(99).map((number) => `Work.${number}@mail.example`);
const phones = fc.nat(9_999).map((number) => `+91 98450 ${String(10_000 + number)}`);

function set(path: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Op> {
  return fc.record({ op: write, path: fc.constant(path), value: values });
}
function remove(...paths: string[]): fc.Arbitrary<Op> {
  return fc.record({ op: anyOp('remove'), path: fc.constantFrom(...paths) });
}
const roleOps = fc.constantFrom('MANAGER', 'EMPLOYEE', 'CORPORATE_ADMIN').chain((value) =>
  fc.oneof(
    fc.record({ op: anyOp('add'), path: fc.constant('roles'), value: fc.constant([{ value }]) }),
    fc.record({
      op: anyOp('replace'),
      path: fc.constant('roles'),
      value: fc.constant([{ value }, { value: 'EMPLOYEE' }]),
    }),
    remove(`roles[value eq "${value}"]`),
  ),
);
const extension = { gender: words, dateOfBirth: fc.constantFrom('1990-05-14', '2001-12-31'), addressLine2: words };
const ops: fc.Arbitrary<Op> = fc.oneof(
  set('name.givenName', words),
  set('name.familyName', words),
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
  set('emails[type eq "work" and primary eq true].value', addresses),
  set('phoneNumbers[type eq "work"].value', phones),
  set('addresses[type eq "work"].streetAddress', words),
  set('addresses[type eq "work"].postalCode', fc.constantFrom('560001', '10115')),
  set(`${ENTERPRISE}:department`, fc.constantFrom('Sales', 'Research', 'Legal')),
  ...Object.entries(extension).map(([name, values]) => set(`${ORGDESK}:${name}`, values)),
  set(`${ORGDESK}:approvalLimit`, fc.constantFrom('0.00', '120.50')),
  set(`${ORGDESK}:clientType`, fc.constantFrom('AGENCY', 'DIRECT')),
  roleOps,
  remove(
    'externalId',
    'phoneNumbers',
    'phoneNumbers[type eq "work"]',
    'addresses',
    `${ORGDESK}:gender`,
    `${ORGDESK}:addressLine2`,
  ),
  fc.record({
    op: write,
    value: fc.record(
      { active: booleans, 'name.givenName': words, externalId: fc.nat(1_000).map((number) => `whole-${number}`) },
      { requiredKeys: ['active'] },
    ),
  }),
);
/** What no person can be made. */
const wrongOps: fc.Arbitrary<Op> = fc.constantFrom(
  { op: 'replace', path: 'userName', value: 'no address' },
  { op: 'remove', path: 'name.familyName' },
  { op: 'replace', path: 'userName', value: '' },
  { op: 'replace', path: 'roles', value: [{ value: 'EMPEROR' }] },
  { op: 'replace', path: `${ORGDESK}:bandCode`, value: 'none' },
  { op: 'replace', path: 'unknown', value: 'x' },
  { op: 'replace', path: 'active', value: 'perhaps' },
  { op: 'replace', path: 'id', value: 'x' },
  { op: 'replace', path: 'emails[type eq "work"].value', value: 'no address' },
  { op: 'replace', path: 'emails[type eq "work"].', value: 'a@b.example' },
  { op: 'replace', path: '__proto__.polluted', value: 'yes' },
  { op: 'sort', path: 'active', value: true },
);

/** What the library makes of a resource, as orgdesk writes resources. */
function expected(before: Json, operations: readonly Op[]): Json {
  const truths = (value: unknown) =>
    typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;
  const prepared = operations.map(({ op, path, value }) => {
    const whole = path === undefined ? { ...(value as object), active: truths((value as Json).active) } : value;
    return {
      op: op.toLowerCase(),
      ...(path === undefined ? {} : { path }),
      value: path === 'active' ? truths(value) : whole,
    };
  });
  const { meta: _, ...resource } = structuredClone(before);
  const patched = scimPatch(resource, prepared as ScimPatchOperation[]) as Json;
  const roles = [...new Set((patched.roles ?? []).map(({ value }: Json) => value))].sort();
  const fullName = `${patched.name.givenName} ${patched.name.familyName}`;
  const { roles: __, ...rest } = patched;
  return {
    ...rest,
    displayName: fullName,
    name: { ...patched.name, formatted: fullName },
    ...(roles.length === 0 ? {} : { roles: roles.map((value) => ({ value })) }),
  };
}

/** Without the order of names, of roles and of what stands in an address. */
function comparable({ meta: _, ...resource }: Json): Json {
  return resource;
}

/** The rows of the trail that the request of the last write left, of the person and of their roles. */
async function trailSince(userId: string, last: string): Promise<{ id: string; entity: string; fields: string[] }[]> {
  return api.db.query(sql`
    select id::text, entity, to_json(fields) as fields from audit_changes where user_id = ${userId} and id > ${last}::bigint order by id`);
}

describe('patches', () => {
  it(`${PATCHES} that are generated make what scim-patch makes of the resource, with one change in the trail, or nothing at all`, async () => {
    const { body: first } = await directory.send('POST', '/Users', newUser());
    const url = `/Users/${first.id}`;
    let present: Json = first;
    let last = '0';
    let [changed, refused] = [0, 0];
    const batches = fc.tuple(
      fc.array(ops, { minLength: 1, maxLength: 4 }),
      fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, wrongOps),
    );
    for (const [right, wrong] of fc.sample(batches, { numRuns: PATCHES, seed: SEED })) {
      const operations = wrong === null ? right : [...right, wrong];
      const before = present;
      last = (await trailSince(first.id, last)).at(-1)?.id ?? last;
      const { status, body } = await directory.send('PATCH', url, patchOf(...operations));
      const told = JSON.stringify(operations);
      const rows = await trailSince(first.id, last);
      present = (await directory.send('GET', url)).body;
      if (wrong !== null) {
        assert.deepEqual([status, rows], [400, []], `${told}: ${JSON.stringify(body)}`);
        assert.deepEqual(present, before, told);
        refused += 1;
        continue;
      }
      assert.equal(status, 200, `${told}: ${JSON.stringify(body)}`);
      assert.deepEqual(present, body, told);
      assert.deepEqual(comparable(present), expected(before, operations), told);
      const ofUser = rows.filter(({ entity }) => entity === 'user');
      const { roles: rolesBefore, ...restBefore } = comparable(before);
      const { roles: rolesNow, ...restNow } = comparable(present);
      assert.equal(ofUser.length, isSame(restBefore, restNow) ? 0 : 1, `${told}: ${JSON.stringify(rows)}`);
      assert.equal(
        rows.some(({ entity }) => entity === 'companyRole'),
        !isSame(rolesBefore, rolesNow),
        told,
      );
      assert.equal(present.meta.version === before.meta.version, rows.length === 0, told);
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
