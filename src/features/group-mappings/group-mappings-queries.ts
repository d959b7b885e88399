import sql, { type Sql } from 'sql-template-tag';
import { crud } from '../../api/crud.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { apiErrors } from '../../entities/api-error.ts';
import type { RowOf } from '../../entities/entity.ts';
import type { FieldProblem } from '../../entities/field-problem.ts';
import { groupMapping } from '../../entities/group-mapping.ts';
import { fieldMessage } from '../../entities/values.ts';
import { applyGroups } from '../people/people.ts';
import { type GroupMappingView, MAPPING_FIELDS, SHOWN_FIELDS } from './group-mappings-schemas.ts';

/** Select list of a mapping in responses. */
const mappingColumns: Sql = sql`
  ${selectFields(groupMapping, SHOWN_FIELDS)},
  (select json_build_object('groups', count(distinct directory_groups.id), 'users', count(distinct user_id))
     from directory_groups left join directory_group_members on directory_group_members.group_id = directory_groups.id
    where directory_groups.company_id = group_mappings.company_id
      and (directory_groups.id = group_mappings.group_id
           or lower_letters(directory_groups.display_name) = lower_letters(group_mappings.group_name))) as "_count"`;

/** Returns one page of a company's mappings, by priority. */
export function listGroupMappings(db: Reader, companyId: string, page: PageRequest): Promise<Page<GroupMappingView>> {
  return selectPage<GroupMappingView>(
    db,
    {
      columns: mappingColumns,
      from: sql`group_mappings`,
      where: sql`company_id = ${companyId}`,
      orderBy: [
        { by: sql`priority`, type: 'bigint' },
        { by: sql`id`, type: 'uuid' },
      ],
    },
    page,
  );
}

export const groupMappings = crud<typeof groupMapping, (typeof MAPPING_FIELDS)[number], GroupMappingView>({
  entity: groupMapping,
  columns: mappingColumns,
  writable: MAPPING_FIELDS,
  checkRow: checkMapping,
  afterWrite: (transaction, request, { companyId }) => applyGroups(transaction, request, companyId),
});

/** Checks that a mapping names one group and gives something, all of the company. @throws ApiError `INVALID_INPUT` */
async function checkMapping(
  transaction: Transaction,
  companyId: string,
  { groupId, groupName, role, departmentId, bandId }: Partial<RowOf<typeof groupMapping>>,
): Promise<void> {
  const problems: FieldProblem[] = [];
  const addMissing = (field: string, message: string) => problems.push({ field, code: 'REQUIRED', message });
  if (!groupId && !groupName) addMissing('groupName', 'groupName is required where there is no groupId.');
  if (!role && !departmentId && !bandId)
    addMissing('role', 'role is required where there is neither a departmentId nor a bandId.');
  if (groupId && groupName) {
    problems.push({
      field: 'groupName',
      code: 'INVALID_VALUE',
      message: 'groupName must be absent where there is a groupId.',
    });
  }
  if (groupId) {
    const [group] = await transaction.query(sql`
      select from directory_groups where id = ${groupId}::uuid and company_id = ${companyId}::uuid for key share`);
    const message = fieldMessage('groupId', 'a group of a directory of the company');
    if (group === undefined) problems.push({ field: 'groupId', code: 'INVALID_VALUE', message });
  }
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
}
