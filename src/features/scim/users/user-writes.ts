import { changedFields } from '../../../api/body.ts';
import type { Transaction } from '../../../db/database.ts';
import type { NewRowOf, RowOf } from '../../../entities/entity.ts';
import type { CompanyRole } from '../../../entities/roles.ts';
import type { scimUser } from '../../../entities/scim-user.ts';
import type { user } from '../../../entities/user.ts';
import { addPeople } from '../../people/add-people.ts';
import { changePeople, type PersonPatch } from '../../people/change-people.ts';
import { applyGroups, leaveToGroups, noteOrigin } from '../../people/group-roles.ts';
import { grantCompanyRole } from '../../people/held-roles.ts';
import { linkManagers, peopleOf } from '../../people/newcomers.ts';
import { assertOwnDomains } from '../../people/person-service.ts';
import type { Directory } from '../scim-operation.ts';
import { joinersAssignment, namedManager } from './assignments.ts';
import { newExternalId } from './external-ids.ts';
import type { UserChanges } from './user-changes.ts';
import type { ScimPerson } from './users-queries.ts';

/** Inserts a person with roles, department and band. */
export async function addUser(
  transaction: Transaction,
  directory: Directory,
  changes: UserChanges,
  id: string,
): Promise<void> {
  const { companyId } = directory;
  const { patch, extension, roles = ['EMPLOYEE'] } = changes;
  const assignment = await joinersAssignment(transaction, directory, changes);
  const { managerId = null, managerValue = null } = await namedManager(transaction, directory, changes.manager);
  const unknown = { id, externalId: null, companyExternalId: null };
  const known = await newExternalId(transaction, directory, unknown, patch.externalId);
  const values = { ...patch, ...assignment, ...known.patch };
  const row = { id, companyId, loyaltyPoints: 0, active: true, managerId, ...values } as NewRowOf<typeof user>;
  await assertOwnDomains(transaction, companyId, [[row.email, extension.workEmail]]);
  const kept = { userId: id, companyId, ...extension, managerValue };
  await addPeople(transaction, directory, [{ row, roles, directory: kept }]);
  await known.write();
  await noteOrigin(transaction, { userId: id, companyId }, 'directory', changes.roles ?? []);
}

type Changes = Pick<UserChanges, 'patch' | 'extension' | 'roles' | 'manager'>;

/** Checks and writes changes to a person, who is not or no longer deleted. @throws ApiError */
export async function applyChanges(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  { patch: { externalId, ...patch }, extension, roles, manager }: Changes,
): Promise<void> {
  const { actor, companyId } = directory;
  const { managerValue, ...link } = await namedManager(transaction, directory, manager);
  const named = managerValue === undefined ? {} : { managerValue };
  const kept = { ...keptOf(person), ...extension, ...named, deletedAt: null, deletedUserName: null };
  const known = await newExternalId(transaction, directory, person, externalId);
  const changes = await changeUser(transaction, directory, person, { ...patch, ...link, ...known.patch }, kept);
  await known.write();
  if (externalId !== undefined || KNOWN_BY.some((name) => changes[name]))
    await linkManagers(transaction, actor, companyId, peopleOf([person.id]));
  if (roles !== undefined) await setRoles(transaction, directory, person, roles);
}

async function setRoles(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  wanted: readonly CompanyRole[],
): Promise<void> {
  const { companyId } = directory;
  for (const role of wanted) await grantCompanyRole(transaction, directory, [person], role, companyId);
  const added = wanted.filter((role) => !person.roles.includes(role));
  await noteOrigin(transaction, { userId: person.id, companyId }, 'directory', wanted, added);
  const lost = person.roles.filter((role) => !wanted.includes(role));
  for (const role of lost) await leaveToGroups(transaction, companyId, [person.id], { role });
  await applyGroups(transaction, directory, companyId, [person.id]);
}

/** Fields by which a directory may name a manager, besides `externalId`. */
const KNOWN_BY = ['email', 'employeeNumber'] as const;

type KeptRow = Omit<RowOf<typeof scimUser>, 'userId' | 'companyId'>;

export function keptOf(person: ScimPerson): KeptRow {
  const { workEmail, phoneType, locality, region, country, managerValue, leftExternalId, deletedAt, deletedUserName } =
    person;
  return { workEmail, phoneType, locality, region, country, managerValue, leftExternalId, deletedAt, deletedUserName };
}

/** Changes a user under the rules about people, and what the directory knows of them, as one change in the audit trail. */
export async function changeUser(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  patch: PersonPatch,
  kept: KeptRow,
): Promise<PersonPatch> {
  const row = { userId: person.id, companyId: directory.companyId, ...kept };
  const change = { person, patch, directory: { row, changes: changedFields(kept, person) } };
  const [changes = {}] = await changePeople(transaction, directory, [change], { manager: 'manager' });
  return changes;
}
