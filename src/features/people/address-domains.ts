import sql from 'sql-template-tag';
import { prefixProblems } from '../../api/body.ts';
import { conflict } from '../../api/write-request.ts';
import { isCompanyOfConnection } from '../../auth/callers/identity-queries.ts';
import type { Reader } from '../../db/database.ts';

/**
 * Asserts that no address has a domain that another company has proven to be its own, by a connection that the two do not share.
 *
 * @param addresses new ones of each person: the e-mail address, and the work address
 * @param pathAt returns the path of a person in the request
 * @throws ApiError `ALREADY_EXISTS`
 */
export async function assertOwnDomains(
  db: Reader,
  companyId: string,
  addresses: readonly (readonly (string | null | undefined)[])[],
  pathAt?: (index: number) => string,
): Promise<void> {
  const wanted = new Set(addresses.flat().flatMap((address) => (address ? [domainOf(address)] : [])));
  if (wanted.size === 0) return;
  const taken = await db.query<{ domain: string }>(sql`
    select domain from sign_in_domains join sign_in_connections connection on connection.id = connection_id
     where domain = any(array(select json_array_elements_text(${JSON.stringify([...wanted])}::text::json)))
       and not ${isCompanyOfConnection(sql`${companyId}::uuid`)}`);
  if (taken.length === 0) return;
  const isTaken = (address: string | null | undefined) =>
    typeof address === 'string' && taken.some(({ domain }) => domain === domainOf(address));
  const problems = addresses.flatMap((some, index) => {
    if (!some.some(isTaken)) return [];
    const own = [{ field: 'email', code: 'ALREADY_EXISTS' as const, message: OF_ANOTHER }];
    return pathAt ? prefixProblems(pathAt(index), own) : own;
  });
  throw conflict(problems);
}

/** Why a company cannot give an address to its people. */
export const OF_ANOTHER = 'The domain of this e-mail address is that of another company.';

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
