/** What other features use of people. */
export { assignmentOrDefaults, checkAssignment } from './assignments.ts';
export { grantCompanyRole, revokeCompanyRole } from './held-roles.ts';
export { checkBandLimits } from './person-rules.ts';
export {
  addPeople,
  checkChanges,
  findPerson,
  lockPeople,
  lockPerson,
  PERSON_FIELDS,
  type Person,
  type PersonPatch,
} from './person-service.ts';
