import { readCreate, readId, readUpdate } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateAdmins } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { groupMapping } from '../../entities/group-mapping.ts';
import { groupMappings, listGroupMappings } from './group-mappings-queries.ts';
import {
  GroupMappingCreateInput,
  GroupMappingIdInput,
  GroupMappingListInput,
  GroupMappingUpdateInput,
  GroupMappingView,
  MAPPING_FIELDS,
} from './group-mappings-schemas.ts';

const common = { tag: 'Group mappings', access: corporateAdmins } as const;

const list = operation({
  ...common,
  id: 'groupMappings.list',
  operationId: 'listGroupMappings',
  summary: 'List group mappings',
  description: 'What the groups of directories give to their members, sorted by priority. For Corporate Admins.',
  methods: ['GET'],
  path: '/api/group-mappings/list',
  input: GroupMappingListInput,
  output: page(GroupMappingView),
  message: 'Group Mappings retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listGroupMappings(lists, input.companyId, pageRequestOf(input));
  },
});

const get = operation({
  ...common,
  id: 'groupMappings.get',
  operationId: 'getGroupMapping',
  summary: 'Get group mapping',
  description: 'One mapping, with the number of its groups and their members. For Corporate Admins of that company.',
  methods: ['GET'],
  path: '/api/group-mappings/get',
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: GroupMappingIdInput,
  output: one(GroupMappingView),
  message: 'Group Mapping retrieved successfully',
  handle: ({ input, scope }, { db }: { db: Database }) => groupMappings.get(db, input.id, scope),
});

const create = operation({
  ...common,
  id: 'groupMappings.create',
  operationId: 'createGroupMapping',
  summary: 'Create group mapping',
  description:
    'Gives the members of a group a role, a department or a band, at once and as they come. The group is named by ' +
    'groupId or by groupName. Idempotent with a client-generated id. For Corporate Admins of that company.',
  methods: ['POST'],
  path: '/api/group-mappings/create',
  writes: true,
  etag: 'response',
  errors: ['ALREADY_EXISTS', 'OWN_LIMIT'],
  input: GroupMappingCreateInput,
  parse: (raw) => readCreate(groupMapping, ['companyId', ...MAPPING_FIELDS], raw),
  output: one(GroupMappingView),
  message: 'Group Mapping created successfully',
  handle: (call, { db }: { db: Database }) => groupMappings.create(db, call, call.input),
});

const update = operation({
  ...common,
  id: 'groupMappings.update',
  operationId: 'updateGroupMapping',
  summary: 'Update group mapping',
  description:
    'Changes the fields that are sent; null clears one. With If-Match, fails with 412 if it has changed since it was ' +
    'read. For Corporate Admins of that company.',
  methods: ['POST'],
  path: '/api/group-mappings/update',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'LAST_ADMIN', 'OWN_LIMIT'],
  input: GroupMappingUpdateInput,
  parse: (raw) => readUpdate(groupMapping, MAPPING_FIELDS, raw),
  output: one(GroupMappingView),
  message: 'Group Mapping updated successfully',
  handle: (call, { db }: { db: Database }) => groupMappings.update(db, call, call.input),
});

const remove = operation({
  ...common,
  id: 'groupMappings.delete',
  operationId: 'deleteGroupMapping',
  summary: 'Delete group mapping',
  description:
    'Returns the deleted mapping. Roles that no other group and no hand gives go with it. For Corporate Admins.',
  methods: ['POST'],
  path: '/api/group-mappings/delete',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'LAST_ADMIN'],
  input: GroupMappingIdInput,
  parse: (raw) => readId(groupMapping, raw),
  output: one(GroupMappingView),
  message: 'Group Mapping deleted successfully',
  handle: (call, { db }: { db: Database }) => groupMappings.remove(db, call, call.input.id),
});

export const groupMappingsOperations = [list, get, create, update, remove];
