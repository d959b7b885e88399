import type { IdentityProvider } from '../../auth/tokens/identity-provider.ts';
import type { Database } from '../../db/database.ts';
import type { ReplicaState } from '../../db/postgres/replica.ts';
import { databaseCheck } from './database-check.ts';
import type { DependencyStates } from './health-schemas.ts';

/** Dependencies of the readiness check. */
export interface Dependencies {
  db: Pick<Database, 'query' | 'diskState'>;
  replica?: { readonly state: ReplicaState } | undefined;
  identityProvider: IdentityProvider | undefined;
}

/** Returns a function that gives the state of each dependency within two seconds; queries the database at most once a second. */
export function readinessOf({ db, replica, identityProvider }: Dependencies): () => Promise<DependencyStates> {
  const isDatabaseUp = databaseCheck(db);
  return async () => ({
    database: (await isDatabaseUp()) ? 'up' : 'down',
    ...(replica ? { replica: replica.state } : {}),
    ...(db.diskState ? { disk: db.diskState() } : {}),
    ...(identityProvider ? { identityProvider: identityProvider.keys.state } : {}),
  });
}

/**
 * Without the replica, lists are read from the primary database. An unreachable identity provider does not count: other instances could not
 * reach it either.
 */
export function isReady({ database, identityProvider }: DependencyStates): boolean {
  return database === 'up' && identityProvider !== 'no-keys';
}
