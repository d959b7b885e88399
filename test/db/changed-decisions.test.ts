import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import sql from 'sql-template-tag';
import { contextOf } from '../../src/app/context.ts';
import { CHECKS } from '../../src/commands/check/checks.ts';
import { readConfig } from '../../src/config/config.ts';
import { migrate } from '../../src/db/migrator.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { insertRow, uuid, validRows } from '../support/rows.ts';
import { openBlankDatabase } from '../support/test-database.ts';

it('an upgrade and orgdesk check name the approval policies whose decision changes', async () => {
  await using db = await openBlankDatabase();
  await migrate(db, { version: 32 });
  for (const table of ['companies', 'departments', 'employee_bands', 'users'] as const) {
    await insertRow(db, table, validRows[table]);
  }
  await db.query(sql`update employee_bands set auto_approval_limit = 60`);
  await db.query(sql`update users set approval_limit = 3000`);
  const director = { id: uuid(9), email: 'director@test.example', approval_limit: '50000.00' };
  await insertRow(db, 'users', { ...validRows.users, ...director });
  for (const [user_id, role] of [
    [uuid(31), 'MANAGER'],
    [director.id, 'CORPORATE_ADMIN'],
  ] as const) {
    await insertRow(db, 'company_roles', { ...validRows.company_roles, id: randomUUID(), user_id, role });
  }
  const policy = async (id: string, limit: string, ...levels: string[]) => {
    await insertRow(db, 'approval_policies', { id, company_id: uuid(1), name: id, auto_approval_limit: limit });
    for (const [index, minAmount] of levels.entries()) {
      const level = { level: index + 1, role_required: 'MANAGER', min_amount: minAmount };
      await insertRow(db, 'approval_policy_levels', { id: `${id} ${index}`, policy_id: id, ...level });
    }
  };
  await policy('A name alone', '50.00');
  await policy('Band', '100.00', '100.01', '500.00');
  await policy('Gap', '50.00', '80.00');
  await policy('Ladder', '60.00', '60.01', '10000.00');
  await db.query(sql`
    update approval_policy_levels set role_required = 'CORPORATE_ADMIN' where policy_id = 'Ladder' and level = 2`);
  await policy('Whole', '50.00', '50.01', '70.00');
  const context = await contextOf(readConfig({ JWT_SECRET: TEST_SECRET }), db);
  const check = async () => Promise.resolve(CHECKS.approvals?.(context));

  const before = await check();
  assert.equal(before?.state, 'note');
  const announced: string[] = [];
  await migrate(db, { announce: (text) => announced.push(text) });
  const company = JSON.stringify(validRows.companies.name);
  const named = (name: string, effect: string) => `"${name}" of ${company} (${effect})`;
  const [alone, band, gap, ladder] = [
    named('A name alone', 'nobody can approve above 50.00'),
    named('Band', 'above 60.00 and below 100.01 its lowest level approves'),
    named('Gap', 'above 50.00 and below 80.00 its lowest level approves'),
    named('Ladder', 'somebody can approve 3000.01, where nobody could'),
  ];
  const listed = ': "A name';
  const all = `: ${[alone, band, gap, ladder].join(', ')} (docs/compatibility.md)`;
  assert.ok(before?.text.startsWith('4 approval policies decide otherwise') && before.text.endsWith(all), before?.text);
  assert.equal(announced.at(-1), `Note: ${before.text}.`);

  const after = await check();
  assert.ok(
    after?.text.includes(listed) && after.text.endsWith(`: ${alone}, ${gap} (docs/compatibility.md)`),
    after?.text,
  );
  const again: string[] = [];
  await migrate(db, { announce: (text) => again.push(text) });
  assert.deepEqual(again, []);
  await db.query(sql`update approval_policies set active = false where name in ('A name alone', 'Gap')`);
  assert.equal((await check())?.state, 'ok');
});
