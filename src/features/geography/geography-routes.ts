import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  RouteShorthandOptions,
} from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Operation } from '../../auth/access-table.ts';
import type { Coding } from '../../http/content-codings.ts';
import { listEnvelopeSchema } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { isSaidToBeJson } from '../../http/json-body.ts';
import { pageRequestOf } from '../../http/pagination.ts';
import type { UnderWay } from '../../http/requests-under-way.ts';
import type { ListName } from './compressed-lists.ts';
import type { GeographyIndex } from './geography-index.ts';
import {
  CityListInput,
  CityView,
  CountryListInput,
  CountryView,
  StateListInput,
  StateView,
} from './geography-schemas.ts';
import type { Geography } from './geography-store.ts';
import { isCurrent, type PlaceInput, sendList, sendPage } from './place-answers.ts';
import { PLACE_MESSAGES } from './place-json.ts';
import type { FoundPlaces } from './place-list.ts';
import { cacheHeaders, UNKEPT } from './ready-places.ts';

interface PlaceRoutes<Input extends TObject> {
  path: string;
  operation: Operation;
  operationId: string;
  summary: string;
  message: string;
  input: Input;
  view: TObject;
  list: ListName;
  find: (index: GeographyIndex, input: Static<Input>) => FoundPlaces;
}

/** The public lists of cities, states and countries, each by GET and by POST, answered from memory. */
export function geographyRoutes(
  scope: FastifyInstance,
  { geography, enter }: { geography: Geography; enter: UnderWay },
): void {
  placeRoutes({
    path: '/api/cities/list',
    operation: 'cities.list',
    operationId: 'listCities',
    summary: 'List cities',
    message: PLACE_MESSAGES.cities,
    input: CityListInput,
    view: CityView,
    list: 'cities',
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
    list: 'states',
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
    list: 'countries',
    find: (index, input) => index.countries.find(input),
  });

  function placeRoutes<Input extends TObject>(routes: PlaceRoutes<Input>): void {
    const { path, operation, operationId, summary, message, input, view, list, find } = routes;
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
    const pageOf = (index: GeographyIndex, key: string, input: PlaceInput) =>
      index.answers.get(key, () => find(index, input as Static<Input>).page(pageRequestOf(input)));
    const answerAll = (
      reply: FastifyReply,
      index: GeographyIndex,
      input: PlaceInput,
      acceptEncoding: string | undefined,
    ) => {
      enter(reply);
      const compressed = (coding: Coding) => geography.compressedLists?.find(index, list, coding);
      sendList(reply, find(index, input as Static<Input>), compressed, acceptEncoding);
    };

    scope.get(path, options('', 'querystring'), ({ headers, raw, query }, reply) => {
      const { index } = geography;
      // The route's schema has been checked: the query is what it describes.
      const input = query as PlaceInput;
      const isPage = input.isPaginationNeeded === true;
      const { url = '' } = raw;
      const lines = cacheHeaders(index, isPage);
      for (let at = 0; at < lines.length; at += 2) reply.header(lines[at] ?? '', lines[at + 1]);
      if (!isPage) index.answers.get(url, () => UNKEPT);
      if (isCurrent(headers['if-none-match'], index.etag)) reply.code(304).send();
      else if (isPage) sendPage(reply, pageOf(index, url, input));
      else answerAll(reply, index, input, headers['accept-encoding']);
    });
    /** The keys of bodies that were not asked for of late. */
    const newBodies = new WeakMap<FastifyRequest, string>();
    const answerBodyAgain: preParsingHookHandler = (request, reply, _payload, done) => {
      // Still the bytes. As text of one letter a byte it tells every body from every other.
      const key = `POST ${path}${(request.body as Buffer).toString('latin1')}`;
      const page = isSaidToBeJson(request.headers) ? geography.index.answers.peek(key) : undefined;
      if (page !== undefined) return sendPage(reply, page);
      newBodies.set(request, key);
      done();
    };
    scope.post(path, { ...options('ByPost', 'body'), preParsing: answerBodyAgain }, (request, reply) => {
      const { index } = geography;
      const input = request.body as PlaceInput;
      if (input.isPaginationNeeded) sendPage(reply, pageOf(index, newBodies.get(request) ?? '', input));
      else answerAll(reply, index, input, request.headers['accept-encoding']);
    });
  }
}
