import { writeFileSync } from 'node:fs';
import { kilometres } from '../../assets/geography/distance.ts';
import { LOCAL_NAMES } from '../../assets/geography/more-names.ts';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { looseForm } from '../../src/features/geography/alternate-names/loose-form.ts';
import { readGeographyFile, readGeographyParts } from '../../src/features/geography/geography-file.ts';
import { openGeographyIndex } from '../../src/features/geography/geography-index.ts';
import { nameIn } from '../../src/features/geography/local-names.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { AIRPORTS, FRAMES, PART_TABLES } from './tables.ts';

/*
 * What is typed into a form with alternate names, and what comes first: names in official frames, a city and a word more, names in other
 * scripts, wrong letters. Writes docs/results/geography.md; ends with 1 where a goal is missed.
 */
interface Hit {
  id: number;
  name: string;
  iso2: string;
  stateCode: string;
  stateId: number;
  alternateNames: string[];
  match: string;
}

const { countries, states, cities } = await readGeographyFile();
const index = openGeographyIndex(await readGeographyParts());
const [countryOf, stateOf] = [
  new Map(countries.map((one) => [one.id, one])),
  new Map(states.map((one) => [one.id, one])),
];
const formOf = (name: string) => looseForm(fold(name));
const isCalled = (hit: Hit | undefined, name: string) =>
  hit !== undefined && [hit.name, ...hit.alternateNames].some((each) => formOf(each) === formOf(name));

function hits(list: 'countries' | 'states' | 'cities', search: string, countryId?: number, limit = 1): Hit[] {
  const query = { search, alternateNames: true, include: ['alternateNames' as const], countryId };
  return JSON.parse(index[list].find(query).page({ page: 1, limit }).toString()).data;
}

const rows: string[][] = [];
/** Records how many are right. @param wrong those where another place comes first, if that has a goal */
function record(what: string, right: number, all: number, goal: number, wrong?: readonly string[]): void {
  const isMet = right >= goal * all && (wrong === undefined || wrong.length === 0);
  const share = `${((100 * right) / all).toFixed(1)} %`;
  const others =
    wrong === undefined ? '' : `${wrong.length}${wrong.length > 0 ? `: ${wrong.slice(0, 4).join('; ')}` : ''}`;
  rows.push([what, `${right} of ${all}`, share, `${100 * goal} %`, others, isMet ? 'yes' : 'no']);
  process.stdout.write(`${what}: ${right} of ${all}, ${share}${others && `, another first ${others}`}\n`);
}

/** Whether a text is the name of a hit, as it is or inverted. */
const isNameOf = (hit: Hit, text: string) =>
  isCalled(hit, text) || isCalled(hit, text.replace(/^(.+), (.+)$/, '$2 $1'));

/** Texts in official frames that are the name of another place. */
const namesOfOthers: string[] = [];

/** Counts what is found for names in official frames. A text that another place is really called, and that comes first, is counted apart. */
function framed<Place extends { name: string }>(
  list: keyof typeof FRAMES,
  places: readonly Place[],
  isIt: (hit: Hit, place: Place) => boolean,
  countryIdOf?: (place: Place) => number,
): void {
  const [wrong, named]: [string[], string[]] = [[], []];
  let [right, all] = [0, 0];
  for (const place of places) {
    for (const frame of FRAMES[list]) {
      const text = frame.replace('X', place.name);
      all++;
      const [hit] = hits(list, text, countryIdOf?.(place));
      if (hit !== undefined && isIt(hit, place)) right++;
      else if (hit !== undefined) (isNameOf(hit, text) ? named : wrong).push(`${text} (${hit.name})`);
    }
  }
  record(`${list} in ${FRAMES[list].length} official frames`, right, all - named.length, 0.97, wrong);
  namesOfOthers.push(...named);
}

const every = <Item>(items: readonly Item[], step: number) => items.filter((_, at) => at % step === 0);
const large = (people: number) => cities.filter(({ population }) => (population ?? 0) >= people);

framed('countries', countries, (hit, { iso2 }) => hit.iso2 === iso2);
framed(
  'states',
  every(states, 4),
  (hit, { name }) => formOf(hit.name) === formOf(name),
  ({ countryId }) => countryId,
);
framed('cities', every(large(200_000), 2), (hit, { name }) => isCalled(hit, name));

for (const { what, rows: table } of PART_TABLES) {
  record(
    `a city and more: ${what}`,
    table.filter(({ text, name }) => isCalled(hits('cities', text)[0], name)).length,
    table.length,
    0.9,
  );
}
const regional = every(large(50_000), 7).filter((city) => {
  const text = `${city.name}, ${stateOf.get(city.stateId)?.name}, ${countryOf.get(city.countryId)?.name}`;
  return hits('cities', text)[0]?.id === city.id;
});
record('a city and more: city, region, country', regional.length, every(large(50_000), 7).length, 0.9);
const american = every(
  cities.filter(({ countryId }) => countryOf.get(countryId)?.iso2 === 'US'),
  40,
);
const inState = american.filter(({ name, stateId }) => {
  const [hit] = hits('cities', `${name}, ${stateOf.get(stateId)?.stateCode}`);
  return hit?.stateId === stateId && isCalled(hit, name);
});
record('a city and more: city, ST (United States)', inState.length, american.length, 0.9);

/** Most kilometres between an airport and its city. */
const TO_AIRPORT = 80;
const placeOf = new Map(cities.map((city) => [city.id, city]));
const reached = AIRPORTS.filter(({ code, ...at }) => {
  const [hit] = hits('cities', code);
  const city = placeOf.get(hit?.id ?? 0);
  return city !== undefined && hit?.alternateNames.includes(code) && kilometres(city, at) < TO_AIRPORT;
});
record('airports with scheduled traffic by their code of IATA', reached.length, AIRPORTS.length, 0.98);

const people = new Map(cities.map(({ id, population }) => [id, population ?? 0]));
const behind = large(200_000).filter(({ id, name, population }) => {
  const found = hits('cities', name, undefined, 5);
  const at = found.findIndex((hit) => hit.id === id);
  return found.slice(0, at < 0 ? found.length : at).some((hit) => 2 * (people.get(hit.id) ?? 0) < (population ?? 0));
});
const ahead = large(200_000).length - behind.length;
record('cities of 200,000 people not behind one half as large', ahead, large(200_000).length, 1);

/** Names of cities in a script, each with its city. */
function namesInScript(lang: string, least: number): string[] {
  const known = large(least).flatMap(({ id }) => {
    const query = { ids: [id], include: ['localName' as const], lang };
    return JSON.parse(index.cities.find(query).page({ page: 1, limit: 1 }).toString()).data as {
      localName: string | null;
    }[];
  });
  return known.map(({ localName }) => localName ?? '').filter((name) => /[\u0370-\uffff]/.test(name));
}
for (const [lang, language] of [
  ['hi', 'Hindi'],
  ['ar', 'Arabic'],
] as const) {
  const names = namesInScript(lang, 100_000);
  record(
    `cities of 100,000 people in ${language}`,
    names.filter((name) => isCalled(hits('cities', name)[0], name)).length,
    names.length,
    0.95,
  );
}
for (const lang of ['ru', 'zh', 'ar', 'hi', 'ja', 'ko']) {
  const known = Object.entries(LOCAL_NAMES.states).map(([code, names]) => [code, nameIn(lang, names) ?? ''] as const);
  const named = known.filter(([, name]) => name !== '');
  const right = named.filter(
    ([code, name]) => hits('states', name, index.countryId(code.slice(0, 2)) ?? 0)[0]?.stateCode === code.slice(3),
  );
  record(`states in ${lang}, with the country`, right.length, named.length, 0.9);
}

/** Short words: no more letters than these, vowel signs apart. */
const SHORT = 6;
for (const [lang, language, letter] of [
  ['hi', 'Hindi', 'क'],
  ['ar', 'Arabic', 'ك'],
] as const) {
  const typed = new Map<string, string>();
  for (const name of namesInScript(lang, 300_000)) {
    if (name.replace(/[\p{M}\s]/gu, '').length > SHORT) continue;
    const letters = [...name];
    for (let at = 1; at < letters.length; at++) {
      const [own = '', next = ''] = letters.slice(at);
      const edits = [letters.toSpliced(at, 1), letters.toSpliced(at, 0, own), letters.with(at, letter)];
      if (next !== '') edits.push(letters.toSpliced(at, 2, next, own));
      for (const edit of edits) if (edit.join('') !== name) typed.set(edit.join(''), name);
    }
  }
  const elsewhere = Array.from(typed).flatMap(([text, name]) => {
    const [hit] = hits('cities', text);
    // A text that is a name is no mistake.
    const isOther = hit !== undefined && !isCalled(hit, name) && ['similar', 'part'].includes(hit.match);
    return isOther ? [`${text} (${hit.name})`] : [];
  });
  const all = typed.size;
  record(`a letter wrong in a short name in ${language}: none elsewhere`, all - elsewhere.length, all, 1, elsewhere);
}

const head = `Written by \`npm run long -- geography\`: ${machineInWords()}. Each search has \`alternateNames=true\`, and its first hit counts.`;
const table = markdownTable(['what', 'right', 'share', 'goal', 'another place first', 'met'], rows);
const apart = `Not counted, as the text is the name of the place that comes first: ${namesOfOthers.join('; ')}.`;
writeFileSync('docs/results/geography.md', `# What is typed is found\n\n${head}\n\n${table}\n\n${apart}\n`);
if (rows.some((row) => row.at(-1) === 'no')) process.exitCode = 1;
