import { grantRole, listCities } from '../generated/hey-api';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = grantRole({ body: { userId, role: 'MANAGER' } });
// @ts-expect-error there is no such role
export const wrong = grantRole({ body: { userId, role: 'MANAGR' } });

export const names = listCities({ query: { search: 'bogota' } }).then(({ data }) =>
  data?.data.map((city): string => city.name),
);
