import { Api, Role } from '../generated/swagger-typescript-api/Api';

const { api } = new Api();
const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = () => api.grantRole({ userId, role: Role.MANAGER });
// @ts-expect-error there is no such role
export const wrong = () => api.grantRole({ userId, role: Role.MANAGR });

export async function read(baseUrl: string, token: string, companyId: string) {
  const client = new Api({ baseUrl, baseApiParams: { headers: { authorization: `Bearer ${token}` } } });
  const profile = await client.api.getProfile();
  const people = await client.api.listUsers({ companyId, limit: 2 });
  const cities = await client.api.listCities({ search: 'mumbai' });
  return {
    email: profile.data.data.email,
    people: people.data.data.map((person): string => person.email),
    cities: cities.data.data.map((city): string => city.name),
  };
}
