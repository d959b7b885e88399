import { Type } from 'typebox';
import { readUpdate } from '../../api/body.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { activeUser, administrators, companyStaff } from '../../auth/callers/access.ts';
import { findCallers } from '../../auth/callers/identity-queries.ts';
import type { Database, Reader } from '../../db/database.ts';
import { givenFields } from '../../entities/field-schemas.ts';
import { role } from '../../entities/held-role.ts';
import { GrantInput, ListedRole, OwnRolesView, RoleFilter, RoleView, readGrant } from './roles-schemas.ts';
import { CHANGED_FIELDS, grantOwnRole, listHeldRoles, revokeOwnRole, roles } from './roles-service.ts';

const output = one(RoleView);
const { list, get, create, update, remove } = operationsOf(roles, {
  output,
  reads: { access: companyStaff, scope: 'departments.read' },
  writes: { access: administrators },
});
const granting = {
  tag: 'Roles',
  access: administrators,
  writes: true,
  input: GrantInput,
  parse: readGrant,
  output,
} as const;

const grant = operation({
  ...granting,
  id: 'roles.grant',
  operationId: 'grantOwnRole',
  summary: 'Grant a role of the company’s own',
  description:
    'Gives a person of its company a role that has nothing beyond what you hold; no-op if they hold it. For Corporate ' +
    'Admins of that company, and for Super Admins.',
  errors: ['NOT_FOUND', 'FIELD_FORBIDDEN', 'ERASED'],
  message: 'Role granted successfully',
  handle: (call, { db }: { db: Database }) => grantOwnRole(db, call, call.input),
});

const revoke = operation({
  ...granting,
  id: 'roles.revoke',
  operationId: 'revokeOwnRole',
  summary: 'Revoke a role of the company’s own',
  description:
    'Takes a role from a person; no-op if they do not hold it. For Corporate Admins of its company, and for Super Admins.',
  errors: ['NOT_FOUND', 'MANAGED_BY_DIRECTORY', 'ERASED'],
  message: 'Role revoked successfully',
  handle: (call, { db }: { db: Database }) => revokeOwnRole(db, call, call.input),
});

const own = operation({
  id: 'roles.own',
  operationId: 'getOwnRoles',
  tag: 'Roles',
  summary: 'Get the roles that one holds',
  description:
    'The active roles of their company’s own and of the platform that the caller holds, and what these open.',
  access: activeUser(findCallers),
  input: Type.Object({}),
  output: one(OwnRolesView),
  message: 'Roles retrieved successfully',
  handle: async ({ caller }, { db }: { db: Reader }) => ({ roles: await listHeldRoles(db, caller) }),
});

export const rolesOperations = [
  list({
    id: 'roles.list',
    description:
      'The roles of a company’s own and of the platform, sorted by name, or those that a person holds. For Corporate Admins and ' +
      'Managers of that company, and for Super Admins and Platform RMs.',
    searched: 'name',
    more: RoleFilter,
    output: page(ListedRole),
  }),
  get({
    id: 'roles.get',
    description:
      'One role with its company. For Corporate Admins and Managers of that company, and for Super Admins and Platform RMs.',
  }),
  create({
    id: 'roles.create',
    errors: ['FIELD_FORBIDDEN', 'LIMIT_REACHED'],
    description:
      'A role of a company’s own, or without companyId of the platform, with nothing beyond what you hold there. Idempotent with a ' +
      'client-generated id. For Corporate Admins of the company; those of the platform for Super Admins.',
  }),
  update(
    {
      id: 'roles.update',
      errors: ['FIELD_FORBIDDEN'],
      description:
        'Changes what all who hold it may do. Its key stays as it is. For Corporate Admins of its company, and for Super Admins.',
    },
    {
      properties: givenFields(role, CHANGED_FIELDS),
      read: (raw) => readUpdate(role, CHANGED_FIELDS, raw),
      write: roles.update,
    },
  ),
  remove({
    id: 'roles.delete',
    errors: ['IN_USE'],
    description:
      'Returns the deleted role. One that somebody holds, or that a policy or a mapping names, is in use. For Corporate Admins of its ' +
      'company, and for Super Admins.',
  }),
  grant,
  revoke,
  own,
];
