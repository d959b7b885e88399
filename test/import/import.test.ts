import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { type ImportProgress, importFolder } from '../../src/import/import-folder.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { company, contents, department, id, importFiles, makeFolder, toCsv, user, validFiles } from './folders.ts';

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));

describe('import', () => {
  it('an import loads all files of a folder', async () => {
    await using db = await openTestDatabase();
    assert.deepEqual(await importFiles(db, validFiles), {
      'companies.csv': [2, 0, 0],
      'departments.csv': [2, 0, 0],
      'bands.csv': [2, 0, 0],
      'users.csv': [2, 0, 0],
      'company-roles.csv': [1, 0, 0],
      'system-roles.csv': [1, 0, 0],
      'approval-policies.csv': [1, 0, 0],
      'approval-policy-levels.csv': [2, 0, 0],
      'bookings.csv': [1, 0, 0],
    });
    const { users, employee_bands: bands, company_roles: roles, system_roles: systemRoles } = await contents(db);
    const { created_at, updated_at, ...ana } = users?.[0] ?? {};
    assert.ok(created_at !== undefined && updated_at !== undefined);
    assert.deepEqual(ana, {
      id: id(31),
      email: 'u31@x.example',
      email_key: 'u31@x.example',
      first_name: 'Ana',
      last_name: 'Müller',
      phone: '+919876543210',
      client_type: 'CORPORATE',
      company_id: id(1),
      department_id: id(11),
      band_id: id(21),
      approval_limit: 0,
      date_of_birth: '1990-05-15',
      gender: 'Female',
      address_line_1: '1, Main Street',
      address_line_2: null,
      pincode: '560 001',
      loyalty_points: 0,
      active: true,
      external_id: null,
      fields: null,
      employee_number: null,
      employee_number_key: null,
      job_title: null,
      cost_center: null,
      manager_id: null,
      start_date: null,
      end_date: null,
      substitute_id: null,
      substitute_from: null,
      substitute_until: null,
      worker_type: 'EMPLOYEE',
      host_id: null,
      legal_entity_id: null,
      name_folded: 'ana muller',
      renamed_at: null,
      search_text: 'ana muller\nu31@x.example',
    });
    assert.deepEqual([bands?.[0]?.auto_approval_limit, bands?.[0]?.max_booking_limit], [50.5, null]);
    assert.deepEqual(roles, [{ id: 'r1', user_id: id(31), company_id: id(1), role: 'MANAGER', origin: 'hand' }]);
    assert.deepEqual(systemRoles, [{ user_id: id(32), role: 'PLATFORM_RM', active: false }]);
    const [booking] = await db.query(
      sql`select amount::text, (created_at at time zone 'UTC')::text as "createdAt" from bookings`,
    );
    assert.deepEqual(booking, { amount: '5.50', createdAt: '2025-01-31 09:30:00' });
  });

  it('an import of the same folder again changes nothing', async () => {
    await using db = await openTestDatabase();
    const first = await importFolder(db, DEMO);
    assert.ok(first.files.length === 9 && first.files.every(({ rows, added }) => rows > 0 && added === rows));
    const before = await contents(db);
    const second = await importFolder(db, DEMO);
    assert.deepEqual(
      second.files.map(({ file, unchanged }) => [file, unchanged]),
      first.files.map(({ file, rows }) => [file, rows]),
    );
    assert.deepEqual(await contents(db), before);
  });

  it('an import updates changed rows, and moves updatedAt only of those companies and users', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const before = await contents(db);
    const counts = await importFiles(db, {
      'companies.csv': [company(1), company(2, { active: 'false' }), company(3)],
      'users.csv': [user(31, 1, { addressLine2: 'Flat 2' }), user(32, 2)],
      'approval-policy-levels.csv': [
        { id: 'l2', policyId: 'p1', level: '2', roleRequired: 'SUPER_ADMIN', minAmount: '20.01' },
      ],
    });
    assert.deepEqual(counts, {
      'companies.csv': [1, 1, 1],
      'users.csv': [0, 1, 1],
      'approval-policy-levels.csv': [0, 1, 0],
    });
    const now = await contents(db);
    assert.deepEqual(now.companies?.[0], before.companies?.[0]);
    assert.equal(now.companies?.[1]?.active, false);
    assert.notEqual(now.companies?.[1]?.updated_at, before.companies?.[1]?.updated_at);
    assert.equal(now.companies?.[1]?.created_at, before.companies?.[1]?.created_at);
    assert.equal(now.users?.[0]?.address_line_2, 'Flat 2');
    assert.notEqual(now.users?.[0]?.updated_at, before.users?.[0]?.updated_at);
    assert.deepEqual(now.users?.[1], before.users?.[1]);
    assert.equal(now.approval_policy_levels?.[1]?.min_amount, 20.01);
    assert.deepEqual(now.approval_policy_levels?.[0], before.approval_policy_levels?.[0]);
  });

  it('an import reads columns in any order, quotes, CRLF and a byte order mark, and trims cells', async () => {
    await using db = await openTestDatabase();
    const { id: companyId, ...rest } = company(1, { name: '  "Big", and tall ', creditLimit: ' 75000 ' });
    const file = `\ufeff${toCsv([{ ...rest, id: companyId ?? '' }]).replaceAll('\n', '\r\n')}`;
    assert.deepEqual(await importFiles(db, { 'companies.csv': file }), { 'companies.csv': [1, 0, 0] });
    const [row] = await db.query(sql`select name, credit_limit::text as "limit" from companies`);
    assert.deepEqual(row, { name: '"Big", and tall', limit: '75000.00' });
  });

  it('an import accepts a file without optional columns and ids in either letter case', async () => {
    await using db = await openTestDatabase();
    const { active, ...bare } = company(0xabc);
    const upperCase = '0ABCDEF0-0000-4000-8000-00000000000A';
    const counts = () =>
      importFiles(db, {
        'companies.csv': [{ ...bare, id: upperCase }],
        'departments.csv': [department(11, 1, { companyId: upperCase.toLowerCase() })],
      });
    assert.equal(active, 'true');
    assert.deepEqual(await counts(), { 'companies.csv': [1, 0, 0], 'departments.csv': [1, 0, 0] });
    assert.deepEqual(await counts(), { 'companies.csv': [0, 0, 1], 'departments.csv': [0, 0, 1] });
    const [row] = await db.query(sql`select id::text, active from companies`);
    assert.deepEqual(row, { id: upperCase.toLowerCase(), active: true });
  });

  it('an import accepts references to stored rows', async () => {
    await using db = await openTestDatabase();
    const { 'companies.csv': companies, 'departments.csv': departments, 'bands.csv': bands, ...people } = validFiles;
    await importFiles(db, { 'companies.csv': companies, 'departments.csv': departments, 'bands.csv': bands });
    assert.deepEqual((await importFiles(db, people))['users.csv'], [2, 0, 0]);
  });

  it('an import without the time of a stored booking keeps that time', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const before = await contents(db);
    const [booking] = validFiles['bookings.csv'];
    const { createdAt, ...timeless } = booking;
    assert.deepEqual(await importFiles(db, { 'bookings.csv': [timeless] }), { 'bookings.csv': [0, 0, 1] });
    assert.deepEqual(await importFiles(db, { 'bookings.csv': [{ ...booking, createdAt: '' }] }), {
      'bookings.csv': [0, 0, 1],
    });
    assert.deepEqual(await contents(db), before);
    assert.deepEqual(await importFiles(db, { 'bookings.csv': [{ ...timeless, id: 'b2' }] }), {
      'bookings.csv': [1, 0, 0],
    });
    const [fresh] = await db.query(
      sql`select created_at > now() - interval '1 hour' as fresh from bookings where id = 'b2'`,
    );
    assert.deepEqual([createdAt.slice(0, 4), fresh], ['2025', { fresh: true }]);
  });

  it('an import matches company roles and levels without an id by their other columns', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const before = await contents(db);
    const files = {
      'company-roles.csv': [
        { userId: id(31), companyId: id(1), role: 'MANAGER' },
        { userId: id(31), companyId: id(2), role: 'MANAGER' },
      ],
      'approval-policy-levels.csv': [
        { id: '', policyId: 'p1', level: '2', roleRequired: 'SUPER_ADMIN', minAmount: '30.00' },
        { id: '', policyId: 'p1', level: '3', roleRequired: 'SUPER_ADMIN', minAmount: '40.00' },
      ],
    };
    assert.deepEqual(await importFiles(db, files), {
      'company-roles.csv': [1, 0, 1],
      'approval-policy-levels.csv': [1, 1, 0],
    });
    assert.deepEqual(await importFiles(db, files), {
      'company-roles.csv': [0, 0, 2],
      'approval-policy-levels.csv': [0, 0, 2],
    });
    const now = await contents(db);
    assert.ok(now.company_roles?.some((role) => role.id === before.company_roles?.[0]?.id));
    assert.ok(now.approval_policy_levels?.some((level) => level.id === 'l2' && level.min_amount === 30));
  });

  it("an import updates the planner's statistics of the audit trail", async () => {
    await using db = await openTestDatabase();
    await importFolder(db, DEMO);
    const known = await db.query<{ attname: string }>(sql`
      select attname from pg_stats where tablename = 'audit_changes' order by attname`);
    assert.deepEqual(
      known.map(({ attname }) => attname),
      ['company_id', 'user_id'],
    );
  });

  it('an import reports its progress through the files', async () => {
    await using db = await openTestDatabase();
    await using folder = await makeFolder({ 'companies.csv': validFiles['companies.csv'] });
    const reported: ImportProgress[] = [];
    await importFolder(db, folder.path, { onProgress: (progress) => reported.push(progress) });
    const file = 'companies.csv';
    const bytes = toCsv(validFiles[file]).length;
    assert.deepEqual(reported.at(0)?.step, 'reading');
    assert.deepEqual(
      reported.findLast(({ step }) => step === 'reading'),
      { file, step: 'reading', done: bytes, total: bytes },
    );
    assert.deepEqual(reported.at(-1), { file, step: 'writing', done: 2, total: 2 });
  });
});
