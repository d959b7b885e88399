import { Type } from 'typebox';
import { LARGE_BODY, operation } from '../../api/operation.ts';
import { rawResponse } from '../../api/output.ts';
import { apiKeyOnly, keysFinding } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import { user } from '../../entities/user.ts';
import { SCIM_PATH } from '../../http/scim-protocol.ts';
import type { Resource } from './canonical.ts';
import { keysAskingForUsers } from './find-by-user-name.ts';
import { readProjection } from './projection.ts';
import { type Asked, sendList, sendResource, withMeta } from './scim-answers.ts';
import { type Directory, directoryOf, idOf } from './scim-directory.ts';
import { type ListRequest, readListRequest } from './scim-input.ts';
import { readOperations } from './scim-patch-ops.ts';
import { userResource } from './scim-user-resource.ts';
import { listScimUsers, type ScimUserPage, type ScimUserRow } from './scim-users-queries.ts';
import { createScimUser, deleteScimUser, getScimUser, patchScimUser, replaceScimUser } from './scim-users-service.ts';

const input = Type.Object({});
const common = {
  tag: 'SCIM',
  access: apiKeyOnly,
  standard: 'SCIM',
  message: '',
  output: rawResponse,
  bodyLimit: LARGE_BODY,
} as const;
const USERS = `${SCIM_PATH}/Users`;
const ONE = `${USERS}/:id`;

const asBody = (raw: unknown): Resource => (raw ?? {}) as Resource;
const asSent = (raw: unknown): unknown => raw;

function resourceOf(row: ScimUserRow, directory: Directory): Resource {
  const times = { created: row.createdAt, lastModified: row.updatedAt };
  return withMeta(userResource(row), 'User', directory, times);
}

/** Sends a person as they are now. */
function sendUser(asked: Asked, status: number, row: ScimUserRow, directory: Directory) {
  const projection = readProjection(asked.request.query as Record<string, unknown>);
  return sendResource(asked, status, resourceOf(row, directory), projection);
}

function sendUsers(asked: Asked, directory: Directory, wanted: ListRequest, { items, totalItems }: ScimUserPage) {
  const resources = items.map((row) => resourceOf(row, directory));
  return sendList(asked, resources, { ...wanted, totalResults: totalItems });
}

/** The one who was found, if any, as the page that was asked for. */
function pageOf(found: ScimUserRow | undefined, { startIndex, count }: ListRequest): ScimUserPage {
  if (found === undefined) return { items: [], totalItems: 0 };
  return { items: startIndex === 1 && count > 0 ? [found] : [], totalItems: 1 };
}

const list = operation({
  ...common,
  access: keysFinding(keysAskingForUsers),
  input,
  scope: 'scim',
  id: 'scim.users.list',
  operationId: 'listScimUsers',
  summary: 'List users',
  description: 'The people of the company that a filter chooses.',
  methods: ['GET'],
  path: USERS,
  parse: readListRequest,
  async handle(call, { db }: { db: Database }) {
    const { caller, input: wanted } = call;
    const directory = directoryOf(call);
    const isFound = 'user' in caller;
    const page = isFound ? pageOf(caller.user, wanted) : await listScimUsers(db, directory.companyId, wanted);
    return sendUsers(call, directory, wanted, page);
  },
});

const search = operation({
  ...common,
  input,
  scope: 'scim',
  id: 'scim.users.search',
  operationId: 'searchScimUsers',
  summary: 'Search users',
  description: 'The same with the question in the body.',
  methods: ['POST'],
  path: `${USERS}/.search`,
  parse: readListRequest,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    return sendUsers(call, directory, call.input, await listScimUsers(db, directory.companyId, call.input));
  },
});

const get = operation({
  ...common,
  input,
  scope: 'scim',
  id: 'scim.users.get',
  operationId: 'getScimUser',
  summary: 'Get a user',
  description: 'One person.',
  methods: ['GET'],
  path: ONE,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    return sendUser(call, 200, await getScimUser(db, directory, idOf(call.request, user.noun)), directory);
  },
});

const create = operation({
  ...common,
  input,
  scope: 'scim',
  id: 'scim.users.create',
  operationId: 'createScimUser',
  summary: 'Create a user',
  description: 'Adds a person, or brings back one who was deleted.',
  methods: ['POST'],
  path: USERS,
  writes: true,
  parse: asBody,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    return sendUser(call, 201, await createScimUser(db, directory, call.input), directory);
  },
});

const replace = operation({
  ...common,
  input,
  scope: 'scim',
  id: 'scim.users.replace',
  operationId: 'replaceScimUser',
  summary: 'Replace a user',
  description: 'Makes a person what the body says.',
  methods: ['PUT'],
  path: ONE,
  writes: true,
  parse: asBody,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    const row = await replaceScimUser(db, directory, idOf(call.request, user.noun), call.input);
    return sendUser(call, 200, row, directory);
  },
});

const patch = operation({
  ...common,
  input,
  scope: 'scim',
  id: 'scim.users.patch',
  operationId: 'patchScimUser',
  summary: 'Change a user',
  description: 'Applies operations to a person, all or none.',
  methods: ['PATCH'],
  path: ONE,
  writes: true,
  parse: asSent,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    const row = await patchScimUser(db, directory, idOf(call.request, user.noun), readOperations(call.input));
    return sendUser(call, 200, row, directory);
  },
});

const remove = operation({
  ...common,
  input,
  scope: 'scim',
  id: 'scim.users.delete',
  operationId: 'deleteScimUser',
  summary: 'Delete a user',
  description: 'Deactivates a person and takes them out of sight of the directory.',
  methods: ['DELETE'],
  path: ONE,
  writes: true,
  parse: asSent,
  async handle(call, { db }: { db: Database }) {
    await deleteScimUser(db, directoryOf(call), idOf(call.request, user.noun));
    return call.reply.code(204).send();
  },
});

export const scimUsersOperations = [list, search, get, create, replace, patch, remove];
