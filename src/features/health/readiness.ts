import type { IdentityProvider } from '../../auth/tokens/identity-provider.ts';
import type { Database } from '../../db/database.ts';
import type { ReplicaState } from '../../db/postgres/replica.ts';
import { databaseCheck } from './database-check.ts';
import type { DependencyStates } from './dependency-states.ts';

/** What readiness is asked of. */
export interface Dependencies {
  db: Pick<Database, 'query' | 'diskState'>;
  replica?: { readonly state: ReplicaState } | undefined;
  geography: { readonly index: { readonly countries: { find(query: object): { readonly totalItems: number } } } };
  identityProvider: IdentityProvider | undefined;
}

/** Gives the state of each dependency, within two seconds. The database is asked once a second at most. */
export function readinessOf({
  db,
  replica,
  geography,
  identityProvider,
}: Dependencies): () => Promise<DependencyStates> {
  const isDatabaseUp = databaseCheck(db);
  return async () => ({
    database: (await isDatabaseUp()) ? 'up' : 'down',
    ...(replica ? { replica: replica.state } : {}),
    geography: geography.index.countries.find({}).totalItems > 0 ? 'loaded' : 'empty',
    ...(db.diskState ? { disk: db.diskState() } : {}),
    ...(identityProvider ? { identityProvider: identityProvider.keys.state } : {}),
  });
}

/**
 * Without the replica the lists are read from the database. An identity provider that is unreachable is no reason to send callers elsewhere: other
 * instances cannot reach it either.
 */
export function isReady({ database, geography, identityProvider }: DependencyStates): boolean {
  return database === 'up' && geography === 'loaded' && identityProvider !== 'no-keys';
}
