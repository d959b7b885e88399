import type { FastifyReply } from 'fastify';
import { apiKeyWithLookup } from '../../auth/callers/access.ts';
import { user } from '../../entities/user.ts';
import { CORE_USER, ENTERPRISE_USER, ORGDESK_USER } from './attribute.ts';
import { keysAskingForUsers } from './find-by-user-name.ts';
import { readOperations } from './patch-request.ts';
import { chooseAttributes, type Projection } from './projection.ts';
import { idOf, type ListRequest, projectionOf, readListRequest, type ScimCall, scimOperation } from './scim-request.ts';
import { listResponse, type Meta, metaOf, type Resource, send, sendResource } from './scim-response.ts';
import type { ScimUserRow } from './user-row.ts';
import { listScimUsers, type ScimUserPage } from './users-queries.ts';
import { createScimUser, deleteScimUser, getScimUser, patchScimUser, replaceScimUser } from './users-service.ts';
import { userResource } from './values.ts';

type Call = Pick<ScimCall, 'directory' | 'request' | 'reply'>;

function resourceOf(row: ScimUserRow, { directory }: Call): Resource & { meta: Meta } {
  const { keysMade, ...content } = row;
  const resource = userResource(row);
  const versioned = keysMade === undefined ? resource : userResource(content);
  const times = { created: row.createdAt, lastModified: row.updatedAt };
  return {
    schemas: [CORE_USER, ENTERPRISE_USER, ORGDESK_USER],
    id: row.id,
    ...resource,
    meta: metaOf('User', row.id, versioned, directory, times),
  };
}

/** Returns in a header, and warns operators in the log about, API keys that remain in use after their creator has lost access. */
function noteKeysMade({ request, reply }: Call, userId: string, keysMade: number | undefined): void {
  if (keysMade === undefined) return;
  reply.header('x-keys-made', keysMade);
  if (keysMade === 0) return;
  const message = 'A directory has let somebody go who made API keys that are still in use: see api-keys/list';
  request.server.log.warn({ requestId: request.id, userId, keysMade }, message);
}

function sendUser(call: Call, status: number, row: ScimUserRow, projection: Projection): FastifyReply {
  return sendResource(call, status, resourceOf(row, call), projection);
}

/** Runs a change of a person, and sends the result. */
async function sendChanged(call: ScimCall, change: (id: string) => Promise<ScimUserRow>): Promise<FastifyReply> {
  const projection = projectionOf(call.request);
  const row = await change(idOf(call.request, user.noun));
  noteKeysMade(call, row.id, row.keysMade);
  return sendUser(call, 200, row, projection);
}

function sendUsers(
  call: Call,
  { startIndex, projection }: ListRequest,
  { items, totalItems }: ScimUserPage,
): FastifyReply {
  const resources = items.map((row) => chooseAttributes(resourceOf(row, call), projection));
  return send(call.reply, 200, { ...listResponse(totalItems, startIndex, items.length), Resources: resources });
}

/** Returns the found person, if any, as the requested page. */
function pageOf(found: ScimUserRow | undefined, { startIndex, count }: ListRequest): ScimUserPage {
  if (found === undefined) return { items: [], totalItems: 0 };
  return { items: startIndex === 1 && count > 0 ? [found] : [], totalItems: 1 };
}

const list = scimOperation({
  id: 'scim.users.list',
  operationId: 'listScimUsers',
  summary: 'List users',
  description: 'The people of the company that a filter chooses.',
  methods: ['GET'],
  path: '/Users',
  access: apiKeyWithLookup(keysAskingForUsers),
  async handle(call) {
    const { caller, db, directory, request } = call;
    const wanted = readListRequest(request.query);
    const isFound = 'user' in caller;
    const page = isFound ? pageOf(caller.user, wanted) : await listScimUsers(db, directory.companyId, wanted);
    return sendUsers(call, wanted, page);
  },
});

const search = scimOperation({
  id: 'scim.users.search',
  operationId: 'searchScimUsers',
  summary: 'Search users',
  description: 'The same with the question in the body.',
  methods: ['POST'],
  path: '/Users/.search',
  async handle(call) {
    const wanted = readListRequest(call.request.body);
    return sendUsers(call, wanted, await listScimUsers(call.db, call.directory.companyId, wanted));
  },
});

const get = scimOperation({
  id: 'scim.users.get',
  operationId: 'getScimUser',
  summary: 'Get a user',
  description: 'One person.',
  methods: ['GET'],
  path: '/Users/:id',
  async handle(call) {
    const { db, directory, request } = call;
    const row = await getScimUser(db, directory, idOf(request, user.noun));
    return sendUser(call, 200, row, projectionOf(request));
  },
});

const create = scimOperation({
  id: 'scim.users.create',
  operationId: 'createScimUser',
  summary: 'Create a user',
  description: 'Adds a person, or brings back one who was deleted.',
  methods: ['POST'],
  path: '/Users',
  writes: true,
  async handle(call) {
    const { db, directory, request } = call;
    const projection = projectionOf(request);
    return sendUser(call, 201, await createScimUser(db, directory, request.body as object), projection);
  },
});

const replace = scimOperation({
  id: 'scim.users.replace',
  operationId: 'replaceScimUser',
  summary: 'Replace a user',
  description: 'Makes a person what the body says.',
  methods: ['PUT'],
  path: '/Users/:id',
  writes: true,
  handle(call) {
    const { db, directory, request } = call;
    return sendChanged(call, (id) => replaceScimUser(db, directory, id, request.body as object));
  },
});

const patch = scimOperation({
  id: 'scim.users.patch',
  operationId: 'patchScimUser',
  summary: 'Change a user',
  description: 'Applies operations to a person, all or none.',
  methods: ['PATCH'],
  path: '/Users/:id',
  writes: true,
  async handle(call) {
    const { db, directory, request } = call;
    const operations = readOperations(request.body);
    return sendChanged(call, (id) => patchScimUser(db, directory, id, operations));
  },
});

const remove = scimOperation({
  id: 'scim.users.delete',
  operationId: 'deleteScimUser',
  summary: 'Delete a user',
  description: 'Deactivates a person and takes them out of the directory.',
  methods: ['DELETE'],
  path: '/Users/:id',
  writes: true,
  async handle(call) {
    const { db, directory, request, reply } = call;
    const id = idOf(request, user.noun);
    const { keysMade } = await deleteScimUser(db, directory, id);
    noteKeysMade(call, id, keysMade);
    return reply.code(204).send();
  },
});

export const usersOperations = [list, search, get, create, replace, patch, remove];
