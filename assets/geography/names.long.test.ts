import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { looseForm } from '../../src/features/geography/alternate-names/loose-form.ts';
import { readGeographyFile, readGeographyParts } from '../../src/features/geography/geography-file.ts';
import { openGeographyIndex } from '../../src/features/geography/geography-index.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { AIRPORTS } from './more-names.ts';

const formOf = (name: string) => looseForm(fold(name));

interface Hit {
  name: string;
  iso2: string;
  alternateNames: string[];
}

const { cities, countries } = openGeographyIndex(await readGeographyParts());

function first(list: typeof cities | typeof countries, search: string): Hit | undefined {
  const found = list.find({ search, alternateNames: true, include: ['alternateNames'] }).page({ page: 1, limit: 1 });
  return JSON.parse(found.toString()).data[0];
}

it('at most 40 names of cities with 50,000 people return a city of another name first', async () => {
  const source = await readGeographyFile();
  const names = new Set(source.cities.filter(({ population }) => (population ?? 0) >= 50_000).map(({ name }) => name));
  assert.ok(names.size > 9000, `${names.size}`);
  const others = [...names].filter((name) => formOf(first(cities, name)?.name ?? '') !== formOf(name));
  assert.ok(others.length <= 40, `${others.length}: ${others.join(', ')}`);
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

it('at most 15 airport codes do not return a city of that code first', () => {
  const codes = Object.values(AIRPORTS).flatMap((own) => own.split(', '));
  assert.ok(codes.length > 70, `${codes.length}`);
  const others = codes.filter((code) => !first(cities, code)?.alternateNames.includes(code));
  assert.ok(others.length <= 15, `${others.length} of ${codes.length}: ${others.join(', ')}`);
});
