import { checkChoices, checkCreate, checkUpdate, checkValue, parseBody, throwIfInvalid } from '../../api/body.ts';
import { compileListInput } from '../../api/input.ts';
import { type CheckedFields, checkPatch, type RawFields, unknownFields } from '../../entities/check-fields.ts';
import type { NewRowOf } from '../../entities/entity.ts';
import {
  COMPANY_ROLES,
  type CompanyRole,
  ROLES,
  type Role,
  SYSTEM_ROLES,
  type SystemRole,
} from '../../entities/roles.ts';
import { user } from '../../entities/user.ts';
import { boolean, choice, uuid } from '../../entities/values.ts';
import type { FieldProblem } from '../../lib/errors.ts';
import { ASSIGNMENT_FIELDS, NEW_PERSON_FIELDS, PERSON_FIELDS, type PersonPatch } from './person-service.ts';
import { UserListInput } from './users-schemas.ts';

/** A new person as a body gives one: department and band may be the company's defaults. */
export interface NewUser extends NewRowOf<typeof user, 'id' | 'companyId' | (typeof NEW_PERSON_FIELDS)[number]> {
  departmentId?: string;
  bandId?: string;
  roles: readonly CompanyRole[];
}

/** The fields of a person that are to change. */
export interface UserUpdate {
  id: string;
  patch: PersonPatch;
}

const readParameters = compileListInput(UserListInput);

/** Reads the parameters of the list. @throws ApiError `INVALID_INPUT` */
export function readUserList(raw: unknown): UserListInput {
  const input = readParameters(raw) as UserListInput;
  if (input.activeOnly && input.inactiveOnly) throwIfInvalid([BOTH_STATES]);
  return input;
}

const BOTH_STATES: FieldProblem = {
  field: 'inactiveOnly',
  code: 'INVALID_VALUE',
  message: 'inactiveOnly must not be true where activeOnly is.',
};

/** Reads the body of a create. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readNewUser(raw: unknown): NewUser {
  const { values, problems } = checkNewUser(['companyId', ...NEW_PERSON_FIELDS], parseBody(raw));
  throwIfInvalid(problems);
  return values;
}

/** Checks a new person. @param names of the fields that are taken beside department, band and roles */
export function checkNewUser(
  names: readonly ('companyId' | (typeof NEW_PERSON_FIELDS)[number])[],
  given: RawFields,
): CheckedFields<NewUser> {
  const row = checkCreate(user, names, given, [...ASSIGNMENT_FIELDS, 'roles']);
  const places = checkPatch(user, ASSIGNMENT_FIELDS, given);
  const roles = checkRoles(given.roles);
  return {
    values: { ...row.values, ...places.values, roles: roles.value },
    problems: [...row.problems, ...places.problems, ...roles.problems],
  };
}

/** Reads the body of an update. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readUserUpdate(raw: unknown): UserUpdate & RevokesKeys {
  const { revokeKeys: sent, ...given } = parseBody(raw);
  const { values, problems } = checkUserUpdate(given);
  const revokeKeys = checkRevokeKeys(sent);
  const staysActive = given.active === undefined || given.active === true;
  throwIfInvalid(problems, revokeKeys.problems, revokeKeys.value && staysActive ? [WITHOUT_DEACTIVATION] : []);
  return { ...values, revokeKeys: revokeKeys.value };
}

/** Checks which person is to be changed, and how. */
export function checkUserUpdate(given: RawFields): CheckedFields<UserUpdate> {
  return checkUpdate(user, PERSON_FIELDS, given);
}

/** Whether the keys that a person made, and could not make any more, are revoked with the change. */
export interface RevokesKeys {
  revokeKeys: boolean;
}

function checkRevokeKeys(given: unknown): { value: boolean; problems: FieldProblem[] } {
  if (given === undefined) return { value: false, problems: [] };
  const { value = false, problems } = checkValue('revokeKeys', boolean, given);
  return { value, problems };
}

const WITHOUT_DEACTIVATION: FieldProblem = {
  field: 'revokeKeys',
  code: 'INVALID_VALUE',
  message: 'revokeKeys must be left out unless active is false.',
};

/** A role that is to be granted or revoked: in a company, or platform-wide. */
export type RoleChange = { userId: string } & (
  | { role: CompanyRole; companyId: string }
  | { role: SystemRole; companyId?: undefined }
);

/** Reads the body of a grant. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readGrant(raw: unknown): RoleChange {
  return readRoleChange(parseBody(raw));
}

/** Reads the body of a revocation. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readRevocation(raw: unknown): RoleChange & RevokesKeys {
  const { revokeKeys: sent, ...given } = parseBody(raw);
  const revokeKeys = checkRevokeKeys(sent);
  return { ...readRoleChange(given, revokeKeys.problems), revokeKeys: revokeKeys.value };
}

/** @param others problems that are told with those of the role */
function readRoleChange(given: RawFields, others: readonly FieldProblem[] = []): RoleChange {
  const userId = checkValue('userId', uuid, given.userId);
  const role = checkValue('role', choice(ROLES), given.role);
  const isPlatform = role.value !== undefined && isSystemRole(role.value);
  const companyId = isPlatform
    ? { value: undefined, problems: Object.hasOwn(given, 'companyId') ? [BESIDE_PLATFORM_ROLE] : [] }
    : checkValue('companyId', uuid, given.companyId);
  const unknown = unknownFields(given, ['userId', 'role', 'companyId']);
  throwIfInvalid(userId.problems, role.problems, role.value === undefined ? [] : companyId.problems, others, unknown);
  // What is not there has been refused.
  return { userId: userId.value, role: role.value, companyId: companyId.value } as RoleChange;
}

const BESIDE_PLATFORM_ROLE: FieldProblem = {
  field: 'companyId',
  code: 'INVALID_VALUE',
  message: 'companyId must be left out beside a platform role, which is held everywhere.',
};

function isSystemRole(role: Role): role is SystemRole {
  return SYSTEM_ROLES.some((known) => known === role);
}

function checkRoles(given: unknown): { value: CompanyRole[]; problems: FieldProblem[] } {
  if (given === undefined) return { value: ['EMPLOYEE'], problems: [] };
  if (!Array.isArray(given)) {
    const message = `roles must be a list of ${COMPANY_ROLES.join(', ')}.`;
    return { value: [], problems: [{ field: 'roles', code: 'INVALID_TYPE', message }] };
  }
  const { value, problems } = checkChoices('roles', COMPANY_ROLES, given);
  return { value: value.sort(), problems };
}
