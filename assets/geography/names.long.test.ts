import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { looseForm } from '../../src/features/geography/alternate-names/loose-form.ts';
import { readGeographyFile, readGeographyParts } from '../../src/features/geography/geography-file.ts';
import { openGeographyIndex } from '../../src/features/geography/geography-index.ts';
import { nameIn } from '../../src/features/geography/local-names.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { FRAMES } from '../../test/geography/tables.ts';
import { AIRPORTS, CITY_NAMES, LOCAL_NAMES } from './more-names.ts';

const formOf = (name: string) => looseForm(fold(name));

interface Hit {
  name: string;
  iso2: string;
  alternateNames: string[];
}

const { cities, states, countries, countryId } = openGeographyIndex(await readGeographyParts());

function first(list: typeof cities | typeof countries, search: string): Hit | undefined {
  const found = list.find({ search, alternateNames: true, include: ['alternateNames'] }).page({ page: 1, limit: 1 });
  return JSON.parse(found.toString()).data[0];
}

it('at most 45 names of cities with 50,000 people return a city of another name first', async () => {
  const source = await readGeographyFile();
  const names = new Set(source.cities.filter(({ population }) => (population ?? 0) >= 50_000).map(({ name }) => name));
  assert.ok(names.size > 9000, `${names.size}`);
  // Cartagena de Indias is Cartagena too, and has more people than the one in Spain.
  const isOwn = (name: string, hit = '') => formOf(hit) === formOf(name) || formOf(hit).startsWith(`${formOf(name)} `);
  const common = new Set(Object.values(CITY_NAMES.own));
  const others = [...names].filter((name) => !common.has(name) && !isOwn(name, first(cities, name)?.name));
  assert.ok(others.length <= 45, `${others.length}: ${others.join(', ')}`);
});

const OFFICIAL: Record<string, string> = JSON.parse(
  readFileSync(new URL('official-country-names.json', import.meta.url), 'utf8'),
);
const officialNames = Object.entries(OFFICIAL).flatMap(([iso2, names]) =>
  names.split('; ').map((name) => ({ iso2, name })),
);
const ENGLISH =
  /\b(?:Commonwealth|Duchy|Emirates|Federation|Islands?|Kingdom|Principality|Republic|States?|Sultanate|Territory)\b/;
const OTHER_LANGUAGE =
  /\b(?:d[aeiu]|dan|dell[ae]?|de[rs]|Island$|iyo|Kudancin|la|las|og|Republika|Teritorij\w*|van|von)\b/;

for (const [most, language, names, least] of [
  [150, 'many languages', officialNames, 4900],
  [3, 'English', officialNames.filter(({ name }) => ENGLISH.test(name) && !OTHER_LANGUAGE.test(name)), 200],
] as const) {
  it(`at most ${most} official names of countries in ${language} do not return the country first`, () => {
    assert.ok(names.length >= least, `${names.length}`);
    const others = names.filter(({ iso2, name }) => first(countries, name)?.iso2 !== iso2);
    assert.ok(others.length <= most, `${others.length}: ${others.map(({ name }) => name).join(', ')}`);
  });
}

it('at most one Hindi name of a city in 20 does not return the city first', () => {
  const names = Object.values(CITY_NAMES.hindi).flatMap((own) => own.split(', '));
  assert.ok(names.length > 330, `${names.length}`);
  const others = names.filter(
    (name) => !first(cities, name)?.alternateNames.some((other) => formOf(other) === formOf(name)),
  );
  assert.ok(others.length <= names.length / 20, `${others.length}: ${others.join(', ')}`);
});

/** Names of other countries. */
const OTHER_COUNTRY = ['Republic of China'];

it('the name of a country in any of 18 official frames never returns another country first, and 97 percent are found', () => {
  const all: Hit[] = JSON.parse(countries.all.toString()).data;
  const typed = all.flatMap(({ name, iso2 }) =>
    FRAMES.countries.map((frame) => ({ text: frame.replace('X', name), iso2 })),
  );
  const asked = typed.filter(({ text }) => !OTHER_COUNTRY.includes(text) && !text.startsWith('China'));
  const found = asked.map(({ text, iso2 }) => ({ text, iso2, hit: first(countries, text)?.iso2 }));
  const wrong = found.filter(({ iso2, hit }) => hit !== undefined && hit !== iso2);
  assert.deepEqual(
    wrong.map(({ text, hit }) => `${text}: ${hit}`),
    [],
  );
  assert.ok(found.filter(({ hit }) => hit !== undefined).length >= 0.97 * asked.length);
});

for (const language of ['ru', 'zh', 'ar', 'hi', 'ja', 'ko', 'de', 'es', 'fr', 'it', 'pt']) {
  it(`at most one name of a state in ten in ${language} does not return a state of that name first, in its country`, () => {
    const all = Object.entries(LOCAL_NAMES.states).map(
      ([code, names]) => [code, nameIn(language, names) ?? ''] as const,
    );
    const asked = all.filter(([, name]) => name !== '').map(([code, search]) => ({ code, search }));
    const others = asked.filter(({ code, search }) => {
      const query = { search, alternateNames: true, countryId: countryId(code.slice(0, 2)) ?? 0 } as const;
      const found = JSON.parse(states.find(query).page({ page: 1, limit: 1 }).toString()).data[0];
      return found?.stateCode !== code.slice(3);
    });
    assert.ok(others.length <= asked.length / 10, `${others.length} of ${asked.length}`);
  });
}

it('at most one airport code in 50 does not return a city of that code first', () => {
  const codes = [AIRPORTS, CITY_NAMES.airports].flatMap((known) =>
    Object.values(known).flatMap((own) => own.split(', ')),
  );
  assert.ok(codes.length > 570, `${codes.length}`);
  const others = codes.filter((code) => !first(cities, code)?.alternateNames.includes(code));
  assert.ok(others.length <= codes.length / 50, `${others.length} of ${codes.length}: ${others.join(', ')}`);
});
