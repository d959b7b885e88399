import { CsvSyntaxError, readCsv } from '../../import/read/csv-reader.ts';
import { UserError } from '../../lib/errors.ts';
import { isFileFault } from '../../lib/file-faults.ts';
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
  stateId: number('the id of a state', isWhole(1, LAST_ID)),
  stateCode: text,
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

/** The shipped places, which rows are added to. */
function openPlaces({ countries, doubles, ...shipped }: GeographyRecords) {
  const states = new Map(shipped.states.map((state) => [state.id, state]));
  const cities = new Map(shipped.cities.map((city) => [city.id, city]));
  const names = new Map(shipped.alternateNames.map((record) => [`${record.kind} ${record.id}`, record]));
  const countryIds = new Map(countries.map(({ id, iso2 }) => [iso2, id]));

  /** Returns the place that a row corrects; undefined for a new one. */
  function knownPlace<Place>(places: ReadonlyMap<number, Place>, kind: string, id: number): Place | undefined {
    const known = places.get(id);
    if (known !== undefined || id >= FIRST_OWN_ID) return known;
    throw new Fault(`there is no ${kind} ${id} to correct, and ids of new places begin at ${FIRST_OWN_ID}`);
  }

  /** Returns the fields of a place that a row fills in, with those of the place that it corrects. */
  function fields<Place>(known: Place | undefined, filled: Partial<Place>): Place {
    return {
      ...known,
      ...Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined)),
    } as Place;
  }

  function required<Place>(place: Place, ...wanted: (keyof Place & string)[]): void {
    for (const name of wanted)
      if (place[name] === undefined) throw new Fault(`${name} is empty, and a new place needs it`);
  }

  function countryOf(code: string | undefined): number | undefined {
    if (code === undefined) return undefined;
    const id = countryIds.get(code);
    if (id === undefined) throw new Fault(`there is no country ${code}`);
    return id;
  }

  function addState({ id = 0, name, countryCode, stateCode }: Row): void {
    const known = knownPlace(states, 'state', id);
    const countryId = countryOf(countryCode);
    if (known !== undefined && countryId !== undefined && countryId !== known.countryId) {
      throw new Fault('a state stays in its country: leave countryCode empty');
    }
    if (known === undefined && countryId === undefined)
      throw new Fault('countryCode is empty, and a new state needs it');
    const state = fields<StateRecord>(known, { id, name, countryId, stateCode } as Partial<StateRecord>);
    required(state, 'name', 'stateCode');
    states.set(id, { ...{ type: null, parentId: null }, ...state });
  }

  function addCity({ id = 0, countryCode, kind: _, stateCode, alternateNames: __, ...more }: Row): void {
    const known = knownPlace(cities, 'city', id);
    let { stateId } = more;
    const countryId = countryOf(countryCode);
    if (stateId === undefined && stateCode !== undefined) {
      if (countryId === undefined) throw new Fault('stateCode needs a countryCode');
      const coded = [...states.values()].find((one) => one.countryId === countryId && one.stateCode === stateCode);
      if (coded === undefined) throw new Fault(`${countryCode} has no state ${stateCode}`);
      stateId = coded.id;
    }
    const state = states.get(stateId ?? known?.stateId ?? 0);
    if (state === undefined)
      throw new Fault(
        stateId === undefined ? 'stateId is empty, and a new city needs it' : `there is no state ${stateId}`,
      );
    if (countryId !== undefined && countryId !== state.countryId) {
      throw new Fault(`${state.name} is not in ${countryCode}`);
    }
    const filled = { ...more, id, stateId: state.id, countryId: state.countryId };
    const city = fields<CityRecord>(known, filled as Partial<CityRecord>);
    required(city, 'name');
    const blank = { latitude: null, longitude: null, timezone: null as unknown as string, population: null };
    cities.set(id, { ...blank, ...city });
  }

  return {
    add(row: Row): void {
      const { kind = 'city', id = 0, alternateNames } = row;
      if (kind === 'state') addState(row);
      else addCity(row);
      if (alternateNames === undefined) return;
      const list = alternateNames
        .split(';')
        .map((name) => name.trim())
        .filter(Boolean);
      names.set(`${kind} ${id}`, { kind, id, names: list.join(NAME_SEPARATOR) });
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
