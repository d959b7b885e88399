import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Author } from '../../api/write-request.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import { isCanonicalUuid } from '../../entities/uuid.ts';
import { SCIM_PATH } from '../../http/scim-protocol.ts';
import { ApiError } from '../../lib/errors.ts';

/** A directory that calls by the key of a company: that company is all there is for it. */
export interface Directory extends Author {
  companyId: string;
  /** The header `If-Match`. */
  ifMatch: string | undefined;
  /** The address of this SCIM service, as the directory calls it. */
  base: string;
}

/** Who calls an operation of SCIM. */
export function directoryOf({ caller, request }: { caller: Caller | KeyCaller; request: FastifyRequest }): Directory {
  // The access of these operations lets keys in alone, and the scope is for keys of a company alone.
  if (!('keyId' in caller) || caller.companyId === null)
    throw new ApiError('SCOPE_REQUIRED', 'This needs the API key of a company.');
  return {
    caller,
    actor: { kind: 'key', keyId: caller.keyId, requestId: request.id },
    companyId: caller.companyId,
    ifMatch: request.headers['if-match'],
    base: request.host === '' ? SCIM_PATH : `${request.protocol}://${request.host}${SCIM_PATH}`,
  };
}

/** The id in the path of a request. @throws ApiError `NOT_FOUND` for one that nothing can have */
export function idOf(request: FastifyRequest, noun: string): string {
  const { id = '' } = request.params as { id?: string };
  if (isCanonicalUuid(id) && id === id.toLowerCase()) return id;
  throw new ApiError('NOT_FOUND', `There is no ${noun} with this id.`);
}

export type Reply = FastifyReply;
