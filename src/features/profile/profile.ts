/** Public interface of the profile for other features. */
export { findProfile, type ProfileRow } from './profile-queries.ts';
export { ProfileView } from './profile-schemas.ts';
export { profileView } from './profile-views.ts';
