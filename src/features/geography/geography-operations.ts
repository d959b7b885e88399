import type { TObject } from 'typebox';
import { operation } from '../../api/operation.ts';
import { streamedList } from '../../api/output.ts';
import { anyone } from '../../auth/callers/access.ts';
import type { ListName } from './compressed-lists.ts';
import { LIST_MESSAGES } from './geography-parts.ts';
import { type GeographySources, type LocationInput, sendLocations } from './geography-responses.ts';
import {
  CityListInput,
  CityView,
  CountryListInput,
  CountryView,
  StateListInput,
  StateView,
} from './geography-schemas.ts';

/** A public list of locations, served from memory, by GET and by POST. */
function locationList<Input extends TObject>(
  list: ListName,
  spec: { id: string; operationId: string; summary: string; input: Input; view: TObject },
) {
  const { view, ...rest } = spec;
  return operation({
    ...rest,
    tag: 'Geography',
    description:
      'Sorted by name. A search returns the names that begin with the text first, cities by population. The full list, or ' +
      'one page with the pagination block if isPaginationNeeded is true.',
    access: anyone,
    allowAnyOrigin: true,
    methods: ['GET', 'POST'],
    path: `/api/${list}/list`,
    etag: 'If-None-Match',
    output: streamedList(view),
    message: LIST_MESSAGES[list],
    handle: ({ input, request, reply }, sources: GeographySources) =>
      sendLocations({ list, input: input as LocationInput, request, reply }, sources),
  });
}

const cities = locationList('cities', {
  id: 'cities.list',
  operationId: 'listCities',
  summary: 'List cities',
  input: CityListInput,
  view: CityView,
});

const states = locationList('states', {
  id: 'states.list',
  operationId: 'listStates',
  summary: 'List states and union territories',
  input: StateListInput,
  view: StateView,
});

const countries = locationList('countries', {
  id: 'countries.list',
  operationId: 'listCountries',
  summary: 'List countries',
  input: CountryListInput,
  view: CountryView,
});

export const geographyOperations = [cities, states, countries];
