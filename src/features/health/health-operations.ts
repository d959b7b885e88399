import { operation } from '../../api/operation.ts';
import { one } from '../../api/output.ts';
import { publicUnmetered } from '../../auth/callers/access.ts';
import { type ApiError, tryAgain } from '../../entities/api-error.ts';
import { PROGRAM } from '../../lib/program.ts';
import type { DependencyStates } from './health-schemas.ts';
import { Liveness, Readiness } from './health-schemas.ts';
import { isReady } from './readiness.ts';

/** Seconds; states are refreshed once a second. */
const RETRY_AFTER = 1;

const liveness = operation({
  id: 'health',
  operationId: 'getLiveness',
  tag: 'Health',
  summary: 'Liveness probe',
  description: 'Responds as long as the process runs, whatever the state of its dependencies.',
  access: publicUnmetered,
  methods: ['GET'],
  path: '/livez',
  output: one(Liveness),
  message: 'The service runs',
  handle({ reply }) {
    reply.header('cache-control', 'no-store');
    return { process: 'up' };
  },
});

/** Dependencies of the readiness check. */
export interface ReadinessSources {
  checkReadiness: () => Promise<DependencyStates>;
  /** Aborted when the service is about to stop. */
  stop: AbortSignal | undefined;
}

const readiness = operation({
  id: 'health',
  operationId: 'getReadiness',
  tag: 'Health',
  summary: 'Readiness probe',
  description:
    'The state of each dependency; 503 if the service cannot work without one that fails, with a message that names ' +
    'all of them.',
  access: publicUnmetered,
  methods: ['GET'],
  path: '/readyz',
  errors: ['UNAVAILABLE'],
  output: one(Readiness),
  message: 'The service is ready',
  async handle({ reply }, { checkReadiness, stop }: ReadinessSources) {
    reply.header('cache-control', 'no-store');
    const states = stop?.aborted ? undefined : await checkReadiness();
    // The stop may have come in the meantime.
    if (states === undefined || stop?.aborted) throw unavailable('The service is about to stop.');
    if (!isReady(states)) throw notReady(states);
    return { version: PROGRAM.version, ...states };
  },
});

export const healthOperations = [liveness, readiness];

function notReady(states: DependencyStates): ApiError {
  const each = Object.entries(states).map(([name, state]) => `${name} ${state}`);
  return unavailable(`The service is not ready: ${each.join(', ')}.`);
}

function unavailable(message: string): ApiError {
  return tryAgain('UNAVAILABLE', message, RETRY_AFTER);
}
