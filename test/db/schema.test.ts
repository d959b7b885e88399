import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { sqlState } from '../../src/db/database.ts';
import { insertRow, otherRows, type Row, uuid, validRows } from '../support/rows.ts';
import { schemaFile } from '../support/schema-file.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

const UNIQUE = '23505';
const FOREIGN_KEY = '23503';
const CHECK = '23514';
const NOT_NULL = '23502';
const OUT_OF_RANGE = '22003';

/** What the schema refuses: a valid row next to those that are there (see FRESH), with these changes. */
const REFUSALS: readonly (readonly [
  what: string,
  table: keyof typeof validRows,
  changes: Row,
  state: string,
  constraint: RegExp,
])[] = [
  ['a user in a department of another company', 'users', { department_id: uuid(12) }, FOREIGN_KEY, /department/],
  ['a user in a band of another company', 'users', { band_id: uuid(22) }, FOREIGN_KEY, /band/],
  ['a user of another company than its department', 'users', { company_id: uuid(2) }, FOREIGN_KEY, /department|band/],
  ['a user of no company', 'users', { company_id: null }, NOT_NULL, /company_id/],
  ['an e-mail address twice', 'users', { email: 'ana@acme.example' }, UNIQUE, /users_email/],
  ['an e-mail address twice in another case', 'users', { email: 'ANA@Acme.Example' }, UNIQUE, /users_email/],
  ['an e-mail address without a host', 'users', { email: 'ana' }, CHECK, /email/],
  ['an e-mail address with white space', 'users', { email: 'ana rao@acme.example' }, CHECK, /email/],
  ['an unknown client type', 'users', { client_type: 'corporate' }, CHECK, /client_type/],
  ['an empty second address line', 'users', { address_line_2: '' }, CHECK, /address_line_2/],
  ['a short pincode', 'users', { pincode: '12' }, CHECK, /pincode/],
  ['a negative approval limit', 'users', { approval_limit: '-0.01' }, CHECK, /money_amount/],
  ['a user twice in one role of one company', 'company_roles', { role: 'MANAGER' }, UNIQUE, /company_roles/],
  ['a platform role held in a company', 'company_roles', { role: 'SUPER_ADMIN' }, CHECK, /role/],
  ['a role in another case', 'company_roles', { role: 'manager' }, CHECK, /role/],
  ['a role of no user', 'company_roles', { user_id: uuid(99) }, FOREIGN_KEY, /user/],
  ['a second platform role of a user', 'system_roles', { user_id: uuid(31) }, UNIQUE, /system_roles/],
  ['a company role for the platform', 'system_roles', { role: 'MANAGER' }, CHECK, /role/],
  ['an identity of two users', 'user_identities', { subject: 'ana' }, UNIQUE, /user_identities_account/],
  ['two identities of a user at one issuer', 'user_identities', { user_id: uuid(31) }, UNIQUE, /user_identities_user/],
  ['an identity of no user', 'user_identities', { user_id: uuid(99) }, FOREIGN_KEY, /user/],
  ['an identity without a subject', 'user_identities', { subject: '' }, CHECK, /subject/],
  ['a GSTIN twice', 'companies', { gstin: 'Acme-1' }, UNIQUE, /companies_gstin/],
  ['a GSTIN twice in another case', 'companies', { gstin: 'aCME-1' }, UNIQUE, /companies_gstin/],
  ['a GSTIN with other signs', 'companies', { gstin: 'ACME 2' }, CHECK, /gstin/],
  ['a negative credit limit', 'companies', { credit_limit: '-1' }, CHECK, /money_amount/],
  ['a credit limit that is not a number', 'companies', { credit_limit: 'NaN' }, CHECK, /money_amount/],
  ['an infinite credit limit', 'companies', { credit_limit: 'Infinity' }, OUT_OF_RANGE, /overflow/],
  ['a credit limit below all', 'companies', { credit_limit: '-Infinity' }, OUT_OF_RANGE, /overflow/],
  ['a credit limit of 16 digits', 'companies', { credit_limit: '1e13' }, OUT_OF_RANGE, /overflow/],
  ['negative credit days', 'companies', { credit_days: -1 }, CHECK, /credit_days/],
  ['a blank name', 'companies', { name: ' ' }, CHECK, /display_name/],
  ['a name with spaces around it', 'companies', { name: 'Acme ' }, CHECK, /display_name/],
  ['a name of two lines', 'companies', { legal_name: 'Acme\nLtd' }, CHECK, /display_name/],
  ['a negative budget', 'departments', { budget: '-100' }, CHECK, /money_amount/],
  [
    'a cost code twice in a company, in another case',
    'departments',
    { cost_code: 'cc-1' },
    UNIQUE,
    /departments_cost_code/,
  ],
  [
    'a code of bands twice in a company, in another case',
    'employee_bands',
    { code: 'b1' },
    UNIQUE,
    /employee_bands_code/,
  ],
  ['a department of no company', 'departments', { company_id: uuid(99) }, FOREIGN_KEY, /company/],
  ['a negative limit of a band', 'employee_bands', { max_booking_limit: '-1' }, CHECK, /money_amount/],
  ['two levels with one number in a policy', 'approval_policy_levels', { level: 1 }, UNIQUE, /policy_id_level/],
  ['a level 0', 'approval_policy_levels', { level: 0 }, CHECK, /level/],
  ['an unknown role of a level', 'approval_policy_levels', { role_required: 'CEO' }, CHECK, /role/],
  ['a negative amount of a level', 'approval_policy_levels', { min_amount: '-1' }, CHECK, /money_amount/],
  ['a level of no policy', 'approval_policy_levels', { policy_id: 'none' }, FOREIGN_KEY, /policy/],
  ['a policy without an id', 'approval_policies', { id: '' }, CHECK, /approval_policies_id/],
  ['a policy with a limit that is NaN', 'approval_policies', { auto_approval_limit: 'NaN' }, CHECK, /money_amount/],
  ['a negative booking that refunds none', 'bookings', { amount: '-99.99' }, CHECK, /bookings_amount/],
  ['a booking of no user', 'bookings', { user_id: uuid(99) }, FOREIGN_KEY, /user/],
];

/** What makes a second row of each valid one, without a clash. */
const FRESH: Readonly<Record<keyof typeof validRows, Row>> = {
  companies: { id: uuid(3), gstin: 'NEW' },
  departments: { id: uuid(13), cost_code: 'CC-3' },
  employee_bands: { id: uuid(23), code: 'B3' },
  users: { id: uuid(33), email: 'new@acme.example' },
  company_roles: { role: 'EMPLOYEE' },
  system_roles: { user_id: uuid(32) },
  user_identities: { subject: 'bo', user_id: uuid(32) },
  approval_policies: { id: 'policy-2' },
  approval_policy_levels: { level: 2 },
  bookings: { id: 'booking-2' },
};

describe('schema', () => {
  let db: TestDatabase;
  before(async () => {
    db = await openTestDatabase();
    for (const [table, row] of [...Object.entries(validRows), ...otherRows]) await insertRow(db, table, row);
  });
  after(() => db[Symbol.asyncDispose]());

  for (const [what, table, changes, state, constraint] of REFUSALS) {
    it(`the schema refuses ${what}`, async () => {
      await assert.rejects(
        insertRow(db, table, { ...validRows[table], ...FRESH[table], ...changes }),
        (error: Error) => {
          assert.equal(sqlState(error), state, error.message);
          assert.match(error.message, constraint);
          return true;
        },
      );
    });
  }

  it('a migrated database has exactly the schema in docs/schema.sql', async () => {
    const shown = readFileSync('docs/schema.sql', 'utf8');
    assert.ok((await schemaFile(db)) === shown, 'docs/schema.sql is not what the migrations make: npm run docs');
  });

  it('the schema accepts each row of the tests without its fault', async () => {
    const undone = new Error('undone');
    const work = db.transaction(async (transaction) => {
      for (const [table, row] of Object.entries(validRows)) {
        await insertRow(transaction, table, { ...row, ...FRESH[table as keyof typeof validRows] });
      }
      throw undone;
    });
    await assert.rejects(work, undone);
  });

  it('the schema refuses to remove rows that others refer to', async () => {
    for (const statement of [
      sql`delete from companies where id = ${uuid(1)}::uuid`,
      sql`delete from users where id = ${uuid(31)}::uuid`,
      sql`delete from approval_policies where id = 'policy-1'`,
    ]) {
      await assert.rejects(db.query(statement), (error) => sqlState(error) === FOREIGN_KEY, statement.sql);
    }
  });

  it('the schema keeps the largest amount to the cent', async () => {
    await insertRow(db, 'bookings', { ...validRows.bookings, id: 'largest', amount: '9999999999999.99' });
    const [row] = await db.query<{ amount: string }>(
      sql`select amount::text as amount from bookings where id = 'largest'`,
    );
    assert.equal(row?.amount, '9999999999999.99');
  });

  it('the schema names the rows of each table to a publication, by a primary key or otherwise', async () => {
    const unnamed = await db.query(sql`
      select relname::text as name from pg_class
       where relkind = 'r' and relnamespace = current_schema()::regnamespace and relreplident <> 'f'
         and not exists (select from pg_index where indrelid = pg_class.oid and (indisprimary or indisreplident))`);
    assert.deepEqual(unnamed, []);
  });

  it('the schema gives roles and levels without an id a new one', async () => {
    const rows = await db.query<{ id: string }>(
      sql`select id from company_roles union all select id from approval_policy_levels`,
    );
    assert.equal(rows.length, 2);
    for (const { id } of rows) assert.match(id, /^[0-9a-f-]{36}$/);
  });

  it('the schema folds names for search and order automatically', async () => {
    await db.query(sql`update companies set name = 'Ácme  Çorp' where id = ${uuid(1)}::uuid`);
    const [row] = await db.query<{ folded: string; searched: string }>(
      sql`select name_folded as folded, search_text as searched from companies where id = ${uuid(1)}::uuid`,
    );
    assert.equal(row?.folded, 'acme corp');
    assert.equal(row?.searched, 'acme corp\nacme ltd\nacme-1\noffice@acme.example');
  });
});
