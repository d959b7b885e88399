import sql from 'sql-template-tag';
import type { Reader } from '../../src/db/database.ts';
import { findApprovers } from '../../src/features/approval-policies/evaluation-queries.ts';
import { listUsers } from '../../src/features/people/users-queries.ts';

/** What is asked of the people of a company, and how. */
export type PeopleCase = readonly [what: string, ask: (db: Reader) => Promise<unknown>];

/** The company whose number of people is next to this one. */
export async function companyOfAbout(db: Reader, people: number): Promise<string> {
  const [company] = await db.query<{ id: string }>(sql`
    select company_id as id from users group by company_id
     order by abs(count(*) - ${people}::integer), company_id limit 1`);
  if (company === undefined) throw new Error('The database has no people: npm run bench -- data');
  return company.id;
}

/** The lists of the people of a company and who of them approves, the same for a large company and a small one. */
export async function peopleCases(db: Reader, companyId: string): Promise<PeopleCase[]> {
  const [found] = await db.query<{ departmentId: string; bandId: string; people: number; policyId: string | null }>(sql`
    select department_id as "departmentId", band_id as "bandId", count(*) over ()::integer as people,
           (select min(approval_policies.id) from approval_policies where company_id = ${companyId}) as "policyId"
      from users where company_id = ${companyId} order by id limit 1`);
  if (found === undefined) throw new Error(`${companyId} has no people.`);
  const { departmentId, bandId, people, policyId } = found;
  const of = `of ${people.toLocaleString('en')}`;
  const list =
    (filter: object, page = 1) =>
    (db: Reader) =>
      listUsers(db, { companyId, ...filter }, { page, limit: 10 });
  const lists: PeopleCase[] = [
    [`people ${of}, page 1`, list({})],
    [`people ${of}, page ${Math.min(100, Math.floor(people / 10))}`, list({}, Math.min(100, Math.floor(people / 10)))],
    ...['ana', 'a', 'person7', 'nothing like it', 'qx', 'q'].map(
      (search): PeopleCase => [`people ${of} with "${search}"`, list({ search })],
    ),
    [`people ${of} in a department`, list({ departmentId })],
    [`people ${of} of a band`, list({ bandId })],
    [`people ${of} who are active`, list({ activeOnly: true })],
    ...(['CORPORATE_ADMIN', 'EMPLOYEE'] as const).map(
      (role): PeopleCase => [`people ${of} with the role ${role}`, list({ role })],
    ),
  ];
  if (policyId === null) return lists;
  const steps = (amount: string): PeopleCase => [
    `people ${of} who approve ${amount}`,
    (db) =>
      findApprovers(
        db,
        { id: policyId, companyId, excludeReports: false, defaultGroupId: null },
        { amount, booker: undefined, requestedBy: undefined, on: undefined },
      ),
  ];
  return [...lists, steps('20000.00'), steps('500000.00')];
}
