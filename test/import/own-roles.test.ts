import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { openTestDatabase } from '../support/test-database.ts';
import { id, importFiles, problemLines, validFiles } from './folders.ts';

const DESK = { id: id(51), companyId: id(1), key: 'DESK', name: 'Desk', rules: 'people staff' };
const HELD = { id: id(61), userEmail: 'u31@x.example', companyId: id(1), roleId: DESK.id };

describe('import: roles of a company’s own', () => {
  it('an import adds roles and who holds them, by address, and takes a role by active=false', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, { ...validFiles, 'roles.csv': [DESK], 'role-grants.csv': [HELD] });
    const held = () =>
      db.query(sql`select user_id, rules, active from role_grants join own_roles on own_roles.id = role_id`);
    assert.deepEqual(await held(), [{ user_id: id(31), rules: 'staff people', active: true }]);
    await importFiles(db, { 'role-grants.csv': [{ ...HELD, active: 'false' }] });
    assert.deepEqual(await held(), []);
  });

  it('an import without ids changes nothing for who holds a role already, by address, id or number of the company', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, { ...validFiles, 'roles.csv': [DESK], 'role-grants.csv': [HELD] });
    const { id: _, companyId, userEmail, ...rest } = HELD;
    for (const row of [
      { ...rest, companyId, userEmail },
      { ...rest, companyId, userId: id(31) },
      { ...rest, companyGstin: 'GST-1', userEmail },
    ]) {
      await importFiles(db, { 'role-grants.csv': [row] });
      assert.deepEqual(await db.query(sql`select id, user_id from role_grants`), [{ id: HELD.id, user_id: id(31) }]);
    }
  });

  it('an import gives no role to a person of another company, and no rule that a company cannot give', async () => {
    for (const [file, row, column] of [
      ['role-grants.csv', { userId: id(32), companyId: id(1), roleId: DESK.id }, 'userId'],
      ['role-grants.csv', { ...HELD, companyId: id(2) }, '(?:userEmail|userId|roleId)'],
      ['roles.csv', { ...DESK, id: id(52), key: 'MORE', rules: 'staff admin' }, 'rules'],
      ['roles.csv', { ...DESK, id: id(52), key: 'MANAGER' }, 'key'],
    ] as const) {
      const problems = await problemLines({ [file]: [row] }, { ...validFiles, 'roles.csv': [DESK] });
      assert.match(problems.join('\n'), new RegExp(`${file}:2.*${column}`));
    }
  });
});
