import sql, { type Sql } from 'sql-template-tag';
import { hasEmail, worksOn } from '../../audit/entity-sql.ts';
import type { Writer } from '../../db/database.ts';
import type { Identity, TokenOwner } from '../tokens/token-claims.ts';

/** Parts of a statement that selects the users of tokens. */
export interface OwnersSelection {
  /** Name of the owner in the token, to be selected as `owner`. */
  owner: Sql;
  /** `users`, with the joins that the other parts need. */
  from: Sql;
  where: Sql;
}

/** Returns the parts of a statement for these owners. @param owners all of one kind, as all tokens come from one issuer */
export function selectionOf(owners: readonly TokenOwner[]): OwnersSelection {
  const [first] = owners;
  const names = sql`select json_array_elements_text(${JSON.stringify(owners.map(nameOf))}::text::json)`;
  return first && 'issuer' in first
    ? {
        owner: sql`identity.subject`,
        from: sql`users join user_identities identity on identity.user_id = users.id`,
        where: sql`identity.issuer = ${first.issuer} and identity.subject = any(array(${names}))`,
      }
    : { owner: sql`users.id::text`, from: sql`users`, where: sql`users.id = any(array(${names}::uuid))` };
}

/** Returns the row of each owner, in their order; undefined for those without one. */
export function rowOfEach<Row extends { owner: string }>(
  owners: readonly TokenOwner[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const byOwner = new Map(rows.map((row) => [row.owner, row]));
  return owners.map((owner) => byOwner.get(nameOf(owner)));
}

function nameOf(owner: TokenOwner): string {
  return 'userId' in owner ? owner.userId : owner.subject;
}

/**
 * Links an identity to the active user with this e-mail address. Does nothing if there is no such user, or if user or identity are linked
 * already.
 */
export async function linkIdentity(db: Writer, { issuer, subject }: Identity, email: string): Promise<void> {
  await db.query(sql`
    insert into user_identities (issuer, subject, user_id)
    select ${issuer}::text, ${subject}::text, users.id from users
     where ${hasEmail(sql`${email}::text`)} and ${worksOn()}
    on conflict do nothing`);
}
