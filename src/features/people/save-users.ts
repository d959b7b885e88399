import sql, { join, type Sql } from 'sql-template-tag';
import { changedFields, prefixProblems, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { assertCompanyVisible, withPhone } from '../../api/company-row.ts';
import { assertHierarchy } from '../../api/hierarchy.ts';
import {
  type Author,
  alreadyExists,
  conflict,
  mapConflicts,
  retryOnUniqueViolation,
  type WriteRequest,
} from '../../api/write-request.ts';
import { recordEvent } from '../../audit/audit-trail.ts';
import { hasEmail, sameKey } from '../../audit/entity-sql.ts';
import { mergeRows } from '../../audit/merge-rows.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { allOf, type Checked, invalid } from '../../entities/check-fields.ts';
import { company } from '../../entities/company.ts';
import { type FieldProblem, problemOf } from '../../entities/field-problem.ts';
import { user } from '../../entities/user.ts';
import { countKeysMade } from '../api-keys/keys-made.ts';
import { lockAssignable, resolveAssignments } from './assignments.ts';
import { endDeletion } from './deletion.ts';
import { pathOf } from './employment.ts';
import { assertNotLastAdmin } from './person-rules.ts';
import {
  addPeople,
  checkChanges,
  findPeople,
  lockPeople,
  lockWithManagers,
  type NewPerson,
  type Person,
  type PersonPatch,
  writeChanges,
} from './person-service.ts';
import type { SavedUsers } from './save-users-input.ts';
import type { NewUser, UserUpdate } from './users-input.ts';
import type { SavedView } from './users-schemas.ts';
import { isSame, newPerson } from './users-service.ts';

/**
 * Updates and adds people of a company atomically. Updates come first, so that a new person may take an address that they free,
 * and people may take addresses from each other; the last admin may leave where another one comes.
 *
 * @throws ApiError the errors of `users/create` and `users/update`, with field paths such as `create[3].email`; `INVALID_INPUT` for an
 *   update of a person of another company. Taken ids and addresses leave an audit entry, so that probing for addresses shows.
 */
export function saveUsers(
  db: Database,
  request: WriteRequest,
  { companyId, create, update }: SavedUsers,
): Promise<SavedView> {
  const save = () =>
    db.transaction(async (transaction) => {
      await assertCompanyVisible(transaction, request.scope, companyId);
      const { changed, leaving } = await changeAll(transaction, request, companyId, update);
      const added = await addAll(transaction, request, companyId, create);
      if (leaving.length > 0) {
        const last = update.findLastIndex(({ id }) => id === leaving.at(-1)?.id);
        await prefixErrors(`update[${last}]`, () => assertNotLastAdmin(transaction, request.caller, leaving));
      }
      const unchanged = create.length + update.length - added - changed;
      const leavers = update.flatMap(({ id, patch }) => (patch.active === false ? [id] : []));
      if (leavers.length === 0) return { added, changed, unchanged };
      return { added, changed, unchanged, keysMade: await countKeysMade(transaction, leavers, request.scope) };
    });
  const nameOf = (field: string) => `create.${pathOf(field)}`;
  return mapConflicts(user, () => retryOnUniqueViolation(save), nameOf).catch(async (error: unknown) => {
    if (error instanceof ApiError && error.code === 'ALREADY_EXISTS') {
      const values = { create: [null, create.length], update: [null, update.length] };
      await recordEvent(db, request.actor, { entity: company, id: companyId, companyId, values }, 'refused');
    }
    throw error;
  });
}

async function changeAll(
  transaction: Transaction,
  request: WriteRequest,
  companyId: string,
  updates: readonly UserUpdate[],
): Promise<{ changed: number; leaving: readonly Person[] }> {
  const leaving: Person[] = [];
  if (updates.length === 0) return { changed: 0, leaving };
  const ids = updates.map(({ id }) => id);
  const managers = updates.flatMap(({ patch }) => patch.managerId ?? []);
  if (managers.length > 0) await lockWithManagers(transaction, ids, managers);
  const known = await lockPeople(transaction, ids, sql`company_id = ${companyId}`);
  throwIfInvalid(ids.flatMap((id, index) => (known.has(id) ? [] : [notOfCompany(index)])));
  const patches = updates.map(({ patch }) => patch);
  const assignable = await lockAssignable(transaction, companyId, patches);
  const people = updates.flatMap(({ id, patch }) => {
    const person = known.get(id);
    return person === undefined ? [] : [{ person, patch }];
  });
  const takers = await findTakers(transaction, people);
  const exchanging: Change[] = [];
  const writes: Promise<boolean>[] = [];
  try {
    for (const [index, { person, patch }] of people.entries()) {
      const place = `update[${index}]`;
      const changes = await prefixErrors(place, async () => {
        const checked = await checkChanges(transaction, request, person, patch, { assignable, leaving });
        return endDeletion(transaction, request, person, checked);
      });
      if (takers.has(person.id)) {
        exchanging.push({ place, person, changes });
        continue;
      }
      // Not awaited: statements of a transaction run in order, so the next ones are pipelined behind it.
      const write = prefixErrors(place, () =>
        mapConflicts(user, () => writeChanges(transaction, request, person.id, changes), pathOf),
      );
      write.catch(() => undefined);
      writes.push(write);
    }
  } catch (error) {
    // A failed write aborts the transaction, and every later statement fails too: report the error of the write.
    await Promise.all(writes);
    throw error;
  }
  const written = (await Promise.all(writes)).filter(Boolean).length;
  const changed = written + (await writeExchanges(transaction, request, exchanging, takers));
  const moved = updates.flatMap(({ id, patch }) => (patch.managerId ? [id] : []));
  await assertHierarchy(transaction, user, moved, (field, id) => `update[${ids.indexOf(id)}].${pathOf(field)}`);
  return { changed, leaving };
}

/** Checked changes of a person, with the path of the item in the request. */
interface Change {
  place: string;
  person: Person;
  changes: PersonPatch;
}

/** Returns the rows of people with these changes, as a parenthesised query. */
function rowsOf(people: readonly Pick<Change, 'person' | 'changes'>[]): Sql {
  const content = people.map(({ person, changes }) => {
    const row: Readonly<Record<string, unknown>> = { ...person, ...changes };
    return Object.fromEntries(Object.entries(user.fields).map(([name, { column }]) => [column, row[name]]));
  });
  return sql`(select known.* from jsonb_populate_recordset(null::users, ${JSON.stringify(content)}::text::jsonb) known)`;
}

/**
 * Returns those whose unique values change, where some take theirs from each other: written row by row, they could not.
 *
 * @returns by id, the fields of which the value belongs to somebody who keeps it
 */
async function findTakers(
  transaction: Transaction,
  people: readonly { person: Person; patch: PersonPatch }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const fields = user.unique.flatMap((key) => key.fields.slice(-1));
  const movers = people
    .map(({ person, patch }) => ({ person, changes: changedFields(patch, person) }))
    .filter(({ changes }) => fields.some((field) => field in changes));
  if (movers.length < 2) return new Map();
  const rows = rowsOf(movers);
  const takes = user.unique.map(
    (key) => sql`
      select s.id, ${key.fields.at(-1)}::text as field,
             exists (select from ${rows} giver where giver.id = t.id and (${sameKey(user, key, 'giver', 't')}) is not true) as "isGiven"
        from ${rows} s join users t on ${sameKey(user, key, 's', 't')} and t.id <> s.id`,
  );
  const taken = await transaction.query<{ id: string; field: string; isGiven: boolean }>(join(takes, ' union all '));
  if (!taken.some(({ isGiven }) => isGiven)) return new Map();
  const keptBy = (id: string) => taken.filter((each) => each.id === id && !each.isGiven).map(({ field }) => field);
  return new Map(movers.map(({ person: { id } }) => [id, keptBy(id)]));
}

/** Writes the changes of those who exchange unique values in one statement. @returns how many were written */
async function writeExchanges(
  transaction: Transaction,
  { actor }: Author,
  exchanging: readonly Change[],
  takers: ReadonlyMap<string, readonly string[]>,
): Promise<number> {
  if (exchanging.length === 0) return 0;
  const taken = exchanging.flatMap(({ place, person: { id } }) => takenIn(place, (takers.get(id) ?? []).map(pathOf)));
  if (taken.length > 0) throw conflict(taken);
  const given = new Set(exchanging.flatMap(({ changes }) => Object.keys(changes)));
  const merge = () => mergeRows(transaction, { entity: user, rows: rowsOf(exchanging), given }, actor);
  return (await prefixErrors('update', () => mapConflicts(user, merge, pathOf))).changed;
}

/** Returns the problems of fields of an item whose values another person has. */
function takenIn(place: string, fields: readonly string[]): FieldProblem[] {
  return prefixProblems(place, alreadyExists(user.noun, fields).problems);
}

function notOfCompany(index: number): FieldProblem {
  const field = `update[${index}].id`;
  return problemOf(field, 'INVALID_VALUE', 'must be the id of a person of this company');
}

async function addAll(
  transaction: Transaction,
  author: Author,
  companyId: string,
  given: readonly NewUser[],
): Promise<number> {
  if (given.length === 0) return 0;
  const withPhones = await Promise.all(
    given.map((one, index) => withPhone(transaction, companyId, one, `create[${index}].phone`)),
  );
  const people = await withAssignments(transaction, companyId, withPhones);
  const sent = JSON.stringify(given.map(({ id, email }, index) => ({ index, id, email })));
  const known = await transaction.query<{ index: number; isId: boolean }>(sql`
    select index, "isId"
      from jsonb_to_recordset(${sent}::text::jsonb) as given (index integer, id uuid, email text),
           lateral (select true as "isId" from users where id = given.id
                    union all
                    select false from users where ${hasEmail(sql`given.email`)}
                     limit 1) known
     order by index`);
  const knownIds = known.flatMap(({ index, isId }) => (isId ? [given[index]?.id ?? ''] : []));
  const knownPeople = await findPeople(transaction, knownIds);
  const taken = known.filter(({ index, isId }) => {
    const person = people[index];
    return !(isId && person && isSame(knownPeople.get(person.row.id), person.row, person.roles));
  });
  if (taken.length > 0) throw someTaken(taken);
  // Ordered by address, so that two transactions adding the same people cannot deadlock.
  const indexes = new Set(known.map(({ index }) => index));
  const added = people
    .filter((_, index) => !indexes.has(index))
    .sort((one, other) => (one.row.email.toLowerCase() < other.row.email.toLowerCase() ? -1 : 1));
  if (added.length === 0) return 0;
  const count = await addPeople(transaction, author, added);
  const managed = added.flatMap(({ row }) => (row.managerId ? [row.id] : []));
  const indexOf = (id: string) => given.findIndex((one) => one.id === id);
  await assertHierarchy(transaction, user, managed, (field, id) => `create[${indexOf(id)}].${pathOf(field)}`);
  // Fewer: an id was inserted concurrently, and the retry sees that row.
  return count === added.length ? count : count + (await addAll(transaction, author, companyId, given));
}

/** Taken ids and addresses reported per request: thousands of addresses must not be probed by requests that write nothing. */
const MAX_TAKEN = 10;

function someTaken(taken: readonly { index: number; isId: boolean }[]): ApiError {
  const { message, problems } = conflict(
    taken.slice(0, MAX_TAKEN).flatMap(({ index, isId }) => takenIn(`create[${index}]`, [isId ? 'id' : 'email'])),
  );
  const more = taken.length > MAX_TAKEN ? ` There are more; only the first ${MAX_TAKEN} are reported.` : '';
  return new ApiError('ALREADY_EXISTS', `${message}${more}`, { problems });
}

/** Returns the people with their departments and bands, looked up in one batch. @throws ApiError `INVALID_INPUT` */
async function withAssignments(
  transaction: Transaction,
  companyId: string,
  given: readonly NewUser[],
): Promise<NewPerson[]> {
  // A manager may be another person of the list.
  const ids = new Set(given.map(({ id }) => id));
  const named = given.map(({ departmentId, bandId, managerId }) => {
    return { departmentId, bandId, managerId: managerId && ids.has(managerId) ? null : managerId };
  });
  const assignments = await resolveAssignments(transaction, companyId, named);
  const checked = assignments.flatMap((assignment, index) => {
    const one = given[index];
    return one === undefined ? [] : [newPerson(one, assignment)];
  });
  const inList = checked.map(
    (each, index): Checked<NewPerson> =>
      each.ok ? each : invalid(...prefixProblems(`create[${index}]`, each.problems)),
  );
  return [...validOrThrow(allOf(...inList))];
}

/** Runs work on one item of the request, and prefixes the fields in its errors. @param prefix path of the item, such as `update[3]` */
async function prefixErrors<Result>(prefix: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const own: FieldProblem = { field: prefix, code: 'INVALID_VALUE', message: error.message };
    const problems = error.problems.length > 0 ? prefixProblems(prefix, error.problems) : [own];
    throw new ApiError(error.code, problems.map(({ message }) => message).join(' '), { problems });
  }
}
