import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { CORE_GROUP } from './attribute.ts';
import { GROUP_BODY_LIMIT } from './body-limits.ts';
import { fixedGroups, readGroup, readGroupPatch } from './group-change.ts';
import { type Group, type MemberPart, readMembers } from './groups-queries.ts';
import { changeGroup, findGroups, getGroup, refuseGroup, versionedGroup } from './groups-service.ts';
import { readOperations } from './patch-request.ts';
import { chooseAttributes, isIncluded, isPartIncluded, type Projection } from './projection.ts';
import { SCIM_MEDIA_TYPE } from './scim-error.ts';
import { idOf, type ListRequest, projectionOf, readListRequest, type ScimCall, scimOperation } from './scim-request.ts';
import { announce, listResponse, type Meta, metaOf } from './scim-response.ts';

type Call = Pick<ScimCall, 'db' | 'directory' | 'request' | 'reply'>;

const MEMBER_PARTS: readonly MemberPart[] = ['value', 'display', 'type', '$ref'];

function metaOfGroup(group: Group, { directory }: Call): Meta {
  const times = { created: group.createdAt, lastModified: group.updatedAt };
  return metaOf('Group', group.id, versionedGroup(group), directory, times);
}

/** Streams a group as JSON, with its members if the projection includes them. */
async function* groupText(group: Group, call: Call, projection: Projection): AsyncGenerator<string> {
  const { id, role, displayName, externalId } = group;
  const { db, directory } = call;
  const resource = { schemas: [CORE_GROUP], id, displayName, externalId: externalId ?? undefined, members: [] };
  const text = JSON.stringify(chooseAttributes({ ...resource, meta: metaOfGroup(group, call) }, projection));
  if (!isIncluded(projection, 'members')) {
    yield text;
    return;
  }
  // Unique in the text, as quotes within values are escaped.
  const [before = '', after = ''] = text.split('"members":[]');
  yield `${before}"members":[`;
  const parts = MEMBER_PARTS.filter((part) => isPartIncluded(projection, 'members', part));
  yield* readMembers(db, directory.companyId, role, parts, `${directory.base}/Users/`);
  yield `]${after}`;
}

async function* listText(
  groups: readonly Group[],
  call: Call,
  { startIndex, count, projection }: ListRequest,
): AsyncGenerator<string> {
  const chosen = groups.slice(startIndex - 1, startIndex - 1 + count);
  yield `${JSON.stringify(listResponse(groups.length, startIndex, chosen.length)).slice(0, -1)},"Resources":[`;
  for (const [index, group] of chosen.entries()) {
    if (index > 0) yield ',';
    yield* groupText(group, call, projection);
  }
  yield ']}';
}

/** Streams JSON in chunks: a group may have any number of members. */
function sendText(reply: FastifyReply, text: AsyncGenerator<string>): FastifyReply {
  return reply
    .code(200)
    .type(SCIM_MEDIA_TYPE)
    .send(Readable.from(text, { objectMode: false }));
}

function sendGroup(call: Call, group: Group, projection: Projection): FastifyReply {
  if (announce(call, metaOfGroup(group, call))) return call.reply.code(304).send();
  return sendText(call.reply, groupText(group, call, projection));
}

async function sendGroups(call: Call, sent: unknown): Promise<FastifyReply> {
  const wanted = readListRequest(sent);
  const groups = await findGroups(call.db, call.directory.companyId, wanted.filter);
  return sendText(call.reply, listText(groups, call, wanted));
}

const list = scimOperation({
  id: 'scim.groups.list',
  operationId: 'listScimGroups',
  summary: 'List groups',
  description: 'The roles of the company that a filter chooses.',
  methods: ['GET'],
  path: '/Groups',
  handle: (call) => sendGroups(call, call.request.query),
});

const search = scimOperation({
  id: 'scim.groups.search',
  operationId: 'searchScimGroups',
  summary: 'Search groups',
  description: 'The same with the question in the body.',
  methods: ['POST'],
  path: '/Groups/.search',
  handle: (call) => sendGroups(call, call.request.body),
});

const get = scimOperation({
  id: 'scim.groups.get',
  operationId: 'getScimGroup',
  summary: 'Get a group',
  description: 'One role with those who hold it.',
  methods: ['GET'],
  path: '/Groups/:id',
  async handle(call) {
    const { db, directory, request } = call;
    return sendGroup(call, await getGroup(db, directory, idOf(request, 'group')), projectionOf(request));
  },
});

const create = scimOperation({
  id: 'scim.groups.create',
  operationId: 'createScimGroup',
  summary: 'Create a group',
  description: 'Refused: the groups are the roles of orgdesk.',
  methods: ['POST'],
  path: '/Groups',
  bodyLimit: GROUP_BODY_LIMIT,
  handle: ({ request }) => refuseGroup(request.body as object),
});

const replace = scimOperation({
  id: 'scim.groups.replace',
  operationId: 'replaceScimGroup',
  summary: 'Replace a group',
  description: 'Gives a role to those whom the body names, and takes it from others.',
  methods: ['PUT'],
  path: '/Groups/:id',
  writes: true,
  bodyLimit: GROUP_BODY_LIMIT,
  async handle(call) {
    const { db, directory, request } = call;
    const projection = projectionOf(request);
    const change = readGroup(request.body as object);
    const { keysMade, ...group } = await changeGroup(db, directory, idOf(request, 'group'), change);
    call.reply.header('x-keys-made', keysMade);
    return sendGroup(call, group, projection);
  },
});

const patch = scimOperation({
  id: 'scim.groups.patch',
  operationId: 'patchScimGroup',
  summary: 'Change a group',
  description: 'Gives a role to some and takes it from others, all or none.',
  methods: ['PATCH'],
  path: '/Groups/:id',
  writes: true,
  bodyLimit: GROUP_BODY_LIMIT,
  async handle(call) {
    const { db, directory, request, reply } = call;
    const projection = projectionOf(request);
    const change = readGroupPatch(readOperations(request.body));
    const { keysMade, ...group } = await changeGroup(db, directory, idOf(request, 'group'), change);
    reply.header('x-keys-made', keysMade);
    // RFC 7644, section 3.5.2: a request for attributes gets them in the response.
    const query = request.query as object;
    if ('attributes' in query || 'excludedAttributes' in query) return sendGroup(call, group, projection);
    announce(call, metaOfGroup(group, call));
    return reply.code(204).send();
  },
});

const remove = scimOperation({
  id: 'scim.groups.delete',
  operationId: 'deleteScimGroup',
  summary: 'Delete a group',
  description: 'Refused: the groups are the roles of orgdesk.',
  methods: ['DELETE'],
  path: '/Groups/:id',
  async handle({ db, directory, request }) {
    await getGroup(db, directory, idOf(request, 'group'));
    throw fixedGroups();
  },
});

export const groupsOperations = [list, search, get, create, replace, patch, remove];
