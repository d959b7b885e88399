import sql, { type Sql } from 'sql-template-tag';
import { changedFields, throwIfInvalid } from '../../api/body.ts';
import { lockHierarchy } from '../../api/hierarchy.ts';
import { type Author, notFound } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { callerColumns } from '../../auth/callers/identity-queries.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Reader, Transaction, Writer } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { ApiError } from '../../entities/api-error.ts';
import { fieldsBut, type NewRowOf, type RowOf } from '../../entities/entity.ts';
import { companyRole } from '../../entities/held-role.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { EMPLOYMENT_FIELDS, SUBSTITUTE_FIELDS, user } from '../../entities/user.ts';
import { type Assignable, checkAssignment } from './assignments.ts';
import { checkEmployment } from './employment.ts';
import { linkManagers } from './managers-to-come.ts';
import { assertNotLastAdmin, findBrokenRule, stopsWorking } from './person-rules.ts';
import { checkGift } from './suspended-keys.ts';

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
export const PERSON_FIELDS = [...UPDATED_FIELDS, ...EMPLOYMENT_FIELDS] as const;

/** A user with all fields and roles. */
export interface Person extends Caller, RowOf<typeof user> {}
export type PersonPatch = Partial<RowOf<typeof user, (typeof PERSON_FIELDS)[number]>>;

const OWN_FIELDS = fieldsBut(user, 'active');

/** Columns of a {@link Person}, for a statement that selects from `users`. */
export const personColumns: Sql = sql`${callerColumns}, ${selectFields(user, OWN_FIELDS)}`;

/** Returns the user with that id; undefined where there is none. */
export async function findPerson(db: Reader, id: string): Promise<Person | undefined> {
  const [person] = await db.query<Person>(sql`select ${personColumns} from users where users.id = ${id}`);
  return person;
}

/**
 * Locks the user with that id until the transaction ends, against changes and new roles.
 *
 * @param condition on the row of `users`
 * @throws ApiError `NOT_FOUND`
 */
export async function lockPerson(transaction: Transaction, id: string, condition: Sql): Promise<Person> {
  const [person] = (await lockPeople(transaction, [id], condition)).values();
  if (person === undefined) throw notFound('user');
  return person;
}

/** People read before yielding to the event loop. */
const READ_BATCH = 50;

/** Locks people like {@link lockPerson}. @returns those who exist, by id */
export async function lockPeople(
  transaction: Transaction,
  ids: readonly string[],
  condition: Sql,
): Promise<ReadonlyMap<string, Person>> {
  await lockPeopleRows(transaction, ids, condition);
  return findPeople(transaction, ids, condition);
}

/**
 * Locks people and their new managers in one order, and the company's hierarchy before them. Precedes other locks of the transaction;
 * people of other companies are locked too, and not read.
 */
export async function lockWithManagers(
  transaction: Transaction,
  ids: readonly string[],
  managerIds: readonly string[],
): Promise<void> {
  await lockHierarchy(transaction, user, ids);
  await lockPeopleRows(transaction, [...ids, ...managerIds], sql`true`);
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

const insertUser = auditedInsert(user);
const insertRole = auditedInsert(companyRole);
const updateUser = auditedUpdate(user, PERSON_FIELDS);

/** A person to add, with roles in their company. */
export interface NewPerson {
  row: NewRowOf<typeof user>;
  roles: readonly CompanyRole[];
}

/** Adds people with their roles, skipping ids that exist already. @returns the number of people added */
export async function addPeople(
  db: Writer,
  { actor, caller }: { actor: Actor; caller?: Author['caller'] },
  people: readonly NewPerson[],
): Promise<number> {
  for (const { row, roles } of people) await checkGift(db, caller, { changes: row, roles });
  const rows = people.map(({ row }) => row);
  const added = await db.query<{ id: string }>(sql`with ${insertUser(rows, actor)} select id from written`);
  const ids = new Set(added.map(({ id }) => id));
  const given = people
    .filter(({ row }) => ids.has(row.id))
    .flatMap(({ row, roles }) => roles.map((role) => ({ userId: row.id, companyId: row.companyId, role })));
  await addRoles(db, actor, given);
  const [first] = rows;
  if (first && added.length > 0) {
    await linkManagers(db, actor, first.companyId, sql`select id from users where ${isListed([...ids])}`);
  }
  return added.length;
}

/** Adds roles that are not held yet. */
export async function addRoles(
  db: Writer,
  actor: Actor,
  roles: readonly NewRowOf<typeof companyRole>[],
): Promise<void> {
  if (roles.length === 0) return;
  await write(db, insertRole(roles, actor));
}

/** Returns the address of an erased person: unique and undeliverable, as `invalid` is a reserved top-level domain (RFC 2606). */
export function erasedEmail(id: string): string {
  return `${id}@erased.invalid`;
}

/** @throws ApiError `ERASED` for a person whom the operator has erased */
export function assertNotErased({ id, email }: Pick<Person, 'id' | 'email'>): void {
  if (email === erasedEmail(id)) throw new ApiError('ERASED', 'This person was erased: nothing about them can change.');
}

/** Optional context of {@link checkChanges}. */
export interface ChangeContext {
  /** Checks the precondition of the request: after the rules about people, before conflicts. */
  precondition?: () => Promise<void>;
  /** Departments and bands that are locked already; absent: those of the patch are looked up. */
  assignable?: Assignable;
  /** Receives who stops working, for a check of the last administrators after all changes of a request; absent: they are checked at once. */
  leaving?: Person[];
}

/** Writes the changes that {@link checkChanges} returned. @returns false where there are none */
export async function writeChanges(db: Writer, { actor }: Author, id: string, changes: PersonPatch): Promise<boolean> {
  if (Object.keys(changes).length === 0) return false;
  await write(db, updateUser({ id, patch: changes, actor }));
  return true;
}

/**
 * Checks changes to a person locked by {@link lockPerson} under the rules about people.
 *
 * @returns the fields of the patch that differ, for {@link writeChanges}
 * @throws ApiError `INVALID_INPUT` for a department or band of another company, and the errors of the rules and the precondition
 */
export async function checkChanges(
  transaction: Transaction,
  { caller }: Author,
  person: Person,
  patch: PersonPatch,
  { precondition, assignable, leaving }: ChangeContext = {},
): Promise<PersonPatch> {
  const changes: PersonPatch = changedFields(patch, person);
  await checkAssignment(transaction, person.companyId, changes, assignable);
  throwIfInvalid(checkEmployment({ ...person, ...changes }));
  const broken = findBrokenRule(caller, person, changes);
  if (broken !== undefined) throw new ApiError(broken.code, broken.message);
  await checkGift(transaction, caller, { person, changes });
  await precondition?.();
  assertNotErased(person);
  if (!stopsWorking(person, changes)) return changes;
  if (leaving) leaving.push(person);
  else await assertNotLastAdmin(transaction, caller, [person]);
  return changes;
}
