import { choice, countryCode, integer, type TextRule, text as textOf } from '../../entities/values.ts';
import { type CsvLine, decode, LINE_FAULTS, readCsv, withWidth } from '../../import/tables/csv-text.ts';
import { isFileFault, UserError } from '../../lib/errors.ts';
import { openRegularFile } from '../../lib/regular-file.ts';
import { type CityRecord, type GeographyRecords, NAME_SEPARATOR, OWN_NAMES_END, type StateRecord } from './records.ts';

/** The lowest id of a place that an operator adds, and the highest one. Ids of the shipped places are lower, and stay so. */
const [FIRST_OWN_ID, LAST_ID] = [1_000_000_000, 2 ** 31 - 1];
/** Maximum number of lines of a file, of faults in one message, and of states that contain each other. */
const [MAX_LINES, MAX_FAULTS, MAX_LEVELS] = [1_000_000, 10, 3];

const [id, text] = [integer(1, LAST_ID), textOf(200)];
const COLUMNS = {
  kind: choice(['state', 'city']),
  id,
  name: text,
  countryCode,
  countryId: id,
  stateId: id,
  stateCode: text,
  type: text,
  parentId: integer(0, LAST_ID),
  latitude: degrees(90),
  longitude: degrees(180),
  timezone: rule('a time zone such as Asia/Kolkata', zoneOf),
  population: integer(0, LAST_ID),
  alternateNames: textOf(10_000),
} as const;

type ColumnName = keyof typeof COLUMNS;
type ValueOf<Rule> = Rule extends TextRule<infer Value> ? Value : never;
/** A row; absent: the cell is empty. */
type Row = { id: number } & { [Name in Exclude<ColumnName, 'id'>]?: ValueOf<(typeof COLUMNS)[Name]> };

/** Returns a rule. @param read returns undefined for a text that breaks it */
function rule<Value>(expected: string, read: (cell: string) => Value | undefined): TextRule<Value> {
  const parse: TextRule<Value>['parse'] = (cell) => {
    const value = read(cell);
    return value === undefined ? { code: 'INVALID_FORMAT', expected } : { value };
  };
  return { rule: expected, parse };
}

/** The rule for degrees, with a decimal point or comma; its values are in ten-millionths. */
function degrees(most: number): TextRule<number> {
  return rule(`degrees from -${most} to ${most}`, (cell) => {
    const value = /^-?\d+(?:[.,]\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : Number.NaN;
    return Math.abs(value) <= most ? Math.round(value * 1e7) : undefined;
  });
}

/** Time zones that are known to be valid: the check of one takes some time. */
const zones = new Set<string>();

function zoneOf(name: string): string | undefined {
  try {
    if (!zones.has(name)) zones.add(new Intl.DateTimeFormat('en', { timeZone: name }) && name);
    return name;
  } catch {
    return undefined;
  }
}

/** A fault in the file or a row. */
class Fault extends Error {}

/**
 * Reads a CSV file of places (docs/geography.md), separated by commas, semicolons, tabs or vertical bars. A row with the id of a shipped state or city
 * corrects the fields that it fills in; one with an id from 1,000,000,000 on adds a place.
 *
 * @throws UserError with the file, line and column of each fault
 */
export async function readExtraPlaces(file: string, shipped: GeographyRecords): Promise<GeographyRecords> {
  const places = openPlaces(shipped);
  const faults: string[] = [];
  let columns: ColumnName[] | undefined;
  try {
    for (const line of await readLines(file)) {
      try {
        if (line.fault) throw new Fault(LINE_FAULTS[line.fault]);
        if (columns) places.add(readRow(columns, line));
        else columns = readHeader(line);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        faults.push(`line ${line.line}: ${error.message}`);
        if (columns === undefined) break;
      }
    }
    if (columns === undefined && faults.length === 0) faults.push('the file is empty: a header is expected');
  } catch (error) {
    if (!(error instanceof Fault || isFileFault(error))) throw error;
    faults.push(error.message);
  }
  if (faults.length === 0) return places.records();
  const more = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : [];
  const lines = [...faults.slice(0, MAX_FAULTS), ...more].map((fault) => `  ${fault}`);
  throw new UserError(`GEOGRAPHY_EXTRA: the places of ${file} cannot be taken:\n${lines.join('\n')}`);
}

async function readLines(file: string): Promise<readonly CsvLine[]> {
  await using handle = await openRegularFile(file);
  const bytes = await handle.readFile();
  const { text, assumed } = decode(bytes);
  if (assumed !== undefined) {
    const line = bytes
      .toString()
      .split('\n')
      .findIndex((line) => line.includes('\ufffd'));
    throw new Fault(`line ${line + 1}: the text is not UTF-8: save the file in that encoding`);
  }
  try {
    return (await readCsv(text, undefined, MAX_LINES)).lines;
  } catch (error) {
    throw error instanceof RangeError ? new Fault(error.message) : error;
  }
}

function readHeader({ cells }: CsvLine): ColumnName[] {
  const known = Object.keys(COLUMNS);
  for (const [index, name] of cells.entries()) {
    if (!known.includes(name)) {
      const expected = `${known.join(', ')}, separated by commas, semicolons, tabs or vertical bars`;
      throw new Fault(`there is no column "${name}": expected ${expected}`);
    }
    if (cells.indexOf(name) !== index) throw new Fault(`the column ${name} is there twice`);
  }
  if (!cells.includes('id')) throw new Fault('the column id is missing');
  return cells as ColumnName[];
}

function readRow(columns: readonly ColumnName[], line: CsvLine): Row {
  const { fault, cells } = withWidth(line, columns.length);
  if (fault) throw new Fault(`${cells.length} cells, but the header has ${columns.length}`);
  const row: Partial<Record<ColumnName, unknown>> = {};
  for (const [index, name] of columns.entries()) {
    const cell = (cells[index] ?? '').normalize('NFC');
    if (cell === '') continue;
    const reading = COLUMNS[name].parse(cell);
    if (!('value' in reading)) throw new Fault(`${name} is "${cell}", expected ${reading.expected}`);
    row[name] = reading.value;
  }
  if (row.id === undefined) throw new Fault('id is empty');
  if ((row.latitude === undefined) !== (row.longitude === undefined))
    throw new Fault('latitude and longitude belong together');
  return row as Row;
}

/** The shipped places, which rows are added to. */
function openPlaces({ countries, doubles, quarters, localNames, sources, ...shipped }: GeographyRecords) {
  const states = new Map(shipped.states.map((state) => [state.id, state]));
  const cities = new Map(shipped.cities.map((city) => [city.id, city]));
  const names = new Map(shipped.alternateNames.map((record) => [`${record.kind} ${record.id}`, record]));
  const seen = new Set<string>();

  function countryOf({ countryId, countryCode }: Row): number | undefined {
    if (countryId === undefined && countryCode === undefined) return undefined;
    const country = countries.find(({ id, iso2 }) => id === (countryId ?? id) && iso2 === (countryCode ?? iso2));
    if (country === undefined) throw new Fault(`there is no country ${countryCode ?? countryId}`);
    return country.id;
  }

  /** Returns the place with the fields that a row fills in. @param needed the column of each field that a new place needs */
  function complete<Place>(known: object, filled: object, needed: Record<string, string>): Place {
    const given = Object.entries(filled).filter(([, value]) => value !== undefined);
    const place: Record<string, unknown> = { ...known, ...Object.fromEntries(given) };
    const missing = Object.keys(needed).find((field) => place[field] === undefined);
    if (missing !== undefined) throw new Fault(`${needed[missing]} is empty, and a new place needs it`);
    return place as Place;
  }

  function addState(row: Row, known: StateRecord | undefined): void {
    const { id, name, stateCode, type, parentId } = row;
    const countryId = countryOf(row) ?? known?.countryId;
    if (known !== undefined && countryId !== known.countryId) {
      throw new Fault('a state stays in its country: leave countryCode empty');
    }
    const expects = (expected: string) => new Fault(`parentId is "${parentId}", expected ${expected}`);
    if (parentId && states.get(parentId)?.countryId !== countryId) {
      throw expects('the id of a state of the same country');
    }
    const filled = { id, name, countryId, stateCode, type, parentId: parentId === 0 ? null : parentId };
    const needed = { name: 'name', countryId: 'countryCode', stateCode: 'stateCode' };
    states.set(id, complete<StateRecord>({ type: null, parentId: null, ...known }, filled, needed));
    if (parentId && [...states.values()].some((state) => levelsOf(state) > MAX_LEVELS)) {
      throw expects(`at most ${MAX_LEVELS} states that contain each other, and no circle`);
    }
  }

  /** Returns how many states contain each other, from one on; more than the maximum also for a circle. */
  function levelsOf(state: StateRecord | undefined, below = 0): number {
    return state === undefined || below > MAX_LEVELS ? below : levelsOf(states.get(state.parentId ?? 0), below + 1);
  }

  function addCity(row: Row, known: CityRecord | undefined): void {
    const { id, name, stateId, stateCode, latitude, longitude, timezone, population } = row;
    const ofRow = countryOf(row);
    const country = row.countryCode ?? ofRow;
    let state = states.get(stateId ?? known?.stateId ?? 0);
    if (stateId === undefined && stateCode !== undefined) {
      if (ofRow === undefined) throw new Fault('stateCode needs a countryCode');
      state = [...states.values()].find((one) => one.countryId === ofRow && one.stateCode === stateCode);
      if (state === undefined) throw new Fault(`${country} has no state ${stateCode}`);
    }
    if (stateId !== undefined && state === undefined) throw new Fault(`there is no state ${stateId}`);
    const { id: ofState, countryId = ofRow } = state ?? {};
    if (state && ofRow !== undefined && countryId !== ofRow) throw new Fault(`${state.name} is not in ${country}`);
    const filled = { id, name, stateId: ofState, countryId, latitude, longitude, timezone, population };
    const blank = { latitude: null, longitude: null, timezone: null, population: null, ...known };
    cities.set(id, complete<CityRecord>(blank, filled, { name: 'name', stateId: 'stateId' }));
  }

  return {
    add(row: Row): void {
      const { kind = 'city', id, alternateNames } = row;
      const key = `${kind} ${id}`;
      if (seen.has(key)) throw new Fault(`the ${key} is there twice`);
      seen.add(key);
      const isKnown = kind === 'state' ? states.has(id) : cities.has(id);
      if (!isKnown && id < FIRST_OWN_ID) {
        throw new Fault(`there is no ${key} to correct, and ids of new places begin at ${FIRST_OWN_ID}`);
      }
      if (kind === 'state') addState(row, states.get(id));
      else addCity(row, cities.get(id));
      if (alternateNames === undefined) return;
      // What precedes two semicolons counts as own names.
      const lists = alternateNames.split(';;', 2).map((list) => list.split(';').map((name) => name.trim()));
      const texts = lists.map((list) => list.filter(Boolean).join(NAME_SEPARATOR));
      names.set(key, { kind, id, names: texts.join(OWN_NAMES_END) });
    },
    records: (): GeographyRecords => ({
      countries,
      states: [...states.values()],
      cities: [...cities.values()],
      alternateNames: [...names.values()],
      ...{ doubles, quarters, localNames, sources },
    }),
  };
}
