import { CsvSyntaxError, readCsv } from '../../import/read/csv-reader.ts';
import { isFileFault, UserError } from '../../lib/errors.ts';
import { type CityRecord, type GeographyRecords, NAME_SEPARATOR, type StateRecord } from './records.ts';

/** Lowest id of a place that an operator adds. Ids of the shipped places are lower, and stay so. */
const FIRST_OWN_ID = 1_000_000_000;
const LAST_ID = 2 ** 31 - 1;
/** Maximum number of faults in one message. */
const MAX_FAULTS = 10;

const KINDS = ['state', 'city'] as const;

/** Reads a cell; undefined if it is invalid. */
interface Column<Value> {
  expected: string;
  parse(text: string): Value | undefined;
}

const text: Column<string> = {
  expected: 'a text of up to 200 characters without control characters',
  parse: (cell) => (cell.length <= 200 && !/\p{Cc}/u.test(cell) ? cell.normalize('NFC') : undefined),
};

function number(expected: string, isRight: (value: number) => boolean, factor = 1): Column<number> {
  return {
    expected,
    parse: (cell) => {
      const value = /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : Number.NaN;
      return isRight(value) ? Math.round(value * factor) : undefined;
    },
  };
}

const isWhole = (from: number, to: number) => (value: number) =>
  Number.isInteger(value) && value >= from && value <= to;

const COLUMNS = {
  kind: { expected: KINDS.join(' or '), parse: (cell: string) => KINDS.find((kind) => kind === cell) },
  id: number('the id of a place, or one from 1000000000 on for a new place', isWhole(1, LAST_ID)),
  name: text,
  countryCode: {
    expected: 'two letters',
    parse: (cell: string) => (/^[a-z]{2}$/i.test(cell) ? cell.toUpperCase() : undefined),
  },
  countryId: number('the id of a country', isWhole(1, LAST_ID)),
  stateId: number('the id of a state', isWhole(1, LAST_ID)),
  stateCode: text,
  type: text,
  parentId: number('the id of a state, or 0 for none', isWhole(0, LAST_ID)),
  latitude: number('degrees from -90 to 90', (value) => Math.abs(value) <= 90, 1e7),
  longitude: number('degrees from -180 to 180', (value) => Math.abs(value) <= 180, 1e7),
  timezone: {
    expected: 'a time zone such as Asia/Kolkata',
    parse: (cell: string) => (isZone(cell) ? cell : undefined),
  },
  population: number('a whole number from 0 on', isWhole(0, LAST_ID)),
  alternateNames: text,
} as const;

type ColumnName = keyof typeof COLUMNS;
/** A row; absent: the cell is empty. */
type Row = { [Name in ColumnName]?: NonNullable<ReturnType<(typeof COLUMNS)[Name]['parse']>> };

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A fault in a row. */
class Fault extends Error {}

/**
 * Reads a CSV file of places (docs/geography.md). A row with the id of a shipped state or city corrects the fields that it fills in; one with
 * an id from 1,000,000,000 on adds a place.
 *
 * @throws UserError with the file, line and column of each fault
 */
export async function readExtraPlaces(file: string, shipped: GeographyRecords): Promise<GeographyRecords> {
  const places = openPlaces(shipped);
  const faults: string[] = [];
  let header: string[] | undefined;
  const seen = new Set<string>();
  try {
    for await (const { records } of readCsv(file)) {
      for (const { line, cells } of records) {
        if (cells.every((cell) => cell.trim() === '')) continue;
        try {
          if (header === undefined) header = readHeader(cells);
          else {
            const row = readRow(header, cells);
            const key = `${row.kind ?? 'city'} ${row.id}`;
            if (seen.has(key)) throw new Fault(`the ${key} is there twice`);
            seen.add(key);
            places.add(row);
          }
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          faults.push(`line ${line}: ${error.message}`);
          if (header === undefined) break;
        }
      }
    }
    if (header === undefined && faults.length === 0) faults.push('the file is empty: a header is expected');
  } catch (error) {
    if (error instanceof CsvSyntaxError) faults.push(`line ${error.line}: ${error.message}`);
    else if (isFileFault(error)) faults.push(error.message);
    else throw error;
  }
  if (faults.length === 0) return places.records();
  const more = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : [];
  const lines = [...faults.slice(0, MAX_FAULTS), ...more].map((fault) => `  ${fault}`);
  throw new UserError(`GEOGRAPHY_EXTRA: the places of ${file} cannot be taken:\n${lines.join('\n')}`);
}

function readHeader(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const known = Object.keys(COLUMNS);
  for (const name of names) {
    if (!known.includes(name)) throw new Fault(`there is no column "${name}": expected ${known.join(', ')}`);
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw new Fault(`the column ${name} is there twice`);
  }
  if (!names.includes('id')) throw new Fault('the column id is missing');
  return names;
}

function readRow(header: readonly string[], cells: readonly string[]): Row {
  if (cells.length !== header.length) throw new Fault(`${cells.length} cells, but the header has ${header.length}`);
  const row: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) {
    const cell = (cells[index] ?? '').trim();
    if (cell === '') continue;
    const { expected, parse } = COLUMNS[name as ColumnName];
    const value = parse(cell);
    if (value === undefined) throw new Fault(`${name} is "${cell}", expected ${expected}`);
    row[name] = value;
  }
  if (row.id === undefined) throw new Fault('id is empty');
  if ((row.latitude === undefined) !== (row.longitude === undefined))
    throw new Fault('latitude and longitude belong together');
  return row as Row;
}

/** Maximum number of states that contain each other. */
const MAX_LEVELS = 3;

/** The shipped places, which rows are added to. */
function openPlaces({ countries, doubles, ...shipped }: GeographyRecords) {
  const states = new Map(shipped.states.map((state) => [state.id, state]));
  const cities = new Map(shipped.cities.map((city) => [city.id, city]));
  const names = new Map(shipped.alternateNames.map((record) => [`${record.kind} ${record.id}`, record]));

  function countryOf({ countryId, countryCode }: Row): number | undefined {
    if (countryId === undefined && countryCode === undefined) return undefined;
    const country = countries.find(({ id, iso2 }) => id === (countryId ?? id) && iso2 === (countryCode ?? iso2));
    if (country === undefined) throw new Fault(`there is no country ${countryCode ?? countryId}`);
    return country.id;
  }

  /** Returns the place with the fields that a row fills in. @param needed the column of each field that a new place needs */
  function complete<Place>(blank: object, filled: object, needed: Record<string, string>): Place {
    const place: Record<string, unknown> = { ...blank };
    for (const [field, value] of Object.entries(filled)) if (value !== undefined) place[field] = value;
    for (const [field, column] of Object.entries(needed)) {
      if (place[field] === undefined) throw new Fault(`${column} is empty, and a new place needs it`);
    }
    return place as Place;
  }

  function addState(row: Row, known: StateRecord | undefined): void {
    const { id = 0, name, stateCode, type, parentId } = row;
    const countryId = countryOf(row) ?? known?.countryId;
    if (known !== undefined && countryId !== known.countryId) {
      throw new Fault('a state stays in its country: leave countryCode empty');
    }
    if (parentId && states.get(parentId)?.countryId !== countryId) {
      throw new Fault(`parentId is "${parentId}", expected the id of a state of the same country`);
    }
    const filled = { id, name, countryId, stateCode, type, parentId: parentId === 0 ? null : parentId };
    const needed = { name: 'name', countryId: 'countryCode', stateCode: 'stateCode' };
    states.set(id, complete<StateRecord>({ type: null, parentId: null, ...known }, filled, needed));
    if (parentId && [...states.values()].some(isTooDeep)) {
      throw new Fault(
        `parentId is "${parentId}", expected at most ${MAX_LEVELS} states that contain each other, and no circle`,
      );
    }
  }

  function isTooDeep(state: StateRecord): boolean {
    let levels = 0;
    for (let at: StateRecord | undefined = state; at !== undefined; at = states.get(at.parentId ?? 0)) {
      if (++levels > MAX_LEVELS) return true;
    }
    return false;
  }

  function addCity(row: Row, known: CityRecord | undefined): void {
    const { id = 0, name, stateCode, latitude, longitude, timezone, population } = row;
    const countryId = countryOf(row);
    let { stateId } = row;
    if (stateId === undefined && stateCode !== undefined) {
      if (countryId === undefined) throw new Fault('stateCode needs a countryCode');
      stateId = [...states.values()].find((one) => one.countryId === countryId && one.stateCode === stateCode)?.id;
      if (stateId === undefined) throw new Fault(`${row.countryCode ?? countryId} has no state ${stateCode}`);
    }
    stateId ??= known?.stateId;
    const state = states.get(stateId ?? 0);
    if (stateId !== undefined && state === undefined) throw new Fault(`there is no state ${stateId}`);
    if (state !== undefined && countryId !== undefined && countryId !== state.countryId) {
      throw new Fault(`${state.name} is not in ${row.countryCode ?? countryId}`);
    }
    const blank = { latitude: null, longitude: null, timezone: null, population: null, ...known };
    const filled = { id, name, stateId, countryId: state?.countryId, latitude, longitude, timezone, population };
    cities.set(id, complete<CityRecord>(blank, filled, { name: 'name', stateId: 'stateId' }));
  }

  return {
    add(row: Row): void {
      const { kind = 'city', id = 0, alternateNames } = row;
      const isKnown = kind === 'state' ? states.has(id) : cities.has(id);
      if (!isKnown && id < FIRST_OWN_ID) {
        throw new Fault(`there is no ${kind} ${id} to correct, and ids of new places begin at ${FIRST_OWN_ID}`);
      }
      if (kind === 'state') addState(row, states.get(id));
      else addCity(row, cities.get(id));
      if (alternateNames === undefined) return;
      const list = alternateNames.split(';').map((name) => name.trim());
      names.set(`${kind} ${id}`, { kind, id, names: list.filter(Boolean).join(NAME_SEPARATOR) });
    },
    records: (): GeographyRecords => ({
      countries,
      states: [...states.values()],
      cities: [...cities.values()],
      alternateNames: [...names.values()],
      doubles,
    }),
  };
}
