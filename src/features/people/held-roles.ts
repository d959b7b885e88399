import type { Author } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedDelete, auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import type { Transaction, Writer } from '../../db/database.ts';
import type { NewRowOf } from '../../entities/entity.ts';
import { companyRole, systemRole } from '../../entities/held-role.ts';
import type { CompanyRole, SystemRole } from '../../entities/roles.ts';
import { assertNotLastAdmin, checkGrantRules } from './person-rules.ts';
import type { Person } from './person-service.ts';
import { checkGift } from './suspended-keys.ts';

const insertRoles = auditedInsert(companyRole);
const removeCompanyRoles = auditedDelete(companyRole);
const insertSystemRole = auditedInsert(systemRole);
const updateSystemRole = auditedUpdate(systemRole, ['role', 'active']);
const removeSystemRole = auditedDelete(systemRole);

/** Adds roles that are not held yet. */
export async function addRoles(
  db: Writer,
  actor: Actor,
  roles: readonly NewRowOf<typeof companyRole>[],
): Promise<void> {
  if (roles.length > 0) await write(db, insertRoles(roles, actor));
}

/** Grants locked people a role in a company; no-op for those who hold it. @throws ApiError `OWN_LIMIT`, `KEY_SUSPENDED` */
export async function grantCompanyRole(
  transaction: Transaction,
  { actor, caller }: Author,
  people: readonly Person[],
  role: CompanyRole,
  companyId: string,
): Promise<void> {
  const others = people.filter((person) => heldRoles(person, role, companyId).length === 0);
  checkGrantRules(caller, others, companyId);
  if (others.length > 0) await checkGift(transaction, caller, { changes: {}, roles: [role] });
  const roles = others.map(({ id: userId }) => ({ userId, companyId, role }));
  await addRoles(transaction, actor, roles);
}

/** Revokes a role in a company from locked people; no-op for those who do not hold it. @throws ApiError `LAST_ADMIN`, `KEY_SUSPENDED` */
export async function revokeCompanyRole(
  transaction: Transaction,
  { actor, caller }: Author,
  people: readonly Person[],
  role: CompanyRole,
  companyId: string,
): Promise<void> {
  const held = people.flatMap((person) => heldRoles(person, role, companyId));
  if (held.length === 0) return;
  await checkGift(transaction, caller, { changes: {}, roles: [role] });
  await assertNotLastAdmin(transaction, caller, people, { role, companyId });
  const ids = held.map(({ id }) => id);
  await write(transaction, removeCompanyRoles(ids, actor));
}

function heldRoles({ companyRoles }: Person, role: CompanyRole, companyId: string): Person['companyRoles'] {
  return companyRoles.filter((held) => held.role === role && held.companyId === companyId);
}

/** Grants a locked person a platform role, replacing the one they hold. @throws ApiError `LAST_ADMIN` */
export async function grantSystemRole(
  transaction: Transaction,
  { actor, caller }: Author,
  person: Person,
  role: SystemRole,
): Promise<void> {
  const { id, systemRole: held } = person;
  if (held?.active && held.role === role) return;
  if (held === null) {
    await write(transaction, insertSystemRole([{ userId: id, role, active: true }], actor));
    return;
  }
  await assertNotLastAdmin(transaction, caller, [person], { role: held.role });
  await write(transaction, updateSystemRole({ id, patch: { role, active: true }, actor }));
}

/** Revokes a platform role from a locked person; no-op where they do not hold it. @throws ApiError `LAST_ADMIN` */
export async function revokeSystemRole(
  transaction: Transaction,
  { actor, caller }: Author,
  person: Person,
  role: SystemRole,
): Promise<void> {
  if (person.systemRole?.role !== role) return;
  await assertNotLastAdmin(transaction, caller, [person], { role });
  await write(transaction, removeSystemRole([person.id], actor));
}
