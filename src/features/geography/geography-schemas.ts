import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { LIST_OF, type ListOf } from '../../api/input.ts';
import { searchParameter } from '../../api/list-schemas.ts';
import { optionalPageParameters } from '../../api/pagination.ts';
import { CITY_DETAILS, COUNTRY_DETAILS, STATE_DETAILS } from './location-details.ts';
import { MAX_NEAREST } from './nearest.ts';

const [MAX_LIMIT, MAX_IDS] = [1000, 100];

const text = (example: string, more: object = {}) => Type.String({ ...more, examples: [example] });
const integer = (example: number, more: object = {}) => Type.Integer({ ...more, examples: [example] });
const flag = (description: string, more: object = {}) => Type.Optional(Type.Boolean({ description, ...more }));
const listParameter = (list: ListOf, description: string, example: string) =>
  Type.Optional(text(example, { [LIST_OF]: list, description }));

const ofCountry = {
  countryId: Type.Optional(integer(101, { description: 'Only those of this country' })),
  countryCode: Type.Optional(
    text('IN', {
      format: 'country-code',
      description: 'Only those of the country with this code of two letters, in either case',
    }),
  ),
};

/** Returns the parameters of a list, which has some of its own. @param searched what a search looks in */
function listInput<Own extends TProperties>(searched: string, own: Own, details: readonly string[]) {
  return Type.Object({
    search: searchParameter(searched),
    alternateNames: flag(
      'true: a search also looks in alternate names (former ones, those in other languages and scripts, common spellings, the ' +
        'IATA code of a city), and for one wrong letter, as a form with typeahead needs; match tells what found an item. ' +
        'Omitted: only in the names that are shown',
      { examples: [true] },
    ),
    ...own,
    ids: listParameter(
      { type: 'integer', maxItems: MAX_IDS },
      `Only those with these ids: up to ${MAX_IDS}, comma-separated`,
      '133024,133025',
    ),
    include: listParameter(
      { enum: details },
      `Additional fields to return, comma-separated: ${details.join(', ')}`,
      details.slice(0, 2).join(),
    ),
    lang: Type.Optional(
      text('de', {
        format: 'language',
        description: 'The language of localName, by BCP 47; omitted: that of Accept-Language, else English',
      }),
    ),
    ...optionalPageParameters(MAX_LIMIT),
  });
}

export const CityListInput = listInput(
  'name',
  {
    stateId: Type.Optional(integer(4008, { description: 'Only cities of this state' })),
    within: flag('true: with stateId, also the cities of the states that this state contains'),
    near: Type.Optional(
      text('19.07,72.88', {
        format: 'position',
        description: `Only the ${MAX_NEAREST} cities nearest to this latitude and longitude in degrees, by distance; a city comes before its quarter`,
      }),
    ),
    ...ofCountry,
  },
  CITY_DETAILS,
);

export const StateListInput = listInput(
  'name or state code',
  { ...ofCountry, hasCities: flag('true: only states that have cities, or contain states that have some') },
  STATE_DETAILS,
);

export const CountryListInput = listInput(
  'name, or be the whole of the two- or three-letter code',
  {},
  COUNTRY_DETAILS,
);

/** An optional field, included on request; null if unknown. */
function included<Schema extends TSchema>(schema: Schema, example: Static<Schema>) {
  return Type.Optional(Type.Union([schema, Type.Null()], { examples: [example] }));
}

const location = included(
  Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  { latitude: 19.07283, longitude: 72.88261 },
);

function includedNames(examples: string[]) {
  return Type.Optional(Type.Array(Type.String(), { description: 'Alternate names, unordered', examples: [examples] }));
}

const localName = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description: 'The name in the language that is asked for; null if it is not known',
    examples: ['München'],
  }),
);

const match = Type.Optional(
  Type.String({
    enum: ['name', 'alternateName', 'similar', 'part'],
    description:
      'Only of a search with alternateNames=true, what has the text: the name or code that is shown, an alternate name, or ' +
      'where no name has it, a name with one letter wrong, or a name that is a part of the text',
    examples: ['name'],
  }),
);

const country = Type.Object(
  { id: integer(101), name: text('India'), iso2: text('IN'), iso3: text('IND') },
  { title: 'CountryRef' },
);
const state = Type.Object(
  { id: integer(4008), name: text('Maharashtra'), stateCode: text('MH') },
  { title: 'StateRef' },
);

export const CityView = Type.Object(
  {
    id: integer(133024),
    name: text('Mumbai'),
    stateId: integer(4008),
    countryId: integer(101),
    state,
    country,
    location,
    timezone: included(Type.String(), 'Asia/Kolkata'),
    population: included(Type.Integer({ description: 'Population according to GeoNames; 0 if unknown' }), 12_691_836),
    alternateNames: includedNames(['Bombay', 'BOM', 'मुंबई']),
    localName,
    match,
  },
  { title: 'City' },
);

export const StateView = Type.Object(
  {
    ...state.properties,
    stateCode: text('MH', { description: 'A string: 01 keeps its zero' }),
    countryId: integer(101),
    country,
    _count: Type.Object({ cities: integer(557) }),
    type: included(Type.String({ description: 'The kind of division' }), 'state'),
    parentId: included(Type.Integer({ description: 'The state that contains it' }), 4008),
    alternateNames: includedNames(['महाराष्ट्र']),
    localName,
    match,
  },
  { title: 'State' },
);

export const CountryView = Type.Object(
  {
    ...country.properties,
    _count: Type.Object({ states: integer(36), cities: integer(4095) }),
    phoneCode: included(Type.String(), '91'),
    currency: included(Type.String(), 'INR'),
    data: included(
      Type.Object(
        { geoNames: Type.String(), countriesStatesCities: Type.String() },
        { description: 'The date of the GeoNames data, and the edition of the Countries States Cities Database' },
      ),
      { geoNames: '2023-03-05', countriesStatesCities: '1.0.9' },
    ),
    flag: included(Type.String(), '🇮🇳'),
    nativeName: included(Type.String(), 'भारत'),
    location,
    alternateNames: includedNames(['भारत', 'Indien', 'インド']),
    localName,
    match,
  },
  { title: 'Country' },
);
