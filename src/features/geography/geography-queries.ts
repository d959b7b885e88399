import sql from 'sql-template-tag';
import type { Executor } from '../../db/database.ts';

export interface CountryRow {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
}

export interface StateRow {
  id: number;
  name: string;
  countryId: number;
  stateCode: string;
}

export interface CityRow {
  id: number;
  name: string;
  stateId: number;
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
 * Reads the whole geography in one statement, so that it never sees half of a change. Each table comes as one text,
 * a line a row with tabs between (no name or code holds a control character): 150,000 rows of their own take
 * the embedded database many times as long.
 */
export async function listGeography(db: Executor): Promise<GeographyRows> {
  const [row] = await db.query<{ revision: string; countries: string; states: string; cities: string }>(sql`
    select
      (select revision::text from geography_revision) as revision,
      (select coalesce(string_agg(concat_ws(E'\t', id, iso2, iso3, name), E'\n'), '') from countries) as countries,
      (select coalesce(string_agg(concat_ws(E'\t', id, country_id, state_code, name), E'\n'), '') from states) as states,
      (select coalesce(string_agg(concat_ws(E'\t', id, state_id, name), E'\n'), '') from cities) as cities`);
  if (row === undefined) throw new Error('The geography cannot be read.');
  return {
    revision: row.revision,
    countries: lines(row.countries, ([id = '', iso2 = '', iso3 = '', name = '']) => ({
      id: Number(id),
      name,
      iso2,
      iso3,
    })),
    states: lines(row.states, ([id = '', countryId = '', stateCode = '', name = '']) => ({
      id: Number(id),
      name,
      countryId: Number(countryId),
      stateCode,
    })),
    cities: lines(row.cities, ([id = '', stateId = '', name = '']) => ({
      id: Number(id),
      name,
      stateId: Number(stateId),
    })),
  };
}

/** The number of the data's present state, see {@link GeographyRows.revision}. */
export async function getGeographyRevision(db: Executor): Promise<string> {
  const [row] = await db.query<{ revision: string }>(sql`select revision::text from geography_revision`);
  if (row === undefined) throw new Error('The geography has no revision.');
  return row.revision;
}

function lines<Row>(text: string, parse: (cells: string[]) => Row): Row[] {
  return text === '' ? [] : text.split('\n').map((line) => parse(line.split('\t')));
}
