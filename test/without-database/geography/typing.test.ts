import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fold } from '../../../src/lib/text-folding.ts';
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
    it(`the mean reciprocal rank of a well-known city is at least ${least} after ${letters} letters`, async () => {
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

  it('a city with the typed name as its own name comes before cities with that alternate name', async () => {
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
    ['Mumbai 400 001', 'Mumbai, IN'],
    ['Bengaluru - 560001', 'Bengaluru, IN'],
    ['75001 Paris', 'Paris, FR'],
    ['Portland, OR 97201, USA', 'Portland, US'],
    ['Toronto, ON M5V 2T6', 'Toronto, CA'],
    ['London, SW1A 1AA', 'London, GB'],
    ['São Paulo/SP', 'São Paulo, BR'],
    ['Cork, County Cork', 'Cork, IE'],
    ['Dublin, Co. Dublin', 'Dublin, IE'],
    ['Osaka, Osaka Prefecture', 'Osaka, JP'],
    ['Nanjing, Jiangsu Province', 'Nanjing, CN'],
    ['Zürich, Kanton Zürich', 'Zürich, CH'],
  ] as const) {
    it(`a search for "${typed}" finds ${expected} first`, async () => {
      const [first] = await find<CityItem>('cities', typed);
      assert.equal(first && keyOf(first), expected);
    });
  }

  for (const [letters, iso2] of [
    ['नई', 'IN'],
    ['मु', 'IN'],
    ['চট', 'BD'],
    ['சென', 'IN'],
    ['กรุ', 'TH'],
  ] as const) {
    it(`a search for ${letters} finds names that begin with these letters, as for three Latin letters`, async () => {
      assert.ok((await find<CityItem>('cities', letters)).some((city) => city.country.iso2 === iso2));
    });
  }
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
  it('a name with one wrong letter finds its city on the first page in eight of ten cases', async () => {
    const missed: string[] = [];
    for (const [index, typed] of MISTYPED.entries()) {
      const found = await find<CityItem>('cities', typed);
      if (!found.some(({ name }) => name === MEANT[index])) missed.push(typed);
    }
    assert.equal(MISTYPED.length, MEANT.length);
    assert.ok(missed.length <= MISTYPED.length / 5, missed.join(', '));
  });

  it('the field match of a city is "name", "alternateName" or "similar" according to the matched name', async () => {
    type Matched = CityItem & { match?: string };
    const matchOf = async (search: string, city: string) =>
      (await find<Matched>('cities', search)).find(({ name }) => name === city)?.match;
    assert.equal(await matchOf('Barcekona', 'Barcelona'), 'similar');
    assert.equal(await matchOf('Barcelona', 'Barcelona'), 'name');
    assert.equal(await matchOf('Bombay', 'Mumbai'), 'alternateName');
    assert.equal(await matchOf('', 'Mumbai'), undefined);
    const [state] = await find<StateItem & { match?: string }>('states', 'MH', { countryCode: 'IN' });
    assert.deepEqual([state?.name, state?.match], ['Maharashtra', 'name']);
  });

  it('a search without alternateNames filters by own names alone and finds no similar ones', async () => {
    for (const [list, search] of [
      ['cities', 'londn'],
      ['states', 'karnatka'],
      ['countries', 'germny'],
      ['countries', 'Deutschland'],
    ] as const) {
      assert.deepEqual(await find(list, search, { alternateNames: '' }), [], search);
    }
    for (const search of ['bombay', 'old', 'de', 'z', 'nagar', 'münchen']) {
      const query = { alternateNames: '', limit: 1000 };
      for (const item of await find<CityItem>('cities', search, query)) {
        assert.ok(fold(item.name).includes(fold(search)), `${search}: ${item.name}`);
        assert.ok(!('match' in item));
      }
    }
  });

  it('a search finds nothing for a short mistyped name or a wrong first letter', async () => {
    assert.deepEqual(await find('cities', 'xqzw'), []);
    assert.deepEqual(await find('cities', 'Xmsterdam'), []);
  });
});

/** As people type them: in English, with the word for the division, in another spelling, by former names and codes. */
const STATES = `
  ID West Java:Jawa Barat; ID East Java:Jawa Timur; ID Central Java:Jawa Tengah; ID North Sumatra:Sumatera Utara;
  ID South Papua:Papua Selatan; ID Central Papua:Papua Tengah; ID Highland Papua:Papua Pegunungan; CZ Prague:Praha;
  CZ South Moravia:Jihomorav; CZ Central Bohemia:Středo; LV South Kurzeme:Dienvid; IT Latium:Lazio;
  ES Biscay:Bizkaia; IE County Cork:Cork; IE Co. Dublin:Dublin; JP Kanagawa Prefecture:Kanagawa; JP Osaka-fu:Ōsaka;
  SE Stockholms län:Stockholm; CH Canton of Zurich:Zürich; KZ Abai Region:Abai; KR Gyeonggi-do:Gyeonggi;
  TW Taipei City:Taipei; KR 서울특별시:Seoul; EE Harju County:Harju; KZ Zhambyl:Jambyl; KZ Zhetysu:Jetisu; KZ Abay:Abai;
  UA Odesa:Odes; UA Odessa:Odes; UA Lvov:Lviv; UA Kiev:Kyiv; IN Panjab:Punjab; IN Chhatisgarh:Chhattisgarh;
  SA Mecca:Makkah; TH Krung Thep:Bangkok; VN Saigon:Hồ Chí Minh; VN Ho Chi Minh City:Hồ Chí Minh;
  FR Picardie:Hauts-de-France; FR Nord-Pas-de-Calais:Hauts-de-France; FR Haute-Normandie:Normandie;
  NO Hordaland:Vestland; NO Hedmark:Innlandet; NO Sør-Trøndelag:Trøndelag; KZ South Kazakhstan:Turk;
  PH Compostela Valley:Davao de Oro; PH ARMM:Autonomous; NP Province 3:Bagmati; IN OR:Odisha; IN CT:Chhattisgarh;
  IN TG:Telangana; IN UT:Uttarakhand; CA PQ:Quebec; CA NWT:Northwest; GB Oxon:Oxfordshire; GB Hants:Hampshire;
  GB Bucks:Buckinghamshire; AR CABA:Buenos Aires; NG FCT:Abuja; MY KL:Kuala Lumpur; PK AJK:Kashmir;
  ID Jabar:Jawa Barat; PH NCR:National Capital; PH BARMM:Autonomous; GB Greater Manchester:Manchester;
  GB West Midlands:Birmingham; GB Greater London:London; GB Yorkshire:York; IN Orissa:Odisha;
  IN Pondicherry:Puducherry; IN Uttaranchal:Uttarakhand; DE Bavaria:Bavaria; DE NRW:North Rhine;
  ES Catalunya:Catalonia; ES Euskadi:Basque; IT Lombardia:Lombardy; IT Toscana:Tuscany; FR Bretagne:Bretagne;
  FR Brittany:Bretagne; FR PACA:Provence; FR Aquitaine:Nouvelle-Aquitaine; BR Sao Paulo:São Paulo; MX DF:Ciudad;
  MX CDMX:Ciudad; MX Edomex:México; US Calif.:California; US Mass.:Massachusetts; US D.C.:District;
  AU N.S.W.:New South Wales; AU Tassie:Tasmania; CN Inner Mongolia:Inner Mongolia; CN Sinkiang:Xinjiang;
  CN Canton:Guangdong; CN Tibet:Tibet; RU Tatarstan:Tatarstan; RU Moscow Oblast:Moscow; RU St Petersburg:Saint;
  PL Masovia:Mazovia; NL Brabant:North Brabant; NL Friesland:Fr; BE Flanders:Flanders; CH Geneva:Gen; AT Tyrol:Tyrol;
  AT Vienna:Vienna; GR Crete:Crete; GR Attica:Attica; PT Azores:A; TR Istanbul:stanbul; EG Cairo:Cairo;
  ZA KZN:KwaZulu; NG Lagos State:Lagos; KE Nairobi County:Nairobi; PK NWFP:Khyber; MY Malacca:Malacca;
  MY Penang:Penang; JP Tokyo-to:Tokyo; JP Hyogo:Hyōgo; KR Seoul:Seoul; AE Dubai:Dubai; SA Riyadh Province:Riyadh;
  IR Tehran Province:Tehran; HR Zagreb County:Zagreb; RO Bucharest:Bucharest; BG Sofia:Sofia; HU Pest County:Pest;
  SK Bratislava Region:Bratislava; SI Ljubljana:Ljubljana; LT Vilnius County:Vilnius; DK Zealand:Zealand;
  FI Uusimaa:Uusimaa; FI Lapland:Lap; FI Nyland:Uusimaa; DE Bundesland Hessen:Hessen; CH Etat de Geneve:Gen;
  CH Kanton Zürich:Zürich; CH Cantone Ticino:Ticino; BR Estado do Rio de Janeiro:Rio de Janeiro; NL Provincie Utrecht:Utrecht;
  PL Województwo mazowieckie:Mazovia; CZ Hlavní město Praha:Praha; RO Județul Cluj:Cluj; UA Київська область:Kyiv;
  TR İstanbul ili:stanbul; EG محافظة القاهرة:Cairo; AE إمارة دبي:Dubai; IR استان تهران:Tehran; IN कर्नाटक राज्य:Karnataka;
  IN Union Territory of Puducherry:Puducherry; CN Inner Mongolia Autonomous Region:Inner Mongolia; KR Seoul Special City:Seoul;
  KR Jeju Special Self-Governing Province:Jeju; VN Thành phố Hà Nội:Hà Nội; TH Changwat Chiang Mai:Chiang Mai;
  TH จังหวัดเชียงใหม่:Chiang Mai; MY Negeri Selangor:Selangor; MY WP Kuala Lumpur:Kuala Lumpur;
  US Commonwealth of Virginia:Virginia; MX State of Estado de México:Estado; FR Département du Nord:Nord; PT Distrito de Lisboa:Lisbo`
  .trim()
  .split(/;\s*/)
  .map((line) => /^(..) (.*):(.*)$/.exec(line)?.slice(1) as [iso2: string, typed: string, name: string]);

describe('states as people type them', () => {
  it('a search for states by typed names finds at least 39 of 40 first', async () => {
    const missed: string[] = [];
    for (const [countryCode, typed, name] of STATES) {
      const [first] = await find<StateItem>('states', typed, { countryCode });
      if (!first?.name.includes(name)) missed.push(`${typed}: ${first?.name}`);
    }
    assert.ok(STATES.length > 145);
    assert.ok(missed.length <= STATES.length / 40, missed.join(', '));
  });

  it('a search for a state code finds the state with more people among the first three', async () => {
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

it('a search for countries by official names finds each country first', async () => {
  const others: string[] = [];
  for (const [typed, iso2] of COUNTRIES) {
    const [first] = await find<CountryItem>('countries', typed);
    if (first?.iso2 !== iso2) others.push(`${typed}: ${first?.name}`);
  }
  assert.deepEqual(others, []);
});
