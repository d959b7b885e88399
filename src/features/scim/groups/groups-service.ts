import sql from 'sql-template-tag';
import { checkValue, validOrThrow } from '../../../api/body.ts';
import { notFound } from '../../../api/write-request.ts';
import { auditedUpdates, patchEach, write as writeAudited } from '../../../audit/audited-write.ts';
import { type Database, type Reader, type Transaction, violatedConstraint } from '../../../db/database.ts';
import { ApiError } from '../../../entities/api-error.ts';
import { isCanonicalUuid } from '../../../entities/characters.ts';
import { groupMapping } from '../../../entities/group-mapping.ts';
import type { CompanyRole } from '../../../entities/roles.ts';
import { user } from '../../../entities/user.ts';
import { text } from '../../../entities/values.ts';
import { countKeysMade } from '../../api-keys/keys-made.ts';
import { applyGroups, leaveToGroups } from '../../people/group-roles.ts';
import { lockPeopleRows } from '../../people/person-service.ts';
import { recordLeftOut } from '../left-out.ts';
import { ScimError } from '../protocol/error.ts';
import type { PatchStep } from '../protocol/patch.ts';
import { assertVersion } from '../response.ts';
import type { Directory } from '../scim-operation.ts';
import { isSeenBy, scimUsers } from '../users/user-row.ts';
import { findGroup, type Group } from './group-rows.ts';
import { type GroupValues, type MembersChange, patchedGroup, readGroup } from './group-schema.ts';
import { roleOfName } from './role-groups.ts';

const NAME = text(300);
const updateMappings = auditedUpdates(groupMapping, ['groupId', 'groupName']);
const MAX_GROUPS = 10_000;
const MAX_MEMBERSHIPS = 100_000;

/** A group after a write. */
export interface WrittenGroup {
  group: Group;
  /** Ids of members that are no users of the company, which were left out. */
  leftOut: readonly string[];
  /** API keys in use whose creators, taken out of the group, could no longer create them. */
  keysMade: number;
}

/** Returns the content from which the version of a group is computed. */
export function versionedGroup({ id, displayName, externalId, membersVersion }: Group): object {
  return { id, displayName, externalId, membersVersion };
}

/** Returns a group that the directory sees. @throws ApiError `NOT_FOUND` */
export async function getGroup(db: Reader, directory: Directory, id: string): Promise<Group> {
  const group = await findGroup(db, directory, id);
  if (group === undefined) throw notFound('group');
  return group;
}

/** Adds a group of the directory. @throws ApiError `ALREADY_EXISTS` for a name that is there, `LIMIT_REACHED` */
export function createGroup(db: Database, directory: Directory, body: object): Promise<WrittenGroup> {
  const values = readGroup(body);
  const displayName = nameIn(values);
  return write(db, async (transaction) => {
    if (roleOfName(displayName) !== undefined) throw nameTaken();
    const { id } = await addRow(transaction, directory, { displayName, externalId: externalIdIn(values), role: null });
    const group = { rowId: id, role: null };
    const { leftOut, keysMade } = await changeMembers(transaction, directory, group, values.members);
    await recordLeftOut(transaction, directory, { members: leftOut }, { group: displayName });
    return { group: await getGroup(transaction, directory, id), leftOut, keysMade };
  });
}

/** Replaces the name and the members of a group; absent members and an absent `externalId` stay. @throws ApiError */
export function replaceGroup(db: Database, directory: Directory, id: string, body: object): Promise<WrittenGroup> {
  const values = readGroup(body);
  return changeGroup(db, directory, id, ({ externalId }) => ({
    ...(externalId !== null && { externalId }),
    ...values,
  }));
}

/** Applies a PATCH to a group atomically. @throws ApiError */
export function patchGroup(
  db: Database,
  directory: Directory,
  id: string,
  steps: readonly PatchStep[],
): Promise<WrittenGroup> {
  return changeGroup(db, directory, id, (group) => patchedGroup(group, steps));
}

/** Deletes a group of the directory; its mappings become those of its name, for groups of other directories at once. @throws ApiError `NOT_FOUND`, `FIELD_FORBIDDEN` */
export function deleteGroup(db: Database, directory: Directory, id: string): Promise<void> {
  return db.transaction(async (transaction) => {
    const group = await lockGroup(transaction, directory, id);
    if (group.role !== null) throw fixedGroup();
    await changeMembers(transaction, directory, group, { isWhole: true, items: new Map() });
    const mappings = await transaction.query<{ id: string }>(
      sql`select id from group_mappings where group_id = ${id}::uuid order by id`,
    );
    if (mappings.length > 0) {
      const changes = patchEach(mappings, { groupId: null, groupName: group.displayName });
      await writeAudited(transaction, updateMappings(changes, directory.actor));
    }
    await transaction.query(sql`delete from directory_groups where id = ${id}::uuid`);
    if (mappings.length > 0) await applyGroups(transaction, directory, directory.companyId);
  });
}

function changeGroup(
  db: Database,
  directory: Directory,
  id: string,
  change: (present: Group) => GroupValues,
): Promise<WrittenGroup> {
  return write(db, async (transaction) => {
    const group = await lockGroup(transaction, directory, id);
    const values = change(group);
    const [displayName, externalId] = [nameIn(values), externalIdIn(values)];
    if (group.role !== null && roleOfName(displayName) !== group.role) throw fixedGroup();
    if (group.role === null && roleOfName(displayName) !== undefined) throw nameTaken();
    const { rowId } = group;
    const { members } = values;
    if (rowId === null) {
      if (members === undefined && externalId === null) return { group, leftOut: [], keysMade: 0 };
      const row = { displayName: group.displayName, externalId, role: group.role };
      group.rowId = (await addRow(transaction, directory, row)).id;
    } else if (externalId !== group.externalId || (group.role === null && displayName !== group.displayName)) {
      await transaction.query(sql`
        update directory_groups set external_id = ${externalId}::text, updated_at = clock_timestamp(),
               display_name = ${group.role === null ? displayName : group.displayName}::text where id = ${rowId}::uuid`);
    }
    const isRenamed = group.role === null && displayName !== group.displayName;
    const { leftOut, keysMade } = await changeMembers(transaction, directory, group, members, isRenamed);
    await recordLeftOut(transaction, directory, { members: leftOut }, { group: displayName });
    return { group: await getGroup(transaction, directory, id), leftOut, keysMade };
  });
}

/** Locks and reads a group, and checks `If-Match`. @throws ApiError `NOT_FOUND`, `PRECONDITION_FAILED` */
async function lockGroup(transaction: Transaction, directory: Directory, id: string): Promise<Group> {
  const { companyId } = directory;
  // Writes of the groups of a company wait for each other: what they give depends on all of them.
  await transaction.query(sql`select from companies where id = ${companyId}::uuid for no key update`);
  const group = await getGroup(transaction, directory, id);
  assertVersion(directory, versionedGroup(group), 'group');
  return group;
}

/** Changes the members of a group, and what they have by it. */
async function changeMembers(
  transaction: Transaction,
  directory: Directory,
  { rowId, role }: Pick<Group, 'rowId' | 'role'>,
  change: MembersChange | undefined,
  concernsAll = false,
): Promise<Omit<WrittenGroup, 'group'>> {
  const { companyId } = directory;
  const items = [...(change?.items ?? [])];
  const those = (isIn: boolean) => items.flatMap(([id, isMember]) => (isMember === isIn ? [id] : []));
  const [wanted, unwanted] = [those(true), those(false)];
  const ids = (list: readonly string[]) =>
    sql`select id::uuid from json_array_elements_text(${JSON.stringify(list.filter(isCanonicalUuid))}::text::json) listed (id)`;
  const removed = change?.isWhole ? sql`user_id not in (${ids(wanted)})` : sql`user_id in (${ids(unwanted)})`;
  // Who holds a role by the attributes of a directory is a member of its group as well.
  const [found] = await transaction.query<{ known: string[]; lost: string[]; all: string[] }>(sql`
    with known as materialized (
           select users.id from (${ids(wanted)}) wanted, lateral (
             select users.id from ${scimUsers} where users.id = wanted.id and ${isSeenBy(companyId)} limit 1) users),
         members as materialized (
           select user_id from directory_group_members where group_id = ${rowId}::uuid
            union
           select user_id from company_roles
            where company_id = ${companyId}::uuid and company_roles.role = ${role}::text and origin = 'directory')
    select array_to_json(array(select id from known)) as known,
           array_to_json(array(select user_id from members where ${removed})) as lost,
           array_to_json(array(select user_id from members where ${concernsAll}::boolean)) as all`);
  const { known = [], lost = [], all = [] } = found ?? {};
  const concerned = [...new Set([...known, ...lost, ...all])];
  if (concerned.length === 0) return { leftOut: wanted, keysMade: 0 };
  await lockPeopleRows(transaction, concerned, sql`users.company_id is not distinct from ${companyId}::uuid`);
  await transaction.query(sql`
    with gone as (
      delete from directory_group_members where group_id = ${rowId}::uuid and user_id in (${ids(lost)}))
    insert into directory_group_members (group_id, user_id) select ${rowId}::uuid, id from (${ids(known)}) known
        on conflict do nothing`);
  const [total] = await transaction.query<{ count: number }>(sql`
    select count(*)::integer as count from directory_group_members join directory_groups on directory_groups.id = group_id
     where company_id = ${companyId}::uuid`);
  assertWithin(total?.count ?? 0, MAX_MEMBERSHIPS, 'members of groups');
  if (role !== null && lost.length > 0)
    await leaveToGroups(transaction, companyId, lost, { role, origin: 'directory' });
  await applyGroups(transaction, directory, companyId, concerned);
  const isKnown = new Set(known);
  const keysMade = lost.length === 0 ? 0 : await countKeysMade(transaction, lost, [companyId]);
  return { leftOut: wanted.filter((id) => !isKnown.has(id)), keysMade };
}

async function addRow(
  transaction: Transaction,
  { companyId, directoryId }: Directory,
  { displayName, externalId, role }: { displayName: string; externalId: string | null; role: CompanyRole | null },
): Promise<{ id: string }> {
  await transaction.query(sql`select from companies where id = ${companyId}::uuid for no key update`);
  const [added] = await transaction.query<{ id: string; count: number }>(sql`
    insert into directory_groups (company_id, api_key_id, role, display_name, external_id)
    values (${companyId}::uuid, ${directoryId}::uuid, ${role}::text, ${displayName}::text, ${externalId}::text)
    returning id, (select count(*)::integer + 1 from directory_groups where company_id = ${companyId}::uuid) as count`);
  assertWithin(added?.count ?? 0, MAX_GROUPS, 'groups');
  return { id: added?.id ?? '' };
}

function assertWithin(count: number, most: number, what: string): void {
  if (count > most) throw new ApiError('LIMIT_REACHED', `A company has at most ${most} ${what} of its directories.`);
}

function nameIn({ displayName }: GroupValues): string {
  if (displayName === undefined) throw new ScimError('invalidValue', 'displayName is required.');
  return validOrThrow(checkValue('displayName', NAME, displayName));
}

function externalIdIn({ externalId }: GroupValues): string | null {
  if (externalId === undefined) return null;
  return validOrThrow(checkValue('externalId', user.fields.externalId.kind, externalId));
}

/** Runs a write of a group in a transaction. A name that another group of the directory has becomes a conflict. */
async function write<Result>(db: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction(work);
  } catch (error) {
    throw violatedConstraint(error) === 'directory_groups_name' ? nameTaken() : error;
  }
}

function nameTaken(): ScimError {
  return new ScimError('uniqueness', 'There is a group of this name: link that one.', 'ALREADY_EXISTS');
}

function fixedGroup(): ApiError {
  return new ApiError('FIELD_FORBIDDEN', 'This group is a role of orgdesk: it cannot be renamed or deleted.');
}
