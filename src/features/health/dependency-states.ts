/** States of each dependency, and whether each state is healthy. */
export const DEPENDENCY_STATES = {
  database: { up: true, down: false },
  replica: { up: true, behind: false, down: false },
  disk: { ok: true, low: false },
  identityProvider: { up: true, unreachable: false, 'no-keys': false },
} as const;

type States = { [Name in keyof typeof DEPENDENCY_STATES]: keyof (typeof DEPENDENCY_STATES)[Name] };

/** Current state of each dependency; one that is not configured is absent. */
export type DependencyStates = Pick<States, 'database'> & Partial<States>;

/** Returns for each dependency whether it is healthy. */
export function goodDependencies(states: DependencyStates): Record<string, boolean> {
  const good: Readonly<Record<string, Readonly<Record<string, boolean>>>> = DEPENDENCY_STATES;
  return Object.fromEntries(Object.entries(states).map(([name, state]) => [name, good[name]?.[state] === true]));
}
