import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { exportGeography } from '../../../src/features/geography/export-geography.ts';
import { readExtraPlaces } from '../../../src/features/geography/extra-places.ts';
import { openGeography, readGeography } from '../../../src/features/geography/geography-file.ts';
import { UserError } from '../../../src/lib/errors.ts';
import { pageOf } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { byGet, type CityItem, type StateItem } from '../../support/geography-lists.ts';

const [INDIA, MUMBAI, MAHARASHTRA, OWN] = [101, 133_024, 4008, 1_000_000_001];
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-geography-'));
after(() => rmSync(folder, { recursive: true }));
const shipped = await readGeography({ geographyExtra: undefined });
/** A country alone: its index is built in no time. */
const india = {
  ...shipped,
  states: shipped.states.filter(({ countryId }) => countryId === INDIA),
  cities: shipped.cities.filter(({ countryId }) => countryId === INDIA),
};

function fileOf(...lines: string[]): string {
  const file = join(folder, 'extra.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const HEADER = 'kind,id,name,countryCode,stateCode,latitude,longitude,timezone,population,alternateNames';

describe('places of GEOGRAPHY_EXTRA', () => {
  for (const [program, separator, point, encoding] of [
    ['with commas', ',', '.', 'utf8'],
    ['with semicolons and decimal commas, as a spreadsheet in Europe writes them', ';', ',', 'utf8'],
    ['with tabs in UTF-16, as a spreadsheet writes text', '\t', ',', 'utf16le'],
  ] as const) {
    it(`the places of GEOGRAPHY_EXTRA are added, and correct existing places, from a file ${program}`, async () => {
      const geographyExtra = join(folder, 'extra.csv');
      const lines = [
        HEADER.replaceAll(',', '|'),
        `state|${OWN}|Qwertz District|IN|QZ|||||`,
        `city|${OWN}|Qwertzuiöp|IN|QZ|12${point}5|77${point}25|Asia/Kolkata|500|"Yxcvbnm;Head Office"`,
        '|||||||||',
        `city|${MUMBAI}|||||||42|`,
      ];
      writeFileSync(geographyExtra, `\ufeff${lines.join('\r\n').replaceAll('|', separator)}`, encoding);
      await using bare = await buildBareApp({ places: await readExtraPlaces(geographyExtra, india) });
      const list = async <Item>(path: '/api/cities/list' | '/api/states/list', search: string) =>
        pageOf<Item>(
          await bare.app.inject(
            byGet(path, {
              search,
              ...(path.includes('cities') && {
                include: 'location,timezone,population,alternateNames',
                alternateNames: true,
              }),
            }),
          ),
        ).items;
      const [state] = await list<StateItem>('/api/states/list', 'qwertz');
      assert.deepEqual([state?.id, state?.stateCode, state?._count.cities], [OWN, 'QZ', 1]);
      for (const search of ['qwertzu', 'yxcvbnm']) {
        const [city] = await list<CityItem & Record<string, unknown>>('/api/cities/list', search);
        assert.deepEqual(
          [city?.id, city?.stateId, city?.country.iso2, city?.location, city?.timezone, city?.population],
          [OWN, OWN, 'IN', { latitude: 12.5, longitude: 77.25 }, 'Asia/Kolkata', 500],
        );
        assert.deepEqual(city?.alternateNames, ['Yxcvbnm', 'Head Office']);
      }
      const cities = await list<CityItem & { population: number }>('/api/cities/list', 'mumbai');
      assert.equal(cities.find(({ id }) => id === MUMBAI)?.population, 42);
    });
  }

  it('GEOGRAPHY_EXTRA sets the type and the parent of a state, and the export contains both', async () => {
    const geographyExtra = fileOf(
      'kind,id,name,countryCode,stateCode,type,parentId,latitude,longitude',
      `state,${OWN},Konkan,IN,KK,division,${MAHARASHTRA},,`,
      `state,${OWN + 1},Raigad,IN,RG,district,${OWN},,`,
      `city,${OWN},Qwertzuiop,IN,RG,,,12.5,77.25`,
    );
    const geography = await readExtraPlaces(geographyExtra, india);
    await using bare = await buildBareApp({ places: geography });
    const find = async (path: '/api/cities/list' | '/api/states/list', parameters: object) =>
      pageOf<StateItem & { type: string; parentId: number }>(await bare.app.inject(byGet(path, { ...parameters })))
        .items;
    const [state] = await find('/api/states/list', { search: 'konkan', include: 'type,parentId' });
    assert.deepEqual([state?.type, state?.parentId], ['division', MAHARASHTRA]);
    for (const stateId of [OWN + 1, OWN, MAHARASHTRA]) {
      const [city] = await find('/api/cities/list', { search: 'qwertz', stateId, within: true });
      assert.equal(city?.id, OWN);
    }
    const target = join(folder, 'with-parts');
    await exportGeography(geography, target);
    const [header, ...lines] = readFileSync(join(target, 'states.csv'), 'utf8').split(/\r?\n/);
    const own = lines.filter((line) => line.startsWith('100000000'));
    const again = fileOf(`kind,${header}`, ...own.map((line) => `state,${line}`));
    const { states } = await readExtraPlaces(again, india);
    assert.deepEqual(states.slice(-2), geography.states.slice(-2));
    const cleared = fileOf('kind,id,type,parentId', `state,${MAHARASHTRA},,0`);
    const kept = (await readExtraPlaces(cleared, india)).states.find(({ id }) => id === MAHARASHTRA);
    assert.deepEqual([kept?.type, kept?.parentId], ['state', null]);
  });

  for (const [fault, lines, message] of [
    ['a column that is not known', ['id,nom', '1,x'], /line 1: there is no column "nom": expected kind, id,/],
    [
      'an id of a city that is not there',
      ['id,name', '999999999,x'],
      /line 2: there is no city 999999999 to correct, and ids of new places begin/,
    ],
    [
      'an id of a state that is not there',
      ['kind,id,name', 'state,999999999,x'],
      /line 2: there is no state 999999999 to correct, and ids of new places begin/,
    ],
    ['a number that is none', ['id,population', `${MUMBAI},many`], /line 2: population is "many", expected a whole/],
    ['a new city without a state', ['id,name', `${OWN},x`], /line 2: stateId is empty, and a new place needs it/],
    ['a state of another country', [HEADER, `city,${OWN},x,IN,ZZ,,,,,`], /line 2: IN has no state ZZ/],
    [
      'a country that is none',
      ['kind,id,name,countryCode,stateCode', `state,${OWN},x,QQ,x`],
      /line 2: there is no country QQ/,
    ],
    [
      'a state within one of another country',
      ['kind,id,name,countryCode,stateCode,parentId', `state,${OWN},x,FR,x,${MAHARASHTRA}`],
      /line 2: parentId is "4008", expected the id of a state of the same country/,
    ],
    [
      'states that contain each other in a circle',
      ['kind,id,parentId', `state,${MAHARASHTRA},${MAHARASHTRA}`],
      /line 2: parentId is "4008", expected at most 3 states that contain each other, and no circle/,
    ],
    ['a time zone that is none', ['id,timezone', `${MUMBAI},Asia/Nowhere`], /line 2: timezone is "Asia\/Nowhere"/],
    ['a position in part', ['id,latitude', `${MUMBAI},1`], /line 2: latitude and longitude belong together/],
    [
      'a place that is there twice',
      ['id,population', `${MUMBAI},1`, `${MUMBAI},2`],
      /line 3: the city 133024 is there/,
    ],
    ['too few cells', ['id,population', `${MUMBAI}`], /line 2: 1 cells, but the header has 2/],
    [
      'other separators',
      ['id:population', `${MUMBAI}:1`],
      /line 1: .*, separated by commas, semicolons, tabs or vertical bars/,
    ],
    ['a number with a separator of thousands', ['id;population', `${MUMBAI};1.000`], /line 2: population is "1.000"/],
    ['an open quote', ['id,name', `${MUMBAI},"x`], /line 2: a quoted cell of this record is not closed/],
    ['an empty file', [], /the file is empty/],
  ] as const) {
    it(`GEOGRAPHY_EXTRA with ${fault} stops the start with the line of the fault`, async () => {
      const file = fileOf(...lines);
      await assert.rejects(readExtraPlaces(file, india), (error: Error) => {
        assert.ok(error instanceof UserError);
        assert.ok(error.message.startsWith(`GEOGRAPHY_EXTRA: the places of ${file} cannot be taken:\n`), error.message);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it('GEOGRAPHY_EXTRA with a text that is not UTF-8 stops the start with the line of the fault', async () => {
    const file = join(folder, 'latin.csv');
    writeFileSync(file, `id,name\n${MUMBAI},Mumbai\n${OWN},Bogotá\n`, 'latin1');
    await assert.rejects(readExtraPlaces(file, india), /line 3: the text is not UTF-8: save the file in that encoding/);
  });

  it('GEOGRAPHY_EXTRA stops the start if the file does not exist', async () => {
    await assert.rejects(
      openGeography({ geographyExtra: join(folder, 'none.csv'), dataDir: join(folder, 'data') }),
      /GEOGRAPHY_EXTRA: .*\n.*ENOENT/,
    );
  });
});

describe('geography export', () => {
  it('the geography export writes a CSV file for each list', async () => {
    const target = join(folder, 'export');
    const written = await exportGeography(india, target);
    assert.deepEqual(
      written.map(({ file, rows }) => [file, rows]),
      [
        ['countries.csv', india.countries.length],
        ['states.csv', india.states.length],
        ['cities.csv', india.cities.length],
      ],
    );
    const lines = readFileSync(join(target, 'cities.csv'), 'utf8').split('\n');
    const columns = lines[0]?.split(',') ?? [];
    assert.equal(columns[0], 'id');
    const mumbai = lines.find((line) => line.startsWith(`${MUMBAI},`))?.split(',') ?? [];
    assert.equal(mumbai[columns.indexOf('name')], 'Mumbai');
    assert.equal(mumbai[columns.indexOf('latitude')]?.slice(0, 5), '19.07');
  });

  it('the geography export writes rows that change nothing as GEOGRAPHY_EXTRA', async () => {
    const target = join(folder, 'again');
    await exportGeography(india, target);
    for (const [kind, name] of Object.entries({ state: 'states.csv', city: 'cities.csv' })) {
      const [header, ...lines] = readFileSync(join(target, name), 'utf8').trimEnd().split('\n');
      const file = fileOf(`kind,${header}`, ...lines.map((line) => `${kind},${line}`));
      assert.deepEqual(await readExtraPlaces(file, india), india);
    }
  });
});
