import { createApiClient } from '../generated/openapi-zod-client';

export async function read(baseUrl: string, token: string, companyId: string) {
  const client = createApiClient(baseUrl, { axiosConfig: { headers: { authorization: `Bearer ${token}` } } });
  const profile = await client.get('/api/users/profile');
  const people = await client.get('/api/users/list', { queries: { companyId, limit: 2 } });
  const cities = await client.get('/api/cities/list', { queries: { search: 'mumbai' } });
  return {
    email: profile.data.email,
    people: people.data.map((person): string => person.email),
    cities: cities.data.map((city): string => city.name),
  };
}
