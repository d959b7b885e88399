import { randomUUID } from 'node:crypto';
import {
  checkChoices,
  checkCreate,
  checkOptional,
  checkUpdate,
  checkValue,
  parseBody,
  validOrThrow,
} from '../../api/body.ts';
import { compileListOfStates } from '../../api/list-schemas.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import { problemOf } from '../../entities/api-error.ts';
import { guestEmail } from '../../entities/characters.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  checkPatch,
  invalid,
  mapValid,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import type { CalendarDate } from '../../entities/dates.ts';
import type { NewRowOf } from '../../entities/entity.ts';
import {
  COMPANY_ROLES,
  type CompanyRole,
  isCompanyRole,
  ROLES,
  type Role,
  type SystemRole,
} from '../../entities/roles.ts';
import { type EMPLOYMENT_FIELDS, isFieldOfKeys, user } from '../../entities/user.ts';
import { boolean, choice, uuid } from '../../entities/values.ts';
import { readEmployment } from './assignments.ts';
import type { PersonPatch } from './change-people.ts';
import { ASSIGNMENT_FIELDS, NEW_PERSON_FIELDS, UPDATED_FIELDS } from './person-service.ts';
import { UserListInput } from './users-schemas.ts';

/** A new person as sent in a body; without a department or band the company's defaults apply. */
export interface NewUser
  extends NewRowOf<
    typeof user,
    'id' | 'companyId' | (typeof NEW_PERSON_FIELDS)[number] | (typeof EMPLOYMENT_FIELDS)[number]
  > {
  departmentId?: string;
  bandId?: string;
  roles: readonly CompanyRole[];
  /** Whether this is somebody else than an inactive person with the address; absent: evidence decides. */
  newcomer?: boolean;
}

/** Fields of a person to change. */
export interface UserUpdate {
  id: string;
  patch: PersonPatch;
}

/** Reads the parameters of the list. @throws ApiError `INVALID_INPUT` */
export const readUserList = compileListOfStates(UserListInput) as (raw: unknown) => UserListInput;

/** Returns those of these fields that the caller writes. */
export function writableBy<Name extends string>(caller: Caller | KeyCaller, names: readonly Name[]): Name[] {
  return names.filter((name) => 'keyId' in caller || !isFieldOfKeys(name));
}

/** Reads the body of a create. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readNewUser(raw: unknown, caller: Caller | KeyCaller): NewUser {
  return validOrThrow(checkNewUser(['companyId', ...writableBy(caller, NEW_PERSON_FIELDS)], parseBody(raw)));
}

/** Checks a new person. @param names fields accepted besides department, band and roles */
export function checkNewUser(
  names: readonly ('companyId' | (typeof NEW_PERSON_FIELDS)[number])[],
  sent: RawFields,
): Checked<NewUser> {
  const given = withGuestEmail(sent);
  const checked = allOf(
    checkCreate(user, names, given, [...ASSIGNMENT_FIELDS, 'roles', 'employment', 'newcomer', 'until']),
    checkPatch(user, ASSIGNMENT_FIELDS, given),
    checkRoles(given.roles),
    readEmployment(given, checkNewRow),
    checkOptional('newcomer', boolean, given),
    checkUntil(given),
  );
  return mapValid(checked, ([row, assignment, roles, employment, newcomer, until]) => ({
    ...row,
    ...assignment,
    ...employment,
    ...until,
    roles,
    ...(newcomer === undefined ? {} : { newcomer }),
  }));
}

/** Returns a new person with an address: a guest need not have one. */
function withGuestEmail(given: RawFields): RawFields {
  const { workerType, email = '', id = randomUUID() } = given;
  return workerType === 'GUEST' && (email === '' || email === null)
    ? { ...given, id, email: guestEmail(String(id)) }
    : given;
}

const WITH_UNTIL = { ...user, fields: { until: user.fields.endDate } };

/** Checks the last day of a guest, which is that of the employment. */
function checkUntil(given: RawFields): Checked<{ endDate?: CalendarDate | null }> {
  return mapValid(checkPatch(WITH_UNTIL, ['until'], given), ({ until }) =>
    until === undefined ? {} : { endDate: until },
  );
}

/** Reads the body of an update. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readUserUpdate(raw: unknown, caller: Caller | KeyCaller): UserUpdate & RevokesKeys {
  const { revokeKeys: sent, ...given } = parseBody(raw);
  const staysActive = given.active === undefined || given.active === true;
  const [update, revokeKeys] = validOrThrow(
    allOf(
      checkUserUpdate(given, caller),
      checkRevokeKeys(sent),
      sent === true && staysActive ? invalid(WITHOUT_DEACTIVATION) : valid(null),
    ),
  );
  return { ...update, revokeKeys };
}

/** Checks an update of a person. */
export function checkUserUpdate(given: RawFields, caller: Caller | KeyCaller): Checked<UserUpdate> {
  const names = writableBy(caller, UPDATED_FIELDS);
  const checked = allOf(
    checkUpdate(user, names, given, ['employment', 'until']),
    readEmployment(given, checkPatch),
    checkUntil(given),
  );
  return mapValid(checked, ([{ id, patch }, employment, until]) => ({
    id,
    patch: { ...patch, ...employment, ...until },
  }));
}

/** Whether the change also revokes API keys that the person created and could no longer create. */
export interface RevokesKeys {
  revokeKeys: boolean;
}

function checkRevokeKeys(given: unknown): Checked<boolean> {
  return given === undefined ? valid(false) : checkValue('revokeKeys', boolean, given);
}

const WITHOUT_DEACTIVATION = problemOf('revokeKeys', 'INVALID_VALUE', 'must be left out unless active is false');

/** A role to grant or revoke, in a company or platform-wide. */
export type RoleChange = { userId: string } & (
  | { role: CompanyRole; companyId: string }
  | { role: SystemRole; companyId?: undefined }
);

/** Reads the body of a grant. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readGrant(raw: unknown): RoleChange {
  return validOrThrow(checkRoleChange(parseBody(raw), valid(null)));
}

/** Reads the body of a revocation. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readRevocation(raw: unknown): RoleChange & RevokesKeys {
  const { revokeKeys: sent, ...given } = parseBody(raw);
  const revokeKeys = checkRevokeKeys(sent);
  return { ...validOrThrow(checkRoleChange(given, revokeKeys)), revokeKeys: validOrThrow(revokeKeys) };
}

/** @param others a check of the same body, whose problems are reported too */
function checkRoleChange(given: RawFields, others: Checked<unknown>): Checked<RoleChange> {
  const role = checkValue('role', choice(ROLES), given.role);
  const checked = allOf(
    checkValue('userId', uuid, given.userId),
    role.ok ? checkCompanyOf(role.value, given) : role,
    others,
    checkKnown(given, ['userId', 'role', 'companyId']),
  );
  return mapValid(checked, ([userId, held]) => ({ userId, ...held }));
}

type HeldRole = { role: CompanyRole; companyId: string } | { role: SystemRole };

function checkCompanyOf(role: Role, given: RawFields): Checked<HeldRole> {
  if (!isCompanyRole(role)) return given.companyId !== undefined ? invalid(BESIDE_PLATFORM_ROLE) : valid({ role });
  return mapValid(checkValue('companyId', uuid, given.companyId), (companyId) => ({ role, companyId }));
}

const NO_COMPANY = 'must be left out beside a platform role, which is held everywhere';
const BESIDE_PLATFORM_ROLE = problemOf('companyId', 'INVALID_VALUE', NO_COMPANY);

function checkRoles(given: unknown): Checked<CompanyRole[]> {
  if (given === undefined) return valid(['EMPLOYEE']);
  if (!Array.isArray(given)) {
    return invalid(problemOf('roles', 'INVALID_TYPE', `must be a list of ${COMPANY_ROLES.join(', ')}`));
  }
  return mapValid(checkChoices('roles', COMPANY_ROLES, given), (roles) => roles.sort());
}
