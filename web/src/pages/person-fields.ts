import { user } from '../../../src/entities/user.ts';
import type { Band, CompanyRole, Department, FullPerson, LegalEntity, Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { CLIENT_TYPES, WORKER_TYPE_NAMES } from '../labels.ts';
import { choicesOf } from '../parts/choices.ts';
import { entityFields, type FormField, type Sent, valueAt } from '../parts/form-fields.ts';
import { roleName } from '../roles.ts';
import { administers, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';

/** What is confirmed before somebody becomes a Corporate Admin. */
export const BECOMES_ADMIN = t('They will manage the company, its people, policies and keys.');

/** The roles within a company, in descending order of access. */
export const COMPANY_ROLES: readonly CompanyRole[] = ['CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'];
export const ROLE_CHOICES = COMPANY_ROLES.map((value) => ({ value, label: roleName(value) }));

/** Why the others may not. */
export const PROTECTED = t(
  'They hold a role on the platform or in another company. So only a Super Admin can change their e-mail address, or deactivate them.',
);

/** Returns whether only a Super Admin may change a person's e-mail address and `active`, as in the service. */
export function isProtected(person: Person, caller: Person): boolean {
  if (isSuperAdmin(caller)) return false;
  return (
    person.systemRoleMap?.active === true ||
    person.companyRoles.some(({ companyId }) => !administers(caller, companyId))
  );
}

const NAMES = ['firstName', 'lastName', 'email', 'phone'];
const DETAILS = ['dateOfBirth', 'gender', 'addressLine1', 'addressLine2', 'pincode'];
const EMPLOYMENT = ['employeeNumber', 'jobTitle', 'costCenter', 'managerId', 'startDate', 'endDate'];

/** Fields that a directory sends. */
const MANAGED: ReadonlySet<string> = new Set([
  ...['firstName', 'lastName', 'email', 'phone', 'departmentId', 'addressLine1', 'pincode'],
  ...['employeeNumber', 'jobTitle', 'costCenter', 'managerId'].map((name) => `employment.${name}`),
]);

export interface PersonChoices {
  /** Name of the directory that keeps the person up to date. */
  directory?: string | undefined;
  departments: readonly Department[] | undefined;
  bands: readonly Band[] | undefined;
  legalEntities: readonly LegalEntity[] | undefined;
  companyId: string;
}

/**
 * Returns the fields of a person's form.
 *
 * @param person undefined: the form adds one
 */
export function personFields(person: FullPerson | undefined, caller: Person, choices: PersonChoices): FormField[] {
  const isOwn = person?.id === caller.id && !isSuperAdmin(caller);
  const locked = isOwn ? t('Your own limit and band can only be changed by another Corporate Admin.') : undefined;
  const preset = person ? undefined : t('the company’s default');
  const { departments, bands, legalEntities = [], companyId, directory } = choices;
  const group = {
    title: t('Employment'),
    note: t('Before the first and after the last day nobody can sign in or approve.'),
  };
  const people = { kind: 'person', companyId } as const;
  const names = [
    ...NAMES,
    ...(departments ? ['departmentId'] : []),
    ...(bands ? ['bandId'] : []),
    ...['approvalLimit', 'clientType', 'workerType', 'hostId'],
    ...(legalEntities.length > 1 ? ['legalEntityId'] : []),
  ];
  const fields: FormField[] = [
    ...entityFields(user, names, {
      email: { locked: person && isProtected(person, caller) ? PROTECTED : undefined },
      departmentId: { choices: choicesOf(departments, preset), isRequired: false },
      bandId: { choices: choicesOf(bands, preset), isRequired: false, locked },
      approvalLimit: { isRequired: false, locked },
      clientType: { choices: choicesOf(CLIENT_TYPES) },
      workerType: { choices: choicesOf(WORKER_TYPE_NAMES) },
      hostId: { ...people, hint: t('A guest also needs a last day.') },
      legalEntityId: { choices: choicesOf(legalEntities, AS_ABOVE) },
    }),
    ...(person ? [] : [{ name: 'role', label: t('Role'), choices: ROLE_CHOICES }]),
    ...entityFields(user, DETAILS),
    ...entityFields(user, EMPLOYMENT, { managerId: people }).map((field) => ({
      ...{ ...field, name: `employment.${field.name}`, group },
    })),
  ];
  if (directory === undefined) return fields;
  const hint = t('Managed by {name}', { name: isolated(directory) });
  return fields.map((field) => (MANAGED.has(field.name) ? { ...field, hint } : field));
}

/** The legal entity of whom is above a person or a department. */
export const AS_ABOVE = t('as above it', { context: 'legal entity' });

/** Returns a person as their form has them: a legal entity of their own alone. */
export function formedPerson(person: FullPerson): object {
  return { ...person, legalEntityId: person.legalEntity?.inherited === false ? person.legalEntity.id : null };
}

/** Returns the previous values of changed fields; undefined if one was unset, which an update cannot restore. */
export function valuesBefore(person: FullPerson, changes: Sent): Sent | undefined {
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, valueAt(person, name) ?? null]));
  const isKept = Object.entries(before).every(
    ([name, value]) => value !== null || /^addressLine2$|^employment\.|^fields\./.test(name),
  );
  return isKept ? (before as Sent) : undefined;
}
