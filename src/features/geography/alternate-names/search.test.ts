import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fold } from '../../../lib/text-folding.ts';
import { NAME_SEPARATOR } from '../records.ts';
import { indexNames } from './build.ts';
import { openNameSearch } from './search.ts';

interface Named {
  name: string;
  others?: string[];
  countryCode?: string;
}

/** Searches rows whose search order is the reverse of their own. */
function searchIn(rows: Named[]) {
  const searched = rows.toReversed();
  const names = {
    own: searched.map(({ name }) => name),
    others: searched.map(({ others = [] }) => others.join(NAME_SEPARATOR)),
    countryCodes: searched.map(({ countryCode = 'US' }) => countryCode),
  };
  const search = openNameSearch(indexNames(names));
  const rowsAt = (ranks: Uint32Array) => Array.from(ranks, (rank) => rows.length - 1 - rank);
  return {
    whole: (needle: string) => rowsAt(search.whole(fold(needle))),
    beginning: (needle: string) => rowsAt(search.beginning(fold(needle))),
    withoutSpaces: (needle: string) => rowsAt(search.beginningWithoutSpaces(fold(needle))),
  };
}

describe('a search by all names', () => {
  const { whole, beginning } = searchIn([
    { name: 'Mumbai', others: ['Bombay', 'BOM', 'मुंबई', 'Bombaim'] },
    { name: 'Bombay' },
    { name: 'Beijing', others: ['北京', 'Peking', 'Pékin'] },
    { name: 'Bo' },
    { name: 'Bomb' },
  ]);

  it('a search by all names finds the cities that have the needle as a whole name, in search order', () => {
    assert.deepEqual(whole('bombay'), [1, 0]);
    assert.deepEqual(whole('BOM'), [0]);
    assert.deepEqual([whole('北京'), whole('मुंबई'), whole('Bo'), whole('bomba')], [[2], [0], [3], []]);
  });

  it('a search by all names finds cities by three first letters, or two Han characters, once each', () => {
    assert.deepEqual(beginning('bom'), [4, 1, 0]);
    assert.deepEqual(beginning('bomba'), [1, 0]);
    assert.deepEqual(beginning('bombai'), [0]);
    assert.deepEqual([beginning('bo'), beginning('北京'), beginning('pek'), beginning('peki')], [[], [2], [2], [2]]);
    assert.deepEqual([beginning('bombays'), beginning('xyz'), beginning("'--"), whole('-')], [[], [], [], []]);
  });

  it('a search by all names distinguishes letters that differ in any position', () => {
    const letters = ['a', 'b', 'я', '北', '\uffff'];
    const texts = letters.flatMap((a) =>
      letters.flatMap((b) => letters.flatMap((c) => [a, a + b, a + b + c, a + b + c + a])),
    );
    const search = searchIn(texts.map((name) => ({ name })));
    for (const text of new Set(texts)) {
      const rows = texts.flatMap((one, row) => (one === text ? [row] : [])).reverse();
      assert.deepEqual(search.whole(text), rows, text);
      if (text.length < 3) continue;
      assert.deepEqual(
        search.beginning(text),
        texts.flatMap((one, row) => (one.startsWith(text) ? [row] : [])).reverse(),
        text,
      );
    }
  });

  it('a search in an index without names finds nothing', () => {
    const none = searchIn([]);
    assert.deepEqual([none.whole('a'), none.beginning('abc')], [[], []]);
  });
});

describe('a name is found as people type it', () => {
  const cities: Named[] = [
    { name: 'St. Louis' },
    { name: 'Saint-Étienne', countryCode: 'FR' },
    { name: 'Sankt Gallen', countryCode: 'CH' },
    { name: 'Sainte-Marie', countryCode: 'FR' },
    { name: 'München', countryCode: 'DE' },
    { name: 'Malmö', countryCode: 'SE' },
    { name: 'Århus', countryCode: 'DK' },
    { name: 'Alicante/Alacant', countryCode: 'ES' },
    { name: "Xi'an", countryCode: 'CN' },
    { name: 'Winston-Salem' },
    { name: 'Münih', countryCode: 'TR' },
    { name: 'Washington D.C.' },
    { name: 'Stuttgart', countryCode: 'DE' },
  ];
  const { whole, beginning } = searchIn(cities);
  for (const [row, ...typed] of [
    [0, 'St. Louis', 'St Louis', 'Saint Louis', 'saint-louis', 'st.louis'],
    [1, 'Saint Etienne', 'St Etienne', 'St. Étienne', 'St-Etienne', 'SaintEtienne'],
    [2, 'St. Gallen', 'St Gallen', 'Saint Gallen', 'sankt gallen'],
    [3, 'Ste Marie', 'Ste-Marie', 'St Marie', 'Saint Marie'],
    [4, 'Muenchen', 'MUENCHEN', 'munchen'],
    [5, 'Malmoe'],
    [6, 'Aarhus'],
    [7, 'Alicante', 'Alacant', 'alicante alacant'],
    [8, 'Xian', 'Xi an'.replace(' ', '’'), 'xi`an'],
    [9, 'Winston Salem', 'WinstonSalem'],
    [11, 'Washington DC', 'washington, d.c.'],
  ] as const) {
    it(`the city ${cities[row]?.name} is found by ${typed.join(', ')}`, () => {
      for (const text of typed) assert.deepEqual(whole(text), [row], text);
    });
  }

  it('a city is found by the beginning of its name in another spelling', () => {
    assert.deepEqual([beginning('saint et'), beginning('st. et'), beginning('winston s')], [[1], [1], [9]]);
  });

  it('a search for ue matches ü only in languages that write it so, and St within a word does not mean Saint', () => {
    assert.deepEqual([whole('Mueenih'), whole('Mueni'), whole('saintuttgart')], [[], [], []]);
  });

  it('a city is found whether its name is typed with or without spaces', () => {
    const { whole, withoutSpaces } = searchIn([
      { name: 'New York' },
      { name: "L'Aquila" },
      { name: 'Newark' },
      { name: 'Abu Dhabi', others: ['أبوظبي'] },
      { name: 'La' },
    ]);
    assert.deepEqual([whole('newyork'), withoutSpaces('newyork'), withoutSpaces('n e w')], [[], [0], [2, 0]]);
    assert.deepEqual([withoutSpaces('l aquila'), withoutSpaces('أبو ظبي'), withoutSpaces('l a')], [[1], [3], []]);
  });

  it('a city is found by an abbreviation, by letters of another keyboard, and without the suffix for city', () => {
    const { whole } = searchIn([
      { name: 'Fort Worth' },
      { name: 'Mt. Vernon' },
      { name: 'Sta. Rosa' },
      { name: 'New York', others: ['紐約', '뉴욕시'] },
      { name: 'Tokyo', others: ['トウキョウ', '東京都'] },
      { name: 'Karachi', others: ['کراچی'] },
      { name: 'Sofia', others: ['सोफ़िया'] },
    ]);
    for (const [row, ...typed] of [
      [0, 'ft worth', 'ft. worth'],
      [1, 'mount vernon'],
      [2, 'santa rosa'],
      [3, '纽约', '紐約', '뉴욕'],
      [4, 'とうきょう', '东京', '東京'],
      [5, 'كراچي'],
      [6, 'सोफिया'],
    ] as const) {
      for (const text of typed) assert.deepEqual(whole(text), [row], text);
    }
  });
});
