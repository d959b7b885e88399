import { setConfig } from '@kubb/plugin-client/clients/axios';
import { getProfile } from '../generated/kubb/clients/getProfile';
import { grantRole } from '../generated/kubb/clients/grantRole';
import { listCities } from '../generated/kubb/clients/listCities';
import { listUsers } from '../generated/kubb/clients/listUsers';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = () => grantRole({ userId, role: 'MANAGER' });
// @ts-expect-error there is no such role
export const wrong = () => grantRole({ userId, role: 'MANAGR' });

export async function read(baseURL: string, token: string, companyId: string) {
  setConfig({ baseURL, headers: { authorization: `Bearer ${token}` } });
  const profile = await getProfile();
  const people = await listUsers({ companyId, limit: 2 });
  const cities = await listCities({ search: 'mumbai' });
  return {
    email: profile.data.email,
    people: people.data.map((person): string => person.email),
    cities: cities.data.map((city): string => city.name),
  };
}
