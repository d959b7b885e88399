import sql from 'sql-template-tag';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { type Shown, showFields } from '../../api/custom-fields.ts';
import { inScope, mapConflicts, notFound, retryOnUniqueViolation, type WriteRequest } from '../../api/write-request.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { administeredCompanies, type Caller, isSuperAdmin, rolesOf } from '../../auth/callers/roles.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { ApiError } from '../../entities/api-error.ts';
import { isCanonicalUuid } from '../../entities/characters.ts';
import { type RawFields, withoutUnchanged } from '../../entities/check-fields.ts';
import type { AuditedEntity, Field } from '../../entities/entity.ts';
import { user, WORK_FIELDS, works } from '../../entities/user.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import { revokeKeysMade } from '../api-keys/end-keys.ts';
import { countKeysMade } from '../api-keys/keys-made.ts';
import { findUser, findUsers, type UserRow } from '../profile/profile-queries.ts';
import { userView } from '../profile/profile-views.ts';
import { createPeople } from './add-people.ts';
import { pathOf } from './assignments.ts';
import { changePeople } from './change-people.ts';
import { assertNotManaged, listRoleSources, noteOrigin } from './group-roles.ts';
import { grantCompanyRole, grantSystemRole, revokeCompanyRole, revokeSystemRole } from './held-roles.ts';
import { findLeaves, type LeavesView } from './leaves.ts';
import { assertNotErased, lockPerson } from './person-service.ts';
import type { NewUser, RevokesKeys, RoleChange, UserUpdate } from './users-input.ts';
import { HIDDEN_FIELDS, type PersonView } from './users-schemas.ts';

/**
 * Adds a person to a company. Idempotent: an existing person with the same id and content is left unchanged.
 *
 * @throws ApiError `COMPANY_FORBIDDEN` for an unknown company, `INVALID_INPUT` for a department or band that is missing or of another
 *   company, `ALREADY_EXISTS` for a taken id or e-mail address
 */
export function createUser(db: Database, author: WriteRequest, given: NewUser): Promise<UserRow> {
  const create = () =>
    db.transaction(async (transaction) => {
      await assertCompanyVisible(transaction, author.scope, given.companyId);
      await createPeople(transaction, author, given.companyId, [given]);
      return findWithFields(transaction, author, given.id);
    });
  return mapConflicts(user, () => retryOnUniqueViolation(create), pathOf);
}

/** Returns a person with the fields of one's own that the author may read. */
async function findWithFields(transaction: Transaction, { caller }: WriteRequest, id: string): Promise<UserRow> {
  const profile = await findUser(transaction, id);
  const { companyId } = profile;
  const own: Shown = { id, companyId };
  await showFields(transaction, user, caller, [own]);
  return Object.assign(profile, own.fields && { fields: own.fields });
}

/** A person after a change that may have left API keys behind. */
export interface ChangedUser {
  profile: UserRow;
  /** Keys in use that the person created and could no longer create; absent where the change cannot leave any behind. */
  keysMade?: number;
  leaves?: LeavesView;
}

/** Changes some fields of a person in scope, under the rules about people. @throws ApiError */
export function updateUser(
  db: Database,
  request: WriteRequest,
  { id, patch, revokeKeys }: UserUpdate & RevokesKeys,
  entities: readonly AuditedEntity[],
): Promise<ChangedUser> {
  const write = () =>
    db.transaction(async (transaction) => {
      const person = await lockPerson(transaction, id, inScope(request.scope, sql`company_id`), [patch.managerId]);
      const precondition = async () => {
        if (request.ifMatch === undefined) return;
        checkIfMatch(request.ifMatch, userView(await findUser(transaction, id)), 'user');
      };
      await changePeople(transaction, request, [{ person, patch }], { precondition });
      const left = WORK_FIELDS.some((name) => name in patch) && !works({ ...person, ...patch });
      if (!left) return { profile: await findWithFields(transaction, request, id) };
      const changed = await withKeysMade(transaction, request.actor, { userId: id, scope: request.scope, revokeKeys });
      return { ...changed, leaves: await findLeaves(transaction, id, request.scope, entities) };
    });
  return mapConflicts(user, write, pathOf);
}

/** Revokes the person's leftover keys if requested, then returns the person and the number of keys that remain. */
async function withKeysMade(
  transaction: Transaction,
  actor: WriteRequest['actor'],
  { userId, scope, revokeKeys }: { userId: string; scope: WriteRequest['scope'] } & RevokesKeys,
): Promise<ChangedUser> {
  if (revokeKeys) await revokeKeysMade(transaction, actor, userId, scope);
  return { profile: await findUser(transaction, userId), keysMade: await countKeysMade(transaction, [userId], scope) };
}

/** Grants a person a role. @throws ApiError `ROLE_REQUIRED`, `COMPANY_FORBIDDEN`, `NOT_FOUND`, `LAST_ADMIN` */
export function grantRole(db: Database, request: WriteRequest, change: RoleChange): Promise<UserRow> {
  return changeRoles(db, request, change, async (transaction) => {
    const person = await lockPerson(
      transaction,
      change.userId,
      inScope(scopeOfChange(request, change), sql`company_id`),
    );
    assertNotErased(person);
    if (change.companyId === undefined) await grantSystemRole(transaction, request, person, change.role);
    else {
      await grantCompanyRole(transaction, request, [person], change.role, change.companyId);
      await noteOrigin(transaction, { userId: person.userId, companyId: change.companyId }, 'hand', [change.role]);
    }
    return findUser(transaction, change.userId);
  });
}

/**
 * Revokes a role from a person, who may be a guest of the company.
 *
 * @throws ApiError `ROLE_REQUIRED`, `COMPANY_FORBIDDEN`, `NOT_FOUND`, `LAST_ADMIN`
 */
export function revokeRole(
  db: Database,
  request: WriteRequest,
  { revokeKeys, ...change }: RoleChange & RevokesKeys,
): Promise<ChangedUser> {
  return changeRoles(db, request, change, async (transaction) => {
    const scope = scopeOfChange(request, change);
    const isKnownHere = sql`(${inScope(scope, sql`company_id`)} or exists (
      select from company_roles held where held.user_id = users.id and ${inScope(scope, sql`held.company_id`)}))`;
    const person = await lockPerson(transaction, change.userId, isKnownHere);
    assertNotErased(person);
    if (change.companyId === undefined) await revokeSystemRole(transaction, request, person, change.role);
    else {
      await assertNotManaged(transaction, person.userId, change.role, change.companyId);
      await revokeCompanyRole(transaction, request, [person], change.role, change.companyId);
    }
    const { userId, companyId } = change;
    const left = { userId, scope: companyId === undefined ? scope : [companyId], revokeKeys };
    return withKeysMade(transaction, request.actor, left);
  });
}

function changeRoles<Result>(
  db: Database,
  { caller, scope }: WriteRequest,
  { companyId }: RoleChange,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  if (companyId === undefined && !isSuperAdmin(caller)) {
    throw new ApiError('ROLE_REQUIRED', 'This needs the role Super Admin.');
  }
  return db.transaction(async (transaction) => {
    if (companyId !== undefined) await assertCompanyVisible(transaction, scope, companyId);
    return work(transaction);
  });
}

/** Returns the scope of a role change: for callers who administer companies, only the company of the role. */
function scopeOfChange({ scope }: WriteRequest, { companyId }: RoleChange): WriteRequest['scope'] {
  return scope === 'all' || companyId === undefined ? 'all' : [companyId];
}

/** Returns the view of a person who belongs to a company in scope or holds a role in one. @throws ApiError `NOT_FOUND` for others */
export function visiblePersonView(profile: UserRow, scope: CompanyScope): PersonView {
  const view = personView(profile, scope);
  if (view.company === null && view.companyRoles.length === 0) throw notFound('user');
  return view;
}

const PRIVATE = Object.entries<Field>(user.fields).flatMap(([name, field]) => (field.private ? [[name, null]] : []));

/** Returns the view of a person as a caller may read it: what is private is null to those who do not administer the person. */
export function readableBy(caller: Caller | KeyCaller, view: PersonView): PersonView {
  const isAdministered =
    view.company !== null && 'userId' in caller && administeredCompanies(caller).includes(view.company.id);
  if ('keyId' in caller || isSuperAdmin(caller) || caller.userId === view.id || isAdministered) return view;
  return { ...view, ...Object.fromEntries(PRIVATE) };
}

/** Returns the full view of a person of a company in scope; of others only their identity and their roles in scope. */
export function personView(profile: UserRow, scope: CompanyScope): PersonView {
  const { userId, email, firstName, lastName, active, companyId, company } = profile;
  if (isWithin(scope, companyId, company.active)) return userView(profile);
  const held = profile.companyRoles.filter((role) => isWithin(scope, role.companyId, role.companyActive));
  return {
    ...NOTHING,
    id: userId,
    email,
    firstName,
    lastName,
    active,
    companyRoles: held.map(({ id, companyId, role }) => ({ id, companyId, role })),
    roles: rolesOf({ systemRole: null, companyRoles: held }),
  };
}

/** What answers may have next to the view of a person; lists show the roles in the company alone. */
const SOMETIMES = { lastSignInAt: null, keysMade: null, leaves: null, directory: null };

/**
 * Returns the updates of people without what they leave as it is.
 *
 * @param updates bodies of `users/update`; those without a known id come back as they are
 */
export async function changesOfPeople(
  db: Reader,
  scope: CompanyScope,
  updates: readonly RawFields[],
): Promise<RawFields[]> {
  const ids = updates.flatMap(({ id }) => (typeof id === 'string' && isCanonicalUuid(id) ? [id.toLowerCase()] : []));
  const found = ids.length === 0 ? [] : await findUsers(db, sql`users.id = ${anyOf(ids)}`);
  const people = new Map(found.map((each) => [each.userId, { ...personView(each, scope), ...SOMETIMES }]));
  const changes = updates.map(async (given) => {
    const person = typeof given.id === 'string' ? people.get(given.id.toLowerCase()) : undefined;
    if (person === undefined || (person.company === null && person.companyRoles.length === 0)) return given;
    const roleSources = given.roleSources && (await listRoleSources(db, person.id, person));
    const here = person.companyRoles.filter(({ companyId }) => companyId === person.companyId);
    return withoutUnchanged(withoutUnchanged(given, { ...person, roleSources }), {
      roles: here.map(({ role }) => role),
    });
  });
  return Promise.all(changes);
}

const NOTHING = Object.fromEntries(HIDDEN_FIELDS.map((name) => [name, null])) as Record<
  (typeof HIDDEN_FIELDS)[number],
  null
>;

/** Returns whether a company is in scope; `inScope` is the equivalent in SQL. */
function isWithin(scope: CompanyScope, companyId: string, isActive: boolean): boolean {
  if (scope === 'all') return true;
  return scope === 'active' ? isActive : scope.includes(companyId);
}
