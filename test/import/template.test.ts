import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { BRAND_FIELDS } from '../../src/entities/company.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { FILE_NAMES, writeTemplate } from '../../src/import/write/csv-folder.ts';
import { exportFolder } from '../../src/import/write/export-folder.ts';
import { UserError } from '../../src/lib/errors.ts';
import { openDemoDatabase, openTestDatabase } from '../support/test-database.ts';
import { makeFolder } from './folders.ts';

/** Columns without an example: they refer to another row of the same file, or restrict a policy. */
const WITHOUT_EXAMPLE: Readonly<Record<string, string[]>> = {
  'companies.csv': ['closedTo', 'externalId', ...BRAND_FIELDS, 'fields'],
  'departments.csv': ['budgets', 'parentId', 'legalEntityId', 'externalId', 'fields'],
  'bands.csv': ['externalId', 'fields'],
  'cost-centers.csv': ['externalId'],
  'groups.csv': ['userIds', 'externalId'],
  'roles.csv': ['rules'],
  'fields.csv': ['labels', 'choices', 'default', 'pattern'],
  'tax-registrations.csv': ['address', 'validUntil'],
  'approval-policies.csv': [
    ...['departmentIds', 'bandIds', 'conditions', 'costCenters', 'jobTitles', 'countryCodes', 'workerTypes', 'userIds'],
    ...[
      'from',
      'until',
      'defaultUserIds',
      'defaultGroupId',
      'reapprovePercent',
      'reapproveAmount',
      'externalId',
      'fields',
    ],
  ],
  'approval-policy-levels.csv': ['maxAmount', 'userIds', 'groupId', 'roleId'],
  'bookings.csv': ['cancelledAt', 'refundOf', 'legalEntityId', 'fields'],
  'users.csv': ['managerId', 'substituteId', 'substituteFrom', 'substituteUntil', 'hostId', 'legalEntityId', 'fields'],
};

describe('the template', () => {
  it('the template has every import file with a header and an example, in the form of an export', async () => {
    await using db = await openTestDatabase();
    await using folder = await makeFolder({});
    const [template, exported] = [join(folder.path, 'a/template'), join(folder.path, 'exported')];
    assert.deepEqual(await writeTemplate(template), FILE_NAMES);
    const { files } = await importFolder(db, template);
    assert.deepEqual(
      files.map(({ file, rows, added }) => [file, rows, added]),
      FILE_NAMES.map((file) => [file, 1, 1]),
    );
    await exportFolder(db, exported);
    for (const file of FILE_NAMES) {
      const [given, written] = await Promise.all(
        [template, exported].map(async (path) => await readFile(join(path, file), 'utf8')),
      );
      const active = written?.replace(/\n/, ',active\n').replace(/\n$/, ',true\n');
      const expected: Readonly<Record<string, string | undefined>> = {
        'company-roles.csv': active,
        'role-grants.csv': active,
        // What the company has by itself.
        'legal-entities.csv': written?.replace(/^b3cb9b86-.*\n/m, ''),
        'tax-registrations.csv': written?.replace(/^b3cb9b86-.*\n/m, ''),
        'bookings.csv': written?.replace(/b3cb9b86-[^,]*(?=,\n$)/, ''),
        // The history of a new budget.
        'departments.csv': written?.replace(/"\[.*\]"/, ''),
      };
      assert.equal(given, expected[file] ?? written);
      const [names = [], cells = []] = (given ?? '').split('\n').map((line) => line.split(','));
      const without = names.filter((_, index) => cells[index] === '');
      assert.deepEqual(without, WITHOUT_EXAMPLE[file] ?? []);
    }
  });

  it('the template can be imported next to the demo, and again without a change', async () => {
    await using db = await openDemoDatabase();
    await using folder = await makeFolder({});
    await writeTemplate(folder.path);
    await importFolder(db, folder.path);
    const { files } = await importFolder(db, folder.path);
    assert.deepEqual(
      files.filter(({ rows, unchanged }) => rows !== 1 || unchanged !== 1),
      [],
    );
  });

  it('the template command refuses to replace a file', async () => {
    await using folder = await makeFolder({ 'users.csv': 'mine' });
    await assert.rejects(
      writeTemplate(folder.path),
      (error) => error instanceof UserError && /^Nothing was written to .*users\.csv/.test(error.message),
    );
    assert.equal(await readFile(join(folder.path, 'users.csv'), 'utf8'), 'mine');
  });
});
