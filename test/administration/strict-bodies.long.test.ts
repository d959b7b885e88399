import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { countChanges } from '../audit/trail.ts';
import { contents } from '../import/folders.ts';
import { dataOf, type ErrorBody } from '../support/answers.ts';
import { oddBodies } from '../support/odd-bodies.ts';
import { addPerson } from '../support/people.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { companyFields, openAdministration, personFields } from './administration.ts';
import { doubled, forPeople, type InputSchema, isNullable, withExamples, wrongBodies } from './wrong-values.ts';

const administration = await openAdministration(openTestDatabase, { MAIL_EVENTS: 'true' });
const { api, home, admin, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());

/** Somebody who may do all of it. */
const { id: callerId } = await addPerson(api.db, {
  company: home,
  roles: [['CORPORATE_ADMIN', home]],
  systemRole: { role: 'SUPER_ADMIN', active: true },
});
const authorization = `Bearer ${await api.context.signToken(callerId, 600)}`;

const LEVEL = { level: 1, roleRequired: 'MANAGER', minAmount: '5.00' };
const idOf = async (path: string, fields: object): Promise<string> =>
  dataOf<{ id: string }>(await post(admin, path, { companyId: home.id, ...fields })).id;
const DEPARTMENT = { name: 'Sales', costCode: 'S', budget: '5.00' };
const BAND = { name: 'Senior', code: 'B2', autoApprovalLimit: '5.00', maxBookingLimit: '9.00' };
const POLICY = { name: 'Travel', autoApprovalLimit: '5.00', levels: [LEVEL] };
const departmentId = await idOf('departments/create', DEPARTMENT);
const bandId = await idOf('bands/create', BAND);
const policyId = await idOf('approval-policies/create', POLICY);
const [level] = (await api.send({ url: '/api/approval-policies/get', as: admin.email, query: { id: policyId } })).json()
  .data.levels as { id: string }[];
const person = await add({ roles: [['EMPLOYEE', home]] });
await api.db.query(sql`
  insert into user_identities (issuer, subject, user_id) values ('https://id.example', 'strict', ${person.id})`);

const {
  id: _,
  companyId: __,
  ...CONTENT
} = {
  ...personFields(home),
  clientType: 'CORPORATE',
  approvalLimit: '5.00',
  phone: '+353 1 555 0100',
  dateOfBirth: '1990-05-14',
  gender: 'Other',
  addressLine1: '1 Long Lane',
  addressLine2: 'Flat 1',
  pincode: '12345',
  departmentId: home.departmentId,
  bandId: home.bandId,
  employment: {
    employeeNumber: 'S-1',
    jobTitle: 'Lead',
    costCenter: 'C-1',
    managerId: null,
    startDate: '2026-01-01',
    endDate: '2099-12-31',
  },
};
/** Of another person than the one who has the others. */
const employedAs = (employeeNumber: string) => ({
  externalId: `strict ${employeeNumber}`,
  employment: { ...CONTENT.employment, employeeNumber },
});
const SCOPE = {
  departmentIds: [home.departmentId],
  bandIds: [home.bandId],
  conditions: {},
  priority: 10,
  active: true,
};
const { id: ___, ...COMPANY } = { ...companyFields(), creditLimit: '5.00', creditDays: 5 };
const id = randomUUID();
const FIRST_ADMIN = { email: 'first@new.example', firstName: 'Asha', lastName: 'Rao', phone: '+353 1 555 0100' };
const DEFAULTS = { defaultDepartmentId: home.departmentId, defaultBandId: home.bandId };
const ofHome = { id, companyId: home.id };
const ROLE = { userId: person.id, role: 'MANAGER', companyId: home.id };

/** Of each kind, for operations that take an id alone. */
const IDS: Readonly<Record<string, string>> = {
  companies: home.id,
  users: person.id,
  departments: departmentId,
  bands: bandId,
  approvalPolicies: policyId,
};

/** What a body needs for it to write something, by the operation; the examples of its other fields are added. */
const GOOD: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'companies.create': { id, ...COMPANY, firstAdmin: FIRST_ADMIN },
  'companies.update': { id: home.id, ...COMPANY, gstin: 'STRICT-1', active: true, ...DEFAULTS },
  'companies.recordPayment': { ...ofHome, createdAt: '2026-01-31T09:30:00.000Z' },
  'companies.closePeriod': { companyId: home.id, from: '2020-01-01', to: '2020-02-01' },
  'users.create': { ...ofHome, ...CONTENT, ...employedAs('S-2'), newcomer: false, roles: ['EMPLOYEE'] },
  'users.update': {
    id: person.id,
    ...CONTENT,
    ...employedAs('S-3'),
    email: 'strict@new.example',
    active: true,
    revokeKeys: false,
  },
  'users.save': {
    companyId: home.id,
    create: [{ ...CONTENT, ...employedAs('S-4'), id: randomUUID(), email: 'saved@new.example', roles: ['EMPLOYEE'] }],
    update: [
      { id: person.id, ...CONTENT, ...employedAs('S-5'), email: 'strict@new.example', lastName: 'Saved', active: true },
    ],
  },
  'users.grantRole': ROLE,
  'users.setSubstitute': { userId: person.id, substituteId: callerId, from: '2098-12-21', until: '2099-01-03' },
  'users.updateTraveller': {
    id: callerId,
    legalName: { given: 'Asha', middle: 'K', family: 'Rao', suffix: 'Jr' },
    title: 'Dr',
    documentGender: 'F',
    nationality: 'IN',
    home: { cityId: 1, city: 'Mumbai', stateId: 1, countryCode: 'IN' },
    homeAirport: 'BOM',
    language: 'en-IN',
    timeZone: 'Asia/Kolkata',
    preferences: { seat: 'Aisle', meal: 'VGML', room: 'Quiet', accessibility: ['WCHR'], notes: 'None' },
    emergencyContact: { name: 'Ravi', relation: 'Brother', phone: '+919876543210', email: 'ravi@new.example' },
    documents: [],
    programmes: [],
    arrangers: [{ userId: person.id, until: '2099-01-01', may: 'BOOK' }],
  },
  'users.revokeRole': { ...ROLE, role: 'EMPLOYEE', revokeKeys: false },
  'departments.create': { ...ofHome, ...DEPARTMENT, costCode: 'S2', headId: person.id, parentId: null },
  'departments.update': { id: departmentId, ...DEPARTMENT, name: 'Trade', headId: person.id, parentId: null },
  'bands.create': { ...ofHome, ...BAND, code: 'B3' },
  'bands.update': { id: bandId, ...BAND, name: 'Junior' },
  'approvalPolicies.create': { ...ofHome, ...POLICY, scope: SCOPE, levels: [LEVEL] },
  'approvalPolicies.update': {
    id: policyId,
    ...POLICY,
    scope: { ...SCOPE, priority: 20 },
    levels: [{ ...LEVEL, id: level?.id, level: 2 }],
  },
};

function bodyOf({ id: name, input }: (typeof writes)[number]): Readonly<Record<string, unknown>> {
  const good = GOOD[name] ?? { id: IDS[name.split('.')[0] ?? ''] };
  return withExamples(forPeople(input as unknown as InputSchema), good) as typeof good;
}

const writes = OPERATIONS.filter(
  // A move is decided once: its own tests send what is wrong.
  ({ id, writes, takesCsv }) =>
    writes && !takesCsv && /^(companies|users|departments|bands|approval)/.test(id) && !/Move$/.test(id),
);

async function state() {
  return { rows: await contents(api.db), changes: await countChanges(api.db) };
}

function send(path: string, payload: string | Buffer) {
  const headers = { authorization, 'content-type': 'application/json' };
  return api.app.inject({ method: 'POST', url: path, headers, payload });
}

describe('bodies of administration', () => {
  for (const write of writes) {
    const { id: name, path } = write;
    const schema = forPeople(write.input as unknown as InputSchema);
    const good = bodyOf(write);
    const mayBe = (field: string, value: null | '') =>
      isNullable(schema, field) || (value === '' && /lastName$/.test(field));

    it(`${path} returns 400 with the field for each wrong value and unknown name, and writes nothing`, async () => {
      const before = await state();
      const wrong = wrongBodies(good, schema, mayBe);
      for (const { what, body, field } of wrong) {
        const response = await send(path, JSON.stringify(body));
        const { code, errors = [] } = response.json<ErrorBody>();
        const fields = errors.map((error) => error.field);
        assert.deepEqual(
          [response.statusCode, code, fields],
          [400, 'INVALID_INPUT', [field]],
          `${what} ${response.body}`,
        );
        assert.ok(errors[0]?.message.startsWith(field), what);
      }
      assert.ok(wrong.length > 20, String(wrong.length));
      assert.deepEqual(await state(), before);
    });

    it(`${path} returns 400 for a repeated name, and writes nothing`, async () => {
      const before = await state();
      for (const field of Object.keys(good)) {
        for (const escaped of [false, true]) {
          const response = await send(path, doubled(good, field, escaped));
          const { errors = [] } = response.json<ErrorBody>();
          assert.equal(response.statusCode, 400, response.body);
          assert.deepEqual(
            errors.map((error) => error.field.replace('[0]', '')),
            [field],
          );
        }
      }
      for (const [outer, value] of Object.entries(good)) {
        const inner = Array.isArray(value) ? value[0] : value;
        if (typeof inner !== 'object' || inner === null) continue;
        const text = doubled(inner, Object.keys(inner)[0] ?? '', false);
        const body = JSON.stringify({ ...good, [outer]: '?' }).replace(
          '"?"',
          Array.isArray(value) ? `[${text}]` : text,
        );
        assert.equal((await send(path, body)).json<ErrorBody>().code, 'MALFORMED_REQUEST');
      }
      assert.deepEqual(await state(), before);
    });

    it(`${path} refuses odd bodies, and writes nothing`, async () => {
      const before = await state();
      const field = Object.keys(schema.properties ?? {}).find((other) => other !== 'id') ?? 'id';
      for (const [what, body] of oddBodies(field)) {
        const { statusCode, body: answer } = await send(path, body);
        // A traveller without id is the caller, of whom nothing is to change.
        const mayPass = name === 'users.updateTraveller' ? [200] : name === 'approvalPolicies.delete' ? [404] : [];
        const expected = [400, ...(what === 'an object' ? mayPass : [])];
        assert.ok(expected.includes(statusCode), `${String(body).slice(0, 200)}: ${answer}`);
      }
      assert.deepEqual(await state(), before);
    });
  }

  it('each operation accepts the valid body from which the wrong bodies are made', async () => {
    for (const write of writes.toSorted((a, b) => Number(isLast(a.id)) - Number(isLast(b.id)))) {
      const { path } = write;
      const before = await countChanges(api.db);
      const response = await send(path, JSON.stringify(bodyOf(write)));
      assert.equal(response.statusCode, 200, `${path} ${response.body}`);
      assert.ok((await countChanges(api.db)) > before, path);
    }
    for (const name of Object.keys(GOOD))
      assert.ok(
        writes.some(({ id }) => id === name),
        name,
      );
  });
});

/** What is deleted is changed before. */
function isLast(name: string): boolean {
  return name.endsWith('.delete');
}
