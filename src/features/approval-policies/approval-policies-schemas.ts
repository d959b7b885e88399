import { type Static, Type } from 'typebox';
import { fieldsView, includedTimes, timeFields } from '../../api/list-schemas.ts';
import { approvalPolicy, approvalPolicyLevel, NESTED_FIELDS, SCOPE_FIELDS } from '../../entities/approval-policy.ts';
import type { Conditions } from '../../entities/conditions.ts';
import { type AuditedEntity, fieldOf, fieldsBut, type RowOf } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields, nullable, optional, titled } from '../../entities/field-schemas.ts';
import { APPROVER_ROLES } from '../../entities/roles.ts';
import { money } from '../../entities/values.ts';
import { WORKER_TYPES } from '../../entities/worker-type.ts';

/** Fields of a policy, and of its levels, in the list. */
export const LISTED_FIELDS = ['id', 'name', 'autoApprovalLimit'] as const;
export const LISTED_LEVEL_FIELDS = ['id', 'level', 'roleRequired', 'minAmount'] as const;

/** Maximum number of items in a list of a scope. */
export const MAX_SCOPE_ITEMS = 200;
/** Maximum number of people whom a level, or a policy by default, names. */
export const MAX_APPROVERS = 20;

/** Lists of a scope: those of ids, and those of texts. */
export const ID_LISTS = ['departmentIds', 'bandIds', 'userIds'] as const;
export const TEXT_LISTS = ['costCenters', 'jobTitles', 'countryCodes', 'workerTypes'] as const;

const idList = (entity: AuditedEntity, field: string, maxItems = MAX_SCOPE_ITEMS) =>
  Type.Array(Type.String({ format: 'uuid' }), {
    description: fieldOf(entity, field).description ?? '',
    maxItems,
    examples: [[]],
  });
const textsOf = (field: (typeof TEXT_LISTS)[number]) =>
  Type.Array(Type.String(field === 'workerTypes' ? { enum: [...WORKER_TYPES] } : {}), {
    description: approvalPolicy.fields[field].description,
    maxItems: MAX_SCOPE_ITEMS,
    examples: [[]],
  });
const lists = {
  departmentIds: idList(approvalPolicy, 'departmentIds'),
  bandIds: idList(approvalPolicy, 'bandIds'),
  userIds: idList(approvalPolicy, 'userIds'),
  costCenters: textsOf('costCenters'),
  jobTitles: textsOf('jobTitles'),
  countryCodes: textsOf('countryCodes'),
  workerTypes: textsOf('workerTypes'),
};
const PLAIN_SCOPE_FIELDS = ['from', 'until', 'priority', 'active'] as const;

const plainCondition = [
  { type: 'boolean' },
  { type: 'array', items: { type: 'string' } },
  { type: 'object', properties: { min: { type: 'number' }, max: { type: 'number' } }, additionalProperties: false },
];
const conditions = Type.Unsafe<Conditions>({
  type: 'object',
  description: approvalPolicy.fields.conditions.description,
  additionalProperties: {
    anyOf: [
      ...plainCondition,
      {
        type: 'object',
        properties: { not: { anyOf: plainCondition } },
        required: ['not'],
        additionalProperties: false,
      },
    ],
  },
  examples: [{ international: true, category: ['flight', 'rail'] }],
});
const { departmentIds, bandIds, ...narrow } = lists;
const { from, until, ...plain } = answeredFields(approvalPolicy, PLAIN_SCOPE_FIELDS);
const scope = titled('PolicyScope', {
  ...{ departmentIds, bandIds, conditions, ...plain },
  ...Type.Partial(Type.Object({ ...narrow, from, until })).properties,
});
/** The scope in requests; absent fields get their default on create and stay on update. */
const scopeInput = Type.Optional(
  Type.Partial(Type.Object({ ...lists, conditions, ...givenFields(approvalPolicy, PLAIN_SCOPE_FIELDS) })),
);

/** Who approves at a level, if it is not a role: a line of managers, people, a group, a role of the company's own, or the owner of the cost centre. */
export interface ApproverChoice {
  chain?: true;
  costCenterOwner?: true;
  userIds?: string[];
  groupId?: string | null;
  roleId?: string | null;
}

const approverParts = (people: object, group: object) => ({
  userIds: { ...people, type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: MAX_APPROVERS },
  groupId: { ...group, type: ['string', 'null'], format: 'uuid' },
});
const { userIds, groupId, roleId } = approvalPolicyLevel.fields;
const approverChoice = {
  type: 'object',
  description: 'Who approves, if it is not a role: one of these',
  properties: {
    chain: { type: 'boolean', description: 'The line of managers, as many as authority needs' },
    costCenterOwner: { type: 'boolean', description: "The owner of the person's cost centre" },
    ...approverParts({ description: userIds.description }, { description: groupId.description }),
    roleId: { type: ['string', 'null'], format: 'uuid', description: roleId.description },
  },
  additionalProperties: false,
  examples: [null],
};
export const ApproverChoice = nullable<ApproverChoice>(approverChoice);

/** Returns what a level names beside a role. */
export function approverOf({
  roleRequired,
  userIds: people,
  groupId: group,
  roleId: own,
}: Pick<RowOf<typeof approvalPolicyLevel>, 'roleRequired' | 'userIds' | 'groupId' | 'roleId'>): ApproverChoice | null {
  if (roleRequired === 'MANAGEMENT_CHAIN') return { chain: true };
  if (roleRequired === 'COST_CENTER_OWNER') return { costCenterOwner: true };
  if (roleRequired === 'USERS') return { userIds: people?.split(' ') ?? [] };
  if (roleRequired === 'ROLE') return { roleId: own };
  return roleRequired === 'GROUP' ? { groupId: group } : null;
}

const defaultApprovers = {
  type: 'object',
  description:
    'Who is asked where a step that must not be skipped would have nobody, and at the end of a line: people or a group',
  properties: approverParts({}, {}),
  additionalProperties: false,
  examples: [null],
};
const reapproveAbove = {
  type: 'object',
  description: 'How much more than approvedAmount needs no new approval; of both the smaller one',
  properties: {
    percent: { type: ['number', 'null'], minimum: 0 },
    amount: { ...money.given, type: ['string', 'null'] },
  },
  additionalProperties: false,
  examples: [null],
};

/** Further rules of a policy in responses. */
interface Rules {
  defaultApprovers: { userIds: string[]; groupId: string | null } | null;
  reapproveAbove: { percent: number | null; amount: string | null } | null;
}

const levels = Type.Array(
  Type.Object(
    {
      ...answeredFields(approvalPolicyLevel, LISTED_LEVEL_FIELDS),
      ...Type.Partial(
        Type.Object({
          ...answeredFields(approvalPolicyLevel, ['maxAmount', 'minApprovers', 'mode']),
          approver: ApproverChoice,
        }),
      ).properties,
    },
    { title: 'ApprovalPolicyLevel' },
  ),
  { description: 'By ascending level; those of one number are parallel' },
);

/** A policy in the list. */
export const ApprovalPolicyView = titled('ApprovalPolicy', {
  ...answeredFields(approvalPolicy, LISTED_FIELDS),
  ...includedTimes,
  ...fieldsView,
  levels,
  scope: Type.Optional(scope),
  ...Type.Partial(Type.Object(answeredFields(approvalPolicy, ['active', 'externalId']))).properties,
});
export type ApprovalPolicyView = Static<typeof ApprovalPolicyView>;

/** A single policy in responses. */
export const ApprovalPolicyDetail = titled('ApprovalPolicyDetail', {
  ...answeredFields(approvalPolicy, [
    ...LISTED_FIELDS,
    'companyId',
    'distinct',
    'limit',
    'excludeReports',
    'externalId',
  ]),
  defaultApprovers: nullable<Rules['defaultApprovers']>(defaultApprovers),
  reapproveAbove: nullable<Rules['reapproveAbove']>(reapproveAbove),
  ...timeFields,
  ...fieldsView,
  scope,
  levels,
});
export type ApprovalPolicyDetail = Static<typeof ApprovalPolicyDetail>;

export const ROLE_WORDS = `${APPROVER_ROLES.join(', ')}, or the key of a role of the company’s own`;

/** Returns the schema of the complete list of levels in a request. @param isNew for a create, in which levels have no ids yet */
function levelsInput(isNew: boolean) {
  const id = optional.text({ maxLength: 100, description: 'Of a level that is kept' });
  const { roleRequired: _, ...content } = newRowFields(approvalPolicyLevel, [
    ...LISTED_LEVEL_FIELDS.filter((name) => name !== 'id'),
    ...(['maxAmount', 'minApprovers', 'mode'] as const),
  ]);
  const role = optional.text({
    title: 'RequiredRole',
    maxLength: 40,
    description: `The role that approves: ${ROLE_WORDS}`,
    examples: ['MANAGER'],
  });
  return Type.Optional(
    Type.Array(
      Type.Object({
        ...(isNew ? {} : { id }),
        ...content,
        roleRequired: role,
        approver: Type.Optional(ApproverChoice),
      }),
      {
        maxItems: 20,
        description:
          'The complete list of levels, each with a role or an approver, and amounts that do not decrease; levels of one ' +
          'number are parallel',
        examples: [[{ level: 1, roleRequired: 'MANAGER', minAmount: '10000.00' }]],
      },
    ),
  );
}

/** Fields that a request may set besides the id, the company and the scope. */
export const POLICY_FIELDS = fieldsBut(approvalPolicy, 'id', 'companyId', ...SCOPE_FIELDS, ...NESTED_FIELDS);

const nestedInput = {
  defaultApprovers: Type.Optional(nullable<Rules['defaultApprovers']>(defaultApprovers)),
  reapproveAbove: Type.Optional(nullable<Rules['reapproveAbove']>(reapproveAbove)),
};

/** Fields of the bodies of a create and of an update besides the id. */
export const NEW_POLICY_PROPERTIES = {
  ...newRowFields(approvalPolicy, ['companyId', ...POLICY_FIELDS]),
  ...nestedInput,
  scope: scopeInput,
  levels: levelsInput(true),
};
export const POLICY_PATCH_PROPERTIES = {
  ...givenFields(approvalPolicy, POLICY_FIELDS),
  ...nestedInput,
  scope: scopeInput,
  levels: levelsInput(false),
};
