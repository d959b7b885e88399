import sql from 'sql-template-tag';
import { tokenSigner } from '../../src/auth/tokens/access-token.ts';
import { keysFromSecret } from '../../src/auth/tokens/token-keys.ts';
import type { Database, Writer } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { loadPeople } from '../data/load-people.ts';
import type { PeopleSizes } from '../data/people.ts';

/** What all the servers verify tokens with. */
export const JWT_SECRET = 'a secret for benches that is long enough';

/** Somebody who sends requests. */
export interface Caller {
  userId: string;
  /** A company of many, whose lists they may see. */
  companyId: string;
  /** An approval policy of that company. */
  policyId: string;
  /** The header of a request. */
  authorization: string;
}

/**
 * As many as there are, up to this. The service remembers some 22,000 tokens of theirs (16 MiB, src/auth/tokens/access-token.ts): with more
 * callers each is forgotten by the time somebody comes again.
 */
const CALLERS = 100_000;
/** Companies with departments and approval policies for more pages than {@link FULL_PAGES}. */
const COMPANIES = 400;
const ENTRIES = 25;
/** Pages of 10 of a company's departments and policies that are full. */
export const FULL_PAGES = 2;

const TOKEN_SECONDS = 12 * 60 * 60;

/** Makes the schema and people in an empty database. */
export async function loadData(db: Database, sizes: PeopleSizes): Promise<void> {
  await migrate(db);
  await loadPeople(db, sizes);
}

/**
 * Fills the lists of the largest companies and gives Corporate Admins and Managers of theirs platform access too; nothing that is there already. Neither
 * the demo nor the many people have lists that fill a page.
 *
 * @returns the callers, always the same ones in the same order, which is none that the database has
 */
export async function prepareCallers(db: Database): Promise<Caller[]> {
  await fillLists(db);
  const people = await db.query<Omit<Caller, 'authorization'>>(sql`
    with callers as (
      select users.id, company_roles.company_id
        from company_roles join users on users.id = company_roles.user_id
       where users.active and company_roles.role in ('CORPORATE_ADMIN', 'MANAGER')
         and company_roles.company_id in (select company_id from departments where cost_code = 'BR-1')
       order by md5(users.id::text) limit ${CALLERS}::bigint),
    staff as (insert into system_roles (user_id, role) select id, 'PLATFORM_RM' from callers on conflict do nothing)
    select id as "userId", company_id as "companyId",
           (select min(approval_policies.id) from approval_policies
             where approval_policies.company_id = callers.company_id and name = 'Policy 1') as "policyId"
      from callers order by md5(id::text)`);
  if (people.length === 0) throw new Error('The database has no Corporate Admins or Managers: npm run bench -- data');
  await db.query(sql`vacuum (analyze)`);
  const sign = tokenSigner(keysFromSecret(JWT_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  return Promise.all(
    people.map(async (one) => ({ ...one, authorization: `Bearer ${await sign(one.userId, TOKEN_SECONDS)}` })),
  );
}

async function fillLists(db: Writer): Promise<void> {
  const chosen = sql`
    select companies.id, number
      from companies, generate_series(1, ${ENTRIES}::integer) number
     where companies.active and companies.id in (
       select company_id from users group by company_id order by count(*) desc, company_id limit ${COMPANIES}::bigint)
       and not exists (select from departments where company_id = companies.id and cost_code = 'BR-1')`;
  await db.query(sql`
    with chosen as (${chosen}),
    branches as (
      insert into departments (id, company_id, name, cost_code, budget)
      select gen_random_uuid(), id, 'Branch ' || number, 'BR-' || number, 100000 + number from chosen),
    policies as (
      insert into approval_policies (id, company_id, name, auto_approval_limit)
      select gen_random_uuid()::text, id, 'Policy ' || number, 1000 * number from chosen
      returning id)
    insert into approval_policy_levels (policy_id, level, role_required, min_amount)
    select policies.id, level, 'MANAGER', 5000 * level from policies, generate_series(1, 3) level`);
}
