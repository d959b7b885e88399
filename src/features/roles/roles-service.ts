import sql from 'sql-template-tag';
import { crud } from '../../api/crud.ts';
import { alreadyExists, inScope, notFound, type WriteRequest } from '../../api/write-request.ts';
import { auditedDelete, auditedInsert, write } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { type Caller, rulesBeyond } from '../../auth/callers/roles.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { ApiError, problemOf } from '../../entities/api-error.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { role, roleGrant } from '../../entities/held-role.ts';
import { type AccessRule, ROLE_NAMES, ROLES, RULES_OF } from '../../entities/roles.ts';
import { assertNotManaged } from '../people/group-roles.ts';
import { assertNotErased, lockPeopleRows, lockPerson } from '../people/person-service.ts';
import type { HeldRole, ListedRole, RoleView } from './roles-schemas.ts';

const NEW_FIELDS = fieldsBut(role, 'id', 'companyId');
export const CHANGED_FIELDS = fieldsBut(role, 'id', 'companyId', ...role.fixed);
const MAX_ROLES = 100;

const insertGrant = auditedInsert(roleGrant);
const removeGrant = auditedDelete(roleGrant);

/** The fixed roles as rows: every company has them, and nobody changes them. */
const FIXED_ROLES = ROLES.map((key, index) => {
  const rules = RULES_OF[key].join(' ') || null;
  return { id: `00000000-0000-4000-8000-00000000000${index + 1}`, key, name: ROLE_NAMES[key], rules };
});

export const roles = crud<typeof role, (typeof NEW_FIELDS)[number], RoleView, never, ListedRole>({
  entity: role,
  columns: (scope) => sql`
    ${selectFields(role, fieldsBut(role))}, fixed,
    (select json_build_object('users', case when not fixed then count(*) end) from role_grants
      where role_grants.role_id = own_roles.id and ${inScope(scope, sql`role_grants.company_id`)}) as "_count"`,
  from: sql`(
    select id, company_id, key, name, name_folded, rules, active, created_at, updated_at, false as fixed from own_roles
     union all
    select id, null, key, name, fold(name), rules, true, to_timestamp(0), to_timestamp(0), true
      from json_to_recordset(${JSON.stringify(FIXED_ROLES)}::text::json) as each (id uuid, key text, name text, rules text)) own_roles`,
  listed: {
    columns: () => sql`
      ${selectFields(role, fieldsBut(role, 'rules'))}, fixed, coalesce(to_json(string_to_array(rules, ' ')), '[]') as rules`,
    searched: sql`name_folded`,
    where: ({ userId, fixed = false }) => {
      if (userId === undefined) return fixed ? undefined : sql`not fixed`;
      return sql`exists (select from role_grants where role_id = own_roles.id and user_id = ${userId}::uuid)`;
    },
  },
  writable: NEW_FIELDS,
  show: (row) => ({ ...row, rules: rulesOf(row) }),
  checkRow: checkRole,
});

function rulesOf({ rules }: { rules: unknown }): AccessRule[] {
  const listed = Array.isArray(rules) ? rules : typeof rules === 'string' ? rules.split(' ') : [];
  return listed.filter(Boolean) as AccessRule[];
}

/** Checks that nobody gives more than they hold, and locks the holders of a role that changes. @throws ApiError `FIELD_FORBIDDEN`, `LIMIT_REACHED` */
async function checkRole(
  transaction: Transaction,
  companyId: string,
  row: Readonly<Record<string, unknown>>,
  { caller }: WriteRequest,
  present: RoleView | undefined,
): Promise<void> {
  const { id, key, active, rules } = row as unknown as RoleView;
  if (active) assertHeld(caller, companyId, rulesOf({ rules }), 'rules');
  if (present !== undefined) {
    // What they do meanwhile waits, or is refused.
    const holders = await transaction.query<{ id: string }>(sql`
      select user_id as id from role_grants where role_id = ${present.id}::uuid`);
    const ids = holders.map(({ id }) => id);
    if (ids.length > 0) await lockPeopleRows(transaction, ids, sql`true`);
    return;
  }
  // Two at once see each other: a key is that of one role only, of a company or of the platform.
  await transaction.query(sql`lock table own_roles in share row exclusive mode`);
  const of = companyId || null;
  const [found] = await transaction.query<{ count: number; isTaken: boolean }>(sql`
    select count(*) filter (where company_id is not distinct from ${of}::uuid)::integer as count,
           coalesce(bool_or(key = ${key}), false) as "isTaken"
      from own_roles
     where id <> ${id}::uuid and (${of}::uuid is null or company_id is null or company_id = ${of}::uuid)`);
  if (found?.isTaken) throw alreadyExists(role, ['key']);
  if ((found?.count ?? 0) < MAX_ROLES) return;
  throw new ApiError('LIMIT_REACHED', `There are ${MAX_ROLES} roles already: delete one first.`);
}

/** Asserts that a caller holds all these rules in a company. @param field to blame, if any @throws ApiError `FIELD_FORBIDDEN` */
function assertHeld(
  caller: WriteRequest['caller'],
  companyId: string,
  rules: readonly AccessRule[],
  field?: string,
): void {
  const missing = rulesBeyond(caller, companyId, rules);
  if (missing.length === 0) return;
  const predicate = `must have only what you hold in the company yourself: you do not hold ${missing.join(', ')}`;
  const problem = problemOf(field ?? 'id', 'FIELD_FORBIDDEN', predicate);
  throw new ApiError('FIELD_FORBIDDEN', problem.message, { problems: [problem] });
}

/** Whom a role is given to, or taken from. */
interface Grant {
  id: string;
  userId: string;
}

/**
 * Gives a person of its company a role; changes nothing for those who hold it by hand.
 *
 * @throws ApiError `NOT_FOUND` for a role or person out of scope, `FIELD_FORBIDDEN`, `ERASED`
 */
export function grantOwnRole(db: Database, request: WriteRequest, grant: Grant): Promise<RoleView> {
  return changeGrant(db, request, grant, async (transaction, { rules }, companyId, held) => {
    assertHeld(request.caller, companyId, rulesOf({ rules }));
    if (held === undefined) {
      await write(transaction, insertGrant([{ userId: grant.userId, companyId, roleId: grant.id }], request.actor));
    } else if (held.origin === 'groups') {
      await transaction.query(sql`update role_grants set origin = 'hand' where id = ${held.id}::uuid`);
    }
  });
}

/**
 * Takes a role from a person; changes nothing for those who do not hold it.
 *
 * @throws ApiError `NOT_FOUND`, `MANAGED_BY_DIRECTORY` for a role that a group gives, `ERASED`
 */
export function revokeOwnRole(db: Database, request: WriteRequest, grant: Grant): Promise<RoleView> {
  return changeGrant(db, request, grant, async (transaction, _, companyId, held) => {
    if (held === undefined) return;
    await assertNotManaged(transaction, grant.userId, { roleId: grant.id }, companyId);
    await write(transaction, removeGrant([held.id], request.actor));
  });
}

function changeGrant(
  db: Database,
  { scope }: WriteRequest,
  { id, userId }: Grant,
  work: (
    transaction: Transaction,
    present: RoleView,
    companyId: string,
    held: { id: string; origin: string } | undefined,
  ) => Promise<void>,
): Promise<RoleView> {
  return db.transaction(async (transaction) => {
    const locked = await transaction.query(sql`
      select from own_roles where id = ${id}::uuid and (company_id is null or ${inScope(scope, sql`company_id`)}) for share`);
    if (locked.length === 0) throw notFound(role.noun);
    const present = await roles.get(transaction, id, scope);
    const isGrantable =
      present.companyId === null ? inScope(scope, sql`company_id`) : sql`company_id = ${present.companyId}::uuid`;
    const person = await lockPerson(transaction, userId, isGrantable);
    assertNotErased(person);
    const [held] = await transaction.query<{ id: string; origin: string }>(sql`
      select id, origin from role_grants where role_id = ${id}::uuid and user_id = ${userId}::uuid`);
    await work(transaction, present, person.companyId, held);
    return roles.get(transaction, id, scope);
  });
}

/** Returns the roles that count for a caller, by key: those of their own company, where its provider or the platform's signs them in. */
export function listHeldRoles(db: Reader, { userId, ownRoles = [] }: Caller): Promise<HeldRole[]> {
  const companies = ownRoles.map(({ companyId }) => companyId);
  return db.query<HeldRole>(sql`
    select ${selectFields(role, ['id', 'key', 'name'], 'own_roles')}, role_grants.company_id as "companyId",
           coalesce(to_json(string_to_array(rules, ' ')), '[]') as rules
      from role_grants join own_roles on own_roles.id = role_grants.role_id and own_roles.active
     where role_grants.user_id = ${userId}::uuid and role_grants.company_id = ${anyOf(companies)} order by own_roles.key`);
}
