import { band } from './band.ts';
import { type CalendarDate, todayUtc } from './dates.ts';
import { companyId, department } from './department.ts';
import { type Entity, referenceWithinCompany, withColumns } from './entity.ts';
import { customFields } from './formed-values.ts';
import { birthDate, boolean, choice, date, email, integer, money, phone, pincode, text, uuid } from './values.ts';
import { type WorkerType, workerType } from './worker-type.ts';

const optional = { nullable: true, describes: true } as const;
const hidden = { retention: 'personal', private: true } as const;

const byEmail = {
  fields: ['email'],
  constraint: 'users_email',
  ignoresCase: true,
  hint: 'If it is a person of another company, ask for them by users/request-move.',
} as const;

const byEmployeeNumber = {
  fields: ['companyId', 'employeeNumber'],
  constraint: 'users_employee_number',
  ignoresCase: true,
} as const;

const byExternalId = {
  fields: ['companyId', 'externalId'],
  constraint: 'users_external_id',
} as const;

export const user = {
  name: 'user',
  noun: 'user',
  table: 'users',
  file: 'users.csv',
  id: 'id',
  unique: [byEmail, byEmployeeNumber, byExternalId],
  naturalKey: byEmail,
  periods: [
    { from: 'startDate', until: 'endDate' },
    { from: 'substituteFrom', until: 'substituteUntil', of: 'substituteId' },
  ],
  hasTimestamps: true,
  rank: 2,
  rights: { keeps: true },
  auditSubject: { user: 'id', company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: 'd23dea7a-7498-46ef-9bdf-27944b5296e9' },
    email: { kind: email, folded: true, retention: 'personal', example: 'employee@acme.example' },
    firstName: { kind: text(100), folded: true, retention: 'personal', example: 'Asha' },
    lastName: { kind: text(100, 0), folded: true, retention: 'personal', example: 'Rao' },
    phone: { kind: phone, ...optional, retention: 'personal', example: '+910000012345' },
    clientType: {
      kind: choice(['CORPORATE', 'AGENCY', 'DIRECT'], 'ClientType'),
      default: 'CORPORATE',
      inFiles: 'required',
      describes: true,
      example: 'CORPORATE',
    },
    companyId,
    departmentId: {
      kind: uuid,
      references: 'department',
      namedBy: 'departmentCostCode',
      ofSameCompany: true,
      example: department.fields.id.example,
    },
    bandId: {
      kind: uuid,
      references: 'band',
      namedBy: 'bandCode',
      ofSameCompany: true,
      example: band.fields.id.example,
    },
    approvalLimit: { kind: money, default: '0.00', inFiles: 'required', example: '50000.00' },
    dateOfBirth: { kind: birthDate, ...optional, ...hidden, example: '1990-05-14' },
    gender: { kind: text(50), ...optional, ...hidden, example: 'Female' },
    addressLine1: {
      kind: text(255),
      ...optional,
      ...hidden,
      description: 'Primary street address',
      example: '14 Lake View Road',
    },
    addressLine2: { kind: text(255, 0), ...optional, ...hidden, example: 'Flat 3B' },
    pincode: { kind: pincode, ...optional, ...hidden, description: 'Postal code', example: '560001' },
    loyaltyPoints: {
      kind: integer(0),
      default: 0,
      description: 'Written by API keys and imports alone',
      example: 1200,
    },
    active: { kind: boolean, default: true, example: true },
    externalId: {
      kind: text(255),
      nullable: true,
      retention: 'personal',
      description: 'The id that the directory or HR system of the company has for the person, unique in the company',
      example: '00u1a2b3c4',
    },
    employeeNumber: {
      kind: text(50),
      ...optional,
      retention: 'personal',
      description: 'Unique in the company; case does not matter',
      example: 'E-1042',
    },
    jobTitle: { kind: text(200), ...optional, retention: 'personal', example: 'Account Manager' },
    costCenter: { kind: text(100), ...optional, example: 'CC-310' },
    managerId: {
      ...referenceWithinCompany('user', 'The line manager, a person of the same company'),
      namedBy: 'manager',
      namedByOneOf: ['email', 'employeeNumber'],
      hierarchy: { levels: Number.POSITIVE_INFINITY },
    },
    startDate: {
      kind: date,
      ...optional,
      retention: 'personal',
      description:
        'First day of work, in the time zone of the company; earlier the person is refused like a deactivated one',
      example: '2024-04-01',
    },
    endDate: {
      kind: date,
      ...optional,
      retention: 'personal',
      description:
        'Last day of work, in the time zone of the company; later the person is refused like a deactivated one',
      example: '2031-03-31',
    },
    substituteId: referenceWithinCompany('user', 'The person of the same company who decides instead'),
    substituteFrom: { kind: date, nullable: true, description: 'First day', example: null },
    substituteUntil: { kind: date, nullable: true, description: 'Last day', example: null },
    workerType: {
      kind: workerType,
      default: 'EMPLOYEE',
      describes: true,
      description: 'A GUEST does not sign in nor approve, and travels at the expense of the host',
      example: 'EMPLOYEE',
    },
    hostId: {
      ...referenceWithinCompany(
        'user',
        'Of a guest: the person of the same company whose department pays and approves',
      ),
      namedBy: 'host',
      namedByOneOf: ['email', 'employeeNumber'],
    },
    legalEntityId: referenceWithinCompany(
      'legalEntity',
      'The legal entity of the person; null in a request: that of the department',
    ),
    fields: { ...customFields, retention: 'personal' },
  }),
} as const satisfies Entity;

/** The user as people change themselves: nobody takes away their own last name. */
export const ownUser = {
  ...user,
  fields: { ...user.fields, lastName: { ...user.fields.lastName, kind: text(100) } },
} as const satisfies Entity;

/** Fields of `employment` in requests and responses. */
export const EMPLOYMENT_FIELDS = [
  'employeeNumber',
  'jobTitle',
  'costCenter',
  'managerId',
  'startDate',
  'endDate',
] as const;

/** Fields of a person's substitution, which users/set-substitute writes. */
export const SUBSTITUTE_FIELDS = ['substituteId', 'substituteFrom', 'substituteUntil'] as const;

/** Fields of a person that tell what they are to the company, and who receives a guest. */
export const KIND_FIELDS = ['workerType', 'hostId'] as const;

/** Fields that API keys write, and no administrator. */
const FIELDS_OF_KEYS = ['loyaltyPoints'] as const;

/** Returns whether API keys alone write a field. */
export function isFieldOfKeys(name: string): name is (typeof FIELDS_OF_KEYS)[number] {
  return FIELDS_OF_KEYS.some((field) => field === name);
}

/**
 * What makes a token a person, wherever it is kept: `links` are accounts of providers. A test compares it with what the statements of a
 * sign-in read.
 */
export const SIGN_IN_FIELDS = ['email', 'workEmail', 'externalId', 'links'] as const;

/** Fields that decide whether a person works. */
export const WORK_FIELDS = ['active', 'startDate', 'endDate', 'workerType'] as const;

/** What decides whether a person works. */
export interface Employment {
  active: boolean;
  startDate: CalendarDate | null;
  endDate: CalendarDate | null;
  workerType: WorkerType;
  /** In the time zone of the company; absent: in UTC. */
  today?: CalendarDate;
}

/** Returns whether a person is no guest, active and within the dates of their employment; `worksOn` is the equivalent in SQL. */
export function works({ active, startDate, endDate, workerType: type, today = todayUtc() }: Employment): boolean {
  return (
    active && type !== 'GUEST' && (startDate === null || startDate <= today) && (endDate === null || today <= endDate)
  );
}

/** Maximum number of users that one request adds and changes. */
export const MAX_SAVED = 500;

/** Fields that people may change in their own profile, in the order of the form. */
export const PROFILE_FIELDS = [
  'firstName',
  'lastName',
  'phone',
  'dateOfBirth',
  'gender',
  'addressLine1',
  'addressLine2',
  'pincode',
] as const;
export type ProfileFieldName = (typeof PROFILE_FIELDS)[number];
