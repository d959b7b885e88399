/** What people, and the Countries States Cities Database, call places beside the names that GeoNames has of them, by the GeoNames id. */
export const MORE_NAMES: Readonly<Record<number, string>> = {
  1270642: 'Gurugram',
  3110044: 'Donostia-San Sebastián',
  3120619: 'Hospitalet de Llobregat L',
  8581443: 'Kota Tangerang Selatan',
  12042053: 'Mussafah',
};

/** Short, former and other English names of countries, by their ISO 3166-1 alpha-2 code. */
export const COUNTRY_NAMES: Readonly<Record<string, string>> = {
  GB: 'UK, Great Britain, Britain, England',
  AE: 'UAE, Emirates',
  US: 'USA, America, United States of America',
};

/** Former and other English names of states, by their ids. */
export const STATE_NAMES: Readonly<Record<number, string>> = {};
