import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { phoneCountry } from '../../../api/company-row.ts';
import { lockHierarchyOf } from '../../../api/hierarchy.ts';
import { alreadyExists, mapConflicts, notFound } from '../../../api/write-request.ts';
import { takenField } from '../../../audit/audited-write.ts';
import { unlinkIdentities } from '../../../auth/callers/identity-queries.ts';
import type { Database, Reader, Transaction } from '../../../db/database.ts';
import { department } from '../../../entities/department.ts';
import { user } from '../../../entities/user.ts';
import { countKeysMade } from '../../api-keys/keys-made.ts';
import type { PersonPatch } from '../../people/change-people.ts';
import { forgetPerson } from '../../people/forget-person.ts';
import { assignmentByGroups } from '../../people/group-roles.ts';
import { deletedUserName, lockPeopleRows } from '../../people/person-service.ts';
import { type LeftOut, noteDirectory, recordLeftOut } from '../left-out.ts';
import { type PatchStep, patched } from '../protocol/patch.ts';
import { readValues, type Values } from '../protocol/values.ts';
import { assertVersion } from '../response.ts';
import type { Directory } from '../scim-operation.ts';
import { joinersAssignment, namedAssignment, namedManager } from './assignments.ts';
import { changesOf, type UserChanges } from './user-changes.ts';
import { isOfCompany, type ScimUserRow } from './user-row.ts';
import { USER_SCHEMAS, type UserFields, userContent, userFields, valuesOf } from './user-schemas.ts';
import { addUser, applyChanges, changeUser, keptOf } from './user-writes.ts';
import { findByUserName, findScimPerson, findScimUser, type ScimPerson } from './users-queries.ts';

/** A person after a write. */
export interface WrittenUser {
  row: ScimUserRow;
  leftOut: LeftOut;
}

/** Returns a person visible to the directory. @throws ApiError `NOT_FOUND` */
export async function getScimUser(db: Reader, directory: Directory, id: string): Promise<ScimUserRow> {
  const found = await findScimUser(db, directory, id);
  if (found === undefined) throw notFound(user.noun);
  return found;
}

/**
 * Adds a person, or restores the one with this `userName` whom the directory deleted.
 *
 * @throws ApiError `INVALID_INPUT`, `ALREADY_EXISTS`, `PROTECTED_USER`
 */
export async function createScimUser(db: Database, directory: Directory, body: object): Promise<WrittenUser> {
  const fields = userFields(readValues(body, USER_SCHEMAS));
  const { companyId } = directory;
  return inTransaction(db, async (transaction) => {
    await lockHierarchyOf(transaction, user, companyId);
    const named = fields.email && (await findByUserName(transaction, companyId, fields.email.trim()));
    if (!named) {
      const changes = changesOf(undefined, fields, 'POST', await phoneCountry(transaction, companyId, fields.phone));
      const id = await addUser(transaction, directory, changes);
      return written(transaction, directory, id, changes);
    }
    if (named.isDeleted && named.companyId === companyId) {
      const person = await lockUser(transaction, directory, named.id);
      if (isDeleted(person)) return makeNewcomer(transaction, directory, person, { active: true, ...fields });
    }
    throw alreadyExists(user.noun, ['userName']);
  });
}

function isDeleted({ deletedAt, active }: ScimPerson): boolean {
  return deletedAt !== null && !active;
}

/** Gives the row of a former person to a newcomer: these values, the defaults of a joiner for the rest, and no account that signs in. */
async function makeNewcomer(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  fields: UserFields,
): Promise<WrittenUser> {
  const country = await phoneCountry(transaction, directory.companyId, fields.phone);
  const changes = changesOf(undefined, fields, 'PUT', country);
  const assignment = await joinersAssignment(transaction, directory, changes);
  const { patch, extension, manager, roles = ['EMPLOYEE'] } = changes;
  await transaction.query(sql`delete from directory_group_members where user_id = ${person.id}::uuid`);
  await applyChanges(transaction, directory, person, {
    patch: { ...patch, ...assignment },
    extension: { ...extension, leftExternalId: null },
    roles,
    manager,
  });
  await forgetPerson(transaction, directory.actor, person.id);
  return written(transaction, directory, person.id, changes);
}

/** Notes that the directory has written a person, and what it left out. */
async function written(
  transaction: Transaction,
  directory: Directory,
  id: string,
  { leftOut }: UserChanges,
): Promise<WrittenUser> {
  await noteDirectory(transaction, directory, id);
  await recordLeftOut(transaction, directory, leftOut, { userId: id });
  return { row: await getScimUser(transaction, directory, id), leftOut };
}

/** Replaces the attributes of a person; absent ones are cleared where possible. @throws ApiError */
export async function replaceScimUser(
  db: Database,
  directory: Directory,
  id: string,
  body: object,
): Promise<WrittenUser> {
  const values = readValues(body, USER_SCHEMAS);
  return changeScimUser(db, directory, id, 'PUT', () => values);
}

/** Applies a PATCH to a person atomically. @throws ApiError */
export function patchScimUser(
  db: Database,
  directory: Directory,
  id: string,
  steps: readonly PatchStep[],
): Promise<WrittenUser> {
  const namesPeople = steps.some(({ target: { attribute, sub } }) => NAMING.includes((sub ?? attribute).field ?? ''));
  return changeScimUser(db, directory, id, 'PATCH', (before) => patched(before, steps), namesPeople);
}

/** Deactivates a person and hides them from the directory, which frees their `userName` and `externalId`. @throws ApiError */
export function deleteScimUser(db: Database, directory: Directory, id: string): Promise<{ keysMade: number }> {
  return inTransaction(db, async (transaction) => {
    const person = await lockSeenUser(transaction, directory, id);
    const patch: PersonPatch = { active: false, email: deletedUserName(id), externalId: null };
    const deletion = { deletedAt: new Date().toISOString(), deletedUserName: person.email };
    await changeUser(transaction, directory, person, patch, { ...keptOf(person), ...deletion });
    await unlinkIdentities(transaction, id);
    return { keysMade: await countKeysMade(transaction, [id], [directory.companyId]) };
  });
}

function changeScimUser(
  db: Database,
  directory: Directory,
  id: string,
  method: 'PUT' | 'PATCH',
  change: (present: Values) => Values,
  namesPeople = true,
): Promise<WrittenUser> {
  return inTransaction(db, async (transaction) => {
    if (namesPeople) await lockManager(transaction, directory, id, change);
    const person = await lockSeenUser(transaction, directory, id);
    const present = valuesOf(person);
    const { workEmail, ...others } = userFields(present);
    const after = userFields(change(present));
    // Without a stored work address, `emails` shows the userName. Sent with a new userName, it counts as a separate work address.
    const isSeparate = method === 'PUT' && person.workEmail === null && after.email !== person.email;
    const before = isSeparate ? others : { ...others, workEmail };
    if (isAnotherPerson(person, after)) {
      return makeNewcomer(transaction, directory, person, method === 'PUT' ? after : sentAnew(before, after));
    }
    const country = await phoneCountry(transaction, directory.companyId, after.phone);
    const changes = changesOf(before, after, method, country);
    const given = await assignmentByGroups(transaction, id);
    const assignment = await namedAssignment(transaction, directory, changes, given);
    changes.extension.leftExternalId = leftExternalIdOf(person, after);
    await applyChanges(transaction, directory, person, { ...changes, patch: { ...changes.patch, ...assignment } });
    const { row, leftOut } = await written(transaction, directory, id, changes);
    const mayHaveLeft = (person.active && !row.active) || changes.roles !== undefined;
    const keysMade = mayHaveLeft ? await countKeysMade(transaction, [id], [directory.companyId]) : undefined;
    return { row: keysMade === undefined ? row : { ...row, keysMade }, leftOut };
  });
}

/** Fields that a write of the hierarchy contains: a manager, and what somebody may be named by as one. */
const NAMING = ['manager', 'employeeNumber', 'externalId', 'email'];

/** Locks the hierarchy of the company, and a person with their new manager in the order of ids. */
async function lockManager(
  transaction: Transaction,
  directory: Directory,
  id: string,
  change: (present: Values) => Values,
): Promise<void> {
  const { companyId } = directory;
  await lockHierarchyOf(transaction, user, companyId);
  const person = await findScimPerson(transaction, directory, id);
  if (person === undefined) return;
  const present = valuesOf(person);
  const { manager } = changesOf(userFields(present), userFields(change(present)), 'PATCH', null);
  const { managerId } = await namedManager(transaction, companyId, manager);
  if (managerId) await lockPeopleRows(transaction, [id, managerId], isOfCompany(companyId));
}

/** Returns whether a directory has given the row of an inactive person to somebody else: active, and with another id of its own. */
function isAnotherPerson({ active, externalId, leftExternalId }: ScimPerson, after: UserFields): boolean {
  const former = leftExternalId ?? externalId;
  return !active && after.active === true && former !== null && !['', former].includes(after.externalId ?? '');
}

/** Returns the id by which a directory knew an inactive person when they left, while it changes that id. */
function leftExternalIdOf({ active, externalId, leftExternalId }: ScimPerson, after: UserFields): string | null {
  if (active || after.active === true) return null;
  return leftExternalId ?? (after.externalId === externalId ? null : externalId);
}

/** Returns the values that a PATCH has set, and what names the person. */
function sentAnew(before: UserFields, after: UserFields): UserFields {
  const isKept = (name: string) => ['externalId', 'email', 'firstName', 'lastName'].includes(name);
  const sent = Object.entries(after).filter(([name, value]) => isKept(name) || !isDeepStrictEqual(value, before[name]));
  return Object.fromEntries(sent);
}

/** Locks and reads a person of the company. @throws ApiError `NOT_FOUND` */
async function lockUser(transaction: Transaction, directory: Directory, id: string): Promise<ScimPerson> {
  await lockPeopleRows(transaction, [id], isOfCompany(directory.companyId));
  const person = await findScimPerson(transaction, directory, id);
  if (person === undefined) throw notFound(user.noun);
  return person;
}

/** Locks and reads a person visible to the directory, and checks `If-Match`. @throws ApiError `NOT_FOUND`, `PRECONDITION_FAILED` */
async function lockSeenUser(transaction: Transaction, directory: Directory, id: string): Promise<ScimPerson> {
  const person = await lockUser(transaction, directory, id);
  if (isDeleted(person)) throw notFound(user.noun);
  assertVersion(directory, userContent(person), user.noun);
  return person;
}

/** Runs work in a transaction. Values taken by another person become a conflict. */
function inTransaction<Result>(db: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const nameOf = (field: string) => (field === 'email' ? 'userName' : field);
  const attempt = () => db.transaction(work);
  return mapConflicts(
    user,
    // The department was added concurrently: the retry finds it.
    () =>
      attempt().catch((error: unknown) => {
        if (takenField(department, error) === undefined) throw error;
        return attempt();
      }),
    nameOf,
  );
}
