import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { importFolder } from '../../src/import/import-folder.ts';
import { openReportFile } from '../../src/import/report/report-file.ts';
import { UserError } from '../../src/lib/errors.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { company, contents, department, type Files, id, importFiles, makeFolder, user, validFiles } from './folders.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
await importFiles(api.db, validFiles);
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const { email: admin } = await addPerson(api.db, {
  company: { id: id(1), departmentId: id(11), bandId: id(21) },
  roles: [['CORPORATE_ADMIN', { id: id(1), departmentId: id(11), bandId: id(21) }]],
});

const HEADER = 'file,line,id,field,before,after,undoes';
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** The lines that a dry run of these files lists, with `TIME` in the place of times, and how many of them it says undo something. */
async function changesOf(files: Files): Promise<{ lines: string[]; overwritten: number | undefined }> {
  await using folder = await makeFolder(files);
  const path = join(folder.path, 'changes.txt');
  const before = await contents(api.db);
  await using changes = await openReportFile(path, folder.path);
  const { overwritten } = await importFolder(api.db, folder.path, { dryRun: true, changes });
  await changes.publish();
  assert.deepEqual(await contents(api.db), before);
  const [header, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  assert.equal(header, HEADER);
  return { lines: lines.map((line) => line.replace(MOMENT, 'TIME')), overwritten };
}

async function post(as: string, url: string, payload: object): Promise<unknown> {
  return dataOf(await api.send({ method: 'POST', url: `/api/${url}`, as, payload }));
}

describe('import: the list of changes', () => {
  it('has nothing where nothing changes', async () => {
    assert.deepEqual(await changesOf(validFiles), { lines: [], overwritten: 0 });
  });

  it('has a row for each field that changes, of known and new rows, in the order of files and lines', async () => {
    const { lines, overwritten } = await changesOf({
      'companies.csv': [
        company(2, { name: 'Two, "and" more', creditLimit: '75000' }),
        company(1, { creditDays: '31' }),
      ],
      'departments.csv': [{ ...department(0, 1, { costCode: 'NEW', name: '=1+1' }), id: '' }],
      'users.csv': `id,phone,dateOfBirth\n${id(32)},,1991-01-02\n${id(31)},+91 98765 43210,1990-05-15\n`,
      'company-roles.csv': 'id,active\nr1,false\n',
      'bookings.csv': `id,companyId,userId,amount\nb1,${id(1)},${id(32)},6\nb2,${id(1)},${id(32)},7\n`,
    });
    assert.equal(overwritten, 0);
    assert.deepEqual(lines, [
      `companies.csv,2,${id(2)},name,Company 2,"Two, ""and"" more",`,
      `companies.csv,3,${id(1)},creditDays,30,31,`,
      `departments.csv,2,,companyId,,${id(1)},`,
      'departments.csv,2,,name,,=1+1,',
      'departments.csv,2,,costCode,,NEW,',
      'departments.csv,2,,budget,,100.00,',
      `users.csv,2,${id(32)},phone,+91 98765 43210,,`,
      `users.csv,2,${id(32)},dateOfBirth,1990-05-15,1991-01-02,`,
      'company-roles.csv,2,r1,active,true,false,',
      'bookings.csv,2,b1,amount,5.50,6.00,',
      `bookings.csv,3,b2,companyId,,${id(1)},`,
      `bookings.csv,3,b2,userId,,${id(32)},`,
      'bookings.csv,3,b2,amount,,7.00,',
    ]);
  });

  it('marks and counts what people changed themselves since an import did', async () => {
    await updateProfile(api, 'POST', 'u31@x.example', { phone: '+91 11111 11111', firstName: 'Asha' });
    const people = { 'users.csv': [user(31, 1, { lastName: 'Rao' }), user(32, 2, { gender: 'Male' })] };
    const expected = [
      `users.csv,2,${id(31)},firstName,Asha,Ana,TIME`,
      `users.csv,2,${id(31)},lastName,Müller,Rao,`,
      `users.csv,2,${id(31)},phone,+91 11111 11111,+91 98765 43210,TIME`,
      `users.csv,2,${id(31)},addressLine2,,,`,
      `users.csv,3,${id(32)},gender,Female,Male,`,
    ].filter((line) => !line.includes('addressLine2'));
    assert.deepEqual(await changesOf(people), { lines: expected, overwritten: 2 });
    // What an import wrote in the meantime is no longer what the person changed.
    await importFiles(api.db, people);
    assert.deepEqual(await changesOf({ 'users.csv': [user(31, 1, { firstName: 'Anna', lastName: 'Rao' })] }), {
      lines: [`users.csv,2,${id(31)},firstName,Ana,Anna,`],
      overwritten: 0,
    });
  });

  it('marks a company that somebody closed, a role that was taken away and one that was given', async () => {
    const files = {
      'companies.csv': [company(1), company(2)],
      'company-roles.csv': `userEmail,companyGstin,role,active
u31@x.example,GST-1,MANAGER,
u31@x.example,GST-1,EMPLOYEE,false
`,
    };
    await post(superAdmin, 'companies/update', { id: id(2), active: false });
    await post(admin, 'users/revoke-role', { userId: id(31), companyId: id(1), role: 'MANAGER' });
    await post(admin, 'users/grant-role', { userId: id(31), companyId: id(1), role: 'EMPLOYEE' });
    const { company_roles: roles = [] } = await contents(api.db);
    const given = roles.find(({ user_id, role }) => user_id === id(31) && role === 'EMPLOYEE')?.id;
    assert.deepEqual(await changesOf(files), {
      lines: [
        `companies.csv,3,${id(2)},active,false,true,TIME`,
        `company-roles.csv,2,,userId,,${id(31)},TIME`,
        `company-roles.csv,2,,companyId,,${id(1)},TIME`,
        'company-roles.csv,2,,role,,MANAGER,TIME',
        `company-roles.csv,3,${given},active,true,false,TIME`,
      ],
      overwritten: 5,
    });
    // By the id that it had, too.
    const byId = { 'company-roles.csv': validFiles['company-roles.csv'] };
    assert.equal((await changesOf(byId)).lines.filter((line) => /,r1,.*,TIME$/.test(line)).length, 3);
    // Once an import has settled it, nobody's change is overwritten.
    await importFiles(api.db, files);
    const again = { 'company-roles.csv': files['company-roles.csv'].replace('MANAGER,', 'MANAGER,false') };
    const { lines, overwritten } = await changesOf(again);
    assert.match(lines.join(), /^company-roles\.csv,2,[0-9a-f-]+,active,true,false,$/);
    assert.equal(overwritten, 0);
  });

  it('has many changes', async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => department(1000 + index, 1));
    const { lines } = await changesOf({ 'departments.csv': rows });
    assert.equal(lines.length, 4 * rows.length);
    assert.equal(lines.at(-1), `departments.csv,5001,${id(5999)},budget,,100.00,`);
  });

  it('is not written where the folder is refused, and nowhere among its files', async () => {
    await using folder = await makeFolder({ 'users.csv': 'x' });
    const path = join(folder.path, 'changes.txt');
    {
      await using changes = await openReportFile(path, folder.path);
      await assert.rejects(importFolder(api.db, folder.path, { dryRun: true, changes }), UserError);
    }
    await assert.rejects(readFile(path), /ENOENT/);
    await assert.rejects(openReportFile(join(folder.path, 'changes.csv'), folder.path), /would stand among the files/);
  });
});
