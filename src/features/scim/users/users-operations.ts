import type { FastifyReply } from 'fastify';
import { apiKeyWithLookup } from '../../../auth/callers/access.ts';
import { user } from '../../../entities/user.ts';
import { logLeftOut } from '../left-out.ts';
import { readOperations } from '../protocol/patch-request.ts';
import { chooseAttributes, type Projection } from '../protocol/projection.ts';
import { listResponse, type Meta, metaOf, pageEnvelope, type Resource, send, sendResource } from '../response.ts';
import {
  idOf,
  type ListRequest,
  projectionOf,
  readListRequest,
  type ScimCall,
  scimOperation,
} from '../scim-operation.ts';
import { keysAskingForUsers } from './find-by-user-name.ts';
import type { ScimUserRow } from './user-row.ts';
import { USER_SCHEMAS, userContent } from './user-schemas.ts';
import { listScimUsers, type ScimUserPage } from './users-queries.ts';
import {
  createScimUser,
  deleteScimUser,
  getScimUser,
  patchScimUser,
  replaceScimUser,
  type WrittenUser,
} from './users-service.ts';

type Call = Pick<ScimCall, 'directory' | 'request' | 'reply'>;

function resourceOf(row: ScimUserRow, { directory }: Call): Resource & { meta: Meta } {
  const { keysMade, ...content } = row;
  const times = { created: row.createdAt, lastModified: row.updatedAt };
  return {
    schemas: USER_SCHEMAS.map(({ id }) => id),
    id: row.id,
    ...userContent({ ...row, base: directory.base }),
    meta: metaOf('User', row.id, userContent(content), directory, times),
  };
}

function sendUser(call: Call, status: number, row: ScimUserRow, projection: Projection): FastifyReply {
  const resource = resourceOf(row, call);
  return sendResource(call, status, resource.meta, () => chooseAttributes(resource, projection));
}

/** Reports API keys that remain in use after their creator has lost access: to the directory, and to operators in the log. */
function noteKeysMade({ request, reply }: Call, userId: string, keysMade: number | undefined): void {
  if (keysMade === undefined) return;
  reply.header('x-keys-made', keysMade);
  if (keysMade === 0) return;
  const message = 'A directory has let somebody go who made API keys that are still in use: see api-keys/list';
  request.server.log.warn({ requestId: request.id, userId, keysMade }, message);
}

/** Runs a write of a person, reports what was left out, and sends the result. */
async function sendWritten(call: ScimCall, status: number, write: () => Promise<WrittenUser>): Promise<FastifyReply> {
  const projection = projectionOf(call.request);
  const { row, leftOut } = await write();
  noteKeysMade(call, row.id, row.keysMade);
  logLeftOut(call, leftOut, { userId: row.id });
  return sendUser(call, status, row, projection);
}

function sendUsers(call: Call, wanted: ListRequest, { items, totalItems }: ScimUserPage): FastifyReply {
  const resources = items
    .slice(0, wanted.count)
    .map((row) => chooseAttributes(resourceOf(row, call), wanted.projection));
  const ids = items.map(({ id }) => id);
  return send(call.reply, 200, { ...listResponse(pageEnvelope(wanted, totalItems, ids)), Resources: resources });
}

/** Returns the found person, if any, as the requested page. */
function pageOf(found: ScimUserRow | undefined, { startIndex, cursor, count }: ListRequest): ScimUserPage {
  if (found === undefined) return { items: [], totalItems: 0 };
  const isShown = startIndex === 1 && count > 0 && (!cursor || found.id > cursor);
  return { items: isShown ? [found] : [], totalItems: 1 };
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
    const page = isFound ? pageOf(caller.user, wanted) : await listScimUsers(db, directory, wanted);
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
    return sendUsers(call, wanted, await listScimUsers(call.db, call.directory, wanted));
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
  handle(call) {
    const { db, directory, request } = call;
    return sendWritten(call, 201, () => createScimUser(db, directory, request.body as object));
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
    const id = idOf(request, user.noun);
    return sendWritten(call, 200, () => replaceScimUser(db, directory, id, request.body as object));
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
  handle(call) {
    const { db, directory, request } = call;
    const [id, operations] = [idOf(request, user.noun), readOperations(request.body)];
    return sendWritten(call, 200, () => patchScimUser(db, directory, id, operations));
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
