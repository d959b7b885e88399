import sql, { type Sql } from 'sql-template-tag';
import type { Executor } from '../db/database.ts';
import type { Identity, TokenOwner } from './token-claims.ts';

/** Whether a row of `users` is the owner of a token, for the `where` of a statement. */
export function isOwner(owner: TokenOwner): Sql {
  return 'userId' in owner
    ? sql`users.id = ${owner.userId}`
    : sql`users.id = (select user_id from user_identities where issuer = ${owner.issuer} and subject = ${owner.subject})`;
}

/**
 * Links an identity to the active user with this e-mail address. Nothing happens where there is no such user, where the user is linked to
 * another identity of the issuer already, or the identity to another user.
 */
export async function linkIdentity(db: Executor, { issuer, subject }: Identity, email: string): Promise<void> {
  await db.query(sql`
    insert into user_identities (issuer, subject, user_id)
    select ${issuer}::text, ${subject}::text, users.id from users
     where lower(users.email collate "C") = lower(${email} collate "C") and users.active
    on conflict do nothing`);
}
