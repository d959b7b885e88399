import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';

/** Where a place is, in ten-millionths of a degree; null, or absent, where nobody has said. */
interface Position {
  latitude?: number | null;
  longitude?: number | null;
}

export interface CountryRow extends Position {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
  phoneCode?: string | null;
  currency?: string | null;
  flag?: string | null;
  nativeName?: string | null;
}

export interface StateRow {
  id: number;
  name: string;
  countryId: number;
  stateCode: string;
}

export interface CityRow extends Position {
  id: number;
  name: string;
  stateId: number;
  timezone?: string | null;
  /** Unknown counts as 0 where cities are put in order. */
  population?: number | null;
}

/** All of the geography at one moment; in no particular order. */
export interface GeographyRows {
  /** The number of the data's state: it moves with every change. */
  revision: string;
  countries: CountryRow[];
  states: StateRow[];
  cities: CityRow[];
}

/**
 * The tables at one moment as texts, each in pieces: a line a row with tabs between (no value holds a control
 * character). 150,000 rows of their own take the embedded database many times as long.
 */
export interface GeographyTexts {
  revision: string;
  countries: string[];
  states: string[];
  cities: string[];
}

/** All cities at once, for who keeps nobody waiting; or so many that a statement keeps the embedded database busy for some ten milliseconds. */
export const [ALL_CITIES, FEW_CITIES] = [2 ** 31 - 1, 4096];

/**
 * Reads the whole geography, with turns for others between its statements. Where the revision moves meanwhile it begins anew, with
 * fewer and larger statements each time: so it never gives half of a change, and comes to an end.
 */
export async function readGeography(db: Reader, citiesAtOnce: number): Promise<GeographyTexts> {
  for (let limit = citiesAtOnce; ; limit = Math.min(4 * limit, ALL_CITIES)) {
    const texts = await readStatements(db, limit);
    if (texts !== undefined) return texts;
  }
}

interface CitiesPiece {
  revision: string;
  cities: string;
  /** The id to go on after; null where there was nothing more. */
  last: number | null;
}

/** @returns undefined where the statements did not see the same moment */
async function readStatements(db: Reader, limit: number): Promise<GeographyTexts | undefined> {
  const [row] = await db.query<Record<'revision' | 'countries' | 'states', string>>(sql`
    select (select revision::text from geography_revision) as revision,
      (select ${lines(sql`id, iso2, iso3, name, coalesce(phone_code, ''), coalesce(currency, ''), coalesce(flag, ''),
        coalesce(native_name, ''), ${POSITION}`)} from countries) as countries,
      (select ${lines(sql`id, country_id, state_code, name`)} from states) as states`);
  if (row === undefined) throw new Error('The geography cannot be read.');
  const texts: GeographyTexts = {
    revision: row.revision,
    countries: [row.countries],
    states: [row.states],
    cities: [],
  };
  for (let after: number | null = -(2 ** 31); after !== null; ) {
    await yieldToEventLoop();
    const [piece]: CitiesPiece[] = await db.query<CitiesPiece>(sql`
      select (select revision::text from geography_revision) as revision, max(id) as last,
        ${lines(sql`id, state_id, name, coalesce(timezone, ''), coalesce(population::text, ''), ${POSITION}`)} as cities
      from ${limit === ALL_CITIES ? sql`cities` : sql`(select * from cities where id > ${after} order by id limit ${limit}) piece`}`);
    if (piece?.revision !== row.revision) return undefined;
    texts.cities.push(piece.cities);
    after = limit === ALL_CITIES ? null : piece.last;
  }
  return texts;
}

const POSITION = sql`coalesce(latitude::text, ''), coalesce(longitude::text, '')`;

function lines(columns: Sql): Sql {
  return sql`coalesce(string_agg(concat_ws(E'\\t', ${columns}), E'\\n'), '')`;
}

/** The rows of the texts. */
export function parseGeography({ revision, ...texts }: GeographyTexts): GeographyRows {
  return {
    revision,
    countries: rowsOf(
      texts.countries,
      ([id, iso2 = '', iso3 = '', name = '', phoneCode, currency, flag, nativeName, latitude, longitude]) => ({
        ...{ id: Number(id), name, iso2, iso3 },
        ...{
          phoneCode: phoneCode || null,
          currency: currency || null,
          flag: flag || null,
          nativeName: nativeName || null,
        },
        ...{ latitude: numberOrNull(latitude), longitude: numberOrNull(longitude) },
      }),
    ),
    states: rowsOf(texts.states, ([id, countryId, stateCode = '', name = '']) => ({
      id: Number(id),
      name,
      countryId: Number(countryId),
      stateCode,
    })),
    cities: texts.cities.flatMap(parseCities),
  };
}

/** Goes from tab to tab: to split 150,000 lines takes twice as long. */
function parseCities(text: string): CityRow[] {
  const rows: CityRow[] = [];
  let at = 0;
  function next(end: string): string {
    const stop = text.indexOf(end, at);
    const cell = text.slice(at, stop === -1 ? text.length : stop);
    at += cell.length + 1;
    return cell;
  }
  while (at < text.length) {
    rows.push({
      id: Number(next('\t')),
      stateId: Number(next('\t')),
      name: next('\t'),
      timezone: next('\t') || null,
      population: numberOrNull(next('\t')),
      latitude: numberOrNull(next('\t')),
      longitude: numberOrNull(next('\n')),
    });
  }
  return rows;
}

function numberOrNull(text = ''): number | null {
  return text === '' ? null : Number(text);
}

function rowsOf<Row>(texts: readonly string[], parse: (cells: string[]) => Row): Row[] {
  return texts.flatMap((text) => (text === '' ? [] : text.split('\n').map((line) => parse(line.split('\t')))));
}

/** The number of the data's present state, see {@link GeographyRows.revision}. */
export async function getGeographyRevision(db: Reader): Promise<string> {
  const [row] = await db.query<{ revision: string }>(sql`select revision::text from geography_revision`);
  if (row === undefined) throw new Error('The geography has no revision.');
  return row.revision;
}
