import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { logLeftOut } from '../left-out.ts';
import { parseFilter } from '../protocol/filter.ts';
import { chooseAttributes, isIncluded, isPartIncluded, type Projection } from '../protocol/projection.ts';
import { contentOf } from '../protocol/values.ts';
import { resourceOperations } from '../resource-operations.ts';
import { listResponse, metaOf, pageEnvelope, type Resource, send, sendResource } from '../response.ts';
import { readListRequest, type ScimCall } from '../scim-operation.ts';
import { type Group, listGroups, type MemberPart, readMembers } from './group-rows.ts';
import { GROUP_BODY_LIMIT, GROUP_SCHEMA } from './group-schema.ts';
import { createGroup, deleteGroup, getGroup, patchGroup, replaceGroup, versionedGroup } from './groups-service.ts';

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

async function sendGroups(call: ScimCall, sent: unknown): Promise<FastifyReply> {
  const wanted = readListRequest(sent);
  const filter = wanted.filter === undefined ? undefined : parseFilter(wanted.filter);
  const { items, totalItems } = await listGroups(call.db, call.directory, wanted, filter);
  const envelope = listResponse(pageEnvelope(wanted, totalItems, items));
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

export const groupsOperations = resourceOperations({
  name: 'Group',
  noun: 'group',
  schemas: [GROUP_SCHEMA],
  bodyLimit: GROUP_BODY_LIMIT,
  descriptions: {
    list: 'The groups of the directory, and the roles of the company, that a filter chooses.',
    search: 'The same with the question in the body.',
    get: 'One group with its members.',
    create: 'Adds a group of the directory.',
    replace: 'Gives a group the name and the members of the body.',
    patch: 'Applies operations to a group, all or none.',
    delete: 'Removes a group of the directory, with what it gives.',
  },
  list: (call) => sendGroups(call, call.request.query),
  search: (call) => sendGroups(call, call.request.body),
  get: getGroup,
  create: createGroup,
  replace: replaceGroup,
  patch: patchGroup,
  remove: ({ db, directory }, id) => deleteGroup(db, directory, id),
  // RFC 7644, section 3.5.2: a request for attributes gets them in the response.
  patchedStatus: ({ request: { query } }) =>
    'attributes' in (query as object) || 'excludedAttributes' in (query as object) ? 200 : 204,
  send: sendGroup,
  report(call, { group, leftOut, keysMade }) {
    call.reply.header('x-keys-made', keysMade);
    logLeftOut(call, { members: leftOut }, { groupId: group.id });
    return group;
  },
});
