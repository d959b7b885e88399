import { companyId } from './department.ts';
import { type Entity, withColumns } from './entity.ts';
import { COMPANY_ROLES, SYSTEM_ROLES } from './roles.ts';
import { user } from './user.ts';
import { anyId, boolean, choice, uuid } from './values.ts';

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
