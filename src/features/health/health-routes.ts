import type { FastifyInstance, FastifySchema, RouteShorthandOptions } from 'fastify';
import type { TSchema } from 'typebox';
import type { IdentityProvider } from '../../auth/identity-provider.ts';
import type { Database } from '../../db/database.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { ApiError } from '../../lib/errors.ts';
import { databaseCheck } from './database-check.ts';
import { Liveness, Readiness } from './health-schemas.ts';

const ALIVE = 'The service runs';
const READY = 'The service is ready';

/** Seconds; a state is looked at once a second. */
const RETRY_AFTER = '1';

/** What readiness is asked of. */
export interface Dependencies {
  db: Pick<Database, 'query' | 'diskState'>;
  geography: { readonly index: { readonly countries: { find(query: object): { readonly totalItems: number } } } };
  identityProvider: IdentityProvider | undefined;
  stop?: AbortSignal | undefined;
}

/** `/livez`: the process runs. `/readyz`: it can do its work, as far as its dependencies let it. */
export function healthRoutes(scope: FastifyInstance, { db, geography, identityProvider, stop }: Dependencies): void {
  const isDatabaseUp = databaseCheck(db);

  async function lookAround(): Promise<Readiness> {
    return {
      database: (await isDatabaseUp()) ? 'up' : 'down',
      geography: geography.index.countries.find({}).totalItems > 0 ? 'loaded' : 'empty',
      ...(db.diskState ? { disk: db.diskState() } : {}),
      ...(identityProvider ? { identityProvider: identityProvider.keys.state } : {}),
    };
  }

  const liveness = {
    operationId: 'getLiveness',
    summary: 'Does the process run',
    description: 'Answers as long as the process does, whatever its dependencies.',
  };
  scope.get('/livez', health(liveness, ALIVE, Liveness), async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return envelope(ALIVE, { process: 'up' });
  });

  const readiness = {
    operationId: 'getReadiness',
    summary: 'Can the service do its work',
    description:
      'The state of each dependency; 503 where one keeps the service from its work, and the message names them all.',
  };
  scope.get('/readyz', health(readiness, READY, Readiness), async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    if (stop?.aborted) throw unavailable('The service is about to stop.');
    const states = await lookAround();
    if (!isReady(states)) throw notReady(states);
    return envelope(READY, states);
  });
}

/** An identity provider that is unreachable is no reason to send callers elsewhere: other instances cannot reach it either. */
function isReady({ database, geography, identityProvider }: Readiness): boolean {
  return database === 'up' && geography === 'loaded' && identityProvider !== 'no-keys';
}

function notReady(states: Readiness): ApiError {
  const each = Object.entries(states).map(([name, state]) => `${name} ${state}`);
  return unavailable(`The service is not ready: ${each.join(', ')}.`);
}

function unavailable(message: string): ApiError {
  return new ApiError('UNAVAILABLE', message, { headers: { 'retry-after': RETRY_AFTER } });
}

function health(documentation: FastifySchema, message: string, data: TSchema): RouteShorthandOptions {
  const response = { 200: envelopeSchema(message, data), ...errorResponses() };
  return { config: { operation: 'health' }, schema: { ...documentation, tags: ['Health'], response } };
}
