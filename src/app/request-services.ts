import type { FastifyRequest } from 'fastify';
import { shareOf } from '../auth/callers/authentication.ts';
import type { Database, IsWanted, Reader } from '../db/database.ts';
import { databaseWhile, readerWhile } from '../db/wanted-work.ts';
import type { Services } from './all-operations.ts';

/**
 * Returns what makes the services of one request from those of all. Its handles of the database are made where an operation takes them: the
 * public lists take none.
 *
 * @param lists where lists are read
 */
export function requestServices(
  services: Omit<Services, 'db' | 'lists'>,
  db: Database,
  lists: Reader,
): (request: FastifyRequest) => Services {
  class RequestServices {
    readonly #request: FastifyRequest;

    constructor(request: FastifyRequest) {
      this.#request = request;
    }

    get db(): Database {
      return databaseWhile(wantedBy(this.#request), db);
    }

    get lists(): Reader {
      return readerWhile(wantedBy(this.#request), lists);
    }
  }
  const shared: typeof services = Object.setPrototypeOf(RequestServices.prototype, services);
  return (request) => new RequestServices(request) as RequestServices & typeof shared;
}

/** Work for a request is wanted while its caller is there. */
function wantedBy(request: FastifyRequest): IsWanted {
  const share = shareOf(request);
  return Object.assign(() => !request.raw.socket.destroyed, share === undefined ? {} : { share });
}
