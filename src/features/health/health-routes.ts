import type { FastifyInstance, FastifySchema, RouteShorthandOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { ApiError } from '../../lib/errors.ts';
import { Liveness, Readiness } from './health-schemas.ts';
import { isReady } from './readiness.ts';

const ALIVE = 'The service runs';
const READY = 'The service is ready';

/** Seconds; a state is looked at once a second. */
const RETRY_AFTER = '1';

/** `/livez`: the process runs. `/readyz`: it can do its work, as far as its dependencies let it. */
export function healthRoutes(
  scope: FastifyInstance,
  { lookAround, stop }: { lookAround: () => Promise<Readiness>; stop?: AbortSignal | undefined },
): void {
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
    const states = stop?.aborted ? undefined : await lookAround();
    // The stop may have come while it looked around.
    if (states === undefined || stop?.aborted) throw unavailable('The service is about to stop.');
    if (!isReady(states)) throw notReady(states);
    return envelope(READY, states);
  });
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
