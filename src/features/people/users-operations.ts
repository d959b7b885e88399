import { assertCompanyVisible } from '../../api/company-row.ts';
import type { RemovalSources } from '../../api/crud.ts';
import { type Shown, showFields } from '../../api/custom-fields.ts';
import { LARGE_BODY, operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { type OwnFilter, ownConditions } from '../../api/own-filter.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { recordEvent } from '../../audit/audit-trail.ts';
import { activeUser, administrators, peopleStaff, requireScope, superAdmins } from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { findCallers } from '../../auth/callers/identity-queries.ts';
import { administeredCompanies, type Caller } from '../../auth/callers/roles.ts';
import type { Database, Reader } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { isObject } from '../../entities/check-fields.ts';
import { MAX_SAVED, user } from '../../entities/user.ts';
import { entityTag } from '../../http/response/entity-tag.ts';
import { findUser } from '../profile/profile-queries.ts';
import { SubstitutionView, UserView } from '../profile/profile-schemas.ts';
import { userView } from '../profile/profile-views.ts';
import { findDirectory, listRoleSources } from './group-roles.ts';
import { findLeaves } from './leaves.ts';
import { saveUsers } from './save-users.ts';
import { readSavedUsers } from './save-users-input.ts';
import { forgetSignIn, readForgotten } from './sign-in.ts';
import { readSubstitution, setSubstitute } from './substitutes.ts';
import { readGrant, readNewUser, readRevocation, readUserList, readUserUpdate } from './users-input.ts';
import { listUsers, searchUsers } from './users-queries.ts';
import {
  ChangedPersonView,
  ChangedUserView,
  FoundUserView,
  ListedUserView,
  PersonDetail,
  RevocationInput,
  RoleInput,
  SavedView,
  SubstitutionInput,
  UserCreateInput,
  UserGetInput,
  UserIdInput,
  UserListInput,
  UserSearchInput,
  UsersSaveInput,
  UserUpdateInput,
} from './users-schemas.ts';
import {
  changesOfPeople,
  createUser,
  grantRole,
  personView,
  readableBy,
  revokeRole,
  updateUser,
  visiblePersonView,
} from './users-service.ts';

const common = { tag: 'People', output: one(UserView) } as const;
const writing = { ...common, access: administrators, scope: 'users.write', writes: true } as const;

const list = operation({
  id: 'users.list',
  operationId: 'listUsers',
  tag: 'People',
  summary: 'List people',
  description:
    'The people of a company or its guests, including deactivated ones, sorted by name unless sort is given. For its ' +
    'Corporate Admins and Managers, and for Super Admins.',
  access: peopleStaff,
  scope: 'users.read',
  filtersFields: true,
  input: UserListInput,
  parse: readUserList,
  output: page(ListedUserView),
  message: 'Users retrieved successfully',
  async handle({ input, scope, caller }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    if (input.documentsExpireBefore !== undefined) assertSeesDocuments(caller, input.companyId);
    const own = await ownConditions(lists, user, caller, input.companyId, input as OwnFilter);
    const found = await listUsers(lists, { ...input, own }, pageRequestOf(input));
    const { companyId, include, guests } = input;
    const isAsked = include?.includes('fields') ?? false;
    // Guests show their identity alone.
    if (!guests) await showFields(lists, user, caller, found.items, { companyId, isAsked });
    return found;
  },
});

const search = operation({
  id: 'users.search',
  operationId: 'searchUsers',
  tag: 'People',
  summary: 'Search people of all companies',
  description:
    'People of all companies by name, e-mail address, phone or employee number, sorted by name. Each request leaves a ' +
    'line in the audit trail. For Super Admins.',
  access: superAdmins,
  input: UserSearchInput,
  output: page(FoundUserView),
  message: 'Users retrieved successfully',
  async handle({ input, caller, actor }, { lists, db }: { lists: Reader; db: Database }) {
    const found = await searchUsers(lists, input.search, pageRequestOf(input));
    const values = { found: [null, found.totalItems] };
    await recordEvent(db, actor, { entity: user, id: caller.userId, companyId: null, values }, 'searched');
    return found;
  },
});

const get = operation({
  ...common,
  id: 'users.get',
  operationId: 'getUser',
  summary: 'Get a person',
  description:
    'One person with all fields. Of a guest, a person of another company, only the identity and the roles in this ' +
    'one are shown; the other fields are null. include=leaves adds what would be left without them, include=directory what keeps them up to date. For Corporate Admins and Managers of their company, or of one where ' +
    'they hold a role, and for Super Admins; birth date, gender and home address are null to Managers.',
  access: peopleStaff,
  scope: 'users.read',
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: UserGetInput,
  output: one(PersonDetail),
  message: 'User retrieved successfully',
  async handle({ input, scope, caller, reply }, { db, entities }: RemovalSources) {
    const view = readableBy(caller, visiblePersonView(await findUser(db, input.id), scope));
    // The tag of an update: it covers what can be updated.
    reply.header('etag', entityTag(view));
    const roleSources = await listRoleSources(db, input.id, view);
    const adds = (part: string) => input.include?.includes(part) === true && view.company !== null;
    const { companyId } = view;
    if (companyId !== null) await showFields(db, user, caller, [view as Shown], { companyId, isAsked: adds('fields') });
    return {
      ...view,
      roleSources,
      ...(adds('leaves') ? { leaves: await findLeaves(db, input.id, scope, entities) } : {}),
      ...(adds('directory') ? { directory: await findDirectory(db, input.id) } : {}),
    };
  },
});

const create = operation({
  ...writing,
  id: 'users.create',
  provisions: true,
  operationId: 'createUser',
  summary: 'Create a person',
  description:
    'Creates a person, who can sign in from then on. Department and band default to those of the company. Idempotent ' +
    'with a client-generated id. For Corporate Admins of the company, and for Super Admins.',
  etag: 'response',
  errors: ['ALREADY_EXISTS', 'FIELD_FORBIDDEN'],
  input: UserCreateInput,
  parse: readNewUser,
  message: 'User created successfully',
  handle: async (call, { db }: { db: Database }) => userView(await createUser(db, call, call.input)),
});

const update = operation({
  ...writing,
  id: 'users.update',
  provisions: true,
  operationId: 'updateUser',
  summary: 'Update a person',
  description:
    'Changes the fields that are sent. With If-Match, fails with 412 if the person has changed since they were read. ' +
    'A deactivation, or days of employment that are over, returns what the person leaves behind (leaves), and can revoke ' +
    'their API keys. For Corporate Admins of their company, and for Super Admins.',
  etag: 'If-Match',
  errors: [
    'NOT_FOUND',
    'PROTECTED_USER',
    'OWN_LIMIT',
    'ALREADY_EXISTS',
    'CIRCLE',
    'LAST_ADMIN',
    'ERASED',
    'FIELD_FORBIDDEN',
  ],
  present: UserView,
  input: UserUpdateInput,
  parse: readUserUpdate,
  async withoutUnchanged(given, { scope }, { db }: RemovalSources) {
    const [changes = given] = await changesOfPeople(db, scope, [given]);
    return changes;
  },
  output: one(ChangedUserView),
  message: 'User updated successfully',
  async handle(call, { db, entities }: RemovalSources) {
    const { profile, keysMade, leaves } = await updateUser(db, call, call.input, entities);
    const user = userView(profile);
    // The ETag is that of the person, without the number of keys.
    call.reply.header('etag', entityTag(user));
    return Object.assign(withKeysMade(user, keysMade), leaves && { leaves });
  },
});

const save = operation({
  ...writing,
  id: 'users.save',
  provisions: true,
  operationId: 'saveUsers',
  summary: 'Create and update many people',
  description:
    'Creates and updates up to 500 people of one company atomically, under the rules of a create and an update. ' +
    'Idempotent with client-generated ids. For Corporate Admins of the company, and for ' +
    'Super Admins.',
  bodyLimit: LARGE_BODY,
  errors: ['PROTECTED_USER', 'OWN_LIMIT', 'ALREADY_EXISTS', 'CIRCLE', 'LAST_ADMIN', 'ERASED', 'FIELD_FORBIDDEN'],
  input: UsersSaveInput,
  parse: readSavedUsers,
  async withoutUnchanged(given, { scope }, { db }: { db: Database }) {
    const { update } = given;
    const isList = Array.isArray(update) && update.length <= MAX_SAVED && update.every(isObject);
    return isList ? { ...given, update: await changesOfPeople(db, scope, update) } : given;
  },
  output: one(SavedView),
  message: 'Users saved successfully',
  handle: (call, { db }: { db: Database }) => saveUsers(db, call, call.input),
});

const substitute = operation({
  id: 'users.setSubstitute',
  operationId: 'setSubstitute',
  tag: 'People',
  summary: 'Set a substitute',
  description:
    'Sets the substitute of a person for a range of days (UTC); substituteId null: none. For everybody about ' +
    'themselves, for Corporate Admins about the people of their company, and for Super Admins.',
  access: activeUser(findCallers),
  writes: true,
  errors: ['NOT_FOUND'],
  input: SubstitutionInput,
  parse: readSubstitution,
  output: one(SubstitutionView),
  message: 'Substitute set successfully',
  handle: (call, { db }: { db: Database }) => setSubstitute(db, call, call.input),
});

const grant = operation({
  ...writing,
  id: 'users.grantRole',
  operationId: 'grantRole',
  summary: 'Grant a role',
  description:
    'Grants a person a role in a company, or a platform role, which replaces the one they hold. No-op if they hold ' +
    'the role already. For Corporate Admins, to people of their company; for Super Admins.',
  errors: ['NOT_FOUND', 'LAST_ADMIN', 'ERASED'],
  input: RoleInput,
  parse: readGrant,
  message: 'Role granted successfully',
  handle: async (call, { db }: { db: Database }) => userView(await grantRole(db, call, call.input)),
});

const revoke = operation({
  ...writing,
  id: 'users.revokeRole',
  operationId: 'revokeRole',
  summary: 'Revoke a role',
  description:
    'Revokes a role of a person; no-op if they do not hold it. Reports how many API keys they created and could no ' +
    'longer create, and can revoke them. A guest is returned as by users/get. For Corporate Admins, in their ' +
    'company; for Super Admins.',
  errors: ['NOT_FOUND', 'LAST_ADMIN', 'ERASED'],
  input: RevocationInput,
  parse: readRevocation,
  output: one(ChangedPersonView),
  message: 'Role revoked successfully',
  async handle(call, { db }: { db: Database }) {
    const { profile, keysMade } = await revokeRole(db, call, call.input);
    return withKeysMade(personView(profile, call.scope), keysMade);
  },
});

const forget = operation({
  ...common,
  id: 'users.forgetSignIn',
  operationId: 'forgetSignIn',
  summary: 'Forget how a person signs in',
  description:
    'Ends the links of a person to accounts of identity providers: the next sign-in with their verified e-mail address ' +
    'creates a new link. For Corporate Admins of their company, of protected people for Super Admins alone.',
  access: administrators,
  writes: true,
  errors: ['NOT_FOUND', 'PROTECTED_USER', 'ERASED'],
  input: UserIdInput,
  parse: readForgotten,
  message: 'Sign-in forgotten successfully',
  handle: async (call, { db }: { db: Database }) => userView(await forgetSignIn(db, call, call.input.id)),
});

/** @throws ApiError `SCOPE_REQUIRED`, `ROLE_REQUIRED` for callers who may not know which travel documents end */
function assertSeesDocuments(caller: Caller | KeyCaller, companyId: string): void {
  if ('keyId' in caller) requireScope('travellers.read', caller);
  else if (!administeredCompanies(caller).includes(companyId)) {
    throw new ApiError('ROLE_REQUIRED', 'documentsExpireBefore needs the role Corporate Admin in the company.');
  }
}

/** @param keysMade undefined where the change cannot leave keys behind */
function withKeysMade<View extends object>(user: View, keysMade: number | undefined): View & { keysMade?: number } {
  return keysMade === undefined ? user : Object.assign(user, { keysMade });
}

export const usersOperations = [list, search, get, create, update, save, substitute, grant, revoke, forget];
