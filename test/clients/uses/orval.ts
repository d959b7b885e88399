import { grantRole, listCities } from '../generated/orval/client';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = grantRole({ userId, role: 'MANAGER' });
// @ts-expect-error there is no such role
export const wrong = grantRole({ userId, role: 'MANAGR' });

export const names = listCities({ search: 'bogota' }).then((answer) =>
  answer.status === 200 ? answer.data.data.map((city): string => city.name) : [],
);
