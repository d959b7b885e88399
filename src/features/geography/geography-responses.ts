import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageRequestOf } from '../../api/pagination.ts';
import type { PageRequest } from '../../db/sql/select-page.ts';
import { acceptsEncoding, CONTENT_ENCODINGS, type ContentEncoding } from '../../http/response/content-encoding.ts';
import { listsTag } from '../../http/response/entity-tag.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { CompressedLists } from './compressed-lists.ts';
import type { GeographyIndex } from './geography-index.ts';
import type { CityFilter } from './geography-parts.ts';
import { languageOf } from './local-names.ts';
import type { FoundLocations, LocationList } from './location-list.ts';
import type { Degrees } from './nearest.ts';
import type { ListName } from './records.ts';

/** Validated parameters of a request for one of the lists. */
export type LocationInput = Partial<PageRequest> & {
  isPaginationNeeded?: boolean;
  search?: string;
  alternateNames?: boolean;
  stateId?: number;
  within?: boolean;
  hasCities?: boolean;
  near?: Degrees;
  countryId?: number;
  countryCode?: string;
  ids?: number[];
  include?: string[];
  lang?: string | undefined;
};

/** The geography that is served, and compressed full lists of it, once ready; absent: never. */
export type Geography = Readonly<{ index: GeographyIndex; compressedLists?: CompressedLists }>;
/** Data sources of the responses. */
export type GeographySources = { geography: Geography };

/** How long responses may be cached without revalidation. */
const CACHE_CONTROL = 'public, max-age=300';

/** Sends the requested page, or all locations; 304 for a GET whose entity tag is current. */
export function sendLocations(
  list: ListName,
  { input, request, reply }: { input: LocationInput; request: FastifyRequest; reply: FastifyReply },
  { geography: { index, compressedLists } }: GeographySources,
): FastifyReply {
  const isPage = input.isPaginationNeeded === true || input.after !== undefined;
  const isKept = request.method !== 'POST';
  const ifNoneMatch = isKept ? request.headers['if-none-match'] : undefined;
  const hasLanguage = input.include?.includes('localName') === true;
  const lang = hasLanguage
    ? (input.lang ?? languageOf(request.headers['accept-language'], list === 'countries'))
    : undefined;
  // Names of countries are those of the ICU that Node has.
  const etag = lang === undefined ? index.etag : `W/"${index.version}.${lang}.${process.versions.icu}"`;
  const isKnown = ifNoneMatch !== undefined && listsTag(ifNoneMatch, etag);
  if (!isKnown) reply.header('content-type', 'application/json; charset=utf-8');
  reply.header('vary', hasLanguage ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding');
  if (isKept) reply.header('cache-control', CACHE_CONTROL).header('etag', etag);
  if (isKnown) return reply.code(304).send();
  const found = findLocations(index, list, hasLanguage ? { ...input, lang } : input);
  if (isPage) return reply.send(found.page(pageRequestOf(input)));
  return sendAll(reply, found, request.headers['accept-encoding'], (coding) => compressedLists?.find(list, coding));
}

/** An id that matches nothing. */
const NO_ID = Number.NaN;

function findLocations(
  index: GeographyIndex,
  list: ListName,
  { countryId, countryCode, within, hasCities, stateId, ...query }: LocationInput,
): FoundLocations {
  const coded = countryCode === undefined ? countryId : (index.countryId(countryCode) ?? NO_ID);
  // The schema has checked which parameters each list accepts.
  const locations: Pick<LocationList<CityFilter | 'hasCities', string>, 'find'> = index[list];
  return locations.find({
    ...query,
    stateId: stateId !== undefined && within ? index.statesWithin(stateId) : stateId,
    hasCities: hasCities ? 1 : undefined,
    countryId: countryId === undefined || countryId === coded ? coded : NO_ID,
  });
}

/** Maximum bytes handed to a socket at once. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends all of the locations: the whole list in the smallest encoding that is ready and accepted by the client, else a stream generated,
 * and compressed, as fast as the client reads.
 */
function sendAll(
  reply: FastifyReply,
  found: FoundLocations,
  acceptEncoding: string | undefined,
  compressed: (coding: ContentEncoding) => Buffer | undefined,
): FastifyReply {
  let whole: Buffer | undefined;
  if (found.isWholeList) {
    const codings = CONTENT_ENCODINGS.filter((coding) => acceptsEncoding(acceptEncoding, coding));
    const coding = codings.find(compressed);
    whole = coding && compressed(coding);
    if (whole) reply.header('content-encoding', coding);
  }
  const pieces = found.pieces();
  if (!whole && found.isOnePiece) whole = pieces.next().value ?? undefined;
  if (!whole) return reply.send(pacedStream(pieces));
  if (whole.length <= PIECE_BYTES) return reply.send(whole);
  return reply.header('content-length', whole.length).send(pacedStream(slices(whole)));
}

/** Number of pieces after which other responses go first. */
const PIECES_AT_FIRST = 16;

/**
 * Returns a stream that yields to other work before each piece, and buffers none. Otherwise fast sockets would take megabytes at once, and
 * all other requests would wait for the copying.
 */
function pacedStream(pieces: Iterable<Buffer>): Readable {
  async function* paced(): AsyncGenerator<Buffer> {
    let given = 0;
    for (const piece of pieces) {
      await yieldToEventLoop(given++ >= PIECES_AT_FIRST);
      yield piece;
    }
  }
  return Readable.from(paced(), { objectMode: false, highWaterMark: 0 });
}

function* slices(whole: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < whole.length; at += PIECE_BYTES) yield whole.subarray(at, at + PIECE_BYTES);
}
