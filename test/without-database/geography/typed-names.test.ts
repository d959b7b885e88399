import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fold } from '../../../src/lib/text-folding.ts';
import { pageOf } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { byGet, type CityItem } from '../../support/geography-lists.ts';
import { TYPED_NAMES, type TypedName } from './typed-names.ts';

let api: BareApp;
before(async () => {
  api = await buildBareApp({ places: 'world' });
});
after(() => api[Symbol.asyncDispose]());

async function firstPage<Item>(list: 'cities' | 'states' | 'countries', search: string): Promise<Item[]> {
  const parameters = { search, alternateNames: true, isPaginationNeeded: true };
  return pageOf<Item>(await api.app.inject(byGet(`/api/${list}/list`, parameters))).items;
}

/** The place of a city on the first page; -1: it is not there. */
async function placeOf({ countryCode, name, typed }: TypedName): Promise<number> {
  const cities = await firstPage<CityItem>('cities', typed);
  return cities.findIndex((city) => city.country.iso2 === countryCode && fold(city.name) === fold(name));
}

describe('cities by names as people type them', () => {
  it('a search finds 97 percent of the cities by typed names on the first page, and 92 percent first', async () => {
    assert.ok(TYPED_NAMES.length >= 300);
    const places = await Promise.all(TYPED_NAMES.map(placeOf));
    const missed = TYPED_NAMES.filter((_, number) => places[number] === -1).map(({ typed }) => typed);
    const share = (count: number) => count / TYPED_NAMES.length;
    assert.ok(share(missed.length) <= 0.03, `not found: ${missed.join(', ')}`);
    const first = share(places.filter((place) => place === 0).length);
    assert.ok(first >= 0.92, `${(first * 100).toFixed(1)} of a hundred come first`);
  });

  for (const [typed, name, state] of [
    ['springfield, il', 'Springfield', 'IL'],
    ['Springfield, Massachusetts', 'Springfield', 'MA'],
    ['springfield mo', 'Springfield', 'MO'],
    ['paris, tx', 'Paris', 'TX'],
    ['paris, texas, usa', 'Paris', 'TX'],
    ['portland, ore.', 'Portland', 'OR'],
    ['portland maine', 'Portland', 'ME'],
    ['st. paul, mn', 'Saint Paul', 'MN'],
    ['washington, d.c.', 'Washington D.C.', 'DC'],
    ['san jose, calif', 'San Jose', 'CA'],
    ['london, ontario', 'London', 'ON'],
    ['hyderabad, sindh', 'Hyderabad', 'SD'],
    ['córdoba, españa', 'Córdoba', 'CO'],
  ] as const) {
    it(`a search for "${typed}" finds the city in the given state or country first`, async () => {
      const [first] = await firstPage<CityItem>('cities', typed);
      assert.deepEqual([first?.name, first?.state.stateCode], [name, state]);
    });
  }

  it('text after a comma selects the state or country of a city by name, and a single letter is ignored', async () => {
    assert.deepEqual(await firstPage('cities', 'paris, japan'), []);
    const [known] = await firstPage<CityItem & { match: string }>('cities', 'paris, nowhere');
    assert.deepEqual([known?.country.iso2, known?.match], ['FR', 'part']);
    const [first] = await firstPage<CityItem>('cities', 'paris, f');
    assert.equal(first?.country.iso2, 'FR');
  });
});

describe('countries by the names that people have for them', () => {
  for (const [iso2, ...names] of [
    ['GB', 'UK', 'U.K.', 'Britain', 'England', 'Scotland', 'Großbritannien', 'Royaume-Uni'],
    ['US', 'USA', 'U.S.A.', 'America', 'États-Unis', '美国', '美國'],
    ['AE', 'UAE', 'Emirates', 'الإمارات العربية المتحدة'],
    ['TR', 'Türkiye', 'Turkey', 'turkiye'],
    ['CZ', 'Czechia', 'Tschechien', 'Czech Republic'],
    ['NL', 'Holland', 'Niederlande', 'Pays-Bas'],
    ['MM', 'Burma'],
    ['CD', 'DR Congo', 'DRC', 'Zaire', 'Congo-Kinshasa'],
    ['CV', 'Cabo Verde'],
    ['VN', 'Viet Nam'],
    ['PS', 'Palestine'],
    ['MO', 'Macao', 'Macau'],
    ['LC', 'St Lucia', 'St. Lucia'],
    ['GW', 'Guinea Bissau'],
    ['TT', 'Trinidad & Tobago'],
    ['SZ', 'Swaziland'],
    ['KR', 'Korea', 'South Korea', '한국', 'Corée du Sud'],
    ['CI', "Côte d'Ivoire", 'cote divoire', 'Ivory Coast'],
    ['DE', 'Deutschland', 'Allemagne', 'Германия'],
    ['ES', 'España', 'Spanien'],
    ['IN', 'भारत', 'Bharat', 'Indien'],
    ['JP', '日本', 'Japon'],
    ['CN', '中国', '中國', 'PRC'],
    ['NZ', 'newzealand', 'NZ'],
  ] as const) {
    it(`a search for countries finds ${iso2} first by ${names.join(', ')}`, async () => {
      for (const name of names) {
        const [first] = await firstPage<{ iso2: string }>('countries', name);
        assert.equal(first?.iso2, iso2, name);
      }
    });
  }
});

describe('states by the names that people have for them', () => {
  for (const [state, ...names] of [
    ['DE Bavaria', 'Bayern', 'Bavaria', 'bayern, deutschland'],
    ['DE North Rhine-Westphalia', 'NRW', 'Nordrhein Westfalen'],
    ['IN Odisha', 'Orissa', 'ओडिशा'],
    ['IN Tamil Nadu', 'Tamilnadu', 'தமிழ்நாடு'],
    ['IN Jammu and Kashmir', 'J&K', 'Jammu & Kashmir'],
    ['IN Uttar Pradesh', 'U.P.', 'UP'],
    ['IN Puducherry', 'Pondicherry'],
    ['IN Chhattisgarh', 'Chattisgarh', 'chhattisgarh, india'],
    ['ES Catalonia', 'Catalunya', 'Cataluña'],
    ['AT Carinthia', 'Kärnten', 'Kaernten'],
    ['CH Geneva', 'Genève', 'Genf'],
    ['IT Tuscany', 'Toscana'],
    ['IT Apulia', 'Puglia'],
    ['FR Provence-Alpes-Côte-d’Azur', 'Provence Alpes', 'PACA'],
    ['FR Normandie', 'Normandy'],
    ['PL Mazovia', 'Mazowieckie'],
    ['CN Guangdong', '广东', '廣東', '广东省'],
    ['JP Tokyo', '東京都', '东京'],
    ['VN Hà Nội', 'Hanoi'],
    ['AU New South Wales', 'NSW', 'N.S.W.'],
    ['ZA KwaZulu-Natal', 'Kwazulu Natal', 'KZN'],
    ['US North Carolina', 'N. Carolina', 'North Carolina, US'],
  ] as const) {
    it(`a search for states finds ${state} first by ${names.join(', ')}`, async () => {
      for (const typed of names) {
        const [first] = await firstPage<{ name: string; country: { iso2: string } }>('states', typed);
        assert.equal(`${first?.country.iso2} ${first?.name}`, state, typed);
      }
    });
  }
});
