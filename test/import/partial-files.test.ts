import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { importFolder } from '../../src/import/import-folder.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { company, contents, id, importFiles, makeFolder, problemLines, toCsv, user, validFiles } from './folders.ts';

describe('import: a file without some columns', () => {
  it('an import of a file with id and active alone changes nothing else', async () => {
    await using db = await openTestDatabase();
    const person = { addressLine2: 'Flat 2', loyaltyPoints: '7', approvalLimit: '99.50' };
    await importFiles(db, { ...validFiles, 'users.csv': [user(31, 1, person), user(32, 2)] });
    const { users: [before] = [], ...others } = await contents(db);
    assert.deepEqual(await importFiles(db, { 'users.csv': `id,active\n${id(31)},false\n${id(32)},true\n` }), {
      'users.csv': [0, 1, 1],
    });
    const { users: [now, other] = [], ...rest } = await contents(db);
    assert.deepEqual({ ...now, updated_at: '' }, { ...before, active: false, updated_at: '' });
    assert.notEqual(now?.updated_at, before?.updated_at);
    assert.equal(other?.active, true);
    assert.deepEqual(rest, { ...others });
  });

  it('an import without the column active leaves closed companies and inactive people inactive', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, {
      ...validFiles,
      'companies.csv': [company(1, { active: 'false' }), company(2)],
      'users.csv': [user(31, 1, { active: 'false' }), user(32, 2)],
    });
    const without = ({ active, ...row }: ReturnType<typeof user>) => row;
    assert.deepEqual(
      await importFiles(db, {
        'companies.csv': [without(company(1))],
        'users.csv': [without(user(31, 1, { firstName: 'Asha' }))],
      }),
      { 'companies.csv': [0, 0, 1], 'users.csv': [0, 1, 0] },
    );
    const { companies, users } = await contents(db);
    assert.deepEqual([companies?.[0]?.active, users?.[0]?.active, users?.[0]?.first_name], [false, false, 'Asha']);
  });

  it('an import with an empty cell clears the value or sets the default', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, {
      ...validFiles,
      'users.csv': [user(31, 1, { active: 'false', loyaltyPoints: '9' }), user(32, 2)],
    });
    const file = `id,phone,gender,loyaltyPoints,active\n${id(31)},,,,\n`;
    assert.deepEqual(await importFiles(db, { 'users.csv': file }), { 'users.csv': [0, 1, 0] });
    const { users: [person] = [] } = await contents(db);
    const { phone, gender, loyalty_points: points, active, pincode } = person ?? {};
    assert.deepEqual([phone, gender, points, active, pincode], [null, null, 0, true, '560 001']);
  });

  it('an import gives new rows defaults for missing columns, and stored rows need none', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const columns = ['email', 'firstName', 'lastName', 'clientType', 'companyId', 'departmentId', 'bandId'];
    const { id: known, ...rest } = user(31, 1, { lastName: 'Rao' });
    const rows = [rest, user(41, 1)].map((row) =>
      Object.fromEntries(
        ['id', ...columns, 'approvalLimit'].map((name) => [
          name,
          name === 'id' ? (row.id ?? known ?? '') : (row[name] ?? ''),
        ]),
      ),
    );
    assert.deepEqual(await importFiles(db, { 'users.csv': rows }), { 'users.csv': [1, 1, 0] });
    const { users } = await contents(db);
    const { phone, loyalty_points: points, active, address_line_1: address } = users?.[2] ?? {};
    assert.deepEqual([phone, points, active, address], [null, 0, true, null]);
    assert.deepEqual([users?.[0]?.last_name, users?.[0]?.phone], ['Rao', '+919876543210']);
  });

  it('an import refuses each new row that lacks a required value, with its line', async () => {
    assert.deepEqual(
      await problemLines({
        'companies.csv': `id,name\n${id(1)},New name\n${id(7)},Seven\n`,
        'users.csv': `id,active\n${id(31)},true\n${id(41)},false\n${id(42)},true\n`,
        'company-roles.csv': 'id,role\nr1,EMPLOYEE\nr2,EMPLOYEE\n',
      }),
      [
        'companies.csv:3: there is no such company yet, and a new one needs legalName, gstin, email, creditLimit and creditDays: add what is missing, or correct the row',
        ...[3, 4].map(
          (line) =>
            `users.csv:${line}: there is no such user yet, and a new one needs email, firstName, lastName, clientType, companyId (or companyGstin), departmentId (or departmentCostCode), bandId (or bandCode) and approvalLimit: add what is missing, or correct the row`,
        ),
        'company-roles.csv:3: there is no such company role yet, and a new one needs userId (or userEmail) and companyId (or companyGstin): add what is missing, or correct the row',
      ],
    );
  });

  it('an import of some columns that do not fit the stored ones is refused', async () => {
    assert.deepEqual(
      await problemLines({
        'departments.csv': `id,companyId\n${id(11)},${id(2)}\n`,
        'users.csv': `id,bandId,active\n${id(31)},${id(22)},true\n`,
        'approval-policy-levels.csv': 'id,level\nl1,2\nl2,2\n',
      }),
      [
        `users.csv:2: departmentId: "${id(11)}" is a department of the company ${id(2)}: expected one of the user's own company`,
        `users.csv:2: bandId: "${id(22)}" is a band of the company ${id(2)}: expected one of the user's own company`,
        'approval-policy-levels.csv:3: part: line 2 has the same policyId, level and part already: correct or remove one of the two',
      ],
    );
  });

  it('an import of some columns moves people, swaps unique values and changes single values', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    assert.deepEqual(
      await importFiles(db, {
        'companies.csv': `gstin,id\nGST-2,${id(1)}\nGST-1,${id(2)}\n`,
        'departments.csv': `budget,id\n12.50,${id(11)}\n`,
        'users.csv': `id,companyId,departmentId,bandId\n${id(31)},${id(2)},${id(12)},${id(22)}\n`,
        'approval-policy-levels.csv': 'id,level\nl1,2\nl2,1\n',
        'system-roles.csv': `userId,role\n${id(32)},SUPER_ADMIN\n`,
        'bookings.csv': 'id,amount\nb1,7\n',
      }),
      {
        'companies.csv': [0, 2, 0],
        'departments.csv': [0, 1, 0],
        'users.csv': [0, 1, 0],
        'approval-policy-levels.csv': [0, 2, 0],
        'system-roles.csv': [0, 1, 0],
        'bookings.csv': [0, 1, 0],
      },
    );
    const { companies, departments, users, system_roles: roles, bookings } = await contents(db);
    assert.deepEqual(
      companies?.map(({ gstin, name }) => [gstin, name]),
      [
        ['GST-2', 'Company 1'],
        ['GST-1', 'Company 2'],
      ],
    );
    assert.deepEqual([departments?.[0]?.budget, departments?.[0]?.name], [12.5, 'Sales']);
    assert.deepEqual([users?.[0]?.company_id, users?.[0]?.email], [id(2), 'u31@x.example']);
    assert.deepEqual(roles, [{ user_id: id(32), role: 'SUPER_ADMIN', active: false }]);
    assert.deepEqual([bookings?.[0]?.amount, bookings?.[0]?.user_id], [7, id(32)]);
  });

  it('an import of ids alone finds the known rows unchanged', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    assert.deepEqual(await importFiles(db, { 'users.csv': `id\n${id(31)}\n`, 'companies.csv': 'id\n' }), {
      'companies.csv': [0, 0, 0],
      'users.csv': [0, 0, 1],
    });
  });

  it('an import does not undo a simultaneous change of columns that its file lacks', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    await using folder = await makeFolder({ 'users.csv': `id,active\n${id(31)},false\n` });
    const changes: Promise<unknown>[] = [];
    const change = sql`update users set phone = '+1 555 0100 200', email = 'new@x.example' where id = ${id(31)}`;
    await importFolder(db, folder.path, {
      onProgress: ({ step }) => {
        if (step === 'checking' && changes.length === 0) changes.push(db.query(change));
      },
    });
    await Promise.all(changes);
    const { users: [person] = [] } = await contents(db);
    const { phone, email, active } = person ?? {};
    assert.deepEqual([phone, email, active], ['+1 555 0100 200', 'new@x.example', false]);
  });
});

describe('import: what spreadsheets make of files', () => {
  it('an import reads booleans and column names in any letter case, and skips empty records', async () => {
    await using db = await openTestDatabase();
    const [header = '', ...lines] = toCsv([company(1), company(2), company(3)]).split('\n');
    const cells = lines.map((line, index) => line.replace(/true$/, ['TRUE', 'False', 'FALSE'][index] ?? ''));
    const blank = `${','.repeat(7)}\n , ,,"",,,,\n,,,,,,,,,,,,\n`;
    const file = `${blank}${header.toUpperCase()}\n${cells.join(`\n${blank}`)}${blank}`;
    assert.deepEqual(await importFiles(db, { 'companies.csv': file }), { 'companies.csv': [3, 0, 0] });
    const { companies } = await contents(db);
    assert.deepEqual(
      companies?.map(({ active }) => active),
      [true, false, false],
    );
  });

  it('an import counts the lines of empty records that it skips', async () => {
    const problems = await problemLines({ 'companies.csv': `,\nID,Name\n,,\n${id(1)},\n` });
    assert.deepEqual(problems, [
      'companies.csv:4: name: the cell is empty: expected 1 to 200 characters without control characters',
    ]);
  });
});
