import sql from 'sql-template-tag';
import { readValues } from '../../api/body.ts';
import type { WriteRequest } from '../../api/write-request.ts';
import { recordEvent } from '../../audit/audit-trail.ts';
import { MAX_TOKEN_LENGTH } from '../../auth/tokens/token-form.ts';
import type { Database, Reader } from '../../db/database.ts';
import { anyOf, isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { signInConnection } from '../../entities/sign-in-connection.ts';
import { text, uuid } from '../../entities/values.ts';
import type { RefusalView } from './sign-in-connections-schemas.ts';

/** Reads the body of a test. @throws ApiError `INVALID_INPUT` */
export const readTest = (raw: unknown) => readValues(raw, { id: uuid }, { token: text(MAX_TOKEN_LENGTH) });

/** Returns why tokens of a connection were refused, the newest first. */
export function listRefusals(db: Reader, connectionId: string): Promise<RefusalView[]> {
  return db.query<RefusalView>(sql`
    select reason, rule, to_json(string_to_array(claims, ' ')) as claims, count, ${isoTimestamp(sql`refused_at`)} as "refusedAt"
      from sign_in_refusals where connection_id = ${connectionId}::uuid
     order by sign_in_refusals.refused_at desc, reason, rule, sign_in_refusals.claims`);
}

/** Ends the links of all accounts of a connection to people, and the refusals that they led to. @returns how many links ended */
export function forgetLinks(
  db: Database,
  { actor }: WriteRequest,
  { id, companyId }: { id: string; companyId: string },
): Promise<number> {
  return db.transaction(async (transaction) => {
    const ended = await transaction.query<{ userId: string }>(sql`
      delete from user_identities where connection_id = ${id}::uuid returning user_id as "userId"`);
    if (ended.length === 0) return 0;
    await transaction.query(sql`
      update sign_ins set refused_at = null, refusal = null
       where user_id = ${anyOf(ended.map(({ userId }) => userId))}`);
    await recordEvent(
      transaction,
      actor,
      { entity: signInConnection, id, companyId, values: { links: [ended.length, 0] } },
      'changed',
    );
    return ended.length;
  });
}
