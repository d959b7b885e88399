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

/** The people who send the requests: each connection has one of its own, where there are so many. */
export interface Subjects {
  /** With platform access. */
  staff: Subject[];
  /** With corporate access to the company, whose lists fill a page where there is such a one. */
  managers: Subject[];
  companyId: string;
  /** They look at their profiles, and update them. */
  people: Subject[];
}

const TOKEN_SECONDS = 12 * 60 * 60;

/** Finds people in the database, always the same ones. */
export async function findSubjects(db: Executor, connections: number): Promise<Subjects> {
  const staff = await db.query<Person>(sql`
    select users.id as "userId" from system_roles join users on users.id = system_roles.user_id
     where system_roles.active and users.active order by users.id limit ${connections}::bigint`);
  const managers = await db.query<Person & { companyId: string }>(sql`
    with policies as (select company_id, count(*) as count from approval_policies group by company_id),
         departments as (select company_id, count(*) as count from departments group by company_id),
         chosen as (
           select companies.id from companies
             join policies on policies.company_id = companies.id
             join departments on departments.company_id = companies.id
            where companies.active
            order by least(policies.count, 10) + least(departments.count, 10) desc, companies.id limit 1)
    select distinct users.id as "userId", chosen.id as "companyId"
      from chosen
      join company_roles on company_roles.company_id = chosen.id and company_roles.role in ('CORPORATE_ADMIN', 'MANAGER')
      join users on users.id = company_roles.user_id and users.active
     order by users.id limit ${connections}::bigint`);
  const people = await db.query<Person>(
    sql`select id as "userId" from users where active order by id limit ${connections}::bigint`,
  );
  const companyId = managers[0]?.companyId;
  if (staff.length === 0 || companyId === undefined) {
    throw new Error(
      'The database has nobody with platform access, or no Corporate Admin or Manager of a company with departments and approval policies: import the folder demo as well.',
    );
  }
  const sign = tokenSigner(keysFromSecret(JWT_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  const withTokens = (some: Person[]) =>
    Promise.all(
      some.map(async ({ userId }) => ({ userId, authorization: `Bearer ${await sign(userId, TOKEN_SECONDS)}` })),
    );
  return {
    staff: await withTokens(staff),
    managers: await withTokens(managers),
    companyId,
    people: await withTokens(people),
  };
}

interface Person {
  userId: string;
}
