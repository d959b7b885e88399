import sql, { type Sql } from 'sql-template-tag';
import { changedFields } from '../../api/body.ts';
import { getCompanyOrForbid } from '../../api/company-row.ts';
import { type Author, mapConflicts, notFound } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedInsert, auditedUpdate } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { callerColumns } from '../../auth/callers/caller-queries.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Reader, Transaction, Writer } from '../../db/database.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import { companyRole } from '../../entities/held-role.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { user } from '../../entities/user.ts';
import { apiErrors, type FieldProblem } from '../../lib/errors.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { assertNotLastAdmin, checkPersonRules } from './person-rules.ts';

/** What those who look after people may set, of a new person and later on. */
export const NEW_PERSON_FIELDS = [
  ...['email', 'firstName', 'lastName', 'clientType', 'approvalLimit', 'phone', 'dateOfBirth', 'gender'],
  ...['addressLine1', 'addressLine2', 'pincode'],
] as const;
export const ASSIGNMENT_FIELDS = ['departmentId', 'bandId'] as const;
export const PERSON_FIELDS = [...NEW_PERSON_FIELDS, ...ASSIGNMENT_FIELDS, 'active'] as const;

/** A user with all fields, and the roles that they hold. */
export interface Person extends Caller, RowOf<typeof user> {}
export type PersonPatch = Partial<RowOf<typeof user, (typeof PERSON_FIELDS)[number]>>;

const OWN_FIELDS = [...PERSON_FIELDS.filter((name) => name !== 'active'), 'id', 'companyId', 'loyaltyPoints'] as const;

const personColumns = sql`${callerColumns}, ${selectFields(user, OWN_FIELDS)}`;

/** The user of that id; undefined where there is none. */
export async function findPerson(db: Reader, id: string): Promise<Person | undefined> {
  const [person] = await db.query<Person>(sql`select ${personColumns} from users where users.id = ${id}`);
  return person;
}

/**
 * The user of that id, whom nobody else changes until the transaction ends, and to whom nobody gives a role.
 *
 * @param condition on the row of `users`
 * @throws ApiError `NOT_FOUND`
 */
export async function lockPerson(transaction: Transaction, id: string, condition: Sql): Promise<Person> {
  const [person] = (await lockPeople(transaction, [id], condition)).values();
  if (person === undefined) throw notFound('user');
  return person;
}

/** People of whom all is read in one turn of the event loop. */
const READ_BATCH = 50;

/** As {@link lockPerson}, of many: those of the ids who are there, by their ids. */
export async function lockPeople(
  transaction: Transaction,
  ids: readonly string[],
  condition: Sql,
): Promise<ReadonlyMap<string, Person>> {
  const listed = (some: readonly string[]) =>
    sql`users.id = any(array(select json_array_elements_text(${JSON.stringify(some)}::text::json))::uuid[])`;
  // A statement of its own: the next one sees what those before have committed. A role refers to its user: for update, it waits.
  // In one order, so that two who lock the same people wait for one another and go on.
  await transaction.query(sql`select from users where ${listed(ids)} and ${condition} order by id for update`);
  const people = new Map<string, Person>();
  for (let from = 0; from < ids.length; from += READ_BATCH) {
    if (from > 0) await yieldToEventLoop();
    const some = await transaction.query<Person>(sql`
      select ${personColumns} from users where ${listed(ids.slice(from, from + READ_BATCH))} and ${condition}`);
    for (const person of some) people.set(person.id, person);
  }
  return people;
}

const insertUser = auditedInsert(user);
const insertRole = auditedInsert(companyRole);
const updateUser = auditedUpdate(user, PERSON_FIELDS);

/** A person who is to be added, with roles in their company. */
export interface NewPerson {
  row: NewRowOf<typeof user>;
  roles: readonly CompanyRole[];
}

/** Adds people. @returns how many: where there is somebody of that id already, nobody is added */
export async function addPeople(db: Writer, actor: Actor, people: readonly NewPerson[]): Promise<number> {
  const rows = people.map(({ row }) => row);
  const added = await db.query<{ id: string }>(sql`with ${insertUser(rows, actor)} select id from written`);
  const ids = new Set(added.map(({ id }) => id));
  const given = people
    .filter(({ row }) => ids.has(row.id))
    .flatMap(({ row, roles }) => roles.map((role) => ({ userId: row.id, companyId: row.companyId, role })));
  await addRoles(db, actor, given);
  return added.length;
}

/** Adds roles that are not held yet. */
export async function addRoles(
  db: Writer,
  actor: Actor,
  roles: readonly Omit<NewRowOf<typeof companyRole>, 'id'>[],
): Promise<void> {
  if (roles.length === 0) return;
  const rows = roles.map((role) => ({ id: null, ...role }));
  await db.query(sql`with ${insertRole(rows, actor)} select from written`);
}

/**
 * Changes a person whom {@link lockPerson} gave: the fields of the patch that differ, under the rules about people.
 *
 * @param precondition what is to be looked at before conflicts are
 * @returns whether any differs
 * @throws ApiError `INVALID_INPUT` for a department or band of another company, and what the rules and conflicts say
 */
export async function changePerson(
  transaction: Transaction,
  author: Author,
  person: Person,
  patch: PersonPatch,
  precondition?: () => Promise<void>,
): Promise<boolean> {
  return writeChanges(
    transaction,
    author,
    person.id,
    await checkChanges(transaction, author, person, patch, precondition),
  );
}

/** Writes what {@link checkChanges} gave. @returns whether it is anything */
export async function writeChanges(db: Writer, { actor }: Author, id: string, changes: PersonPatch): Promise<boolean> {
  if (Object.keys(changes).length === 0) return false;
  await db.query(sql`with ${updateUser({ id, patch: changes, actor })} select from written`);
  return true;
}

/** What {@link changePerson} writes, for whoever writes it otherwise. @throws ApiError likewise */
export async function checkChanges(
  transaction: Transaction,
  { caller }: Author,
  person: Person,
  patch: PersonPatch,
  precondition: () => Promise<void> = async () => undefined,
): Promise<PersonPatch> {
  const changes: PersonPatch = changedFields(patch, person);
  await checkPlaces(transaction, person.companyId, changes);
  checkPersonRules(caller, person, changes);
  await precondition();
  if (changes.active === false) await assertNotLastAdmin(transaction, caller, [person]);
  return changes;
}

/** Runs a write of a person, and tells of an e-mail address or id that is taken as a conflict. */
export function withConflictMapping<Result>(write: () => Promise<Result>): Promise<Result> {
  return mapConflicts(user, write);
}

/** A department and a band, where they are said. */
interface Assignment {
  departmentId?: string | null | undefined;
  bandId?: string | null | undefined;
}

/** Looks whether department and band, where they are given, are of the company. Nobody removes them until the transaction ends. @throws ApiError `INVALID_INPUT` */
export async function checkPlaces(
  transaction: Transaction,
  companyId: string,
  places: Assignment,
  names = { departmentId: 'departmentId', bandId: 'bandId' },
): Promise<void> {
  if ((places.departmentId ?? places.bandId ?? null) === null) return;
  assertFound(places, await lockAssignments(transaction, companyId, places), names);
}

/**
 * The department and band that are given, or else the company's defaults; null where it has none. Nobody removes them until the
 * transaction ends.
 *
 * @throws ApiError `COMPANY_FORBIDDEN` for an unknown company, `INVALID_INPUT` for a place that is not the company's
 */
export async function placesOrDefaults(
  transaction: Transaction,
  companyId: string,
  given: Assignment,
): Promise<{ departmentId: string | null; bandId: string | null }> {
  for (;;) {
    const company = await getCompanyOrForbid(transaction, companyId);
    const { departmentId = company.defaultDepartmentId, bandId = company.defaultBandId } = given;
    const kept = await lockAssignments(transaction, companyId, { departmentId, bandId });
    assertFound(given, kept);
    if (kept.departmentId && kept.bandId) return { departmentId, bandId };
    // It was the default a moment ago, and is gone: the company has another one by now.
  }
}

/** Which of the places are the company's, after whoever is removing them is done; those that are not said count as such. */
async function lockAssignments(
  transaction: Transaction,
  companyId: string,
  { departmentId = null, bandId = null }: Assignment,
): Promise<{ departmentId: boolean; bandId: boolean }> {
  const [kept] = await transaction.query<{ departmentId: boolean; bandId: boolean }>(sql`
    select ${departmentId}::uuid is null or exists (
             select from departments where id = ${departmentId}::uuid and company_id = ${companyId}::uuid
                for key share) as "departmentId",
           ${bandId}::uuid is null or exists (
             select from employee_bands where id = ${bandId}::uuid and company_id = ${companyId}::uuid
                for key share) as "bandId"`);
  if (kept === undefined) throw new TypeError('A statement without a from clause gave no row');
  return kept;
}

function assertFound(
  given: Assignment,
  kept: { departmentId: boolean; bandId: boolean },
  names = { departmentId: 'departmentId', bandId: 'bandId' },
): void {
  const problems: FieldProblem[] = [];
  if (given.departmentId && !kept.departmentId) problems.push(notOfCompany(names.departmentId, 'department'));
  if (given.bandId && !kept.bandId) problems.push(notOfCompany(names.bandId, 'band'));
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
}

function notOfCompany(field: string, noun: string): FieldProblem {
  return { field, code: 'INVALID_VALUE', message: `${field} must be the id of a ${noun} of this company.` };
}
