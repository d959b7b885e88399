import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../entities/api-error.ts';
import { entityTag, listsTag } from '../../http/response/entity-tag.ts';
import { SCIM_MEDIA_TYPE } from './protocol/error.ts';
import { cursorAfter, type Directory, type ListRequest, type ScimCall } from './scim-operation.ts';

export type Resource = Readonly<Record<string, unknown>>;

/** Metadata of a resource (RFC 7643, section 3.1). */
export interface Meta {
  resourceType: 'User' | 'Group';
  created: string;
  lastModified: string;
  location: string;
  /** The entity tag. */
  version: string;
}

/** Sends a body in the SCIM media type, which takes no parameter: hence a buffer or stream, as the framework adds a charset to strings. */
export function send(reply: FastifyReply, status: number, body: object | Readable): FastifyReply {
  return reply
    .code(status)
    .type(SCIM_MEDIA_TYPE)
    .send(body instanceof Readable ? body : Buffer.from(JSON.stringify(body)));
}

/** Returns `meta` of a resource. @param content data from which the version is computed */
export function metaOf(
  resourceType: Meta['resourceType'],
  id: string,
  content: object,
  { base }: Directory,
  times: Pick<Meta, 'created' | 'lastModified'>,
): Meta {
  return { resourceType, ...times, location: `${base}/${resourceType}s/${id}`, version: entityTag(content) };
}

type Call = Pick<ScimCall, 'request' | 'reply'>;

/**
 * Sends a resource with its `ETag`; a 304 if the client already has this version.
 *
 * @param status 204 sends no body
 * @param body the resource in the form that was asked for
 */
export function sendResource(
  { request, reply }: Call,
  status: number,
  { version, location }: Meta,
  body: () => object | Readable,
): FastifyReply {
  const known = request.headers['if-none-match'];
  reply.header('etag', version).header('location', location);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && known !== undefined && listsTag(known, version)) return reply.code(304).send();
  return status === 204 ? reply.code(204).send() : send(reply, status, body());
}

/** A page of a list, and where it begins: by index, or by cursor (RFC 9865). */
export interface ListEnvelope {
  totalResults: number;
  itemsPerPage: number;
  startIndex?: number;
  nextCursor?: string;
}

/** Returns the envelope of a list of resources (RFC 7644, section 3.4.2). */
export function listResponse(envelope: ListEnvelope): Resource {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'], ...envelope };
}

/**
 * Returns the envelope of a page of resources that are ordered by id.
 *
 * @param found the resources, which are one more than requested where others follow
 */
export function pageEnvelope(
  { startIndex, cursor, count }: ListRequest,
  totalResults: number,
  found: readonly { id: string }[],
): ListEnvelope {
  const itemsPerPage = Math.min(found.length, count);
  if (cursor === undefined) return { totalResults, startIndex, itemsPerPage };
  const last = found[count - 1];
  return { totalResults, itemsPerPage, ...(found.length > count && last && { nextCursor: cursorAfter(last.id) }) };
}

/** Checks `If-Match`. @param content data from which the version is computed @throws ApiError `PRECONDITION_FAILED` */
export function assertVersion({ ifMatch }: Directory, content: object, noun: string): void {
  if (ifMatch === undefined) return;
  const etag = entityTag(content);
  if (listsTag(ifMatch, etag)) return;
  throw new ApiError('PRECONDITION_FAILED', `The ${noun} has changed since it was read: read it again.`, {
    headers: { etag },
  });
}
