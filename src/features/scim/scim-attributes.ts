import { COMPANY_ROLES } from '../../entities/roles.ts';

export const CORE_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const CORE_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE_USER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const ORGDESK_USER = 'urn:orgdesk:params:scim:schemas:extension:2.0:User';

/** Values of a list: addresses, e-mail addresses, phones. */
const MAX_VALUES = 100;
/** Members that one request names. */
const MAX_MEMBERS = 20_000;

/** An attribute of a resource (RFC 7643, section 7). */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  description: string;
  /** It is a list, of at most so many values. */
  many?: number;
  required?: true;
  caseExact?: true;
  /** Nobody writes it. */
  readOnly?: true;
  unique?: true;
  values?: readonly string[];
  sub?: readonly Attribute[];
  /** It is known by the standard, may be sent, and is not kept. */
  ignored?: true;
}

/** The attributes of a resource or of an extension of one. */
export interface Schema {
  id: string;
  name: string;
  description: string;
  attributes: readonly Attribute[];
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  ...{ name, type: 'string', description },
  ...more,
});
const complex = (
  name: string,
  description: string,
  sub: readonly Attribute[],
  more: Partial<Attribute> = {},
): Attribute => ({
  ...{ name, type: 'complex', description, sub },
  ...more,
});
const ignored = (...names: readonly string[]) => names.map((name) => text(name, '', { ignored: true }));

const primary: Attribute = { name: 'primary', type: 'boolean', description: 'Whether it is the first choice' };
/** The sub-attributes that all lists of values have (RFC 7643, section 2.4). */
const values = (description: string) => [
  text('value', description),
  text('type', 'What it is for: work, mobile, …'),
  primary,
  text('display', 'For people', { ignored: true }),
];

/** What all resources have, whatever their schema (RFC 7643, section 3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  text('schemas', 'The schemas of the resource', { many: MAX_VALUES, ignored: true }),
  text('id', 'The id that orgdesk has for it', { readOnly: true, caseExact: true }),
  text('externalId', 'The id that the directory has for it', { caseExact: true }),
  complex('meta', 'Of the resource itself', [], { readOnly: true }),
];

export const USER_SCHEMA: Schema = {
  id: CORE_USER,
  name: 'User',
  description: 'A person of the company',
  attributes: [
    text('userName', 'The e-mail address by which the person signs in', { required: true, unique: true }),
    complex(
      'name',
      'The name of the person',
      [
        text('givenName', 'First name', { required: true }),
        text('familyName', 'Last name', { required: true }),
        text('formatted', 'Both names; made by orgdesk', { readOnly: true }),
        ...ignored('middleName', 'honorificPrefix', 'honorificSuffix'),
      ],
      { required: true },
    ),
    text('displayName', 'Both names; made by orgdesk', { readOnly: true }),
    { name: 'active', type: 'boolean', description: 'Whether the person may sign in' },
    complex('emails', 'The work address; the userName where none was sent', values('An e-mail address'), {
      many: MAX_VALUES,
    }),
    complex(
      'phoneNumbers',
      'One is kept: the primary, else work, else mobile, else the first',
      values('A phone number'),
      { many: MAX_VALUES },
    ),
    complex(
      'addresses',
      'The work address',
      [
        text('type', 'work'),
        primary,
        text('streetAddress', 'Primary street address'),
        text('postalCode', 'Postal code'),
        ...ignored('formatted', 'locality', 'region', 'country'),
      ],
      { many: MAX_VALUES },
    ),
    complex(
      'roles',
      'Roles in the company',
      [text('value', 'The role', { values: COMPANY_ROLES }), ...values('').slice(1)],
      { many: COMPANY_ROLES.length },
    ),
    ...ignored('nickName', 'profileUrl', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'password'),
    ...ignored('ims', 'photos', 'groups', 'entitlements', 'x509Certificates'),
  ],
};

export const ENTERPRISE_SCHEMA: Schema = {
  id: ENTERPRISE_USER,
  name: 'EnterpriseUser',
  description: 'The place of the person in the company',
  attributes: [
    text('department', 'The name of the department; one that the company has not is made'),
    ...ignored('employeeNumber', 'costCenter', 'organization', 'division', 'manager'),
  ],
};

export const ORGDESK_SCHEMA: Schema = {
  id: ORGDESK_USER,
  name: 'OrgdeskUser',
  description: 'What orgdesk has of the person beyond the standard',
  attributes: [
    text('bandCode', 'The code of a band of the company'),
    text('approvalLimit', 'Decimal amount with two fraction digits'),
    text('clientType', 'Kind of client', { values: ['CORPORATE', 'AGENCY', 'DIRECT'] }),
    text('dateOfBirth', 'A calendar date, as YYYY-MM-DD'),
    text('gender', 'Gender'),
    text('addressLine2', 'Second line of the street address'),
  ],
};

export const GROUP_SCHEMA: Schema = {
  id: CORE_GROUP,
  name: 'Group',
  description: 'A role in the company',
  attributes: [
    text('displayName', 'The name of the group, which stays', { required: true }),
    complex(
      'members',
      'The people who hold the role',
      [
        text('value', 'The id of a user', { caseExact: true }),
        { name: '$ref', type: 'reference', description: 'The address of the user', ignored: true },
        text('type', 'User', { ignored: true }),
        text('display', 'The name of the user', { ignored: true }),
      ],
      { many: MAX_MEMBERS },
    ),
  ],
};

/** The schemas of a user, extensions included; of those the attributes stand inside an object with the name of the schema. */
export const USER_SCHEMAS: readonly Schema[] = [USER_SCHEMA, ENTERPRISE_SCHEMA, ORGDESK_SCHEMA];

/** The attribute of that name among these, in whatever case. */
export function attributeOf(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((attribute) => attribute.name.toLowerCase() === wanted);
}
