/** A position in ten-millionths of a degree; null twice where nobody knows. */
export interface Position {
  latitude: number | null;
  longitude: number | null;
}

export interface CountryRecord extends Position {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
  phoneCode: string;
  currency: string;
  flag: string;
  nativeName: string;
}

export interface StateRecord {
  id: number;
  countryId: number;
  name: string;
  stateCode: string;
}

export interface CityRecord extends Position {
  id: number;
  stateId: number;
  countryId: number;
  name: string;
  timezone: string;
  /** Null where GeoNames has no such place; 0 where it has one and does not know. */
  population: number | null;
}

export type LocationKind = 'country' | 'state' | 'city';

/** Stands between the names of a location in one text: they are many, and read faster so. */
export const NAME_SEPARATOR = '\t';

/** The names that a location has beside its own, with {@link NAME_SEPARATOR} between; none says the same to a search as another. */
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
}

/** A value that an earlier version loaded, in the place of what the present one has. */
export interface EarlierValue {
  table: 'countries' | 'states' | 'cities';
  field: 'name' | 'stateCode' | 'latitude' | 'longitude' | 'population';
  id: number;
  value: string | number | null;
}
