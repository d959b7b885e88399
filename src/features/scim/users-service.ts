import { alreadyExists, mapConflicts, notFound } from '../../api/write-request.ts';
import { takenField } from '../../audit/audited-write.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { department } from '../../entities/department.ts';
import { user } from '../../entities/user.ts';
import { countKeysMade } from '../api-keys/api-keys.ts';
import { checkChanges, deletedUserName, lockPeopleRows, type PersonPatch } from '../people/people.ts';
import { joinersAssignment, namedAssignment } from './department-and-band.ts';
import { applyPatch } from './patch.ts';
import type { PatchOperation } from './patch-request.ts';
import type { Directory } from './scim-request.ts';
import { assertVersion } from './scim-response.ts';
import { changesOf, type UserChanges } from './user-changes.ts';
import { isOfCompany, type ScimUserRow } from './user-row.ts';
import { USER_SCHEMAS } from './user-schemas.ts';
import { addUser, applyChanges, keptOf, updateUser } from './user-writes.ts';
import { findByUserName, findScimPerson, findScimUser, type ScimPerson } from './users-queries.ts';
import { readValues, userResource, type Values, valuesOf } from './values.ts';

/** Returns a person visible to the directory. @throws ApiError `NOT_FOUND` */
export async function getScimUser(db: Reader, { companyId }: Directory, id: string): Promise<ScimUserRow> {
  const found = await findScimUser(db, companyId, id);
  if (found === undefined) throw notFound(user.noun);
  return found;
}

/**
 * Adds a person, or restores the one with this `userName` whom the directory deleted.
 *
 * @throws ApiError `INVALID_INPUT`, `ALREADY_EXISTS`, `PROTECTED_USER`
 */
export async function createScimUser(db: Database, directory: Directory, body: object): Promise<ScimUserRow> {
  const values = readValues(body, USER_SCHEMAS);
  const { companyId } = directory;
  return inTransaction(db, async (transaction) => {
    const { userName } = values as { userName?: string };
    const named = userName && (await findByUserName(transaction, companyId, userName.trim()));
    if (!named) {
      const id = await addUser(transaction, directory, changesOf(undefined, values, 'POST'));
      return getScimUser(transaction, directory, id);
    }
    if (named.isDeleted && named.companyId === companyId) {
      const person = await lockUser(transaction, directory, named.id);
      if (isDeleted(person)) return restoreScimUser(transaction, directory, person, values);
    }
    throw alreadyExists(user.noun, ['userName']);
  });
}

function isDeleted({ deletedAt, active }: ScimPerson): boolean {
  return deletedAt !== null && !active;
}

/** Restores a deleted person with the values of the body, and the defaults of a new person for the rest. */
async function restoreScimUser(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  values: Values,
): Promise<ScimUserRow> {
  const { active = true } = values;
  const { emails: _, department: __, bandCode: ___, roles: ____, ...before } = valuesOf(person);
  const changes = changesOf(before, { ...values, active }, 'PUT');
  const assignment = await joinersAssignment(transaction, directory, changes);
  const { patch, extension, roles = ['EMPLOYEE'] } = changes;
  await applyChanges(transaction, directory, person, { patch: { ...patch, ...assignment }, extension, roles });
  return getScimUser(transaction, directory, person.id);
}

/** Replaces the attributes of a person; absent ones are cleared where possible. @throws ApiError */
export async function replaceScimUser(
  db: Database,
  directory: Directory,
  id: string,
  body: object,
): Promise<ScimUserRow> {
  const values = readValues(body, USER_SCHEMAS);
  return changeScimUser(db, directory, id, async (person) => {
    const { emails, ...before } = valuesOf(person);
    // Without a stored work address, `emails` shows the userName. Sent with a new userName, it counts as a separate work address.
    const isSent = person.workEmail !== null || values.userName === person.email;
    return changesOf(isSent ? { ...before, emails } : before, values, 'PUT');
  });
}

/** Applies operations to a person atomically. @throws ApiError */
export function patchScimUser(
  db: Database,
  directory: Directory,
  id: string,
  operations: readonly PatchOperation[],
): Promise<ScimUserRow> {
  return changeScimUser(db, directory, id, async (person) => {
    const before = valuesOf(person);
    return changesOf(before, applyPatch(before, operations, USER_SCHEMAS), 'PATCH');
  });
}

/** Deactivates a person and hides them from the directory, which frees their `userName` and `externalId`. @throws ApiError */
export function deleteScimUser(db: Database, directory: Directory, id: string): Promise<{ keysMade: number }> {
  return inTransaction(db, async (transaction) => {
    const person = await lockSeenUser(transaction, directory, id);
    const patch: PersonPatch = { active: false, email: deletedUserName(id), externalId: null };
    const changes = await checkChanges(transaction, directory, person, patch);
    const deletion = { deletedAt: new Date().toISOString(), deletedUserName: person.email };
    await updateUser(transaction, directory, person, changes, { ...keptOf(person), ...deletion });
    return { keysMade: await countKeysMade(transaction, [id], [directory.companyId]) };
  });
}

function changeScimUser(
  db: Database,
  directory: Directory,
  id: string,
  change: (person: ScimPerson) => Promise<UserChanges>,
): Promise<ScimUserRow> {
  return inTransaction(db, async (transaction) => {
    const person = await lockSeenUser(transaction, directory, id);
    const changes = await change(person);
    const assignment = await namedAssignment(transaction, directory, changes);
    await applyChanges(transaction, directory, person, { ...changes, patch: { ...changes.patch, ...assignment } });
    const row = await getScimUser(transaction, directory, id);
    const mayHaveLeft = (person.active && !row.active) || changes.roles !== undefined;
    return mayHaveLeft ? { ...row, keysMade: await countKeysMade(transaction, [id], [directory.companyId]) } : row;
  });
}

/** Locks and reads a person of the company. @throws ApiError `NOT_FOUND` */
async function lockUser(transaction: Transaction, { companyId }: Directory, id: string): Promise<ScimPerson> {
  await lockPeopleRows(transaction, [id], isOfCompany(companyId));
  const person = await findScimPerson(transaction, companyId, id);
  if (person === undefined) throw notFound(user.noun);
  return person;
}

/** Locks and reads a person visible to the directory, and checks `If-Match`. @throws ApiError `NOT_FOUND`, `PRECONDITION_FAILED` */
async function lockSeenUser(transaction: Transaction, directory: Directory, id: string): Promise<ScimPerson> {
  const person = await lockUser(transaction, directory, id);
  if (isDeleted(person)) throw notFound(user.noun);
  assertVersion(directory, userResource(person), user.noun);
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
