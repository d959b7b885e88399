import type { ImportField } from '../../../src/import/tables/columns.ts';
import type { OwnField } from '../api/types.ts';
import { formatDate, type Money } from '../format.ts';
import { CLIENT_TYPES, fieldLabel, ownLabel, WORKER_TYPE_NAMES } from '../labels.ts';
import { roleNames } from '../roles.ts';
import { t } from '../translate.ts';

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

const EMPLOYMENT = {
  employeeNumber: t('Employee number'),
  jobTitle: t('Job title', { context: 'column' }),
  costCenter: t('Cost centre', { context: 'column' }),
  manager: t('Manager', { context: 'column' }),
  startDate: t('First day'),
  endDate: t('Last day'),
  externalId: t('External ID'),
};

/** Returns the name of a column. @param own fields of one's own of people; that of an unknown one stands for itself */
export function columnLabel(field: ImportField, own: readonly OwnField[] = []): string {
  const defined = own.find(({ key }) => field === `fields.${key}`);
  return defined ? ownLabel(defined) : (FIELD_LABELS[field] ?? field);
}

/** The names of the columns in the console and its files. */
export const FIELD_LABELS: Readonly<Record<ImportField, string>> = {
  ...(Object.fromEntries(TEMPLATE_FIELDS.map((name) => [name, fieldLabel(name)])) as Record<
    (typeof TEMPLATE_FIELDS)[number],
    string
  >),
  department: t('Department'),
  departmentId: t('{what} ID', { what: t('Department') }),
  band: t('Band'),
  bandId: t('{what} ID', { what: t('Band') }),
  roles: t('Roles'),
  ownRoles: t('Own roles of the company'),
  active: t('Status'),
  clientType: fieldLabel('clientType'),
  workerType: fieldLabel('workerType'),
  loyaltyPoints: fieldLabel('loyaltyPoints'),
  ...EMPLOYMENT,
  id: 'ID',
};

/** Formats a value of the service. @param names of departments and bands, by id */
export function formatValue(
  field: string,
  value: unknown,
  names: ReadonlyMap<string, string>,
  { formatMoney }: Money,
): string {
  if (Array.isArray(value)) return value.length === 0 ? t('empty') : roleNames(value);
  const text = String(value ?? '');
  if (text === '') return t('empty');
  switch (field) {
    case 'approvalLimit':
      return formatMoney(text);
    case 'dateOfBirth':
      return formatDate(text);
    case 'active':
      return text === 'true' ? t('Active') : t('Inactive');
    case 'clientType':
      return (CLIENT_TYPES as Readonly<Record<string, string>>)[text] ?? text;
    case 'workerType':
      return (WORKER_TYPE_NAMES as Readonly<Record<string, string>>)[text] ?? text;
    default:
      return names.get(text) ?? text;
  }
}

export const LINE_FAULTS = {
  unclosed: t('A quote of this line is not closed.'),
  closing: t('A closing quote of this line is not at the end of its cell.'),
  quote: t('There is a quote inside a cell. Put the whole cell in quotes, and double each quote within.'),
  return: t('A line break within this line is not CSV. Save the file with ordinary line ends.'),
  cells: t('This line has more or fewer cells than the header. A cell with a comma in it needs quotes.'),
  blank: t('This line is empty in the columns that are imported.'),
};

export const LINE_STATES = {
  new: t('New'),
  update: t('Update'),
  unchanged: t('Unchanged'),
  wrong: t('Needs fixing'),
};
