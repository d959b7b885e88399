import assert from 'node:assert/strict';
import { it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { openDemoDatabase } from '../support/test-database.ts';

const ADMIN = 'admin@acme.example';

/** A database on which a new row cannot be read back in time. */
async function openSlowDatabase(): Promise<Database> {
  const db = await openDemoDatabase();
  return {
    ...db,
    transaction: (work, isWanted) =>
      db.transaction(
        (transaction) =>
          work({
            ...transaction,
            async query<Row extends object>(statement: Sql): Promise<Row[]> {
              if (!statement.text.includes('to_json(item)')) return transaction.query<Row>(statement);
              throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
            },
          }),
        isWanted,
      ),
  };
}

it('a department, band or policy that cannot be read back in time returns 503 and is not created', async () => {
  await using api = await buildTestApp({}, openSlowDatabase);
  const profile = await api.send({ url: '/api/users/profile', as: ADMIN });
  const { companyId } = profile.json<{ data: { companyId: string } }>().data;
  for (const [thing, fields, table] of [
    ['departments', { name: 'Read back', costCode: 'READ-BACK' }, 'departments'],
    ['bands', { name: 'Read back', code: 'READ-BACK' }, 'employee_bands'],
    ['approval-policies', { name: 'Read back', scope: { priority: 7 } }, 'approval_policies'],
  ] as const) {
    const answer = await api.send({
      method: 'POST',
      url: `/api/${thing}/create`,
      as: ADMIN,
      payload: { companyId, ...fields },
    });
    assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [503, 'UNAVAILABLE']);
    const made = await api.db.query(sql([`select from ${table} where name = 'Read back'`]));
    assert.equal(made.length, 0);
  }
});
