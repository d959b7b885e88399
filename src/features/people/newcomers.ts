import sql, { join, type Sql } from 'sql-template-tag';
import type { Author } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedUpdates, patchEach, write } from '../../audit/audited-write.ts';
import { sameKey } from '../../audit/entity-sql.ts';
import { unlinkIdentities } from '../../auth/callers/identity-queries.ts';
import type { Transaction, Writer } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { ApiError } from '../../entities/api-error.ts';
import { deletedUserName } from '../../entities/characters.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';
import { fold } from '../../lib/text-folding.ts';
import { pathOf } from './assignments.ts';
import { keysGiven, type PersonPatch, writePeople } from './change-people.ts';
import { checkGift } from './held-roles.ts';
import { findBrokenRule } from './person-rules.ts';
import { assertNotErased, lockPeople, type Person } from './person-service.ts';
import type { NewUser } from './users-input.ts';

/** What is known of a person, by which one who has left and one who comes are told apart; null or absent: unknown. */
export interface Evidence {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  employeeNumber?: string | null | undefined;
  dateOfBirth?: string | null | undefined;
  externalId?: string | null | undefined;
  /** The directory that knows the person by the external id. */
  directoryId?: string | null | undefined;
}

export type Verdict = 'same' | 'newcomer' | 'unclear';

/** What each piece of evidence says; the first that applies decides. */
const EVIDENCE: readonly (readonly [(former: Evidence, comes: Evidence) => boolean, Verdict])[] = [
  [(former, comes) => isEqual(former, comes, 'directoryId') && isEqual(former, comes, 'externalId'), 'same'],
  [(former, comes) => isEqual(former, comes, 'employeeNumber') && !areNamesDifferent(former, comes), 'same'],
  [(former, comes) => differs(former, comes, 'employeeNumber'), 'newcomer'],
  [areNamesDifferent, 'newcomer'],
  [(former, comes) => areNamesSame(former, comes) && isEqual(former, comes, 'dateOfBirth'), 'same'],
  [(former, comes) => areNamesSame(former, comes) && isFirstId(former, comes), 'same'],
  [
    (former, comes) =>
      isEqual(former, comes, 'directoryId') &&
      differs(former, comes, 'externalId') &&
      isUnknown(former, comes, 'employeeNumber', 'dateOfBirth'),
    'newcomer',
  ],
];

/** Decides whether a person who comes under the address or id of an inactive one is the same. */
export function compareEvidence(former: Evidence, comes: Evidence): Verdict {
  return EVIDENCE.find(([applies]) => applies(former, comes))?.[1] ?? 'unclear';
}

type Name = keyof Evidence;
const knownValue = (of: Evidence, name: Name) => (name === 'externalId' ? of[name] : fold(of[name] ?? '')) || undefined;
const areKnown = (one: Evidence, other: Evidence, name: Name) =>
  knownValue(one, name) !== undefined && knownValue(other, name) !== undefined;
const isEqual = (one: Evidence, other: Evidence, name: Name) =>
  areKnown(one, other, name) && knownValue(one, name) === knownValue(other, name);
const differs = (one: Evidence, other: Evidence, name: Name) =>
  areKnown(one, other, name) && knownValue(one, name) !== knownValue(other, name);
const isUnknown = (one: Evidence, other: Evidence, ...names: readonly Name[]) =>
  names.every((name) => !areKnown(one, other, name));

/** Returns whether a directory gives its first id to somebody whom it did not know by one. */
function isFirstId(former: Evidence, comes: Evidence): boolean {
  if (!comes.externalId || !comes.directoryId) return false;
  return !former.externalId || former.directoryId !== comes.directoryId;
}

const namesOf = ({ firstName, lastName }: Evidence) => [fold(firstName ?? ''), fold(lastName ?? '')] as const;
/** Returns whether the names of two people satisfy a comparison in one of both orders. */
function areNames(
  one: Evidence,
  other: Evidence,
  compare: (one: readonly string[], other: readonly string[]) => boolean,
) {
  const names = namesOf(other);
  return [names, names.toReversed()].map((each) => compare(namesOf(one), each));
}

/** Returns whether two people have the same names, in either order. */
export function areNamesSame(one: Evidence, other: Evidence): boolean {
  return areNames(one, other, (left, right) => left.every((name, index) => name === right[index])).includes(true);
}

function areNamesDifferent(one: Evidence, other: Evidence): boolean {
  return areNames(one, other, (left, right) => left.every((name, index) => name !== right[index])).every(Boolean);
}

/** Returns the address of a person whose own a newcomer has got. */
export function formerEmail(id: string): string {
  return `${id}@former.invalid`;
}

/** Values that a newcomer takes from the one before, if they are equal. */
type Taken = Pick<Evidence, 'employeeNumber' | 'externalId'>;

/**
 * Lets a person who has left give way to a newcomer: they lose their address, their links to accounts and groups, and what the newcomer takes.
 * Directories no longer see them; requests for their id are about the newcomer.
 *
 * @param former locked
 * @throws ApiError `PROTECTED_USER`, `KEY_SUSPENDED`, `ERASED`
 */
export async function giveWay(
  transaction: Transaction,
  { caller, actor }: Author,
  former: Person,
  taken: Taken,
  successorId: string,
): Promise<void> {
  const { id, companyId } = former;
  const patch: PersonPatch = { email: formerEmail(id) };
  if (former.email !== deletedUserName(id)) await checkGift(transaction, caller, { person: former, changes: patch });
  const broken = findBrokenRule(caller, former, patch);
  if (broken !== undefined) throw new ApiError(broken.code, broken.message);
  assertNotErased(former);
  if (isEqual(former, taken, 'employeeNumber')) patch.employeeNumber = null;
  if (isEqual(former, taken, 'externalId')) patch.externalId = null;
  await writePeople(transaction, actor, [{ id, patch }]);
  await unlinkIdentities(transaction, id);
  if (patch.externalId === null) await transaction.query(sql`delete from directory_people where user_id = ${id}::uuid`);
  await transaction.query(sql`delete from directory_group_members where user_id = ${id}::uuid`);
  await transaction.query(sql`
    insert into scim_users (user_id, company_id, deleted_at, successor_id)
    values (${id}::uuid, ${companyId}::uuid, now(), ${successorId}::uuid)
    on conflict (user_id) do update set deleted_at = now(), deleted_user_name = null, successor_id = excluded.successor_id`);
}

/**
 * Lets inactive people of a company give way to newcomers who are added by hand with their address, number or external id.
 *
 * @param pathAt returns the path of a person in a list of the request
 * @throws ApiError `ALREADY_EXISTS` where the person may be the same, unless `newcomer` says that it is not
 */
export async function replaceFormers(
  transaction: Transaction,
  author: Author,
  companyId: string,
  people: readonly NewUser[],
  pathAt?: (index: number) => string,
): Promise<void> {
  const given = keysGiven(people.map((one) => ({ ...one, companyId })));
  if (given === undefined) return;
  const isFormer = sql`users.company_id = ${companyId}::uuid and not users.active`;
  const hits = user.unique.map(
    (key, rank) => sql`
      select users.id, index, ${key.fields.at(-1)}::text as field, ${rank}::integer as rank
        from given s join users on ${sameKey(user, key, 's', 'users')} where ${isFormer}`,
  );
  const found = await transaction.query<{ id: string; index: number; field: string }>(sql`
    with ${given} select distinct on (id) id, index, field from (${join(hits, ' union all ')}) hit
     where id not in (select id from given) order by id, rank, index`);
  if (found.length === 0) return;
  const formers = await lockPeople(
    transaction,
    found.map(({ id }) => id),
    isFormer,
  );
  for (const { id, index, field } of found) {
    const [former, one] = [formers.get(id), people[index]];
    if (former === undefined || one === undefined) continue;
    if (!(one.newcomer ?? compareEvidence(former, one) === 'newcomer')) throw mayBeSame(pathOf(field), pathAt?.(index));
    await giveWay(transaction, author, former, one, one.id);
  }
}

function mayBeSame(name: string, path?: string): ApiError {
  const message = `Somebody who has left has this ${name}: activate them, or send newcomer true if this is another person.`;
  const field = path === undefined ? name : `${path}.${name}`;
  return new ApiError('ALREADY_EXISTS', message, { problems: [{ field, code: 'ALREADY_EXISTS', message }] });
}

const updateNamed = auditedUpdates(scimUser, ['managerValue']);

/** Selects people by their ids, for {@link linkManagers}. */
export const peopleOf = (ids: readonly string[]): Sql => sql`select id from users where id = ${anyOf(ids)}`;

/**
 * Links people whose manager a directory has named before they came. A link that would form a circle is left out.
 *
 * @param came selects the ids of people who are new, or have got another id, number or address
 */
export async function linkManagers(db: Writer, actor: Actor, companyId: string, came: Sql): Promise<void> {
  const links = await db.query<{ id: string; managerId: string }>(sql`
    with recursive links as materialized (
      select distinct on (waiting.user_id) waiting.user_id as id, above.id as manager_id
        from (${came}) came join users above on above.id = came.id
       cross join lateral (
         values (above.id::text), (above.external_id), (above.employee_number), (above.email)
          union all
         select external_id from directory_people where user_id = above.id) named (value)
        join scim_users waiting on waiting.company_id = above.company_id and waiting.manager_value is not null
             and lower_letters(waiting.manager_value) = lower_letters(named.value)
        join users on users.id = waiting.user_id and users.company_id = above.company_id and users.manager_id is null
       where exists (select from scim_users where company_id = ${companyId}::uuid and manager_value is not null)
       order by waiting.user_id, above.id),
    chain (start, id) as (
      select manager_id, manager_id from links
       union
      select chain.start, users.manager_id from chain join users on users.id = chain.id where users.manager_id is not null)
    select id, manager_id as "managerId" from links
     where not exists (select from chain where chain.start = links.manager_id and chain.id = links.id) order by id`);
  if (links.length === 0) return;
  const linked = links.map(({ id, managerId }) => ({ id, patch: { managerId } }));
  await writePeople(db, actor, linked);
  await write(db, updateNamed(patchEach(links, { managerValue: null }), actor));
}
