/** Public interface of the profile for other features. */
export { findUser, lastSignIn, managerColumn, type UserRow, workEmailColumn } from './profile-queries.ts';
export { EmploymentView, SignInView, SubstitutionView, UserView } from './profile-schemas.ts';
export { employmentView, substitutionView, userView } from './profile-views.ts';
