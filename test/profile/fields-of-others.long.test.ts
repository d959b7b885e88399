import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { PROFILE_FIELDS } from '../../src/entities/user.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, userRow } from '../support/people.ts';
import { UPDATE_WAYS, updateProfile } from '../support/update-profile.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

/** Tables that hold nothing of companies and people. */
const OTHER_TABLES = ['countries', 'schema_migrations', 'schemaversion'];
/** Tables that note each update, or that somebody has signed in, as they should. */
const TRAIL = ['audit_changes', 'audit_personal_values', 'sign_ins'];
const OWN: readonly string[] = PROFILE_FIELDS;

const camelCase = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Every column of every table about companies and people, each with a value that is in use there. */
const columns = (
  await api.db.query<{ table: string; name: string }>(sql`
    select table_name::text as "table", column_name::text as name from information_schema.columns
     where table_schema = 'public' order by 1, 2`)
).filter(({ table }) => !OTHER_TABLES.includes(table));
const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !TRAIL.includes(table));
const cases = (
  await Promise.all(
    columns.map(async ({ table, name }) => {
      const [row] = await api.db.query<{ value: string }>(
        sql`select ${raw(name)}::text as value from ${raw(table)} where ${raw(name)} is not null order by 1 desc limit 1`,
      );
      const value = row?.value ?? '1';
      const spellings = new Set([name, camelCase(name), `${table}.${name}`, `${table}[${name}]`, name.toUpperCase()]);
      return [...spellings].map((field): [string, string] => [field, value]);
    }),
  )
)
  .flat()
  .filter(([field]) => !OWN.includes(field));
/** What the profile shows next to that, in the form in which it shows it. */
const SHOWN: Readonly<Record<string, unknown>> = {
  roles: ['SUPER_ADMIN'],
  companyRoles: [{ id: 'x', companyId: '00000000-0000-4000-8000-000000000001', role: 'CORPORATE_ADMIN' }],
  systemRoleMap: { role: 'SUPER_ADMIN', active: true },
  systemRole: { role: 'SUPER_ADMIN', active: true },
  company: { id: '00000000-0000-4000-8000-000000000001', name: 'Mine', active: true },
  department: { id: '00000000-0000-4000-8000-000000000001' },
  band: { code: 'X', autoApprovalLimit: '999999.00' },
  employeeBand: 'X',
  user: { approvalLimit: '999999.00' },
  data: { approvalLimit: '999999.00' },
  $set: { approval_limit: '999999.00' },
  __proto: { approvalLimit: '999999.00' },
  password: 'x',
};

/** All that is known of companies and people, but for one person. */
async function everythingBut(userId: string): Promise<unknown> {
  const hashes = tables.map(
    (table) =>
      `select '${table}' as name, md5(string_agg(r::text, ',' order by r::text)) as hash from ${table} r` +
      (table === 'users' ? ` where id <> '${userId}'` : ''),
  );
  return api.db.query(sql`${raw(hashes.join(' union all '))} order by name`);
}

describe('fields that the caller may not write', () => {
  for (const way of UPDATE_WAYS) {
    it(`a profile update by ${way} changes no column that the caller may not write, in any spelling`, async () => {
      const { id, email } = await addPerson(api.db, { roles: [] });
      const [before, others] = [await userRow(api.db, id), await everythingBut(id)];
      const start = Date.now() - 1000;
      const shown = way === 'POST' ? Object.entries(SHOWN) : [];
      for (const [field, value] of [...cases, ...shown]) {
        const response = await updateProfile(api, way, email, { firstName: 'Own', [field]: value });
        const row = await userRow(api.db, id);
        const expected = { ...before, first_name: 'Own', updated_at: row.updated_at, renamed_at: row.renamed_at };
        assert.deepEqual(row, expected, `${field} = ${JSON.stringify(value)}`);
        assert.ok(Date.parse(String(row.updated_at)) > start, field);
        assert.deepEqual(dataOf<{ roles: string[] }>(response).roles, [], field);
      }
      assert.deepEqual(await everythingBut(id), others);
    });
  }

  it('the tests of foreign fields try every column of users, roles and companies, in more than 36 cases', () => {
    for (const name of ['users', 'company_roles', 'system_roles', 'companies', 'departments', 'employee_bands']) {
      assert.ok(tables.includes(name), name);
    }
    for (const field of ['approval_limit', 'approvalLimit', 'companyId', 'active', 'email', 'role', 'budget']) {
      assert.ok(
        cases.some(([name]) => name === field),
        field,
      );
    }
    assert.ok(cases.length > 36);
  });
});
