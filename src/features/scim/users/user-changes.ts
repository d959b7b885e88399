import { isDeepStrictEqual } from 'node:util';
import { checkValue, throwIfInvalid } from '../../../api/body.ts';
import type { Field } from '../../../entities/entity.ts';
import { type FieldProblem, problemOf } from '../../../entities/field-problem.ts';
import { COMPANY_ROLES, type CompanyRole, isCompanyRole } from '../../../entities/roles.ts';
import { scimUser } from '../../../entities/scim-user.ts';
import { user } from '../../../entities/user.ts';
import type { PersonPatch } from '../../people/change-people.ts';
import type { LeftOut } from '../left-out.ts';
import { keyOf } from '../protocol/path.ts';
import type { Attribute, Item } from '../protocol/schema.ts';
import type { Values } from '../protocol/values.ts';
import { DIRECTORY_FIELDS, type ScimUserRow } from './user-row.ts';
import { USER_SCHEMAS } from './user-schemas.ts';

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

/** A value of a person, the field that stores it, and its name in problems. */
interface KeptValue {
  name: string;
  field: string;
  permanent: boolean;
  value: unknown;
}

/** Returns the values of a resource with the fields that store them; undefined where there is no value. */
function keptValues(values: Values): KeptValue[] {
  return USER_SCHEMAS.flatMap(({ attributes }) => attributes).flatMap((attribute) => keptOf(attribute, values));
}

function keptOf(attribute: Attribute, values: Values): KeptValue[] {
  const { name, field, permanent = false, max, sub = [], choose } = attribute;
  if (max !== undefined) {
    const items = (values[name] ?? []) as readonly Item[];
    if (field !== undefined)
      return [{ name, field, permanent, value: items.length === 0 ? undefined : items.map(({ value }) => value) }];
    const chosen = choose?.(items);
    return sub.flatMap((each) => {
      if (each.field === undefined) return [];
      return [{ name: `${name}.${each.name}`, field: each.field, permanent, value: chosen?.[each.name] }];
    });
  }
  const targets =
    attribute.field === undefined ? sub.map((each) => ({ attribute, sub: each })) : [{ attribute, sub: undefined }];
  return targets.flatMap((target) => {
    const { field: kept, permanent: stays = false } = target.sub ?? attribute;
    const key = keyOf(target);
    return kept === undefined ? [] : [{ name: key, field: kept, permanent: stays, value: values[key] }];
  });
}

/**
 * Returns the changes from the former to the new values of a resource. An attribute that is now absent is cleared, or reset to its default.
 *
 * @param before undefined for a new person
 * @throws ApiError `INVALID_INPUT`
 */
export function changesOf(before: Values | undefined, after: Values, method: 'POST' | 'PUT' | 'PATCH'): UserChanges {
  const problems: FieldProblem[] = [];
  const changes: UserChanges = { patch: {}, extension: {}, leftOut: {} };
  const former = new Map(before && keptValues(before).map(({ field, value }) => [field, value]));
  let isPhoneKept = true;
  for (const { name, field, permanent, value } of keptValues(after)) {
    if (isDeepStrictEqual(value, former.get(field)) && value !== undefined) continue;
    if (field === 'roles') {
      // A PUT without roles leaves them alone.
      if (value !== undefined || method === 'PATCH') setRoles(changes, (value ?? []) as string[], problems);
    } else if (field === 'department' || field === 'bandCode') {
      if (value !== undefined) Object.assign(changes, { [field]: value });
      else if (field === 'department' && method === 'PATCH' && former.get(field)) changes.department = null;
    } else if (field === 'manager') {
      if (value !== undefined || former.get(field) !== undefined)
        changes.manager = (value as string | undefined) ?? null;
    } else if (value === undefined) {
      unset(changes, name, field, permanent, problems);
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

function unset(changes: UserChanges, name: string, field: string, permanent: boolean, problems: FieldProblem[]): void {
  const { nullable, default: usual, kind } = fieldNamed(field);
  if (permanent) return;
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
