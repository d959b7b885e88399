import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { loadGeographyIndex } from '../../src/features/geography/geography-index.ts';
import {
  fillGeographyDetails,
  geographyState,
  loadGeography,
} from '../../src/features/geography/load/load-geography.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let db: TestDatabase;
before(async () => {
  db = await openTestDatabase();
});
after(() => db[Symbol.asyncDispose]());

const COUNTS = { countries: 250, states: 5308, cities: 152_970 };
const TOTAL = 158_528;

async function revision(): Promise<string | undefined> {
  const [row] = await db.query<{ revision: string }>(sql`select revision::text from geography_revision`);
  return row?.revision;
}

function neverTold(): never {
  throw new Error('Nothing had to be written.');
}

test('an empty database is filled by one of two loaders that start at once, and the other waits', async () => {
  assert.equal(await geographyState(db), 'none');
  const told: number[][] = [[], []];
  const counts = await Promise.all(
    told.map((numbers) =>
      loadGeography(db, (done, total) => {
        assert.equal(total, TOTAL);
        numbers.push(done);
      }),
    ),
  );
  assert.deepEqual(counts, [COUNTS, COUNTS]);
  const [idle, busy] = told.toSorted((a, b) => a.length - b.length);
  assert.deepEqual(idle, []);
  assert.equal(busy?.at(-1), TOTAL);
  assert.deepEqual(
    busy,
    busy?.toSorted((a, b) => a - b),
  );
  assert.equal(await geographyState(db), 'whole');
  const [row] = await db.query(sql`select
    (select count(*)::integer from countries) as countries,
    (select count(*)::integer from states) as states,
    (select count(*)::integer from cities) as cities`);
  assert.deepEqual({ ...row }, COUNTS);
});

test('to load again changes nothing, not even the revision', async () => {
  const present = await revision();
  assert.deepEqual(await loadGeography(db, neverTold), COUNTS);
  assert.equal(await revision(), present);
});

test('a geography that differs becomes that of the package: changed, missing and foreign rows, codes that moved', async () => {
  const { version } = await loadGeographyIndex(db);
  for (const statement of [
    sql`update cities set name = 'Elsewhere' where id = (select min(id) from cities)`,
    sql`delete from cities where id = (select max(id) from cities)`,
    sql`insert into countries (id, name, iso2, iso3) values (9999, 'Nowhere', 'QQ', 'QQQ')`,
    sql`insert into states (id, country_id, name, state_code) values (99999, 9999, 'Nowhere', '00')`,
    sql`insert into cities (id, state_id, country_id, name) values (999999, 99999, 9999, 'Nowhere')`,
    sql`update countries set iso2 = 'QA' where id = 9999 and not exists (select from countries where iso2 = 'QA')`,
    sql`update countries set iso3 = 'ZZZ' where iso3 = 'IND'`,
    sql`update countries set iso3 = 'IND' where iso3 = 'QQQ'`,
  ]) {
    await db.query(statement);
  }
  const [changed, different] = [await revision(), (await loadGeographyIndex(db)).version];
  assert.notEqual(different, version);
  await loadGeography(db);
  assert.equal((await loadGeographyIndex(db)).version, version);
  assert.notEqual(await revision(), changed);
});

test('a geography of an earlier version gets its details, and keeps what was changed in it by hand', async () => {
  const { version } = await loadGeographyIndex(db);
  await db.query(sql`update cities set latitude = null, longitude = null, timezone = null, population = null`);
  await db.query(sql`update countries set phone_code = null, currency = null, flag = null, native_name = null,
    latitude = null, longitude = null`);
  const [changed] = await db.query<{ id: number; name: string }>(
    sql`update cities set name = 'Elsewhere' where id = (select min(id) from cities)
        returning id, (select name::text from cities before where before.id = cities.id) as name`,
  );
  assert.ok(changed);
  assert.equal(await geographyState(db), 'without details');
  await Promise.all([fillGeographyDetails(db), fillGeographyDetails(db)]);
  assert.equal(await geographyState(db), 'whole');
  const [kept] = await db.query<{ name: string }>(sql`select name::text from cities where id = ${changed.id}`);
  assert.equal(kept?.name, 'Elsewhere');
  await db.query(sql`update cities set name = ${changed.name} where id = ${changed.id}`);
  assert.equal((await loadGeographyIndex(db)).version, version);
  const present = await revision();
  await fillGeographyDetails(db, neverTold);
  assert.equal(await revision(), present);
});
