import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { openSeededDatabase, openTestDatabase } from '../support/test-database.ts';

const countRows = sql`
  select (select count(*)::integer from countries) as countries, (select count(*)::integer from states) as states,
         (select count(*)::integer from cities) as cities, (select count(*)::integer from companies) as companies,
         (select count(*)::integer from users) as users`;

describe('a database for tests', () => {
  it('has no rows unless it is asked for with them', async () => {
    await using db = await openTestDatabase();
    assert.deepEqual(
      [...(await db.query(countRows))],
      [{ countries: 0, states: 0, cities: 0, companies: 0, users: 0 }],
    );
  });

  it('has the whole geography and the demo companies when it is', async () => {
    await using db = await openSeededDatabase();
    const [counts] = await db.query<Record<string, number>>(countRows);
    const { companies = 0, users = 0, ...geography } = counts ?? {};
    assert.deepEqual(geography, { countries: 250, states: 5_324, cities: 155_132 });
    assert.ok(companies >= 25 && users > companies);
  });

  it('is no other test’s', async () => {
    await using one = await openSeededDatabase();
    await using other = await openSeededDatabase();
    await one.query(sql`delete from cities`);
    const [row] = await other.query<{ cities: number }>(sql`select count(*)::integer as cities from cities`);
    assert.equal(row?.cities, 155_132);
  });
});
