import { externalId } from './company.ts';
import { companyId } from './department.ts';
import { type Entity, referenceTo, withColumns } from './entity.ts';
import { customFields, uuidList } from './formed-values.ts';
import { textId } from './held-role.ts';
import { conditionsText, textList } from './policy-scope.ts';
import { APPROVER_ROLES } from './roles.ts';
import { anyId, boolean, choice, countryCode, date, integer, money, text, uuid, type ValueKind } from './values.ts';
import { WORKER_TYPES } from './worker-type.ts';

/** A nullable list of texts of one kind, as JSON. */
const listOf = (kind: ValueKind<string>, description: string) =>
  ({
    kind: textList(kind.rule, (given) => {
      const reading = kind.parse(given);
      return 'value' in reading ? reading.value : undefined;
    }),
    nullable: true,
    description,
    example: null,
  }) as const;

/** A nullable group, of the company's own or of a directory. */
const oneGroup = (description: string) =>
  ({ kind: uuid, nullable: true, references: 'group', orIn: 'directory_groups', description, example: null }) as const;

/** A nullable list of people of the company. */
const peopleList = (table: string, of: string, description: string) =>
  ({
    kind: uuidList,
    nullable: true,
    lists: 'user',
    rows: { table, of, value: 'user_id' },
    description,
    example: null,
  }) as const;

export const approvalPolicy = {
  name: 'approvalPolicy',
  noun: 'approval policy',
  table: 'approval_policies',
  file: 'approval-policies.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [{ fields: ['companyId', 'externalId'], constraint: 'approval_policies_external_id' }],
  rank: 3,
  auditSubject: { company: 'companyId' },
  periods: [{ from: 'from', until: 'until' }],
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
      description:
        'Facts under which it applies: name -> a boolean, texts of which one holds, { min, max }, or { not } with one of these',
      example: null,
    },
    priority: {
      kind: integer(0),
      default: 100,
      description: 'Of several policies that apply, the one with the lowest number decides',
      example: 100,
    },
    active: { kind: boolean, default: true, example: true },
    costCenters: listOf(text(100), 'Cost centres to whose people it applies; none: all'),
    jobTitles: listOf(text(200), 'Job titles of the people to whom it applies; none: all'),
    countryCodes: listOf(countryCode, 'Countries, by home or company, to whose people it applies; none: all'),
    workerTypes: listOf(choice(WORKER_TYPES), 'Kinds of people to whom it applies; none: all'),
    userIds: peopleList('approval_policy_people', 'policy_id', 'People to whom it applies; none: all'),
    from: { kind: date, column: 'applies_from', nullable: true, description: 'First day', example: null },
    until: { kind: date, column: 'applies_until', nullable: true, description: 'Last day', example: null },
    defaultUserIds: peopleList(
      'approval_policy_defaults',
      'policy_id',
      'People who are asked where a step would have nobody',
    ),
    defaultGroupId: oneGroup('The group, also of a directory, that is asked where a step would have nobody'),
    distinct: {
      kind: boolean,
      column: 'is_distinct',
      default: false,
      description: 'Whether each signature is of another person',
      example: false,
    },
    limit: {
      kind: choice(['SMALLER', 'POLICY']),
      column: 'limit_rule',
      default: 'SMALLER',
      description: 'SMALLER: the limits of the band count too; POLICY: they do not',
      example: 'SMALLER',
    },
    excludeReports: {
      kind: boolean,
      default: false,
      description: 'Whether nobody approves who is below the person who books',
      example: false,
    },
    reapprovePercent: {
      kind: money,
      nullable: true,
      description: 'How much more than was approved needs no new approval, in percent',
      example: null,
    },
    reapproveAmount: {
      kind: money,
      nullable: true,
      description: 'How much more than was approved needs no new approval',
      example: null,
    },
    externalId,
    fields: customFields,
  }),
} as const satisfies Entity;

/** Fields of the scope of a policy: to whom it applies. */
export const SCOPE_FIELDS = [
  'departmentIds',
  'bandIds',
  'costCenters',
  'jobTitles',
  'countryCodes',
  'workerTypes',
  'userIds',
  'conditions',
  'from',
  'until',
  'priority',
  'active',
] as const;

/** Fields of a policy that answers show as parts of objects. */
export const NESTED_FIELDS = ['defaultUserIds', 'defaultGroupId', 'reapprovePercent', 'reapproveAmount'] as const;

const constraint = 'approval_policy_levels_policy_id_level_key';

/** A step of an approval policy. */
export const approvalPolicyLevel = {
  name: 'approvalPolicyLevel',
  noun: 'level',
  table: 'approval_policy_levels',
  file: 'approval-policy-levels.csv',
  id: 'id',
  unique: [{ fields: ['policyId', 'level', 'part'], constraint }],
  // Parallel levels of one number are known by their ids.
  naturalKey: { fields: ['policyId', 'level'], constraint },
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
    part: { kind: integer(1), default: 1, description: 'Tells parallel levels of one number apart', example: 1 },
    maxAmount: {
      kind: money,
      nullable: true,
      description: 'The amount up to which this level approves; null: any',
      example: null,
    },
    minApprovers: {
      kind: integer(1, 20),
      default: 1,
      description: 'How many different people of the level approve',
      example: 1,
    },
    mode: {
      kind: choice(['ANY', 'ALL']),
      default: 'ANY',
      description: 'ANY: minApprovers of its people approve; ALL: all of them',
      example: 'ANY',
    },
    userIds: peopleList('approval_policy_level_people', 'level_id', 'Of USERS: the people who approve'),
    groupId: oneGroup('Of GROUP: the group, also of a directory, whose people approve'),
    roleId: referenceTo('role', 'Of ROLE: the role of the company’s own whose holders approve'),
  }),
} as const satisfies Entity;
