export interface CountryRecord {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
  phoneCode: string;
  currency: string;
  flag: string;
  nativeName: string;
  /** In ten-millionths of a degree, as {@link CityRecord} has it. */
  latitude: number;
  longitude: number;
}

export interface StateRecord {
  id: number;
  countryId: number;
  name: string;
  stateCode: string;
}

export interface CityRecord {
  id: number;
  stateId: number;
  countryId: number;
  name: string;
  /** In ten-millionths of a degree. */
  latitude: number;
  longitude: number;
  timezone: string;
  /** Null where GeoNames has no such place; 0 where it has one and does not know. */
  population: number | null;
}

/** Each list ascends by id. */
export interface GeographyRecords {
  countries: CountryRecord[];
  states: StateRecord[];
  cities: CityRecord[];
}
