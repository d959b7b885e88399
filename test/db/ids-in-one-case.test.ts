import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { migrate, schemaVersions } from '../../src/db/migrator.ts';
import { UserError } from '../../src/lib/errors.ts';
import { insertRow, uuid, validRows } from '../support/rows.ts';
import { openBlankDatabase } from '../support/test-database.ts';

const idOf = (number: number): string => `ABCDEF00-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Rows of before version 28 whose ids are in upper case, and some that have no UUID form. */
async function openOlderDatabase() {
  const db = await openBlankDatabase();
  await migrate(db, { version: 25 });
  for (const [table, row] of Object.entries(validRows)) {
    if (['companies', 'departments', 'employee_bands', 'users'].includes(table)) await insertRow(db, table, row);
  }
  for (const policy of [idOf(1), 'POLICY']) {
    await insertRow(db, 'approval_policies', { ...validRows.approval_policies, id: policy });
    const level = { ...validRows.approval_policy_levels, policy_id: policy };
    await insertRow(db, 'approval_policy_levels', { ...level, id: policy === 'POLICY' ? 'LEVEL' : idOf(2) });
  }
  await insertRow(db, 'company_roles', { ...validRows.company_roles, id: idOf(3) });
  await insertRow(db, 'bookings', { ...validRows.bookings, id: idOf(4) });
  return db;
}

describe('the migration that keeps ids in one case', () => {
  it('lowers those of UUID form, with what refers to them, and leaves others', async () => {
    await using db = await openOlderDatabase();
    await migrate(db);
    const rows = await db.query<{ id: string; policy: string | null }>(sql`
      select id, null as policy from approval_policies union all
      select id, policy_id from approval_policy_levels union all
      select id, null from company_roles union all
      select id, null from bookings`);
    const found = rows.map(({ id, policy }) => [id, policy].join(' ').trim()).toSorted();
    const [policy, level, role, booked] = [1, 2, 3, 4].map((number) => idOf(number).toLowerCase());
    assert.deepEqual(found, ['LEVEL POLICY', 'POLICY', policy, `${level} ${policy}`, role, booked].toSorted());
    const stray = { ...validRows.approval_policy_levels, policy_id: idOf(1) };
    await assert.rejects(insertRow(db, 'approval_policy_levels', stray), /approval_policy_levels_policy_id_fkey/);
  });

  it('stops before it changes anything where two rows would have one id, and names them with what to do', async () => {
    await using db = await openOlderDatabase();
    const lower = idOf(1).toLowerCase();
    await insertRow(db, 'approval_policies', { ...validRows.approval_policies, id: lower });
    await insertRow(db, 'bookings', { ...validRows.bookings, id: idOf(4).toLowerCase(), user_id: uuid(31) });
    await assert.rejects(migrate(db), (error) => {
      assert.ok(error instanceof UserError);
      const lines = error.message.split('\n');
      assert.match(lines[0] ?? '', /nothing was changed: .* these rows would have one id:$/);
      assert.deepEqual(lines.slice(1, -1), [
        `  approval policy: ids ${idOf(1)}, ${lower}`,
        `  booking: ids ${idOf(4)}, ${idOf(4).toLowerCase()}`,
      ]);
      assert.match(lines.at(-1) ?? '', /^Keep one of each and delete the others/);
      return true;
    });
    assert.ok((await schemaVersions(db)).present < 28);
    const [kept] = await db.query<{ id: string }>(sql`select id from approval_policies where id = ${idOf(1)}`);
    assert.equal(kept?.id, idOf(1));
    await db.query(sql`delete from approval_policies where id = ${lower}`);
    await db.query(sql`delete from bookings where id = ${idOf(4).toLowerCase()}`);
    assert.ok((await migrate(db)).includes('0028 ids-in-one-case'));
  });
});
