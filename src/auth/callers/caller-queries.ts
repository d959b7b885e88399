import sql, { type Sql } from 'sql-template-tag';
import { worksOn } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import type { TokenOwner } from '../tokens/token-claims.ts';
import { findByOwner } from './identity-queries.ts';
import type { Caller } from './roles.ts';

/** Columns of a {@link Caller}, for a statement that selects from `users`. */
export const callerColumns: Sql = sql`
  users.id as "userId",
  users.active,
  ${worksOn()} as works,
  (select json_build_object('role', system_roles.role, 'active', system_roles.active)
     from system_roles where system_roles.user_id = users.id) as "systemRole",
  coalesce(
    (select json_agg(json_build_object('id', company_roles.id, 'companyId', company_roles.company_id,
                                       'role', company_roles.role, 'companyActive', employer.active)
                     order by company_roles.role, company_roles.company_id)
       from company_roles join companies employer on employer.id = company_roles.company_id
      where company_roles.user_id = users.id),
    '[]') as "companyRoles"`;

/** Finds the present caller for each token owner, deactivated ones included; undefined for an unknown owner. */
export function findCallers(db: Reader, owners: readonly TokenOwner[]): Promise<(Caller | undefined)[]> {
  return findByOwner(owners, ({ owner, from, where }) =>
    db.query<Caller & { owner: string }>(sql`select ${owner} as owner, ${callerColumns} from ${from} where ${where}`),
  );
}
