import type { TObject } from 'typebox';
import { operation } from '../../api/operation.ts';
import { streamedList } from '../../api/output.ts';
import { anyone } from '../../auth/callers/access.ts';
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
import type { ListName } from './records.ts';

/** A public list of locations, served from memory, by GET and by POST. */
function locationList<Input extends TObject>(list: ListName, summary: string, input: Input, view: TObject) {
  return operation({
    id: `${list}.list`,
    operationId: `list${list.charAt(0).toUpperCase()}${list.slice(1)}`,
    summary,
    input,
    tag: 'Geography',
    description:
      'Sorted by name. A search returns the names that begin with the text first, cities by population. The full list, or ' +
      'one page with the pagination block if isPaginationNeeded is true.',
    access: anyone,
    allowAnyOrigin: true,
    // Countries are not of the contract.
    ...(list === 'countries' ? {} : { ignoresUnknown: true }),
    methods: ['GET', 'POST'],
    path: `/api/${list}/list`,
    etag: 'If-None-Match',
    output: streamedList(view),
    message: LIST_MESSAGES[list],
    handle: ({ input, request, reply }, sources: GeographySources) =>
      sendLocations(list, { input: input as LocationInput, request, reply }, sources),
  });
}

export const geographyOperations = [
  locationList('cities', 'List cities', CityListInput, CityView),
  locationList('states', 'List states and union territories', StateListInput, StateView),
  locationList('countries', 'List countries', CountryListInput, CountryView),
];
