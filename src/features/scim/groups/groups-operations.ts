import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { logLeftOut } from '../left-out.ts';
import { parseFilter } from '../protocol/filter.ts';
import { readOperations } from '../protocol/patch-request.ts';
import { chooseAttributes, isIncluded, isPartIncluded, type Projection } from '../protocol/projection.ts';
import { contentOf } from '../protocol/values.ts';
import { listResponse, metaOf, pageEnvelope, type Resource, send, sendResource } from '../response.ts';
import { idOf, projectionOf, readListRequest, type ScimCall, scimOperation } from '../scim-operation.ts';
import { type Group, listGroups, type MemberPart, readMembers } from './group-rows.ts';
import { GROUP_BODY_LIMIT, GROUP_SCHEMA } from './group-schema.ts';
import {
  createGroup,
  deleteGroup,
  getGroup,
  patchGroup,
  replaceGroup,
  versionedGroup,
  type WrittenGroup,
} from './groups-service.ts';

const MEMBER_PARTS: readonly MemberPart[] = ['value', 'display', 'type', '$ref'];

/** Returns a group without its members. */
function resourceOf(group: Group, { directory }: ScimCall) {
  const times = { created: group.createdAt, lastModified: group.updatedAt };
  return {
    schemas: [GROUP_SCHEMA.id],
    id: group.id,
    ...contentOf(group, [GROUP_SCHEMA]),
    members: [],
    meta: metaOf('Group', group.id, versionedGroup(group), directory, times),
  };
}

/** Streams a group as JSON, with its members if the projection includes them: there may be any number. */
async function* groupText(group: Group, resource: Resource, call: ScimCall, projection: Projection) {
  const text = JSON.stringify(chooseAttributes(resource, projection));
  if (!isIncluded(projection, 'members')) {
    yield text;
    return;
  }
  // Unique in the text, as quotes within values are escaped.
  const [before = '', after = ''] = text.split('"members":[]');
  yield `${before}"members":[`;
  const parts = MEMBER_PARTS.filter((part) => isPartIncluded(projection, 'members', part));
  yield* readMembers(call.db, call.directory, group, parts);
  yield `]${after}`;
}

const streamed = (text: AsyncIterable<string>) => Readable.from(text, { objectMode: false });

function sendGroup(call: ScimCall, status: number, group: Group, projection: Projection): FastifyReply {
  const resource = resourceOf(group, call);
  return sendResource(call, status, resource.meta, () => streamed(groupText(group, resource, call, projection)));
}

/** Runs a write, reports the members that were left out, and sends the group. */
async function sendWritten(call: ScimCall, status: number, write: () => Promise<WrittenGroup>): Promise<FastifyReply> {
  const projection = projectionOf(call.request);
  const { group, leftOut, keysMade } = await write();
  call.reply.header('x-keys-made', keysMade);
  logLeftOut(call, { members: leftOut }, { groupId: group.id });
  return sendGroup(call, status, group, projection);
}

async function sendGroups(call: ScimCall, sent: unknown): Promise<FastifyReply> {
  const wanted = readListRequest(sent);
  const filter = wanted.filter === undefined ? undefined : parseFilter(wanted.filter);
  const { items, totalItems } = await listGroups(call.db, call.directory, wanted, filter);
  const envelope = listResponse(
    pageEnvelope(
      wanted,
      totalItems,
      items.map(({ id }) => id),
    ),
  );
  async function* text() {
    yield `${JSON.stringify(envelope).slice(0, -1)},"Resources":[`;
    for (const [index, group] of items.slice(0, wanted.count).entries()) {
      if (index > 0) yield ',';
      yield* groupText(group, resourceOf(group, call), call, wanted.projection);
    }
    yield ']}';
  }
  return send(call.reply, 200, streamed(text()));
}

const list = scimOperation({
  id: 'scim.groups.list',
  operationId: 'listScimGroups',
  summary: 'List groups',
  description: 'The groups of the directory, and the roles of the company, that a filter chooses.',
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
  description: 'One group with its members.',
  methods: ['GET'],
  path: '/Groups/:id',
  async handle(call) {
    const { db, directory, request } = call;
    return sendGroup(call, 200, await getGroup(db, directory, idOf(request, 'group')), projectionOf(request));
  },
});

const create = scimOperation({
  id: 'scim.groups.create',
  operationId: 'createScimGroup',
  summary: 'Create a group',
  description: 'Adds a group of the directory.',
  methods: ['POST'],
  path: '/Groups',
  writes: true,
  bodyLimit: GROUP_BODY_LIMIT,
  handle: (call) => sendWritten(call, 201, () => createGroup(call.db, call.directory, call.request.body as object)),
});

const replace = scimOperation({
  id: 'scim.groups.replace',
  operationId: 'replaceScimGroup',
  summary: 'Replace a group',
  description: 'Gives a group the name and the members of the body.',
  methods: ['PUT'],
  path: '/Groups/:id',
  writes: true,
  bodyLimit: GROUP_BODY_LIMIT,
  handle(call) {
    const { db, directory, request } = call;
    const id = idOf(request, 'group');
    return sendWritten(call, 200, () => replaceGroup(db, directory, id, request.body as object));
  },
});

const patch = scimOperation({
  id: 'scim.groups.patch',
  operationId: 'patchScimGroup',
  summary: 'Change a group',
  description: 'Applies operations to a group, all or none.',
  methods: ['PATCH'],
  path: '/Groups/:id',
  writes: true,
  bodyLimit: GROUP_BODY_LIMIT,
  handle(call) {
    const { db, directory, request } = call;
    const [id, operations] = [idOf(request, 'group'), readOperations(request.body)];
    // RFC 7644, section 3.5.2: a request for attributes gets them in the response.
    const query = request.query as object;
    const status = 'attributes' in query || 'excludedAttributes' in query ? 200 : 204;
    return sendWritten(call, status, () => patchGroup(db, directory, id, operations));
  },
});

const remove = scimOperation({
  id: 'scim.groups.delete',
  operationId: 'deleteScimGroup',
  summary: 'Delete a group',
  description: 'Removes a group of the directory, with what it gives.',
  methods: ['DELETE'],
  path: '/Groups/:id',
  writes: true,
  async handle({ db, directory, request, reply }) {
    await deleteGroup(db, directory, idOf(request, 'group'));
    return reply.code(204).send();
  },
});

export const groupsOperations = [list, search, get, create, replace, patch, remove];
