import { companyId } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { textId } from './held-role.ts';
import { conditionsText, uuidList } from './policy-scope.ts';
import { APPROVER_ROLES } from './roles.ts';
import { anyId, boolean, choice, integer, money, text } from './values.ts';

export const approvalPolicy = {
  name: 'approvalPolicy',
  noun: 'approval policy',
  table: 'approval_policies',
  file: 'approval-policies.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [],
  rank: 3,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { ...textId, example: '10f519f7-ea4f-4c89-86b2-6f3d70d18902' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Domestic travel' },
    autoApprovalLimit: { kind: money, default: '0.00', inFiles: 'required', example: '10000.00' },
    departmentIds: {
      kind: uuidList,
      nullable: true,
      lists: 'department',
      rows: { table: 'approval_policy_departments', of: 'policy_id', value: 'department_id' },
      description: 'Departments to whose people it applies, and those below them; none: all',
      example: null,
    },
    bandIds: {
      kind: uuidList,
      nullable: true,
      lists: 'band',
      rows: { table: 'approval_policy_bands', of: 'policy_id', value: 'band_id' },
      description: 'Bands to whose people it applies; none: all',
      example: null,
    },
    conditions: {
      kind: conditionsText,
      nullable: true,
      description: 'Facts under which it applies: name -> a boolean, or texts of which one holds',
      example: null,
    },
    priority: {
      kind: integer(0),
      default: 100,
      description: 'Of several policies that apply, the one with the lowest number decides',
      example: 100,
    },
    active: { kind: boolean, default: true, example: true },
  }),
} as const satisfies Entity;

/** Fields of the scope of a policy: to whom it applies. */
export const SCOPE_FIELDS = ['departmentIds', 'bandIds', 'conditions', 'priority', 'active'] as const;

const byLevel = { fields: ['policyId', 'level'], constraint: 'approval_policy_levels_policy_id_level_key' } as const;

/** A step of an approval policy. */
export const approvalPolicyLevel = {
  name: 'approvalPolicyLevel',
  noun: 'level',
  table: 'approval_policy_levels',
  file: 'approval-policy-levels.csv',
  id: 'id',
  unique: [byLevel],
  naturalKey: byLevel,
  auditSubject: {},
  partOf: { field: 'policyId', entity: approvalPolicy },
  fields: withColumns({
    id: { ...textId, example: '4eed653f-8282-4fbd-b0fd-32dcc867930a' },
    policyId: { kind: anyId, references: 'approvalPolicy', example: approvalPolicy.fields.id.example },
    level: { kind: integer(1), example: 1 },
    roleRequired: {
      kind: choice(APPROVER_ROLES, 'ApproverRole'),
      description: 'The role that approves, of the company or in relation to the person',
      example: 'MANAGER',
    },
    minAmount: { kind: money, description: 'The amount from which on this level approves', example: '10000.00' },
  }),
} as const satisfies Entity;
