import { type Static, Type } from 'typebox';
import { parseBody, validOrThrow } from '../../api/body.ts';
import { LIST_OF } from '../../api/input.ts';
import { fieldsView } from '../../api/list-schemas.ts';
import { SIGN_IN_REFUSALS } from '../../auth/tokens/token-claims.ts';
import { band } from '../../entities/band.ts';
import { checkPatch, isObject } from '../../entities/check-fields.ts';
import { company } from '../../entities/company.ts';
import { department } from '../../entities/department.ts';
import type { RowOf } from '../../entities/entity.ts';
import { answeredFields, givenFields, nullable, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { companyRole, systemRole } from '../../entities/held-role.ts';
import { ROLES } from '../../entities/roles.ts';
import {
  EMPLOYMENT_FIELDS,
  KIND_FIELDS,
  ownUser,
  PROFILE_FIELDS,
  type ProfileFieldName,
  user,
} from '../../entities/user.ts';
import { currency } from '../../entities/values.ts';
import { BrandView } from '../console/brand.ts';
import { EffectiveEntityView } from '../legal-entities/effective-entity.ts';

const moment = () => Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] });

const ownFields = {
  ...answeredFields(user, ['id', 'email', 'firstName', 'lastName', 'phone', 'clientType', 'companyId', 'departmentId']),
  employeeBand: Type.String({ description: "The band's code", examples: [band.fields.code.example] }),
  ...answeredFields(user, ['bandId', 'approvalLimit']),
  dateOfBirth: textOrNull({ description: 'Midnight UTC', format: 'date-time', examples: ['1990-05-14T00:00:00.000Z'] }),
  ...answeredFields(user, ['gender', 'addressLine1', 'addressLine2', 'pincode', 'loyaltyPoints', 'active']),
  createdAt: moment(),
  updatedAt: moment(),
};
const roles = Type.Array(Type.String({ title: 'Role', enum: [...ROLES] }), {
  description: 'The active system role and the company roles, sorted, each once',
  examples: [['MANAGER']],
});

/** Fields of a person's company, department and band in the full form. */
export const COMPANY_FIELDS = ['id', 'name', 'legalName', 'gstin', 'active'] as const;
export const DEPARTMENT_FIELDS = ['id', 'name', 'costCode'] as const;
export const BAND_FIELDS = ['id', 'name', 'code', 'autoApprovalLimit', 'maxBookingLimit'] as const;

/** The full form (spec.: User), returned by Get self profile. */
export const ProfileView = titled('Profile', {
  ...ownFields,
  company: Type.Object(answeredFields(company, COMPANY_FIELDS), { title: 'CompanyRef' }),
  department: Type.Object(answeredFields(department, DEPARTMENT_FIELDS), { title: 'DepartmentRef' }),
  band: Type.Object(answeredFields(band, BAND_FIELDS), { title: 'BandRef' }),
  companyRoles: Type.Array(
    Type.Object(answeredFields(companyRole, ['id', 'companyId', 'role']), { title: 'HeldCompanyRole' }),
  ),
  systemRoleMap: Type.Unsafe<{ role: string; active: boolean } | null>({
    ...Type.Object(answeredFields(systemRole, ['role', 'active'])),
    type: ['object', 'null'],
    description: 'The platform-wide role; null without one',
    examples: [null],
  }),
  roles,
});
export type ProfileView = Static<typeof ProfileView>;

/** Fields of a person's manager. */
export const MANAGER_FIELDS = ['id', 'firstName', 'lastName'] as const;

const manager = Type.Object(answeredFields(user, MANAGER_FIELDS), { description: 'null without one' });

/** The employment of a person in responses. */
export const EmploymentView = titled('Employment', {
  ...answeredFields(user, EMPLOYMENT_FIELDS),
  manager: nullable<Static<typeof manager>>(manager),
});
export type EmploymentView = Static<typeof EmploymentView>;

const substitute = Type.Object(answeredFields(user, MANAGER_FIELDS), { description: 'null: nobody' });
const [first, last] = ['substituteFrom', 'substituteUntil'] as const;

/** Who decides for a person, and when. */
export const SubstitutionView = titled('Substitution', {
  userId: answeredFields(user, ['id']).id,
  substitute: nullable<Static<typeof substitute>>(substitute),
  from: answeredFields(user, [first])[first],
  until: answeredFields(user, [last])[last],
});
export type SubstitutionView = Static<typeof SubstitutionView>;

const { userId: _, ...substitutionOfPerson } = SubstitutionView.properties;
const substitutions = Type.Array(Type.Object(substitutionOfPerson, { title: 'PlannedSubstitution' }), {
  description: 'All that are not over, by their first day; substitution is the first one',
});

const lastRefusal = Type.Object(
  { at: moment(), reason: Type.String({ enum: [...SIGN_IN_REFUSALS], examples: ['address not verified'] }) },
  { description: 'The last time that an access token was refused, and why; null: never' },
);

/** How a person signs in, as administrators see it. */
export const SignInView = Type.Object(
  {
    linked: Type.Boolean({ description: 'Whether an account of an identity provider is linked', examples: [true] }),
    connectionId: textOrNull({
      format: 'uuid',
      description: 'The sign-in connection of the account; null: the provider of the platform, or none',
      examples: [null],
    }),
    lastSignInAt: textOrNull({
      format: 'date-time',
      description: 'To the hour; null: never',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
    lastRefusal: nullable<Static<typeof lastRefusal>>(lastRefusal),
  },
  { title: 'SignIn', description: 'The ETag does not cover it' },
);
export type SignInView = Static<typeof SignInView>;

/** A person as administrators see them. */
export const UserView = titled('UserDetail', {
  ...ProfileView.properties,
  ...answeredFields(user, ['externalId']),
  ...fieldsView,
  works: Type.Boolean({
    description: 'Whether they are no guest, active and within the dates of their employment',
    examples: [true],
  }),
  ...answeredFields(user, KIND_FIELDS),
  until: textOrNull({
    format: 'date',
    description: 'Of a guest: the last day, that of the employment',
    examples: [null],
  }),
  host: nullable<Static<typeof manager>>(manager),
  ...answeredFields(user, ['legalEntityId']),
  legalEntity: EffectiveEntityView,
  employment: EmploymentView,
  manager: EmploymentView.properties.manager,
  substitution: SubstitutionView,
  substitutions,
  workEmail: textOrNull({
    description: 'The work address that a directory sent; null: none, or the e-mail address itself',
    examples: ['asha.rao@mail.acme.example'],
  }),
  signIn: SignInView,
});
export type UserView = Static<typeof UserView>;

/** The profile, with what is requested next to it. */
export const OwnProfileView = titled('OwnProfile', {
  ...ProfileView.properties,
  company: titled('OwnCompany', {
    ...ProfileView.properties.company.properties,
    currency: optional.text({ ...currency.schema, description: 'Only with include=company', examples: ['INR'] }),
    brand: Type.Optional(
      Type.Partial(BrandView, { description: 'Only with include=company; what is absent is as in the configuration' }),
    ),
  }),
  employment: Type.Optional(EmploymentView),
  manager: Type.Optional(EmploymentView.properties.manager),
  substitution: Type.Optional(SubstitutionView),
  substitutions: Type.Optional(substitutions),
  ...fieldsView,
});

export const ProfileInput = Type.Object({
  include: optional.text({
    [LIST_OF]: { enum: ['company', 'employment', 'substitution', 'fields'] },
    description:
      'Adds the currency and the brand to the company, the employment, the substitution, or fields of one’s own, all read only',
    examples: ['employment'],
  }),
});

/** The reduced form (spec.: User), returned by Update self profile. */
export const ReducedProfileView = titled('UpdatedProfile', {
  ...ownFields,
  company: Type.Object(answeredFields(company, ['id', 'name', 'legalName']), { title: 'CompanyName' }),
  department: Type.Object(answeredFields(department, ['id', 'name']), { title: 'DepartmentName' }),
  band: Type.Object(answeredFields(band, ['id', 'name', 'code']), { title: 'BandName' }),
  roles,
});
export type ReducedProfileView = Static<typeof ReducedProfileView>;

const given = givenFields(ownUser, PROFILE_FIELDS);

/** Fields of an update, for the documentation only; profile-input.ts validates them. */
export const ProfilePatchSchema = Type.Partial(
  Type.Object({
    ...given,
    addressLine2: Type.Unsafe<string | null>({
      ...given.addressLine2,
      description:
        'Apartment, suite or building, up to 255 characters; null, empty or left out while other fields are sent: cleared',
    }),
  }),
  // Other fields are ignored.
  { additionalProperties: true },
);

/** Changes of an update: an absent field stays, null clears it. An empty patch changes nothing. */
export type ProfilePatch = Partial<RowOf<typeof user, ProfileFieldName | 'fields'>>;

/**
 * Reads an update of the caller's own profile from a JSON body or a query string. Fields outside the spec are ignored.
 * If `addressLine2` is absent while other fields are present, it becomes null (spec.: Update self profile, rule 3).
 *
 * @throws ApiError `INVALID_INPUT` with every field that is wrong
 */
export function readProfilePatch(raw: unknown): ProfilePatch {
  const given = parseBody(raw);
  const patch: ProfilePatch = validOrThrow(checkPatch(ownUser, PROFILE_FIELDS, given));
  if (Object.keys(patch).length > 0 && !('addressLine2' in given)) patch.addressLine2 = null;
  // Anything else of that name is ignored, like other fields outside the contract.
  return isObject(given.fields) ? { ...patch, ...validOrThrow(checkPatch(user, ['fields'], given)) } : patch;
}
