import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { type Reader, sqlState } from '../../src/db/database.ts';
import { apiKey } from '../../src/entities/api-key.ts';
import { approvalPolicy } from '../../src/entities/approval-policy.ts';
import type { AuditedEntity } from '../../src/entities/entity.ts';
import { signInConnection } from '../../src/entities/sign-in-connection.ts';
import { webhook } from '../../src/entities/webhook.ts';
import { insertRow, otherRows, uuid, validRows } from '../support/rows.ts';
import { openBlankDatabase, openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { LANDED_BACKUP } from '../upgrade/landed.ts';

const LISTING: readonly AuditedEntity[] = [approvalPolicy, apiKey, webhook, signInConnection];

/** Their lists: the column, and the table with the values. */
const LISTS = LISTING.flatMap(({ table, fields }) =>
  Object.values(fields).flatMap(({ column, rows }) => (rows === undefined ? [] : [{ table, column, rows }])),
);

/** Returns how many values the lists of a column have, and how many of these have a row. */
async function countValues(db: Reader, { table, column, rows }: (typeof LISTS)[number]) {
  const [found] = await db.query<{ listed: number; kept: number }>(sql`
    select count(*)::integer as listed, count(kept.${raw(rows.of)})::integer as kept
      from ${raw(table)} t cross join lateral unnest(string_to_array(nullif(${raw(column)}, ''), ' ')) each (value)
           left join ${raw(rows.table)} kept on kept.${raw(rows.of)} = t.id and kept.${raw(rows.value)}::text = each.value`);
  const [all] = await db.query<{ count: number }>(sql`select count(*)::integer as count from ${raw(rows.table)}`);
  return { listed: found?.listed ?? 0, kept: found?.kept ?? 0, all: all?.count ?? 0 };
}

describe('a list in a column', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase();
    for (const [table, row] of [...Object.entries(validRows), ...otherRows]) await insertRow(db, table, row);
    await insertRow(db, 'departments', { ...validRows.departments, id: uuid(13), cost_code: 'CC-3' });
  });
  after(() => db[Symbol.asyncDispose]());

  const departments = async () =>
    (
      await db.query<{ id: string }>(sql`
        select department_id as id from approval_policy_departments where policy_id = 'lists' order by place`)
    ).map(({ id }) => id);

  it('a list that an old instance writes as a column has a row for each value after each change', async () => {
    const policy = { ...validRows.approval_policies, id: 'lists' };
    await insertRow(db, 'approval_policies', { ...policy, department_ids: `${uuid(13)} ${uuid(11)}` });
    assert.deepEqual(await departments(), [uuid(13), uuid(11)]);
    await db.query(sql`update approval_policies set department_ids = ${uuid(11)} where id = 'lists'`);
    assert.deepEqual(await departments(), [uuid(11)]);
    await db.query(sql`update approval_policies set department_ids = null where id = 'lists'`);
    assert.deepEqual(await departments(), []);
    await db.query(sql`update approval_policies set department_ids = ${uuid(13)} where id = 'lists'`);
    await assert.rejects(
      db.query(sql`delete from departments where id = ${uuid(13)}::uuid`),
      (error) => sqlState(error) === '23503',
    );
    await assert.rejects(
      db.query(sql`update approval_policies set department_ids = ${uuid(99)} where id = 'lists'`),
      (error) => sqlState(error) === '23503',
    );
    await db.query(sql`delete from approval_policies where id = 'lists'`);
    assert.deepEqual(await departments(), []);
  });

  it('a list keeps its rows when a statement adds them again', async () => {
    await insertRow(db, 'api_keys', {
      id: uuid(41),
      name: 'Twice',
      scopes: 'users.read scim',
      prefix: 'odk_1',
      hash: '1'.repeat(64),
    });
    await insertRow(db, 'api_key_scopes', { api_key_id: uuid(41), scope: 'scim', place: 2 });
    const scopes = await db.query<{ scope: string; place: number }>(
      sql`select scope, place from api_key_scopes where api_key_id = ${uuid(41)}::uuid order by place`,
    );
    assert.deepEqual(
      scopes.map(({ scope, place }) => [scope, place]),
      [
        ['users.read', 1],
        ['scim', 2],
      ],
    );
  });
});

it('a restored backup from before the tables of lists gets a row for each value of each list', async () => {
  await using db = await openBlankDatabase();
  await restoreBackup(db, LANDED_BACKUP);
  const filled = [];
  for (const list of LISTS) {
    const { listed, kept, all } = await countValues(db, list);
    if (listed > 0) filled.push(list.column);
    assert.deepEqual([kept, all], [listed, listed], list.column);
  }
  // People of policies came later.
  const later = ['user_ids', 'default_user_ids'];
  assert.deepEqual(
    filled,
    LISTS.map(({ column }) => column).filter((column) => !later.includes(column)),
  );
});
