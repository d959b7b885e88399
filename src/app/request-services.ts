import type { FastifyRequest } from 'fastify';
import { shareOf } from '../auth/callers/authentication.ts';
import { authorisedDatabase } from '../auth/callers/authorised-writes.ts';
import type { Database, IsWanted, Reader } from '../db/database.ts';
import { databaseWhile, readerWhile } from '../db/wanted-work.ts';
import type { Services } from './all-operations.ts';

/**
 * Returns a factory of per-request services. Database handles are created lazily: the public lists use none.
 *
 * @param lists database for list reads
 */
export function requestServices(
  services: Omit<Services, 'db' | 'lists' | 'detachedDb'>,
  db: Database,
  lists: Reader,
): (request: FastifyRequest) => Services {
  class RequestServices {
    readonly #request: FastifyRequest;

    constructor(request: FastifyRequest) {
      this.#request = request;
    }

    get db(): Database {
      const own = databaseWhile(wantedBy(this.#request), db);
      return authorisedDatabase(this.#request, this.#request.keeping?.hold(own) ?? own);
    }

    get detachedDb(): Database {
      return this.#request.keeping?.behind(db) ?? db;
    }

    get lists(): Reader {
      return readerWhile(wantedBy(this.#request), lists);
    }
  }
  const shared: typeof services = Object.setPrototypeOf(RequestServices.prototype, services);
  return (request) => new RequestServices(request) as RequestServices & typeof shared;
}

/** Returns whether work for a request is still wanted: until its connection closes. */
function wantedBy(request: FastifyRequest): IsWanted {
  const share = shareOf(request);
  return Object.assign(() => !request.raw.socket.destroyed, share === undefined ? {} : { share });
}
