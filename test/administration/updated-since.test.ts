import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { directoryFor, ENTERPRISE, GROUP, PATCH_OP } from '../scim/directory.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, admin, superAdmin, add, get, post } = administration;
const companyId = home.id;
await api.db.query(sql`
  update companies set default_department_id = ${home.departmentId}, default_band_id = ${home.bandId} where id = ${companyId}`);
const directory = await directoryFor(api, home);

type Way = () => Promise<unknown>;
interface List {
  /** Finds the row after a time. */
  query: Record<string, string>;
  id: string;
  /** By field of an item: how it is changed, in every way that differs. */
  ways: Readonly<Record<string, readonly Way[]>>;
}

const change = async (path: string, body: object) => dataOf(await post(admin, path, body));
const text = () => randomUUID().slice(0, 18);
const person = await add({ company: home });
const manager = await add({ company: home });
const [departments, bands] = await Promise.all(
  [['departments', { costCode: text() }] as const, ['bands', { code: text() }] as const].map(async ([path, more]) => {
    const made = await change(`${path}/create`, { companyId, name: 'Placed', ...more });
    return (made as { id: string }).id;
  }),
);
const costCenter = (await change('cost-centers/create', { companyId, name: 'Centre', code: text() })) as { id: string };
const ownRole = (await change('roles/create', { companyId, key: 'TRIED', name: 'Role' })) as { id: string };
const group = (await change('groups/create', { companyId, name: 'Group' })) as { id: string };
const entity = (await change('legal-entities/create', {
  companyId,
  name: 'Legal',
  registeredName: 'Legal',
  countryCode: 'DE',
  taxRegistrations: [{ type: 'OTHER', number: text(), countryCode: 'DE' }],
})) as { id: string };
const changeEntity = async (fields: object) => dataOf(await post(superAdmin, 'legal-entities/update', fields));
const policy = (await change('approval-policies/create', { companyId, name: 'Policy' })) as { id: string };
await change('users/update', {
  id: person.id,
  departmentId: departments,
  bandId: bands,
  employment: { managerId: manager.id },
});
const scim = (operations: object[]) =>
  directory
    .send('PATCH', `/Users/${person.id}`, { schemas: [PATCH_OP], Operations: operations })
    .then(({ status, body }) => assert.equal(status, 200, JSON.stringify(body)));
const update = (fields: object) => () => change('users/update', { id: person.id, ...fields });
const mapped = (await directory.send('POST', '/Groups', { schemas: [GROUP], displayName: 'Mapped' })).body.id;
const members = (op: string) => () =>
  directory.send('PATCH', `/Groups/${mapped}`, {
    schemas: [PATCH_OP],
    Operations: [
      {
        op,
        path: op === 'add' ? 'members' : `members[value eq "${person.id}"]`,
        ...(op === 'add' ? { value: [{ value: person.id }] } : {}),
      },
    ],
  });
const role = (verb: string) => () => change(`users/${verb}-role`, { userId: person.id, role: 'MANAGER', companyId });
const ownRoleOf = (verb: string) => () => change(`roles/${verb}`, { id: ownRole.id, userId: person.id });
let mapping = '';
await members('add')();

const LISTS: Readonly<Record<string, List>> = {
  'users.list': {
    query: { companyId, include: 'ownRoles' },
    id: person.id,
    ways: {
      email: [update({ email: `${randomUUID()}@test.example` })],
      firstName: [update({ firstName: 'Renamed' })],
      lastName: [update({ lastName: 'Renamed' })],
      phone: [update({ phone: '+919876543210' })],
      active: [update({ active: false }), update({ active: true })],
      approvalLimit: [update({ approvalLimit: '12.00' })],
      department: [() => change('departments/update', { id: departments, name: 'Renamed' })],
      band: [
        () => change('bands/update', { id: bands, name: 'Renamed' }),
        () => change('bands/update', { id: bands, code: text() }),
      ],
      roles: [
        role('grant'),
        role('revoke'),
        async () => {
          mapping = (
            (await change('group-mappings/create', { companyId, groupId: mapped, role: 'MANAGER' })) as { id: string }
          ).id;
        },
        members('remove'),
        members('add'),
        () => change('group-mappings/delete', { id: mapping }),
      ],
      ownRoles: [ownRoleOf('grant'), ownRoleOf('revoke')],
      externalId: [update({ externalId: text() })],
      workerType: [update({ workerType: 'INTERN' })],
      employment: [update({ employment: { jobTitle: 'Clerk' } })],
      manager: [
        () => change('users/update', { id: manager.id, lastName: 'Renamed' }),
        () => scim([{ op: 'remove', path: `${ENTERPRISE}:manager` }]),
      ],
      workEmail: [
        () => scim([{ op: 'replace', path: 'emails[type eq "work"].value', value: `${randomUUID()}@work.example` }]),
      ],
    },
  },
  'departments.list': {
    query: { companyId, include: 'structure' },
    id: departments ?? '',
    ways: {
      name: [() => change('departments/update', { id: departments, name: 'Named' })],
      externalId: [() => change('departments/update', { id: departments, externalId: text() })],
      budget: [() => change('departments/update', { id: departments, budget: '5.00' })],
      costCode: [() => change('departments/update', { id: departments, costCode: text() })],
      parentId: [() => change('departments/update', { id: departments, parentId: home.departmentId })],
      headId: [() => change('departments/update', { id: departments, headId: manager.id })],
      head: [() => change('users/update', { id: manager.id, firstName: 'Head' })],
    },
  },
  'bands.list': {
    query: { companyId },
    id: bands ?? '',
    ways: {
      name: [() => change('bands/update', { id: bands, name: 'Named' })],
      externalId: [() => change('bands/update', { id: bands, externalId: text() })],
      code: [() => change('bands/update', { id: bands, code: text() })],
      autoApprovalLimit: [() => change('bands/update', { id: bands, autoApprovalLimit: '1.00' })],
      maxBookingLimit: [() => change('bands/update', { id: bands, maxBookingLimit: '9.00' })],
    },
  },
  'costCenters.list': {
    query: { companyId },
    id: costCenter.id,
    ways: Object.fromEntries(
      Object.entries({ name: 'Named', code: text(), externalId: text(), ownerId: manager.id }).map(([field, value]) => [
        field,
        [() => change('cost-centers/update', { id: costCenter.id, [field]: value })],
      ]),
    ),
  },
  'groups.list': {
    query: { companyId },
    id: group.id,
    ways: {
      name: [() => change('groups/update', { id: group.id, name: 'Named' })],
      userIds: [() => change('groups/update', { id: group.id, userIds: [person.id] })],
      externalId: [() => change('groups/update', { id: group.id, externalId: text() })],
    },
  },
  'roles.list': {
    query: { companyId },
    id: ownRole.id,
    ways: {
      name: [() => change('roles/update', { id: ownRole.id, name: 'Named' })],
      rules: [() => change('roles/update', { id: ownRole.id, rules: ['people'] })],
      active: [() => change('roles/update', { id: ownRole.id, active: false })],
    },
  },
  'legalEntities.list': {
    query: { companyId },
    id: entity.id,
    ways: Object.fromEntries(
      Object.entries({
        name: 'Named',
        registeredName: 'Named',
        countryCode: 'FR',
        currency: 'EUR',
        timeZone: 'Europe/Paris',
        externalId: text(),
        email: 'invoices@test.example',
        address: 'Paris',
        taxRegistrations: [{ type: 'OTHER', number: text(), countryCode: 'FR' }],
        default: true,
        active: true,
      }).map(([field, value]) => [
        field,
        [
          async () => {
            if (field === 'active') await changeEntity({ id: companyId, default: true });
            if (field === 'active') await changeEntity({ id: entity.id, active: false });
            await changeEntity({ id: entity.id, [field]: value });
          },
        ],
      ]),
    ),
  },
  'approvalPolicies.list': {
    query: { companyId },
    id: policy.id,
    ways: {
      name: [() => change('approval-policies/update', { id: policy.id, name: 'Named' })],
      externalId: [() => change('approval-policies/update', { id: policy.id, externalId: text() })],
      autoApprovalLimit: [() => change('approval-policies/update', { id: policy.id, autoApprovalLimit: '3.00' })],
      levels: [
        [{ level: 1, roleRequired: 'MANAGER', minAmount: '1.00' }],
        [{ level: 1, roleRequired: 'MANAGER', minAmount: '2.00' }],
        [],
      ].map((levels) => () => change('approval-policies/update', { id: policy.id, levels })),
      scope: [() => change('approval-policies/update', { id: policy.id, scope: { priority: 7 } })],
      active: [() => change('approval-policies/update', { id: policy.id, scope: { active: false } })],
    },
  },
  'companies.list': {
    query: {},
    id: companyId,
    ways: Object.fromEntries(
      Object.entries({
        name: 'Named',
        legalName: 'Named',
        gstin: '27AAPFU0939F1ZV',
        creditLimit: '8.00',
        creditDays: 8,
        externalId: 'ERP-8',
        currency: 'EUR',
        brandName: 'Named',
        brandLogo: `data:image/svg+xml;base64,${btoa('<svg />')}`,
        brandColor: '#7a1f4e',
        brandSupport: 'help@acme.example',
        brandTerms: 'https://acme.example/terms',
        brandText: 'Named',
        brandLinks: 'Help=https://acme.example/help',
        active: true,
      }).map(([field, value]) => [
        field,
        [
          async () => {
            if (field === 'active')
              dataOf(await post(superAdmin, 'companies/update', { id: companyId, active: false }));
            dataOf(await post(superAdmin, 'companies/update', { id: companyId, [field]: value }));
          },
        ],
      ]),
    ),
  },
};
/** Ids, sums, moments themselves, and what the passing of time changes. */
const UNTOLD = [
  'fields',
  'key',
  'id',
  'companyId',
  '_count',
  'createdAt',
  'updatedAt',
  'works',
  'lastSignInAt',
  'creditUsed',
  'fixed',
];
const listed = OPERATIONS.filter(({ input, id }) => input?.properties.updatedSince && id !== 'bookings.list');

const rowOf = async (path: string, { query, id }: List, since?: string) => {
  const asked = {
    ...query,
    limit: '100',
    include: [query.include, path.startsWith('/api/users') ? undefined : 'updatedAt']
      .flatMap((name) => name ?? [])
      .join(),
  };
  const answer = await get(path.includes('companies') ? superAdmin : admin, path.replace('/api/', ''), {
    ...asked,
    ...(since === undefined ? {} : { updatedSince: since }),
  });
  return pageOf<{ id: string; updatedAt: string }>(answer).items.find((item) => item.id === id);
};
async function age(): Promise<string> {
  for (const table of [
    'users',
    'departments',
    'employee_bands',
    'approval_policies',
    'cost_centers',
    'company_groups',
    'own_roles',
    'legal_entities',
    'companies',
  ]) {
    await api.db.query(sql`update ${raw(table)} set updated_at = now() - interval '1 day'`);
    if (!['users', 'departments', 'employee_bands'].includes(table)) continue;
    await api.db.query(sql`update ${raw(table)} set renamed_at = null`);
  }
  return new Date(Date.now() - 3_600_000).toISOString();
}

describe('updatedSince', () => {
  it('each field of each list with updatedSince is changed below', () => {
    for (const { id, output } of listed) {
      const item = (output.schema as unknown as { properties: { data: { items: { properties: object } } } }).properties
        .data.items;
      const ways = Object.keys(LISTS[id]?.ways ?? {});
      const missing = Object.keys(item.properties).filter((name) => !UNTOLD.includes(name) && !ways.includes(name));
      assert.deepEqual(missing, [], id);
    }
  });

  for (const { id, path } of listed) {
    for (const [field, ways] of Object.entries(LISTS[id]?.ways ?? {})) {
      it(`${id} with updatedSince returns a row whose ${field} has changed, by any of ${ways.length} ways`, async () => {
        const list = LISTS[id];
        assert.ok(list);
        for (const [nth, way] of ways.entries()) {
          const since = await age();
          assert.equal(await rowOf(path, list, since), undefined, `before way ${nth}`);
          await way();
          const row = await rowOf(path, list, since);
          assert.ok(row !== undefined && row.updatedAt >= since, `way ${nth}: ${JSON.stringify(row)}`);
          if (id !== 'users.list') continue;
          const shown: { updatedAt: string } = dataOf(await get(admin, 'users/get', { id: list.id }));
          const { body } = await directory.send('GET', `/Users/${list.id}`);
          assert.deepEqual([shown.updatedAt, body.meta.lastModified], [row.updatedAt, row.updatedAt]);
        }
      });
    }
  }

  it('a get returns createdAt and updatedAt of a department, a band and a policy', async () => {
    for (const [path, id] of Object.entries({ departments, bands, 'approval-policies': policy.id })) {
      const { createdAt, updatedAt } = dataOf<{ createdAt: string; updatedAt: string }>(
        await get(admin, `${path}/get`, { id: String(id) }),
      );
      assert.ok(createdAt.endsWith('Z') && updatedAt.endsWith('Z'), path);
    }
  });
});
