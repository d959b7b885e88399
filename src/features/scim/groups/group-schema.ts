import type { Filter } from 'scim2-parse-filter';
import { ScimError } from '../protocol/error.ts';
import { type PatchStep, patched } from '../protocol/patch.ts';
import { commonAttributes, complex, type Item, type Schema, text } from '../protocol/schema.ts';
import { contentOf, fieldsOf, readValues } from '../protocol/values.ts';

/** Maximum bytes of a body with a group: 10,000 members in the form of a response. */
export const GROUP_BODY_LIMIT = 4 * 1024 * 1024;

/** Maximum members in one list of a request. */
const MAX_MEMBERS = 20_000;

const MEMBERS = complex(
  'members',
  'The people in the group',
  [
    text('value', 'The id of a user', { caseExact: true }),
    { name: '$ref', type: 'reference', description: 'The address of the user', readOnly: true },
    text('type', 'User', { readOnly: true }),
    text('display', 'The name of the user', { readOnly: true }),
  ],
  { max: MAX_MEMBERS, field: 'members' },
);

export const GROUP_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of the directory; three are the roles in the company',
  attributes: [
    ...commonAttributes({}),
    text('displayName', 'The name of the group, unique in the directory', { required: true, field: 'displayName' }),
    MEMBERS,
  ],
};
const SCHEMAS = [GROUP_SCHEMA];

/** A change of the members of a group: of those who are there only, as they may be many. */
export interface MembersChange {
  /** Whether all other members are removed. */
  isWhole: boolean;
  /** Whether to be a member, by id in lower case. */
  items: Map<string, boolean>;
}

/** Values of a group that are sent; undefined: none. */
export interface GroupValues {
  displayName?: string;
  externalId?: string;
  members?: MembersChange;
}

/** Reads the body of a POST or PUT. @throws ApiError `invalidSyntax`, `invalidValue` */
export function readGroup(body: object): GroupValues {
  const { members, ...values } = fieldsOf(readValues(body, SCHEMAS), SCHEMAS) as { members?: string[] };
  return { ...values, ...(members && { members: changeOf(members, true, true) }) };
}

/** Returns the values of a group after a PATCH. @throws ApiError `invalidFilter`, `invalidPath`, `noTarget` */
export function patchedGroup(group: object, steps: readonly PatchStep[]): GroupValues {
  const isOfMembers = ({ target }: PatchStep) => target.attribute === MEMBERS;
  const own = steps.filter((step) => !isOfMembers(step));
  const values: GroupValues = fieldsOf(patched(readValues(contentOf(group, SCHEMAS), SCHEMAS), own), SCHEMAS);
  for (const step of steps.filter(isOfMembers)) {
    const change = membersChange(step);
    if (change.isWhole || values.members === undefined) values.members = change;
    else for (const [id, isMember] of change.items) values.members.items.set(id, isMember);
  }
  return values;
}

function membersChange({ op, name, target: { sub, filter }, value }: PatchStep): MembersChange {
  if (filter !== undefined && (op !== 'remove' || sub !== undefined)) {
    throw new ScimError('invalidPath', `${name} can only be removed.`);
  }
  if (filter !== undefined) return changeOf(idsChosenBy(filter), false, false);
  const sent = (sub === undefined || value === undefined ? value : [{ value }]) as Item[] | undefined;
  const ids = sent?.map((item) => item.value);
  return changeOf(ids ?? [], op !== 'remove', op === 'replace' || (op === 'remove' && ids === undefined));
}

/** Returns the ids in `value eq "…" or value eq "…"`. @throws ApiError `invalidFilter` */
function idsChosenBy(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsChosenBy);
  if (filter.op === 'eq' && filter.attrPath.toLowerCase() === 'value') return [String(filter.compValue)];
  throw new ScimError('invalidFilter', 'Members are chosen by value eq "…".');
}

function changeOf(ids: readonly unknown[], isMember: boolean, isWhole: boolean): MembersChange {
  return { isWhole, items: new Map(ids.map((id) => [String(id).toLowerCase(), isMember])) };
}
