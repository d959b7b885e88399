import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript/schema';

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });
const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = client.POST('/api/users/grant-role', { body: { userId, role: 'MANAGER' } });
// @ts-expect-error there is no such role
export const wrong = client.POST('/api/users/grant-role', { body: { userId, role: 'MANAGR' } });

export const names = client
  .GET('/api/cities/list', { params: { query: { search: 'bogota' } } })
  .then(({ data }) => data?.data.map((city): string => city.name));
