import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript/schema';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';
const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });

export const granted = () => client.POST('/api/users/grant-role', { body: { userId, role: 'MANAGER' } });
// @ts-expect-error there is no such role
export const wrong = () => client.POST('/api/users/grant-role', { body: { userId, role: 'MANAGR' } });

export async function read(baseUrl: string, token: string, companyId: string) {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const profile = await api.GET('/api/users/profile');
  const people = await api.GET('/api/users/list', { params: { query: { companyId, limit: 2 } } });
  const cities = await api.GET('/api/cities/list', { params: { query: { search: 'mumbai' } } });
  return {
    email: profile.data?.data.email,
    people: people.data?.data.map((person): string => person.email),
    cities: cities.data?.data.map((city): string => city.name),
  };
}
