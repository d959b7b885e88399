import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { includedTimes, timeFields } from '../../api/list-schemas.ts';
import { one, page } from '../../api/output.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, titled } from '../../entities/field-schemas.ts';
import { group } from '../../entities/group.ts';
import { user } from '../../entities/user.ts';
import { assertThere } from '../approval-policies/policy-checks.ts';
import { listOfIds } from '../approval-policies/policy-columns.ts';

const WRITABLE = fieldsBut(group, 'id', 'companyId');
const shown = {
  ...answeredFields(group, ['id', 'companyId', 'name', 'externalId']),
  userIds: Type.Array(Type.String({ format: 'uuid' }), {
    description: group.fields.userIds.description,
    examples: [[user.fields.id.example]],
  }),
};
const ListedGroup = titled('Group', { ...shown, ...includedTimes });
const GroupView = titled('GroupDetail', { ...shown, ...timeFields });
type GroupView = Static<typeof GroupView>;

const idsIn = (list: unknown) => (typeof list === 'string' ? list.split(' ') : []);

const groups = crud<typeof group, (typeof WRITABLE)[number], GroupView, never, Static<typeof ListedGroup>>({
  entity: group,
  columns: selectFields(group, ['id', 'companyId', 'name', 'userIds', 'externalId']),
  listed: {
    columns: () =>
      sql`${selectFields(group, ['id', 'companyId', 'name', 'externalId'])}, ${listOfIds('user_ids')} as "userIds"`,
    searched: sql`name_folded`,
  },
  writable: WRITABLE,
  show: (row) => ({ ...row, userIds: idsIn(row.userIds) }),
  checkRow: (transaction, companyId, { userIds }) =>
    assertThere(transaction, companyId, 'userIds', user, idsIn(userIds)),
});

const { list, get, create, update, remove } = operationsOf(groups, {
  output: one(GroupView),
  reads: { access: corporateStaff, scope: 'departments.read' },
  writes: { access: corporateAdmins, scope: 'organization.write' },
});

export const groupsOperations = [
  list({
    id: 'groups.list',
    description:
      'The groups of people that a company has beside those of its directories, sorted by name: approval policies name them. ' +
      'For Corporate Admins and Managers of that company.',
    searched: 'name',
    output: page(ListedGroup),
  }),
  get({ id: 'groups.get' }),
  create({ id: 'groups.create' }),
  update({ id: 'groups.update', errors: ['ALREADY_EXISTS'] }),
  remove({ id: 'groups.delete', errors: ['IN_USE'] }),
];
