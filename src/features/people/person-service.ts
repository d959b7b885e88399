import sql, { type Sql } from 'sql-template-tag';
import { prefixProblems } from '../../api/body.ts';
import { erased, lockHierarchy } from '../../api/hierarchy.ts';
import { conflict, notFound } from '../../api/write-request.ts';
import { selectFields, todayOf } from '../../audit/entity-sql.ts';
import { callerColumns, domainName, isCompanyOfConnection } from '../../auth/callers/identity-queries.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { erasedEmail } from '../../entities/characters.ts';
import type { CalendarDate } from '../../entities/dates.ts';
import { fieldsBut, type RowOf } from '../../entities/entity.ts';
import { EMPLOYMENT_FIELDS, SUBSTITUTE_FIELDS, user } from '../../entities/user.ts';

export const ASSIGNMENT_FIELDS = ['departmentId', 'bandId'] as const;
const FIRST_FIELDS = ['email', 'firstName', 'lastName', 'clientType', 'approvalLimit'] as const;
const OTHER_FIELDS = [
  ...ASSIGNMENT_FIELDS,
  ...EMPLOYMENT_FIELDS,
  ...SUBSTITUTE_FIELDS,
  'id',
  'companyId',
  'active',
] as const;

/** Fields of a person that administrators set, on create and update, besides the employment. */
export const NEW_PERSON_FIELDS = [...FIRST_FIELDS, ...fieldsBut(user, ...FIRST_FIELDS, ...OTHER_FIELDS)];
/** Fields at the top level of an update; those of the employment have an object of their own. */
export const UPDATED_FIELDS = [...NEW_PERSON_FIELDS, ...ASSIGNMENT_FIELDS, 'active'] as const;

/** A user with all fields and roles. */
export interface Person extends Caller, RowOf<typeof user> {
  /** In the time zone of their company. */
  today: CalendarDate;
}

const OWN_FIELDS = fieldsBut(user, 'active');

/** Columns of a {@link Person}, for a statement that selects from `users`. */
export const personColumns: Sql = sql`
  ${callerColumns}, ${selectFields(user, OWN_FIELDS)}, ${todayOf('users')}::text as today`;

/**
 * Locks the user with that id until the transaction ends, like {@link lockPeople}.
 *
 * @throws ApiError `NOT_FOUND`
 */
export async function lockPerson(
  transaction: Transaction,
  id: string,
  condition: Sql,
  managers?: readonly (string | null | undefined)[],
): Promise<Person> {
  const [person] = (await lockPeople(transaction, [id], condition, managers)).values();
  if (person === undefined) throw notFound('user');
  return person;
}

/** People read before yielding to the event loop. */
const READ_BATCH = 50;

/**
 * Locks people until the transaction ends, against changes and new roles. If they get managers, the hierarchy of their company is locked
 * before, and the managers with them in one order: this precedes other locks of the transaction.
 *
 * @param condition on the row of `users`
 * @param managers ids of new managers, also of other companies; nullish ones are skipped
 * @returns those who exist, by id
 */
export async function lockPeople(
  transaction: Transaction,
  ids: readonly string[],
  condition: Sql,
  managers: readonly (string | null | undefined)[] = [],
): Promise<ReadonlyMap<string, Person>> {
  const named = managers.filter((id) => typeof id === 'string');
  if (named.length > 0) {
    await lockHierarchy(transaction, user, ids);
    await lockPeopleRows(transaction, [...ids, ...named], sql`true`);
  } else {
    await lockPeopleRows(transaction, ids, condition);
  }
  return findPeople(transaction, ids, condition);
}

/** Locks people like {@link lockPeople}, for a caller that reads them with its own statement. @param condition on the row of `users` */
export async function lockPeopleRows(transaction: Transaction, ids: readonly string[], condition: Sql): Promise<void> {
  // A separate statement: the next one then sees what earlier lock holders committed. `for update` also blocks new roles, whose
  // foreign key locks the user. Ordered by id, so that two transactions locking the same people cannot deadlock.
  await transaction.query(sql`select from users where ${isListed(ids)} and ${condition} order by id for update`);
}

/** Returns the users with these ids who exist, by id. @param condition on the row of `users` */
export async function findPeople(
  db: Reader,
  ids: readonly string[],
  condition = sql`true`,
): Promise<ReadonlyMap<string, Person>> {
  const people = new Map<string, Person>();
  for (let from = 0; from < ids.length; from += READ_BATCH) {
    const some = await db.query<Person>(sql`
      select ${personColumns} from users where ${isListed(ids.slice(from, from + READ_BATCH))} and ${condition}`);
    for (const person of some) people.set(person.id, person);
  }
  return people;
}

function isListed(ids: readonly string[]): Sql {
  return sql`users.id = ${anyOf(ids)}`;
}

/** @throws ApiError `ERASED` for a person whom the operator has erased */
export function assertNotErased({ id, email }: Pick<Person, 'id' | 'email'>): void {
  if (email === erasedEmail(id)) throw erased();
}

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
  const wanted = new Set(addresses.flat().flatMap((address) => (address ? [domainOfAddress(address)] : [])));
  if (wanted.size === 0) return;
  const taken = await db.query<{ domain: string }>(sql`
    select domain from sign_in_domains join sign_in_connections connection on connection.id = connection_id
     where domain = any(array(select json_array_elements_text(${JSON.stringify([...wanted])}::text::json)))
       and not ${isCompanyOfConnection(sql`${companyId}::uuid`)}`);
  if (taken.length === 0) return;
  const isTaken = (address: string | null | undefined) =>
    typeof address === 'string' && taken.some(({ domain }) => domain === domainOfAddress(address));
  const problems = addresses.flatMap((some, index) => {
    if (!some.some(isTaken)) return [];
    const own = [{ field: 'email', code: 'ALREADY_EXISTS' as const, message: OF_ANOTHER }];
    return pathAt ? prefixProblems(pathAt(index), own) : own;
  });
  throw conflict(problems);
}

/** Why a company cannot give an address to its people. */
export const OF_ANOTHER = 'The domain of this e-mail address is that of another company.';

/** Returns the {@link domainName} of an e-mail address. */
export function domainOfAddress(address: string): string {
  return domainName(address.slice(address.lastIndexOf('@') + 1));
}
