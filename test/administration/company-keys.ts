import type { ApiKeyView, NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import type { Administration } from './administration.ts';

/** Makes API keys, of `home` unless told otherwise, and looks at those that there are. */
export function companyKeys({ home, superAdmin, get, post }: Administration) {
  async function makeKey(as: Person, more: object = {}): Promise<NewApiKeyView> {
    const key = { name: 'Directory', scopes: ['scim', 'users.read'], companyId: home.id, ...more };
    return dataOf<NewApiKeyView>(await post(as, 'api-keys/create', key));
  }

  async function keysOf(companyId: string): Promise<ApiKeyView[]> {
    return pageOf<ApiKeyView>(await get(superAdmin, 'api-keys/list', { companyId, limit: '100' })).items;
  }

  async function isRevoked({ id }: { id: string }, companyId = home.id): Promise<boolean> {
    return (await keysOf(companyId)).some((key) => key.id === id && key.revokedAt !== null);
  }

  return { makeKey, keysOf, isRevoked };
}

export type CompanyKeys = ReturnType<typeof companyKeys>;
