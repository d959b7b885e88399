import { Type } from 'typebox';
import { LARGE_BODY, operation } from '../../api/operation.ts';
import { rawResponse } from '../../api/output.ts';
import { apiKeyOnly } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import { entityTag } from '../../http/response/entity-tag.ts';
import { SCIM_PATH } from '../../http/scim-protocol.ts';
import type { Resource } from './canonical.ts';
import { isAsked, readProjection } from './projection.ts';
import { sendList, sendResource } from './scim-answers.ts';
import { CORE_GROUP } from './scim-attributes.ts';
import { type Directory, directoryOf, idOf } from './scim-directory.ts';
import type { Group } from './scim-groups-queries.ts';
import { findGroups, fixedGroups, getGroup, patchGroup, replaceGroup, versionedGroup } from './scim-groups-service.ts';
import { readListRequest } from './scim-input.ts';
import { readOperations } from './scim-patch-ops.ts';

const input = Type.Object({});
const common = {
  tag: 'SCIM',
  access: apiKeyOnly,
  scope: 'scim',
  standard: 'SCIM',
  message: '',
  output: rawResponse,
  bodyLimit: LARGE_BODY,
} as const;
const GROUPS = `${SCIM_PATH}/Groups`;
const ONE = `${GROUPS}/:id`;

function resourceOf(group: Group, { base }: Directory): Resource {
  const { id, displayName, externalId, members } = group;
  const asMember = ({ value, display }: { value: string; display: string }) => ({
    ...{ value, display, type: 'User' },
    $ref: `${base}/Users/${value}`,
  });
  return {
    schemas: [CORE_GROUP],
    id,
    displayName,
    ...(externalId === null ? {} : { externalId }),
    ...(members === undefined ? {} : { members: members.map(asMember) }),
    meta: { resourceType: 'Group', location: `${base}/Groups/${id}`, version: entityTag(versionedGroup(group)) },
  };
}

const list = operation({
  ...common,
  input,
  id: 'scim.groups.list',
  operationId: 'listScimGroups',
  summary: 'List groups',
  description: 'The roles of the company that a filter chooses.',
  methods: ['GET'],
  path: GROUPS,
  parse: readListRequest,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    const { filter, startIndex, count, projection } = call.input;
    const groups = await findGroups(db, directory, filter, isAsked(projection, 'members'));
    const chosen = groups.slice(startIndex - 1, startIndex - 1 + count).map((group) => resourceOf(group, directory));
    return sendList(call, chosen, { totalResults: groups.length, startIndex, projection });
  },
});

const get = operation({
  ...common,
  id: 'scim.groups.get',
  operationId: 'getScimGroup',
  summary: 'Get a group',
  description: 'One role with those who hold it.',
  methods: ['GET'],
  path: ONE,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    const projection = readProjection(call.request.query as Record<string, unknown>);
    const group = await getGroup(db, directory, idOf(call.request, 'group'), isAsked(projection, 'members'));
    return sendResource(call, 200, resourceOf(group, directory), projection);
  },
});

const create = operation({
  ...common,
  id: 'scim.groups.create',
  operationId: 'createScimGroup',
  summary: 'Create a group',
  description: 'Refused: the groups are the roles of orgdesk.',
  methods: ['POST'],
  path: GROUPS,
  handle: () => {
    throw fixedGroups();
  },
});

const replace = operation({
  ...common,
  input,
  id: 'scim.groups.replace',
  operationId: 'replaceScimGroup',
  summary: 'Replace a group',
  description: 'Gives a role to those whom the body names, and takes it from others.',
  methods: ['PUT'],
  path: ONE,
  writes: true,
  parse: (raw: unknown): Resource => (raw ?? {}) as Resource,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    const projection = readProjection(call.request.query as Record<string, unknown>);
    const { id } = await replaceGroup(db, directory, idOf(call.request, 'group'), call.input);
    const group = await getGroup(db, directory, id, isAsked(projection, 'members'));
    return sendResource(call, 200, resourceOf(group, directory), projection);
  },
});

const patch = operation({
  ...common,
  input,
  id: 'scim.groups.patch',
  operationId: 'patchScimGroup',
  summary: 'Change a group',
  description: 'Gives a role to some and takes it from others, all or none.',
  methods: ['PATCH'],
  path: ONE,
  writes: true,
  parse: (raw: unknown): unknown => raw,
  async handle(call, { db }: { db: Database }) {
    const directory = directoryOf(call);
    const group = await patchGroup(db, directory, idOf(call.request, 'group'), readOperations(call.input));
    return call.reply
      .code(204)
      .header('etag', entityTag(versionedGroup(group)))
      .send();
  },
});

const remove = operation({
  ...common,
  id: 'scim.groups.delete',
  operationId: 'deleteScimGroup',
  summary: 'Delete a group',
  description: 'Refused: the groups are the roles of orgdesk.',
  methods: ['DELETE'],
  path: ONE,
  async handle(call, { db }: { db: Database }) {
    await getGroup(db, directoryOf(call), idOf(call.request, 'group'), false);
    throw fixedGroups();
  },
});

export const scimGroupsOperations = [list, get, create, replace, patch, remove];
