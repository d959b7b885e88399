import { companyId } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { choicesOf, formedText } from './formed-values.ts';
import { APPROVER_ROLES, COMPANY_ROLES, GRANTABLE_RULES, SYSTEM_ROLES } from './roles.ts';
import { user } from './user.ts';
import { anyId, boolean, choice, text, uuid } from './values.ts';

/** The user that a row belongs to. */
export const userId = {
  kind: uuid,
  references: 'user',
  namedBy: 'userEmail',
  example: user.fields.id.example,
} as const;

/** An id that need not be a UUID, as another system may have assigned it. */
export const textId = {
  kind: anyId,
  sqlDefault: 'gen_random_uuid()::text',
  example: 'b8d2b4a2-9c43-4b0e-8a6f-1d2e3f4a5b6c',
} as const;

const byAll = {
  fields: ['userId', 'companyId', 'role'],
  constraint: 'company_roles_user_id_company_id_role_key',
} as const;

/** A role in the user's own company or another one. */
export const companyRole = {
  name: 'companyRole',
  noun: 'company role',
  table: 'company_roles',
  file: 'company-roles.csv',
  id: 'id',
  unique: [byAll],
  naturalKey: byAll,
  deleteFlag: 'active',
  rights: { update: ['origin'] },
  auditSubject: { user: 'userId', company: 'companyId' },
  fields: withColumns({
    id: textId,
    userId,
    companyId,
    role: { kind: choice(COMPANY_ROLES, 'CompanyRole'), example: 'MANAGER' },
  }),
} as const satisfies Entity;

/** A platform-wide role; at most one per user. */
export const systemRole = {
  name: 'systemRole',
  noun: 'system role',
  table: 'system_roles',
  file: 'system-roles.csv',
  id: 'userId',
  unique: [],
  auditSubject: { user: 'userId' },
  fields: withColumns({
    userId,
    role: { kind: choice(SYSTEM_ROLES, 'SystemRole'), example: 'PLATFORM_RM' },
    active: { kind: boolean, default: true, example: true },
  }),
} as const satisfies Entity;

const KEY = /^[A-Z][A-Z0-9_]{0,39}$/;

export const roleKey = formedText(
  'up to 40 capital letters, digits and _ that begin with a letter and are no other role, such as TRAVEL_DESK',
  (given) => (KEY.test(given) && !APPROVER_ROLES.some((fixed) => fixed === given) ? given : undefined),
  { pattern: KEY.source },
);

const byKey = { fields: ['companyId', 'key'], constraint: 'own_roles_key' } as const;

/** A role of a company's own, or of the platform: a set of access rules. */
export const role = {
  name: 'role',
  noun: 'role',
  table: 'own_roles',
  file: 'roles.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [byKey],
  naturalKey: byKey,
  rank: 5,
  ofPlatform: true,
  auditSubject: { company: 'companyId' },
  rights: { update: ['name', 'rules', 'active'] },
  fixed: ['key'],
  fields: withColumns({
    id: { kind: uuid, example: '9b1f6c0e-4d27-4a83-8f5e-2c7d90a1b364' },
    companyId: { ...companyId, nullable: true, description: 'The company whose people get it; null: those of all' },
    key: { kind: roleKey, description: 'Its name for programs, which never changes', example: 'TRAVEL_DESK' },
    name: { kind: text(100), folded: true, example: 'Travel desk' },
    rules: {
      kind: choicesOf(GRANTABLE_RULES),
      nullable: true,
      description: 'What it opens, by the columns of the table of who may do what; none: it approves alone',
      example: null,
    },
    active: { kind: boolean, default: true, description: 'Whether it opens anything', example: true },
  }),
} as const satisfies Entity;

const byHolder = { fields: ['userId', 'companyId', 'roleId'], constraint: 'role_grants_holder' } as const;

/** That a person of the company holds a role of its own, or of the platform. */
export const roleGrant = {
  name: 'roleGrant',
  noun: 'role grant',
  table: 'role_grants',
  file: 'role-grants.csv',
  id: 'id',
  unique: [byHolder],
  naturalKey: byHolder,
  deleteFlag: 'active',
  rights: { update: ['origin'] },
  auditSubject: { user: 'userId', company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, sqlDefault: 'gen_random_uuid()', example: 'c4e8a1d2-7b35-4f60-9e1c-5a2b8d7f0c93' },
    userId: { ...userId, ofSameCompany: true },
    companyId,
    roleId: {
      kind: uuid,
      references: 'role',
      ofSameCompany: true,
      example: '9b1f6c0e-4d27-4a83-8f5e-2c7d90a1b364',
    },
  }),
} as const satisfies Entity;
