import { isDeepStrictEqual } from 'node:util';
import { checkValue, throwIfInvalid } from '../../../api/body.ts';
import type { Field } from '../../../entities/entity.ts';
import { type FieldProblem, problemOf } from '../../../entities/field-problem.ts';
import { COMPANY_ROLES, type CompanyRole, isCompanyRole } from '../../../entities/roles.ts';
import { scimUser } from '../../../entities/scim-user.ts';
import { user } from '../../../entities/user.ts';
import type { PersonPatch } from '../../people/person-service.ts';
import type { LeftOut } from '../left-out.ts';
import { storedAttributes } from '../protocol/values.ts';
import { DIRECTORY_FIELDS, type ScimUserRow } from './user-row.ts';
import { USER_SCHEMAS, type UserFields } from './user-schemas.ts';

/** Fields of a person that are stored in `scim_users`. */
export type ScimExtension = Pick<ScimUserRow, (typeof DIRECTORY_FIELDS)[number] | 'leftExternalId'>;

/** Validated changes of a write; unchanged fields are absent. */
export interface UserChanges {
  patch: PersonPatch;
  extension: Partial<ScimExtension>;
  /** Null: the company's default. */
  department?: string | null;
  bandCode?: string;
  /** The manager as named; null: none. */
  manager?: string | null | undefined;
  roles?: readonly CompanyRole[];
  /** Roles that orgdesk does not know, and a phone that is none. */
  leftOut: LeftOut;
}

/**
 * Returns the changes from the former to the new values of a resource. An attribute that is now absent is cleared, or reset to its default.
 *
 * @param before undefined for a new person
 * @throws ApiError `INVALID_INPUT`
 */
export function changesOf(
  before: UserFields | undefined,
  after: UserFields,
  method: 'POST' | 'PUT' | 'PATCH',
): UserChanges {
  const problems: FieldProblem[] = [];
  const changes: UserChanges = { patch: {}, extension: {}, leftOut: {} };
  let isPhoneKept = true;
  for (const { name, field, leaf } of storedAttributes(USER_SCHEMAS)) {
    const value = after[field];
    if (value !== undefined && isDeepStrictEqual(value, before?.[field])) continue;
    if (field === 'roles') {
      const { roles = [] } = after;
      // A PUT without roles leaves them alone.
      if (roles.length > 0 || method === 'PATCH') setRoles(changes, roles, problems);
    } else if (field === 'department' || field === 'bandCode') {
      if (value !== undefined) Object.assign(changes, { [field]: value });
    } else if (field === 'manager') {
      if (value !== undefined || before?.manager !== undefined) changes.manager = after.manager ?? null;
    } else if (value === undefined) {
      if (!leaf.permanent) unset(changes, name, field, problems);
    } else {
      const checked = checkValue(name, fieldNamed(field).kind, value);
      // An invalid phone number must not block provisioning: the previous one stays.
      if (checked.ok) assign(changes, field, fieldNamed(field).nullable && checked.value === '' ? null : checked.value);
      else if (field === 'phone') isPhoneKept = false;
      else problems.push(...checked.problems);
    }
  }
  if (!isPhoneKept) {
    changes.leftOut = { ...changes.leftOut, phone: [INVALID] };
    delete changes.patch.phone;
    delete changes.extension.phoneType;
  }
  throwIfInvalid(problems);
  return changes;
}

/** Stands for a personal value in the trail. */
const INVALID = 'invalid';

const EXTENSION_FIELDS: readonly string[] = DIRECTORY_FIELDS;

function fieldNamed(name: string): Field {
  const field = EXTENSION_FIELDS.includes(name)
    ? (scimUser.fields as Record<string, Field>)[name]
    : (user.fields as Record<string, Field>)[name];
  if (field === undefined) throw new TypeError(`No entity has the field ${name}`);
  return field;
}

function assign({ patch, extension }: UserChanges, field: string, value: unknown): void {
  Object.assign(EXTENSION_FIELDS.includes(field) ? extension : patch, { [field]: value });
}

function unset(changes: UserChanges, name: string, field: string, problems: FieldProblem[]): void {
  const { nullable, default: usual, kind } = fieldNamed(field);
  if (nullable) assign(changes, field, null);
  else if (usual !== undefined) assign(changes, field, usual);
  else if ('value' in kind.parse('')) assign(changes, field, '');
  else problems.push(problemOf(name, 'REQUIRED', 'is required'));
}

/** Sets the roles that are ours. Others are left out, but one that is nearly ours is a mistake. A list of foreign roles changes nothing. */
function setRoles(changes: UserChanges, names: readonly string[], problems: FieldProblem[]): void {
  const foreign = names.filter((name) => !isCompanyRole(name));
  if (foreign.some(isNearlyRole)) {
    const message = `roles must be of ${COMPANY_ROLES.join(', ')}.`;
    problems.push({ field: 'roles', code: 'INVALID_VALUE', message });
  }
  const roles = names.filter(isCompanyRole);
  if (roles.length > 0 || foreign.length === 0) changes.roles = [...new Set(roles)].sort();
  changes.leftOut = { ...changes.leftOut, roles: foreign };
}

/** Letters that may be wrong, missing or too many in the name of a role. */
const MAX_TYPOS = 2;

function isNearlyRole(name: string): boolean {
  const letters = name.replace(/[^A-Z]/g, '');
  return COMPANY_ROLES.some((role) => distance(letters, role.replace('_', '')) <= MAX_TYPOS);
}

/** Returns the Levenshtein distance of two texts, or a larger number than {@link MAX_TYPOS}. */
function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > MAX_TYPOS) return MAX_TYPOS + 1;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...left].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...right].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
