import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { auditedInsertWithExtension, auditedUpdateWithExtension } from '../../audit/audited-write.ts';
import type { Transaction } from '../../db/database.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';
import {
  addRoles,
  checkChanges,
  checkGift,
  grantCompanyRole,
  PERSON_FIELDS,
  type PersonPatch,
  revokeCompanyRole,
} from '../people/people.ts';
import { joinersAssignment } from './department-and-band.ts';
import type { Directory } from './scim-request.ts';
import type { UserChanges } from './user-changes.ts';
import type { ScimPerson } from './users-queries.ts';

const insert = auditedInsertWithExtension(user, scimUser);

/** Inserts a person with roles, department and band. @returns the new id */
export async function addUser(transaction: Transaction, directory: Directory, changes: UserChanges): Promise<string> {
  const { companyId, actor } = directory;
  const { patch, extension, roles = ['EMPLOYEE'] } = changes;
  const id = randomUUID();
  const assignment = await joinersAssignment(transaction, directory, changes);
  const row = { id, companyId, loyaltyPoints: 0, active: true, ...patch, ...assignment } as NewRowOf<typeof user>;
  await checkGift(transaction, directory.caller, { changes: row, roles });
  const kept = { userId: id, companyId, ...extension };
  await transaction.query(sql`with ${insert({ row, extension: kept, actor })} select from written`);
  await addRoles(
    transaction,
    actor,
    roles.map((role) => ({ userId: id, companyId, role })),
  );
  return id;
}

/** Checks and writes changes to a person, who is not or no longer deleted. @throws ApiError */
export async function applyChanges(
  transaction: Transaction,
  directory: Directory,
  person: ScimPerson,
  { patch, extension, roles }: Omit<UserChanges, 'department' | 'bandCode'>,
): Promise<void> {
  const changes = await checkChanges(transaction, directory, person, patch);
  const kept = { ...keptOf(person), ...extension, deletedAt: null, deletedUserName: null };
  await updateUser(transaction, directory, person, changes, kept);
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
  // Checked with the former `active`: an inactive person cannot have been the last admin.
  const lost = person.roles.filter((role) => !wanted.includes(role));
  for (const role of lost) await revokeCompanyRole(transaction, directory, [person], role, companyId);
}

type KeptRow = Omit<RowOf<typeof scimUser>, 'userId' | 'companyId'>;

export function keptOf({ workEmail, phoneType, deletedAt, deletedUserName: former }: ScimPerson): KeptRow {
  return { workEmail, phoneType, deletedAt, deletedUserName: former };
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
  await transaction.query(sql`with ${update({ id: person.id, patch, extension, actor })} select from written`);
}
