import type { Reader } from '../../db/database.ts';
import type { batchLoader } from '../../lib/batch-loader.ts';
import { askedUserName } from './scim-filter.ts';
import type { ListRequest } from './scim-input.ts';
import {
  findScimUsersByName,
  listScimUsers,
  type ScimUserPage,
  type ScimUserRow,
  type UserNameInCompany,
} from './scim-users-queries.ts';

/** Finds those whom a directory asks for. @throws ApiError `invalidFilter` */
export type FindUsers = (companyId: string, wanted: ListRequest) => Promise<ScimUserPage>;

export interface DirectorySources {
  findScimUsers: FindUsers;
}

/** Before directories change anybody they ask for them by `userName`: those of the same turn of the event loop are found together. */
export function findUsers(db: Reader, batch: typeof batchLoader): FindUsers {
  const byName = batch<UserNameInCompany, ScimUserRow | undefined>((wanted) => findScimUsersByName(db, wanted));
  return async (companyId, wanted) => {
    const userName = askedUserName(wanted.filter);
    if (userName === undefined) return listScimUsers(db, companyId, wanted);
    const found = await byName({ companyId, userName });
    if (found === undefined) return { items: [], totalItems: 0 };
    return { items: wanted.startIndex === 1 && wanted.count > 0 ? [found] : [], totalItems: 1 };
  };
}
