import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fold } from '../../../src/lib/text-folding.ts';
import { pageOf } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { byGet, type CityItem } from '../../support/geography-lists.ts';

let bare: BareApp;
before(async () => {
  bare = await buildBareApp({ places: 'world' });
});
after(() => bare[Symbol.asyncDispose]());

type Matched = CityItem & { match?: string };

async function find(search: string): Promise<Matched[]> {
  const parameters = { search, alternateNames: true, isPaginationNeeded: true };
  return pageOf<Matched>(await bare.app.inject(byGet('/api/cities/list', parameters))).items;
}

/** Stations, airports, postal codes, counties, districts, regions: each with the city that is meant. */
const TABLE = readFileSync(new URL('part-names.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => /^(..) (.*?): (.*)$/.exec(line)?.slice(1) as [iso2: string, name: string, typed: string]);

describe('a city and a word more', () => {
  it('a search for a city with a station, an airport, a postal code or a county finds 95 of 100 cities first', async () => {
    const missed: string[] = [];
    for (const [iso2, name, typed] of TABLE) {
      const [first] = await find(typed);
      if (first?.country.iso2 !== iso2 || !fold(first.name).startsWith(fold(name)))
        missed.push(`${typed}: ${first?.name}`);
    }
    assert.ok(TABLE.length >= 170);
    assert.ok(missed.length <= TABLE.length / 20, missed.join('; '));
  });

  it('the field match of a city whose name is a part of the text is "part"', async () => {
    for (const typed of ['Köln Hbf', 'London E14', 'Halifax, West Yorkshire', 'Debrecen, Hajdú-Bihar']) {
      const [first] = await find(typed);
      assert.ok(first?.match === 'part' || typed.startsWith('Halifax'), typed);
    }
  });

  for (const typed of [
    'Nowhereburg, WV',
    'Nowhereburg West Virginia',
    'Nowhereville, Washington',
    'paris, japan',
    'paris japan',
  ].concat(['Springfield, New Zealand', 'Blahville, California, USA', 'qwerty uiop', 'my home', '123'])) {
    it(`a search for "${typed}" finds nothing: no known city is meant`, async () => {
      assert.deepEqual(await find(typed), []);
    });
  }

  it('an IATA code in capitals finds its city first, in small letters it may be the beginning of a name', async () => {
    for (const [typed, name] of [
      ['CUR', 'Willemstad'],
      ['TFS', 'Santa Cruz de Tenerife'],
      ['BAR', 'Qionghai'],
      ['bar', 'Barcelona'],
    ] as const) {
      assert.equal((await find(typed))[0]?.name, name, typed);
    }
  });

  it('a wrong letter in a short word of Devanagari or Arabic does not find another city', async () => {
    for (const typed of ['मिलाण', 'वेनिश', 'بوسام', 'सना होज़े', 'تل أبيك'])
      assert.deepEqual(await find(typed), [], typed);
  });

  it('a wrong letter that makes two cities of Devanagari or Arabic as near finds neither, unless a letter is swapped or twice', async () => {
    for (const [typed, ...names] of [['बुकापेस्ट'], ['प्रेस्टक'], ['प्रेस्नट', 'Preston'], ['نانيينغ', 'Nanning']] as const) {
      assert.deepEqual(
        (await find(typed)).slice(0, 1).map(({ name }) => name),
        names,
        typed,
      );
    }
  });

  it('a short city with a word for its station or airport is found in Devanagari and Arabic too', async () => {
    for (const [typed, name] of [
      ['पुणे जंक्शन', 'Pune'],
      ['مطار دبي', 'Dubai'],
    ] as const) {
      assert.equal((await find(typed))[0]?.name, name, typed);
    }
  });

  it('a word for a city in brackets or behind a comma is no part of its name, and no area', async () => {
    for (const [typed, name, iso2] of [
      ['Genoa (city)', 'Genoa', 'IT'],
      ['Genoa City', 'Genoa City', 'US'],
      ['Kingston, City of', 'Kingston', 'JM'],
    ] as const) {
      const [first] = await find(typed);
      assert.deepEqual([first?.name, first?.country.iso2], [name, iso2], typed);
    }
  });

  it('a city comes first by the name that most people call it', async () => {
    for (const [typed, name] of [
      ['Washington', 'Washington D.C.'],
      ['Alicante', 'Alicante/Alacant'],
      ['Panama City', 'Panamá'],
      ['Las Palmas', 'Las Palmas de Gran Canaria'],
      ['Cartagena', 'Cartagena de Indias'],
      ['Odessa', 'Odesa'],
      ['Mykolaiv', 'Mykolayiv'],
      ['बेंगलुरु', 'Bengaluru'],
      ['मिलान', 'Milan'],
    ] as const) {
      assert.equal((await find(typed))[0]?.name, name, typed);
    }
  });
});
