/** Public interface of people for other features. */
export { assignmentOrDefaults, checkAssignment } from './assignments.ts';
export { deletedUserName } from './deletion.ts';
export { type Erasure, erasePerson } from './erase-person.ts';
export { applyGroups, assignmentByGroups, type GroupAssignment, leaveToGroups, noteOrigin } from './group-roles.ts';
export { grantCompanyRole } from './held-roles.ts';
export { importTable } from './import/import-users.ts';
export { undoUnfinishedImport } from './import/write-people.ts';
export { linkManagers, onePerson } from './managers-to-come.ts';
export { checkBandLimits } from './person-rules.ts';
export {
  addPeople,
  addRoles,
  checkChanges,
  findPerson,
  lockPeople,
  lockPeopleRows,
  lockPerson,
  lockWithManagers,
  PERSON_FIELDS,
  type Person,
  type PersonPatch,
  personColumns,
} from './person-service.ts';
export { forgetPerson } from './sign-in.ts';
export { checkGift } from './suspended-keys.ts';
