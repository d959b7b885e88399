import { Api, Role } from '../generated/swagger-typescript-api/Api';

const { api } = new Api();
const userId = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';

export const granted = api.grantRole({ userId, role: Role.MANAGER });
// @ts-expect-error there is no such role
export const wrong = api.grantRole({ userId, role: Role.MANAGR });

export const names = api
  .listCities({ search: 'bogota' })
  .then(({ data }) => data.data.map((city): string => city.name));
