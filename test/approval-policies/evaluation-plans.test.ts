import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import { evaluate } from '../../src/features/approval-policies/evaluate.ts';
import { openAdministration } from '../administration/administration.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { insertRow } from '../support/rows.ts';
import { vacuumWholly } from '../support/vacuum-wholly.ts';

const PEOPLE = 20_000;
const POLICIES = 200;

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, add } = administration;
const { db } = api;
const booker = await add({ roles: [['EMPLOYEE', home]] });

await db.query(sql`
  with people as (
    insert into users (id, email, first_name, last_name, client_type, company_id, department_id, band_id, approval_limit)
    select gen_random_uuid(), 'person' || number || '@large.example', 'Given', 'Family' || number, 'CORPORATE', ${home.id}::uuid,
           ${home.departmentId}::uuid, ${home.bandId}::uuid, number
      from generate_series(1, ${PEOPLE}::integer) number
    returning id)
  insert into company_roles (user_id, company_id, role) select id, ${home.id}::uuid, 'MANAGER' from people`);
// Roles that no level requires.
await db.query(sql`
  insert into system_roles (user_id, role) select user_id, 'PLATFORM_RM' from company_roles where company_id = ${home.id}::uuid limit ${PEOPLE / 2}::bigint`);
for (let number = 0; number < POLICIES; number++) {
  const id = `plan ${number}`;
  await insertRow(db, 'approval_policies', { id, company_id: home.id, name: id, auto_approval_limit: '1' });
  const level = { id, policy_id: id, level: 1, role_required: 'MANAGER', min_amount: '1' };
  await insertRow(db, 'approval_policy_levels', level);
}
// Vacuumed, as autovacuum does: what an index covers is read there alone.
for (const table of [
  'users',
  'company_roles',
  'system_roles',
  'approval_policies',
  'approval_policy_levels',
  'bookings',
]) {
  await vacuumWholly(db, table);
}

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Node Type': string;
  Plans?: Plan[];
}

/** Returns the number of rows of a table that a plan reads, those of an index alone left out. */
function rowsOf(table: string, plan: Plan): number {
  const isRead = plan['Relation Name'] === table && plan['Node Type'] !== 'Index Only Scan';
  const own = isRead ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(table, each), own);
}

describe(`an evaluation in a company of ${PEOPLE} managers and ${POLICIES} policies`, () => {
  it(`an evaluation among ${PEOPLE} managers takes three statements, and reads few people`, async () => {
    const recorded = recordStatements(db);
    const input = {
      id: undefined,
      companyId: undefined,
      userId: booker.id,
      amount: '15000.00',
      facts: {},
      on: undefined,
      requestedBy: undefined,
      approvedAmount: undefined,
      currency: undefined,
    };
    const caller = {
      keyId: '',
      directoryId: '',
      companyId: null,
      createdBy: null,
      confirmedBy: null,
      isSuspended: false,
      scopes: [],
    };
    const { decision, steps } = await evaluate(recorded.db, input, caller);
    const [step] = steps;
    assert.equal(decision, 'APPROVAL_NEEDED');
    assert.deepEqual([step?.approvers.total, step?.approvers.people.length], [PEOPLE - 15_000 + 1, 10]);
    assert.equal(recorded.statements.length, 3);
    if (db.kind === 'embedded') return;
    let people = 0;
    for (const statement of recorded.statements) {
      const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        sql`explain (analyze, format json) ${statement as Sql}`,
      );
      const plan = row?.['QUERY PLAN'][0].Plan;
      assert.ok(plan);
      people += rowsOf('users', plan);
      assert.ok(rowsOf('company_roles', plan) < 100, JSON.stringify(plan));
    }
    // Ten for each kind of approver, and the person.
    assert.ok(people <= 40, String(people));
  });
});
