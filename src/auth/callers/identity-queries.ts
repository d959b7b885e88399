import sql, { raw, type Sql } from 'sql-template-tag';
import { hasEmail, worksOn } from '../../audit/entity-sql.ts';
import type { Reader, Writer } from '../../db/database.ts';
import type { Identity, SignInRefusal, TokenOwner } from '../tokens/token-claims.ts';
import type { Caller } from './roles.ts';

/** Parts of a statement that selects the users of tokens. */
export interface OwnersSelection {
  /** Name of the owner in the token, to be selected as `owner`. */
  owner: Sql;
  /** `users`, with the joins that the other parts need. */
  from: Sql;
  where: Sql;
}

/** Returns the parts of a statement for owners who are all of one source. */
function selectionOf(owners: readonly TokenOwner[]): OwnersSelection {
  const [first] = owners;
  const names = sql`select json_array_elements_text(${JSON.stringify(owners.map(nameOf))}::text::json)`;
  if (first === undefined || 'userId' in first) {
    return { owner: sql`users.id::text`, from: sql`users`, where: sql`users.id = any(array(${names}::uuid))` };
  }
  const { issuer, claim, connection } = first;
  return {
    owner: sql`identity.subject`,
    from: sql`users join user_identities identity on identity.user_id = users.id`,
    where: sql`
      identity.issuer = ${issuer} and identity.claim = ${claim}
      and ${connection ? sql`identity.connection_id = ${connection.id}::uuid and ${letsIn(first)}` : sql`identity.connection_id is null`}
      and identity.subject = any(array(${names}))`,
  };
}

/**
 * Returns the condition that the connection of an identity, as it is now, lets in a user: of its company, and without a platform role, as a
 * company's administrators decide about its provider.
 */
function letsIn({ issuer, claim, connection }: Identity): Sql {
  return sql`exists (
    select from sign_in_connections connection
     where connection.id = ${connection?.id}::uuid and connection.active and connection.company_id = users.company_id
       and connection.issuer = ${issuer} and connection.audience = ${connection?.audience}
       and connection.subject_claim = ${claim} and not ${isPlatformStaff})`;
}

const isPlatformStaff: Sql = sql`exists (
  select from system_roles where system_roles.user_id = users.id and system_roles.active)`;

/**
 * Finds a row for each owner by a statement for those of each source.
 *
 * @param find runs the statement, with `owner` among its columns
 * @returns the rows in the order of the owners; undefined for those without one
 */
export async function findByOwner<Row extends { owner: string }>(
  owners: readonly TokenOwner[],
  find: (selection: OwnersSelection) => Promise<readonly Row[]>,
): Promise<(Row | undefined)[]> {
  const bySource = new Map<string, TokenOwner[]>();
  for (const owner of owners) {
    const source = sourceOf(owner);
    const others = bySource.get(source);
    if (others) others.push(owner);
    else bySource.set(source, [owner]);
  }
  const byOwner = new Map<string, Row>();
  const findSome = async ([source, some]: [string, TokenOwner[]]) => {
    for (const row of await find(selectionOf(some))) byOwner.set(source + row.owner, row);
  };
  await Promise.all([...bySource].map(findSome));
  return owners.map((owner) => byOwner.get(sourceOf(owner) + nameOf(owner)));
}

function sourceOf(owner: TokenOwner): string {
  if ('userId' in owner) return '';
  const { issuer, claim, connection } = owner;
  return JSON.stringify([issuer, claim, connection]);
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
  { issuer, claim, subject, connection }: Identity,
  sub: string | undefined,
): Promise<boolean> {
  if (sub === undefined) return false;
  const isOfConnection = (row: string) =>
    sql`${raw(row)}.connection_id is not distinct from ${connection?.id ?? null}::uuid`;
  const moved = await db.query(sql`
    update user_identities set claim = ${claim}::text, subject = ${subject}::text
     where issuer = ${issuer}::text and claim = 'sub' and subject = ${sub}::text and ${isOfConnection('user_identities')}
       and not exists (select from user_identities taken
                        where taken.issuer = ${issuer}::text and taken.subject = ${subject}::text and ${isOfConnection('taken')})
    returning user_id`);
  return moved.length > 0;
}

/**
 * Links an identity to the person who works and has this very e-mail address, but for the case of A to Z, unless one of them is linked already.
 *
 * @param email verified
 * @returns why nobody was linked
 */
export async function linkIdentity(db: Writer, owner: Identity, email: string): Promise<SignInRefusal | undefined> {
  const { issuer, claim, subject, connection } = owner;
  const [found] = await db.query<{ works: boolean; isPlatformStaff: boolean; isLinked: boolean }>(sql`
    with person as (
      select id, ${worksOn()} as works, ${isPlatformStaff} as is_staff, ${connection ? letsIn(owner) : sql`true`} as is_let_in
        from users
       where users.id = ${personOf(email)}
         and ${connection ? sql`company_id = (select company_id from sign_in_connections where id = ${connection.id}::uuid)` : sql`true`}),
    linked as (
      insert into user_identities (issuer, claim, subject, connection_id, user_id)
      select ${issuer}::text, ${claim}::text, ${subject}::text, ${connection?.id ?? null}::uuid, id
        from person where works and is_let_in
      on conflict do nothing
      returning user_id)
    select works, is_staff as "isPlatformStaff", exists (select from linked) as "isLinked" from person`);
  if (found === undefined) return 'address unknown';
  if (found.isLinked) return undefined;
  if (!found.works) return 'user inactive';
  return connection && found.isPlatformStaff ? 'platform role' : 'linked to another account';
}

/**
 * Returns the id of the person with an e-mail address, in SQL: the one who signs in with it, else the one whose work address it is, as the
 * directory of their company has sent it, if nobody else has it.
 */
export function personOf(email: string): Sql {
  return sql`coalesce(
    (select id from users
      where ${hasEmail(sql`${email}::text`)} and ${lowerAscii(sql`users.email`)} = ${lowerAscii(sql`${email}::text`)}),
    (select (array_agg(owner.id))[1] from scim_users join users owner on owner.id = scim_users.user_id
      where lower_letters(work_email) = lower_letters(${email}::text)
        and ${lowerAscii(sql`work_email`)} = ${lowerAscii(sql`${email}::text`)} and scim_users.company_id = owner.company_id
        and scim_users.deleted_at is null
     having count(*) = 1))`;
}

/** Ends the links of a person to accounts: whoever signs in next is linked by their verified e-mail address. */
export async function unlinkIdentities(db: Writer, userId: string): Promise<void> {
  await db.query(sql`delete from user_identities where user_id = ${userId}::uuid`);
  await db.query(sql`update sign_ins set refused_at = null, refusal = null where user_id = ${userId}::uuid`);
}

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
