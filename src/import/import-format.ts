import type { AuditedEntity } from '../db/audit-trail.ts';
import { profileFieldRules } from '../lib/profile-fields.ts';
import {
  amount,
  boolean,
  type CellReader,
  type CellValue,
  dateTime,
  email,
  gstin,
  integer,
  oneOf,
  ruled,
  text,
  uuid,
} from './value-readers.ts';

/** A column of a file. */
export interface ColumnFormat {
  /** As the header and the API write it. */
  name: string;
  /** As SQL writes it. */
  column: string;
  reader: CellReader;
  /** Whether the cell may be empty, or the whole column missing. */
  optional: boolean;
  /** What an empty cell stands for. */
  whenEmpty: CellValue;
  /** An empty cell leaves a stored row's value alone; a new row takes the table's default. */
  keepsStored?: boolean;
  /** The table that holds the row of this id. */
  references?: string;
  /** The row referred to belongs to the same company as this one. */
  ofSameCompany?: boolean;
}

/** Columns, by their names in SQL, whose values together stand once in a table. */
export interface UniqueKey {
  columns: readonly string[];
  /** Whether `A` and `a` count as one, as in the table's index. */
  ignoresCase?: boolean;
  /** A value, in SQL for a row `t`, that frees the row's own for another while two rows swap theirs. */
  placeholder?: string;
}

/** A file, and the table that it goes to. */
export interface FileFormat {
  file: string;
  table: string;
  /** What one row is, for people. */
  noun: string;
  /** The column, in SQL, by which rows are matched: the primary key. */
  id: string;
  columns: readonly ColumnFormat[];
  /** Beside the id. Rows whose id is empty are matched by the first one. */
  unique: readonly UniqueKey[];
  /** Whether a change moves `updated_at`. */
  stamped?: boolean;
  /** Absent: the rows are not of this service's own, and the audit trail has nothing of them. */
  audited?: Audited;
}

/** How the audit trail calls a row, and whom it concerns: ids, in SQL for a stored row `t`. */
interface Audited {
  entity: AuditedEntity;
  user?: string;
  company?: string;
}

type Details = Pick<ColumnFormat, 'references' | 'ofSameCompany' | 'keepsStored'>;

const required = (name: string, reader: CellReader, details: Details = {}): ColumnFormat => ({
  name,
  column: sqlName(name),
  reader,
  optional: false,
  whenEmpty: null,
  ...details,
});

const optional = (
  name: string,
  reader: CellReader,
  whenEmpty: CellValue = null,
  details: Details = {},
): ColumnFormat => ({ ...required(name, reader, details), optional: true, whenEmpty });

const companyId = required('companyId', uuid, { references: 'companies' });
const userId = required('userId', uuid, { references: 'users' });
const name = required('name', text(200));
const active = optional('active', boolean, true);
const code = text(50);
/** Ids that are not UUIDs: of policies, levels, company roles and bookings. */
const anyId = text(100);

const SYSTEM_ROLES = ['SUPER_ADMIN', 'PLATFORM_RM'];
const COMPANY_ROLES = ['CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'];

/** Every file of the import format, in the order of writing: what is referred to comes first. */
export const FILE_FORMATS: readonly FileFormat[] = [
  {
    file: 'companies.csv',
    table: 'companies',
    noun: 'company',
    audited: { entity: 'company', company: 't.id' },
    id: 'id',
    stamped: true,
    columns: [
      required('id', uuid),
      name,
      required('legalName', text(200)),
      required('gstin', gstin),
      required('email', email),
      required('creditLimit', amount),
      required('creditDays', integer(0)),
      active,
    ],
    unique: [{ columns: ['gstin'], ignoresCase: true, placeholder: 'left(md5(t.id::text), 30)' }],
  },
  {
    file: 'departments.csv',
    table: 'departments',
    noun: 'department',
    audited: { entity: 'department', company: 't.company_id' },
    id: 'id',
    columns: [required('id', uuid), companyId, name, required('costCode', code), required('budget', amount)],
    unique: [],
  },
  {
    file: 'bands.csv',
    table: 'employee_bands',
    noun: 'band',
    audited: { entity: 'band', company: 't.company_id' },
    id: 'id',
    columns: [
      required('id', uuid),
      companyId,
      name,
      required('code', code),
      required('autoApprovalLimit', amount),
      optional('maxBookingLimit', amount),
    ],
    unique: [],
  },
  {
    file: 'users.csv',
    table: 'users',
    noun: 'user',
    audited: { entity: 'user', user: 't.id', company: 't.company_id' },
    id: 'id',
    stamped: true,
    columns: [
      required('id', uuid),
      required('email', email),
      required('firstName', ruled('text', profileFieldRules.firstName)),
      required('lastName', ruled('text', profileFieldRules.lastName)),
      required('phone', ruled('text', profileFieldRules.phone)),
      required('clientType', oneOf(['CORPORATE', 'AGENCY', 'DIRECT'])),
      companyId,
      required('departmentId', uuid, { references: 'departments', ofSameCompany: true }),
      required('bandId', uuid, { references: 'employee_bands', ofSameCompany: true }),
      required('approvalLimit', amount),
      required('dateOfBirth', ruled('date', profileFieldRules.dateOfBirth)),
      required('gender', ruled('text', profileFieldRules.gender)),
      required('addressLine1', ruled('text', profileFieldRules.addressLine1)),
      optional('addressLine2', ruled('text', profileFieldRules.addressLine2)),
      required('pincode', ruled('text', profileFieldRules.pincode)),
      optional('loyaltyPoints', integer(0), 0),
      active,
    ],
    unique: [{ columns: ['email'], ignoresCase: true, placeholder: "t.id || '@swap.invalid'" }],
  },
  {
    file: 'company-roles.csv',
    table: 'company_roles',
    noun: 'company role',
    audited: { entity: 'companyRole', user: 't.user_id', company: 't.company_id' },
    id: 'id',
    columns: [optional('id', anyId), userId, companyId, required('role', oneOf(COMPANY_ROLES))],
    unique: [{ columns: ['user_id', 'company_id', 'role'] }],
  },
  {
    file: 'system-roles.csv',
    table: 'system_roles',
    noun: 'system role',
    audited: { entity: 'systemRole', user: 't.user_id' },
    id: 'user_id',
    columns: [userId, required('role', oneOf(SYSTEM_ROLES)), active],
    unique: [],
  },
  {
    file: 'approval-policies.csv',
    table: 'approval_policies',
    noun: 'approval policy',
    audited: { entity: 'approvalPolicy', company: 't.company_id' },
    id: 'id',
    columns: [required('id', anyId), companyId, name, required('autoApprovalLimit', amount)],
    unique: [],
  },
  {
    file: 'approval-policy-levels.csv',
    table: 'approval_policy_levels',
    noun: 'level',
    audited: {
      entity: 'approvalPolicyLevel',
      company: '(select company_id from approval_policies where approval_policies.id = t.policy_id)',
    },
    id: 'id',
    columns: [
      optional('id', anyId),
      required('policyId', anyId, { references: 'approval_policies' }),
      required('level', integer(1)),
      required('roleRequired', oneOf([...SYSTEM_ROLES, ...COMPANY_ROLES])),
      required('minAmount', amount),
    ],
    unique: [{ columns: ['policy_id', 'level'] }],
  },
  {
    file: 'bookings.csv',
    table: 'bookings',
    noun: 'booking',
    id: 'id',
    columns: [
      required('id', anyId),
      companyId,
      userId,
      required('amount', amount),
      optional('createdAt', dateTime, null, { keepsStored: true }),
    ],
    unique: [],
  },
];

function sqlName(name: string): string {
  return name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
}
