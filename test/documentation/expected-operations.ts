import { approvalPolicy, NESTED_FIELDS, SCOPE_FIELDS } from '../../src/entities/approval-policy.ts';
import { band } from '../../src/entities/band.ts';
import { company } from '../../src/entities/company.ts';
import { costCenter } from '../../src/entities/cost-center.ts';
import { department } from '../../src/entities/department.ts';
import { fieldsBut } from '../../src/entities/entity.ts';
import { fieldDefinition } from '../../src/entities/field-definition.ts';
import { group } from '../../src/entities/group.ts';
import { role } from '../../src/entities/held-role.ts';
import { legalEntity } from '../../src/entities/legal-entity.ts';
import { PLAIN_FIELDS, TRAVELLER_GROUPS } from '../../src/entities/traveller.ts';
import { EMPLOYMENT_FIELDS, SUBSTITUTE_FIELDS, user } from '../../src/entities/user.ts';

const PAGED = ['page', 'limit', 'after'];
const PAGING = ['search', ...PAGED];
const OF_COMPANY = ['companyId!', 'externalId', 'updatedSince', 'include'];
const ON_REQUEST = [...PAGING, 'isPaginationNeeded'];
const OF_GEOGRAPHY = ['alternateNames', 'ids', 'include', 'lang'];
const OF_STATES = ['hasCities', 'countryId', 'countryCode', ...OF_GEOGRAPHY];
const OF_CITIES = ['stateId', 'within', 'near', 'countryId', 'countryCode', ...OF_GEOGRAPHY];
const PROFILE_FIELDS = [
  'firstName',
  'lastName',
  'phone',
  'dateOfBirth',
  'gender',
  'addressLine1',
  'addressLine2',
  'pincode',
];

const LISTED = ['400', '401', '403', '429', '503'];
/** Of the caller alone: refused to API keys. */
const OWN = LISTED;
const BY_BODY = ['413', '415'];
const PUBLIC = ['400', '429'];

const CONNECTION = [
  ...['issuer', 'audience', 'clientId', 'algorithm', 'scope', 'subjectClaim', 'tokenUse', 'emailsVerified', 'active'],
  ...['domains', 'guests', 'discoveryUrl', 'demandedClaims', 'relinkUntil', 'sharedWith'],
];
const DIRECTORY = ['name', 'kind', 'connectionId', 'active'];
const MAPPING = ['groupId', 'groupName', 'role', 'roleId', 'departmentId', 'bandId', 'priority'];
const COMPANY: string[] = fieldsBut(company, 'id', 'active', 'defaultDepartmentId', 'defaultBandId', 'closedTo');
const OTHERS = ['id', 'companyId', 'active', ...EMPLOYMENT_FIELDS, ...SUBSTITUTE_FIELDS] as const;
const PERSON: string[] = [...fieldsBut(user, ...OTHERS), 'employment'];
const DEPARTMENT: string[] = fieldsBut(department, 'id', 'companyId');
const BAND: string[] = fieldsBut(band, 'id', 'companyId');
const POLICY = [
  ...fieldsBut(approvalPolicy, 'id', 'companyId', ...SCOPE_FIELDS, ...NESTED_FIELDS),
  ...['defaultApprovers', 'reapproveAbove', 'scope', 'levels'],
];
const FIELD: string[] = fieldsBut(fieldDefinition, 'id', 'companyId');
const COST_CENTER: string[] = fieldsBut(costCenter, 'id', 'companyId');
const GROUP: string[] = fieldsBut(group, 'id', 'companyId');
const ROLE: string[] = fieldsBut(role, 'id', 'companyId');
const LEGAL_ENTITY: string[] = [...fieldsBut(legalEntity, 'id', 'companyId'), 'taxRegistrations'];
const EVALUATION = ['id', 'companyId', 'userId', 'requestedBy', 'approvedAmount', 'currency', 'facts', 'on'];
const TRAVELLER = [
  ...['id', ...Object.keys(TRAVELLER_GROUPS), ...PLAIN_FIELDS],
  ...['documents', 'programmes', 'arrangers'],
];
const WEBHOOK = ['url', 'entities', 'actions', 'fields', 'headers', 'description'];
const FOUND = [...LISTED, '404'];
/** Of what writes: it takes an Idempotency-Key. */
const WRITTEN = [...LISTED, ...BY_BODY, '409', '422'];
const GRANTED = [...WRITTEN, '404'];
const UPDATED = [...GRANTED, '412'];
const ADMIN = 'admin@acme.example';
const SUPER = 'super.admin@orgdesk.example';

/** The operations, who may call them, their fields (with `!` where a query must have them), and the statuses of their errors. */
export const EXPECTED: readonly (readonly [
  operation: string,
  caller: string | undefined,
  fields: string[],
  errors: string[],
])[] = [
  ['GET /api/users/profile', 'employee@acme.example', ['include'], OWN],
  ['POST /api/users/profile', 'employee@acme.example', ['include'], [...OWN, ...BY_BODY]],
  ['GET /api/users/update-profile', 'employee@acme.example', PROFILE_FIELDS, ['412', ...LISTED]],
  ['POST /api/users/update-profile', 'employee@acme.example', PROFILE_FIELDS, ['412', ...WRITTEN]],
  ['GET /api/cities/list', undefined, [...ON_REQUEST, ...OF_CITIES], PUBLIC],
  ['POST /api/cities/list', undefined, [...ON_REQUEST, ...OF_CITIES], [...PUBLIC, ...BY_BODY]],
  ['GET /api/states/list', undefined, [...ON_REQUEST, ...OF_STATES], PUBLIC],
  ['POST /api/states/list', undefined, [...ON_REQUEST, ...OF_STATES], [...PUBLIC, ...BY_BODY]],
  ['GET /api/countries/list', undefined, [...ON_REQUEST, ...OF_GEOGRAPHY], PUBLIC],
  ['POST /api/countries/list', undefined, [...ON_REQUEST, ...OF_GEOGRAPHY], [...PUBLIC, ...BY_BODY]],
  [
    'GET /api/companies/list',
    'super.admin@orgdesk.example',
    [...PAGING, 'activeOnly', 'externalId', 'inactiveOnly', 'overCredit', 'include', 'sort', 'updatedSince'],
    LISTED,
  ],
  [
    'GET /api/approval-policies/list',
    'admin@acme.example',
    [...PAGING, 'companyId!', 'externalId', 'updatedSince', 'include', 'sort'],
    LISTED,
  ],
  ['GET /api/departments/list', 'manager@acme.example', [...PAGING, ...OF_COMPANY], LISTED],
  ['GET /api/companies/get', ADMIN, ['id!', 'include'], FOUND],
  ['POST /api/companies/create', SUPER, ['id', ...COMPANY, 'firstAdmin'], WRITTEN],
  ['POST /api/companies/update', SUPER, ['id', ...COMPANY, 'active', 'defaultDepartmentId', 'defaultBandId'], UPDATED],
  ['POST /api/companies/record-payment', SUPER, ['id', 'companyId', 'amount', 'createdAt', 'reference'], WRITTEN],
  ['POST /api/companies/close-period', ADMIN, ['companyId', 'from', 'to'], WRITTEN],
  [
    'GET /api/users/list',
    'manager@acme.example',
    [
      ...[
        ...PAGING,
        'companyId!',
        'departmentId',
        'directoryId',
        'below',
        'broad',
        'departmentIds',
        'workerType',
        'bandId',
        'ownRoleId',
        'bandIds',
        'role',
        'roles',
        'activeOnly',
        'inactiveOnly',
        'guests',
        'sort',
        'signedIn',
        'documentsExpireBefore',
        'arrangedBy',
        'substituteId',
        'updatedSince',
        'include',
      ],
      ...['email', 'employeeNumber', 'externalId', 'managerId'],
    ],
    LISTED,
  ],
  ['GET /api/users/search', SUPER, ['search!', ...PAGED], LISTED],
  ['GET /api/users/get', 'manager@acme.example', ['id!', 'include'], FOUND],
  ['POST /api/users/create', ADMIN, ['id', 'companyId', ...PERSON, 'until', 'roles', 'newcomer'], WRITTEN],
  ['POST /api/users/update', ADMIN, ['id', ...PERSON, 'until', 'active', 'revokeKeys'], UPDATED],
  ['POST /api/users/save', ADMIN, ['companyId', 'maxLeavers', 'create', 'update'], WRITTEN],
  [
    'POST /api/users/import',
    ADMIN,
    [
      ...['companyId!', 'dryRun', 'invite', 'mode', 'scope', 'maxLeavers', 'maxChanged', 'maxAddresses', 'maxMoved'],
      ...['asOf', 'feed', 'confirm', 'choices', 'changes', 'after', 'limit'],
    ],
    WRITTEN,
  ],
  ['POST /api/users/grant-role', ADMIN, ['userId', 'role', 'companyId'], GRANTED],
  ['POST /api/users/revoke-role', ADMIN, ['userId', 'role', 'companyId', 'revokeKeys'], GRANTED],
  ['GET /api/departments/spending', 'manager@acme.example', [...PAGED, 'companyId!', 'from', 'to'], LISTED],
  ['GET /api/companies/spending', 'manager@acme.example', ['companyId!', 'by', 'departmentId', 'from', 'to'], LISTED],
  [
    'GET /api/bookings/list',
    'manager@acme.example',
    [
      ...[...PAGED, 'companyId!', 'userId', 'departmentId', 'status', 'from', 'to', 'search', 'sort', 'updatedSince'],
      'include',
    ],
    LISTED,
  ],
  ['GET /api/bookings/changes', 'manager@acme.example', ['companyId!', 'after!', 'limit'], ['410', ...LISTED]],
  ['GET /api/bookings/get', 'manager@acme.example', ['id!', 'include'], FOUND],
  ['GET /api/departments/get', 'manager@acme.example', ['id!'], FOUND],
  ['POST /api/departments/create', ADMIN, ['id', 'companyId', ...DEPARTMENT], WRITTEN],
  ['POST /api/departments/update', ADMIN, ['id', ...DEPARTMENT], UPDATED],
  ['POST /api/departments/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/bands/list', 'manager@acme.example', [...PAGING, ...OF_COMPANY], LISTED],
  ['GET /api/bands/get', 'manager@acme.example', ['id!'], FOUND],
  ['POST /api/bands/create', ADMIN, ['id', 'companyId', ...BAND], WRITTEN],
  ['POST /api/bands/update', ADMIN, ['id', ...BAND], UPDATED],
  ['POST /api/bands/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/cost-centers/list', 'manager@acme.example', [...PAGING, ...OF_COMPANY], LISTED],
  ['GET /api/cost-centers/get', 'manager@acme.example', ['id!'], FOUND],
  ['POST /api/cost-centers/create', ADMIN, ['id', 'companyId', ...COST_CENTER], WRITTEN],
  ['POST /api/cost-centers/update', ADMIN, ['id', ...COST_CENTER], UPDATED],
  ['POST /api/cost-centers/delete', ADMIN, ['id'], UPDATED],
  [
    'GET /api/groups/list',
    'manager@acme.example',
    [...PAGING, 'companyId!', 'updatedSince', 'include', 'externalId'],
    LISTED,
  ],
  ['GET /api/groups/get', 'manager@acme.example', ['id!'], FOUND],
  ['POST /api/groups/create', ADMIN, ['id', 'companyId', ...GROUP], WRITTEN],
  ['POST /api/groups/update', ADMIN, ['id', ...GROUP], UPDATED],
  ['POST /api/groups/delete', ADMIN, ['id'], UPDATED],
  [
    'GET /api/roles/list',
    'manager@acme.example',
    [...PAGING, 'companyId', 'updatedSince', 'include', 'userId', 'fixed'],
    LISTED,
  ],
  ['GET /api/roles/get', 'manager@acme.example', ['id!'], FOUND],
  ['GET /api/roles/own', 'manager@acme.example', [], OWN],
  ['POST /api/roles/create', ADMIN, ['id', 'companyId', ...ROLE], WRITTEN],
  ['POST /api/roles/update', ADMIN, ['id', ...ROLE.filter((name) => name !== 'key')], UPDATED],
  ['POST /api/roles/delete', ADMIN, ['id'], UPDATED],
  ['POST /api/roles/grant', ADMIN, ['id', 'userId'], GRANTED],
  ['POST /api/roles/revoke', ADMIN, ['id', 'userId'], GRANTED],
  ['GET /api/legal-entities/list', 'manager@acme.example', [...PAGING, ...OF_COMPANY], LISTED],
  ['GET /api/legal-entities/get', 'manager@acme.example', ['id!'], FOUND],
  ['POST /api/legal-entities/create', ADMIN, ['id', 'companyId', ...LEGAL_ENTITY], WRITTEN],
  ['POST /api/legal-entities/update', ADMIN, ['id', ...LEGAL_ENTITY], UPDATED],
  ['POST /api/legal-entities/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/legal-entities/bill-to', 'employee@acme.example', ['userId!', 'stateId', 'countryCode'], FOUND],
  ['GET /api/fields/list', 'manager@acme.example', ['companyId', 'entity', ...PAGED], LISTED],
  ['GET /api/fields/get', 'manager@acme.example', ['id!'], FOUND],
  ['POST /api/fields/create', ADMIN, ['id', 'companyId', ...FIELD], WRITTEN],
  [
    'POST /api/fields/update',
    ADMIN,
    ['id', ...FIELD.filter((name) => !['entity', 'key', 'type'].includes(name))],
    UPDATED,
  ],
  ['POST /api/fields/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/sign-in-connections/list', ADMIN, [...PAGED, 'companyId!'], LISTED],
  ['GET /api/sign-in-connections/get', ADMIN, ['id!'], FOUND],
  ['POST /api/sign-in-connections/create', ADMIN, ['id', 'companyId', ...CONNECTION], WRITTEN],
  ['POST /api/sign-in-connections/update', ADMIN, ['id', ...CONNECTION], UPDATED],
  ['POST /api/sign-in-connections/delete', ADMIN, ['id'], UPDATED],
  ['POST /api/sign-in-connections/test', ADMIN, ['id', 'token'], GRANTED],
  ['GET /api/sign-in-connections/foreign-addresses', ADMIN, ['companyId!'], LISTED],
  ['GET /api/sign-in-connections/refusals', ADMIN, ['id!'], FOUND],
  ['POST /api/sign-in-connections/forget-links', ADMIN, ['id'], GRANTED],
  ['GET /api/sign-in-connections/shared', ADMIN, ['companyId!'], LISTED],
  ['POST /api/sign-in-connections/agree-sharing', ADMIN, ['id', 'companyId'], GRANTED],
  ['POST /api/sign-in-connections/leave-sharing', ADMIN, ['id', 'companyId'], GRANTED],
  ['GET /api/group-mappings/list', ADMIN, [...PAGED, 'companyId!'], LISTED],
  ['GET /api/group-mappings/get', ADMIN, ['id!'], FOUND],
  ['GET /api/directories/list', ADMIN, [...PAGED, 'companyId!'], LISTED],
  ['GET /api/directories/get', ADMIN, ['id!'], FOUND],
  ['POST /api/directories/create', ADMIN, ['id', 'companyId', ...DIRECTORY], WRITTEN],
  ['POST /api/directories/update', ADMIN, ['id', ...DIRECTORY], UPDATED],
  ['POST /api/directories/delete', ADMIN, ['id', 'choice', 'intoId'], UPDATED],
  ['POST /api/directories/join', ADMIN, ['id', 'intoId'], GRANTED],
  ['POST /api/directories/renew-key', ADMIN, ['id', 'overlapDays'], GRANTED],
  ['GET /api/directories/groups', ADMIN, [...PAGING, 'companyId!', 'directoryId'], LISTED],
  ['POST /api/group-mappings/create', ADMIN, ['id', 'companyId', ...MAPPING], WRITTEN],
  ['POST /api/group-mappings/update', ADMIN, ['id', ...MAPPING], UPDATED],
  ['POST /api/group-mappings/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/approval-policies/get', 'manager@acme.example', ['id!'], FOUND],
  ['GET /api/approval-policies/evaluate', 'manager@acme.example', [...EVALUATION, 'amount!'], FOUND],
  ['POST /api/approval-policies/evaluate', 'manager@acme.example', [...EVALUATION, 'amount'], [...FOUND, ...BY_BODY]],
  ['POST /api/approval-policies/check', 'manager@acme.example', ['companyId'], [...LISTED, ...BY_BODY]],
  ['POST /api/users/forget-sign-in', ADMIN, ['id'], GRANTED],
  ['GET /api/users/moves', ADMIN, [...PAGED, 'companyId!', 'status'], LISTED],
  ['GET /api/mails/list', SUPER, [...PAGED, 'companyId', 'userId', 'status'], LISTED],
  ['POST /api/users/invite', ADMIN, ['id'], [...GRANTED]],
  ['POST /api/users/request-move', ADMIN, ['companyId', 'userIds', 'emails', 'departmentId', 'bandId'], GRANTED],
  ['POST /api/users/agree-move', ADMIN, ['ids'], GRANTED],
  ['POST /api/users/decline-move', ADMIN, ['ids'], GRANTED],
  ['POST /api/users/withdraw-move', ADMIN, ['ids'], GRANTED],
  ['GET /api/users/get-traveller', 'employee@acme.example', ['id', 'reveal'], [...FOUND, '409']],
  ['POST /api/users/update-traveller', 'employee@acme.example', TRAVELLER, UPDATED],
  ['GET /api/users/export-own', 'employee@acme.example', [], [...OWN, '409']],
  ['POST /api/users/set-substitute', 'employee@acme.example', ['userId', 'substituteId', 'from', 'until'], GRANTED],
  ['POST /api/approval-policies/create', ADMIN, ['id', 'companyId', ...POLICY], WRITTEN],
  ['POST /api/approval-policies/update', ADMIN, ['id', ...POLICY], UPDATED],
  ['POST /api/approval-policies/delete', ADMIN, ['id'], UPDATED],
  ['GET /api/api-keys/self', SUPER, [], LISTED],
  ['GET /api/api-keys/list', SUPER, ['companyId', ...PAGED], LISTED],
  ['POST /api/api-keys/create', SUPER, ['id', 'name', 'scopes', 'companyId', 'expiresAt', 'directoryId'], WRITTEN],
  ['POST /api/api-keys/revoke', SUPER, ['id', 'webhooks'], GRANTED],
  ['POST /api/api-keys/confirm', SUPER, ['id'], GRANTED],
  ['POST /api/bookings/record', SUPER, ['bookings'], WRITTEN],
  ['GET /api/webhooks/list', SUPER, ['companyId', ...PAGED], LISTED],
  ['GET /api/webhooks/get', SUPER, ['id!'], FOUND],
  ['GET /api/webhooks/deliveries', SUPER, ['id!', ...PAGED], FOUND],
  ['POST /api/webhooks/create', SUPER, ['id', 'companyId', ...WEBHOOK], WRITTEN],
  ['POST /api/webhooks/update', SUPER, ['id', ...WEBHOOK, 'active'], GRANTED],
  ['POST /api/webhooks/delete', SUPER, ['id'], GRANTED],
  ['POST /api/webhooks/rotate-secret', SUPER, ['id'], GRANTED],
  ['POST /api/webhooks/skip', SUPER, ['id', 'changeId'], GRANTED],
  ['POST /api/webhooks/resend', SUPER, ['id', 'changeId', 'since'], GRANTED],
  ['POST /api/webhooks/test', SUPER, ['id'], GRANTED],
  [
    'GET /api/audit/list',
    'employee@acme.example',
    [
      ...PAGED,
      'entity',
      'entityId',
      'userId',
      'companyId',
      'actorId',
      'actorKind',
      'action',
      'requestId',
      'group',
      'from',
      'to',
    ],
    OWN,
  ],
  [
    'GET /api/events/list',
    'employee@acme.example',
    ['after', 'from', 'entity', 'userId', 'companyId', 'wait', 'limit'],
    ['410', ...OWN],
  ],
  ['GET /console/config', undefined, ['domain'], [...PUBLIC, '503']],
  ['GET /livez', undefined, [], ['400']],
  ['GET /readyz', undefined, [], ['400', '503']],
];
