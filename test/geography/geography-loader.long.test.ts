import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { loadGeographyIndex } from '../../src/features/geography/geography-index.ts';
import { loadGeography } from '../../src/features/geography/load/load-geography.ts';
import { readGeographyChanges } from '../../src/features/geography/load/source.ts';
import { geographyState, upgradeGeography } from '../../src/features/geography/load/upgrade-geography.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let db: TestDatabase;
before(async () => {
  db = await openTestDatabase();
});
after(() => db[Symbol.asyncDispose]());

const { records, earlier } = readGeographyChanges();
const { countries, states, cities, alternateNames } = records;
const COUNTS = { countries: countries.length, states: states.length, cities: cities.length };
const TOTAL = countries.length + states.length + cities.length + alternateNames.length;

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
  assert.equal(await geographyState(db), 'present');
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

/** Makes the geography what an earlier version loaded. @param first as the first one did, without details */
async function makeEarlier(first: boolean): Promise<void> {
  await loadGeography(db);
  await db.query(sql`delete from alternate_names`);
  await db.query(sql`delete from cities where id >= 100000000`);
  await db.query(sql`delete from states where id >= 200000000`);
  const columns: Record<string, string> = { stateCode: 'state_code' };
  for (const { table, field, id, value } of earlier) {
    const json = JSON.stringify(id.map((one, row) => ({ id: one, value: value[row] })));
    const column = raw(columns[field] ?? field);
    const type = raw(field === 'name' || field === 'stateCode' ? 'text' : 'integer');
    await db.query(sql`update ${raw(table)} set ${column} = record.value
      from json_to_recordset(${json}::text::json) as record (id integer, value ${type}) where ${raw(table)}.id = record.id`);
  }
  if (!first) return;
  await db.query(sql`update cities set latitude = null, longitude = null, timezone = null, population = null`);
  await db.query(sql`update countries set phone_code = null, currency = null, flag = null, native_name = null,
    latitude = null, longitude = null`);
}

const MUMBAI = 133024;

for (const first of [false, true]) {
  test(`a geography of ${first ? 'the first' : 'an earlier'} version becomes the present one, by one of two who begin at once`, async () => {
    await loadGeography(db);
    const { version } = await loadGeographyIndex(db);
    await makeEarlier(first);
    assert.equal(await geographyState(db), 'earlier');
    assert.notEqual((await loadGeographyIndex(db)).version, version);
    await Promise.all([upgradeGeography(db), upgradeGeography(db)]);
    assert.equal(await geographyState(db), 'present');
    assert.equal((await loadGeographyIndex(db)).version, version);
    const present = await revision();
    await upgradeGeography(db, neverTold);
    assert.equal(await revision(), present);
  });
}

test('what was changed by hand stays: names, numbers, rows that were added and rows that were removed', async () => {
  await makeEarlier(false);
  const changed = cities.find(({ id, population }) => id < 100_000_000 && id !== MUMBAI && population !== null);
  const [removed, gone] = [cities[1], countries.at(-1)];
  assert.ok(changed && removed && gone);
  for (const statement of [
    sql`update cities set name = 'Elsewhere', population = 77 where id = ${changed.id}`,
    sql`update cities set latitude = 1, longitude = 2 where id = ${MUMBAI}`,
    sql`update states set state_code = 'XX' where id = 4013`,
    sql`delete from cities where id = ${removed.id} or country_id = ${gone.id}`,
    sql`delete from states where country_id = ${gone.id}`,
    sql`delete from countries where id = ${gone.id}`,
    sql`insert into cities (id, state_id, country_id, name) values (99999999, 4008, 101, 'Own')`,
  ]) {
    await db.query(statement);
  }
  await upgradeGeography(db);
  const rowOf = async (id: number) => {
    const [row] = await db.query<{ name: string }>(
      sql`select name::text, latitude, longitude, population from cities where id = ${id}`,
    );
    return row && { ...row };
  };
  const { latitude, longitude } = changed;
  assert.deepEqual(await rowOf(changed.id), { name: 'Elsewhere', latitude, longitude, population: 77 });
  const mumbai = cities.find(({ id }) => id === MUMBAI);
  assert.deepEqual(await rowOf(MUMBAI), { name: 'Mumbai', latitude: 1, longitude: 2, population: mumbai?.population });
  assert.equal(await rowOf(removed.id), undefined);
  assert.equal((await rowOf(99_999_999))?.name, 'Own');
  const [state] = await db.query<{ code: string }>(sql`select state_code as code from states where id = 4013`);
  assert.equal(state?.code, 'XX');
  const [left] = await db.query<{ rows: number }>(sql`
    select (select count(*) from cities where country_id = ${gone.id})::integer
      + (select count(*) from alternate_names where kind = 'country' and id = ${gone.id})::integer as rows`);
  assert.equal(left?.rows, 0);
  assert.deepEqual(await rowOf(101_796_236), {
    name: 'Shanghai',
    latitude: 312222200,
    longitude: 1214580600,
    population: 22_315_474,
  });
});

test('a geography of somebody else gets nothing that means another place', async () => {
  for (const table of ['alternate_names', 'cities', 'states', 'countries'])
    await db.query(sql`delete from ${raw(table)}`);
  await db.query(sql`insert into countries (id, name, iso2, iso3) values (1, 'India', 'IN', 'IND')`);
  await db.query(sql`insert into states (id, country_id, name, state_code) values (1, 1, 'Goa', 'GA')`);
  await db.query(sql`insert into cities (id, state_id, country_id, name) values (1, 1, 1, 'Panaji')`);
  const { version } = await loadGeographyIndex(db);
  await upgradeGeography(db);
  assert.equal((await loadGeographyIndex(db)).version, version);
});
