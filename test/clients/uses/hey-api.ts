import { getProfile, grantRole, listCities, listUsers } from '../generated/hey-api';
import { client } from '../generated/hey-api/client.gen';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = () => grantRole({ body: { userId, role: 'MANAGER' } });
// @ts-expect-error there is no such role
export const wrong = () => grantRole({ body: { userId, role: 'MANAGR' } });

export async function read(baseUrl: string, token: string, companyId: string) {
  client.setConfig({ baseUrl, auth: token });
  const profile = await getProfile();
  const people = await listUsers({ query: { companyId, limit: 2 } });
  const cities = await listCities({ query: { search: 'mumbai' } });
  return {
    email: profile.data?.data.email,
    people: people.data?.data.map((person): string => person.email),
    cities: cities.data?.data.map((city): string => city.name),
  };
}
