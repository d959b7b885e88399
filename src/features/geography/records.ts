/** A position in ten-millionths of a degree; both null if unknown. */
export type Position = Record<'latitude' | 'longitude', number | null>;

export interface CountryRecord extends Position {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
  phoneCode: string;
  /** Null if it has none. */
  currency: string | null;
  flag: string;
  nativeName: string;
}

export interface StateRecord {
  id: number;
  countryId: number;
  name: string;
  stateCode: string;
  /** The kind of division, such as `province`; null if unknown. */
  type: string | null;
  /** Id of the state that contains it; null for a division of first order. */
  parentId: number | null;
}

export interface CityRecord extends Position {
  id: number;
  stateId: number;
  countryId: number;
  name: string;
  timezone: string;
  /** Null if GeoNames does not have the location; 0 if it has no number for it. */
  population: number | null;
}

/** The kind of location in each list. */
export const KINDS = { countries: 'country', states: 'state', cities: 'city' } as const;
export type ListName = keyof typeof KINDS;
export type LocationKind = (typeof KINDS)[ListName];

/** Separates the names of a location in one text: there are many, and they are read faster this way. */
export const NAME_SEPARATOR = '\t';

/** Follows the alternate names that count as a location's own: what most people call it. */
export const OWN_NAMES_END = NAME_SEPARATOR + NAME_SEPARATOR;

/** The alternate names of a location, joined by {@link NAME_SEPARATOR}; no two are equal to a search. */
export interface AlternateNamesRecord {
  kind: LocationKind;
  id: number;
  names: string;
}

/** Each list ascends by id; alternate names by kind, then by id. */
export interface GeographyRecords {
  countries: CountryRecord[];
  states: StateRecord[];
  cities: CityRecord[];
  alternateNames: AlternateNamesRecord[];
  /** The city that each quarter is a part of, by their ids. */
  quarters: Record<number, number>;
  /** Names in each of `LANGUAGES` (local-names.ts), joined: by the list and the id. */
  localNames: LocalNames;
  /** The date and the edition of the two sources. */
  sources: Sources;
  /** Cities that the package has twice: the id of the city that each id without a row stands for, and the name it had. */
  doubles: Record<number, [id: number, name: string]>;
}

export type LocalNames = Record<'states' | 'cities', Record<number, string>>;

/** The day of GeoNames' newest change, and the edition of the Countries States Cities Database. */
export type Sources = Record<'geoNames' | 'countriesStatesCities', string>;

/** What the index needs of each record; the rest is absent if unknown. */
export type CountryRow = Pick<CountryRecord, 'id' | 'name' | 'iso2' | 'iso3'> & Partial<CountryRecord>;
export type StateRow = Omit<StateRecord, 'type' | 'parentId'> & Partial<StateRecord>;
export type CityRow = Pick<CityRecord, 'id' | 'name' | 'stateId'> & Partial<CityRecord>;

/** The content of an index, in no particular order. Absent: no location has alternate names, or is there twice. */
export interface GeographyRows
  extends Partial<Pick<GeographyRecords, 'alternateNames' | 'doubles' | 'quarters' | 'localNames' | 'sources'>> {
  countries: CountryRow[];
  states: StateRow[];
  cities: CityRow[];
}
