import sql from 'sql-template-tag';
import { readValues } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { notFound, type WriteRequest } from '../../api/write-request.ts';
import { recordEvent } from '../../audit/audit-trail.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import { isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Database, Reader } from '../../db/database.ts';
import { company } from '../../entities/company.ts';
import { signInConnection } from '../../entities/sign-in-connection.ts';
import { uuid } from '../../entities/values.ts';
import type { SharedConnectionView } from './sign-in-connections-schemas.ts';

/** Reads the body of an agreement: a connection, and a company with which it is shared. @throws ApiError `INVALID_INPUT` */
export const readSharing = (raw: unknown) => readValues(raw, { id: uuid, companyId: uuid });

/** Returns the fields of a connection, to which the companies that a Super Admin shares it with agree at once. */
export function agreedAtOnce<Given extends { sharedText?: string }>(
  { caller }: Pick<WriteRequest, 'caller'>,
  given: Given,
): Given & { agreedText?: string } {
  const { sharedText } = given;
  return isSuperAdmin(caller) && sharedText !== undefined ? { ...given, agreedText: sharedText } : given;
}

/** Returns the connections of others that are shared with a company, oldest first. @param id of the only one */
export function findShared(db: Reader, companyId: string, id?: string): Promise<SharedConnectionView[]> {
  return db.query<SharedConnectionView>(sql`
    select ${selectFields(signInConnection, ['id', 'companyId', 'issuer', 'audience', 'emailsVerified', 'active'])},
           ${jsonOfFields(company, ['id', 'name'])} as company, to_json(string_to_array(domains, ' ')) as domains,
           ${companyId}::text = any(string_to_array(agreed_by, ' ')) as agreed
      from sign_in_connections join companies on companies.id = company_id
     where ${companyId}::text = any(string_to_array(shared_with, ' '))
       and ${id === undefined ? sql`true` : sql`sign_in_connections.id = ${id}::uuid`}
     order by sign_in_connections.created_at, sign_in_connections.id`);
}

const update = auditedUpdate(signInConnection, ['agreedText']);

/** Agrees to share a connection, or ends that; told in the trails of both companies. @throws ApiError `NOT_FOUND` if it is not shared with the company */
export function setAgreement(
  db: Database,
  { actor, scope, input }: Pick<WriteRequest, 'actor' | 'scope'> & { input: ReturnType<typeof readSharing> },
  agrees: boolean,
): Promise<SharedConnectionView> {
  const { id, companyId } = input;
  return db.transaction(async (transaction) => {
    await assertCompanyVisible(transaction, scope, companyId);
    const [locked] = await transaction.query<{ agreed: string[] }>(sql`
      select to_json(string_to_array(agreed_by, ' ')) as agreed from sign_in_connections where id = ${id}::uuid for no key update`);
    const [found] = await findShared(transaction, companyId, id);
    if (locked === undefined || found === undefined) throw notFound(signInConnection.noun);
    if (found.agreed === agrees) return found;
    const others = locked.agreed.filter((each) => each !== companyId);
    const agreedText = [...others, ...(agrees ? [companyId] : [])].sort().join(' ');
    await write(transaction, update({ id, patch: { agreedText }, actor }));
    const values = { agreedText: agrees ? ['', companyId] : [companyId, ''] };
    await recordEvent(transaction, actor, { entity: signInConnection, id, companyId, values }, 'changed');
    return { ...found, agreed: agrees };
  });
}
