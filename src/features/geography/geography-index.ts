import { createHash } from 'node:crypto';
import type { Executor } from '../../db/database.ts';
import { compareCodePoints, fold } from '../../lib/text-folding.ts';
import { type GeographyRows, listGeography } from './geography-queries.ts';
import { createMemo, type Memo } from './memo.ts';
import { buildNameSearch, TEXT_SEPARATOR, type TextSearch } from './name-search.ts';
import { buildPlaceJson } from './place-json.ts';
import { buildPlaceList, type PlaceList } from './place-list.ts';

/** The geography in memory, ready to be sent. It never changes: a changed database is read into a new one. */
export interface GeographyIndex {
  /** Tells answers apart: a short hash of the three lists, equal for equal data in whatever database. */
  readonly version: string;
  /** The version as an entity tag: weak, as it is the same for a list in whatever coding (RFC 9110, section 8.8.1). */
  readonly etag: string;
  /** The revision of the database that was read (table `geography_revision`). */
  readonly revision: string;
  readonly cities: PlaceList<'stateId' | 'countryId'>;
  readonly states: PlaceList<'countryId'>;
  readonly countries: PlaceList<never>;
  /** Answers that were sent of late, by what asked for them and has been checked: the URL of a GET, or the path and body of a POST. */
  readonly answers: Memo<Buffer>;
}

/** What the answers take that are remembered, at most. */
const ANSWERS_BYTES = 8 * 1024 * 1024;

/** Reads the geography of a database into memory. */
export async function loadGeographyIndex(db: Executor): Promise<GeographyIndex> {
  return buildGeographyIndex(await listGeography(db));
}

/** Builds the lists, each ordered by folded name, then id. */
export function buildGeographyIndex(rows: GeographyRows): GeographyIndex {
  const countries = inListOrder(rows.countries);
  const states = inListOrder(rows.states);
  const cities = inListOrder(rows.cities);
  const json = buildPlaceJson({ countries: countries.rows, states: states.rows, cities: cities.rows });
  const countryOfState = new Map(rows.states.map((state) => [state.id, state.countryId]));
  const hash = createHash('sha256');
  for (const { all } of [json.countries, json.states, json.cities]) hash.update(all);
  const version = hash.digest('base64url').slice(0, 16);

  return {
    version,
    etag: `W/"${version}"`,
    revision: rows.revision,
    cities: buildPlaceList(json.cities, buildNameSearch(cities.foldedNames), {
      stateId: Int32Array.from(cities.rows, (city) => city.stateId),
      countryId: Int32Array.from(cities.rows, (city) => countryOfState.get(city.stateId) ?? 0),
    }),
    states: buildPlaceList(
      json.states,
      buildNameSearch(
        states.rows.map(({ stateCode }, row) => `${states.foldedNames[row]}${TEXT_SEPARATOR}${fold(stateCode)}`),
      ),
      { countryId: Int32Array.from(states.rows, (state) => state.countryId) },
    ),
    countries: buildPlaceList(
      json.countries,
      countrySearch(
        countries.foldedNames,
        countries.rows.map(({ iso2, iso3 }) => [fold(iso2), fold(iso3)]),
      ),
      {},
    ),
    answers: createMemo(ANSWERS_BYTES),
  };
}

function inListOrder<Row extends { id: number; name: string }>(rows: Row[]): { rows: Row[]; foldedNames: string[] } {
  const folded = rows
    .map((row) => ({ row, foldedName: fold(row.name) }))
    .sort((a, b) => compareCodePoints(a.foldedName, b.foldedName) || a.row.id - b.row.id);
  return { rows: folded.map(({ row }) => row), foldedNames: folded.map(({ foldedName }) => foldedName) };
}

/** Countries match by a part of the name or by a whole code. They are few: each search looks at all of them. */
function countrySearch(foldedNames: string[], codes: string[][]): TextSearch {
  const all = Uint32Array.from(foldedNames.keys());
  return {
    isExact: () => false,
    candidates: () => all,
    contains: (row, needle) => foldedNames[row]?.includes(needle) === true || codes[row]?.includes(needle) === true,
  };
}
