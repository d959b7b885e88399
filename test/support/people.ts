import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Reader, Writer } from '../../src/db/database.ts';
import type { CompanyRole, SystemRole } from '../../src/entities/roles.ts';
import { insertRow, type Row, validRows } from './rows.ts';

/** A company with a department and a band for its people. */
export interface TestCompany {
  id: string;
  departmentId: string;
  bandId: string;
}

export interface Person {
  id: string;
  email: string;
}

export interface PersonOptions {
  /** Acme, where none is named. */
  company?: TestCompany;
  roles?: readonly (readonly [role: CompanyRole, company: TestCompany])[];
  systemRole?: { role: SystemRole; active: boolean };
  /** What a role of their own company's opens to them. */
  rules?: readonly string[];
  /** Columns of `users` that are to be otherwise. */
  columns?: Row;
}

/** A demo company, by its name. */
export async function companyNamed(db: Reader, name: string): Promise<TestCompany> {
  const [company] = await db.query<TestCompany>(sql`
    select id,
           (select min(departments.id::text) from departments where company_id = companies.id) as "departmentId",
           (select min(employee_bands.id::text) from employee_bands where company_id = companies.id) as "bandId"
      from companies where name = ${name}`);
  assert.ok(company, `There is no company ${name}`);
  return company;
}

/** Adds a company of this name with one department and one band. */
export async function addCompany(db: Writer, name: string, columns: Row = {}): Promise<TestCompany> {
  const { id = randomUUID() } = columns as { id?: string };
  const [departmentId, bandId] = [randomUUID(), randomUUID()];
  const company = {
    ...validRows.companies,
    id,
    name,
    legal_name: name,
    gstin: id.replaceAll('-', '').slice(-30),
    email: `${id}@test.example`,
  };
  await insertRow(db, 'companies', { ...company, ...columns });
  await insertRow(db, 'departments', { ...validRows.departments, id: departmentId, company_id: id });
  await insertRow(db, 'employee_bands', { ...validRows.employee_bands, id: bandId, company_id: id });
  return { id, departmentId, bandId };
}

/** Adds a person with these roles and no others. */
export async function addPerson(db: Writer, options: PersonOptions = {}): Promise<Person> {
  const { company = await companyNamed(db, 'Acme'), roles = [], systemRole, rules, columns = {} } = options;
  const id = randomUUID();
  const email = `${id}@test.example`;
  await insertRow(db, 'users', {
    ...validRows.users,
    loyalty_points: 120,
    created_at: '2026-01-02T03:04:05.678Z',
    updated_at: '2026-01-02T03:04:05.678Z',
    id,
    email,
    company_id: company.id,
    department_id: company.departmentId,
    band_id: company.bandId,
    ...columns,
  });
  for (const [role, { id: companyId }] of roles) await addRole(db, id, role, companyId);
  if (systemRole) await insertRow(db, 'system_roles', { user_id: id, ...systemRole });
  if (rules) {
    const role = { id: randomUUID(), company_id: company.id, key: `R_${id.slice(0, 8).toUpperCase()}`, name: 'Own' };
    await insertRow(db, 'own_roles', { ...role, rules: rules.join(' ') || null, active: true });
    await insertRow(db, 'role_grants', { user_id: id, company_id: company.id, role_id: role.id });
  }
  return { id, email };
}

/** Gives a person a role in a company. */
export async function addRole(db: Writer, userId: string, role: CompanyRole, companyId: string): Promise<void> {
  await insertRow(db, 'company_roles', { id: randomUUID(), user_id: userId, company_id: companyId, role });
}

/** A person's row, as the database has it, but for columns that follow from others. */
export async function userRow(db: Reader, userId: string): Promise<Row> {
  const [user] = await db.query<{ row: Row }>(sql`
    select to_jsonb(users) - array(select attname::text from pg_attribute
                                    where attrelid = 'users'::regclass and attgenerated <> '') as row
      from users where id = ${userId}`);
  assert.ok(user);
  return user.row;
}
