import { isDeepStrictEqual } from 'node:util';
import { throwIfInvalid } from '../../../api/body.ts';
import { type FieldProblem, problemOf } from '../../../entities/api-error.ts';
import { band } from '../../../entities/band.ts';
import { isObject } from '../../../entities/check-fields.ts';
import { department } from '../../../entities/department.ts';
import { type Field, fieldOf } from '../../../entities/entity.ts';
import { readPhone } from '../../../entities/phone.ts';
import { COMPANY_ROLES, type CompanyRole, isCompanyRole } from '../../../entities/roles.ts';
import { scimUser } from '../../../entities/scim-user.ts';
import { user } from '../../../entities/user.ts';
import { checkForeign, fieldMessage, type Reading } from '../../../entities/values.ts';
import { splitName } from '../../../import/tables/columns.ts';
import { editDistance } from '../../../lib/text-folding.ts';
import type { PersonPatch } from '../../people/change-people.ts';
import { storedAttributes } from '../protocol/values.ts';
import { DIRECTORY_FIELDS, type ScimUserRow } from './user-row.ts';
import { USER_SCHEMAS, type UserFields } from './user-schemas.ts';

/**
 * Returns the names of a person of whom no first name was sent: by the family name alone, or by the whole name.
 *
 * @param body as it was sent
 * @param before undefined for a new person; whoever has both names does not lose the first one
 */
export function withFirstName(fields: UserFields, body: object, before?: UserFields): UserFields {
  if (fields.firstName) return fields;
  const { lastName } = fields;
  if (lastName) return before?.lastName ? fields : { ...fields, firstName: lastName, lastName: '' };
  const name = sentAs(body, 'name');
  if (name === null) return fields;
  const whole = [sentAs(name, 'formatted'), sentAs(body, 'displayName')].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  if (whole === undefined) return fields;
  const { firstName, lastName: last } = splitName(`${whole}`);
  return firstName === '' ? fields : { ...fields, firstName, lastName: last };
}

/** Returns what an object has under a name, whose case does not matter. */
function sentAs(object: unknown, name: string): unknown {
  if (!isObject(object)) return undefined;
  return Object.entries(object).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

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
  /** Roles that orgdesk does not know, and values that could not be read, by field. */
  leftOut: Record<string, readonly string[]>;
  /** Fields of one's own by their keys; null: without a value. */
  own: Record<string, unknown>;
}

/**
 * Returns the changes from the former to the new values of a resource. An attribute that is now absent is cleared, or reset to its default.
 *
 * @param before undefined for a new person, or a newcomer in the row of a former one
 * @param country in whose national forms the telephone number is read; null: it is read in international form alone
 * @throws ApiError `INVALID_INPUT`
 */
export function changesOf(
  before: UserFields | undefined,
  after: UserFields,
  method: 'POST' | 'PUT' | 'PATCH',
  country: string | null,
  schemas = USER_SCHEMAS,
): UserChanges {
  const problems: FieldProblem[] = [];
  const changes: UserChanges = { patch: {}, extension: {}, leftOut: {}, own: {} };
  const { leftOut } = changes;
  for (const { name, field, leaf } of storedAttributes(schemas)) {
    const sent = after[field];
    if (sent !== undefined && isDeepStrictEqual(sent, before?.[field])) continue;
    if (leaf.read) {
      const reading = sent === undefined ? { value: null } : leaf.read(sent);
      if (!('value' in reading)) leftOut[field] = [INVALID];
      else if (sent !== undefined || (before?.[field] !== undefined && !leaf.required))
        changes.own[name] = reading.value;
      continue;
    }
    if (field === 'roles') {
      const { roles = [] } = after;
      // A PUT without roles leaves them alone.
      if (roles.length > 0 || method === 'PATCH') leftOut.roles = setRoles(changes, roles, problems);
      continue;
    }
    if (sent === undefined) {
      // A PUT without a userType leaves it alone: few directories send one.
      if (field === 'workerType' && method === 'PUT') continue;
      if (!leaf.permanent && !leaf.hasDefault) unset(changes, name, field, problems);
      continue;
    }
    const { nullable, describes } = fieldNamed(field);
    const reading = sent === null ? { value: null } : readSent(field, sent, country);
    if ('value' in reading) assign(changes, field, nullable && reading.value === '' ? null : reading.value);
    else if (describes) {
      // It must not keep anybody out: the previous value stays, but for a newcomer.
      leftOut[field] = [INVALID];
      if (before === undefined && !leaf.hasDefault) unset(changes, name, field, problems);
    } else problems.push({ field: name, code: reading.code, message: fieldMessage(name, reading.expected) });
  }
  if (leftOut.phone && before) delete changes.extension.phoneType;
  throwIfInvalid(problems);
  return changes;
}

function readSent(field: string, sent: unknown, country: string | null): Reading<unknown> {
  const reading = checkForeign(fieldNamed(field).kind, sent);
  return field === 'phone' && 'value' in reading ? readPhone(`${reading.value}`, country) : reading;
}

/** Stands for a personal value in the trail. */
export const INVALID = 'invalid';

/** How a field is read. */
type Rule = Pick<Field, 'kind' | 'nullable' | 'default' | 'describes'>;

const EXTENSION_FIELDS: readonly string[] = DIRECTORY_FIELDS;
/** Departments, bands and managers as they are named. */
const REFERENCES: Readonly<Record<string, Rule>> = {
  department: { kind: department.fields.name.kind, describes: true },
  bandCode: band.fields.code,
  manager: scimUser.fields.managerValue,
};

function fieldNamed(name: string): Rule {
  return REFERENCES[name] ?? fieldOf(EXTENSION_FIELDS.includes(name) ? scimUser : user, name);
}

function assign(changes: UserChanges, field: string, value: unknown): void {
  const { patch, extension } = changes;
  const part = field in REFERENCES ? changes : EXTENSION_FIELDS.includes(field) ? extension : patch;
  Object.assign(part, { [field]: value });
}

function unset(changes: UserChanges, name: string, field: string, problems: FieldProblem[]): void {
  const { nullable, default: usual, kind } = fieldNamed(field);
  if (nullable) assign(changes, field, null);
  else if (usual !== undefined) assign(changes, field, usual);
  else if ('value' in kind.parse('')) assign(changes, field, '');
  else problems.push(problemOf(name, 'REQUIRED', 'is required'));
}

/**
 * Sets the roles that are ours. One that is nearly ours is a mistake. A list of foreign roles changes nothing.
 *
 * @returns the foreign ones, which are left out
 */
function setRoles(changes: UserChanges, names: readonly string[], problems: FieldProblem[]): string[] {
  const foreign = names.filter((name) => !isCompanyRole(name));
  if (foreign.some(isNearlyRole)) {
    const message = `roles must be of ${COMPANY_ROLES.join(', ')}.`;
    problems.push({ field: 'roles', code: 'INVALID_VALUE', message });
  }
  const roles = names.filter(isCompanyRole);
  if (roles.length > 0 || foreign.length === 0) changes.roles = [...new Set(roles)].sort();
  return foreign;
}

/** Letters that may be wrong, missing or too many in the name of a role. */
const MAX_TYPOS = 2;

function isNearlyRole(name: string): boolean {
  const letters = name.replace(/[^A-Z]/g, '');
  return COMPANY_ROLES.some((role) => editDistance(letters, role.replace('_', '')) <= MAX_TYPOS);
}
