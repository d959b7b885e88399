import type { Filter } from 'scim2-parse-filter';
import sql from 'sql-template-tag';
import { checkValue, throwIfInvalid } from '../../api/body.ts';
import { notFound } from '../../api/write-request.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { isCanonicalUuid } from '../../entities/uuid.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import { ApiError } from '../../lib/errors.ts';
import { grantCompanyRole, lockPeople, revokeCompanyRole } from '../people/people.ts';
import { canonicalResource, canonicalValue, type Resource, valuesOf } from './canonical.ts';
import { MAX_COMPARISONS, parseFilter } from './filter-syntax.ts';
import { attributeOf, CORE_GROUP, GROUP_SCHEMA } from './scim-attributes.ts';
import type { Directory } from './scim-directory.ts';
import { scimFault } from './scim-errors.ts';
import { type Group, knownPeople, listGroups, memberIds, roleOfGroup } from './scim-groups-queries.ts';
import { partsOfPath, type SentOperation } from './scim-patch-ops.ts';

/** What its ETag is made from. */
export function versionedGroup({ id, displayName, externalId, membersVersion }: Group): Resource {
  return { id, displayName, externalId, membersVersion };
}

/** Groups cannot be made, renamed or removed. */
export function fixedGroups(): ApiError {
  return new ApiError('FIELD_FORBIDDEN', 'The groups are the roles of orgdesk: none can be made, renamed or removed.');
}

/** @param isWhole with its members @throws ApiError `NOT_FOUND` */
export async function getGroup(db: Reader, { companyId }: Directory, id: string, isWhole: boolean): Promise<Group> {
  const group = (await listGroups(db, companyId, isWhole)).find((each) => each.id === id);
  if (group === undefined) throw notFound('group');
  return group;
}

const SEARCHABLE = { displayname: 'displayName', id: 'id', externalid: 'externalId' } as const;

/** The groups that a filter chooses: by `eq`, of which there may be several. @throws ApiError `invalidFilter` */
export async function findGroups(
  db: Reader,
  { companyId }: Directory,
  filter: string | undefined,
  isWhole: boolean,
): Promise<Group[]> {
  const groups = await listGroups(db, companyId, isWhole);
  if (filter === undefined) return groups;
  const chosen = parseFilter(filter);
  return groups.filter((group) => isChosen(chosen, group));
}

function isChosen(filter: Filter, group: Group): boolean {
  if (filter.op === 'and') return filter.filters.every((each) => isChosen(each, group));
  if (filter.op === 'or') return filter.filters.some((each) => isChosen(each, group));
  const name = 'attrPath' in filter ? filter.attrPath.toLowerCase().replace(`${CORE_GROUP.toLowerCase()}:`, '') : '';
  const known = Object.hasOwn(SEARCHABLE, name) ? SEARCHABLE[name as keyof typeof SEARCHABLE] : undefined;
  if (filter.op !== 'eq' || known === undefined || typeof filter.compValue !== 'string') {
    throw scimFault('invalidFilter', 'Groups are found by displayName, id and externalId, each with eq and a text.');
  }
  const [stored, wanted] = [group[known], filter.compValue];
  return known === 'displayName' ? stored?.toLowerCase() === wanted.toLowerCase() : stored === wanted;
}

/** What is to become of the members: those of `whole` alone where that is there, then without some and with others. */
interface GroupChange {
  whole: Set<string> | undefined;
  added: Set<string>;
  removed: Set<string>;
  externalId: string | null | undefined;
}

const SCHEMAS = [GROUP_SCHEMA];
const MEMBERS = attributeOf(GROUP_SCHEMA.attributes, 'members');

/** Makes a group what the body says; members that it does not name stay, and so does an `externalId`. @throws ApiError */
export function replaceGroup(db: Database, directory: Directory, id: string, body: Resource): Promise<Group> {
  const { displayName, externalId, members } = canonicalResource(body, SCHEMAS);
  if (displayName === undefined) throw scimFault('invalidValue', 'displayName is required.');
  const saysMembers = Object.keys(body).some(
    (name) => name.toLowerCase().replace(`${CORE_GROUP.toLowerCase()}:`, '') === 'members',
  );
  const change: GroupChange = {
    whole: saysMembers ? new Set(idsIn(members)) : undefined,
    added: new Set(),
    removed: new Set(),
    externalId: externalId as string | undefined,
  };
  return changeGroup(db, directory, id, change, displayName);
}

/** A member that is removed by its own path, as Okta does it, is looked up and compared with none. */
const ONE_MEMBER = /^\s*value\s+eq\s+"[^"]*"\s*$/i;

/** Applies operations to a group, all or none. @throws ApiError */
export function patchGroup(
  db: Database,
  directory: Directory,
  id: string,
  operations: readonly SentOperation[],
): Promise<Group> {
  const change: GroupChange = { whole: undefined, added: new Set(), removed: new Set(), externalId: undefined };
  const budget = { left: MAX_COMPARISONS };
  let displayName: unknown;
  for (const { op, path, value } of operations) {
    if (path === undefined) {
      if (typeof value !== 'object' || value === null)
        throw scimFault('invalidValue', 'Without a path the value must be an object.');
      for (const each of valuesOf(value, SCHEMAS)) {
        const { name } = each.place.attribute;
        if (name === 'members') changeMembers(change, op, idsIn(each.value));
        else if (name === 'externalId') change.externalId = (each.value as string | undefined) ?? null;
        else displayName = each.value;
      }
      continue;
    }
    const { name, filterText, sub } = partsOfPath(path);
    const attribute = name.toLowerCase().replace(`${CORE_GROUP.toLowerCase()}:`, '');
    if (attribute === 'members' && filterText !== undefined && op === 'remove' && sub === undefined) {
      changeMembers(
        change,
        'remove',
        idsOfFilter(parseFilter(filterText, ONE_MEMBER.test(filterText) ? undefined : budget)),
      );
    } else if (attribute === 'members' && filterText === undefined) {
      const isAll = op === 'remove' && (value === undefined || value === null);
      const ids = isAll ? [] : idsIn(canonicalValue('members', MEMBERS as NonNullable<typeof MEMBERS>, value));
      changeMembers(change, isAll ? 'replace' : op, ids);
    } else if (attribute === 'externalid' && filterText === undefined) {
      change.externalId = op === 'remove' ? null : ((canonicalText('externalId', value) ?? null) as string | null);
    } else if (attribute === 'displayname' && filterText === undefined) {
      displayName = op === 'remove' ? undefined : canonicalText('displayName', value);
      if (displayName === undefined) throw fixedGroups();
    } else if (attribute === 'id' || attribute === 'meta') {
      throw scimFault('mutability', `${path} is made by orgdesk.`);
    } else {
      throw scimFault('invalidPath', `There is nothing at ${path} that could be changed.`);
    }
  }
  return changeGroup(db, directory, id, change, displayName);
}

function canonicalText(name: string, value: unknown): unknown {
  return canonicalValue(name, { name, type: 'string', description: '' }, value);
}

function changeMembers(change: GroupChange, op: SentOperation['op'], ids: readonly string[]): void {
  if (op === 'replace') {
    change.whole = new Set(ids);
    change.added.clear();
    change.removed.clear();
    return;
  }
  const [from, to] = op === 'add' ? [change.removed, change.added] : [change.added, change.removed];
  for (const id of ids) {
    from.delete(id);
    to.add(id);
  }
}

function idsIn(members: unknown): string[] {
  return ((members ?? []) as { value?: string }[]).map(({ value }) => value ?? '');
}

/** The ids in `value eq "…" or value eq "…"`. */
function idsOfFilter(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsOfFilter);
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value') return [String(filter.compValue)];
  throw scimFault('invalidFilter', 'Members are chosen by value eq "…".');
}

function changeGroup(
  db: Database,
  directory: Directory,
  id: string,
  change: GroupChange,
  displayName: unknown,
): Promise<Group> {
  const { companyId } = directory;
  const role = roleOfGroup(companyId, id);
  if (role === undefined) throw notFound('group');
  return db.transaction(async (transaction) => {
    const group = await getGroup(transaction, directory, id, false);
    checkIfMatch(directory.ifMatch, versionedGroup(group), 'group');
    if (displayName !== undefined && String(displayName).toLowerCase() !== group.displayName.toLowerCase())
      throw fixedGroups();
    if (change.externalId !== undefined) await keepExternalId(transaction, companyId, group, change.externalId);
    await writeMembers(transaction, directory, role, change);
    return getGroup(transaction, directory, id, false);
  });
}

async function writeMembers(
  transaction: Transaction,
  directory: Directory,
  role: CompanyRole,
  { whole, added, removed }: GroupChange,
): Promise<void> {
  const { companyId } = directory;
  if (whole === undefined && added.size === 0 && removed.size === 0) return;
  const wanted = [...(whole ?? []), ...added].filter((id) => !removed.has(id));
  const ids = wanted.filter((id) => isCanonicalUuid(id));
  const known = await knownPeople(transaction, companyId, ids);
  // Of others than those that the directory sees nothing is told.
  if (wanted.some((id) => !known.has(id.toLowerCase())))
    throw new ApiError('NOT_FOUND', 'A member is no user of this directory.');
  const present = await memberIds(transaction, companyId, role);
  const granted = [...known].filter((id) => !present.has(id));
  const revoked = [...present].filter((id) => (whole === undefined ? removed.has(id) : !known.has(id)));
  const people = await lockPeople(transaction, [...granted, ...revoked], sql`company_id = ${companyId}::uuid`);
  const locked = (some: readonly string[]) => some.flatMap((id) => people.get(id) ?? []);
  await grantCompanyRole(transaction, directory, locked(granted), role, companyId);
  await revokeCompanyRole(transaction, directory, locked(revoked), role, companyId);
}

async function keepExternalId(
  transaction: Transaction,
  companyId: string,
  { role, externalId }: Group,
  wanted: string | null,
): Promise<void> {
  if (wanted === externalId) return;
  if (wanted === null) {
    await transaction.query(
      sql`delete from scim_groups where company_id = ${companyId}::uuid and role = ${role}::text`,
    );
    return;
  }
  const { value, problems } = checkValue('externalId', scimUser.fields.externalId.kind, wanted);
  throwIfInvalid(problems);
  await transaction.query(sql`
    insert into scim_groups (company_id, role, external_id) values (${companyId}::uuid, ${role}::text, ${value}::text)
        on conflict (company_id, role) do update set external_id = excluded.external_id`);
}
