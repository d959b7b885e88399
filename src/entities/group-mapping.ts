import { band } from './band.ts';
import { companyId, department } from './department.ts';
import { type AuditedEntity, referenceWithinCompany, withColumns } from './entity.ts';
import { COMPANY_ROLES } from './roles.ts';
import { choice, integer, text, uuid } from './values.ts';

/** What the members of a directory's group get: a role of either kind, a department or a band. */
export const groupMapping = {
  name: 'groupMapping',
  noun: 'group mapping',
  table: 'group_mappings',
  id: 'id',
  unique: [],
  knownBy: ['groupName', 'groupId', 'role'],
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '5d0f6a44-0c1e-4b43-9d52-3f6f1f0c9a7b' },
    companyId,
    groupId: {
      kind: uuid,
      nullable: true,
      description: 'A group that a directory has sent; null if groupName is given',
      example: null,
    },
    groupName: {
      kind: text(300),
      nullable: true,
      description: 'Every group of this name in any case, whether it is there already or comes later',
      example: 'Travel approvers',
    },
    role: { kind: choice(COMPANY_ROLES, 'MappedRole'), nullable: true, example: 'MANAGER' },
    roleId: referenceWithinCompany('role', 'A role of the company’s own'),
    departmentId: {
      kind: uuid,
      nullable: true,
      references: 'department',
      ofSameCompany: true,
      example: department.fields.id.example,
    },
    bandId: { kind: uuid, nullable: true, references: 'band', ofSameCompany: true, example: band.fields.id.example },
    priority: {
      kind: integer(0),
      default: 100,
      description: 'Of several mappings of a person the lowest decides on department and band',
      example: 100,
    },
  }),
} as const satisfies AuditedEntity;
