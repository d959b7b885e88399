import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { ApiError, Schemas } from '../../src/client/client.ts';
import { exportFolder } from '../../src/import/write/export-folder.ts';
import { serve } from '../client/served.ts';
import { type CsvRow, importFiles, makeFolder, toCsv } from '../import/folders.ts';
import { directoryFor, ENTERPRISE, type Json, ORGDESK, patchOf, USER } from '../scim/directory.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { companyFields } from './administration.ts';

/*
 * Each field of the organisation by each way in and each way out, over HTTP and through the typed client. Values are compared as the texts
 * of an export.
 */
const served = await serve();
after(() => served[Symbol.asyncDispose]());
const { api, clientOf } = served;
const { db } = api;

const operator = await addPerson(db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const staff = await clientOf(operator.email);
const { data: home } = await staff.post('/api/companies/create', companyFields());
const { id: companyId, defaultDepartmentId: departmentId = '', defaultBandId: bandId = '' } = home;
const company = { id: companyId, departmentId: departmentId ?? '', bandId: bandId ?? '' };
const boss = await addPerson(db, { company, roles: [['CORPORATE_ADMIN', company]] });
const [one, another] = [await addPerson(db, { company }), await addPerson(db, { company })];
const foreign = await addCompany(db, 'Foreign');
const admin = await clientOf(boss.email);
const directory = await directoryFor(api, company);

/** Values by field, as texts; null: none. */
type Values = Readonly<Record<string, string | null>>;
/** Writes values into a row, which is new for a way that only creates. */
type Write = (id: string, values: Values) => Promise<unknown>;
type Read = (id: string) => Promise<Record<string, unknown>>;

interface Kind {
  entity: Schemas['Change']['entity'];
  file: string;
  /** Different values at each call, and none. */
  values: (() => Values)[];
  /** Adds a row for the ways that change one. */
  add(): Promise<string>;
  /** By name; `fields`: those that it can carry, all by default. */
  waysIn: Readonly<Record<string, { creates?: true; fields?: readonly string[]; write: Write }>>;
  waysOut: Readonly<Record<string, { fields?: readonly string[]; read: Read }>>;
}

const asText = (value: unknown): string | null => {
  if (Array.isArray(value)) return asText(value.join(' '));
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  return text === '' ? null : text;
};
const cells = (values: Values): CsvRow =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']));

/** What the export, the trail and the feed have of every kind. */
const waysOutOf = ({ entity, file }: Pick<Kind, 'entity' | 'file'>): Kind['waysOut'] => ({
  'the file of an export': {
    async read(id) {
      await using folder = await makeFolder({});
      await exportFolder(db, join(folder.path, 'out'));
      const rows = parse<CsvRow>(await readFile(join(folder.path, 'out', file)), { columns: true });
      return rows.find((row) => row.id === id) ?? {};
    },
  },
  'events/list': {
    async read(id) {
      const folded: Record<string, unknown> = {};
      for (let after = ''; ; ) {
        const { data, next } = await staff.get('/api/events/list', { after, entity, limit: 1000 });
        if (data.length === 0) return folded;
        for (const { entityId, changes } of data) {
          if (entityId === id) for (const change of changes) folded[change.field] = change.after;
        }
        after = next;
      }
    },
  },
  'audit/list': {
    async read(id) {
      const { data } = await admin.get('/api/audit/list', { entity, entityId: id, limit: 100 });
      const changes = data.toReversed().flatMap((change) => change.changes);
      return Object.fromEntries(changes.map(({ field, after }) => [field, after]));
    },
  },
});

const EMPLOYMENT = ['employeeNumber', 'jobTitle', 'costCenter', 'managerId', 'startDate', 'endDate'] as const;
const SUBSTITUTE = ['substituteId', 'substituteFrom', 'substituteUntil'] as const;
const BY_DIRECTORY = ['externalId', 'employeeNumber', 'jobTitle', 'costCenter', 'managerId'];
let number = 0;
const newValues = (): Values => {
  number++;
  return {
    externalId: `hr-${number}`,
    employeeNumber: `E-${number}`,
    jobTitle: `Title ${number}`,
    costCenter: `CC-${number}`,
    managerId: number % 2 ? one.id : another.id,
    startDate: `2024-01-${10 + (number % 10)}`,
    endDate: `2099-01-${10 + (number % 10)}`,
    substituteId: number % 2 ? another.id : one.id,
    substituteFrom: `2098-01-${10 + (number % 10)}`,
    substituteUntil: `2098-02-${10 + (number % 10)}`,
  };
};
const noValues = (): Values => Object.fromEntries(Object.keys(newValues()).map((name) => [name, null]));
const personOf = (id: string) => ({ email: `${id}@new.example`, firstName: 'Asha', lastName: 'Rao' });
const employed = ({ externalId, ...employment }: Values) => ({ externalId: externalId ?? null, employment });
type Shown = Pick<Schemas['Person'], 'externalId' | 'employment'> & Partial<Pick<Schemas['Person'], 'substitution'>>;
const shown = ({ externalId, employment, substitution }: Shown) => ({
  externalId,
  ...employment,
  substituteId: substitution?.substitute?.id,
  substituteFrom: substitution?.from,
  substituteUntil: substitution?.until,
});
const inScim = (id: string, { externalId, employeeNumber, jobTitle, costCenter, managerId }: Values): Json => ({
  schemas: [USER, ENTERPRISE, ORGDESK],
  userName: personOf(id).email,
  name: { givenName: 'Asha', familyName: 'Rao' },
  externalId,
  title: jobTitle,
  [ENTERPRISE]: { employeeNumber, costCenter, manager: managerId === null ? null : { value: managerId } },
});
const scim = async (method: 'GET' | 'PUT' | 'PATCH', id: string, body?: object): Promise<Json> => {
  const answer = await directory.send(method, `/Users/${id}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

const person: Kind = {
  entity: 'user',
  file: 'users.csv',
  values: [newValues, newValues, noValues],
  async add() {
    const id = randomUUID();
    await admin.post('/api/users/create', { id, companyId, ...personOf(id) });
    return id;
  },
  waysIn: {
    'users/create': {
      creates: true,
      fields: ['externalId', ...EMPLOYMENT],
      write: (id, values) => admin.post('/api/users/create', { id, companyId, ...personOf(id), ...employed(values) }),
    },
    'users/update': {
      fields: ['externalId', ...EMPLOYMENT],
      write: (id, values) => admin.post('/api/users/update', { id, ...employed(values) }),
    },
    'users/save of somebody new': {
      creates: true,
      fields: ['externalId', ...EMPLOYMENT],
      write: (id, values) =>
        admin.post('/api/users/save', { companyId, create: [{ id, ...personOf(id), ...employed(values) }] }),
    },
    'users/save': {
      fields: ['externalId', ...EMPLOYMENT],
      write: (id, values) => admin.post('/api/users/save', { companyId, update: [{ id, ...employed(values) }] }),
    },
    'users/import': {
      write: (id, values) => admin.postCsv('/api/users/import', { companyId }, toCsv([{ id, ...cells(values) }])),
    },
    'users/import of somebody new': {
      creates: true,
      write: (id, values) =>
        admin.postCsv('/api/users/import', { companyId }, toCsv([{ id, ...personOf(id), ...cells(values) }])),
    },
    'the import of a folder': {
      write: (id, values) => importFiles(db, { 'users.csv': [{ id, ...cells(values) }] }),
    },
    'users/set-substitute': {
      fields: SUBSTITUTE,
      write: (userId, { substituteId = null, substituteFrom: from = null, substituteUntil: until = null }) =>
        admin.post('/api/users/set-substitute', { userId, substituteId, from, until }),
    },
    'SCIM by PUT': { fields: BY_DIRECTORY, write: (id, values) => scim('PUT', id, inScim(id, values)) },
    'SCIM by PATCH': {
      fields: BY_DIRECTORY,
      write(id, values) {
        const { externalId, title, [ENTERPRISE]: enterprise } = inScim(id, values);
        const paths = {
          externalId,
          title,
          ...Object.fromEntries(Object.entries(enterprise).map(([name, value]) => [`${ENTERPRISE}:${name}`, value])),
        };
        const Operations = Object.entries(paths).map(([path, value]) =>
          value === null ? { op: 'remove', path } : { op: 'replace', path, value },
        );
        return scim('PATCH', id, patchOf(...Operations));
      },
    },
  },
  waysOut: {
    'users/get': { read: async (id) => shown((await admin.get('/api/users/get', { id })).data) },
    'users/list': {
      fields: ['externalId', ...EMPLOYMENT],
      async read(id) {
        const { data } = await admin.get('/api/users/list', { companyId, email: personOf(id).email });
        return shown(data[0] ?? assert.fail());
      },
    },
    'users/search': {
      fields: ['externalId', ...EMPLOYMENT],
      async read(id) {
        const { data } = await staff.get('/api/users/search', { search: personOf(id).email });
        return shown(data[0] ?? assert.fail());
      },
    },
    'the own profile': {
      fields: [...EMPLOYMENT, ...SUBSTITUTE],
      async read(id) {
        const own = await clientOf(personOf(id).email);
        const { data } = await own.get('/api/users/profile', { include: 'employment,substitution' });
        return shown({ externalId: null, employment: data.employment ?? null, ...data });
      },
    },
    SCIM: {
      fields: BY_DIRECTORY,
      async read(id) {
        const { externalId, title: jobTitle, [ENTERPRISE]: enterprise = {} } = await scim('GET', id);
        return { externalId, jobTitle, ...enterprise, managerId: enterprise.manager?.value };
      },
    },
  },
};

const department: Kind = {
  entity: 'department',
  file: 'departments.csv',
  values: [
    () => ({ parentId: company.departmentId, headId: one.id }),
    () => ({ parentId: tops[0] ?? null, headId: another.id }),
    () => ({ parentId: null, headId: null }),
  ],
  async add() {
    const { data } = await admin.post('/api/departments/create', { companyId, name: 'Travel', costCode: randomUUID() });
    return data.id;
  },
  waysIn: {
    'departments/create': {
      creates: true,
      write: (id, values) =>
        admin.post('/api/departments/create', { id, companyId, name: 'Travel', costCode: id, ...values }),
    },
    'departments/update': { write: (id, values) => admin.post('/api/departments/update', { id, ...values }) },
    'the import of a folder': {
      write: (id, values) => importFiles(db, { 'departments.csv': [{ id, ...cells(values) }] }),
    },
  },
  waysOut: {
    'departments/get': { read: async (id) => (await admin.get('/api/departments/get', { id })).data },
    'departments/list': {
      async read(id) {
        const query = { companyId, include: 'structure', limit: 100, isPaginationNeeded: true } as const;
        const { data } = await admin.get('/api/departments/list', query);
        return data.find((each) => each.id === id) ?? {};
      },
    },
  },
};

const policyScope = ({ departmentIds, bandIds, conditions, priority, active }: Values) => ({
  departmentIds: departmentIds?.split(' ') ?? [],
  bandIds: bandIds?.split(' ') ?? [],
  conditions: JSON.parse(conditions ?? '{}'),
  priority: Number(priority ?? 100),
  active: active !== 'false',
});

const policy: Kind = {
  entity: 'approvalPolicy',
  file: 'approval-policies.csv',
  values: [
    () => ({
      departmentIds: [company.departmentId, tops[0] ?? ''].sort().join(' '),
      bandIds: company.bandId,
      conditions: '{"category":["flight","rail"],"international":true}',
      priority: '7',
      active: 'false',
    }),
    () => ({ departmentIds: null, bandIds: null, conditions: null, priority: '100', active: 'true' }),
  ],
  async add() {
    number += 1;
    const scope = { priority: 1000 + number };
    const { data } = await admin.post('/api/approval-policies/create', { companyId, name: 'Travel', scope });
    return data.id;
  },
  waysIn: {
    'approval-policies/create': {
      creates: true,
      write: (id, values) =>
        admin.post('/api/approval-policies/create', { id, companyId, name: 'Travel', scope: policyScope(values) }),
    },
    'approval-policies/update': {
      write: (id, values) => admin.post('/api/approval-policies/update', { id, scope: policyScope(values) }),
    },
    'the import of a folder': {
      write: (id, values) => importFiles(db, { 'approval-policies.csv': [{ id, ...cells(values) }] }),
    },
  },
  waysOut: {
    'approval-policies/get': {
      async read(id) {
        const { conditions, ...scope } = (await admin.get('/api/approval-policies/get', { id })).data.scope;
        return { ...scope, conditions: Object.keys(conditions).length > 0 ? JSON.stringify(conditions) : null };
      },
    },
  },
};

const tops = [await department.add()];

for (const kind of [person, department, policy]) {
  describe(`the organisation's fields of one ${kind.entity}`, () => {
    for (const [wayIn, { creates, fields, write }] of Object.entries(kind.waysIn)) {
      it(`${kind.entity} fields written by ${wayIn} are returned by every read, the feed and the export`, async () => {
        const id = creates ? randomUUID() : await kind.add();
        for (const values of creates ? kind.values.slice(0, 1) : kind.values) {
          const given = values();
          const written = Object.fromEntries(Object.entries(given).filter(([name]) => fields?.includes(name) ?? true));
          await write(id, written);
          for (const [wayOut, { fields: readable, read }] of Object.entries({ ...kind.waysOut, ...waysOutOf(kind) })) {
            const names = Object.keys(written).filter((name) => readable?.includes(name) ?? true);
            const found = await read(id);
            assert.deepEqual(
              Object.fromEntries(names.map((name) => [name, asText(found[name])])),
              Object.fromEntries(names.map((name) => [name, written[name]])),
              `${wayOut} after ${wayIn}`,
            );
          }
        }
      });
    }
  });
}

describe('an import', () => {
  const id = one.id;
  const refusalOf = (file: string, row: CsvRow) =>
    importFiles(db, { [file]: [row] }).then(
      () => assert.fail('imported'),
      (error: Error) => error.message,
    );

  it('an import refuses days in the wrong order, and a substitute who is the person or has no days', async () => {
    await admin.post('/api/users/update', { id, employment: { startDate: '2024-05-01', endDate: null } });
    const stranger = await addPerson(db, { company: foreign, columns: { end_date: '2099-12-31' } });
    const days = { substituteFrom: '2098-01-02', substituteUntil: '2098-01-03' };
    for (const [row, column] of [
      [{ id, endDate: '2024-04-30' }, 'endDate'],
      [{ id, startDate: '2024-05-02', endDate: '2024-05-01' }, 'endDate'],
      [{ id, substituteId: id, ...days }, 'substituteId'],
      [{ id, substituteId: another.id }, 'substituteId'],
      [{ id, ...days }, 'substituteId'],
      [{ id, substituteId: another.id, ...days, substituteUntil: '2098-01-01' }, 'substituteId'],
    ] as const) {
      assert.match(await refusalOf('users.csv', row), new RegExp(`: 1 problem\\.\\n  users\\.csv:2: ${column}: `));
      const refused = admin.postCsv('/api/users/import', { companyId }, toCsv([row]));
      await assert.rejects(
        refused,
        ({ errors }: ApiError) => errors?.map(({ field }) => field).join() === `lines[2].${column}`,
      );
    }
    const ofStranger = admin.postCsv(
      '/api/users/import',
      { companyId },
      toCsv([{ id: stranger.id, startDate: '2999-01-01' }]),
    );
    await assert.rejects(ofStranger, ({ errors, data }: ApiError) => {
      assert.deepEqual(
        errors?.map(({ field }) => field),
        ['lines[2].id'],
      );
      assert.doesNotMatch(JSON.stringify(data), /2099/);
      return true;
    });
    await importFiles(db, { 'users.csv': [{ id, substituteId: another.id, ...days, substituteUntil: '2098-01-02' }] });
  });

  it('an import refuses policies for departments or bands that the company does not have', async () => {
    const policyId = await policy.add();
    for (const row of [
      { departmentIds: randomUUID() },
      { departmentIds: foreign.departmentId },
      { bandIds: foreign.bandId },
    ] as CsvRow[]) {
      const [column = ''] = Object.keys(row);
      const message = await refusalOf('approval-policies.csv', { id: policyId, ...row });
      assert.match(
        message,
        new RegExp(`approval-policies\\.csv:2: ${column}: "[^"]+" is the id of no \\w+ of the company`),
      );
    }
    const departmentId = randomUUID();
    await importFiles(db, {
      'departments.csv': [{ id: departmentId, companyId, name: 'Late', costCode: 'LATE', budget: '0' }],
      'approval-policies.csv': [{ id: policyId, departmentIds: `${departmentId} ${company.departmentId}` }],
    });
  });
});
