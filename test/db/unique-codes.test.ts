import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { migrate, schemaVersions } from '../../src/db/migrator.ts';
import { UserError } from '../../src/lib/errors.ts';
import { insertRow, uuid, validRows } from '../support/rows.ts';
import { openBlankDatabase } from '../support/test-database.ts';

/** Rows of before version 21, which had no unique codes. */
async function openOlderDatabase() {
  const db = await openBlankDatabase();
  await migrate(db, { version: 20 });
  for (const [table, row] of Object.entries(validRows)) {
    if (['companies', 'departments', 'employee_bands', 'users'].includes(table)) await insertRow(db, table, row);
  }
  return db;
}

describe('the migration that makes codes unique', () => {
  it('stops before it changes anything where two rows would be one, and names them with what to do', async () => {
    await using db = await openOlderDatabase();
    await insertRow(db, 'employee_bands', { ...validRows.employee_bands, id: uuid(91), code: 'b1' });
    await insertRow(db, 'departments', { ...validRows.departments, id: uuid(92), cost_code: 'É' });
    await insertRow(db, 'departments', { ...validRows.departments, id: uuid(93), cost_code: 'é' });
    const { email: _, ...person } = validRows.users as Record<string, unknown>;
    for (const [at, email] of ['Zoë@x.example', 'ZOË@x.example'].entries()) {
      await insertRow(db, 'users', { ...person, id: uuid(94 + at), email });
    }
    await assert.rejects(migrate(db), (error) => {
      assert.ok(error instanceof UserError);
      const lines = error.message.split('\n');
      assert.match(lines[0] ?? '', /nothing was changed: what has to be unique .* stands more than once:$/);
      assert.deepEqual(lines.slice(1, -1), [
        `  band code "B1" of Acme (${uuid(1)}): ids ${uuid(21)}, ${uuid(91)}`,
        `  department cost code "É" of Acme (${uuid(1)}): ids ${uuid(92)}, ${uuid(93)}`,
        `  e-mail address "ZOË@x.example": ids ${uuid(94)}, ${uuid(95)}`,
      ]);
      assert.match(
        lines.at(-1) ?? '',
        /^Give each of them its own \(bands\/update, departments\/update, users\/update/,
      );
      return true;
    });
    assert.equal((await schemaVersions(db)).present, 20);
    await db.query(sql`update employee_bands set code = 'B2' where id = ${uuid(91)}`);
    await db.query(sql`update departments set cost_code = 'F' where id = ${uuid(93)}`);
    await db.query(sql`update users set email = 'zoe@x.example' where id = ${uuid(95)}`);
    assert.ok((await migrate(db)).includes('0021 unique-codes'));
  });

  it('names fifty of many, and says how many more there are', async () => {
    await using db = await openOlderDatabase();
    await db.query(sql`
      insert into departments (id, company_id, name, cost_code, budget)
      select gen_random_uuid(), ${uuid(1)}, 'D', case when n % 2 = 0 then 'x' else 'X' end || (n / 2), 0
        from generate_series(0, 119) n`);
    await assert.rejects(migrate(db), ({ message }: Error) => {
      assert.equal(message.match(/department cost code/g)?.length, 50);
      assert.match(message, /\n {2}… and 10 more\n/);
      return true;
    });
  });
});
