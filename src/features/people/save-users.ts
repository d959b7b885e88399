import sql from 'sql-template-tag';
import { prefixProblems } from '../../api/body.ts';
import { getCompanyOrForbid } from '../../api/company-row.ts';
import {
  type Author,
  alreadyExists,
  mapConflicts,
  retryOnUniqueViolation,
  type WriteRequest,
} from '../../api/write-request.ts';
import { hasEmail } from '../../audit/entity-sql.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { user } from '../../entities/user.ts';
import { fieldMessage } from '../../entities/values.ts';
import { ApiError, apiErrors, type FieldProblem } from '../../lib/errors.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import {
  addPeople,
  checkChanges,
  findPerson,
  lockPeople,
  type NewPerson,
  withConflictMapping,
  writeChanges,
} from './person-service.ts';
import type { SavedUsers } from './save-users-input.ts';
import type { NewUser, UserUpdate } from './users-input.ts';
import type { SavedView } from './users-schemas.ts';
import { assignmentOf, isSame, newRow } from './users-service.ts';

/**
 * Changes and adds people of a company, all of them or none. First come the changes: an address that they free may be somebody else's.
 *
 * @throws ApiError what `users/create` and `users/update` refuse, each field by its place: `create[3].email`; who is to be changed and is
 *   not of the company is an `INVALID_INPUT`
 */
export function saveUsers(
  db: Database,
  request: WriteRequest,
  { companyId, create, update }: SavedUsers,
): Promise<SavedView> {
  const save = () =>
    db.transaction(async (transaction) => {
      await getCompanyOrForbid(transaction, companyId);
      const changed = await changeAll(transaction, request, companyId, update);
      const added = await addAll(transaction, request, create);
      return { added, changed, unchanged: create.length + update.length - added - changed };
    });
  return mapConflicts(
    user,
    () => retryOnUniqueViolation(save),
    (field) => `create.${field}`,
  );
}

/** People whose changes are sent to the database in one turn of the event loop. */
const WRITE_BATCH = 50;

async function changeAll(
  transaction: Transaction,
  request: WriteRequest,
  companyId: string,
  updates: readonly UserUpdate[],
): Promise<number> {
  if (updates.length === 0) return 0;
  const ids = updates.map(({ id }) => id);
  const known = await lockPeople(transaction, ids, sql`company_id = ${companyId}`);
  const strangers = ids.flatMap((id, place) => (known.has(id) ? [] : [stranger(place)]));
  if (strangers.length > 0) throw apiErrors.invalidInput(strangers);
  const people = updates.flatMap(({ id, patch }) => {
    const person = known.get(id);
    return person === undefined ? [] : [{ person, patch }];
  });
  const writes: Promise<boolean>[] = [];
  try {
    for (const [place, { person, patch }] of people.entries()) {
      if (place % WRITE_BATCH === 0) await yieldToEventLoop();
      const telling = <Result>(work: () => Promise<Result>) => prefixErrors(`update[${place}]`, work);
      const changes = await telling(() => checkChanges(transaction, request, person, patch));
      // Nothing waits for the answer: what comes after runs after it.
      const write = telling(() => withConflictMapping(() => writeChanges(transaction, request, person.id, changes)));
      write.catch(() => undefined);
      writes.push(write);
    }
  } catch (error) {
    // Behind a write that has failed nothing can be looked up: that one tells why.
    await Promise.all(writes);
    throw error;
  }
  return (await Promise.all(writes)).filter(Boolean).length;
}

function stranger(place: number): FieldProblem {
  const field = `update[${place}].id`;
  return { field, code: 'INVALID_VALUE', message: fieldMessage(field, 'the id of a person of this company') };
}

async function addAll(transaction: Transaction, author: Author, given: readonly NewUser[]): Promise<number> {
  if (given.length === 0) return 0;
  const people = await withPlaces(transaction, given);
  const sent = JSON.stringify(given.map(({ id, email }, place) => ({ place, id, email })));
  const there = await transaction.query<{ place: number; isId: boolean }>(sql`
    select place, "isId"
      from jsonb_to_recordset(${sent}::text::jsonb) as given (place integer, id uuid, email text),
           lateral (select true as "isId" from users where id = given.id
                    union all
                    select false from users where ${hasEmail(sql`given.email`)}
                     limit 1) known
     order by place`);
  const known = new Set(there.map(({ place }) => place));
  const taken: string[] = [];
  for (const { place, isId } of there) {
    const person = people[place];
    const isAgain = isId && person && isSame(await findPerson(transaction, person.row.id), person.row, person.roles);
    if (!isAgain) taken.push(`create[${place}].${isId ? 'id' : 'email'}`);
  }
  if (taken.length > 0) throw alreadyExists('user', taken);
  // In the order of their addresses: two who add the same people wait for one another, and neither for ever.
  const added = people
    .filter((_, place) => !known.has(place))
    .sort((one, other) => (one.row.email.toLowerCase() < other.row.email.toLowerCase() ? -1 : 1));
  if (added.length === 0) return 0;
  const count = await addPeople(transaction, author.actor, added);
  // Where somebody has added a person of such an id this very moment, they are there the next time.
  return count === added.length ? count : count + (await addAll(transaction, author, given));
}

/** The people with their departments and bands, which are looked up once for all who have the same. @throws ApiError `INVALID_INPUT` */
async function withPlaces(transaction: Transaction, given: readonly NewUser[]): Promise<NewPerson[]> {
  const found = new Map<string, Awaited<ReturnType<typeof assignmentOf>> | ApiError>();
  const problems: FieldProblem[] = [];
  const people: NewPerson[] = [];
  for (const [place, one] of given.entries()) {
    const key = `${one.departmentId} ${one.bandId}`;
    const places =
      found.get(key) ??
      (await assignmentOf(transaction, one).catch((error) => {
        if (error instanceof ApiError && error.code === 'INVALID_INPUT') return error;
        throw error;
      }));
    found.set(key, places);
    const { roles, ...fields } = one;
    if (places instanceof ApiError) problems.push(...prefixProblems(`create[${place}]`, places.problems));
    else people.push({ row: newRow(fields, places), roles });
  }
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
  return people;
}

/** Runs a part of the work, and tells where what it refuses stands. */
async function prefixErrors<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const own: FieldProblem = { field: place, code: 'INVALID_VALUE', message: `${place}: ${error.message}` };
    const problems = error.problems.length > 0 ? prefixProblems(place, error.problems) : [own];
    throw new ApiError(error.code, problems.map(({ message }) => message).join(' '), { problems });
  }
}
