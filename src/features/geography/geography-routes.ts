import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Operation } from '../../auth/access-table.ts';
import { listEnvelopeSchema } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { type PageRequest, pageRequestOf } from '../../http/pagination.ts';
import type { GeographyIndex } from './geography-index.ts';
import {
  CityListInput,
  CityView,
  CountryListInput,
  CountryView,
  StateListInput,
  StateView,
} from './geography-schemas.ts';
import type { GeographyStore } from './geography-store.ts';
import { PLACE_MESSAGES } from './place-json.ts';
import type { FoundPlaces } from './place-list.ts';

interface PlaceRoutes<Input extends TObject> {
  path: string;
  operation: Operation;
  operationId: string;
  summary: string;
  message: string;
  input: Input;
  view: TObject;
  find: (index: GeographyIndex, input: Static<Input>) => FoundPlaces;
}

type PlaceInput = Partial<PageRequest> & { isPaginationNeeded?: boolean };

/** The public lists of cities, states and countries, each by GET and by POST, answered from memory. */
export function geographyRoutes(
  scope: FastifyInstance,
  { geography }: { geography: Pick<GeographyStore, 'index'> },
): void {
  placeRoutes({
    path: '/api/cities/list',
    operation: 'cities.list',
    operationId: 'listCities',
    summary: 'List cities',
    message: PLACE_MESSAGES.cities,
    input: CityListInput,
    view: CityView,
    find: (index, input) => index.cities.find(input),
  });
  placeRoutes({
    path: '/api/states/list',
    operation: 'states.list',
    operationId: 'listStates',
    summary: 'List states and union territories',
    message: PLACE_MESSAGES.states,
    input: StateListInput,
    view: StateView,
    find: (index, input) => index.states.find(input),
  });
  placeRoutes({
    path: '/api/countries/list',
    operation: 'countries.list',
    operationId: 'listCountries',
    summary: 'List countries',
    message: PLACE_MESSAGES.countries,
    input: CountryListInput,
    view: CountryView,
    find: (index, input) => index.countries.find(input),
  });

  function placeRoutes<Input extends TObject>(routes: PlaceRoutes<Input>): void {
    const { path, operation, operationId, summary, message, input, view, find } = routes;
    const options = (idSuffix: string, source: 'querystring' | 'body'): RouteShorthandOptions => ({
      config: { operation },
      schema: {
        operationId: `${operationId}${idSuffix}`,
        tags: ['Geography'],
        summary,
        description:
          'By name. The full list, or one page of it with the pagination block where isPaginationNeeded is true.',
        [source]: input,
        response: { 200: listEnvelopeSchema(message, view, 'on request'), ...errorResponses(400) },
      },
    });
    function answer(reply: FastifyReply, index: GeographyIndex, checked: unknown) {
      // The route's schema has been checked: the input is what it describes.
      const found = find(index, checked as Static<Input>);
      const { isPaginationNeeded, ...request } = checked as PlaceInput;
      return reply
        .type('application/json; charset=utf-8')
        .send(isPaginationNeeded ? found.page(pageRequestOf(request)) : allOf(found));
    }
    scope.get(path, options('', 'querystring'), (request, reply) => {
      const { index } = geography;
      reply.header('cache-control', 'public, max-age=300').header('etag', `"${index.version}"`);
      if (hasCurrent(request, index.version)) return reply.code(304).send();
      return answer(reply, index, request.query);
    });
    scope.post(path, options('ByPost', 'body'), (request, reply) => answer(reply, geography.index, request.body));
  }
}

/** Whether the client names the present version in `If-None-Match`: the weak comparison (RFC 9110, section 13.1.2). */
function hasCurrent(request: FastifyRequest, version: string): boolean {
  const tags = request.headers['if-none-match'];
  return tags !== undefined && (tags.includes(`"${version}"`) || tags.trim() === '*');
}

/** All places in one buffer where they come in one, otherwise as a stream that makes them as fast as the client reads. */
function allOf(found: FoundPlaces): Buffer | Readable {
  const pieces = found.pieces();
  const [first, second] = [pieces.next(), pieces.next()];
  if (first.done || second.done) return first.value ?? Buffer.alloc(0);
  return Readable.from(chain(first.value, second.value, pieces), { objectMode: false });
}

function* chain(first: Buffer, second: Buffer, rest: Iterable<Buffer>): Generator<Buffer> {
  yield first;
  yield second;
  yield* rest;
}
