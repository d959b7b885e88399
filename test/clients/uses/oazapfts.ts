import { grantRole, listCities } from '../generated/oazapfts';

const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = grantRole({ userId, role: 'MANAGER' });
// @ts-expect-error there is no such role
export const wrong = grantRole({ userId, role: 'MANAGR' });

export const names = listCities({ search: 'bogota' }).then((answer) =>
  'data' in answer && 'data' in answer.data ? answer.data.data.map((city): string => city.name) : [],
);
