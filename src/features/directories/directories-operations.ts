import { assertCompanyVisible } from '../../api/company-row.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { administrators, corporateAdmins } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { NewApiKeyView } from '../api-keys/api-keys-schemas.ts';
import { directories, listDirectoryGroups } from './directories-queries.ts';
import {
  DirectoryDetail,
  DirectoryEndInput,
  DirectoryGroupListInput,
  DirectoryGroupView,
  DirectoryJoinInput,
  DirectoryKeyInput,
  DirectoryView,
  readDirectoryKey,
  readEnding,
  readJoin,
} from './directories-schemas.ts';
import { endDirectory, joinDirectories, renewDirectoryKey } from './directories-service.ts';

const FOR_ADMINS = 'For Corporate Admins of its company, and for Super Admins.';
const common = { tag: 'Directories', access: administrators } as const;

const { list, get, create, update } = operationsOf(directories, {
  output: one(DirectoryDetail),
  reads: { access: administrators },
  writes: { access: administrators },
});

const groups = operation({
  tag: 'Directories',
  access: corporateAdmins,
  methods: ['GET'],
  id: 'directories.groups',
  operationId: 'listDirectoryGroups',
  summary: 'List groups of directories',
  description: 'The groups that directories have sent, sorted by name, for mappings. For Corporate Admins.',
  input: DirectoryGroupListInput,
  output: page(DirectoryGroupView),
  message: 'Directory Groups retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listDirectoryGroups(lists, input, pageRequestOf(input));
  },
});

const renewKey = operation({
  ...common,
  id: 'directories.renewKey',
  operationId: 'renewDirectoryKey',
  summary: 'Renew the key of a directory',
  description:
    'Creates another API key of a directory, which sees and changes everything that the others made. Those in use end ' +
    `after the overlap. The key is returned only in this response. ${FOR_ADMINS}`,
  writes: true,
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  secretField: 'key',
  input: DirectoryKeyInput,
  parse: readDirectoryKey,
  output: one(NewApiKeyView),
  message: 'Directory Key renewed successfully',
  handle: (call, { db }: { db: Database }) => renewDirectoryKey(db, call, call.input),
});

const join = operation({
  ...common,
  id: 'directories.join',
  operationId: 'joinDirectories',
  summary: 'Join two directories',
  description:
    'Gives the keys, groups, mappings and people of a directory to another one of its company, which is returned; groups of one ' +
    `name become one. ${FOR_ADMINS}`,
  writes: true,
  errors: ['NOT_FOUND', 'LAST_ADMIN'],
  input: DirectoryJoinInput,
  parse: readJoin,
  output: one(DirectoryDetail),
  message: 'Directories joined successfully',
  handle: (call, { db }: { db: Database }) => joinDirectories(db, call, call.input),
});

const end = operation({
  ...common,
  id: 'directories.delete',
  operationId: 'deleteDirectory',
  summary: 'End a directory',
  description:
    'Revokes its keys and returns its last state. What it gave goes to another directory, stays as given by hand, or is taken away; ' +
    `directories/get has the numbers before. ${FOR_ADMINS}`,
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'LAST_ADMIN'],
  input: DirectoryEndInput,
  parse: readEnding,
  output: one(DirectoryDetail),
  message: 'Directory deleted successfully',
  handle: (call, { db }: { db: Database }) => endDirectory(db, call, call.input),
});

export const directoriesOperations = [
  list({
    id: 'directories.list',
    description: `What calls SCIM with an API key: its keys in use, when it last called, and what it keeps up to date. ${FOR_ADMINS}`,
    output: page(DirectoryView),
  }),
  get({
    id: 'directories.get',
    description: `One directory, with the numbers of what it gives and what it sent lately that was left out. ${FOR_ADMINS}`,
  }),
  create({
    id: 'directories.create',
    description:
      'Adds a directory without a key: directories/renew-key makes one, api-keys/create with its id any further one. Idempotent with a ' +
      `client-generated id. ${FOR_ADMINS}`,
  }),
  update({
    id: 'directories.update',
    description:
      'Changes the fields that are sent. While active is false, its keys are refused. With If-Match, fails with 412 if it has changed ' +
      `since it was read. ${FOR_ADMINS}`,
  }),
  end,
  join,
  groups,
  renewKey,
];
