import type { ImportField } from '../../../src/import/tables/columns.ts';
import { formatDate, type Money } from '../format.ts';
import { importTexts as words } from '../lazy-texts.ts';
import { pageTexts, peopleTexts, profileTexts, roleNames } from '../texts.ts';

const { fields, facts } = profileTexts;

/** The names of the columns in the console and its files. */
export const FIELD_LABELS: Readonly<Record<ImportField, string>> = {
  ...fields,
  email: peopleTexts.email,
  department: peopleTexts.department,
  departmentId: words.idOf(peopleTexts.department),
  band: peopleTexts.band,
  bandId: words.idOf(peopleTexts.band),
  approvalLimit: peopleTexts.approvalLimit,
  roles: peopleTexts.roles,
  active: peopleTexts.status,
  clientType: facts.clientType,
  loyaltyPoints: facts.loyaltyPoints,
  ...words.employment,
  id: 'ID',
};

/** The columns of the template. */
export const TEMPLATE_FIELDS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'department',
  'band',
  'approvalLimit',
  'roles',
  'dateOfBirth',
  'gender',
  'addressLine1',
  'addressLine2',
  'pincode',
] as const satisfies readonly ImportField[];

/** Formats a value of the service. @param names of departments and bands, by id */
export function shownValue(
  field: string,
  value: unknown,
  names: ReadonlyMap<string, string>,
  { formatMoney }: Money,
): string {
  if (Array.isArray(value)) return value.length === 0 ? words.nothing : roleNames(value);
  const text = String(value ?? '');
  if (text === '') return words.nothing;
  switch (field) {
    case 'approvalLimit':
      return formatMoney(text);
    case 'dateOfBirth':
      return formatDate(text);
    case 'active':
      return text === 'true' ? pageTexts.companies.active : pageTexts.companies.inactive;
    case 'clientType':
      return (profileTexts.clientTypes as Readonly<Record<string, string>>)[text] ?? text;
    default:
      return names.get(text) ?? text;
  }
}
