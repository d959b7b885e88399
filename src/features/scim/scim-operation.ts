import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Call, type Method, type Operation, operation } from '../../api/operation.ts';
import { rawResponse } from '../../api/output.ts';
import type { Author } from '../../api/write-request.ts';
import { apiKeyOnly, type CallerAccess } from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { isCanonicalUuid } from '../../entities/characters.ts';
import type { AuditedEntity } from '../../entities/entity.ts';
import { ScimError } from './protocol/error.ts';
import { type Projection, readProjection } from './protocol/projection.ts';
import type { Schema } from './protocol/schema.ts';

/** Base path of SCIM 2.0 (RFC 7644). */
export const SCIM_PATH = '/scim/v2';

/** Services that the SCIM operations use. */
export interface ScimServices {
  db: Database;
  /** Every entity: rows of each may be about a person who is forgotten. */
  entities: readonly AuditedEntity[];
  /** Returns the origin by which a request called the service; empty where it is not known. */
  calledAddress: (request: FastifyRequest) => string;
}

/** A directory that calls with the API key of a company; its scope is that company. */
export interface Directory extends Author {
  companyId: string;
  /** The API key. */
  keyId: string;
  directoryId: string;
  entities: ScimServices['entities'];
  /** The header `If-Match`. */
  ifMatch: string | undefined;
  /** Base URL of this SCIM service, as the directory calls it. */
  base: string;
  /** Schemas of users, where a request names fields of one's own; absent: the usual ones. */
  schemas?: readonly Schema[];
}

/** A request of a directory. */
export interface ScimCall<Key extends KeyCaller = KeyCaller> {
  directory: Directory;
  caller: Key;
  db: Database;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Spec<Key extends KeyCaller>
  extends Pick<Operation<never>, 'id' | 'operationId' | 'summary' | 'description' | 'writes' | 'bodyLimit'> {
  /** Absent: POST for an operation that writes, GET for any other. */
  methods?: readonly Method[];
  /** Path relative to {@link SCIM_PATH}. */
  path: string;
  /** Absent: the key is read on its own. */
  access?: CallerAccess<Caller, Key>;
  handle(call: ScimCall<Key>): FastifyReply | Promise<FastifyReply>;
}

/** Declares a SCIM operation: it requires a company's API key with the scope scim, and its handler sends the response itself. */
export function scimOperation<Key extends KeyCaller = KeyCaller>(spec: Spec<Key>): Operation<ScimServices> {
  const { access = apiKeyOnly as CallerAccess<Caller, Key>, handle, path, ...description } = spec;
  return operation({
    ...description,
    access,
    path: `${SCIM_PATH}${path}`,
    tag: 'SCIM',
    scope: 'scim',
    provisions: true,
    standard: 'SCIM',
    message: '',
    output: rawResponse,
    handle(call, { db, entities, calledAddress }: ScimServices) {
      const { caller, request, reply } = call;
      const directory = { ...directoryOf(call, `${calledAddress(request)}${SCIM_PATH}`), entities };
      return handle({ directory, caller: caller as Key, db, request, reply });
    },
  });
}

function directoryOf(
  { caller, actor, ifMatch }: Call<unknown, Caller | KeyCaller | null>,
  base: string,
): Omit<Directory, 'entities'> {
  // Narrows the types: the access only admits keys, and the scope only keys of a company.
  if (caller === null || actor === null || !('keyId' in caller) || caller.companyId === null) {
    throw new ApiError('SCOPE_REQUIRED', 'This needs the API key of a company.');
  }
  const { companyId, keyId, directoryId } = caller;
  return { caller, actor, companyId, keyId, directoryId, ifMatch, base };
}

/** Returns the id in the path of a request. @throws ApiError `NOT_FOUND` for anything but a lower-case UUID */
export function idOf(request: FastifyRequest, noun: string): string {
  const { id = '' } = request.params as { id?: string };
  if (isCanonicalUuid(id) && id === id.toLowerCase()) return id;
  throw new ApiError('NOT_FOUND', `There is no ${noun} with this id.`);
}

/** Returns the attributes that a request for one resource asks for. @throws ApiError `invalidValue` */
export function projectionOf(request: FastifyRequest): Projection {
  return readProjection(request.query as Record<string, unknown>);
}

/** Maximum resources in one response. */
export const MAX_RESULTS = 200;

/** Parameters of a list request (RFC 7644, section 3.4.2; RFC 9865). Resources are ordered by id. */
export interface ListRequest {
  /** The filter as sent, trimmed. */
  filter: string | undefined;
  /** 1-based; 1 with a cursor. */
  startIndex: number;
  /** Id after which the page begins, null for the first page; undefined for a page by index. */
  cursor: string | null | undefined;
  count: number;
  projection: Projection;
}

/** Reads the query of a list, or the body of a search. @throws ApiError `invalidFilter`, `invalidValue`, `invalidCursor` */
export function readListRequest(raw: unknown): ListRequest {
  const sent = (raw ?? {}) as Readonly<Record<string, unknown>>;
  const { filter } = sent;
  if (filter !== undefined && typeof filter !== 'string')
    throw new ScimError('invalidFilter', 'filter must be one text.');
  const cursor = readCursor(sent.cursor);
  return {
    filter: filter?.trim() || undefined,
    startIndex: cursor === undefined ? Math.max(1, wholeNumber('startIndex', sent.startIndex) ?? 1) : 1,
    cursor,
    count: Math.min(MAX_RESULTS, Math.max(0, wholeNumber('count', sent.count) ?? MAX_RESULTS)),
    projection: readProjection(sent),
  };
}

/** Returns the cursor of the page behind a resource. */
export function cursorAfter(id: string): string {
  return Buffer.from(id).toString('base64url');
}

function readCursor(sent: unknown): ListRequest['cursor'] {
  if (sent === undefined || sent === null) return undefined;
  if (sent === '') return null;
  const id = typeof sent === 'string' ? Buffer.from(sent, 'base64url').toString() : '';
  if (isCanonicalUuid(id) && cursorAfter(id) === sent) return id;
  throw new ScimError('invalidCursor', 'cursor must be empty, or nextCursor of the page before.');
}

function wholeNumber(name: string, sent: unknown): number | undefined {
  if (sent === undefined || sent === null || sent === '') return undefined;
  const value = typeof sent === 'string' && /^[+-]?\d{1,15}$/.test(sent) ? Number(sent) : sent;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new ScimError('invalidValue', `${name} must be a whole number.`);
}
