/** Public interface of the profile for other features. */
export { findUser, managerColumn, type UserRow } from './profile-queries.ts';
export { EmploymentView, SubstitutionView, UserView } from './profile-schemas.ts';
export { employmentView, substitutionView, userView } from './profile-views.ts';
