import { externalId } from './company.ts';
import { companyId } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { idsUpTo } from './formed-values.ts';
import { text, uuid } from './values.ts';

const byName = { fields: ['companyId', 'name'], constraint: 'company_groups_name', ignoresCase: true } as const;

/** People of a company who approve together; the groups of its directories are others. */
export const group = {
  name: 'group',
  noun: 'group',
  table: 'company_groups',
  file: 'groups.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [byName, { fields: ['companyId', 'externalId'], constraint: 'company_groups_external_id' }],
  naturalKey: byName,
  rank: 6,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '3d8e1f27-5a64-4b0c-9d13-7c2e6a4f8b19' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Travel board' },
    userIds: {
      kind: idsUpTo(200),
      nullable: true,
      lists: 'user',
      rows: { table: 'company_group_members', of: 'group_id', value: 'user_id' },
      description: 'Its people, of the same company',
      example: null,
    },
    externalId,
  }),
} as const satisfies Entity;
