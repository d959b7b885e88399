import sql from 'sql-template-tag';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import { administrators, corporateAdmins } from '../../auth/callers/access.ts';
import { isCurrentKey, isUsedDirectory } from '../../auth/callers/api-keys.ts';
import type { Database, Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { BY_ID, contains, isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { apiKey } from '../../entities/api-key.ts';
import { NewApiKeyView } from '../api-keys/api-keys-schemas.ts';
import { renewDirectoryKey } from '../api-keys/api-keys-service.ts';
import {
  DirectoryGroupListInput,
  DirectoryGroupView,
  DirectoryKeyInput,
  DirectoryListInput,
  DirectoryView,
  readDirectoryKey,
} from './directories-schemas.ts';

const common = { tag: 'Directories', access: corporateAdmins, methods: ['GET'] } as const;

const list = operation({
  ...common,
  id: 'directories.list',
  operationId: 'listDirectories',
  summary: 'List directories',
  description:
    'What calls SCIM with an API key in use: its newest key, when it last called, and what it keeps up to date. The id stays when ' +
    'the key is renewed. For Corporate Admins.',
  input: DirectoryListInput,
  output: page(DirectoryView),
  message: 'Directories retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listDirectories(lists, input.companyId, pageRequestOf(input));
  },
});

const groups = operation({
  ...common,
  id: 'directories.groups',
  operationId: 'listDirectoryGroups',
  summary: 'List groups of directories',
  description: 'The groups that directories in use have sent, sorted by name, for mappings. For Corporate Admins.',
  input: DirectoryGroupListInput,
  output: page(DirectoryGroupView),
  message: 'Directory Groups retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listDirectoryGroups(lists, input, pageRequestOf(input));
  },
});

function listDirectories(db: Reader, companyId: string, request: PageRequest): Promise<Page<DirectoryView>> {
  const columns = sql`
    directory.id, directory.name, latest.*,
    (select ${isoTimestamp(sql`max(last_used_at)`)} from api_keys
      where api_keys.id = directory.id or api_keys.directory_id = directory.id) as "lastUsedAt",
    json_build_object(
      'users', (select count(*)::integer from scim_users join users on users.id = user_id and users.company_id = scim_users.company_id
                 where api_key_id = directory.id and (deleted_at is null or users.active)),
      'groups', (select count(*)::integer from directory_groups where api_key_id = directory.id and role is null)) as "_count"`;
  const isDirectory = sql`
    company_id = ${companyId}::uuid and directory_id is null and ${isUsedDirectory(sql`directory.id`)}
    and exists (select from api_key_scopes where api_key_id = directory.id and scope = 'scim')`;
  const orderBy = [{ by: sql`lower_letters(name) collate "C"`, type: 'text' as const }, BY_ID];
  const from = sql`
    api_keys directory cross join lateral (
      select ${selectFields(apiKey, ['prefix', 'createdAt', 'expiresAt'])} from api_keys
       where (api_keys.id = directory.id or api_keys.directory_id = directory.id) and ${isCurrentKey}
       order by created_at desc, id limit 1) latest`;
  const row = sql`directory`;
  return selectPage<DirectoryView>(db, { columns, from, row, where: isDirectory, orderBy }, request);
}

function listDirectoryGroups(
  db: Reader,
  { companyId, directoryId, search }: DirectoryGroupListInput,
  request: PageRequest,
): Promise<Page<DirectoryGroupView>> {
  const columns = sql`
    id, display_name as name,
    (select ${jsonOfFields(apiKey, ['id', 'name'])} from api_keys where api_keys.id = api_key_id) as directory,
    json_build_object(
      'users', (select count(*)::integer from directory_group_members where group_id = directory_groups.id),
      'mappings', (select count(*)::integer from group_mappings
                    where group_mappings.company_id = directory_groups.company_id
                      and (group_mappings.group_id = directory_groups.id
                           or lower_letters(group_mappings.group_name) = lower_letters(display_name)))) as "_count"`;
  const where = sql`
    company_id = ${companyId}::uuid and role is null
    and ${isUsedDirectory(sql`directory_groups.api_key_id`)}
    and ${directoryId === undefined ? sql`true` : sql`api_key_id = ${directoryId}::uuid`}
    and ${contains(sql`fold(display_name)`, search) ?? sql`true`}`;
  const orderBy = [{ by: sql`fold(display_name) collate "C"`, type: 'text' as const }, BY_ID];
  return selectPage<DirectoryGroupView>(db, { columns, from: sql`directory_groups`, where, orderBy }, request);
}

const renewKey = operation({
  id: 'directories.renewKey',
  operationId: 'renewDirectoryKey',
  tag: 'Directories',
  summary: 'Renew the key of a directory',
  description:
    'Creates another API key of a directory, which sees and changes everything that the others made. Those in use end ' +
    'after the overlap. The key is returned only in this response. For Corporate Admins of its company, and for Super Admins.',
  access: administrators,
  writes: true,
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  secretField: 'key',
  input: DirectoryKeyInput,
  parse: readDirectoryKey,
  output: one(NewApiKeyView),
  message: 'Directory Key renewed successfully',
  handle: (call, { db }: { db: Database }) => renewDirectoryKey(db, call, call.input),
});

export const directoriesOperations = [list, groups, renewKey];
