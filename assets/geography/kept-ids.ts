import { readFileSync } from 'node:fs';
import {
  type CityRecord,
  type GeographyRecords,
  NAME_SEPARATOR,
  type StateRecord,
} from '../../src/features/geography/records.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { kilometres } from './distance.ts';
import { listBy } from './lists.ts';
import { nearest } from './missing.ts';
import type { PackageContent } from './read-package.ts';

/** What keeps ids when a source gets new ones. */
export interface KeptIds {
  /** The id that a state, and a city, of the package keeps: by the one that the package gives it. */
  states: Readonly<Record<number, number>>;
  cities: Readonly<Record<number, number>>;
  /** The city that each id of a city stands for that no source has any more, and the name it had. */
  former: GeographyRecords['doubles'];
}

export const KEPT_FILE = new URL('kept-ids.json', import.meta.url);
export const readKeptIds = (): KeptIds => JSON.parse(readFileSync(KEPT_FILE, 'utf8'));

/** Ids of cities whose id in the package has been another city's: this and the id there. */
export const FIRST_FRESH_ID = 400_000_000;
/** Kilometres within which two editions mean one city, and beyond which an id with another name is another city. */
const [SAME, OTHER] = [30, 50];

type Places = Pick<GeographyRecords, 'states' | 'cities' | 'doubles' | 'alternateNames'>;

/** Gives states and cities of the package the ids that they keep. */
export function applyKeptIds({ states, cities }: PackageContent, kept: KeptIds): void {
  for (const state of states) state.id = kept.states[state.id] ?? state.id;
  for (const city of cities) {
    city.id = kept.cities[city.id] ?? city.id;
    city.stateId = kept.states[city.stateId] ?? city.stateId;
  }
  for (const list of [states, cities]) list.sort((a, b) => a.id - b.id);
}

/** Finds the ids that states and cities of a new edition keep, by those there. */
export function findKeptIds(before: Places, { states, cities }: PackageContent): Omit<KeptIds, 'former'> {
  const stateKey = ({ countryId, stateCode }: StateRecord) => `${countryId} ${stateCode}`;
  const cityKey = ({ countryId, name }: CityRecord) => `${countryId} ${fold(name)}`;
  const isState = (one: StateRecord, other: StateRecord) =>
    stateKey(one) === stateKey(other) || (one.countryId === other.countryId && fold(one.name) === fold(other.name));
  const isCity = (one: CityRecord, other: CityRecord) =>
    one.countryId === other.countryId && (fold(one.name) === fold(other.name) || !(kilometres(one, other) > OTHER));
  return {
    states: keptOf(before.states, states, stateKey, isState, () => true),
    // Those that the package has twice are their twins.
    cities: keptOf(
      before.cities,
      cities.filter(({ id }) => !(id in before.doubles)),
      cityKey,
      isCity,
      (one, other) => kilometres(one, other) <= SAME,
    ),
  };
}

function keptOf<Item extends { id: number }>(
  before: readonly Item[],
  now: readonly Item[],
  keyOf: (item: Item) => string,
  isSame: (one: Item, other: Item) => boolean,
  isNear: (one: Item, other: Item) => boolean,
): Record<number, number> {
  const [earlier, later] = [before, now].map((items) => new Map(items.map((item) => [item.id, item]))) as [
    Map<number, Item>,
    Map<number, Item>,
  ];
  const isKept = (one?: Item, other?: Item) => one !== undefined && other !== undefined && isSame(one, other);
  const left = listBy(
    before.filter((item) => !isKept(item, later.get(item.id))),
    (item) => [keyOf(item)],
  );
  const kept: Record<number, number> = {};
  for (const item of now) {
    const known = earlier.get(item.id);
    if (isKept(item, known)) continue;
    const same = left.get(keyOf(item)) ?? [];
    const at = same.findIndex((other) => isNear(item, other));
    const [own] = at < 0 ? [] : same.splice(at, 1);
    if (own !== undefined) kept[item.id] = own.id;
    else if (known !== undefined) kept[item.id] = FIRST_FRESH_ID + item.id;
  }
  return kept;
}

/** Finds the cities that ids without a city stand for: one of the name near by, else the nearest of the state, or of the country. */
export function findFormer(before: Places, after: Places): KeptIds['former'] {
  const there = new Set([...after.cities.map(({ id }) => id), ...Object.keys(after.doubles).map(Number)]);
  const names = new Map(
    after.alternateNames.filter(({ kind }) => kind === 'city').map((each) => [each.id, each.names]),
  );
  const named = listBy(after.cities, ({ id, countryId, name }) =>
    [name, ...(names.get(id) ?? '').split(NAME_SEPARATOR)].map((each) => `${countryId} ${fold(each)}`),
  );
  const inState = listBy(after.cities, ({ stateId }) => [stateId]);
  const inCountry = listBy(after.cities, ({ countryId }) => [countryId]);
  const cityOf = new Map(before.cities.map((city) => [city.id, city]));
  const former: KeptIds['former'] = {};
  const lost = [
    ...before.cities.map(({ id, name }) => [id, id, name] as const),
    ...Object.entries(before.doubles).map(([id, [twin, name]]) => [Number(id), twin, name] as const),
  ];
  for (const [id, earlier, name] of lost) {
    const city = cityOf.get(earlier);
    if (there.has(id) || city === undefined) continue;
    const near = nearest(city, named.get(`${city.countryId} ${fold(city.name)}`) ?? []);
    const isIt = near !== undefined && kilometres(city, near) <= SAME;
    const others = inState.get(city.stateId) ?? inCountry.get(city.countryId) ?? [];
    const target = there.has(earlier) ? earlier : (isIt ? near : (nearest(city, others) ?? others[0]))?.id;
    if (target !== undefined) former[id] = [after.doubles[target]?.[0] ?? target, name];
  }
  return former;
}

/** Kilometres that a city may move unsaid. */
const UNSAID = 5;

/** Tells apart two editions: what each change is about, in words. Dropped ids of cities resolve by {@link findFormer}. */
export function compareGeographies(before: Places, after: Places): Record<string, string[]> {
  const changes: Record<string, string[]> = {};
  for (const list of ['states', 'cities'] as const) {
    const [earlier, later] = [before, after].map((places) => new Map(places[list].map((item) => [item.id, item]))) as [
      Map<number, StateRecord | CityRecord>,
      Map<number, StateRecord | CityRecord>,
    ];
    const wordsOf = ({ id, name }: { id: number; name: string }) => `${name} (${id})`;
    const common = [...later.values()].flatMap((now) => {
      const then = earlier.get(now.id);
      return then === undefined ? [] : [[then, now] as const];
    });
    changes[`${list} added`] = [...later.values()].filter(({ id }) => !earlier.has(id)).map(wordsOf);
    changes[`${list} dropped`] = [...earlier.values()].filter(({ id }) => !later.has(id)).map(wordsOf);
    changes[`${list} renamed`] = common
      .filter(([then, now]) => then.name !== now.name)
      .map(([then, now]) => `${wordsOf(then)}: ${now.name}`);
    changes[`${list} moved`] = common.flatMap(([then, now]) => {
      if (!('stateId' in then && 'stateId' in now)) return [];
      const distance = kilometres(then, now);
      const isFar = distance > UNSAID && Number.isFinite(distance);
      if (then.stateId === now.stateId && !isFar) return [];
      const states = then.stateId === now.stateId ? '' : `, state ${then.stateId}: ${now.stateId}`;
      return [`${wordsOf(now)}${isFar ? `, ${Math.round(distance)} km` : ''}${states}`];
    });
  }
  return changes;
}
