import type { Filter } from 'scim2-parse-filter';
import { ApiError } from '../../entities/api-error.ts';
import { isCanonicalUuid } from '../../entities/uuid.ts';
import { type Path, parsePath, resolveName, type Target } from './attribute-path.ts';
import { MAX_COMPARISONS } from './filter-syntax.ts';
import { GROUP_SCHEMA, MAX_MEMBERS } from './group-schema.ts';
import { objectOf } from './patch.ts';
import type { PatchOperation } from './patch-request.ts';
import { ScimError } from './scim-error.ts';
import { addName, readValue, sentValues } from './values.ts';

/** Changes to a group. */
export interface GroupChange {
  /** Whether `members` replaces all members. */
  isWhole: boolean;
  /** Whether to be a member, by user id. */
  members: Map<string, boolean>;
  /** Null removes it; undefined leaves it unchanged. */
  externalId: string | null | undefined;
  /** The name sent; undefined leaves it unchanged. */
  displayName: string | undefined;
}

/** Returns the error for creating, renaming or deleting a group. */
export function fixedGroups(): ApiError {
  return new ApiError(
    'FIELD_FORBIDDEN',
    'The groups are the roles of orgdesk: they cannot be created, renamed or deleted.',
  );
}

const SCHEMAS = [GROUP_SCHEMA];
/** Path that removes a single member, as Okta sends it: exempt from the comparison budget, as nothing is compared. */
const ONE_MEMBER = /^members\[\s*value\s+eq\s+"[^"\\]*"\s*\]$/i;

/** Reads the body of a PUT. Absent attributes stay unchanged. @throws ApiError */
export function readGroup(body: object): GroupChange {
  const change: GroupChange = { isWhole: false, members: new Map(), externalId: undefined, displayName: undefined };
  for (const { name, target, value } of sentValues(body, SCHEMAS)) {
    const key = target.attribute.name;
    if (key === 'members') {
      change.isWhole = true;
      setMembers(change, name, value, true);
    } else if (key === 'externalId') change.externalId = textOf(name, target, value);
    else change.displayName = textOf(name, target, value);
  }
  if (change.displayName === undefined) throw new ScimError('invalidValue', 'displayName is required.');
  return change;
}

/** Reads the operations of a PATCH. @throws ApiError */
export function readGroupPatch(operations: readonly PatchOperation[]): GroupChange {
  const change: GroupChange = { isWhole: false, members: new Map(), externalId: undefined, displayName: undefined };
  const budget = { left: MAX_COMPARISONS };
  for (const { op, path: text, value } of operations) {
    if (text !== undefined) {
      const path = parsePath(text, SCHEMAS, ONE_MEMBER.test(text) ? { left: 1 } : budget);
      apply(change, op, path, value);
      continue;
    }
    const names = new Set<string>();
    for (const [key, each] of Object.entries(objectOf(value)) as [string, unknown][]) {
      const target = resolveName(key, SCHEMAS);
      if (target !== undefined) addName(names, key);
      const isWritten = target !== undefined && 'attribute' in target && !target.attribute.readOnly;
      if (isWritten) apply(change, op, { text: key, target, filter: undefined }, each);
    }
  }
  return change;
}

function apply(change: GroupChange, op: PatchOperation['op'], path: Path, value: unknown): void {
  const { text, target, filter } = path;
  if ('schema' in target) throw new ScimError('invalidPath', `There is nothing at ${text} that could be changed.`);
  const { attribute, sub } = target;
  if (attribute.readOnly) throw new ScimError('mutability', `${text} is read-only.`);
  if (attribute.ignored) return;
  if (attribute.name !== 'members') {
    const written = op === 'remove' ? null : textOf(text, target, value);
    if (attribute.name === 'externalId') change.externalId = written ?? null;
    else if (written === null || written === undefined) throw fixedGroups();
    else change.displayName = written;
    return;
  }
  if (filter !== undefined) {
    if (op !== 'remove' || sub !== undefined) throw new ScimError('invalidPath', `${text} can only be removed.`);
    for (const id of idsOf(filter)) if (isCanonicalUuid(id)) change.members.set(id.toLowerCase(), false);
    return;
  }
  if (sub !== undefined && sub.name !== 'value') return;
  if (op === 'replace' || (op === 'remove' && (value === undefined || value === null))) {
    change.isWhole = true;
    change.members.clear();
  }
  setMembers(change, text, value, op !== 'remove');
}

function textOf(name: string, { attribute }: Target, value: unknown): string | undefined {
  return readValue(name, attribute, value) as string | undefined;
}

/** Reads a list of members, each an id or an object with one. @throws ApiError `invalidValue`, `NOT_FOUND` */
function setMembers(change: GroupChange, name: string, sent: unknown, isMember: boolean): void {
  if (sent === undefined || sent === null || sent === '') return;
  if (typeof sent !== 'object') throw new ScimError('invalidValue', `${name} must be a list.`);
  const list: unknown[] = Array.isArray(sent) ? sent : [sent];
  if (list.length > MAX_MEMBERS)
    throw new ScimError('invalidValue', `${name} must have at most ${MAX_MEMBERS} values.`);
  for (const item of list) {
    // An item usually has up to four names.
    const id = memberId(name, item).toLowerCase();
    // Any other id belongs to nobody: removing it is a no-op.
    if (isCanonicalUuid(id)) change.members.set(id, isMember);
    else if (isMember) throw new ApiError('NOT_FOUND', 'A member is not a user of this directory.');
  }
}

function memberId(name: string, item: unknown): string {
  if (typeof item === 'string') return item;
  const entries = typeof item === 'object' && item !== null && !Array.isArray(item) ? Object.entries(item) : [];
  const id: unknown = entries.find(([key]) => key.toLowerCase() === 'value')?.[1];
  if (typeof id === 'string') return id;
  throw new ScimError('invalidValue', `Each of ${name} must be an object with an id as its value.`);
}

/** Returns the ids in `value eq "…" or value eq "…"`. @throws ApiError `invalidFilter` */
function idsOf(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsOf);
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value') return [String(filter.compValue)];
  throw new ScimError('invalidFilter', 'Members are chosen by value eq "…".');
}
