import sql from 'sql-template-tag';
import { comparable, hasEmail } from '../../audit/entity-sql.ts';
import { COMPANY_ROLES } from '../../entities/roles.ts';
import { isCanonicalUuid } from '../../entities/uuid.ts';
import {
  type Attribute,
  CORE_USER,
  complex,
  ENTERPRISE_USER,
  type Item,
  ignored,
  ORGDESK_USER,
  primary,
  type Schema,
  type Search,
  text,
} from './attribute.ts';
import { LAST_MODIFIED, type ScimUserRow } from './user-row.ts';

/** Maximum items of a list: addresses, e-mail addresses, phones. */
const MAX_VALUES = 100;

const fullName = ({ firstName, lastName }: ScimUserRow) => `${firstName} ${lastName}`;

const isType = (wanted: string) => (item: Item) => String(item.type).toLowerCase() === wanted;
const isPrimary = (item: Item) => item.primary === true;

/** Returns the item for work, else the primary one, else one without a type. */
function workOf(items: readonly Item[]): Item | undefined {
  const work = items.filter(isType('work'));
  return work.find(isPrimary) ?? work[0] ?? items.find(isPrimary) ?? items.find(({ type }) => type === undefined);
}

function preferredPhone(items: readonly Item[]): Item | undefined {
  return items.find(isPrimary) ?? items.find(isType('work')) ?? items.find(isType('mobile')) ?? items[0];
}

/** Returns a role name in upper case, unwrapped from the JSON that Entra ID's `AppRoleAssignmentsComplex` sends. */
function roleName(text: string): string {
  if (!text.trimStart().startsWith('{')) return text.trim().toUpperCase();
  try {
    const { value } = JSON.parse(text) as { value?: unknown };
    return String(value).trim().toUpperCase();
  } catch {
    return text;
  }
}

const WORK_EMAIL = sql`coalesce(scim_users.work_email, users.email)`;
const workEmail: Search = {
  column: WORK_EMAIL,
  idsOf: (value, companyId) => sql`
    select users.id from users where ${hasEmail(sql`${value}::text`)}
    union all
    select user_id from scim_users
     where company_id = ${companyId}::uuid and lower_letters(work_email) = lower_letters(${value}::text)`,
};

/** Attributes of all resources (RFC 7643, section 3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  text('schemas', 'The schemas of the resource', { ignored: true }),
  text('id', 'The id that orgdesk has for it', {
    readOnly: true,
    caseExact: true,
    search: {
      column: sql`users.id::text`,
      idsOf: (value) => sql`select ${isCanonicalUuid(value) && value === value.toLowerCase() ? value : null}::uuid`,
    },
  }),
  text('externalId', 'The id that the directory has for it', {
    caseExact: true,
    field: 'externalId',
    search: {
      column: sql`users.external_id`,
      nullable: true,
      idsOf: (value, companyId) => sql`
        select users.id from users where company_id = ${companyId}::uuid and external_id = ${value}::text`,
    },
  }),
  complex(
    'meta',
    'Of the resource itself',
    [{ name: 'lastModified', type: 'dateTime', description: 'The last change', search: { column: LAST_MODIFIED } }],
    { readOnly: true },
  ),
];

export const USER_SCHEMA: Schema = {
  id: CORE_USER,
  name: 'User',
  description: 'A person of the company',
  attributes: [
    text('userName', 'The e-mail address by which the person signs in', {
      required: true,
      unique: true,
      field: 'email',
      search: {
        column: sql`users.email`,
        fold: (value) => comparable(value, true),
        idsOf: (value) => sql`select users.id from users where ${hasEmail(sql`${value}::text`)}`,
      },
    }),
    complex(
      'name',
      'The name of the person',
      [
        text('givenName', 'First name', {
          required: true,
          field: 'firstName',
          search: { column: sql`users.first_name` },
        }),
        text('familyName', 'Last name', {
          required: true,
          field: 'lastName',
          search: { column: sql`users.last_name` },
        }),
        text('formatted', 'Both names; writes of it are ignored', { readOnly: true, answer: fullName }),
        ...ignored('middleName', 'honorificPrefix', 'honorificSuffix'),
      ],
      { required: true },
    ),
    text('displayName', 'Both names; writes of it are ignored', {
      readOnly: true,
      answer: fullName,
      search: { column: sql`(users.first_name || ' ' || users.last_name)` },
    }),
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether the person may sign in',
      permanent: true,
      field: 'active',
      search: { column: sql`users.active` },
    },
    complex(
      'emails',
      'The work address is kept; the userName stands for it where none was sent',
      [
        text('value', 'The address', { field: 'workEmail', search: workEmail }),
        text('type', 'work', { selector: 'answered' }),
        primary('answered'),
        ...ignored('display'),
      ],
      {
        max: MAX_VALUES,
        choose: workOf,
        search: workEmail,
        answer: (row) => [{ value: row.workEmail ?? row.email, type: 'work', primary: true }],
      },
    ),
    complex(
      'phoneNumbers',
      'One is kept: the primary, else that for work, else the mobile one, else the first',
      [
        text('value', 'The number', { field: 'phone' }),
        text('type', 'What it is for: work, mobile, …', { field: 'phoneType' }),
        primary('hidden'),
        ...ignored('display'),
      ],
      {
        max: MAX_VALUES,
        choose: preferredPhone,
        // Not marked primary, so that any primary number sent later replaces it.
        answer: ({ phone, phoneType }) => (phone === null ? [] : [{ value: phone, type: phoneType ?? 'work' }]),
      },
    ),
    complex(
      'addresses',
      'The work address is kept',
      [
        text('type', 'work', { selector: 'answered' }),
        primary('hidden'),
        text('streetAddress', 'Primary street address', { field: 'addressLine1' }),
        text('postalCode', 'Postal code', { field: 'pincode' }),
        ...ignored('formatted', 'locality', 'region', 'country'),
      ],
      {
        max: MAX_VALUES,
        choose: workOf,
        answer: ({ addressLine1, pincode }) =>
          addressLine1 === null && pincode === null
            ? []
            : [withoutNull({ type: 'work', streetAddress: addressLine1, postalCode: pincode })],
      },
    ),
    complex(
      'roles',
      'Roles in the company',
      [
        text('value', 'The role', { values: COMPANY_ROLES, normalize: roleName }),
        // Entra ID's mapping of a single role writes `primary`, and means all roles.
        { ...primary('hidden'), ignored: true },
        ...ignored('type', 'display'),
      ],
      { max: COMPANY_ROLES.length, field: 'roles', answer: ({ roles }) => roles.map((value) => ({ value })) },
    ),
    ...ignored('nickName', 'profileUrl', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'password'),
    ...ignored('ims', 'photos', 'groups', 'entitlements', 'x509Certificates'),
  ],
};

export const ENTERPRISE_SCHEMA: Schema = {
  id: ENTERPRISE_USER,
  name: 'EnterpriseUser',
  description: 'Where the person belongs in the company',
  attributes: [
    text('department', 'The name or cost code of the department; one that the company has not is made', {
      permanent: true,
      field: 'department',
    }),
    ...ignored('employeeNumber', 'costCenter', 'organization', 'division', 'manager'),
  ],
};

export const ORGDESK_SCHEMA: Schema = {
  id: ORGDESK_USER,
  name: 'OrgdeskUser',
  description: 'What orgdesk has of the person beyond the standard',
  attributes: [
    text('bandCode', 'The code of a band of the company', { permanent: true, field: 'bandCode' }),
    text('approvalLimit', 'Decimal amount with two fraction digits', { field: 'approvalLimit' }),
    text('clientType', 'Kind of client', { values: ['CORPORATE', 'AGENCY', 'DIRECT'], field: 'clientType' }),
    text('dateOfBirth', 'A calendar date, as YYYY-MM-DD', { field: 'dateOfBirth' }),
    text('gender', 'Gender', { field: 'gender' }),
    text('addressLine2', 'Second line of the street address', { field: 'addressLine2' }),
    {
      name: 'keysMade',
      type: 'integer',
      description:
        'API keys in use that a person made who may make none any more: in the answer to the write that made it so',
      readOnly: true,
      answer: ({ keysMade }) => keysMade || undefined,
    },
  ],
};

/** Schemas of a user: the core, then the extensions, whose attributes are nested under the id of the schema. */
export const USER_SCHEMAS: readonly Schema[] = [USER_SCHEMA, ENTERPRISE_SCHEMA, ORGDESK_SCHEMA];

function withoutNull(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
