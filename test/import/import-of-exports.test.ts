import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { exportFolder } from '../../src/import/write/export-folder.ts';
import { openBothWays } from './both-ways.ts';
import { consoleTable } from './console-table.ts';
import { type CsvRow, makeFolder, toCsv } from './folders.ts';

const bothWays = await openBothWays();
after(() => bothWays[Symbol.asyncDispose]());
const { check, bring } = bothWays;
const { api, home, admin, post, withoutTrace } = bothWays.administration;
const create = async (what: string, fields: object) =>
  assert.equal((await post(admin, `${what}/create`, { companyId: home.id, ...fields })).statusCode, 200);

/** People with every kind of value, in departments and bands that share their names, and one whose name is another's code. */
async function addPeople(): Promise<void> {
  for (const costCode of ['TWIN-1', 'TWIN-2']) await create('departments', { name: 'Twins', costCode });
  await create('departments', { name: 'TWIN-1', costCode: 'NAMESAKE' });
  for (const code of ['T1', 'T2']) await create('bands', { name: 'Twins', code, autoApprovalLimit: '1.00' });
  const { problems, added } = await bring(
    [
      'email,firstName,lastName,phone,department,band,approvalLimit,dateOfBirth,gender,addressLine1,addressLine2,pincode,clientType,active,roles,loyaltyPoints',
      'one@export.example,Zoë,"Lee, ""Dr.""",+91 98450 12345,TWIN-2,T2,900000.50,1990-12-31,Female,"12, Main Street",=1,00120,AGENCY,false,MANAGER EMPLOYEE,7',
      'two@export.example,Jose\u0301,O’Brien,,NAMESAKE,T1,0,,,,,,DIRECT,true,,0',
      "josé@export.example,José,'t Hooft,,GENERAL,DEFAULT,1,,,,,,CORPORATE,,CORPORATE_ADMIN,",
      '',
    ].join('\n'),
  );
  assert.deepEqual([problems, added], [[], 3]);
}

describe('people as they are exported', () => {
  it('exported people imported again by the API or the console are all unchanged', async () => {
    await addPeople();
    await using folder = await makeFolder({});
    const path = join(folder.path, 'export');
    await exportFolder(api.db, path);
    const exported: CsvRow[] = parse(await readFile(join(path, 'users.csv')), { columns: true, bom: true });
    const rows = exported.filter(({ companyId }) => companyId === home.id).map(({ companyId: _, ...row }) => row);
    assert.ok(rows.length > 3);
    const csv = toCsv(rows);
    const { reported, csv: sent = '' } = await consoleTable(Buffer.from(csv));
    assert.deepEqual(reported, []);
    for (const table of [csv, sent]) {
      const unchanged = {
        added: 0,
        changed: 0,
        unchanged: rows.length,
        problems: [],
        problemsTotal: 0,
        changes: [],
        changesNext: null,
      };
      assert.deepEqual(await check(table), unchanged);
      assert.deepEqual(await withoutTrace(() => bring(table)), unchanged);
    }
  });
});
