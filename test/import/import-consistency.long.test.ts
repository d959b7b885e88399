import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTestDatabase } from '../support/test-database.ts';
import {
  band,
  type CsvRow,
  company,
  contents,
  department,
  type Files,
  id,
  importFiles,
  refusalOf,
  user,
  validFiles,
} from './folders.ts';

/** The problems of files above the valid ones, as `[file, line, column]` and reason. */
async function problemsOf(files: Files): Promise<[place: unknown[], reason: string][]> {
  const { problems } = await refusalOf(files);
  return problems.map(({ file, line, column, reason }) => [[file, line, column], reason]);
}

const role = (number: number, change: CsvRow = {}): CsvRow => ({
  id: `r${number}`,
  userId: id(31),
  companyId: id(1),
  role: 'MANAGER',
  ...change,
});
const level = (number: number, change: CsvRow = {}): CsvRow => ({
  id: `l${number}`,
  policyId: 'p1',
  level: String(number),
  roleRequired: 'MANAGER',
  minAmount: '1',
  ...change,
});

describe('import: refuses what does not fit together', () => {
  it('an import with an id or unique value twice in a file is refused with both lines', async () => {
    const problems = await problemsOf({
      'companies.csv': [company(3), company(4, { gstin: 'gst-3' })],
      'users.csv': [user(41, 1), user(42, 1, { email: 'U41@X.example' }), user(41, 1, { email: 'x@x.example' })],
      'company-roles.csv': [role(2, { role: 'EMPLOYEE' }), role(0, { id: '', role: 'EMPLOYEE' })],
      'system-roles.csv': [31, 31].map((number) => ({ userId: id(number), role: 'SUPER_ADMIN' })),
      'approval-policy-levels.csv': [level(3), level(4, { level: '3' }), level(3, { level: '5' })],
    });
    assert.deepEqual(problems, [
      [['companies.csv', 3, 'gstin'], '"gst-3" stands on line 2 already: correct or remove one of the two'],
      [['users.csv', 3, 'email'], '"U41@X.example" stands on line 2 already: correct or remove one of the two'],
      [['users.csv', 4, 'id'], `"${id(41)}" stands on line 2 already: correct or remove one of the two`],
      [
        ['company-roles.csv', 3, 'role'],
        'line 2 has the same userId, companyId and role already: correct or remove one of the two',
      ],
      [['system-roles.csv', 3, 'userId'], `"${id(31)}" stands on line 2 already: correct or remove one of the two`],
      [
        ['approval-policy-levels.csv', 3, 'level'],
        'line 2 has the same policyId, part and level already: correct or remove one of the two',
      ],
      [['approval-policy-levels.csv', 4, 'id'], '"l3" stands on line 2 already: correct or remove one of the two'],
    ]);
  });

  it("an import with a unique value of another stored row is refused with that row's id", async () => {
    const problems = await problemsOf({
      'companies.csv': [company(3, { gstin: 'gst-2' })],
      'users.csv': [user(33, 1, { email: 'U32@x.example' })],
      'company-roles.csv': [role(2)],
      'approval-policy-levels.csv': [level(9, { level: '2' })],
    });
    assert.deepEqual(problems, [
      [
        ['companies.csv', 2, 'gstin'],
        `"gst-2" belongs to the company ${id(2)} in the database: correct it, or give that id`,
      ],
      [
        ['users.csv', 2, 'email'],
        `"U32@x.example" belongs to the user ${id(32)} in the database: correct it, or give that id`,
      ],
      [
        ['company-roles.csv', 2, 'role'],
        'the database has a company role of the same userId, companyId and role, with the id "r1": give that id, or none',
      ],
      [
        ['approval-policy-levels.csv', 2, 'level'],
        'the database has a level of the same policyId, part and level, with the id "l2": give that id, or none',
      ],
    ]);
  });

  it('an import with references to rows in neither folder nor database is refused', async () => {
    const problems = await problemsOf({
      'departments.csv': [department(13, 9)],
      'bands.csv': [band(23, 9)],
      'users.csv': [user(33, 1, { departmentId: id(98), bandId: id(99) }), user(34, 9)],
      'company-roles.csv': [role(2, { userId: id(98), companyId: id(99) })],
      'system-roles.csv': [{ userId: id(99), role: 'SUPER_ADMIN' }],
      'approval-policies.csv': [{ id: 'p2', companyId: id(9), name: 'x', autoApprovalLimit: '1' }],
      'approval-policy-levels.csv': [level(3, { policyId: 'P1' })],
      'bookings.csv': [{ id: 'b2', companyId: id(98), userId: id(99), amount: '1' }],
    });
    assert.deepEqual(
      problems.map(([place]) => place.join(' ')),
      [
        'departments.csv 2 companyId',
        'bands.csv 2 companyId',
        'users.csv 2 departmentId',
        'users.csv 2 bandId',
        'users.csv 3 companyId',
        'users.csv 3 departmentId',
        'users.csv 3 bandId',
        'company-roles.csv 2 userId',
        'company-roles.csv 2 companyId',
        'system-roles.csv 2 userId',
        'approval-policies.csv 2 companyId',
        'approval-policy-levels.csv 2 policyId',
        'bookings.csv 2 companyId',
        'bookings.csv 2 userId',
      ],
    );
    assert.equal(
      problems.at(-1)?.[1],
      `"${id(99)}" is the id of no user in the folder or the database: correct it, or add the user to users.csv`,
    );
  });

  it('an import of a user with a department or band of another company is refused', async () => {
    const files = { 'bands.csv': [band(23, 2)], 'users.csv': [user(31, 1, { departmentId: id(12), bandId: id(23) })] };
    assert.deepEqual(await problemsOf(files), [
      [
        ['users.csv', 2, 'departmentId'],
        `"${id(12)}" is a department of the company ${id(2)}: expected one of the user's own company`,
      ],
      [
        ['users.csv', 2, 'bandId'],
        `"${id(23)}" is a band of the company ${id(2)}: expected one of the user's own company`,
      ],
    ]);
  });

  it('an import that moves a department to another company without its users is refused', async () => {
    const reason = `"${id(2)}" is not the company of the department's users in the database (1): move them too, in users.csv`;
    assert.deepEqual(await problemsOf({ 'departments.csv': [department(11, 2)] }), [
      [['departments.csv', 2, 'companyId'], reason],
    ]);
  });
});

describe('import: takes what fits in the end', () => {
  it('an import adds a booking and a role of a user in another company', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const counts = await importFiles(db, {
      'company-roles.csv': [role(2, { companyId: id(2) })],
      'bookings.csv': [{ id: 'b2', companyId: id(2), userId: id(31), amount: '1' }],
    });
    assert.deepEqual(counts, { 'company-roles.csv': [1, 0, 0], 'bookings.csv': [1, 0, 0] });
  });

  it('an import exchanges e-mail addresses, GSTINs, roles and levels between rows', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, { ...validFiles, 'company-roles.csv': [role(1), role(2, { role: 'EMPLOYEE' })] });
    const swapped = {
      'companies.csv': [company(1, { gstin: 'GST-2' }), company(2, { gstin: 'GST-1' })],
      'users.csv': [
        user(31, 1, { email: 'u32@x.example' }),
        user(32, 2, { email: 'new@x.example' }),
        user(33, 1, { email: 'U31@x.example' }),
      ],
      'company-roles.csv': [role(1, { role: 'EMPLOYEE' }), role(2)],
      'approval-policy-levels.csv': [
        level(1, { level: '2' }),
        level(2, { level: '3' }),
        level(0, { id: '', level: '1' }),
      ],
    };
    assert.deepEqual(await importFiles(db, swapped), {
      'companies.csv': [0, 2, 0],
      'users.csv': [1, 2, 0],
      'company-roles.csv': [0, 2, 0],
      'approval-policy-levels.csv': [1, 2, 0],
    });
    const { users, companies, company_roles: roles, approval_policy_levels: levels } = await contents(db);
    assert.deepEqual(
      users?.map(({ email }) => email),
      ['u32@x.example', 'new@x.example', 'U31@x.example'],
    );
    assert.deepEqual(
      companies?.map(({ gstin }) => gstin),
      ['GST-2', 'GST-1'],
    );
    assert.deepEqual(
      roles?.map(({ role: name }) => name),
      ['EMPLOYEE', 'MANAGER'],
    );
    assert.deepEqual(levels?.map(({ level: number }) => number).toSorted(), [1, 2, 3]);
  });

  it('an import moves a department and a band to another company together with all their users', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const counts = await importFiles(db, {
      'departments.csv': [department(11, 2)],
      'bands.csv': [band(21, 2)],
      'users.csv': [user(31, 2, { departmentId: id(11), bandId: id(21) })],
    });
    assert.deepEqual(counts, { 'departments.csv': [0, 1, 0], 'bands.csv': [0, 1, 0], 'users.csv': [0, 1, 0] });
    const { users } = await contents(db);
    assert.deepEqual(
      users?.map((row) => row.company_id),
      [id(2), id(2)],
    );
  });

  it('of two simultaneous imports of the same folder one adds the rows and one finds them unchanged', async () => {
    await using db = await openTestDatabase();
    const counts = await Promise.all([importFiles(db, validFiles), importFiles(db, validFiles)]);
    const users = counts.map((files) => files['users.csv']?.join()).toSorted();
    assert.deepEqual(users, ['0,0,2', '2,0,0']);
  });
});
