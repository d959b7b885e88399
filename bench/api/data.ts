import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { openPostgresDatabase } from '../../src/db/postgres-database.ts';
import { type PeopleSizes, writePeople } from '../data/people.ts';
import { runMeasured } from '../import/measured-import.ts';

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));

/** Loads the demo and many more people into an empty database, and fills the lists of each large company. */
export async function loadData(url: string, folder: string, sizes: PeopleSizes): Promise<void> {
  const files = join(folder, 'people');
  await writePeople(files, sizes);
  const settings = { DATABASE_URL: url, DATA_DIR: join(folder, 'keys') };
  for (const part of [DEMO, files]) await runMeasured(['import', part], settings);
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await fillCompany(db);
  await db.query(sql`vacuum (analyze)`);
}

/** Neither the demo nor the many people have a company whose departments and approval policies fill a page. */
async function fillCompany(db: { query: ReturnType<typeof openPostgresDatabase>['query'] }): Promise<void> {
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
