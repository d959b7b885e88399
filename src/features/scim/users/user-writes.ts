import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { withPhone } from '../../../api/company-row.ts';
import { assertHierarchy } from '../../../api/hierarchy.ts';
import { auditedInsertWithExtension, auditedUpdateWithExtension, write } from '../../../audit/audited-write.ts';
import type { Transaction } from '../../../db/database.ts';
import type { NewRowOf, RowOf } from '../../../entities/entity.ts';
import type { CompanyRole } from '../../../entities/roles.ts';
import { scimUser } from '../../../entities/scim-user.ts';
import { user } from '../../../entities/user.ts';
import { applyGroups, leaveToGroups, noteOrigin } from '../../people/group-roles.ts';
import { grantCompanyRole } from '../../people/held-roles.ts';
import { linkManagers, onePerson } from '../../people/managers-to-come.ts';
import { addRoles, checkChanges, PERSON_FIELDS, type PersonPatch } from '../../people/person-service.ts';
import { checkGift } from '../../people/suspended-keys.ts';
import type { Directory } from '../scim-operation.ts';
import { joinersAssignment, namedManager } from './assignments.ts';
import type { UserChanges } from './user-changes.ts';
import type { ScimPerson } from './users-queries.ts';

const insert = auditedInsertWithExtension(user, scimUser);

/** Inserts a person with roles, department and band. @returns the new id */
export async function addUser(transaction: Transaction, directory: Directory, changes: UserChanges): Promise<string> {
  const { companyId, actor } = directory;
  const { patch, extension, roles = ['EMPLOYEE'] } = changes;
  const id = randomUUID();
  const assignment = await joinersAssignment(transaction, directory, changes);
  const { managerId = null, managerValue = null } = await namedManager(transaction, companyId, changes.manager);
  const values = await withPhone(transaction, companyId, patch, null);
  const row = { id, companyId, loyaltyPoints: 0, active: true, managerId, ...values, ...assignment } as NewRowOf<
    typeof user
  >;
  await checkGift(transaction, directory.caller, { changes: row, roles });
  const kept = { userId: id, companyId, ...extension, managerValue };
  await write(transaction, insert({ row, extension: kept, actor }));
  const held = roles.map((role) => ({ userId: id, companyId, role }));
  await addRoles(transaction, actor, held);
  await noteOrigin(transaction, { userId: id, companyId }, 'directory', changes.roles ?? []);
  await linkManagers(transaction, actor, companyId, onePerson(id));
  return id;
}

/** Checks and writes changes to a person, who is not or no longer deleted. @throws ApiError */
export async function applyChanges(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  { patch, extension, roles, manager }: Pick<UserChanges, 'patch' | 'extension' | 'roles' | 'manager'>,
): Promise<void> {
  const { actor, companyId } = directory;
  const { managerValue, ...link } = await namedManager(transaction, companyId, manager);
  const changes = await checkChanges(transaction, directory, person, { ...patch, ...link }, { keepsPhone: true });
  const named = managerValue === undefined ? {} : { managerValue };
  const kept = { ...keptOf(person), ...extension, ...named, deletedAt: null, deletedUserName: null };
  await updateUser(transaction, directory, person, changes, kept);
  if (changes.managerId) await assertHierarchy(transaction, user, [person.id], () => 'manager');
  if (KNOWN_BY.some((name) => changes[name])) await linkManagers(transaction, actor, companyId, onePerson(person.id));
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

/** Fields by which a directory may name a manager. */
const KNOWN_BY = ['email', 'externalId', 'employeeNumber'] as const;

type KeptRow = Omit<RowOf<typeof scimUser>, 'userId' | 'companyId'>;

export function keptOf(person: ScimPerson): KeptRow {
  const { workEmail, phoneType, locality, region, country, managerValue, leftExternalId, deletedAt, deletedUserName } =
    person;
  return { workEmail, phoneType, locality, region, country, managerValue, leftExternalId, deletedAt, deletedUserName };
}

const update = auditedUpdateWithExtension(user, PERSON_FIELDS, scimUser);

/** Writes the changes to a user and their row of `scim_users` as one change in the audit trail; no-op where nothing differs. */
export async function updateUser(
  transaction: Transaction,
  { companyId, actor }: Directory,
  person: ScimPerson,
  patch: PersonPatch,
  kept: KeptRow,
): Promise<void> {
  if (Object.keys(patch).length === 0 && isDeepStrictEqual(kept, keptOf(person))) return;
  const extension = { userId: person.id, companyId, ...kept };
  await write(transaction, update({ id: person.id, patch, extension, actor }));
}
