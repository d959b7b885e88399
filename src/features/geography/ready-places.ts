import type { IncomingMessage } from 'node:http';
import type { ReadyAnswer } from '../../http/ready-answers.ts';
import type { GeographyIndex } from './geography-index.ts';
import type { Geography } from './geography-store.ts';
import { isCurrent, JSON_TYPE } from './place-answers.ts';

/** Is remembered in place of an answer with all places, which depends on the request's headers: that the URL has been checked. */
export const UNKEPT = Buffer.alloc(0);

const CACHE_CONTROL = 'public, max-age=300';

/**
 * Names and values in turn: how long an answer to GET may be kept, and by what it is known. Unpaginated, it depends on the
 * codings that the client takes.
 */
export function cacheHeaders({ etag }: GeographyIndex, isPage: boolean): string[] {
  return isPage
    ? ['cache-control', CACHE_CONTROL, 'etag', etag]
    : ['cache-control', CACHE_CONTROL, 'etag', etag, 'vary', 'Accept-Encoding'];
}

/** The answer to a GET request for a page that was sent of late, or for places that the client holds already. */
export function findReadyPlaces(geography: Geography, { url = '', headers }: IncomingMessage): ReadyAnswer | undefined {
  const { index } = geography;
  const body = index.answers.peek(url);
  if (body === undefined) return undefined;
  const isPage = body !== UNKEPT;
  const lines = cacheHeaders(index, isPage);
  if (isCurrent(headers['if-none-match'], index.etag)) return { status: 304, headers: lines };
  if (!isPage) return undefined;
  lines.push('content-type', JSON_TYPE, 'content-length', String(body.length));
  return { status: 200, headers: lines, body };
}
