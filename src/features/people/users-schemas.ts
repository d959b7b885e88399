import { type Static, Type } from 'typebox';
import { LIST_OF } from '../../api/input.ts';
import {
  companyIdParameter,
  fieldsView,
  includedTimes,
  newIdParameter,
  searchParameter,
  sortParameter,
  updatedSince,
} from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { apiKey } from '../../entities/api-key.ts';
import { band } from '../../entities/band.ts';
import { company } from '../../entities/company.ts';
import { department } from '../../entities/department.ts';
import {
  answeredFields,
  givenFields,
  newRowFields,
  nullable,
  optional,
  textOrNull,
  titled,
} from '../../entities/field-schemas.ts';
import { role, roleGrant } from '../../entities/held-role.ts';
import { COMPANY_ROLES, ROLES } from '../../entities/roles.ts';
import { EMPLOYMENT_FIELDS, MAX_SAVED, user } from '../../entities/user.ts';
import { WORKER_TYPES } from '../../entities/worker-type.ts';
import { keysMade } from '../api-keys/keys-made.ts';
import { EmploymentView, SignInView, UserView } from '../profile/profile-schemas.ts';
import { LeavesView } from './leaves.ts';
import { ASSIGNMENT_FIELDS, NEW_PERSON_FIELDS, UPDATED_FIELDS } from './person-service.ts';

/** Values of a filter that takes several. */
const MAX_VALUES = 100;
const idsOf = (nouns: string, example: string) =>
  optional.text({
    [LIST_OF]: { type: 'uuid', maxItems: MAX_VALUES },
    description: `Only people of one of these ${nouns}: ids separated by commas`,
    examples: [example],
  });
const idOf = (noun: string, example: string) =>
  optional.text({ format: 'uuid', description: `Only people of this ${noun}`, examples: [example] });

/** Fields by whose exact value the list can be filtered. */
export const EXACT_FILTERS = ['email', 'employeeNumber', 'externalId', 'managerId'] as const;

/** Returns the parameter of an exact filter; a value that breaks the rule of its field is that of nobody. */
const exactly = (name: (typeof EXACT_FILTERS)[number]) =>
  optional.text({
    ...(user.fields[name].kind.sqlType === 'uuid' ? { format: 'uuid' } : { maxLength: 255 }),
    description: `Only the people with exactly this ${name}`,
    examples: [user.fields[name].example ?? user.fields.id.example],
  });

export const UserListInput = Type.Object({
  companyId: companyIdParameter,
  search: searchParameter('name (first, then last), e-mail address or work address'),
  broad: optional.boolean(
    'true: search also finds its words in any order, the digits of the phone number, the employee number, and the ' +
      'people of departments by name or cost code',
  ),
  departmentId: idOf('department', department.fields.id.example),
  departmentIds: idsOf('departments', department.fields.id.example),
  below: optional.boolean('true: with departmentId or departmentIds, also people of the departments below'),
  bandId: idOf('band', band.fields.id.example),
  bandIds: idsOf('bands', band.fields.id.example),
  role: optional.text({
    title: 'CompanyRole',
    enum: [...COMPANY_ROLES],
    description: 'Only people with this role in the company',
  }),
  roles: optional.text({
    [LIST_OF]: { enum: [...COMPANY_ROLES] },
    description: 'Only people with one of these roles in the company, separated by commas',
    examples: ['MANAGER,CORPORATE_ADMIN'],
  }),
  ownRoleId: optional.id(
    'Only people who hold this role of the company’s own or of the platform',
    roleGrant.fields.roleId.example,
  ),
  workerType: optional.text({
    [LIST_OF]: { enum: [...WORKER_TYPES] },
    description: 'Only people of one of these kinds, separated by commas',
    examples: ['CONTINGENT,INTERN'],
  }),
  activeOnly: optional.boolean('true: only active people'),
  inactiveOnly: optional.boolean('true: only deactivated people; not with activeOnly, which is true'),
  guests: optional.boolean(
    'true: guests, who hold a role in the company and belong to another one; only their identity, active state and ' +
      'roles here are shown. Otherwise the people of the company',
  ),
  sort: sortParameter('name', 'approvalLimit', 'updatedAt'),
  email: exactly('email'),
  employeeNumber: exactly('employeeNumber'),
  externalId: exactly('externalId'),
  managerId: exactly('managerId'),
  signedIn: optional.boolean('false: only people who have never signed in; true: the others'),
  directoryId: optional.id('Only people that this directory manages', '0a9c4d52-8e7f-4a51-b4d0-4d1c2c3f5a66'),
  documentsExpireBefore: optional.text({
    format: 'date',
    description:
      'Only people with a travel document that ends before this day; for Corporate Admins and keys with travellers.read',
    examples: ['2027-01-31'],
  }),
  substituteId: optional.id('Only people whose substitute this person is, today or later', user.fields.id.example),
  arrangedBy: optional.id('Only people for whom this person arranges trips', user.fields.id.example),
  updatedSince,
  include: Type.Optional(
    Type.Unsafe<string[]>({
      type: 'string',
      [LIST_OF]: { enum: ['createdAt', 'fields', 'ownRoles'] },
      description:
        'createdAt: adds this time; fields: adds fields of one’s own, also where none are defined; ownRoles: adds the roles of ' +
        'the company’s own and of the platform that each holds',
    }),
  ),
  ...pageParameters(100),
});
type Several = 'departmentIds' | 'bandIds' | 'roles' | 'workerType';
/** The checked parameters: lists are arrays. */
export type UserListInput = Omit<Static<typeof UserListInput>, Several> & { [Name in Several]?: string[] };

/** Search among the people of all companies. */
export const UserSearchInput = Type.Object({
  search: Type.String({
    maxLength: 256,
    description:
      'Words that the name or e-mail address must contain, in any order, or the work address, the digits of the phone number, or the ' +
      'employee number',
    examples: ['asha rao'],
  }),
  ...pageParameters(100),
});

const OF_A_GUEST = 'null for a guest';

/** Fields of a person in the list. */
export const LISTED_FIELDS = ['id', 'email', 'firstName', 'lastName', 'phone', 'active', 'approvalLimit'] as const;
export const LISTED_DEPARTMENT_FIELDS = ['id', 'name'] as const;
export const LISTED_BAND_FIELDS = ['id', 'name', 'code'] as const;

const listedFields = answeredFields(user, LISTED_FIELDS);
const listedDepartment = Type.Object(answeredFields(department, LISTED_DEPARTMENT_FIELDS), { description: OF_A_GUEST });
const listedBand = Type.Object(answeredFields(band, LISTED_BAND_FIELDS), { description: OF_A_GUEST });

export const ListedUserView = titled('User', {
  ...listedFields,
  approvalLimit: nullable<Static<typeof listedFields.approvalLimit>>(listedFields.approvalLimit),
  department: nullable<Static<typeof listedDepartment>>(listedDepartment),
  band: nullable<Static<typeof listedBand>>(listedBand),
  roles: Type.Array(Type.String({ title: 'CompanyRole', enum: [...COMPANY_ROLES] }), {
    description: 'Roles in this company, sorted',
    examples: [['MANAGER']],
  }),
  externalId: answeredFields(user, ['externalId']).externalId,
  works: nullable<boolean>(UserView.properties.works),
  workerType: nullable<UserView['workerType']>(UserView.properties.workerType),
  employment: nullable<EmploymentView>(EmploymentView),
  manager: EmploymentView.properties.manager,
  workEmail: UserView.properties.workEmail,
  lastSignInAt: SignInView.properties.lastSignInAt,
  ownRoles: Type.Optional(
    Type.Array(Type.Object(answeredFields(role, ['id', 'key']), { title: 'OwnRoleKey' }), {
      description: 'Roles of the company’s own and of the platform, by key; with include=ownRoles',
    }),
  ),
  createdAt: includedTimes.createdAt,
  ...fieldsView,
  updatedAt: textOrNull({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] }),
});
export type ListedUserView = Static<typeof ListedUserView>;

/** A person found among those of all companies; `roles` are those in their own one. */
export const FoundUserView = titled('FoundUser', {
  ...ListedUserView.properties,
  company: Type.Object(answeredFields(company, ['id', 'name', 'active']), { description: 'Of the person' }),
});
export type FoundUserView = Static<typeof FoundUserView>;

/** Fields of a guest (a person of another company) that are shown. */
const GUEST_FIELDS = ['id', 'email', 'firstName', 'lastName', 'active', 'companyRoles', 'roles', 'fields'] as const;
type GuestField = (typeof GUEST_FIELDS)[number];
type HiddenField = Exclude<keyof UserView, GuestField>;

/** Fields of a guest that are hidden. */
export const HIDDEN_FIELDS = Object.keys(UserView.properties).filter(
  (name): name is HiddenField => !GUEST_FIELDS.some((shown) => shown === name),
);

/** A person in full; of a guest the {@link HIDDEN_FIELDS} are null. */
export type PersonView = Pick<UserView, GuestField> & { [Name in HiddenField]: UserView[Name] | null };

const personFields = {
  ...UserView.properties,
  ...Object.fromEntries(HIDDEN_FIELDS.map((name) => [name, nullable(UserView.properties[name])])),
};

export const PersonView = Type.Unsafe<PersonView>(Type.Object(personFields, { title: 'Person' }));

const RoleSource = titled('RoleSource', {
  companyId: Type.String({ format: 'uuid', examples: [company.fields.id.example] }),
  role: Type.String({
    title: 'GivenRole',
    description: 'A company role, or the key of a role of one’s own',
    examples: ['MANAGER'],
  }),
  roleId: optional.id('Of a role of one’s own', role.fields.id.example),
  byHand: Type.Boolean({
    description: 'Whether an administrator, an import or the roles of a directory gave it',
    examples: [true],
  }),
  groups: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid', examples: ['2d1f9f0e-6a51-4c3a-9a4e-0b7f5e8c1d23'] }),
      name: Type.String({ examples: ['Travel approvers'] }),
    }),
    { description: 'Groups of directories that give it: while there are any, it cannot be taken away by hand' },
  ),
});
export type RoleSource = Static<typeof RoleSource>;

/** The directory, an API key in use, that keeps a person up to date. */
const PersonDirectory = Type.Object(answeredFields(apiKey, ['id', 'name']), { title: 'PersonDirectory' });
export type PersonDirectory = Static<typeof PersonDirectory>;

/** A person with where each of their roles comes from. */
export const PersonDetail = Type.Unsafe<
  PersonView & { roleSources: RoleSource[]; leaves?: LeavesView; directory?: PersonDirectory | null }
>(
  titled('Person', {
    ...personFields,
    roleSources: Type.Array(RoleSource, {
      description: 'Who gives the roles of companyRoles, and those of one’s own; by role, then company',
    }),
    leaves: Type.Optional(LeavesView),
    directory: Type.Optional(nullable<PersonDirectory>(PersonDirectory)),
  }),
);

const id = Type.String({ format: 'uuid', description: 'Of the person', examples: [user.fields.id.example] });

export const UserIdInput = Type.Object({ id });

export const UserGetInput = Type.Object({
  id,
  include: optional.text({
    [LIST_OF]: { enum: ['leaves', 'directory', 'fields'] },
    description:
      'leaves: adds what is left without the person; directory: adds what keeps them up to date; fields: adds fields of ' +
      'one’s own, also where none are defined',
  }),
});

const optionalDay = (description: string, example: string) =>
  Type.Optional(textOrNull({ format: 'date', description, examples: [example] }));

const { departmentId, bandId } = newRowFields(user, ASSIGNMENT_FIELDS);

const { email, ...newFields } = newRowFields(user, NEW_PERSON_FIELDS);
const until = optionalDay('Of a guest: the last day, that of the employment', '2027-01-31');

const newUser = {
  email: Type.Optional(email ?? Type.String()),
  ...newFields,
  until,
  departmentId: Type.Optional(departmentId ?? Type.String()),
  bandId: Type.Optional(bandId ?? Type.String()),
  employment: Type.Optional(Type.Object(newRowFields(user, EMPLOYMENT_FIELDS))),
  roles: Type.Optional(
    Type.Array(Type.String({ title: 'CompanyRole', enum: [...COMPANY_ROLES] }), {
      maxItems: COMPANY_ROLES.length,
      uniqueItems: true,
      default: ['EMPLOYEE'],
      description: 'The roles in the company, each once',
      examples: [['EMPLOYEE']],
    }),
  ),
  newcomer: optional.boolean(
    'Whether this is somebody else than the inactive person who has the e-mail address, employee number or external id, ' +
      'who gives it up; omitted: true where the employee numbers or both names differ, otherwise a 409',
  ),
};

export const UserCreateInput = Type.Object({ id: newIdParameter, ...newRowFields(user, ['companyId']), ...newUser });

const updatedUser = {
  id,
  ...Type.Partial(
    Type.Object({
      ...givenFields(user, UPDATED_FIELDS),
      until,
      employment: Type.Partial(Type.Object(givenFields(user, EMPLOYMENT_FIELDS))),
    }),
  ).properties,
};

const revokeKeys = (when: string) =>
  Type.Optional(
    Type.Boolean({
      default: false,
      description: `Whether to revoke the API keys that the person made and could not make any more; ${when}`,
    }),
  );

export const UserUpdateInput = Type.Object({ ...updatedUser, revokeKeys: revokeKeys('with active false alone') });

/** A person after a change that may have left API keys behind. */
export const ChangedUserView = titled('ChangedUser', {
  ...UserView.properties,
  keysMade,
  leaves: Type.Optional(LeavesView),
});
export type ChangedUserView = Static<typeof ChangedUserView>;

/** A {@link ChangedUserView} of a person who may be a guest. */
export type ChangedPersonView = PersonView & { keysMade?: number };
export const ChangedPersonView = Type.Unsafe<ChangedPersonView>(titled('ChangedPerson', { ...personFields, keysMade }));

const EXAMPLE = { email: 'new@acme.example', firstName: 'Asha', lastName: 'Rao' };

export const UsersSaveInput = Type.Object({
  ...newRowFields(user, ['companyId']),
  maxLeavers: optional.integer({
    minimum: 0,
    description: 'Refuses a request through which more people would stop working; without it any number may',
    examples: [5],
  }),
  create: Type.Optional(
    Type.Array(titled('NewUser', { id: newIdParameter, ...newUser }), {
      maxItems: MAX_SAVED,
      description: 'New people, with the fields of users/create',
      examples: [[EXAMPLE]],
    }),
  ),
  update: Type.Optional(
    Type.Array(Type.Object(updatedUser, { title: 'UserUpdate' }), {
      maxItems: MAX_SAVED,
      description: 'People of the company and the fields to change, as in users/update',
      examples: [[{ id: user.fields.id.example, lastName: 'Rao-Iyer' }]],
    }),
  ),
});

export const SavedView = titled('SavedUsers', {
  added: Type.Integer({ examples: [1] }),
  changed: Type.Integer({ examples: [1] }),
  unchanged: Type.Integer({ description: 'Number that already existed with the same content', examples: [0] }),
  ids: Type.Array(Type.String({ format: 'uuid' }), {
    description: 'Ids of the new people, in the order of create',
    examples: [[user.fields.id.example]],
  }),
  keysMade,
});
export type SavedView = Static<typeof SavedView>;

export const SubstitutionInput = Type.Object({
  userId: optional.text({ format: 'uuid', description: 'The person; the caller if omitted' }),
  substituteId: textOrNull({
    format: 'uuid',
    description: 'The substitute, of the same company; null: none',
    examples: ['f1df988a-9e30-490b-a4b9-664bd55d8e1d'],
  }),
  from: optionalDay('First day (UTC), as YYYY-MM-DD; required with a substitute', '2026-12-21'),
  until: optionalDay('Last day (UTC), as YYYY-MM-DD; required with a substitute', '2027-01-03'),
});

export const RoleInput = Type.Object({
  userId: id,
  role: Type.String({ title: 'Role', enum: [...ROLES], examples: ['MANAGER'] }),
  companyId: optional.id('The company, for a role in one; not with a platform role', company.fields.id.example),
});

export const RevocationInput = Type.Object({
  ...RoleInput.properties,
  revokeKeys: revokeKeys('none of somebody who still administers the company'),
});
