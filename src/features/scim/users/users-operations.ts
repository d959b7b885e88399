import type { FastifyReply } from 'fastify';
import { apiKeyWithLookup } from '../../../auth/callers/access.ts';
import { user } from '../../../entities/user.ts';
import { logLeftOut } from '../left-out.ts';
import { chooseAttributes, type Projection } from '../protocol/projection.ts';
import { resourceOperations } from '../resource-operations.ts';
import { listResponse, type Meta, metaOf, pageEnvelope, type Resource, send, sendResource } from '../response.ts';
import { type ListRequest, readListRequest, type ScimCall } from '../scim-operation.ts';
import { keysAskingForUsers } from './find-by-user-name.ts';
import { withOwnSchemas } from './own-fields.ts';
import type { ScimUserRow } from './user-row.ts';
import { OWN_FIELDS, USER_SCHEMAS, userContent, versionedUser } from './user-schemas.ts';
import { listScimUsers, type ScimUserPage } from './users-queries.ts';
import { createScimUser, deleteScimUser, getScimUser, patchScimUser, replaceScimUser } from './users-service.ts';

type Call = Pick<ScimCall, 'directory' | 'request' | 'reply'>;

function resourceOf(row: ScimUserRow, { directory }: Call): Resource & { meta: Meta } {
  const { keysMade, ...content } = row;
  const times = { created: row.createdAt, lastModified: row.updatedAt };
  return {
    schemas: [...USER_SCHEMAS.map(({ id }) => id), ...(row.own ? [OWN_FIELDS] : [])],
    id: row.id,
    ...userContent({ ...row, base: directory.base }),
    meta: metaOf('User', row.id, versionedUser(content), directory, times),
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

function sendUsers(call: Call, wanted: ListRequest, { items, totalItems }: ScimUserPage): FastifyReply {
  const resources = items
    .slice(0, wanted.count)
    .map((row) => chooseAttributes(resourceOf(row, call), wanted.projection));
  return send(call.reply, 200, { ...listResponse(pageEnvelope(wanted, totalItems, items)), Resources: resources });
}

/** Returns the found person, if any, as the requested page. */
function pageOf(found: ScimUserRow | undefined, { startIndex, cursor, count }: ListRequest): ScimUserPage {
  if (found === undefined) return { items: [], totalItems: 0 };
  const isShown = startIndex === 1 && count > 0 && (!cursor || found.id > cursor);
  return { items: isShown ? [found] : [], totalItems: 1 };
}

export const usersOperations = resourceOperations({
  name: 'User',
  noun: user.noun,
  schemas: USER_SCHEMAS,
  withSchemas: withOwnSchemas,
  descriptions: {
    list: 'The people of the company that a filter chooses.',
    search: 'The same with the question in the body.',
    get: 'One person.',
    create: 'Adds a person, or brings back one who was deleted.',
    replace: 'Makes a person what the body says.',
    patch: 'Applies operations to a person, all or none.',
    delete: 'Deactivates a person and takes them out of the directory.',
  },
  listAccess: apiKeyWithLookup(keysAskingForUsers),
  async list(call) {
    const { caller, db, directory, request } = call;
    const wanted = readListRequest(request.query);
    const isFound = 'user' in caller;
    const page = isFound ? pageOf(caller.user, wanted) : await listScimUsers(db, directory, wanted);
    return sendUsers(call, wanted, page);
  },
  async search(call) {
    const wanted = readListRequest(call.request.body);
    return sendUsers(call, wanted, await listScimUsers(call.db, call.directory, wanted));
  },
  get: getScimUser,
  create: createScimUser,
  replace: replaceScimUser,
  patch: patchScimUser,
  async remove(call, id) {
    const { keysMade } = await deleteScimUser(call.db, call.directory, id);
    noteKeysMade(call, id, keysMade);
  },
  patchedStatus: () => 200,
  send: sendUser,
  report(call, { row, leftOut }) {
    noteKeysMade(call, row.id, row.keysMade);
    logLeftOut(call, leftOut, { userId: row.id });
    return row;
  },
});
