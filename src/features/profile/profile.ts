/** Public interface of the profile for other features. */
export { findUser, managerColumn, type UserRow } from './profile-queries.ts';
export { EmploymentView, UserView } from './profile-schemas.ts';
export { employmentView, userView } from './profile-views.ts';
