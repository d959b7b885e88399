import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import type { Executor } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres-database.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { loadPeople } from '../data/load-people.ts';
import type { PeopleSizes } from '../data/people.ts';
import { CONNECTIONS } from '../support/measure.ts';

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));

/** Loads the demo and many more people into an empty database, gives it staff, and fills the lists of one company. */
export async function loadData(url: string, sizes: PeopleSizes): Promise<void> {
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await migrate(db);
  await importFolder(db, DEMO);
  await loadPeople(db, sizes);
  await appointStaff(db);
  await fillCompany(db);
  await db.query(sql`vacuum (analyze)`);
}

/** As many people with platform access as there are connections. */
async function appointStaff(db: Executor): Promise<void> {
  await db.query(sql`
    insert into system_roles (user_id, role)
    select id, 'PLATFORM_RM' from users where active order by id desc limit ${CONNECTIONS}::bigint
    on conflict do nothing`);
}

/** Neither the demo nor the many people have a company whose departments and approval policies fill a page. */
async function fillCompany(db: Executor): Promise<void> {
  await db.query(sql`
    with chosen as (select company_id as id from users group by company_id order by count(*) desc, company_id offset 20 limit 1)
    insert into departments (id, company_id, name, cost_code, budget)
    select gen_random_uuid(), chosen.id, 'Branch ' || number, 'BR-' || number, 100000 + number
      from chosen, generate_series(1, 25) number`);
  await db.query(sql`
    with branches as (
      select id, company_id, row_number() over (order by id) as place, count(*) over () as count
        from departments where cost_code like 'BR-%'),
    people as (
      select users.id, row_number() over (order by users.id) as place
        from users where company_id = (select company_id from branches limit 1))
    update users set department_id = branches.id
      from people, branches
     where users.id = people.id and branches.place = 1 + people.place % branches.count`);
  await db.query(sql`
    with chosen as (select company_id as id from departments where cost_code = 'BR-1'),
    policies as (
      insert into approval_policies (id, company_id, name, auto_approval_limit)
      select 'policy-' || number, chosen.id, 'Policy ' || number, 1000 * number from chosen, generate_series(1, 25) number
      returning id)
    insert into approval_policy_levels (policy_id, level, role_required, min_amount)
    select policies.id, level, 'MANAGER', 5000 * level from policies, generate_series(1, 3) level`);
}
