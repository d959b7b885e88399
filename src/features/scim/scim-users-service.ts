import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { alreadyExists, mapConflicts, notFound } from '../../api/write-request.ts';
import { auditedUpdateWithExtension, takenField } from '../../audit/audited-write.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { department } from '../../entities/department.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import { type ApiError, apiErrors } from '../../lib/errors.ts';
import {
  addPeople,
  assignmentOrDefaults,
  checkChanges,
  findPerson,
  grantCompanyRole,
  lockPerson,
  PERSON_FIELDS,
  type Person,
  type PersonPatch,
  revokeCompanyRole,
} from '../people/people.ts';
import { canonicalResource, type Resource } from './canonical.ts';
import { bandOf, departmentOf } from './places.ts';
import { USER_SCHEMAS } from './scim-attributes.ts';
import type { Directory } from './scim-directory.ts';
import { patchResource, type SentOperation } from './scim-patch-ops.ts';
import { changesOf, type UserChanges, type Write } from './scim-user-changes.ts';
import { readResource, userResource } from './scim-user-resource.ts';
import { findByUserName, findScimUser, type ScimUserRow, seenBy } from './scim-users-queries.ts';

const update = auditedUpdateWithExtension(user, PERSON_FIELDS, scimUser);

/** The people whom the directory of this id sees. @throws ApiError `NOT_FOUND` */
export async function getScimUser(
  db: Database | Transaction,
  { companyId }: Directory,
  id: string,
): Promise<ScimUserRow> {
  const found = await findScimUser(db, companyId, sql`users.id = ${id}::uuid and ${seenBy(companyId)}`);
  if (found === undefined) throw notFound(user.noun);
  return found;
}

/**
 * Adds a person, or brings back the one whom the directory deleted by this `userName`.
 *
 * @throws ApiError `INVALID_INPUT`, `ALREADY_EXISTS`, `PROTECTED_USER`
 */
export function createScimUser(db: Database, directory: Directory, body: Resource): Promise<ScimUserRow> {
  const after = readResource(canonicalResource(body, USER_SCHEMAS));
  const { companyId } = directory;
  return writing(db, async (transaction) => {
    const known = after.userName === undefined ? undefined : await findByUserName(transaction, after.userName.trim());
    if (known === undefined) return addScimUser(transaction, directory, changesOf(undefined, after, 'POST'));
    const isDeleted = sql`users.id = ${known.id}::uuid and scim_users.deleted_at is not null`;
    const isHere = known.companyId === companyId;
    if (!isHere || !(await findScimUser(transaction, companyId, isDeleted)))
      throw alreadyExists(user.noun, ['userName']);
    const person = await lockPerson(transaction, known.id, sql`company_id = ${companyId}::uuid`);
    const row = await findScimUser(transaction, companyId, isDeleted);
    if (row === undefined) throw alreadyExists(user.noun, ['userName']);
    const said = {
      ...after,
      active: after.active ?? true,
      roles: after.roles ?? (row.roles.length === 0 ? ['EMPLOYEE'] : row.roles),
    };
    await applyChanges(transaction, directory, { person, row }, changesFrom(row, said, 'PUT'), null);
    return getScimUser(transaction, directory, person.id);
  });
}

async function addScimUser(transaction: Transaction, directory: Directory, changes: UserChanges): Promise<ScimUserRow> {
  const { companyId, actor } = directory;
  const { patch, beside, roles = ['EMPLOYEE'] } = changes;
  const said = await placesSaid(transaction, directory, changes);
  const { departmentId, bandId } = await assignmentOrDefaults(transaction, companyId, said);
  if (departmentId === null) throw withoutDefault('department');
  if (bandId === null) throw withoutDefault('bandCode');
  const row = {
    ...{ id: randomUUID(), companyId, departmentId, bandId, loyaltyPoints: 0 },
    ...{ clientType: 'CORPORATE', approvalLimit: '0.00', active: true, ...patch },
  } as NewRowOf<typeof user>;
  await addPeople(transaction, actor, [{ row, roles }]);
  await write(transaction, directory, row.id, {}, { before: NOTHING_BESIDE, after: { ...NOTHING_BESIDE, ...beside } });
  return getScimUser(transaction, directory, row.id);
}

/** The department and band that are said, by their ids. */
async function placesSaid(
  transaction: Transaction,
  directory: Directory,
  { department, bandCode }: UserChanges,
): Promise<{ departmentId?: string; bandId?: string }> {
  return {
    ...(department === undefined ? {} : { departmentId: await departmentOf(transaction, directory, department) }),
    ...(bandCode === undefined ? {} : { bandId: await bandOf(transaction, directory.companyId, bandCode) }),
  };
}

function withoutDefault(field: string): ApiError {
  return apiErrors.invalidInput([
    { field, code: 'REQUIRED', message: `${field} is required: the company has no default.` },
  ]);
}

/** Makes a person what the body says: what it leaves out is cleared where it may be. @throws ApiError */
export function replaceScimUser(db: Database, directory: Directory, id: string, body: Resource): Promise<ScimUserRow> {
  const after = readResource(canonicalResource(body, USER_SCHEMAS));
  return changeScimUser(db, directory, id, (row) => changesFrom(row, after, 'PUT'));
}

/** Applies operations to a person, all or none. @throws ApiError */
export function patchScimUser(
  db: Database,
  directory: Directory,
  id: string,
  operations: readonly SentOperation[],
): Promise<ScimUserRow> {
  return changeScimUser(db, directory, id, (row) =>
    changesFrom(row, readResource(patchResource(userResource(row), operations, USER_SCHEMAS)), 'PATCH'),
  );
}

/** Deactivates a person and takes them out of the directory's sight; their `externalId` is free. @throws ApiError */
export async function deleteScimUser(db: Database, directory: Directory, id: string): Promise<void> {
  await writing(db, async (transaction) => {
    const both = await lock(transaction, directory, id);
    const patch = await checkChanges(transaction, directory, both.person, { active: false });
    const before = besideOf(both.row);
    const after = { ...before, externalId: null, deletedAt: new Date().toISOString() };
    await write(transaction, directory, id, patch, { before, after });
  });
}

interface Locked {
  person: Person;
  row: ScimUserRow;
}

async function lock(transaction: Transaction, directory: Directory, id: string): Promise<Locked> {
  const person = await lockPerson(transaction, id, sql`company_id = ${directory.companyId}::uuid`);
  const row = await getScimUser(transaction, directory, id);
  checkIfMatch(directory.ifMatch, userResource(row), user.noun);
  return { person, row };
}

function changeScimUser(
  db: Database,
  directory: Directory,
  id: string,
  change: (row: ScimUserRow) => UserChanges,
): Promise<ScimUserRow> {
  return writing(db, async (transaction) => {
    const both = await lock(transaction, directory, id);
    await applyChanges(transaction, directory, both, change(both.row), both.row.deletedAt);
    return getScimUser(transaction, directory, id);
  });
}

/** What is new in what is said of a person whom the directory has been told of. */
function changesFrom(row: ScimUserRow, after: ReturnType<typeof readResource>, write: Write): UserChanges {
  const before = readResource(userResource(row));
  // The userName stood for the work address: sent beside another userName it is one of its own.
  const wasSent = row.workEmail !== null || write !== 'PUT' || after.userName === before.userName;
  return changesOf(wasSent ? before : { ...before, workEmail: undefined }, after, write);
}

async function applyChanges(
  transaction: Transaction,
  directory: Directory,
  { person, row }: Locked,
  said: UserChanges,
  deletedAt: string | null,
): Promise<void> {
  const { patch, beside, roles } = said;
  const places = await placesSaid(transaction, directory, said);
  const changes = await checkChanges(transaction, directory, person, { ...patch, ...places });
  const before = besideOf(row);
  await write(transaction, directory, person.id, changes, { before, after: { ...before, ...beside, deletedAt } });
  if (roles !== undefined) await changeRoles(transaction, directory, person, row.roles, roles);
}

async function changeRoles(
  transaction: Transaction,
  directory: Directory,
  person: Person,
  held: readonly CompanyRole[],
  wanted: readonly CompanyRole[],
): Promise<void> {
  const { companyId } = directory;
  for (const role of wanted) await grantCompanyRole(transaction, directory, [person], role, companyId);
  const lost = held.filter((role) => !wanted.includes(role));
  if (lost.length === 0) return;
  // Whether somebody is left to administer depends on who is active now.
  const present = (await findPerson(transaction, person.id)) ?? person;
  for (const role of lost) await revokeCompanyRole(transaction, directory, [present], role, companyId);
}

type BesideRow = Omit<RowOf<typeof scimUser>, 'userId' | 'companyId'>;

const NOTHING_BESIDE: BesideRow = { externalId: null, workEmail: null, phoneType: null, deletedAt: null };

function besideOf({ externalId, workEmail, phoneType, deletedAt }: BesideRow): BesideRow {
  return { externalId, workEmail, phoneType, deletedAt };
}

/** Writes what differs of a user and of what is kept beside them: one change in the trail. */
async function write(
  transaction: Transaction,
  { companyId, actor }: Directory,
  id: string,
  patch: PersonPatch,
  { before, after }: { before: BesideRow; after: BesideRow },
): Promise<void> {
  if (Object.keys(patch).length === 0 && isDeepStrictEqual(before, after)) return;
  // What a directory said of somebody who has left its company keeps no id from others.
  if (after.externalId !== before.externalId) {
    await transaction.query(sql`
      delete from scim_users using users
       where scim_users.company_id = ${companyId}::uuid and scim_users.external_id = ${after.externalId}::text
         and users.id = scim_users.user_id and users.company_id <> scim_users.company_id`);
  }
  const beside = { userId: id, companyId, ...after };
  await transaction.query(sql`with ${update({ id, patch, beside, actor })} select from written`);
}

/** Runs a write in a transaction, and tells of what another person has already. */
function writing<Result>(db: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const attempt = () => db.transaction(work);
  const ofUser = () =>
    mapConflicts(
      user,
      // Somebody has added the department meanwhile: now it is found.
      () =>
        attempt().catch((error: unknown) => {
          if (takenField(department, error) === undefined) throw error;
          return attempt();
        }),
      (field) => (field === 'email' ? 'userName' : field),
    );
  return ofUser().catch((error: unknown) => {
    throw takenField(scimUser, error) === undefined ? error : alreadyExists(user.noun, ['externalId']);
  });
}
