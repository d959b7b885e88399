import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CityRecord, CountryRecord, Position, StateRecord } from '../../src/features/geography/records.ts';
import { sourceFile } from './sources.ts';

/** A position in degrees, as texts. */
interface Degrees {
  latitude: string;
  longitude: string;
}

type CountryTexts = Record<'name' | 'iso2' | 'iso3' | 'phonecode' | 'currency' | 'emoji' | 'native', string>;
type CountriesFile = (Degrees & CountryTexts & { id: number })[];
interface MetaFile {
  id: number;
  translations: Record<string, string>;
}
type StatesFile = (Degrees &
  Record<'name' | 'iso2' | 'native' | 'type' | 'iso3166_2', string> & { id: number; country_id: number })[];
type CitiesFile = (Degrees & { id: number; name: string; country_id: number; state_id: number; timezone: string })[];

/** A state, and where the package says it is. */
export type LocatedState = StateRecord & Position;

/** The package's rows, by ascending id, and the names that it has next to those of the rows. */
export interface PackageContent {
  countries: CountryRecord[];
  states: LocatedState[];
  cities: CityRecord[];
  /** Translations by the country's id. */
  countryNames: Map<number, string[]>;
  /** Native names by the state's id. */
  stateNames: Map<number, string>;
}

/** Currencies of ISO 4217 that have changed since or are wrong; Antarctica has none. */
const CURRENCIES: Readonly<Record<string, string | null>> = {
  ...{ AQ: null, CG: 'XAF', CW: 'XCG', SL: 'SLE', SX: 'XCG', ZW: 'ZWG' },
};
/** Calling codes of ITU-T E.164; those of the North American plan have the area code behind the 1. */
const PHONE_CODES: Readonly<Record<string, string>> = {
  ...{ AG: '1268', AI: '1264', AS: '1684', BB: '1246', BM: '1441', BS: '1242', BV: '47', DM: '1767', DO: '1809' },
  ...{ GD: '1473', GU: '1671', JM: '1876', KN: '1869', KY: '1345', LC: '1758', MP: '1670', MS: '1664', PN: '64' },
  ...{ PR: '1787', TC: '1649', TT: '1868', VA: '39', VC: '1784', VG: '1284', VI: '1340' },
};
/** State codes of ISO 3166-2 where the package has those of a neighbour, by the state's id: of Algeria and Estonia. */
const STATE_CODES: Readonly<Record<number, string>> = {
  ...{ 4905: '57', 4906: '58', 4908: '50', 4909: '52', 4910: '49', 4913: '53', 4914: '54', 5758: '431', 5759: '430' },
};
/** Positions of states that the package has in another part of the world, in degrees. */
const POSITIONS: Readonly<Record<string, Degrees>> = {
  'FR-42': { latitude: '45.73', longitude: '4.16' },
  'FR-86': { latitude: '46.56', longitude: '0.46' },
  'IL-M': { latitude: '31.95', longitude: '34.9' },
  'MX-HID': { latitude: '20.48', longitude: '-98.86' },
  'FI-15': { latitude: '63.1', longitude: '27.7' },
  'IE-CE': { latitude: '52.85', longitude: '-8.98' },
  'UA-71': { latitude: '49.2', longitude: '31.0' },
  'PA-4': { latitude: '8.5', longitude: '-82.4' },
  'UA-14': { latitude: '48.07', longitude: '37.6' },
};

/** What ISO 3166-2 adds to the names of states that are in Western Sahara, too. */
const PARTLY_ELSEWHERE = / \(EH(?:-partial)?\)$/;

/** State codes of India that ISO 3166-2 has replaced, and those of today. */
const INDIA = 101;
const CODES_OF_INDIA: Readonly<Record<string, string>> = { OR: 'OD', CT: 'CG', TG: 'TS' };

/**
 * Reads the package `@countrystatecity/countries` (ODbL 1.0; pinned, as ids drift between its versions): about two seconds. Goes to the files,
 * `countries.json`, `meta.json` and `states.json` of each country, `cities.json` of each state: the functions of the package give one state at a time.
 *
 * Names are trimmed and in NFC, state codes stay text (`01`), cities have no population yet.
 */
export function readPackage(): PackageContent {
  const folder = dirname(sourceFile('@countrystatecity/countries/dist/data/countries.json'));
  const content: PackageContent = {
    countries: [],
    states: [],
    cities: [],
    countryNames: new Map(),
    stateNames: new Map(),
  };
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) readInto(content, join(folder, path));
  for (const list of [content.countries, content.states, content.cities]) list.sort((a, b) => a.id - b.id);
  return content;
}

function readInto(content: PackageContent, path: string): void {
  const { countries, states, cities, countryNames, stateNames } = content;
  switch (basename(path)) {
    case 'countries.json':
      for (const { id, name, iso2, iso3, phonecode, currency, emoji, native, ...at } of readJson<CountriesFile>(path)) {
        const own = { id, name: clean(name), iso2, iso3, phoneCode: PHONE_CODES[iso2] ?? phonecode };
        const more = { currency: iso2 in CURRENCIES ? (CURRENCIES[iso2] ?? null) : currency, flag: emoji };
        countries.push({ ...own, ...more, nativeName: clean(native), ...positionOf(at) });
      }
      break;
    case 'meta.json': {
      const { id, translations } = readJson<MetaFile>(path);
      countryNames.set(id, Object.values(translations).map(clean));
      break;
    }
    case 'states.json':
      for (const { id, country_id, name, iso2, native, type, iso3166_2: code, ...at } of readJson<StatesFile>(path)) {
        const stateCode = STATE_CODES[id] ?? (country_id === INDIA ? (CODES_OF_INDIA[iso2] ?? iso2) : iso2);
        const named = clean(name).replace(PARTLY_ELSEWHERE, '');
        const state = { id, countryId: country_id, name: named, stateCode, type: type || null, parentId: null };
        states.push({ ...state, ...positionOf(POSITIONS[code] ?? at) });
        stateNames.set(id, clean(native));
      }
      break;
    case 'cities.json':
      for (const { id, state_id, country_id, name, timezone, ...at } of readJson<CitiesFile>(path)) {
        const { latitude, longitude } = positionOf(at);
        const city = {
          id,
          stateId: state_id,
          countryId: country_id,
          name: withoutComma(clean(name)),
          latitude,
          longitude,
        };
        cities.push({ ...city, timezone, population: null });
      }
  }
}

/** Returns null twice for 0°, 0°, which stands for what nobody knows. */
function positionOf(degrees: Degrees): Position {
  const [latitude, longitude] = [position(Number(degrees.latitude)), position(Number(degrees.longitude))];
  return latitude === 0 && longitude === 0 ? { latitude: null, longitude: null } : { latitude, longitude };
}

/** Returns degrees as a whole number of their ten-millionths. */
export function position(degrees: number): number {
  return Math.round(degrees * 1e7);
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(path, 'utf8')) as Content;
}

function clean(name: string): string {
  return name.normalize('NFC').trim();
}

function withoutComma(name: string): string {
  return name.replace(/\s*,$/, '');
}
