import assert from 'node:assert/strict';
import sql from 'sql-template-tag';
import type { OverLimit, UsersImportView } from '../../src/features/people/import/import-schemas.ts';
import type { TestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { insertRow, validRows } from '../support/rows.ts';

/** Somebody in the file of an HR system. */
export interface Line {
  number: string;
  first: string;
  last: string;
  email: string;
  department: string;
  manager: string;
  status: string;
}

export const DEPARTMENTS = ['Tours', 'Research', 'Finance'];

/** Returns people with numbers from 1, each of whom but the first has a manager. */
export function peopleOf(count: number, domain: string): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    number: String(index + 1),
    first: `First${index + 1}`,
    last: `Last${index + 1}`,
    email: `p${index + 1}@${domain}`,
    department: DEPARTMENTS[index % 3] ?? '',
    manager: index === 0 ? '' : String(Math.floor((index - 1) / 5) + 1),
    status: 'Active',
  }));
}

/** Returns the file with these people. */
export function fileOf(people: readonly Line[]): string {
  const lines = people.map((one) =>
    [one.number, one.first, one.last, one.email, one.department, one.manager, one.status].join(),
  );
  return `Employee ID,First Name,Last Name,Email,Department,Manager,Status\n${lines.join('\n')}\n`;
}

/** A company with defaults, whose first administrator is in no file. */
export async function openFeed(api: TestApp, name: string, tokenOf: (email: string) => Promise<string> = api.tokenFor) {
  const company = await addCompany(api.db, name);
  for (const [index, department] of DEPARTMENTS.entries())
    await insertRow(api.db, 'departments', {
      ...validRows.departments,
      id: crypto.randomUUID(),
      company_id: company.id,
      name: department,
      cost_code: `D-${index}`,
    });
  await api.db.query(sql`
    update companies set default_department_id = ${company.departmentId}, default_band_id = ${company.bandId}
     where id = ${company.id}`);
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  const caller = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
  const token = tokenOf(caller.email);
  const send = async (file: string | Buffer, query: object = {}) => {
    const response = await api.send({
      method: 'POST',
      url: '/api/users/import',
      query: { companyId: company.id, mode: 'all', ...query },
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${await token}` },
      payload: file,
    });
    const { data, code } = response.json<{ data: UsersImportView; code?: string }>();
    return { status: response.statusCode, data, code, body: response.body };
  };
  const bring = async (file: string | Buffer, query: object = {}) => {
    const { status, data, body } = await send(file, query);
    assert.equal(status, 200, body);
    return data;
  };
  /** Sends a file that is stopped. @returns what is over its limits, by the name of the limit */
  const stopped = async (file: string | Buffer, query: object = {}, expected = 400) => {
    const before = await state();
    const { status, data, body } = await send(file, query);
    assert.equal(status, expected, body);
    assert.deepEqual(await state(), before);
    const over = Object.fromEntries((data.over ?? []).map((each) => [each.limit, each])) as Record<string, OverLimit>;
    return { over, confirm: data.confirm ?? '', problems: data.problems };
  };
  /** The people of the company who have a number, as a file has them. */
  const state = () =>
    api.db.query<Line>(sql`
      select users.employee_number as number, users.first_name as first, users.last_name as last, users.email,
             departments.name as department, coalesce(above.employee_number, '') as manager,
             case when users.active then 'Active' else 'Terminated' end as status
        from users join departments on departments.id = users.department_id left join users above on above.id = users.manager_id
       where users.company_id = ${company.id}::uuid and users.employee_number is not null
       order by users.employee_number::integer`);
  return { company, admin, caller, send, bring, stopped, state };
}
