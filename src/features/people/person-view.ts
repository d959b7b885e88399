import { notFound } from '../../api/write-request.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import { rolesOf } from '../../auth/callers/roles.ts';
import { type UserRow, userView } from '../profile/profile.ts';
import { HIDDEN_FIELDS, type PersonView } from './users-schemas.ts';

/** Returns the view of a person who belongs to a company in scope or holds a role in one. @throws ApiError `NOT_FOUND` for others */
export function visiblePersonView(profile: UserRow, scope: CompanyScope): PersonView {
  const view = personView(profile, scope);
  if (view.company === null && view.companyRoles.length === 0) throw notFound('user');
  return view;
}

/** Returns the full view of a person of a company in scope; of others only their identity and their roles in scope. */
export function personView(profile: UserRow, scope: CompanyScope): PersonView {
  const { userId, email, firstName, lastName, active, companyId, company } = profile;
  if (isWithin(scope, companyId, company.active)) return userView(profile);
  const held = profile.companyRoles.filter((role) => isWithin(scope, role.companyId, role.companyActive));
  return {
    ...NOTHING,
    id: userId,
    email,
    firstName,
    lastName,
    active,
    companyRoles: held.map(({ id, companyId, role }) => ({ id, companyId, role })),
    roles: rolesOf({ systemRole: null, companyRoles: held }),
  };
}

const NOTHING = Object.fromEntries(HIDDEN_FIELDS.map((name) => [name, null])) as Record<
  (typeof HIDDEN_FIELDS)[number],
  null
>;

/** Returns whether a company is in scope; `inScope` is the equivalent in SQL. */
function isWithin(scope: CompanyScope, companyId: string, isActive: boolean): boolean {
  if (scope === 'all') return true;
  return scope === 'active' ? isActive : scope.includes(companyId);
}
