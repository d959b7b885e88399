import { getProfile, grantRole, listCities, listUsers } from '../generated/orval/client';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = () => grantRole({ userId, role: 'MANAGER' });
// @ts-expect-error there is no such role
export const wrong = () => grantRole({ userId, role: 'MANAGR' });

export async function read(baseUrl: string, token: string, companyId: string) {
  // What it generates calls the address of its page.
  const send = globalThis.fetch;
  globalThis.fetch = (path, init) => send(new URL(String(path), baseUrl), init);
  const options = { headers: { authorization: `Bearer ${token}` } };
  const profile = await getProfile(undefined, options);
  const people = await listUsers({ companyId, limit: 2 }, options);
  const cities = await listCities({ search: 'mumbai' }).finally(() => {
    globalThis.fetch = send;
  });
  if (profile.status !== 200 || people.status !== 200 || cities.status !== 200) throw new Error('refused');
  return {
    email: profile.data.data.email,
    people: people.data.data.map((person): string => person.email),
    cities: cities.data.data.map((city): string => city.name),
  };
}
