import { isDeepStrictEqual } from 'node:util';
import { checkValue, throwIfInvalid } from '../../api/body.ts';
import { type Field, fieldOf } from '../../entities/entity.ts';
import { COMPANY_ROLES, type CompanyRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';
import type { FieldProblem } from '../../lib/errors.ts';
import type { PersonPatch } from '../people/people.ts';
import type { Said } from './scim-user-resource.ts';

/** Attributes of one value, each with how problems call it and the user's field. */
const FIELDS = {
  userName: ['userName', 'email'],
  givenName: ['name.givenName', 'firstName'],
  familyName: ['name.familyName', 'lastName'],
  active: ['active', 'active'],
  phone: ['phoneNumbers', 'phone'],
  streetAddress: ['addresses.streetAddress', 'addressLine1'],
  postalCode: ['addresses.postalCode', 'pincode'],
  approvalLimit: ['approvalLimit', 'approvalLimit'],
  clientType: ['clientType', 'clientType'],
  dateOfBirth: ['dateOfBirth', 'dateOfBirth'],
  gender: ['gender', 'gender'],
  addressLine2: ['addressLine2', 'addressLine2'],
} as const satisfies Partial<Record<keyof Said, readonly [string, string]>>;

/** What is kept beside the user. */
export interface Beside {
  externalId: string | null;
  workEmail: string | null;
  phoneType: string | null;
}

/** What a write asks for, checked; each absent where it stays. */
export interface UserChanges {
  patch: PersonPatch;
  beside: Partial<Beside>;
  department?: string;
  bandCode?: string;
  roles?: readonly CompanyRole[];
}

/**
 * How what is no longer said counts: a `PUT` clears what may have no value, a `PATCH` takes roles away too; of a person who is not there
 * yet nothing has been said.
 */
export type Write = 'POST' | 'PUT' | 'PATCH';

/** The differences between what was said of a person and what is said now. @throws ApiError `INVALID_INPUT` */
export function changesOf(before: Said | undefined, after: Said, write: Write): UserChanges {
  const problems: FieldProblem[] = [];
  const changes: UserChanges = { patch: {}, beside: {} };
  let isPhone = true;
  const differs = (name: keyof Said) => !isDeepStrictEqual(before?.[name], after[name]);

  for (const [key, [name, fieldName]] of Object.entries(FIELDS)) {
    const attribute = key as keyof typeof FIELDS;
    const field: Field = fieldOf(user, fieldName);
    const value = after[attribute];
    if (value === undefined) {
      if (field.nullable) Object.assign(changes.patch, { [fieldName]: null });
      else if (field.default === undefined)
        problems.push({ field: name, code: 'REQUIRED', message: `${name} is required.` });
      continue;
    }
    if (!differs(attribute)) continue;
    const checked = checkValue(name, field.kind, value);
    // A phone that is none keeps nobody from being provisioned.
    if (attribute === 'phone' && checked.problems.length > 0) {
      isPhone = false;
      continue;
    }
    problems.push(...checked.problems);
    const isEmpty = field.nullable && checked.value === '';
    Object.assign(changes.patch, { [fieldName]: isEmpty ? null : checked.value });
  }
  if (isPhone && differs('phoneType')) changes.beside.phoneType = typeOfPhone(after, problems);

  for (const [attribute, fieldName] of [
    ['externalId', 'externalId'],
    ['workEmail', 'workEmail'],
  ] as const) {
    if (!differs(attribute)) continue;
    const value = after[attribute];
    const name = attribute === 'workEmail' ? 'emails.value' : attribute;
    const checked = value === undefined ? undefined : checkValue(name, fieldOf(scimUser, fieldName).kind, value);
    problems.push(...(checked?.problems ?? []));
    changes.beside[attribute] = (checked?.value as string | undefined) ?? null;
  }
  if (differs('department') && after.department !== undefined) {
    changes.department = after.department;
  }
  if (differs('bandCode') && after.bandCode !== undefined) changes.bandCode = after.bandCode;
  if (differs('roles') && (after.roles !== undefined || write === 'PATCH'))
    changes.roles = rolesOf(after.roles ?? [], problems);
  throwIfInvalid(problems);
  return changes;
}

function typeOfPhone({ phoneType }: Said, problems: FieldProblem[]): string | null {
  if (phoneType === undefined) return null;
  const checked = checkValue('phoneNumbers.type', fieldOf(scimUser, 'phoneType').kind, phoneType);
  problems.push(...checked.problems);
  return (checked.value as string | undefined) ?? null;
}

function rolesOf(said: readonly string[], problems: FieldProblem[]): CompanyRole[] {
  const roles = said.map((value) => {
    const role = COMPANY_ROLES.find((known) => known === value.trim().toUpperCase());
    if (role === undefined) {
      const message = `roles must be of ${COMPANY_ROLES.join(', ')}.`;
      problems.push({ field: 'roles', code: 'INVALID_VALUE', message });
    }
    return role;
  });
  return [...new Set(roles.filter((role) => role !== undefined))].sort();
}
