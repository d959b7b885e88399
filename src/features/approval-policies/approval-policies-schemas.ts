import { type Static, Type } from 'typebox';
import { approvalPolicy, approvalPolicyLevel, SCOPE_FIELDS } from '../../entities/approval-policy.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields, optional, titled } from '../../entities/field-schemas.ts';
import type { Conditions } from '../../entities/policy-scope.ts';

/** Fields of a policy, and of its levels, in the list. */
export const LISTED_FIELDS = ['id', 'name', 'autoApprovalLimit'] as const;
export const LISTED_LEVEL_FIELDS = ['id', 'level', 'roleRequired', 'minAmount'] as const;

const levels = Type.Array(
  Type.Object(answeredFields(approvalPolicyLevel, LISTED_LEVEL_FIELDS), { title: 'ApprovalPolicyLevel' }),
  { description: 'By ascending level' },
);

export const ApprovalPolicyView = titled('ApprovalPolicy', {
  ...answeredFields(approvalPolicy, LISTED_FIELDS),
  levels,
});
export type ApprovalPolicyView = Static<typeof ApprovalPolicyView>;

/** Maximum number of departments, and of bands, in a scope. */
export const MAX_SCOPE_IDS = 200;

const { priority, active } = answeredFields(approvalPolicy, ['priority', 'active']);
const idList = (field: 'departmentIds' | 'bandIds') =>
  Type.Array(Type.String({ format: 'uuid' }), {
    description: approvalPolicy.fields[field].description,
    maxItems: MAX_SCOPE_IDS,
    examples: [[]],
  });
const conditions = Type.Unsafe<Conditions>({
  type: 'object',
  description: approvalPolicy.fields.conditions.description,
  additionalProperties: true,
  examples: [{ international: true, category: ['flight', 'rail'] }],
});
const scope = titled('PolicyScope', {
  departmentIds: idList('departmentIds'),
  bandIds: idList('bandIds'),
  conditions,
  priority,
  active,
});
/** The scope in requests; absent fields get their default on create and stay on update. */
const scopeInput = Type.Optional(
  Type.Partial(
    Type.Object({
      departmentIds: idList('departmentIds'),
      bandIds: idList('bandIds'),
      conditions,
      ...givenFields(approvalPolicy, ['priority', 'active']),
    }),
  ),
);

/** A single policy in responses. */
export const ApprovalPolicyDetail = titled('ApprovalPolicyDetail', {
  ...answeredFields(approvalPolicy, [...LISTED_FIELDS, 'companyId']),
  scope,
  levels,
});
export type ApprovalPolicyDetail = Static<typeof ApprovalPolicyDetail>;

/** Returns the schema of the complete list of levels in a request. @param isNew for a create, in which levels have no ids yet */
function levelsInput(isNew: boolean) {
  const id = optional.text({ maxLength: 100, description: 'Of a level that is kept' });
  const content = newRowFields(approvalPolicyLevel, ['level', 'roleRequired', 'minAmount']);
  return Type.Optional(
    Type.Array(Type.Object({ ...(isNew ? {} : { id }), ...content }), {
      maxItems: 20,
      description: 'The complete list of levels: each level once, with amounts that do not decrease',
      examples: [[{ level: 1, roleRequired: 'MANAGER', minAmount: '10000.00' }]],
    }),
  );
}

/** Fields that a request may set besides the id, the company and the scope. */
export const POLICY_FIELDS = fieldsBut(approvalPolicy, 'id', 'companyId', ...SCOPE_FIELDS);

/** Fields of the bodies of a create and of an update besides the id. */
export const NEW_POLICY_PROPERTIES = {
  ...newRowFields(approvalPolicy, ['companyId', ...POLICY_FIELDS]),
  scope: scopeInput,
  levels: levelsInput(true),
};
export const POLICY_PATCH_PROPERTIES = {
  ...givenFields(approvalPolicy, POLICY_FIELDS),
  scope: scopeInput,
  levels: levelsInput(false),
};
