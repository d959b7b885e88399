import type { FastifyReply } from 'fastify';
import { ApiError } from '../../entities/api-error.ts';
import { entityTag, listsTag } from '../../http/response/entity-tag.ts';
import { chooseAttributes, type Projection } from './projection.ts';
import { SCIM_MEDIA_TYPE } from './scim-error.ts';
import type { Directory, ScimCall } from './scim-request.ts';

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

/** Sends JSON in the SCIM media type, which takes no parameter: hence a buffer, as the framework adds a charset to strings. */
export function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .type(SCIM_MEDIA_TYPE)
    .send(Buffer.from(JSON.stringify(body)));
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

/** Sets the headers of a response with a resource. @returns whether the client already has this version, so that a 304 suffices */
export function announce(
  { request, reply }: Pick<ScimCall, 'request' | 'reply'>,
  { version, location }: Meta,
): boolean {
  const known = request.headers['if-none-match'];
  reply.header('etag', version).header('location', location);
  return (request.method === 'GET' || request.method === 'HEAD') && known !== undefined && listsTag(known, version);
}

/** Sends a resource with its `ETag`, or a 304 if the client already has this version. */
export function sendResource(
  call: Pick<ScimCall, 'request' | 'reply'>,
  status: number,
  resource: Resource & { meta: Meta },
  projection: Projection,
): FastifyReply {
  if (announce(call, resource.meta)) return call.reply.code(304).send();
  return send(call.reply, status, chooseAttributes(resource, projection));
}

/** Returns the envelope of a list of resources (RFC 7644, section 3.4.2). */
export function listResponse(totalResults: number, startIndex: number, itemsPerPage: number): Resource {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:ListResponse'];
  return { schemas, totalResults, startIndex, itemsPerPage };
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
