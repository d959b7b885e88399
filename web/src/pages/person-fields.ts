import { user } from '../../../src/entities/user.ts';
import type { Band, CompanyRole, Department, FullPerson, LegalEntity, Person } from '../api/types.ts';
import { typedAmount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CLIENT_TYPES, WORKER_TYPE_NAMES } from '../labels.ts';
import type { Typed } from '../parts/draft.ts';
import { entityFields, type FormField, type Sent } from '../parts/form-fields.ts';
import { roleName } from '../roles.ts';
import { administers, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';

/** The roles within a company, in descending order of access. */
/** What is confirmed before somebody becomes a Corporate Admin. */
export const BECOMES_ADMIN = t('They will manage the company, its people, policies and keys.');

export const COMPANY_ROLES: readonly CompanyRole[] = ['CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'];

/** Returns whether only a Super Admin may change a person's e-mail address and `active`, as in the service. */
export function isProtected(person: Person, caller: Person): boolean {
  if (isSuperAdmin(caller)) return false;
  return (
    person.systemRoleMap?.active === true ||
    person.companyRoles.some(({ companyId }) => !administers(caller, companyId))
  );
}
const NAMES = entityFields(user, ['firstName', 'lastName', 'email', 'phone']);
const [KIND, HOST, LEGAL_ENTITY] = entityFields(user, ['workerType', 'hostId', 'legalEntityId']);
const DETAILS = entityFields(user, ['dateOfBirth', 'gender', 'addressLine1', 'addressLine2', 'pincode']);
const EMPLOYMENT = entityFields(user, [
  ...['employeeNumber', 'jobTitle', 'costCenter', 'managerId', 'startDate', 'endDate'],
]);

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
  const own = {
    locked: isOwn ? t('Your own limit and band can only be changed by another Corporate Admin.') : undefined,
  };
  const chosen = (things: readonly { id: string; name: string }[]) => [
    ...(person ? [] : [{ value: '', label: t('the company’s default') }]),
    ...things.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const { departments, bands, legalEntities = [], companyId, directory } = choices;
  const group = {
    title: t('Employment'),
    note: t('Before the first and after the last day nobody can sign in or approve.'),
  };
  const fields: FormField[] = [
    ...NAMES.map((field) =>
      field.name === 'email' && person && isProtected(person, caller)
        ? {
            ...field,
            locked: t(
              'They hold a role on the platform or in another company. So only a Super Admin can change their e-mail address, or deactivate them.',
            ),
          }
        : field,
    ),
    ...(departments
      ? [{ name: 'departmentId', label: t('Department'), kind: 'choice' as const, choices: chosen(departments) }]
      : []),
    ...(bands ? [{ name: 'bandId', label: t('Band'), kind: 'choice' as const, choices: chosen(bands), ...own }] : []),
    { name: 'approvalLimit', label: t('Approval limit'), kind: 'money', ...own },
    {
      name: 'clientType',
      label: t('Client type'),
      kind: 'choice',
      choices: namesOf(CLIENT_TYPES),
    },
    ...(KIND ? [{ ...KIND, kind: 'choice' as const, choices: namesOf(WORKER_TYPE_NAMES) }] : []),
    ...(HOST ? [{ ...HOST, kind: 'person' as const, companyId, hint: t('A guest also needs a last day.') }] : []),
    ...legalEntityField(LEGAL_ENTITY, legalEntities),
    ...(person
      ? []
      : [
          {
            name: 'role',
            label: t('Role'),
            kind: 'choice' as const,
            choices: COMPANY_ROLES.map((value) => ({ value, label: roleName(value) })),
          },
        ]),
    ...DETAILS,
    ...EMPLOYMENT.map(({ rule, ...field }) => ({
      ...field,
      name: `employment.${field.name}`,
      group,
      ...(field.name === 'managerId' ? { kind: 'person' as const, companyId } : rule ? { rule } : {}),
    })),
  ];
  if (directory === undefined) return fields;
  const hint = t('Managed by {name}', { name: isolated(directory) });
  return fields.map((field) => (MANAGED.has(field.name) ? { ...field, hint } : field));
}

const namesOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** Returns the field with the legal entity of a person or a department, where there are several to choose from. */
export function legalEntityField(field: FormField | undefined, entities: readonly LegalEntity[] = []): FormField[] {
  if (field === undefined || entities.length < 2) return [];
  const choices = [
    { value: '', label: t('as above it', { context: 'legal entity' }) },
    ...entities.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return [{ ...field, kind: 'choice', choices }];
}

/** Returns the values of a person's form. */
export function typedPerson(
  person: Person & Partial<Pick<FullPerson, 'employment' | 'workerType' | 'hostId' | 'legalEntity'>>,
): Typed {
  const { firstName, lastName, email, departmentId, bandId, clientType } = person;
  return {
    firstName,
    lastName,
    email,
    departmentId,
    bandId,
    clientType,
    workerType: person.workerType ?? 'EMPLOYEE',
    hostId: person.hostId ?? '',
    legalEntityId: person.legalEntity?.inherited === false ? person.legalEntity.id : '',
    approvalLimit: typedAmount(person.approvalLimit),
    dateOfBirth: person.dateOfBirth?.slice(0, 10) ?? '',
    phone: person.phone ?? '',
    gender: person.gender ?? '',
    addressLine1: person.addressLine1 ?? '',
    addressLine2: person.addressLine2 ?? '',
    pincode: person.pincode ?? '',
    ...Object.fromEntries(
      EMPLOYMENT.map(({ name }) => [`employment.${name}`, String(person.employment?.[name as 'jobTitle'] ?? '')]),
    ),
  };
}

/** Returns the previous values of changed fields; undefined if one was unset, which an update cannot restore. */
export function valuesBefore(person: FullPerson, changes: Sent): Sent | undefined {
  const held = (name: string) => {
    const [outer = '', inner] = name.split('.');
    const value = person[outer as Exclude<keyof Person, 'opened'>];
    return inner === undefined ? value : ((value as Readonly<Record<string, unknown>> | undefined)?.[inner] ?? null);
  };
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, held(name)] as const));
  const isKept = Object.entries(before).every(
    ([name, value]) => value !== null || /^addressLine2$|^employment\.|^fields\./.test(name),
  );
  return isKept ? (before as Sent) : undefined;
}
