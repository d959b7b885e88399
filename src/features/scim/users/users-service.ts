import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { phoneCountry } from '../../../api/company-row.ts';
import { lockHierarchyOf } from '../../../api/hierarchy.ts';
import { mapConflicts, notFound } from '../../../api/write-request.ts';
import { takenField } from '../../../audit/audited-write.ts';
import { unlinkIdentities } from '../../../auth/callers/identity-queries.ts';
import type { Database, Reader, Transaction } from '../../../db/database.ts';
import { deletedUserName } from '../../../entities/characters.ts';
import { isObject } from '../../../entities/check-fields.ts';
import { department } from '../../../entities/department.ts';
import { user } from '../../../entities/user.ts';
import { countKeysMade } from '../../api-keys/keys-made.ts';
import type { PersonPatch } from '../../people/change-people.ts';
import { forgetPerson } from '../../people/forget-person.ts';
import { assignmentByGroups } from '../../people/group-roles.ts';
import { areNamesSame, compareEvidence, giveWay, type Verdict } from '../../people/newcomers.ts';
import { lockPeopleRows } from '../../people/person-service.ts';
import { type LeftOut, noteDirectory, recordLeftOut } from '../left-out.ts';
import { type PatchStep, patched } from '../protocol/patch.ts';
import { readValues, type Values } from '../protocol/values.ts';
import { assertVersion } from '../response.ts';
import type { Directory } from '../scim-operation.ts';
import { joinersAssignment, namedAssignment, namedManager } from './assignments.ts';
import { patchOwnFields, withOwnSchemas } from './own-fields.ts';
import { changesOf, type UserChanges, withFirstName } from './user-changes.ts';
import { isOfCompany, type ScimUserRow } from './user-row.ts';
import { USER_SCHEMAS, type UserFields, userFields, valuesOf, versionedUser } from './user-schemas.ts';
import { addUser, applyChanges, changeUser, keptOf } from './user-writes.ts';
import { findFormerIds, findScimPerson, findScimUser, findSuccessor, type ScimPerson } from './users-queries.ts';

/** A person after a write. */
export interface WrittenUser {
  row: ScimUserRow;
  leftOut: LeftOut;
}

/** Returns a person visible to the directory. @throws ApiError `NOT_FOUND` */
export async function getScimUser(db: Reader, directory: Directory, id: string): Promise<ScimUserRow> {
  const found = await findScimUser(db, directory, id);
  if (found !== undefined) return found;
  const successor = await findSuccessor(db, directory.companyId, id);
  if (successor === undefined) throw notFound(user.noun);
  return getScimUser(db, directory, successor);
}

/**
 * Adds a person, unless evidence says that they have been here before: then they return. Whoever is in their way has left, and gives way.
 *
 * @throws ApiError `INVALID_INPUT`, `ALREADY_EXISTS`, `PROTECTED_USER`
 */
export async function createScimUser(db: Database, asked: Directory, body: object): Promise<WrittenUser> {
  const directory = await withOwnSchemas(db, asked, body);
  const { schemas = USER_SCHEMAS } = directory;
  const fields = withFirstName(userFields(readValues(body, schemas), schemas), body);
  return inTransaction(db, async (transaction) => {
    await lockHierarchyOf(transaction, user, directory.companyId);
    const ids = await findFormerIds(transaction, directory, fields);
    await lockPeopleRows(transaction, ids, sql`true`);
    const found = await Promise.all(ids.map((id) => findScimPerson(transaction, directory, id)));
    const formers = found
      .filter((person) => person !== undefined)
      .map((person) => ({ person, verdict: verdictOf(directory, person, fields) }));
    const same = formers.find(({ verdict }) => verdict === 'same')?.person;
    const others = formers.filter(
      ({ person, verdict }) => person !== same && (verdict !== 'same' || !isDeleted(person)),
    );
    if (same === undefined) return addNewcomer(transaction, directory, fields, others);
    for (const { person } of others) await giveWay(transaction, directory, person, fields, same.id);
    if (isDeleted(same)) return restartAsJoiner(transaction, directory, same, { active: true, ...fields });
    const before = userFields(valuesOf(same, schemas), schemas);
    return writeChanges(transaction, directory, same, before, { ...before, active: true, ...fields }, 'PATCH');
  });
}

function isDeleted({ deletedAt, active }: ScimPerson): boolean {
  return deletedAt !== null && !active;
}

/** Compares an inactive person with one whom the directory brings. A directory that deleted somebody means them by the same name. */
function verdictOf({ directoryId }: Directory, person: ScimPerson, comes: UserFields): Verdict {
  const former = { ...person, externalId: person.leftExternalId ?? person.externalId };
  const verdict = compareEvidence(former, { ...comes, directoryId });
  return verdict === 'unclear' && isDeleted(person) && areNamesSame(former, comes) ? 'same' : verdict;
}

/** Adds a newcomer, to whom former people give way; those of whom the evidence is unclear are reported. */
async function addNewcomer(
  transaction: Transaction,
  directory: Directory,
  fields: UserFields,
  formers: readonly { person: ScimPerson; verdict: Verdict }[],
): Promise<WrittenUser> {
  const country = await phoneCountry(transaction, directory.companyId, fields.phone);
  const changes = changesOf(undefined, fields, 'POST', country, directory.schemas);
  await patchOwnFields(transaction, directory, changes);
  const id = randomUUID();
  for (const { person } of formers) await giveWay(transaction, directory, person, fields, id);
  await addUser(transaction, directory, changes, id);
  const unclear = formers.filter(({ verdict }) => verdict === 'unclear').map(({ person }) => person.id);
  return written(transaction, directory, id, { ...changes, leftOut: { ...changes.leftOut, newcomer: unclear } });
}

/** Restores a deleted person with these values, the defaults of a joiner for the rest, and no account that signs in. */
async function restartAsJoiner(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  fields: UserFields,
): Promise<WrittenUser> {
  const country = await phoneCountry(transaction, directory.companyId, fields.phone);
  const changes = changesOf(undefined, fields, 'PUT', country, directory.schemas);
  await patchOwnFields(transaction, directory, changes);
  const assignment = await joinersAssignment(transaction, directory, changes);
  const { patch, extension, manager, roles = ['EMPLOYEE'] } = changes;
  await transaction.query(sql`delete from directory_group_members where user_id = ${person.id}::uuid`);
  await applyChanges(transaction, directory, person, {
    patch: { ...patch, ...assignment },
    extension: { ...extension, leftExternalId: null },
    roles,
    manager,
  });
  await forgetPerson(transaction, directory.entities, directory.actor, person.id);
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
export async function replaceScimUser(db: Database, asked: Directory, id: string, body: object): Promise<WrittenUser> {
  const directory = await withOwnSchemas(db, asked, body);
  const { schemas = USER_SCHEMAS } = directory;
  const values = readValues(body, schemas);
  const change = (present: Values) => withFirstName(userFields(values, schemas), body, userFields(present, schemas));
  return changeScimUser(db, directory, id, { method: 'PUT', change });
}

/** Applies a PATCH to a person atomically. @throws ApiError */
export function patchScimUser(
  db: Database,
  directory: Directory,
  id: string,
  steps: readonly PatchStep[],
): Promise<WrittenUser> {
  const namesPeople = steps.some(({ target: { attribute, sub } }) => NAMING.includes((sub ?? attribute).field ?? ''));
  const change = (before: Values) => userFields(patched(before, steps), directory.schemas);
  return changeScimUser(db, directory, id, { method: 'PATCH', change, namesPeople, written: writtenBy(steps) });
}

/** Deactivates a person and hides them from the directory, which frees their `userName` and `externalId`. @throws ApiError */
export function deleteScimUser(db: Database, directory: Directory, asked: string): Promise<{ keysMade: number }> {
  return inTransaction(db, async (transaction) => {
    const person = await lockSeenUser(transaction, directory, asked);
    const { id } = person;
    const patch: PersonPatch = { active: false, email: deletedUserName(id), externalId: null };
    const deletion = { deletedAt: new Date().toISOString(), deletedUserName: person.email };
    await changeUser(transaction, directory, person, patch, { ...keptOf(person), ...deletion });
    await unlinkIdentities(transaction, id);
    await transaction.query(sql`delete from directory_people where user_id = ${id}::uuid`);
    return { keysMade: await countKeysMade(transaction, [id], [directory.companyId]) };
  });
}

/** A write of a person. */
interface Write {
  method: 'PUT' | 'PATCH';
  change: (present: Values) => UserFields;
  /** Whether it may name a manager, or what somebody is named by as one. */
  namesPeople?: boolean;
  /** The fields of the request, equal to the present values or not; absent: all. */
  written?: ReadonlySet<string>;
}

function changeScimUser(
  db: Database,
  directory: Directory,
  id: string,
  { method, change, namesPeople = true, written: sent }: Write,
): Promise<WrittenUser> {
  return inTransaction(db, async (transaction) => {
    if (namesPeople) await lockManager(transaction, directory, id, change);
    const person = await lockSeenUser(transaction, directory, id);
    const present = valuesOf(person, directory.schemas);
    const { workEmail, ...others } = userFields(present, directory.schemas);
    const after = change(present);
    // Without a stored work address, `emails` shows the userName. Sent with a new userName, it counts as a separate work address.
    const isSeparate = method === 'PUT' && person.workEmail === null && after.email !== person.email;
    const before = isSeparate ? others : { ...others, workEmail };
    if (person.active || after.active !== true) {
      return writeChanges(transaction, directory, person, before, after, method);
    }
    const comes = pick(after, (name) => (sent ?? ALL).has(name) || NAMES.includes(name));
    const verdict = verdictOf(directory, person, comes);
    const isKnownById = (after.externalId ?? '') === (person.leftExternalId ?? person.externalId ?? '');
    if (verdict === 'same' || (verdict === 'unclear' && isKnownById)) {
      return writeChanges(transaction, directory, person, before, after, method);
    }
    return addNewcomer(transaction, directory, comes, [{ person, verdict }]);
  });
}

/** Contains every name. */
const ALL = { has: () => true };
/** What names a person, whether it was sent or not. */
const NAMES: readonly string[] = ['externalId', 'email', 'firstName', 'lastName'];

function pick(fields: UserFields, isPicked: (name: string) => boolean): UserFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isPicked(name)));
}

/** Returns the fields that a PATCH writes. */
function writtenBy(steps: readonly PatchStep[]): ReadonlySet<string> {
  const fields = steps.flatMap(({ target: { attribute, sub }, value }) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const isSent = ({ name }: { name: string }) => items.some((item) => isObject(item) && name in item);
    return sub ? [sub] : [attribute, ...(attribute.sub ?? []).filter(isSent)];
  });
  const names = fields.flatMap(({ field }) => field ?? []);
  return new Set(names.includes('phone') ? [...names, 'phoneType'] : names);
}

/** Writes the changes of a person, who stays the same. An account of before does not sign in under another address on return. */
async function writeChanges(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  before: UserFields,
  after: UserFields,
  method: Write['method'],
): Promise<WrittenUser> {
  const { id } = person;
  const country = await phoneCountry(transaction, directory.companyId, after.phone);
  const changes = changesOf(before, after, method, country, directory.schemas);
  await patchOwnFields(transaction, directory, changes, person.fields);
  const given = await assignmentByGroups(transaction, id);
  const assignment = await namedAssignment(transaction, directory, changes, given);
  changes.extension.leftExternalId = leftExternalIdOf(person, after);
  await applyChanges(transaction, directory, person, { ...changes, patch: { ...changes.patch, ...assignment } });
  if (!person.active && after.active && after.email !== person.email) await unlinkIdentities(transaction, id);
  const { row, leftOut } = await written(transaction, directory, id, changes);
  const mayHaveLeft = (person.active && !row.active) || changes.roles !== undefined;
  const keysMade = mayHaveLeft ? await countKeysMade(transaction, [id], [directory.companyId]) : undefined;
  return { row: keysMade === undefined ? row : { ...row, keysMade }, leftOut };
}

/** Fields that a write of the hierarchy contains: a manager, and what somebody may be named by as one. */
const NAMING = ['manager', 'employeeNumber', 'externalId', 'email'];

/** Locks the hierarchy of the company, and a person with their new manager in the order of ids. */
async function lockManager(
  transaction: Transaction,
  directory: Directory,
  id: string,
  change: (present: Values) => UserFields,
): Promise<void> {
  await lockHierarchyOf(transaction, user, directory.companyId);
  const person = await findScimPerson(transaction, directory, id);
  if (person === undefined) return;
  const present = valuesOf(person, directory.schemas);
  const { manager } = changesOf(userFields(present), change(present), 'PATCH', null);
  const { managerId } = await namedManager(transaction, directory, manager);
  if (managerId) await lockPeopleRows(transaction, [id, managerId], isOfCompany(directory.companyId));
}

/** Returns the id by which a directory knew an inactive person when they left, while it changes that id. */
function leftExternalIdOf({ active, externalId, leftExternalId }: ScimPerson, after: UserFields): string | null {
  if (active || after.active === true) return null;
  return leftExternalId ?? (after.externalId === externalId ? null : externalId);
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
  if (isDeleted(person)) {
    const successor = await findSuccessor(transaction, directory.companyId, id);
    if (successor !== undefined) return lockSeenUser(transaction, directory, successor);
    throw notFound(user.noun);
  }
  assertVersion(directory, versionedUser(person), user.noun);
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
