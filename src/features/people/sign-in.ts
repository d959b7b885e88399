import sql from 'sql-template-tag';
import { readId } from '../../api/body.ts';
import { inScope, type WriteRequest } from '../../api/write-request.ts';
import { type Actor, recordEvent } from '../../audit/audit-trail.ts';
import { unlinkIdentities } from '../../auth/callers/identity-queries.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { user } from '../../entities/user.ts';
import { findUser, type UserRow } from '../profile/profile-queries.ts';
import { findBrokenRule } from './person-rules.ts';
import { assertNotErased, lockPerson } from './person-service.ts';

const PROTECTED =
  'This person holds a platform role, or a role in another company: only a Super Admin may forget how they sign in.';

/** Reads the body of {@link forgetSignIn}. @throws ApiError `INVALID_INPUT` */
export const readForgotten = (raw: unknown): { id: string } => readId(user, raw);

/**
 * Ends the links of a person to accounts, so that the next sign-in with their verified e-mail address links anew.
 *
 * @throws ApiError `NOT_FOUND`, `PROTECTED_USER`, `ERASED`
 */
export function forgetSignIn(db: Database, request: WriteRequest, id: string): Promise<UserRow> {
  return db.transaction(async (transaction) => {
    const person = await lockPerson(transaction, id, inScope(request.scope, sql`company_id`));
    // Whoever signs in next with the address is the person: the rules of a change of the address apply.
    const broken = findBrokenRule(request.caller, person, { links: null });
    if (broken !== undefined) throw new ApiError(broken.code, PROTECTED);
    assertNotErased(person);
    const before = (await findUser(transaction, id)).signIn;
    await unlinkIdentities(transaction, id);
    if (before.linked) await recordUnlinked(transaction, request.actor, person);
    return findUser(transaction, id);
  });
}

function recordUnlinked(
  transaction: Transaction,
  actor: Actor,
  { id, companyId }: { id: string; companyId: string },
): Promise<void> {
  const subject = { entity: user, id, userId: id, companyId, values: { signIn: ['linked', null] } };
  return recordEvent(transaction, actor, subject, 'changed');
}

/** People whose links end in one transaction. */
const BATCH = 500;

/** Ends the links of all people to accounts of the platform's provider, as after a new app registration there. @returns their number */
export async function forgetPlatformLinks(db: Database, issuer: string): Promise<number> {
  for (let count = 0; ; ) {
    const ended = await db.transaction(async (transaction) => {
      const people = await transaction.query<{ id: string; companyId: string }>(sql`
        with ended as (
          delete from user_identities where issuer = ${issuer}::text and connection_id is null and subject in (
            select subject from user_identities where issuer = ${issuer}::text and connection_id is null limit ${BATCH}::integer)
          returning user_id)
        select id, company_id as "companyId" from users where id in (select user_id from ended)`);
      for (const person of people) await recordUnlinked(transaction, { kind: 'command' }, person);
      return people.length;
    });
    if (ended === 0) return count;
    count += ended;
  }
}
