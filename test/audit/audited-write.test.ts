import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../../src/audit/audit-trail.ts';
import { auditedDelete, auditedInsert, auditedUpdate, takenField } from '../../src/audit/audited-write.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../src/entities/approval-policy.ts';
import { booking } from '../../src/entities/booking.ts';
import { company } from '../../src/entities/company.ts';
import { department } from '../../src/entities/department.ts';
import { companyRole, systemRole } from '../../src/entities/held-role.ts';
import { PROFILE_FIELDS, user } from '../../src/entities/user.ts';
import { insertRow, otherRows, uuid, validRows } from '../support/rows.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { changesSince, newestChange } from './logged-changes.ts';
import { addedDepartment, newCompany, newDepartment, reversed } from './new-rows.ts';

const db = await openTestDatabase();
after(() => db[Symbol.asyncDispose]());
for (const [table, row] of Object.entries(validRows)) await insertRow(db, table, row);
for (const [table, row] of otherRows) await insertRow(db, table, row);

const ACTOR: Actor = { kind: 'user', userId: uuid(31), requestId: 'request-1' };
const LATE = '2026-01-02T03:04:05.678Z';

let start = '0';
beforeEach(async () => {
  start = await newestChange(db);
});
/** What was logged since the beginning of the test, oldest first. */
const trail = () => changesSince(db, start);

/** Runs a write and gives the rows that it says are written. */
async function run<Row extends object>(tables: Sql): Promise<Row[]> {
  const rows = await db.query<{ row: Row }>(sql`with ${tables} select to_json(written) as row from written`);
  return rows.map(({ row }) => row);
}

describe('audited insert', () => {
  const insertDepartments = auditedInsert(department);

  it('an audited insert adds rows, and records a change with the actor for each', async () => {
    const rows = await run<{ id: string; budget: number }>(
      insertDepartments([newDepartment(14), newDepartment(15)], ACTOR),
    );
    assert.deepEqual(rows.map(({ id }) => id).toSorted(), [uuid(14), uuid(15)]);
    const change = { action: 'added', entity: 'department', userId: null, companyId: uuid(1) };
    assert.deepEqual(await trail(), [
      { ...change, ...addedDepartment(14), entityId: uuid(14) },
      { ...change, ...addedDepartment(15), entityId: uuid(15) },
    ]);
    const actors = await db.query(sql`
      select distinct actor_kind as kind, actor_id as "userId", request_id as "requestId", run_id as "runId"
        from audit_changes where id > ${start}::bigint`);
    assert.deepEqual(actors, [{ ...ACTOR, runId: null }]);
  });

  it('an audited insert leaves an existing row with the same id unchanged', async () => {
    const [present] = await db.query(sql`select * from departments where id = ${uuid(11)}`);
    assert.deepEqual(await run(insertDepartments([newDepartment(11)], ACTOR)), []);
    assert.deepEqual(await db.query(sql`select * from departments where id = ${uuid(11)}`), [present]);
    assert.deepEqual(await trail(), []);
  });

  it('an audited insert lets the table set missing values, and records the company and the person', async () => {
    const level = {
      id: null,
      policyId: 'policy-1',
      level: 7,
      roleRequired: 'MANAGER',
      minAmount: '1.00',
      part: 1,
      minApprovers: 1,
      mode: 'ANY',
    } as const;
    const role = { id: null, userId: uuid(32), companyId: uuid(2), role: 'EMPLOYEE' } as const;
    const [added] = await run<{ id: string }>(auditedInsert(approvalPolicyLevel)([level], ACTOR));
    const [granted] = await run<{ id: string }>(auditedInsert(companyRole)([role], ACTOR));
    assert.match(added?.id ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      (await trail()).map(({ entityId, userId, companyId }) => [entityId, userId, companyId]),
      [
        [added?.id, null, uuid(1)],
        [granted?.id, uuid(32), uuid(2)],
      ],
    );
  });

  it('an audited insert reports which unique fields are taken, and adds nothing', async () => {
    const insert = auditedInsert(company);
    const refusal = (written: Promise<unknown>) =>
      written.then(
        () => assert.fail(),
        (error: unknown) => error,
      );
    const taken = await refusal(run(insert([newCompany(3, 'NEW-1'), newCompany(4, 'aCME-1')], ACTOR)));
    assert.equal(takenField(company, taken), 'gstin');
    const again = { id: 'r9', userId: uuid(31), companyId: uuid(1), role: 'MANAGER' } as const;
    const doubled = await refusal(run(auditedInsert(companyRole)([again], ACTOR)));
    assert.equal(takenField(companyRole, doubled), 'role');
    const unknown = await refusal(run(insertDepartments([{ ...newDepartment(16), companyId: uuid(99) }], ACTOR)));
    assert.equal(takenField(department, unknown), undefined);
    const id = await refusal(
      db.query(sql`insert into system_roles (user_id, role) values (${uuid(31)}, 'PLATFORM_RM')`),
    );
    assert.equal(takenField(systemRole, id), 'userId');
    assert.deepEqual(await trail(), []);
    assert.deepEqual(await db.query(sql`select from companies where id = ${uuid(3)}`), []);
  });
});

describe('audited update', () => {
  const names = ['name', 'email', 'creditLimit', 'creditDays', 'active'] as const;
  const updateCompany = auditedUpdate(company, names);
  const updateUser = auditedUpdate(user, [...PROFILE_FIELDS, 'approvalLimit', 'departmentId']);

  it('an audited update writes only the fields of the patch, and records personal values separately', async () => {
    await db.query(sql`update users set updated_at = ${LATE}::text::timestamptz where id = ${uuid(31)}`);
    const stored = sql`select to_json(users) as row from users where id = ${uuid(31)}`;
    const [before] = await db.query<{ row: object }>(stored);
    const patch = { phone: '+353 1 555 0199', addressLine2: 'Flat 1', approvalLimit: '7.50' };
    const [{ updated_at, ...others } = { updated_at: '' }] = await run<{ updated_at: string }>(
      updateUser({ id: uuid(31), patch, actor: ACTOR }),
    );
    const written = { phone: patch.phone, address_line_2: 'Flat 1', approval_limit: 7.5 };
    const { updated_at: _, ...expected } = { updated_at: '', ...before?.row, ...written };
    assert.deepEqual(others, expected);
    assert.ok(Date.parse(updated_at) > Date.parse(LATE));
    assert.deepEqual(await trail(), [
      {
        action: 'changed',
        entity: 'user',
        entityId: uuid(31),
        userId: uuid(31),
        companyId: uuid(1),
        fields: ['phone', 'addressLine2', 'approvalLimit'],
        values: { approvalLimit: ['75000.00', '7.50'] },
        personal: { phone: ['+91 98450 12345', patch.phone], addressLine2: [null, 'Flat 1'] },
      },
    ]);
  });

  it('an audited update records the address of a company as a value that is not personal', async () => {
    const patch = { email: 'new@acme.example', creditDays: 31, active: false };
    await run(updateCompany({ id: uuid(1), patch, actor: ACTOR }));
    const [change] = await trail();
    assert.deepEqual(change?.fields, ['email', 'creditDays', 'active']);
    assert.deepEqual(change?.values, {
      email: ['office@acme.example', 'new@acme.example'],
      creditDays: [30, 31],
      active: [true, false],
    });
    await run(updateCompany({ id: uuid(1), patch: { active: true }, actor: ACTOR }));
  });

  it('an audited update that changes nothing writes nothing, and returns the row', async () => {
    const version = () => db.query(sql`select xmin::text as version, updated_at from companies where id = ${uuid(2)}`);
    const before = await version();
    for (const patch of [{}, { name: 'Globex', creditLimit: '1000.00' }]) {
      const rows: { name: string }[] = await run(updateCompany({ id: uuid(2), patch, actor: ACTOR }));
      assert.equal(rows[0]?.name, 'Globex');
    }
    assert.deepEqual(await version(), before);
    assert.deepEqual(await trail(), []);
  });

  it('an audited update of an unknown id, or of a row outside its condition, returns no row', async () => {
    assert.deepEqual(await run(updateCompany({ id: uuid(99), patch: { name: 'X' }, actor: ACTOR })), []);
    const updateClosed = auditedUpdate(company, names, { only: sql`not active` });
    assert.deepEqual(await run(updateClosed({ id: uuid(1), patch: { name: 'X' }, actor: ACTOR })), []);
    assert.deepEqual(await trail(), []);
  });

  it('an audited update has the same statement text for all patches and actors', () => {
    const run: Actor = { kind: 'import', runId: uuid(7) };
    const one = updateCompany({ id: uuid(1), patch: { name: 'X' }, actor: ACTOR });
    const other = updateCompany({ id: uuid(2), patch: { email: 'x@x.example', active: false }, actor: run });
    assert.equal(one.text, other.text);
  });

  it('simultaneous audited updates lose no field, and record what each overwrote', async () => {
    const patches = Array.from({ length: 20 }, (_, number) => [
      { name: `Name ${number}` },
      { creditDays: 100 + number },
    ]);
    await Promise.all(patches.flat().map((patch) => run(updateCompany({ id: uuid(2), patch, actor: ACTOR }))));
    const present: Record<string, unknown> = { name: 'Globex', creditDays: 30 };
    const changes = await trail();
    assert.equal(changes.length, 40);
    for (const { fields, values } of changes) {
      const [field = ''] = fields;
      const [before, now] = (values as Record<string, unknown[]>)[field] ?? [];
      assert.equal(before, present[field]);
      present[field] = now;
    }
    const [row] = await db.query<{ name: string; days: number }>(
      sql`select name, credit_days as days from companies where id = ${uuid(2)}`,
    );
    assert.deepEqual({ ...row }, { name: present.name, days: present.creditDays });
  });
});

describe('audited delete', () => {
  it('an audited delete removes rows, and records each', async () => {
    const roles = await db.query<{ id: string }>(sql`select id from company_roles where user_id = ${uuid(32)}`);
    const [id = ''] = roles.map((role) => role.id);
    const [removed] = await run<{ role: string }>(auditedDelete(companyRole)([id, 'unknown'], ACTOR));
    assert.equal(removed?.role, 'EMPLOYEE');
    await run(auditedDelete(department)([uuid(15)], ACTOR));
    const change = { action: 'removed', personal: null };
    const role = { userId: [uuid(32), null], companyId: [uuid(2), null], role: ['EMPLOYEE', null] };
    assert.deepEqual(await trail(), [
      {
        ...change,
        entity: 'companyRole',
        entityId: id,
        userId: uuid(32),
        companyId: uuid(2),
        fields: Object.keys(role),
        values: role,
      },
      {
        ...change,
        entity: 'department',
        entityId: uuid(15),
        userId: null,
        companyId: uuid(1),
        fields: addedDepartment(15).fields,
        values: reversed(addedDepartment(15).values),
      },
    ]);
    assert.deepEqual(await db.query(sql`select from departments where id = ${uuid(15)}`), []);
  });

  it('an audited delete removes and records nothing if one of the rows is referenced', async () => {
    await assert.rejects(run(auditedDelete(department)([uuid(14), uuid(11)], ACTOR)));
    assert.equal((await db.query(sql`select from departments where id in (${uuid(14)}, ${uuid(11)})`)).length, 2);
    assert.deepEqual(await trail(), []);
  });

  it('an audited delete of levels before their policy records the company', async () => {
    const rows = await db.query<{ id: string }>(
      sql`select id from approval_policy_levels where policy_id = 'policy-1'`,
    );
    const levels = rows.map(({ id }) => id);
    await run(auditedDelete(approvalPolicyLevel)(levels, ACTOR));
    await run(auditedDelete(approvalPolicy)(['policy-1'], ACTOR));
    assert.deepEqual(new Set((await trail()).map(({ companyId }) => companyId)), new Set([uuid(1)]));
  });
});

it('an audited insert of an entity without a trail writes the row alone', async () => {
  const row = {
    id: 'b-9',
    companyId: uuid(1),
    userId: uuid(31),
    amount: '5.00',
    createdAt: LATE,
    status: 'BOOKED' as const,
  };
  assert.equal((await run(auditedInsert(booking)([row], ACTOR))).length, 1);
  assert.deepEqual(await trail(), []);
});
