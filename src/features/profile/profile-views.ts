import { rolesOf } from '../../auth/callers/roles.ts';
import { midnightUtc } from '../../entities/dates.ts';
import type { ProfileRow, UserRow } from './profile-queries.ts';
import type { EmploymentView, ProfileView, ReducedProfileView, SubstitutionView, UserView } from './profile-schemas.ts';

/** Copies each field by name: a rest pattern (`...fields`) is several times slower, as rows are not all of one hidden class. */
function ownFields(profile: ProfileRow) {
  return {
    id: profile.userId,
    email: profile.email,
    firstName: profile.firstName,
    lastName: profile.lastName,
    phone: profile.phone,
    clientType: profile.clientType,
    companyId: profile.companyId,
    departmentId: profile.departmentId,
    employeeBand: profile.band.code,
    bandId: profile.bandId,
    approvalLimit: profile.approvalLimit,
    dateOfBirth: profile.dateOfBirth === null ? null : midnightUtc(profile.dateOfBirth),
    gender: profile.gender,
    addressLine1: profile.addressLine1,
    addressLine2: profile.addressLine2,
    pincode: profile.pincode,
    loyaltyPoints: profile.loyaltyPoints,
    active: profile.active,
    createdAt: profile.createdAt,
    updatedAt: profile.updatedAt,
  };
}

// Object.assign to the existing object: spreading many fields into a new one and adding to it is thirty times slower.

/** Returns the full form of a profile. */
export function profileView(profile: ProfileRow): ProfileView {
  return Object.assign(ownFields(profile), {
    company: profile.company,
    department: profile.department,
    band: profile.band,
    companyRoles: profile.companyRoles.map(({ id, companyId, role }) => ({ id, companyId, role })),
    systemRoleMap: profile.systemRole,
    roles: rolesOf(profile),
  });
}

/** Returns the employment of a person. */
export function employmentView({ manager, ...row }: Pick<UserRow, keyof EmploymentView>): EmploymentView {
  const { employeeNumber, jobTitle, costCenter, managerId, startDate, endDate } = row;
  return { employeeNumber, jobTitle, costCenter, managerId, startDate, endDate, manager };
}

export const NO_SUBSTITUTE = { substitute: null, from: null, until: null };

/** Returns who decides for a person, and when: now, or else next. */
export function substitutionView({ userId, substitutions: [first] }: UserRow): SubstitutionView {
  return { userId, ...(first ?? NO_SUBSTITUTE) };
}

/** Returns a person as administrators see them. */
export function userView(user: UserRow): UserView {
  const { externalId, works, workerType, hostId, host } = user;
  return Object.assign(profileView(user), {
    externalId,
    works,
    workerType,
    hostId,
    until: workerType === 'GUEST' ? user.endDate : null,
    host,
    legalEntityId: user.legalEntity?.id ?? null,
    legalEntity: user.legalEntity,
    employment: employmentView(user),
    manager: user.manager,
    substitution: substitutionView(user),
    substitutions: user.substitutions,
    workEmail: user.workEmail,
    signIn: user.signIn,
    ...(user.fields && { fields: user.fields }),
  });
}

/** Returns the reduced form of a profile, as the response to an update: the same fields with smaller nested objects. */
export function reducedProfileView(profile: ProfileRow): ReducedProfileView {
  const { company, department, band } = profile;
  return Object.assign(ownFields(profile), {
    company: { id: company.id, name: company.name, legalName: company.legalName },
    department: { id: department.id, name: department.name },
    band: { id: band.id, name: band.name, code: band.code },
    roles: rolesOf(profile),
  });
}
