import { paiseOf } from '../../../src/entities/money.ts';
import { MAX_SAVED } from '../../../src/entities/user.ts';
import { type Client, explain, RequestError } from '../api/client.ts';
import type { CompanyRole, ListedPerson } from '../api/types.ts';
import { nested } from '../parts/form-fields.ts';
import { patiently } from '../session/queries.ts';
import { t } from '../translate.ts';
import { changedSince } from './changed-by.ts';
import { actorText } from './history-sentences.ts';
import { PROTECTED } from './person-fields.ts';

/** Fields that can be changed for many people at once. */
export interface PersonValues {
  departmentId?: string;
  bandId?: string;
  approvalLimit?: string;
  active?: boolean;
  'employment.managerId'?: string | null;
}

export interface RoleChange {
  role: CompanyRole;
  isGiven: boolean;
}

/** A change of many people; absent fields stay. */
export interface WantedChange {
  values: PersonValues;
  role?: RoleChange | undefined;
}

/** The change of one person. */
export interface PersonChange extends WantedChange {
  person: ListedPerson;
  /** The present values of the changed fields. */
  before: PersonValues;
}

/** A person whose change was refused, and why. */
export interface RefusedChange {
  person: ListedPerson;
  why: string;
}

export interface SavedChanges {
  changed: readonly PersonChange[];
  refused: readonly RefusedChange[];
  /** The requests that changed somebody, in their order. */
  requestIds: readonly string[];
}

function valuesOf({ department, band, approvalLimit, active, employment }: ListedPerson): PersonValues {
  return {
    ...(department ? { departmentId: department.id } : {}),
    ...(band ? { bandId: band.id } : {}),
    ...(approvalLimit === null ? {} : { approvalLimit }),
    active,
    'employment.managerId': employment?.managerId ?? null,
  };
}

function isSame(name: keyof PersonValues, one: PersonValues, other: PersonValues): boolean {
  if (name === 'approvalLimit') return paiseOf(one.approvalLimit ?? '') === paiseOf(other.approvalLimit ?? '');
  return one[name] === other[name];
}

/** Returns the changes that are needed; people who have the values already are left out. */
export function changesOf(people: Iterable<ListedPerson>, { values, role }: WantedChange): PersonChange[] {
  return [...people].flatMap((person) => {
    const present = valuesOf(person);
    const names = (Object.keys(values) as (keyof PersonValues)[]).filter((name) => !isSame(name, values, present));
    const pick = (from: PersonValues): PersonValues => Object.fromEntries(names.map((name) => [name, from[name]]));
    const changesRole = role !== undefined && person.roles.includes(role.role) !== role.isGiven;
    if (names.length === 0 && !changesRole) return [];
    return [{ person, values: pick(values), before: pick(present), role: changesRole ? role : undefined }];
  });
}

/** Returns the changes that revert others. */
function inverseOf(changes: readonly PersonChange[]): PersonChange[] {
  return changes.map(({ person, values, before, role }) => ({
    person,
    values: before,
    before: values,
    role: role && { ...role, isGiven: !role.isGiven },
  }));
}

/**
 * Saves changes of a company's people: fields in batches, then roles one by one. Waits and retries after a 429;
 * refused people are left out, and the others of their batch are saved. Any other error refuses the rest.
 */
export async function saveChanges(
  client: Client,
  companyId: string,
  changes: readonly PersonChange[],
): Promise<SavedChanges> {
  const refused: RefusedChange[] = [];
  const requestIds: string[] = [];
  const ofFields = changes.filter(({ values }) => Object.keys(values).length > 0);
  for (let start = 0; start < ofFields.length; start += MAX_SAVED) {
    const saved = await saveBatch(client, companyId, ofFields.slice(start, start + MAX_SAVED));
    refused.push(...saved.refused);
    requestIds.push(...saved.requestIds);
  }
  const lost = new Set(refused.map(({ person }) => person.id));
  for (const { person, values, role } of changes) {
    if (role === undefined || lost.has(person.id)) continue;
    const body = { userId: person.id, role: role.role, companyId };
    try {
      const path = role.isGiven ? '/api/users/grant-role' : '/api/users/revoke-role';
      requestIds.push((await patiently(() => client.post(path, body))).requestId);
    } catch (error) {
      refused.push({ person, why: reasonOf(error) });
      // If the fields were saved, that part is done and can be reverted.
      if (Object.keys(values).length === 0) lost.add(person.id);
    }
  }
  const withoutRole = new Set(refused.map(({ person }) => person.id));
  const changed = changes
    .filter(({ person }) => !lost.has(person.id))
    .map((change) => (withoutRole.has(change.person.id) ? { ...change, role: undefined } : change));
  return { changed, refused, requestIds };
}

/**
 * Reverts changes, except those of people whom somebody else has changed since.
 *
 * @throws Error with the first reason if some are left as they are
 */
export async function undoChanges(client: Client, companyId: string, saved: SavedChanges): Promise<void> {
  const since = await changersSince(client, companyId, saved.requestIds);
  const isLeft = ({ person }: PersonChange) => since.has(person.id);
  const { refused } = await saveChanges(client, companyId, inverseOf(saved.changed.filter((one) => !isLeft(one))));
  const reasons = [
    ...saved.changed.filter(isLeft).map(({ person }) => changedSince(since.get(person.id))),
    ...refused.map(({ why }) => why),
  ];
  if (reasons[0] !== undefined)
    throw new Error(
      `${t('{count, plural, one {# person} other {# people}} could not be changed:', { count: reasons.length })} ${reasons[0]}`,
    );
}

/** Returns who has changed people of a company since the first of the given requests, by the person's id. */
async function changersSince(
  client: Client,
  companyId: string,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let page = 1; ; page++) {
    const { data, pagination } = await patiently(() => client.get('/api/audit/list', { companyId, page, limit: 100 }));
    for (const change of data) {
      if (change.requestId === requestIds[0]) return found;
      const isOther = change.requestId === null || !requestIds.includes(change.requestId);
      if (isOther && change.userId !== null) found.set(change.userId, actorText(change));
    }
    if (!pagination.hasNextPage) return found;
  }
}

/** Saves a batch without the refused people. */
async function saveBatch(
  client: Client,
  companyId: string,
  batch: readonly PersonChange[],
): Promise<Pick<SavedChanges, 'refused' | 'requestIds'>> {
  const refused: RefusedChange[] = [];
  let left = batch;
  while (left.length > 0) {
    const update = left.map(({ person, values }) => ({ id: person.id, ...nested({ ...values }) }));
    try {
      const { requestId } = await patiently(() => client.post('/api/users/save', { companyId, update }));
      return { refused, requestIds: [requestId] };
    } catch (error) {
      const found = refusedIn(error, left);
      // The error names nobody: it applies to all.
      if (found.size === 0) {
        refused.push(...left.map(({ person }) => ({ person, why: reasonOf(error) })));
        break;
      }
      refused.push(...[...found].map(([{ person }, why]) => ({ person, why })));
      left = left.filter((change) => !found.has(change));
    }
  }
  return { refused, requestIds: [] };
}

/** Returns the changes that an error is about, by the indexes in its problems' fields: `update[3].bandId`. */
function refusedIn(error: unknown, sent: readonly PersonChange[]): ReadonlyMap<PersonChange, string> {
  const found = new Map<PersonChange, string>();
  if (!(error instanceof RequestError)) return found;
  for (const problem of error.problems) {
    const change = sent[Number(/^update\[(\d+)\]/.exec(problem.field)?.[1] ?? -1)];
    if (change) found.set(change, reasonOf(error, problem.message));
  }
  return found;
}

const REASONS: Readonly<Record<string, string>> = {
  OWN_LIMIT: t('Your own limit and band can only be changed by another Corporate Admin.'),
  PROTECTED_USER: PROTECTED,
  LAST_ADMIN: t('They are the only active Corporate Admin of this company. Give the role to somebody else first.'),
};

/** @param message the service's message about one person, which starts with its index in the request */
function reasonOf(error: unknown, message?: string): string {
  const known = error instanceof RequestError ? REASONS[error.code] : undefined;
  return known ?? message?.replaceAll(/update\[\d+\][.:]? ?/g, '') ?? explain(error as Error);
}
