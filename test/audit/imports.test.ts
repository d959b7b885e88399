import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { importFolder } from '../../src/import/import-folder.ts';
import { company, department, type Files, id, importFiles, makeFolder, user, validFiles } from '../import/folders.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { countChanges, trailFor } from './trail.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

/** What an import adds to the trail, oldest first. */
async function loggedBy(files: Files) {
  const before = await countChanges(api.db);
  await importFiles(api.db, files);
  const count = (await countChanges(api.db)) - before;
  return count === 0 ? [] : (await trailFor(api, superAdmin, { limit: String(count) })).reverse();
}

const { 'company-roles.csv': roles, ...others } = validFiles;

describe('the audit trail of imports', () => {
  it('an import records a change with values for each added row, all of one run', async () => {
    const changes = await loggedBy(validFiles);
    const [company1, user1, policy] = [{ companyId: id(1) }, { userId: id(31) }, { companyId: id(1) }];
    const who = changes.map(({ entity, entityId, userId, companyId }) => [entity, entityId, userId, companyId]);
    assert.deepEqual(who, [
      ['company', id(1), null, company1.companyId],
      ['company', id(2), null, id(2)],
      ['department', id(11), null, id(1)],
      ['department', id(12), null, id(2)],
      ['band', id(21), null, id(1)],
      ['band', id(22), null, id(2)],
      ['user', id(31), user1.userId, id(1)],
      ['user', id(32), id(32), id(2)],
      ['companyRole', 'r1', id(31), id(1)],
      ['systemRole', id(32), id(32), null],
      ['approvalPolicy', 'p1', null, policy.companyId],
      ['approvalPolicyLevel', 'l1', null, id(1)],
      ['approvalPolicyLevel', 'l2', null, id(1)],
      ...[1, 2].flatMap((number) => [
        ['legalEntity', id(number), null, id(number)],
        ['taxRegistration', id(number), null, null],
      ]),
    ]);
    const [runId] = changes.map(({ actor }) => actor.runId);
    assert.ok(runId);
    for (const { action, actor, requestId } of changes) {
      assert.deepEqual([action, actor, requestId], ['added', { kind: 'import', userId: null, runId }, null]);
    }
    const valuesOf = (entity: string) => changes.find((change) => change.entity === entity)?.changes;
    const added = (field: string, after: unknown) => ({ field, before: null, after, kept: true });
    assert.deepEqual(valuesOf('department'), [
      added('companyId', id(1)),
      added('name', 'Sales'),
      added('costCode', 'CC-1'),
      added('budget', '100.00'),
      added('budgets', '[{"from": null, "budget": "100.00"}]'),
    ]);
    assert.deepEqual(
      valuesOf('user')?.find(({ field }) => field === 'phone'),
      added('phone', '+919876543210'),
    );
    assert.ok(!valuesOf('user')?.some(({ field }) => field === 'id' || field === 'addressLine2'));
  });

  it('an import of the same folder again records nothing', async () => {
    assert.deepEqual(await loggedBy({ ...others, 'company-roles.csv': roles }), []);
  });

  it('an import records the changed fields with values in the form of the API', async () => {
    const changes = await loggedBy({
      'companies.csv': [
        company(1, { email: 'new@x.example', creditDays: '45', creditLimit: '80000', active: 'false' }),
      ],
      'departments.csv': [department(11, 1), department(13, 1), department(12, 2, { budget: '100.5' })],
      'users.csv': [user(31, 1, { firstName: 'Bo', loyaltyPoints: '7', addressLine2: 'Flat 1' })],
      'approval-policy-levels.csv': [
        { id: 'l1', policyId: 'p1', level: '1', roleRequired: 'PLATFORM_RM', minAmount: '10.00' },
      ],
    });
    const kept = true;
    const reported = changes.map(({ action, entityId, changes: fields }) => [action, entityId, fields]);
    assert.deepEqual(reported.toSorted(), [
      [
        'added',
        id(13),
        [
          { field: 'companyId', before: null, after: id(1), kept },
          { field: 'name', before: null, after: 'Sales', kept },
          { field: 'costCode', before: null, after: 'CC-13', kept },
          { field: 'budget', before: null, after: '100.00', kept },
          { field: 'budgets', before: null, after: '[{"from": null, "budget": "100.00"}]', kept },
        ],
      ],
      [
        'changed',
        id(1),
        [
          { field: 'email', before: 'c1@x.example', after: 'new@x.example', kept },
          { field: 'creditLimit', before: '75000.00', after: '80000.00', kept },
          { field: 'creditDays', before: 30, after: 45, kept },
          { field: 'active', before: true, after: false, kept },
        ],
      ],
      [
        'changed',
        id(12),
        [
          { field: 'budget', before: '100.00', after: '100.50', kept },
          {
            field: 'budgets',
            before: '[{"from": null, "budget": "100.00"}]',
            after: `[{"from": null, "budget": "100.00"}, {"from": "${new Date().getUTCFullYear()}-01-01", "budget": "100.50"}]`,
            kept,
          },
        ],
      ],
      [
        'changed',
        id(31),
        [
          { field: 'firstName', before: 'Ana', after: 'Bo', kept },
          { field: 'addressLine2', before: null, after: 'Flat 1', kept },
          { field: 'loyaltyPoints', before: 0, after: 7, kept },
        ],
      ],
      ['changed', 'l1', [{ field: 'roleRequired', before: 'MANAGER', after: 'PLATFORM_RM', kept }]],
    ]);
  });

  it('an import of rows that swap unique values records the values of each row', async () => {
    const swapped = { 'users.csv': [user(31, 1, { email: 'u32@x.example' }), user(32, 2, { email: 'u31@x.example' })] };
    await importFiles(api.db, { 'users.csv': [user(31, 1), user(32, 2)] });
    const fields = (await loggedBy(swapped)).map(({ entityId, changes }) => [entityId, changes]);
    const email = (before: string, after: string) => [{ field: 'email', before, after, kept: true }];
    assert.deepEqual(fields.toSorted(), [
      [id(31), email('u31@x.example', 'u32@x.example')],
      [id(32), email('u32@x.example', 'u31@x.example')],
    ]);
    await importFiles(api.db, { 'users.csv': [user(31, 1), user(32, 2)] });
  });

  it('an import that moves a person to another company records the change for the new company', async () => {
    const changes = await loggedBy({ 'users.csv': [user(31, 2)] });
    assert.equal(changes[0]?.companyId, id(2));
    assert.deepEqual(
      changes[0]?.changes.map(({ field }) => field),
      ['companyId', 'departmentId', 'bandId'],
    );
  });

  it('an import of bookings, a dry run and a rolled-back import record nothing', async () => {
    assert.deepEqual(
      await loggedBy({ 'bookings.csv': [{ id: 'b2', companyId: id(1), userId: id(32), amount: '7' }] }),
      [],
    );
    const count = await countChanges(api.db);
    await using changed = await makeFolder({ 'companies.csv': [company(1, { name: 'Other' }), company(3)] });
    await importFolder(api.db, changed.path, { dryRun: true });
    const failing = importFolder(api.db, changed.path, {
      onProgress({ step, done }) {
        if (step === 'writing' && done > 0) throw new Error('given up');
      },
    });
    await assert.rejects(failing, /given up/);
    assert.equal(await countChanges(api.db), count);
  });

  it('an import during profile updates records the values before and after each change', async () => {
    const email = 'u32@x.example';
    await importFiles(api.db, { 'users.csv': [user(32, 2)] });
    const before = (await trailFor(api, superAdmin, { userId: id(32) })).length;
    const updates = Array.from({ length: 20 }, (_, index) =>
      updateProfile(api, 'POST', email, { firstName: `Name ${index}` }),
    );
    const imports = ['One', 'Two', 'Three'].map((firstName) =>
      importFiles(api.db, { 'users.csv': [user(32, 2, { firstName })] }),
    );
    await Promise.all([...updates, ...imports]);
    const changes = (await trailFor(api, superAdmin, { userId: id(32) })).reverse().slice(before);
    assert.ok(changes.length >= 21, String(changes.length));
    let present: unknown = 'Ana';
    for (const { changes: fields } of changes) {
      const name = fields.find(({ field }) => field === 'firstName');
      assert.equal(name?.before, present);
      present = name?.after;
    }
  });
});
