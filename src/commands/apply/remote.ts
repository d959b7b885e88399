import Fastify, { type FastifyInstance } from 'fastify';
import sql from 'sql-template-tag';
import { operationRoutes } from '../../api/operation-routes.ts';
import { OPERATIONS, type Services } from '../../app/all-operations.ts';
import type { Context } from '../../app/context.ts';
import { signInConnections } from '../../auth/callers/connections.ts';
import type { Caller, HeldCompanyRole } from '../../auth/callers/roles.ts';
import { ApiError, type ClientOptions, createClient } from '../../client/client.ts';
import { ALL_ENTITIES } from '../../entities/entities.ts';
import { probeOf } from '../../features/sign-in-connections/probe.ts';
import { webhookTargets } from '../../features/webhooks/webhook-targets.ts';
import { createLog } from '../../http/request/request-log.ts';
import { handleErrors } from '../../http/response/error-handler.ts';
import { serverOptions } from '../../http/server-options.ts';
import { UserError } from '../../lib/errors.ts';
import { hostResolver } from '../../lib/resolve-host.ts';
import { KINDS, OTHERS, type Row } from './kinds.ts';

/** A client of a service, whose paths come from the operations. */
export interface Remote {
  list(path: string, query: object): AsyncIterable<Row>;
  get(path: string, query: object): Promise<{ data: Row }>;
  post(path: string, body: object): Promise<{ data: Row }>;
}

/** Returns the service at an address. @throws UserError if that is none */
export function remoteAt(url: string, token: string): Remote {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new UserError('--url must be the address of the service, such as https://orgdesk.example.com.');
  }
  return remoteBy({ baseUrl: url, token });
}

function remoteBy(options: ClientOptions): Remote {
  return createClient(options) as unknown as Remote;
}

/** Runs work on the operations of the service in this process, as the command line: a Super Admin who administers every company. */
export async function onDatabase(context: Context, work: (remote: Remote) => Promise<void>): Promise<void> {
  const { config, db } = context;
  const rules = { permitsPrivate: config.webhookPrivateTargets, resolveHost: hostResolver() };
  using connections = signInConnections(db, rules, () => undefined);
  using targets = webhookTargets(rules);
  const services = {
    ...{ db, lists: db, detachedDb: db, entities: ALL_ENTITIES, connections, webhookTargets: targets },
    ...{ probe: probeOf(rules), platformIssuer: config.tokenIssuer, defaultCurrency: config.defaultCurrency },
    timeZone: config.timeZone,
  };
  const companies = await db.query<{ id: string }>(sql`select id from companies`);
  // The operations of what is configured need no more.
  const app = appOf(services as unknown as Services, callerOf(companies.map(({ id }) => id)));
  try {
    await work(
      remoteBy({
        baseUrl: 'http://localhost',
        retries: 0,
        async fetch(request) {
          const { pathname, search } = new URL(request.url);
          const answer = await app.inject({
            method: request.method as 'GET' | 'POST',
            url: pathname + search,
            headers: Object.fromEntries(request.headers),
            payload: await request.text(),
          });
          const headers = answer.headers as Record<string, string>;
          return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers });
        },
      }),
    );
  } finally {
    await app.close();
  }
}

function appOf(services: Services, caller: Caller): FastifyInstance {
  const app = Fastify({
    ...serverOptions(createLog('error')),
    serializerOpts: { ajv: { formats: { decimal: true } } },
  });
  handleErrors(app);
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => {
    request.caller = caller;
  });
  const paths = KINDS.flatMap(({ list, get, create, update, remove }) => [list, get, create, update, remove]);
  const used = new Set([...paths, ...Object.values(OTHERS)].map(({ path }) => path));
  const operations = OPERATIONS.filter(({ path }) => used.has(path));
  const byCommand = operations.map((each): (typeof operations)[number] => ({
    ...each,
    run: (call, own) => each.run({ ...call, actor: { kind: 'command' } as never }, own),
  }));
  operationRoutes(app, byCommand, () => services);
  return app;
}

function callerOf(companyIds: readonly string[]): Caller {
  const companyRoles = companyIds.map((companyId): HeldCompanyRole => {
    return { id: companyId, companyId, role: 'CORPORATE_ADMIN', companyActive: true };
  });
  const systemRole = { role: 'SUPER_ADMIN', active: true } as const;
  const nobody = '00000000-0000-0000-0000-000000000000';
  return { userId: nobody, active: true, works: true, systemRole, companyRoles, signedInBy: 'platform' };
}

/** Returns the error for people of one of the service, or of the way to it. */
export function explained(error: unknown, url?: string): unknown {
  if (error instanceof ApiError) return new UserError(error.message, { cause: error });
  const { name, message, cause } = error as Error;
  const isAway = name === 'TimeoutError' || (error instanceof TypeError && cause instanceof Error);
  if (url === undefined || !isAway) return error;
  return new UserError(`${url} cannot be reached: ${cause instanceof Error ? cause.message : message}.`, {
    cause: error,
  });
}
