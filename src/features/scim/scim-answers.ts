import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, listsTag } from '../../http/response/entity-tag.ts';
import { SCIM_MEDIA_TYPE } from '../../http/scim-protocol.ts';
import type { Resource } from './canonical.ts';
import { chooseAttributes, type Projection } from './projection.ts';
import type { Directory } from './scim-directory.ts';

/** What an answer to a directory needs. */
export interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends anything in SCIM's media type. */
export function send({ reply }: Asked, status: number, body: object): FastifyReply {
  return reply.code(status).type(SCIM_MEDIA_TYPE).send(JSON.stringify(body));
}

/** A resource with its `meta`: where it is, and which version this is. */
export function withMeta(
  resource: Resource,
  type: 'User' | 'Group',
  { base }: Directory,
  times: { created?: string; lastModified?: string } = {},
): Resource {
  const location = `${base}/${type}s/${resource.id}`;
  return { ...resource, meta: { resourceType: type, ...times, location, version: entityTag(resource) } };
}

/** Sends a resource with its `ETag`; a 304 in its place to a reader who has this version. */
export function sendResource(asked: Asked, status: number, resource: Resource, projection: Projection): FastifyReply {
  const { request, reply } = asked;
  const { location, version } = resource.meta as { location: string; version: string };
  reply.header('etag', version);
  if (status === 201) reply.header('location', location);
  const ifNoneMatch = request.headers['if-none-match'];
  if (request.method === 'GET' && ifNoneMatch !== undefined && listsTag(ifNoneMatch, version))
    return reply.code(304).send();
  return send(asked, status, chooseAttributes(resource, projection));
}

/** Sends some of a list of resources (RFC 7644, section 3.4.2). */
export function sendList(
  asked: Asked,
  resources: readonly Resource[],
  { totalResults, startIndex, projection }: { totalResults: number; startIndex: number; projection: Projection },
): FastifyReply {
  return send(asked, 200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources.map((resource) => chooseAttributes(resource, projection)),
  });
}
