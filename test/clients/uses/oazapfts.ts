import { ok } from '@oazapfts/runtime';
import { defaults, getProfile, grantRole, listCities, listUsers } from '../generated/oazapfts';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = () => grantRole({ userId, role: 'MANAGER' });
// @ts-expect-error there is no such role
export const wrong = () => grantRole({ userId, role: 'MANAGR' });

export async function read(baseUrl: string, token: string, companyId: string) {
  Object.assign(defaults, { baseUrl, headers: { authorization: `Bearer ${token}` } });
  const profile = await ok(getProfile());
  const people = await ok(listUsers(companyId, { limit: 2 }));
  const cities = await ok(listCities({ search: 'mumbai' }));
  return {
    email: profile.data.email,
    people: people.data.map((person): string => person.email),
    cities: cities.data.map((city): string => city.name),
  };
}
