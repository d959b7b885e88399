import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { uuid } from '../../test/support/rows.ts';

/** How many rows of each kind there are. */
export interface PlanSizes {
  companies: number;
  users: number;
  bookings: number;
  /** Departments and approval policies of each company. */
  perCompany: number;
  /** The same of the first company, which has many. */
  ofFirst: number;
}

/** The first company, and a person who is a Super Admin and administers that company. */
export const FIRST_COMPANY = uuid(1);
export const ADMINISTRATOR = uuid(1);

/** Fills a database that has the schema and no rows, always in the same way; ids count from 1 as {@link uuid} writes them. */
export async function fillTables(db: Database, sizes: PlanSizes): Promise<void> {
  const { companies, users, bookings, perCompany, ofFirst } = sizes;
  await db.transaction(async (transaction) => {
    // Otherwise VACUUM would not yet hold these rows for settled.
    await transaction.run('set local synchronous_commit = on');
    await transaction.run(ID_FUNCTION);
    await transaction.query(sql`
      insert into companies (id, name, legal_name, gstin, email, credit_limit, credit_days, active)
      select id(n), name, name || ' Private Limited', lpad((n % 37)::text, 2, '0') || upper(left(md5(n::text), 10)) || '1Z' || n,
             'office' || n || '@' || replace(lower(name), ' ', '-') || '.example', 500000, 30, n % 20 > 0
        from generate_series(1, ${companies}::integer) n, lateral (select concat_ws(' ',
          (string_to_array('Aurora,Bogotá,Crystal,Dhaka,Ember,Fjörd,Gießen,Harbour,Indus,Jaipur,Kaveri,Łódź,Maple,Nile,Orion,Pune', ',')
            )[1 + n % 16],
          (string_to_array('Cotton,Marine,Steel,Paper,Solar,Rail,Grain,Glass,Timber,Chemical,Dairy,Optics,Freight', ','))[1 + n % 13],
          (string_to_array('Works,Traders,Textiles,Exports,Mills,Systems,Foods', ','))[1 + n % 7], n)) named (name)`);
    const inCompanies = sql`generate_series(1, ${companies}::integer) company,
      lateral generate_series(1, case company when 1 then ${ofFirst}::integer else ${perCompany}::integer end) place,
      lateral (select (company - 1) * ${ofFirst + perCompany}::integer + place) numbered (n)`;
    await transaction.query(sql`
      insert into departments (id, company_id, name, cost_code, budget)
      select id(n), id(company), (string_to_array('Finance,Sales,Café & Facilities,Quality,Legal', ','))[1 + place % 5] || ' ' || place,
             'CC-' || n, 100000
        from ${inCompanies}`);
    await transaction.query(sql`
      insert into approval_policies (id, company_id, name, auto_approval_limit)
      select 'policy-' || n, id(company), (string_to_array('Domestic,Abroad,Hotels,Rail', ','))[1 + place % 4] || ' travel ' || place, 10000
        from ${inCompanies}`);
    await transaction.query(sql`
      insert into approval_policy_levels (id, policy_id, level, role_required, min_amount)
      select id || '-' || level, id, level, 'MANAGER', level * 10000 from approval_policies, generate_series(1, 3) level`);
    await transaction.query(sql`
      insert into employee_bands (id, company_id, name, code, auto_approval_limit)
      select id(n), id(n), 'Associate', 'B1', 5000 from generate_series(1, ${companies}::integer) n`);
    await transaction.query(sql`
      insert into users (id, email, first_name, last_name, phone, client_type, company_id, department_id, band_id, approval_limit,
                         date_of_birth, gender, address_line_1, pincode)
      select id(n), 'person' || n || '@test.example', 'Ana', 'Rao', '+91 98450 00000', 'CORPORATE', id(company),
             id((company - 1) * ${ofFirst + perCompany}::integer + 1 + n % ${perCompany}::integer), id(company), 1000,
             '1990-05-15', 'Female', '1, MG Road', '560001'
        from generate_series(1, ${users}::integer) n, lateral (select 1 + (n - 1) % ${companies}::integer) employer (company)`);
    await transaction.query(sql`
      insert into company_roles (id, user_id, company_id, role)
      select 'role-' || n, id(n), id(1 + (n - 1) % ${companies}::integer), case n % 10 when 1 then 'CORPORATE_ADMIN' else 'EMPLOYEE' end
        from generate_series(1, ${users}::integer) n`);
    await transaction.query(sql`
      insert into system_roles (user_id, role)
      select id(n), case n when 1 then 'SUPER_ADMIN' else 'PLATFORM_RM' end from generate_series(1, ${users}::integer, 100) n`);
    await transaction.query(sql`
      update users set external_id = '00u' || email`);
    await transaction.query(sql`
      insert into scim_users (user_id, company_id) select id, company_id from users`);
    await transaction.query(sql`
      insert into bookings (id, company_id, user_id, amount)
      select 'booking-' || n, id(1 + (n - 1) % ${users}::integer % ${companies}::integer), id(1 + (n - 1) % ${users}::integer), 1500
        from generate_series(1, ${bookings}::integer) n`);
    await transaction.run('drop function id(integer)');
  });
  // What a server does by itself some time later.
  await db.query(sql`vacuum (analyze)`);
}

const ID_FUNCTION = `
  create function id(n integer) returns uuid language sql immutable
    return ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
