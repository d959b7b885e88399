import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { type AlternateNamesRecord, type LocationKind, NAME_SEPARATOR } from './load/records.ts';

/** A position in ten-millionths of a degree; null or absent if unknown. */
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
  /** Unknown sorts as 0. */
  population?: number | null;
}

/** A consistent snapshot of the geography, in no particular order. */
export interface GeographyRows {
  /** Revision of the data; increases with every change. */
  revision: string;
  countries: CountryRow[];
  states: StateRow[];
  cities: CityRow[];
  /** Absent: no location has alternate names. */
  alternateNames?: readonly AlternateNamesRecord[];
}

/**
 * A consistent snapshot of the tables as texts in pieces: one line per row, with tabs between (no value has a control character). 150,000
 * separate rows take the embedded database many times as long.
 */
export interface GeographyTexts {
  revision: string;
  countries: string[];
  states: string[];
  cities: string[];
  alternateNames: string[];
}

/** All rows at once, for callers that delay nobody; or as many as occupy the embedded database for some ten milliseconds per statement. */
export const [ALL_ROWS, FEW_ROWS] = [2 ** 31 - 1, 4096];

/**
 * Reads the whole geography, yielding to other work between statements. If the revision changes meanwhile, starts again with fewer and
 * larger statements: so the result is consistent, and the reading ends.
 */
export async function readGeography(db: Reader, rowsAtOnce: number): Promise<GeographyTexts> {
  for (let limit = rowsAtOnce; ; limit = Math.min(4 * limit, ALL_ROWS)) {
    const texts = await readStatements(db, limit);
    if (texts !== undefined) return texts;
  }
}

/** Some rows of a table as one text. */
interface Piece {
  revision: string;
  rows: string;
  /** Key to continue after; null at the end. */
  last: number | null;
}

/** @returns undefined if the statements did not see the same revision */
async function readStatements(db: Reader, limit: number): Promise<GeographyTexts | undefined> {
  const [row] = await db.query<Record<'revision' | 'countries' | 'states', string>>(sql`
    select (select revision::text from geography_revision) as revision,
      (select ${lines(sql`id, iso2, iso3, name, coalesce(phone_code, ''), coalesce(currency, ''), coalesce(flag, ''),
        coalesce(native_name, ''), ${POSITION}`)} from countries) as countries,
      (select ${lines(sql`id, country_id, state_code, name`)} from states) as states`);
  if (row === undefined) throw new Error('The geography cannot be read.');
  const cities = await readPieces(db, row.revision, limit, CITIES);
  const alternateNames: string[] = [];
  for (const kind of ['city', 'state', 'country'] as const) {
    const pieces = await readPieces(db, row.revision, limit, namesOf(kind));
    if (pieces === undefined) return undefined;
    alternateNames.push(...pieces);
  }
  if (cities === undefined) return undefined;
  return { revision: row.revision, countries: [row.countries], states: [row.states], cities, alternateNames };
}

/** Rows with ids, and their columns. */
interface Rows {
  from: Sql;
  columns: Sql;
}

/** @returns undefined if the revision has changed */
async function readPieces(
  db: Reader,
  revision: string,
  limit: number,
  { from, columns }: Rows,
): Promise<string[] | undefined> {
  const pieces: string[] = [];
  for (let after: number | null = -(2 ** 31); after !== null; ) {
    await yieldToEventLoop();
    const few: Sql = sql`(select * from ${from} rows where id > ${after} order by id limit ${limit})`;
    const [piece]: Piece[] = await db.query<Piece>(sql`
      select (select revision::text from geography_revision) as revision, max(id) as last, ${lines(columns)} as rows
        from ${limit === ALL_ROWS ? from : few} rows`);
    if (piece?.revision !== revision) return undefined;
    pieces.push(piece.rows);
    after = limit === ALL_ROWS ? null : piece.last;
  }
  return pieces;
}

const POSITION = sql`coalesce(latitude::text, ''), coalesce(longitude::text, '')`;

const CITIES: Rows = {
  from: sql`cities`,
  columns: sql`id, state_id, name, coalesce(timezone, ''), coalesce(population::text, ''), ${POSITION}`,
};

function namesOf(kind: LocationKind): Rows {
  return {
    from: sql`(select * from alternate_names where kind = ${kind})`,
    columns: sql`kind, id, array_to_string(names, ${NAME_SEPARATOR}::text)`,
  };
}

function lines(columns: Sql): Sql {
  return sql`coalesce(string_agg(concat_ws(E'\\t', ${columns}), E'\\n'), '')`;
}

/** Parses the texts into rows. */
export function parseGeography({ revision, ...texts }: GeographyTexts): GeographyRows {
  return {
    revision,
    countries: rowsOf(
      texts.countries,
      ([id, iso2 = '', iso3 = '', name = '', phoneCode, currency, flag, nativeName, latitude, longitude]) => ({
        id: Number(id),
        name,
        iso2,
        iso3,
        phoneCode: phoneCode || null,
        currency: currency || null,
        flag: flag || null,
        nativeName: nativeName || null,
        latitude: numberOrNull(latitude),
        longitude: numberOrNull(longitude),
      }),
    ),
    states: rowsOf(texts.states, ([id, countryId, stateCode = '', name = '']) => ({
      id: Number(id),
      name,
      countryId: Number(countryId),
      stateCode,
    })),
    cities: texts.cities.flatMap(parseCities),
    alternateNames: texts.alternateNames.flatMap(parseNames),
  };
}

/** Scans from tab to tab: splitting 150,000 lines takes twice as long. */
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

function parseNames(text: string): AlternateNamesRecord[] {
  const rows: AlternateNamesRecord[] = [];
  for (let at = 0; at < text.length; ) {
    const [kindEnd, end] = [text.indexOf('\t', at), text.indexOf('\n', at)];
    const idEnd = text.indexOf('\t', kindEnd + 1);
    const stop = end === -1 ? text.length : end;
    rows.push({
      kind: text.slice(at, kindEnd) as LocationKind,
      id: Number(text.slice(kindEnd + 1, idEnd)),
      names: text.slice(idEnd + 1, stop),
    });
    at = stop + 1;
  }
  return rows;
}

function numberOrNull(text = ''): number | null {
  return text === '' ? null : Number(text);
}

function rowsOf<Row>(texts: readonly string[], parse: (cells: string[]) => Row): Row[] {
  return texts.flatMap((text) => (text === '' ? [] : text.split('\n').map((line) => parse(line.split('\t')))));
}

/** Returns the current revision of the data, see {@link GeographyRows.revision}. */
export async function getGeographyRevision(db: Reader): Promise<string> {
  const [row] = await db.query<{ revision: string }>(sql`select revision::text from geography_revision`);
  if (row === undefined) throw new Error('The geography has no revision.');
  return row.revision;
}
