import { Type } from 'typebox';
import { optional, titled } from '../../entities/field-schemas.ts';

/** States of each dependency, and whether each state is healthy. */
export const DEPENDENCY_STATES = {
  database: { up: true, 'read-only': false, down: false },
  replica: { up: true, behind: false, down: false },
  disk: { ok: true, low: false },
  identityProvider: { up: true, unreachable: false, 'no-keys': false },
} as const;

type States = { [Name in keyof typeof DEPENDENCY_STATES]: keyof (typeof DEPENDENCY_STATES)[Name] };

/** Current state of each dependency; one that is not configured is absent. */
export type DependencyStates = Pick<States, 'database'> & Partial<States>;

/** Returns for each dependency whether it is healthy. */
export function healthByDependency(states: DependencyStates): Record<string, boolean> {
  const good: Readonly<Record<string, Readonly<Record<string, boolean>>>> = DEPENDENCY_STATES;
  return Object.fromEntries(Object.entries(states).map(([name, state]) => [name, good[name]?.[state] === true]));
}

const statesOf = (dependency: keyof DependencyStates) => Object.keys(DEPENDENCY_STATES[dependency]);

export const Liveness = titled('Liveness', { process: Type.String({ enum: ['up'], examples: ['up'] }) });

/** State of each dependency of the service. */
export const Readiness = titled('Readiness', {
  version: Type.String({ description: 'Version of the running program', examples: ['1.0.0'] }),
  database: Type.String({
    description: 'Whether it responds within two seconds. read-only: it takes no changes, while reads go on',
    enum: statesOf('database'),
    examples: ['up'],
  }),
  replica: optional.text({
    description:
      'If one is configured. behind: not known to be recent; down: it does not respond. Lists are read from it while ' +
      'it is up',
    enum: statesOf('replica'),
    examples: ['up'],
  }),
  disk: optional.text({
    description: 'Of the embedded database. low: writes are refused, reads continue',
    enum: statesOf('disk'),
    examples: ['ok'],
  }),
  identityProvider: optional.text({
    description:
      'If one is configured. unreachable: tokens are verified with the keys loaded before; no-keys: no token can be ' +
      'verified',
    enum: statesOf('identityProvider'),
    examples: ['up'],
  }),
});
export type Readiness = DependencyStates & { version: string };
