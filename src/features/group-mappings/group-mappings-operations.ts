import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { throwIfInvalid } from '../../api/body.ts';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { one, page } from '../../api/output.ts';
import { mapsGroup, selectFields } from '../../audit/entity-sql.ts';
import { companyAdmins } from '../../auth/callers/access.ts';
import type { Transaction } from '../../db/database.ts';
import { BY_ID } from '../../db/sql/sql-fragments.ts';
import { type FieldProblem, problemOf } from '../../entities/api-error.ts';
import { band } from '../../entities/band.ts';
import { department } from '../../entities/department.ts';
import { fieldsBut, type RowOf } from '../../entities/entity.ts';
import { answeredFields, titled } from '../../entities/field-schemas.ts';
import { groupMapping } from '../../entities/group-mapping.ts';
import { role as ownRole } from '../../entities/held-role.ts';
import type { applyGroups } from '../people/group-roles.ts';

/** Fields that a request may set besides the id and the company. */
const MAPPING_FIELDS = fieldsBut(groupMapping, 'id', 'companyId');
const SHOWN_FIELDS = ['id', 'companyId', ...MAPPING_FIELDS] as const;

const GroupMappingView = titled('GroupMapping', {
  ...answeredFields(groupMapping, SHOWN_FIELDS),
  _count: Type.Object({
    groups: Type.Integer({ description: 'Groups of directories that it maps', examples: [1] }),
    users: Type.Integer({ description: 'Members of these groups', examples: [12] }),
  }),
});
type GroupMappingView = Static<typeof GroupMappingView>;

/** Returns the rows of mappings. @param apply gives people what they map, after each change */
function mappingRows(apply: typeof applyGroups) {
  return crud<typeof groupMapping, (typeof MAPPING_FIELDS)[number], GroupMappingView>({
    entity: groupMapping,
    targets: [department, band, ownRole],
    columns: sql`
    ${selectFields(groupMapping, SHOWN_FIELDS)},
    (select json_build_object('groups', count(distinct directory_groups.id), 'users', count(distinct user_id))
       from directory_groups left join directory_group_members on directory_group_members.group_id = directory_groups.id
      where ${mapsGroup(sql`directory_groups`)}) as "_count"`,
    listed: { orderBy: [{ by: sql`priority`, type: 'bigint' }, BY_ID] },
    writable: MAPPING_FIELDS,
    checkRow: checkMapping,
    afterWrite: (transaction, request, { companyId }) => apply(transaction, request, companyId),
  });
}

/** Checks that a mapping names one group and gives something, all of the company. @throws ApiError `INVALID_INPUT` */
async function checkMapping(
  transaction: Transaction,
  companyId: string,
  { groupId, groupName, role, roleId, departmentId, bandId }: Partial<RowOf<typeof groupMapping>>,
): Promise<void> {
  const problems: FieldProblem[] = [];
  const add = (...problem: Parameters<typeof problemOf>) => problems.push(problemOf(...problem));
  if (!groupId && !groupName) add('groupName', 'REQUIRED', 'is required where there is no groupId');
  if (!role && !roleId && !departmentId && !bandId) {
    add('role', 'REQUIRED', 'is required where there is neither a roleId, a departmentId nor a bandId');
  }
  if (groupId && groupName) add('groupName', 'INVALID_VALUE', 'must be absent where there is a groupId');
  if (groupId) {
    const [group] = await transaction.query(sql`
      select from directory_groups where id = ${groupId}::uuid and company_id = ${companyId}::uuid for key share`);
    if (group === undefined) add('groupId', 'INVALID_VALUE', 'must be a group of a directory of the company');
  }
  throwIfInvalid(problems);
}

/** Returns the operations. @param apply gives people what a mapping gives, or takes it away, in the transaction that changes the mapping */
export function groupMappingsOperations(apply: typeof applyGroups) {
  const { list, get, create, update, remove } = operationsOf(mappingRows(apply), {
    output: one(GroupMappingView),
    reads: { access: companyAdmins },
    writes: { access: companyAdmins },
  });

  return [
    list({
      id: 'groupMappings.list',
      description: 'What the groups of directories give to their members, sorted by priority. For Corporate Admins.',
      output: page(GroupMappingView),
    }),
    get({
      id: 'groupMappings.get',
      description:
        'One mapping, with the number of its groups and their members. For Corporate Admins of that company.',
    }),
    create({
      id: 'groupMappings.create',
      description:
        'Gives the members of a group a role, a department or a band, at once and as they come. The group is named by ' +
        'groupId or by groupName. Idempotent with a client-generated id. For Corporate Admins of that company.',
      errors: ['OWN_LIMIT'],
    }),
    update({
      id: 'groupMappings.update',
      description:
        'Changes the fields that are sent; null clears one. With If-Match, fails with 412 if it has changed since it was ' +
        'read. For Corporate Admins of that company.',
      errors: ['LAST_ADMIN', 'OWN_LIMIT'],
    }),
    remove({
      id: 'groupMappings.delete',
      description:
        'Returns the deleted mapping. Roles that no other group and no hand gives go with it. For Corporate Admins.',
      errors: ['LAST_ADMIN'],
    }),
  ];
}
