import sql, { raw } from 'sql-template-tag';
import { throwIfInvalid } from '../../api/body.ts';
import { pluralOf } from '../../api/uses.ts';
import { inScope, notFound, type WriteRequest } from '../../api/write-request.ts';
import { auditedDelete, auditedUpdate, auditedUpdates, patchEach, write } from '../../audit/audited-write.ts';
import { columnOf, mapsGroup } from '../../audit/entity-sql.ts';
import { isCurrentKey, isKeyOfDirectory } from '../../auth/callers/api-keys.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { anyOf, idsOf } from '../../db/sql/sql-fragments.ts';
import { problemOf } from '../../entities/api-error.ts';
import { apiKey, type Scope } from '../../entities/api-key.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import { directory } from '../../entities/directory.ts';
import { groupMapping } from '../../entities/group-mapping.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import type { NewApiKeyView } from '../api-keys/api-keys-schemas.ts';
import { findApiKey } from '../api-keys/api-keys-service.ts';
import { endApiKey } from '../api-keys/end-keys.ts';
import { addApiKey } from '../api-keys/new-api-key.ts';
import { writePeople } from '../people/change-people.ts';
import { applyGroups } from '../people/group-roles.ts';
import { lockPeopleRows } from '../people/person-service.ts';
import { directories, rolesGivenBy } from './directories-queries.ts';
import type { DirectoryDetail, Ending } from './directories-schemas.ts';

const DAY = 86_400_000;
const limit = auditedUpdate(apiKey, ['expiresAt']);
const moveKeys = auditedUpdates(apiKey, ['directoryId']);
const remove = auditedDelete(directory);
const removeMappings = auditedDelete(groupMapping);
/** What refers to a group. */
const USES = [
  { entity: groupMapping, field: 'groupId', update: auditedUpdates(groupMapping, ['groupId']) },
  { entity: approvalPolicyLevel, field: 'groupId', update: auditedUpdates(approvalPolicyLevel, ['groupId']) },
  { entity: approvalPolicy, field: 'defaultGroupId', update: auditedUpdates(approvalPolicy, ['defaultGroupId']) },
] as const;

/** Creates another key of a directory, and ends those in use after some days. @throws ApiError `NOT_FOUND`, `LIMIT_REACHED` */
export function renewDirectoryKey(
  db: Database,
  request: WriteRequest,
  { id: directoryId, overlapDays }: { id: string; overlapDays: number },
): Promise<NewApiKeyView> {
  const { scope, actor } = request;
  return db.transaction(async (transaction) => {
    const { name, companyId } = await lockDirectory(transaction, request, directoryId);
    const ends = new Date(Date.now() + overlapDays * DAY).toISOString();
    const [newest] = await transaction.query<{ scopes: string }>(sql`
      select scopes from api_keys where ${isKeyOfDirectory(sql`${directoryId}::uuid`)} order by created_at desc, id limit 1`);
    const ending = await transaction.query<{ id: string }>(sql`
      select id from api_keys
       where ${isKeyOfDirectory(sql`${directoryId}::uuid`)} and ${isCurrentKey}
         and (expires_at is null or expires_at > ${ends}::timestamptz) order by id for update`);
    for (const each of ending) await write(transaction, limit({ id: each.id, patch: { expiresAt: ends }, actor }));
    const scopes = (newest?.scopes ?? 'scim').split(' ') as Scope[];
    const { id, key } = await addApiKey(transaction, actor, { name, companyId, scopes, expiresAt: null, directoryId });
    return { ...(await findApiKey(transaction, id, scope)), key };
  });
}

/** Joins two directories of a company: one gets the keys, groups and people of the other. @throws ApiError `NOT_FOUND`, `INVALID_INPUT` */
export function joinDirectories(
  db: Database,
  request: WriteRequest,
  { id, intoId }: { id: string; intoId: string },
): Promise<DirectoryDetail> {
  const { actor } = request;
  return db.transaction(async (transaction) => {
    if (id === intoId) return directories.get(transaction, id, request.scope);
    const { companyId } = await lockDirectory(transaction, request, id, intoId);
    await handOver(transaction, request, { id, intoId, companyId });
    const keys = await keysOf(transaction, id);
    if (keys.length > 0) await write(transaction, moveKeys(patchEach(keys, { directoryId: intoId }), actor));
    await write(transaction, remove([id], actor));
    return directories.get(transaction, intoId, request.scope);
  });
}

/**
 * Ends a directory: its keys are revoked, and what it gave is handed over, kept as given by hand, or let go.
 *
 * @returns its last state
 * @throws ApiError `NOT_FOUND`, `INVALID_INPUT` without a choice where it has people or groups, `LAST_ADMIN`
 */
export function endDirectory(db: Database, request: WriteRequest, ending: Ending): Promise<DirectoryDetail> {
  const { actor, scope } = request;
  const { id, choice, intoId } = ending;
  return db.transaction(async (transaction) => {
    const { companyId } = await lockDirectory(transaction, request, id, choice === 'HAND_OVER' ? intoId : undefined);
    const present = await directories.get(transaction, id, scope);
    checkIfMatch(request.ifMatch, present, directory.noun);
    const { users, groups, mappings, roles } = present._count;
    if (choice === undefined && users + groups + roles > 0) {
      const told = Object.entries({ person: users, group: groups, mapping: mappings, role: roles }).map(
        ([what, count]) => `${count} ${count === 1 ? what : what === 'person' ? 'people' : pluralOf(what)}`,
      );
      const predicate = `is required (HAND_OVER, KEEP or LET_GO): the directory has ${told.join(', ')}`;
      throwIfInvalid([problemOf('choice', 'REQUIRED', predicate)]);
    }
    if (choice === 'HAND_OVER' && intoId !== undefined) await handOver(transaction, request, { id, intoId, companyId });
    else await dropGroups(transaction, request, { id, companyId, keeps: choice === 'KEEP' });
    for (const key of await keysOf(transaction, id)) await endApiKey(transaction, actor, key.id);
    await write(transaction, remove([id], actor));
    return present;
  });
}

interface Locked {
  name: string;
  companyId: string;
}

/** Locks a directory and its company, whose groups nobody else writes then. @param intoId of another one of the same company */
async function lockDirectory(
  transaction: Transaction,
  { scope }: WriteRequest,
  id: string,
  intoId?: string,
): Promise<Locked> {
  const [found] = await transaction.query<Locked>(sql`
    select name, company_id as "companyId" from directories where id = ${id}::uuid and ${inScope(scope, sql`company_id`)}`);
  if (found === undefined) throw notFound(directory.noun);
  await transaction.query(sql`select from companies where id = ${found.companyId}::uuid for no key update`);
  const ids = [id, ...(intoId === undefined ? [] : [intoId])];
  const locked = await transaction.query<{ id: string }>(sql`
    select id from directories where id = ${anyOf(ids)} and company_id = ${found.companyId}::uuid order by id for update`);
  if (!locked.some((one) => one.id === id)) throw notFound(directory.noun);
  if (intoId !== undefined && (intoId === id || locked.length < 2)) {
    throwIfInvalid([problemOf('intoId', 'INVALID_VALUE', 'must be the id of another directory of this company')]);
  }
  return found;
}

/** Returns the keys of a directory that are not revoked. */
function keysOf(transaction: Transaction, id: string): Promise<{ id: string }[]> {
  return transaction.query(sql`
    select id from api_keys where ${isKeyOfDirectory(sql`${id}::uuid`)} and revoked_at is null order by id for update`);
}

/** Gives the groups and people of a directory to another one, where groups of one name become one. */
async function handOver(
  transaction: Transaction,
  request: WriteRequest,
  { id, intoId, companyId }: { id: string; intoId: string; companyId: string },
): Promise<void> {
  const same = await transaction.query<{ id: string; target: string }>(sql`
    select given.id, target.id as target from directory_groups given join directory_groups target
        on target.api_key_id = ${intoId}::uuid and lower_letters(target.display_name) = lower_letters(given.display_name)
     where given.api_key_id = ${id}::uuid order by given.id`);
  await transaction.query(sql`
    insert into directory_group_members (group_id, user_id)
    select target, user_id from json_to_recordset(${JSON.stringify(same)}::text::json) same (id uuid, target uuid)
      join directory_group_members on group_id = same.id on conflict do nothing`);
  const targets = new Map(same.map((group) => [group.id, group.target]));
  for (const { entity, field, update } of USES) {
    const using = await transaction.query<{ id: string; groupId: string }>(sql`
      select ${columnOf(entity)} as id, ${columnOf(entity, field)} as "groupId" from ${raw(entity.table)}
       where ${columnOf(entity, field)} = ${anyOf([...targets.keys()])} order by 1`);
    const changes = using.map((row) => ({ id: row.id, patch: { [field]: targets.get(row.groupId) } }));
    if (changes.length > 0) await write(transaction, update(changes, request.actor));
  }
  await transaction.query(sql`delete from directory_groups where id = ${anyOf([...targets.keys()])}`);
  for (const table of ['directory_groups', 'scim_users'])
    await transaction.query(sql`
      update ${raw(table)} set api_key_id = ${intoId}::uuid where api_key_id = ${id}::uuid`);
  await transaction.query(sql`
    insert into directory_people (directory_id, user_id, external_id)
    select ${intoId}::uuid, user_id, external_id from directory_people where directory_id = ${id}::uuid on conflict do nothing`);
  await transaction.query(sql`delete from directory_people where directory_id = ${id}::uuid`);
  await applyGroups(transaction, request, companyId);
}

/** Removes the groups, their mappings and the links of a directory. @param keeps whether roles that it gave stay, as given by hand */
async function dropGroups(
  transaction: Transaction,
  request: WriteRequest,
  { id, companyId, keeps }: { id: string; companyId: string; keeps: boolean },
): Promise<void> {
  const { actor } = request;
  const given = rolesGivenBy(sql`${id}::uuid`, sql`${companyId}::uuid`);
  const holders = await transaction.query<{ id: string }>(sql`select distinct user_id as id from (${given}) given`);
  await lockPeopleRows(transaction, idsOf(holders), sql`true`);
  // Everybody stays an employee.
  const stays = keeps ? sql`true` : sql`given.role = 'EMPLOYEE'`;
  await transaction.query(sql`
    update company_roles held set origin = case when ${stays} then 'hand' else 'groups' end
      from (${given}) given where given.id = held.id and (${stays} or given.origin = 'directory')`);
  if (keeps) {
    await transaction.query(sql`
      update role_grants held set origin = 'hand' where held.origin = 'groups' and exists (
        select from directory_group_members member join directory_groups given on given.id = member.group_id
          join group_mappings on group_mappings.role_id = held.role_id and ${mapsGroup(sql`given`)}
         where member.user_id = held.user_id and given.api_key_id = ${id}::uuid)`);
  }
  const mappings = await transaction.query<{ id: string }>(sql`
    select id from group_mappings where group_id in (select directory_groups.id from directory_groups where api_key_id = ${id}::uuid) order by id`);
  if (mappings.length > 0) await write(transaction, removeMappings(idsOf(mappings), actor));
  const members = await transaction.query<{ id: string }>(sql`
    select user_id as id from directory_group_members join directory_groups on directory_groups.id = group_id
     where api_key_id = ${id}::uuid`);
  await transaction.query(sql`delete from directory_groups where api_key_id = ${id}::uuid`);
  if (!keeps) {
    const known = await transaction.query<{ id: string }>(sql`
      select users.id from directory_people join users on users.id = user_id and users.external_id = directory_people.external_id
       where directory_id = ${id}::uuid order by 1`);
    await writePeople(transaction, actor, patchEach(known, { externalId: null }));
  }
  await transaction.query(sql`delete from directory_people where directory_id = ${id}::uuid`);
  await transaction.query(sql`update scim_users set api_key_id = null where api_key_id = ${id}::uuid`);
  const concerned = [...new Set(idsOf([...holders, ...members]))];
  await applyGroups(transaction, request, companyId, concerned);
}
