import sql, { type Sql } from 'sql-template-tag';
import { hasEmail, worksOn } from '../../audit/entity-sql.ts';
import type { Writer } from '../../db/database.ts';
import type { Identity, SignInRefusal, TokenOwner } from '../tokens/token-claims.ts';

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
        where: sql`
          identity.issuer = ${first.issuer} and identity.subject = any(array(${names}))
          and identity.claim = ${first.claim}`,
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

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Lower-cases the letters A to Z alone: a provider may tell others apart that look alike, such as `K` and the Kelvin sign. */
function lowerAscii(address: Sql): Sql {
  return sql`translate(${address}, ${LETTERS}, ${LETTERS.toLowerCase()})`;
}

/**
 * Links the account that is linked by its `sub` by the present claim instead, from the time when `sub` named people.
 *
 * @returns whether it was linked
 */
export async function moveLink(
  db: Writer,
  { issuer, claim, subject }: Identity,
  sub: string | undefined,
): Promise<boolean> {
  if (sub === undefined) return false;
  const moved = await db.query(sql`
    update user_identities set claim = ${claim}::text, subject = ${subject}::text
     where issuer = ${issuer}::text and claim = 'sub' and subject = ${sub}::text
       and not exists (select from user_identities taken
                        where taken.issuer = ${issuer}::text and taken.subject = ${subject}::text)
    returning user_id`);
  return moved.length > 0;
}

/**
 * Links an identity to the person who works and has this very e-mail address, but for the case of A to Z, unless one of them is linked already.
 *
 * @param email verified
 * @returns why nobody was linked
 */
export async function linkIdentity(
  db: Writer,
  { issuer, claim, subject }: Identity,
  email: string,
): Promise<SignInRefusal | undefined> {
  const [found] = await db.query<{ works: boolean; isLinked: boolean }>(sql`
    with person as (select id, ${worksOn()} as works from users
                 where ${hasEmail(sql`${email}::text`)} and ${lowerAscii(sql`users.email`)} = ${lowerAscii(sql`${email}::text`)}),
    linked as (
      insert into user_identities (issuer, claim, subject, user_id)
      select ${issuer}::text, ${claim}::text, ${subject}::text, id from person where works
      on conflict do nothing
      returning user_id)
    select works, exists (select from linked) as "isLinked" from person`);
  if (found === undefined) return 'address unknown';
  if (found.isLinked) return undefined;
  return found.works ? 'linked to another account' : 'user inactive';
}

/** Ends the links of a person to accounts: whoever signs in next is linked by their verified e-mail address. */
export async function unlinkIdentities(db: Writer, userId: string): Promise<void> {
  await db.query(sql`delete from user_identities where user_id = ${userId}::uuid`);
  await db.query(sql`update sign_ins set refused_at = null, refusal = null where user_id = ${userId}::uuid`);
}
