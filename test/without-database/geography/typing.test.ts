import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pageOf } from '../../support/answers.ts';
import { type BareApp, buildBareApp } from '../../support/bare-app.ts';
import { byGet, type CityItem, type CountryItem, type StateItem } from '../../support/geography-lists.ts';

let bare: BareApp;
before(async () => {
  bare = await buildBareApp({ places: 'world' });
});
after(() => bare[Symbol.asyncDispose]());

async function find<Item>(list: 'cities' | 'states' | 'countries', search: string, more = {}): Promise<Item[]> {
  const parameters = { search, alternateNames: true, isPaginationNeeded: true, ...more };
  return pageOf<Item>(await bare.app.inject(byGet(`/api/${list}/list`, parameters))).items;
}

const keyOf = ({ name, country }: CityItem) => `${name}, ${country.iso2}`;

/** Cities with busy airports, by their own names. */
const CITIES =
  `Amsterdam, NL; Ankara, TR; Athens, GR; Auckland, NZ; Bangkok, TH; Barcelona, ES; Beijing, CN; Bengaluru, IN; Berlin, DE;
  Bilbao, ES; Bogotá D.C., CO; Boston, US; Brisbane, AU; Brussels, BE; Bucharest, RO; Budapest, HU; Cairo, EG; Cape Town, ZA; Caracas, VE;
  Casablanca, MA; Chennai, IN; Chicago, US; Dakar, SN; Dallas, US; Delhi, IN; Denver, US; Doha, QA; Dubai, AE; Dublin, IE; Durban, ZA;
  Edinburgh, GB; Frankfurt am Main, DE; Geneva, CH; Glasgow, GB; Guangzhou, CN; Hamburg, DE; Hanoi, VN; Harbin, CN; Houston, US;
  Hyderabad, IN; Islamabad, PK; Istanbul, TR; Jakarta, ID; Jeddah, SA; Johannesburg, ZA; Karachi, PK; Kolkata, IN; Lagos, NG; Lahore, PK;
  Lima, PE; Lisbon, PT; Liverpool, GB; London, GB; Los Angeles, US; Lyon, FR; Madrid, ES; Manchester, GB; Manila, PH; Medellín, CO;
  Melbourne, AU; Miami, US; Minsk, BY; Montréal, CA; Mumbai, IN; Nairobi, KE; Nanjing, CN; Novosibirsk, RU; Osaka, JP; Oslo, NO; Paris, FR;
  Perth, AU; Philadelphia, US; Phoenix, US; Porto, PT; Prague, CZ; Riyadh, SA; Rome, IT; San Francisco, US; Santiago, CL; Seattle, US;
  Seoul, KR; Shanghai, CN; Singapore, SG; Stockholm, SE; Sydney, AU; Tashkent, UZ; Tokyo, JP; Toronto, CA; Valencia, VE; Vancouver, CA;
  Vienna, AT; Warsaw, PL; Washington D.C., US; Wuhan, CN; Yekaterinburg, RU; Zaragoza, ES`
    .split(/;\s*/)
    .map((city) => city.split(', ') as [name: string, iso2: string]);

describe('while somebody types the name of a city', () => {
  for (const [letters, least] of [
    [2, 0.43],
    [3, 0.78],
    [4, 0.9],
  ] as const) {
    it(`the mean reciprocal rank is at least ${least} after ${letters} letters`, async () => {
      const ranks = await Promise.all(
        CITIES.map(async ([name, iso2]) => {
          const found = await find<CityItem>('cities', [...name].slice(0, letters).join(''));
          return found.findIndex((city) => city.name === name && city.country.iso2 === iso2) + 1;
        }),
      );
      const rank = ranks.reduce((sum, one) => sum + (one === 0 ? 0 : 1 / one), 0) / ranks.length;
      assert.ok(rank >= least, `${rank.toFixed(3)}`);
    });
  }

  it('a whole own name comes before other names of other cities', async () => {
    const others: string[] = [];
    for (const [name, iso2] of CITIES) {
      const [first] = await find<CityItem>('cities', name);
      if (first === undefined || keyOf(first) !== `${name}, ${iso2}`) others.push(`${name}: ${first && keyOf(first)}`);
    }
    assert.deepEqual(others, []);
  });

  for (const [typed, expected] of [
    ['porto', 'Porto, PT'],
    ['parma', 'Parma, IT'],
    ['islamabad', 'Islamabad, PK'],
    ['venice', 'Venice, IT'],
    ['bombay', 'Mumbai, IN'],
    ['warszawa', 'Warsaw, PL'],
    ['blr', 'Bengaluru, IN'],
    ['jfk', 'New York City, US'],
    ['Portland, OR 97201', 'Portland, US'],
    ['Bengaluru, Karnataka 560001', 'Bengaluru, IN'],
    ['Lyon, Rhône-Alpes', 'Lyon, FR'],
    ['Nice, PACA', 'Nice, FR'],
    ['Paris, IDF', 'Paris, FR'],
    ['Monterrey, NL', 'Monterrey, MX'],
  ] as const) {
    it(`${typed} finds ${expected} first`, async () => {
      const [first] = await find<CityItem>('cities', typed);
      assert.equal(first && keyOf(first), expected);
    });
  }

  it('two letters of Devanagari find what begins with them', async () => {
    assert.ok((await find<CityItem>('cities', 'नई')).some((city) => city.country.iso2 === 'IN'));
  });
});

/** One letter swapped, missing, doubled or wrong; the first one is right. */
const MISTYPED =
  `Barcleona Barcelna Barcellona Barcekona Amsterdma Amsterdm Amsterddam Amsterfam Singapoer Singaore Singgapore Singaporr Melborune
  Melborne Melbournne Melbourme Philadelhpia Philadelpia Philadellphia Philadelphua Johanensburg Johannesurg Johannesbburg Johannesbyrg
  Novosibrisk Novosibrsk Novosibirssk Novosivirsk Liverpolo Liverpol Livverpool Liverpiol Vancoouver Vancuover Vancouber Vancuver Casablnaca
  Casablnca Casablancca Casablanva Guangzohu Guanzhou Guangzzhou Guangxhou Istanbbul Istabnul Istanbil Istnbul Edinbrugh Edinburg Edinnburgh
  Edinbutgh`.split(/\s+/);
const MEANT = [
  'Barcelona',
  'Amsterdam',
  'Singapore',
  'Melbourne',
  'Philadelphia',
  'Johannesburg',
  'Novosibirsk',
  'Liverpool',
]
  .concat(['Vancouver', 'Casablanca', 'Guangzhou', 'Istanbul', 'Edinburgh'])
  .flatMap((name) => [name, name, name, name]);

describe('a name with one letter wrong', () => {
  it('finds the city on the first page for eight of ten', async () => {
    const missed: string[] = [];
    for (const [index, typed] of MISTYPED.entries()) {
      const found = await find<CityItem>('cities', typed);
      if (!found.some(({ name }) => name === MEANT[index])) missed.push(typed);
    }
    assert.equal(MISTYPED.length, MEANT.length);
    assert.ok(missed.length <= MISTYPED.length / 5, missed.join(', '));
  });

  it('says that no name has the text, and which have it', async () => {
    type Matched = CityItem & { match: string | null };
    const matches = async (search: string) => {
      const found = await find<Matched>('cities', search, { include: 'match' });
      return [...new Set(found.map(({ match }) => match))];
    };
    assert.deepEqual(
      [await matches('Barcekona'), await matches('Barcelona'), await matches('')],
      [['similar'], ['text'], [null]],
    );
  });

  it('finds nothing for a shorter text, or with the first letter wrong', async () => {
    assert.deepEqual(await find('cities', 'xqzw'), []);
    assert.deepEqual(await find('cities', 'Xmsterdam'), []);
  });
});

const STATES =
  `ID West Java:Jawa Barat; IE County Cork:Cork; IE Co. Dublin:Dublin; JP Kanagawa Prefecture:Kanagawa; CH Canton of Zurich:Zürich;
  EE Harju County:Harju; FR Picardie:Hauts-de-France; FR Haute-Normandie:Normandie; GB Oxon:Oxfordshire; GB Hants:Hampshire; CA PQ:Quebec;
  CA NWT:Northwest Territories; NG FCT:Abuja; CZ South Moravia:Jihomoravský; ES Biscay:Bizkaia; KZ Zhetysu:Jetisu; SA Mecca:Makkah;
  ID Central Java:Jawa Tengah; IN Panjab:Punjab; MX NL:Nuevo León; NO Hordaland:Vestland; DE Bavaria:Bayern`
    .split(/;\s*/)
    .map((line) => /^(..) (.*):(.*)$/.exec(line)?.slice(1) as [iso2: string, typed: string, name: string]);

describe('states as people type them', () => {
  it('are found, nine of ten', async () => {
    const missed: string[] = [];
    for (const [countryCode, typed, name] of STATES) {
      const found = await find<StateItem>('states', typed, { countryCode });
      if (found.length === 0) missed.push(`${typed} (${name})`);
    }
    assert.ok(missed.length <= STATES.length / 10, missed.join(', '));
  });

  it('of one code come with more people first', async () => {
    for (const [code, name] of [
      ['WA', 'Western Australia'],
      ['OR', 'Oregon'],
    ] as const) {
      const found = await find<StateItem>('states', code);
      assert.ok(
        found.slice(0, 3).some((state) => state.name === name),
        found.map((state) => state.name).join(', '),
      );
    }
  });
});

const COUNTRIES =
  `Korea, Republic of:KR; Tanzania, United Republic of:TZ; Iran (Islamic Republic of):IR; Bolivia (Plurinational State of):BO;
  Moldova, Republic of:MD; Lao People's Democratic Republic:LA; The Netherlands:NL; Bahamas, The:BS; The Philippines:PH;
  Bosnia-Herzegovina:BA; West Bank:PS; Russian Federation:RU; Syrian Arab Republic:SY; Viet Nam:VN; Republic of India:IN;
  Kingdom of Spain:ES; Federal Republic of Germany:DE; République française:FR; Vereinigte Staaten von Amerika:US`
    .split(/;\s*/)
    .map((line) => line.split(':') as [typed: string, iso2: string]);

it('countries come first by their official names', async () => {
  const others: string[] = [];
  for (const [typed, iso2] of COUNTRIES) {
    const [first] = await find<CountryItem>('countries', typed);
    if (first?.iso2 !== iso2) others.push(`${typed}: ${first?.name}`);
  }
  assert.deepEqual(others, []);
});
