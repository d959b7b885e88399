import sql from 'sql-template-tag';
import { tokenSigner } from '../../src/auth/access-token.ts';
import { keysFromSecret } from '../../src/auth/token-keys.ts';
import type { Executor } from '../../src/db/database.ts';

/** What all the servers verify tokens with. */
export const JWT_SECRET = 'a secret for benches that is long enough';

export interface Subject {
  userId: string;
  /** The header of a request. */
  authorization: string;
}

/** The people who send the requests. */
export interface Subjects {
  superAdmin: Subject;
  corporateAdmin: Subject & { companyId: string };
  /** They update their profiles, one on each connection. */
  updaters: Subject[];
}

const TOKEN_SECONDS = 12 * 60 * 60;

/** Finds people in the database, always the same ones; the company is one whose lists fill a page, where there is such a one. */
export async function findSubjects(db: Executor, updaters: number): Promise<Subjects> {
  const [superAdmin] = await db.query<{ userId: string }>(sql`
    select users.id as "userId" from system_roles join users on users.id = system_roles.user_id
     where system_roles.role = 'SUPER_ADMIN' and system_roles.active and users.active order by users.id limit 1`);
  const [corporateAdmin] = await db.query<{ userId: string; companyId: string }>(sql`
    with policies as (select company_id, count(*) as count from approval_policies group by company_id),
         departments as (select company_id, count(*) as count from departments group by company_id)
    select users.id as "userId", companies.id as "companyId"
      from company_roles
      join users on users.id = company_roles.user_id and users.active
      join companies on companies.id = company_roles.company_id and companies.active
      join policies on policies.company_id = companies.id
      join departments on departments.company_id = companies.id
     where company_roles.role in ('CORPORATE_ADMIN', 'MANAGER')
     order by least(policies.count, 10) + least(departments.count, 10) desc, companies.id, users.id
     limit 1`);
  const people = await db.query<{ userId: string }>(
    sql`select id as "userId" from users where active order by id limit ${updaters}::bigint`,
  );
  if (!superAdmin || !corporateAdmin || people.length === 0) {
    throw new Error(
      'The database has no active Super Admin, or no active Corporate Admin or Manager of a company with departments and approval policies: import the folder demo as well.',
    );
  }
  const sign = tokenSigner(keysFromSecret(JWT_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  const withToken = async <Person extends { userId: string }>(person: Person) => ({
    ...person,
    authorization: `Bearer ${await sign(person.userId, TOKEN_SECONDS)}`,
  });
  return {
    superAdmin: await withToken(superAdmin),
    corporateAdmin: await withToken(corporateAdmin),
    updaters: await Promise.all(people.map(withToken)),
  };
}
