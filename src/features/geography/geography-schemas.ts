import { type Static, Type } from 'typebox';
import { searchParameter } from '../../http/list-schemas.ts';
import { optionalPageParameters } from '../../http/pagination.ts';

const MAX_LIMIT = 1000;
const countryId = Type.Optional(Type.Integer({ description: 'Only those of this country', examples: [101] }));

export const CityListInput = Type.Object({
  search: searchParameter('name'),
  stateId: Type.Optional(Type.Integer({ description: 'Only cities of this state', examples: [4008] })),
  countryId,
  ...optionalPageParameters(MAX_LIMIT),
});
export type CityListInput = Static<typeof CityListInput>;

export const StateListInput = Type.Object({
  search: searchParameter('name or state code'),
  countryId,
  ...optionalPageParameters(MAX_LIMIT),
});
export type StateListInput = Static<typeof StateListInput>;

export const CountryListInput = Type.Object({
  search: searchParameter('name, or be the whole of the two- or three-letter code'),
  ...optionalPageParameters(MAX_LIMIT),
});
export type CountryListInput = Static<typeof CountryListInput>;

const country = Type.Object({
  id: Type.Integer({ examples: [101] }),
  name: Type.String({ examples: ['India'] }),
  iso2: Type.String({ examples: ['IN'] }),
  iso3: Type.String({ examples: ['IND'] }),
});

export const CityView = Type.Object({
  id: Type.Integer({ examples: [133024] }),
  name: Type.String({ examples: ['Mumbai'] }),
  stateId: Type.Integer({ examples: [4008] }),
  countryId: Type.Integer({ examples: [101] }),
  state: Type.Object({
    id: Type.Integer({ examples: [4008] }),
    name: Type.String({ examples: ['Maharashtra'] }),
    stateCode: Type.String({ examples: ['MH'] }),
  }),
  country,
});

export const StateView = Type.Object({
  id: Type.Integer({ examples: [4008] }),
  name: Type.String({ examples: ['Maharashtra'] }),
  stateCode: Type.String({ description: 'A text: 01 keeps its zero', examples: ['MH'] }),
  countryId: Type.Integer({ examples: [101] }),
  country,
  _count: Type.Object({ cities: Type.Integer({ examples: [557] }) }),
});

export const CountryView = Type.Object({
  ...country.properties,
  _count: Type.Object({ states: Type.Integer({ examples: [36] }), cities: Type.Integer({ examples: [4095] }) }),
});
