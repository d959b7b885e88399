/** What other features use of people. */
export { grantCompanyRole, revokeCompanyRole } from './held-roles.ts';
export { checkBandLimits } from './person-rules.ts';
export {
  addPeople,
  checkChanges,
  checkPlaces,
  findPerson,
  lockPeople,
  lockPerson,
  PERSON_FIELDS,
  type Person,
  type PersonPatch,
  placesOrDefaults,
} from './person-service.ts';
