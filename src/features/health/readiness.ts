import type { IdentityProvider } from '../../auth/identity-provider.ts';
import type { Executor } from '../../db/database.ts';
import { databaseCheck } from './database-check.ts';
import type { Readiness } from './health-schemas.ts';

/** What readiness is asked of. */
export interface Dependencies {
  db: Executor;
  geography: { readonly index: { readonly countries: { find(query: object): { readonly totalItems: number } } } };
  identityProvider: IdentityProvider | undefined;
}

/** Gives the state of each dependency, within two seconds. The database is asked once a second at most. */
export function readinessOf({ db, geography, identityProvider }: Dependencies): () => Promise<Readiness> {
  const isDatabaseUp = databaseCheck(db);
  return async () => ({
    database: (await isDatabaseUp()) ? 'up' : 'down',
    geography: geography.index.countries.find({}).totalItems > 0 ? 'loaded' : 'empty',
    ...(identityProvider ? { identityProvider: identityProvider.keys.state } : {}),
  });
}

/** An identity provider that is unreachable is no reason to send callers elsewhere: other instances cannot reach it either. */
export function isReady({ database, geography, identityProvider }: Readiness): boolean {
  return database === 'up' && geography === 'loaded' && identityProvider !== 'no-keys';
}
