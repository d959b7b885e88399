import type { Filter } from 'scim2-parse-filter';
import sql from 'sql-template-tag';
import { checkValue, validOrThrow } from '../../api/body.ts';
import { notFound } from '../../api/write-request.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { user } from '../../entities/user.ts';
import { countKeysMade } from '../api-keys/api-keys.ts';
import { grantCompanyRole, lockPeople, revokeCompanyRole } from '../people/people.ts';
import { CORE_GROUP } from './attribute.ts';
import { parseFilter } from './filter-syntax.ts';
import { fixedGroups, type GroupChange } from './group-change.ts';
import { compareMembers, type Group, listGroups, roleOfGroup, roleOfName } from './groups-queries.ts';
import { ScimError } from './scim-error.ts';
import type { Directory } from './scim-request.ts';
import { assertVersion } from './scim-response.ts';
import { isOfCompany } from './user-row.ts';

/** Returns the content from which the version of a group is computed. */
export function versionedGroup({ id, displayName, externalId, membersVersion }: Group): object {
  return { id, displayName, externalId, membersVersion };
}

/** Refuses to create a group. @throws ApiError `ALREADY_EXISTS` for an existing name, `FIELD_FORBIDDEN` for any other */
export function refuseGroup(body: object): never {
  const displayName: unknown = Object.entries(body).find(([name]) => /(?:^|:)displayName$/i.test(name))?.[1];
  if (typeof displayName !== 'string' || roleOfName(displayName) === undefined) throw fixedGroups();
  throw new ScimError('uniqueness', 'There is a group of this name: link that one.', 'ALREADY_EXISTS');
}

/** @throws ApiError `NOT_FOUND` */
export async function getGroup(db: Reader, { companyId }: Directory, id: string): Promise<Group> {
  const group = (await listGroups(db, companyId)).find((each) => each.id === id);
  if (group === undefined) throw notFound('group');
  return group;
}

const SEARCHED = { displayname: 'displayName', id: 'id', externalid: 'externalId' } as const;

/** Returns the groups that a filter selects; only `eq` comparisons are supported. @throws ApiError `invalidFilter` */
export async function findGroups(db: Reader, companyId: string, filter: string | undefined): Promise<Group[]> {
  const parsed = filter === undefined ? undefined : parseFilter(filter);
  const groups = await listGroups(db, companyId);
  return parsed === undefined ? groups : groups.filter((group) => isChosen(parsed, group));
}

function isChosen(filter: Filter, group: Group): boolean {
  if (filter.op === 'and') return filter.filters.every((each) => isChosen(each, group));
  if (filter.op === 'or') return filter.filters.some((each) => isChosen(each, group));
  const name = 'attrPath' in filter ? filter.attrPath.toLowerCase().replace(`${CORE_GROUP.toLowerCase()}:`, '') : '';
  const field = Object.hasOwn(SEARCHED, name) ? SEARCHED[name as keyof typeof SEARCHED] : undefined;
  if (filter.op !== 'eq' || field === undefined || typeof filter.compValue !== 'string') {
    throw new ScimError(
      'invalidFilter',
      'Groups are found by displayName, id and externalId, each with eq and a text.',
    );
  }
  const [stored, wanted] = [group[field], filter.compValue];
  return field === 'displayName' ? stored?.toLowerCase() === wanted.toLowerCase() : stored === wanted;
}

/** Changes the members and the `externalId` of a group atomically. @throws ApiError */
export function changeGroup(
  db: Database,
  directory: Directory,
  id: string,
  change: GroupChange,
): Promise<Group & { keysMade: number }> {
  const { companyId } = directory;
  const role = roleOfGroup(companyId, id);
  if (role === undefined) throw notFound('group');
  return db.transaction(async (transaction) => {
    const group = await getGroup(transaction, directory, id);
    assertVersion(directory, versionedGroup(group), 'group');
    const { displayName, externalId } = change;
    if (displayName !== undefined && roleOfName(displayName) !== role) throw fixedGroups();
    if (externalId !== undefined) await setExternalId(transaction, companyId, group, externalId);
    const revoked = await writeMembers(transaction, directory, role, change);
    const keysMade = revoked.length === 0 ? 0 : await countKeysMade(transaction, revoked, [companyId]);
    return { ...(await getGroup(transaction, directory, id)), keysMade };
  });
}

/** People whose roles are written per statement. */
const WRITE_BATCH = 500;

async function writeMembers(
  transaction: Transaction,
  directory: Directory,
  role: CompanyRole,
  { isWhole, members }: GroupChange,
): Promise<readonly string[]> {
  if (!isWhole && members.size === 0) return [];
  const { companyId } = directory;
  const wanted: string[] = [];
  const unwanted: string[] = [];
  for (const [id, isMember] of members) (isMember ? wanted : unwanted).push(id);
  const compared = await compareMembers(transaction, companyId, role, wanted, isWhole ? undefined : unwanted);
  const { granted, revoked, hasStrangers } = compared;
  // The error does not tell people of other companies from unknown ids.
  if (hasStrangers) throw new ApiError('NOT_FOUND', 'A member is not a user of this directory.');
  const people = await lockPeople(transaction, [...granted, ...revoked], isOfCompany(companyId));
  for (const [ids, write] of [
    [granted, grantCompanyRole],
    [revoked, revokeCompanyRole],
  ] as const) {
    for (let from = 0; from < ids.length; from += WRITE_BATCH) {
      const some = ids.slice(from, from + WRITE_BATCH).flatMap((each) => people.get(each) ?? []);
      await write(transaction, directory, some, role, companyId);
    }
  }
  return revoked;
}

async function setExternalId(
  transaction: Transaction,
  companyId: string,
  { role, externalId }: Group,
  wanted: string | null,
): Promise<void> {
  if (wanted === externalId) return;
  if (wanted === null) {
    await transaction.query(sql`
      delete from scim_groups where company_id = ${companyId}::uuid and role = ${role}::text`);
    return;
  }
  const value = validOrThrow(checkValue('externalId', user.fields.externalId.kind, wanted));
  await transaction.query(sql`
    insert into scim_groups (company_id, role, external_id) values (${companyId}::uuid, ${role}::text, ${value}::text)
        on conflict (company_id, role) do update set external_id = excluded.external_id`);
}
