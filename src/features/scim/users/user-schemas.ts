import sql, { raw } from 'sql-template-tag';
import { comparable, hasEmail, hasKey, LAST_CHANGED } from '../../../audit/entity-sql.ts';
import { isCanonicalUuid } from '../../../entities/characters.ts';
import { type FieldName, fieldOf } from '../../../entities/entity.ts';
import { COMPANY_ROLES } from '../../../entities/roles.ts';
import { user } from '../../../entities/user.ts';
import { WORKER_TYPES, wordOf } from '../../../entities/worker-type.ts';
import {
  commonAttributes,
  complex,
  type Item,
  ignored,
  primary,
  type Schema,
  type Search,
  text,
} from '../protocol/schema.ts';
import { contentOf, fieldsOf, readValues, type Values } from '../protocol/values.ts';
import { EXTERNAL_ID, idsByExternalId, type ScimUserRow } from './user-row.ts';

const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ORGDESK_USER = 'urn:orgdesk:params:scim:schemas:extension:2.0:User';
/** The schema of fields of one's own, which depends on the company. */
export const OWN_FIELDS = 'urn:orgdesk:params:scim:schemas:extension:fields:2.0';

/** Maximum items of a list: addresses, e-mail addresses, phones. */
const MAX_VALUES = 100;

const fullName = ({ firstName, lastName }: ScimUserRow) => `${firstName} ${lastName}`.trim();

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

/** Returns a telephone number without the scheme and the other parameters of its URI (RFC 3966): `tel:+1-201-555-0123;ext=7;isub=1`. */
function plainNumber(text: string): string {
  return text
    .trim()
    .replace(/^tel:/i, '')
    .replace(/;(?!\s*ext=)[^;]*/gi, '')
    .trim();
}

/** Returns the field that stores an attribute, and that its column is searched. */
function searched(field: FieldName<typeof user>): { field: string; search: Search } {
  const { column, nullable } = fieldOf(user, field);
  return { field, search: { column: raw(`users.${column}`), ...(nullable && { nullable }) } };
}

const [, BY_EMPLOYEE_NUMBER] = user.unique;

/** People whose manager is of that id, or is to come and is named like this. */
const manager: Search = {
  column: sql`coalesce(users.manager_id::text, scim_users.manager_value)`,
  nullable: true,
  idsOf: (value, companyId) => sql`
    select users.id from users where users.manager_id = ${isCanonicalUuid(value) ? value : null}::uuid
    union all
    select user_id from scim_users
     where company_id = ${companyId}::uuid and lower_letters(manager_value) = lower_letters(${value}::text)`,
};

const WORK_EMAIL = sql`coalesce(scim_users.work_email, users.email)`;
const workEmail: Search = {
  column: WORK_EMAIL,
  idsOf: (value, companyId) => sql`
    select users.id from users where ${hasEmail(sql`${value}::text`)}
    union all
    select user_id from scim_users
     where company_id = ${companyId}::uuid and lower_letters(work_email) = lower_letters(${value}::text)`,
};

/** The words for kinds of people, in SQL. */
const TYPES = raw(`'${JSON.stringify(Object.fromEntries(WORKER_TYPES.map((type) => [type, wordOf(type)])))}'`);

const COMMON = commonAttributes({
  id: {
    column: sql`users.id::text`,
    idsOf: (value) => sql`select ${isCanonicalUuid(value) && value === value.toLowerCase() ? value : null}::uuid`,
  },
  externalId: {
    column: EXTERNAL_ID,
    nullable: true,
    idsOf: idsByExternalId,
  },
  created: { column: sql`date_trunc('milliseconds', users.created_at)` },
  lastModified: { column: LAST_CHANGED },
});

const USER_SCHEMA: Schema = {
  id: CORE_USER,
  name: 'User',
  description: 'A person of the company',
  attributes: [
    ...COMMON,
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
        text('givenName', 'First name', { required: true, ...searched('firstName') }),
        text('familyName', 'Last name; people with one name have none', { mayBeEmpty: true, ...searched('lastName') }),
        text('formatted', 'Both names; writes of it count only where no other name is sent', {
          readOnly: true,
          answer: fullName,
        }),
        ...ignored('middleName', 'honorificPrefix', 'honorificSuffix'),
      ],
      { required: true },
    ),
    text('displayName', 'Both names; writes of it count only where no other name is sent', {
      readOnly: true,
      answer: fullName,
      search: { column: sql`trim(users.first_name || ' ' || users.last_name)` },
    }),
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether the person may sign in',
      permanent: true,
      ...searched('active'),
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
        answer: (row: ScimUserRow) => [{ value: row.workEmail ?? row.email, type: 'work', primary: true }],
      },
    ),
    complex(
      'phoneNumbers',
      'One is kept: the primary, else that for work, else the mobile one, else the first',
      [
        text('value', 'The number', { field: 'phone', normalize: plainNumber }),
        text('type', 'What it is for: work, mobile, …', { field: 'phoneType' }),
        primary('hidden'),
        ...ignored('display'),
      ],
      {
        max: MAX_VALUES,
        choose: preferredPhone,
        // Not marked primary, so that any primary number sent later replaces it.
        answer: ({ phone, phoneType }: ScimUserRow) =>
          phone === null ? [] : [{ value: phone, type: phoneType ?? 'work' }],
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
        text('locality', 'City', { field: 'locality' }),
        text('region', 'State', { field: 'region' }),
        text('country', 'Country', { field: 'country' }),
        ...ignored('formatted'),
      ],
      {
        max: MAX_VALUES,
        choose: workOf,
        answer: ({ addressLine1, pincode, locality, region, country }: ScimUserRow) => {
          const parts = { streetAddress: addressLine1, locality, region, postalCode: pincode, country };
          const given = Object.entries(parts).filter(([, value]) => value !== null);
          return given.length === 0 ? [] : [{ type: 'work', ...Object.fromEntries(given) }];
        },
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
      { max: MAX_VALUES, field: 'roles', answer: ({ roles }: ScimUserRow) => roles.map((value) => ({ value })) },
    ),
    text('title', 'The job title', searched('jobTitle')),
    text('userType', 'What the person is to the company; a Guest does not sign in', {
      field: 'workerType',
      answer: ({ workerType }: ScimUserRow) => wordOf(workerType),
      search: { column: sql`(${TYPES}::json ->> users.worker_type)` },
    }),
    ...ignored('nickName', 'profileUrl', 'preferredLanguage', 'locale', 'timezone', 'password'),
    complex(
      'groups',
      'The groups of the person; groups are changed by their members',
      [
        text('value', 'The id of the group', { readOnly: true, caseExact: true }),
        { name: '$ref', type: 'reference', description: 'The address of the group', readOnly: true, refersTo: 'Group' },
        text('display', 'The name of the group', { readOnly: true }),
        text('type', 'direct', { readOnly: true }),
      ],
      {
        max: MAX_VALUES,
        readOnly: true,
        answer: ({ groups, base }: ScimUserRow) =>
          groups.map((group) => ({
            ...group,
            ...(base === undefined ? {} : { $ref: `${base}/Groups/${group.value}` }),
          })),
      },
    ),
    ...ignored('ims', 'photos', 'entitlements', 'x509Certificates'),
  ],
};

const ENTERPRISE_SCHEMA: Schema = {
  id: ENTERPRISE_USER,
  formerIds: ['urn:scim:schemas:extension:enterprise:2.0', 'urn:scim:schemas:extension:enterprise:1.0'],
  name: 'EnterpriseUser',
  description: 'Where the person belongs in the company',
  attributes: [
    text('department', 'The cost code or name of the department; one that the company has not is made', {
      hasDefault: true,
      field: 'department',
    }),
    text('employeeNumber', 'The number of the person, unique in the company', {
      field: 'employeeNumber',
      search: {
        column: sql`users.employee_number`,
        nullable: true,
        idsOf: (value, companyId) => sql`
          select users.id from users where ${hasKey(user, BY_EMPLOYEE_NUMBER, [sql`${companyId}::uuid`, sql`${value}::text`])}`,
      },
    }),
    text('costCenter', 'The cost centre', searched('costCenter')),
    complex(
      'manager',
      'The line manager; one who is not known yet is kept, and linked when they come',
      [
        text('value', 'The id of a person; their externalId, employeeNumber or userName is taken too', {
          field: 'manager',
          search: manager,
        }),
        { name: '$ref', type: 'reference', description: 'The address of the person', readOnly: true },
        text('displayName', 'The name of the person', { readOnly: true }),
      ],
      {
        search: manager,
        answer: ({ managerId, managerName, managerValue, base }: ScimUserRow) => {
          if (managerId === null) return managerValue && { value: managerValue };
          const $ref = base === undefined ? {} : { $ref: `${base}/Users/${managerId}` };
          return { value: managerId, ...$ref, displayName: managerName };
        },
      },
    ),
    ...ignored('organization', 'division'),
  ],
};

const ORGDESK_SCHEMA: Schema = {
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
      answer: ({ keysMade }: ScimUserRow) => keysMade || undefined,
    },
  ],
};

/** Schemas of a user: the core, then the extensions, whose attributes are nested under the id of the schema. */
export const USER_SCHEMAS: readonly Schema[] = [USER_SCHEMA, ENTERPRISE_SCHEMA, ORGDESK_SCHEMA];

/** Returns the content of a person's resource. */
export function userContent(row: Partial<ScimUserRow>): Record<string, unknown> {
  return { ...contentOf(row, USER_SCHEMAS), ...(row.own && { [OWN_FIELDS]: row.own }) };
}

/** Returns the content from which the version is computed: without what every person of 0.3.0 is, which had no such attribute. */
export function versionedUser(row: Parameters<typeof userContent>[0]): object {
  const { userType, ...others } = userContent(row);
  return userType === wordOf('EMPLOYEE') ? others : { ...others, userType };
}

/** Returns the present values of a person. */
export function valuesOf(row: ScimUserRow, schemas = USER_SCHEMAS): Values {
  return readValues(userContent(row), schemas);
}

/** Values of a person by the field that stores them. */
export interface UserFields extends Readonly<Record<string, unknown>> {
  email?: string;
  active?: boolean;
  externalId?: string;
  employeeNumber?: string;
  firstName?: string;
  lastName?: string;
  dateOfBirth?: string;
  phone?: string;
  manager?: string;
  roles?: readonly string[];
}

/** Returns the values of a person by the field that stores them; absent where there is none. @throws ApiError `invalidValue` */
export function userFields(values: Values, schemas = USER_SCHEMAS): UserFields {
  return fieldsOf(values, schemas);
}
