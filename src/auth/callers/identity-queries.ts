import { domainToASCII } from 'node:url';
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
  /** The company whose rights count alone; absent: all that the person holds. */
  companyId?: Sql;
}

/** Returns the parts of a statement for owners who are all of one source. */
function selectionOf(owners: readonly TokenOwner[]): OwnersSelection {
  const [first] = owners;
  const names = sql`select json_array_elements_text(${JSON.stringify(owners.map(nameOf))}::text::json)`;
  if (first === undefined || 'userId' in first) {
    return { owner: sql`users.id::text`, from: sql`users`, where: sql`users.id = any(array(${names}::uuid))` };
  }
  const { issuer, claim, connection } = first;
  const owner = sql`identity.subject`;
  const from = sql`users join user_identities identity on identity.user_id = users.id`;
  const where = sql`
    identity.issuer = ${issuer} and identity.claim = ${claim} and identity.subject = any(array(${names}))`;
  if (!connection) return { owner, from, where: sql`${where} and identity.connection_id is null` };
  return {
    owner,
    from: sql`${from} join sign_in_connections connection on connection.id = identity.connection_id`,
    where: sql`${where} and ${letsIn(first)}`,
    companyId: sql`case when connection.company_id <> users.company_id and ${isGuest} then connection.company_id else users.company_id end`,
  };
}

/**
 * Returns the condition that the connection of an identity, as it is now, lets in a user: of its company, a guest there, or of another one of
 * its companies and without a role elsewhere; and without a platform role, as a company's administrators decide about its provider.
 */
function letsIn({ issuer, claim, connection }: Identity): Sql {
  return sql`
    connection.id = ${connection?.id}::uuid and connection.active and connection.issuer = ${issuer}
    and connection.audience = ${connection?.audience} and connection.subject_claim = ${claim}
    and (connection.company_id = users.company_id or ${isGuest}
         or ${isCompanyOfConnection(sql`users.company_id`)} and not ${holdsRoleElsewhere})
    and not ${isPlatformStaff}`;
}

/** The companies of a `connection`: its own and, while that is active, those that agreed to share it. */
const companiesOfConnection: Sql = sql`(connection.company_id || (
  select string_to_array(connection.agreed_by, ' ')::uuid[] from companies owner
   where owner.id = connection.company_id and owner.active))`;

/** Returns a domain as the name system has it, and as proven ones are stored: `bücher.example` is `xn--bcher-kva.example`. */
export function domainName(domain: string): string {
  return domainToASCII(domain) || domain.toLowerCase();
}

/** Returns the condition that a company is one of those of a `connection`, whose people sign in by it and have addresses of its domains. */
export function isCompanyOfConnection(company: Sql): Sql {
  return sql`(connection.company_id = ${company} or ${company} = any(${companiesOfConnection}))`;
}

/** Condition that a user is a guest whom a connection lets in. */
const isGuest: Sql = sql`(
  connection.guests and exists (select from company_roles held
                                 where held.user_id = users.id and held.company_id = connection.company_id))`;

const holdsRoleElsewhere: Sql = sql`exists (
  select from company_roles held where held.user_id = users.id and held.company_id <> users.company_id)`;

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
 * @param way `any`: work addresses count, too
 * @returns why nobody was linked
 */
export async function linkIdentity(
  db: Writer,
  owner: Identity,
  email: string,
  way?: 'email' | 'any',
): Promise<SignInRefusal | undefined> {
  const { issuer, claim, subject, connection } = owner;
  const [found] = await db.query<{ works: boolean; isPlatformStaff: boolean; isLetIn: boolean; isLinked: boolean }>(sql`
    with person as (
      select users.id, ${worksOn()} as works, ${isPlatformStaff} as is_staff, ${connection ? letsIn(owner) : sql`true`} as is_let_in
        from users ${connection ? sql`join sign_in_connections connection on connection.id = ${connection.id}::uuid` : sql``}
       where users.id = ${personOf(email, connection, way)}),
    linked as (
      insert into user_identities (issuer, claim, subject, connection_id, user_id)
      select ${issuer}::text, ${claim}::text, ${subject}::text, ${connection?.id ?? null}::uuid, id
        from person where works and is_let_in
      on conflict do nothing
      returning user_id)
    select works, is_staff as "isPlatformStaff", is_let_in as "isLetIn", exists (select from linked) as "isLinked" from person`);
  if (found === undefined) return 'address unknown';
  if (found.isLinked) return undefined;
  if (!found.works) return 'user inactive';
  if (!found.isLetIn) return found.isPlatformStaff ? 'platform role' : 'role elsewhere';
  return (await relink(db, owner, sql`${personOf(email, connection, way)}`)) ? undefined : 'linked to another account';
}

/** Links a person to another account of a connection that links anew. @returns whether it does */
async function relink(db: Writer, owner: Identity, person: Sql): Promise<boolean> {
  const { issuer, claim, subject, connection } = owner;
  if (!connection) return false;
  const moved = await db.query(sql`
    update user_identities set claim = ${claim}::text, subject = ${subject}::text
      from sign_in_connections connection join users on users.id = ${person}
     where user_identities.user_id = users.id and user_identities.issuer = ${issuer}::text
       and user_identities.connection_id = connection.id and connection.relink_until > now() and ${letsIn(owner)}
       and not exists (select from user_identities taken where taken.issuer = ${issuer}::text
                          and taken.subject = ${subject}::text and taken.connection_id = connection.id)
    returning user_identities.user_id`);
  return moved.length > 0;
}

/**
 * Returns the id of the person with an e-mail address, in SQL: who signs in with it. By a connection one of its companies or a guest there,
 * else the one of its companies whose work address it is, as its directory has sent it, if they hold no role elsewhere.
 */
export function personOf(email: string, connection?: Identity['connection'], way: 'email' | 'any' = 'any'): Sql {
  const isTheirs = sql`${hasEmail(sql`${email}::text`)} and ${lowerAscii(sql`users.email`)} = ${lowerAscii(sql`${email}::text`)}`;
  if (!connection) return sql`(select id from users where ${isTheirs})`;
  const there = sql`join sign_in_connections connection on connection.id = ${connection.id}::uuid`;
  const known = sql`(select users.id from users ${there} where ${isTheirs} and (${isCompanyOfConnection(sql`users.company_id`)} or ${isGuest}))`;
  if (way === 'email') return known;
  return sql`coalesce(
    ${known},
    (select users.id from users ${there}
      where not exists (select from system_roles held where held.user_id = users.id)
        and not ${holdsRoleElsewhere}
        and (users.id, users.company_id) = (
          select (array_agg(user_id))[1], (array_agg(scim_users.company_id))[1] from scim_users
           where scim_users.company_id = any(${companiesOfConnection}) and deleted_at is null
             and lower_letters(work_email) = lower_letters(${email}::text)
             and ${lowerAscii(sql`work_email`)} = ${lowerAscii(sql`${email}::text`)}
          having count(*) = 1)))`;
}

/** Ends the links of a person to accounts: whoever signs in next is linked by their verified e-mail address. */
export async function unlinkIdentities(db: Writer, userId: string): Promise<void> {
  await db.query(sql`delete from user_identities where user_id = ${userId}::uuid`);
  await db.query(sql`update sign_ins set refused_at = null, refusal = null where user_id = ${userId}::uuid`);
}

/**
 * Returns the columns of a {@link Caller}, for a statement that selects from `users`.
 *
 * @param companyId of the company whose rights count alone
 */
export function callerColumnsIn(companyId?: Sql): Sql {
  const systemRole = sql`
    (select json_build_object('role', system_roles.role, 'active', system_roles.active)
       from system_roles where system_roles.user_id = users.id)`;
  return sql`
    users.id as "userId",
    users.active,
    ${worksOn()} as works,
    ${companyId ? sql`case when users.company_id = ${companyId} then 'home' else 'host' end` : sql`'platform'`} as "signedInBy",
    ${companyId ? sql`null::json` : systemRole} as "systemRole",
    coalesce(
      (select json_agg(json_build_object('id', company_roles.id, 'companyId', company_roles.company_id,
                                         'role', company_roles.role, 'companyActive', employer.active)
                       order by company_roles.role, company_roles.company_id)
         from company_roles join companies employer on employer.id = company_roles.company_id
        where company_roles.user_id = users.id ${companyId ? sql`and company_roles.company_id = ${companyId}` : sql``}),
      '[]') as "companyRoles",
    coalesce((select json_agg(json_build_object('companyId', role_grants.company_id, 'rules', coalesce(own.rules, '')))
       from role_grants join own_roles own on own.id = role_grants.role_id and own.active
       join companies employer on employer.id = role_grants.company_id and employer.active
      where role_grants.user_id = users.id and role_grants.company_id = users.company_id
        ${companyId ? sql`and role_grants.company_id = ${companyId}` : sql``}), '[]') as "ownRoles"`;
}

/** Columns of a {@link Caller} with all that the person holds. */
export const callerColumns: Sql = callerColumnsIn();

/** Finds the present caller for each token owner, deactivated ones included; undefined for an unknown owner. */
export function findCallers(db: Reader, owners: readonly TokenOwner[]): Promise<(Caller | undefined)[]> {
  return findByOwner(owners, ({ owner, from, where, companyId }) =>
    db.query<Caller & { owner: string }>(
      sql`select ${owner} as owner, ${callerColumnsIn(companyId)} from ${from} where ${where}`,
    ),
  );
}
