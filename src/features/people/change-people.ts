import sql, { join, type Sql } from 'sql-template-tag';
import { changedFields, prefixProblems, throwIfInvalid } from '../../api/body.ts';
import { withPhone } from '../../api/company-row.ts';
import { checkCustomFields } from '../../api/custom-fields.ts';
import { assertHierarchy } from '../../api/hierarchy.ts';
import { type Author, alreadyExists, conflict } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import {
  auditedDelete,
  auditedUpdate,
  auditedUpdates,
  auditedUpdateWithExtension,
  patchEach,
  write,
} from '../../audit/audited-write.ts';
import { keyColumns, sameKey } from '../../audit/entity-sql.ts';
import type { Reader, Transaction, Writer } from '../../db/database.ts';
import { anyOf, idsOf } from '../../db/sql/sql-fragments.ts';
import { ApiError, type FieldProblem } from '../../entities/api-error.ts';
import { deletedUserName } from '../../entities/characters.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import { companyRole } from '../../entities/held-role.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { EMPLOYMENT_FIELDS, KIND_FIELDS, SUBSTITUTE_FIELDS, user } from '../../entities/user.ts';
import { assertAssignable, checkEmployment, checkGuest, lockAssignable, pathOf } from './assignments.ts';
import { checkGift } from './held-roles.ts';
import { assertNotLastAdmin, findBrokenRule, stopsWorking } from './person-rules.ts';
import { assertNotErased, assertOwnDomains, type Person, UPDATED_FIELDS } from './person-service.ts';

const CHANGED_FIELDS = [...UPDATED_FIELDS, ...EMPLOYMENT_FIELDS, ...SUBSTITUTE_FIELDS] as const;
export type PersonPatch = Partial<RowOf<typeof user, (typeof CHANGED_FIELDS)[number]>>;

const updateOne = auditedUpdate(user, CHANGED_FIELDS);
const updateSeveral = auditedUpdates(user, CHANGED_FIELDS);
const updateWithDirectory = auditedUpdateWithExtension(user, CHANGED_FIELDS, scimUser);
const removeRoles = auditedDelete(companyRole);
const updateDirectory = auditedUpdates(scimUser, ['deletedAt', 'deletedUserName']);

/** Changes to a locked person. */
export interface PersonChange {
  person: Person;
  patch: PersonPatch;
  /** What the directory of the person knows. Without it, a change of `active` ends a deletion by the directory. */
  directory?: { row: NewRowOf<typeof scimUser>; changes: Partial<RowOf<typeof scimUser>> };
}

interface ChangeOptions {
  /** Returns the path of a change in the request; absent: that of its fields has no prefix. */
  pathAt?: (index: number) => string;
  /** Name of the manager in the request. */
  manager?: string;
  /** Checks the precondition of the request: after the rules about people, before conflicts. */
  precondition?: () => Promise<void>;
  /** Receives who stops working, for a check of the last administrators after all changes of a request; absent: they are checked at once. */
  leaving?: Person[];
}

/**
 * Changes people of a company under the rules about people, all in one statement: they may exchange addresses, numbers and ids. They are
 * locked, and so are new managers and the hierarchy before them. The roles of a deactivated person in other companies end.
 *
 * @returns the fields that differ, in the order of the changes
 * @throws ApiError `INVALID_INPUT` for a department, band or person of another company, the errors of the rules and the precondition
 */
export async function changePeople(
  transaction: Transaction,
  { caller, actor }: Author,
  changes: readonly PersonChange[],
  { pathAt, manager = pathOf('managerId'), precondition, leaving }: ChangeOptions = {},
): Promise<PersonPatch[]> {
  const own = changes.map(({ person: { id, fields }, patch, directory }, index) => {
    // What a directory sent is checked, and merged, already.
    const given = directory ? undefined : patch.fields;
    return { id, isNew: false, stored: fields, given, ...(pathAt && { path: pathAt(index) }) };
  });
  const companyOfAll = changes[0]?.person.companyId ?? '';
  const fields = await checkCustomFields(transaction, user, { caller, companyId: companyOfAll }, own);
  const all = await Promise.all(
    changes.map(async (change, index) => {
      const { person, directory } = change;
      const field = pathAt ? `${pathAt(index)}.phone` : 'phone';
      const patch = { ...change.patch, fields: fields[index] ?? (directory && change.patch.fields) ?? person.fields };
      const read = await withPhone(transaction, person.companyId, changedFields(patch, person), field);
      return { ...change, patch: changedFields(read, person) };
    }),
  );
  const [first] = all;
  if (first === undefined) return [];
  const { companyId } = first.person;
  const patches = all.map(({ patch }) => patch);
  const assignable = await lockAssignable(transaction, companyId, patches);
  /** Throws if one of the changes before an index takes a value that somebody keeps. */
  const assertFree = async (end = all.length) => {
    if (pathAt === undefined) return;
    const people = all.map(({ person, patch }) => ({ ...person, ...patch }));
    const taken = (await findTaken(transaction, people, all.map(changesKey))).filter(({ index }) => index < end);
    if (taken.length > 0) throw someTaken(taken, pathAt);
  };
  const addresses = all.map(({ patch, directory }) => [patch.email, directory?.changes.workEmail]);
  await assertOwnDomains(transaction, companyId, addresses, pathAt);
  for (const [index, change] of all.entries()) {
    const { person, patch } = change;
    try {
      assertAssignable(patch, assignable);
      await assertAllowed(transaction, caller, change);
      await precondition?.();
      assertNotErased(person);
    } catch (error) {
      if (error instanceof ApiError) await assertFree(index);
      throw atPath(pathAt?.(index), error);
    }
  }
  const leavers = all.filter(({ person, patch }) => stopsWorking(person, patch)).map(({ person }) => person);
  if (leaving) leaving.push(...leavers);
  else if (leavers.length > 0) await assertNotLastAdmin(transaction, caller, leavers);
  await returnToDirectories(transaction, actor, all);
  await assertFree();
  const differing = all.filter(({ patch, directory }) => hasChanges(patch) || hasChanges(directory?.changes));
  const written = differing.map(({ person: { id }, patch, directory }) => ({ id, patch, directory: directory?.row }));
  await writePeople(transaction, actor, written);
  const ended = all.flatMap(({ person: { companyRoles, companyId: home }, patch }) =>
    patch.active === false ? companyRoles.filter((held) => held.companyId !== home) : [],
  );
  if (ended.length > 0) await write(transaction, removeRoles(idsOf(ended), actor));
  const moved = all.map(({ person, patch }) => (patch.managerId ? person.id : ''));
  const pathOfManager = (id: string) => (pathAt ? `${pathAt(moved.indexOf(id))}.${manager}` : manager);
  await assertHierarchy(transaction, user, moved.filter(Boolean), (_, id) => pathOfManager(id));
  return patches;
}

function hasChanges(changes: object = {}): boolean {
  return Object.keys(changes).length > 0;
}

/** Asserts that the rules about people allow a change to one. @throws ApiError */
async function assertAllowed(
  transaction: Transaction,
  caller: Author['caller'],
  { person, patch, directory }: PersonChange,
): Promise<void> {
  const next = { ...person, ...patch };
  // A directory names no host: the manager stands for one.
  const isOther = directory === undefined && ['endDate', ...KIND_FIELDS].some((name) => name in patch);
  throwIfInvalid([...checkEmployment(next), ...(isOther ? checkGuest(next) : [])]);
  const changes = { ...patch, ...directory?.changes };
  await checkGift(transaction, caller, { person, changes });
  const broken = findBrokenRule(caller, person, changes);
  if (broken !== undefined) throw new ApiError(broken.code, broken.message);
}

/** Ends deletions of people who are activated or deactivated. Who is activated gets back the address from before, unless there is a new one. */
async function returnToDirectories(
  transaction: Transaction,
  actor: Actor,
  changes: readonly PersonChange[],
): Promise<void> {
  const switched = changes.filter(({ patch, directory }) => patch.active !== undefined && directory === undefined);
  const people = switched.map(({ person }) => person);
  const former = await endDeletions(transaction, actor, people);
  for (const { person, patch } of switched) {
    const email = former.get(person.id);
    if (email !== undefined && patch.active && patch.email === undefined) patch.email = email;
  }
}

/** Writes fields of people who are locked and checked, with their trail. @param changes with the new row of the person's directory */
export async function writePeople(
  db: Writer,
  actor: Actor,
  changes: readonly { id: string; patch: PersonPatch; directory?: NewRowOf<typeof scimUser> | undefined }[],
): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  if (changes.length > 1) return write(db, updateSeveral(changes, actor));
  const { id, patch, directory: extension } = first;
  await write(db, extension ? updateWithDirectory({ id, patch, extension, actor }) : updateOne({ id, patch, actor }));
}

/**
 * Undoes the deletion of people by a directory: it sees them again.
 *
 * @returns by id, the former e-mail address of those who have the placeholder
 */
export async function endDeletions(
  transaction: Transaction,
  actor: Actor,
  people: readonly Pick<Person, 'id' | 'email'>[],
): Promise<ReadonlyMap<string, string>> {
  if (people.length === 0) return new Map();
  const deleted = await transaction.query<{ id: string; userName: string | null }>(sql`
    select user_id as id, deleted_user_name as "userName" from scim_users
     where user_id = ${anyOf(idsOf(people))} and deleted_at is not null`);
  const patch = { deletedAt: null, deletedUserName: null };
  if (deleted.length > 0) await write(transaction, updateDirectory(patchEach(deleted, patch), actor));
  const isNameless = new Set(people.flatMap(({ id, email }) => (email === deletedUserName(id) ? [id] : [])));
  return new Map(deleted.flatMap(({ id, userName }) => (userName && isNameless.has(id) ? [[id, userName]] : [])));
}

const KEY_FIELDS = user.unique.flatMap(({ fields }) => fields.slice(-1));

function changesKey({ patch }: { patch: PersonPatch }): boolean {
  return KEY_FIELDS.some((field) => field in patch);
}

/** A field of a person, by their index in the request, of which somebody else keeps the value. */
export interface Taken {
  index: number;
  field: string;
}

/**
 * Finds unique values of people that somebody else keeps: they may take values from each other.
 *
 * @param isConcerned whether values of the person at an index are new
 */
export async function findTaken(
  db: Reader,
  people: readonly NewRowOf<typeof user>[],
  isConcerned: readonly boolean[],
): Promise<Taken[]> {
  const given = keysGiven(people, isConcerned);
  if (given === undefined) return [];
  const found = user.unique.map((key) => {
    const own = join(keyColumns(user, key, 's'));
    return sql`
      select index, ${key.fields.at(-1)}::text as field
        from (select s.*, row_number() over (partition by ${own} order by index) > 1 and (${own}) is not null as "isSecond" from given s) s
       where "isSecond" or exists (
         select from users t where ${sameKey(user, key, 's', 't')} and t.id <> s.id and not exists (
           select from given giver where giver.id = t.id and (${sameKey(user, key, 'giver', 't')}) is not true))`;
  });
  return db.query<Taken>(sql`with ${given} ${join(found, ' union all ')} order by 1, 2`);
}

type Keys = Pick<NewRowOf<typeof user>, 'id' | 'companyId' | 'email' | 'employeeNumber' | 'externalId'>;

/** Returns `given`, with the unique values of people by their index in the request; undefined where there are none. */
export function keysGiven(people: readonly Keys[], isConcerned?: readonly boolean[]): Sql | undefined {
  const content = people.flatMap(({ id, companyId, email, employeeNumber, externalId }, index) =>
    (isConcerned?.[index] ?? true)
      ? [{ index, id, company_id: companyId, email, employee_number: employeeNumber, external_id: externalId }]
      : [],
  );
  if (content.length === 0) return undefined;
  return sql`
    given as materialized (
      select (item -> 'index')::integer as index, person.*
        from jsonb_array_elements(${JSON.stringify(content)}::text::jsonb) item, jsonb_populate_record(null::users, item) person)`;
}

/** Taken values reported per request: thousands of addresses must not be probed by requests that write nothing. */
const MAX_TAKEN = 10;

/** Returns the error for taken values, of which the first are reported. @param pathAt returns the path of a person in the request */
export function someTaken(taken: readonly Taken[], pathAt?: (index: number) => string): ApiError {
  const problems = taken.slice(0, MAX_TAKEN).flatMap(({ index, field }) => {
    const own = alreadyExists(user, [field], pathOf).problems;
    return pathAt ? prefixProblems(pathAt(index), own) : own;
  });
  const { message } = conflict(problems);
  const more = taken.length > MAX_TAKEN ? ` There are more; only the first ${MAX_TAKEN} are reported.` : '';
  return new ApiError('ALREADY_EXISTS', `${message}${more}`, { problems });
}

/** Returns an error with the path of an item of the request before its fields; any other than an ApiError as it is. */
export function atPath(path: string | undefined, error: unknown): unknown {
  if (path === undefined || !(error instanceof ApiError)) return error;
  const own: FieldProblem = { field: path, code: 'INVALID_VALUE', message: error.message };
  const problems = error.problems.length > 0 ? prefixProblems(path, error.problems) : [own];
  return new ApiError(error.code, problems.map(({ message }) => message).join(' '), { problems });
}
