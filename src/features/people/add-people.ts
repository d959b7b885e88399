import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { prefixProblems, validOrThrow } from '../../api/body.ts';
import { withPhone } from '../../api/company-row.ts';
import { checkCustomFields, usualFields } from '../../api/custom-fields.ts';
import { assertHierarchy } from '../../api/hierarchy.ts';
import type { Author } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedInsert, auditedInsertWithExtension } from '../../audit/audited-write.ts';
import type { Transaction, Writer } from '../../db/database.ts';
import { problemOf } from '../../entities/api-error.ts';
import { allOf, type Checked, invalid, mapValid, noProblems, valid } from '../../entities/check-fields.ts';
import type { NewRowOf } from '../../entities/entity.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';
import type { FirstAdmin } from '../companies/companies-schemas.ts';
import { checkEmployment, checkGuest, pathOf, type ResolvedAssignment, resolveAssignments } from './assignments.ts';
import { findTaken, someTaken } from './change-people.ts';
import { addRoles, checkGift } from './held-roles.ts';
import { linkManagers, peopleOf, replaceFormers } from './newcomers.ts';
import { assertOwnDomains, findPeople, type Person } from './person-service.ts';
import type { NewUser } from './users-input.ts';

const insertPeople = auditedInsert(user);
const insertWithDirectory = auditedInsertWithExtension(user, scimUser);

/** A person to add, with roles in their company. */
export interface NewPerson {
  row: NewRowOf<typeof user>;
  roles: readonly CompanyRole[];
  /** What the directory that adds the person knows of them. */
  directory?: NewRowOf<typeof scimUser>;
}

/** Adds people of a company with their roles, skipping ids that exist already. @returns the ids of people added */
export async function addPeople(
  db: Writer,
  { actor, caller }: { actor: Actor; caller?: Author['caller'] },
  people: readonly NewPerson[],
): Promise<ReadonlySet<string>> {
  const [first] = people;
  if (first === undefined) return new Set();
  for (const { row, roles } of people) await checkGift(db, caller, { changes: row, roles });
  const { directory: extension } = first;
  const { companyId: company } = first.row;
  const usual = people.some(({ row }) => row.fields === undefined) ? await usualFields(db, user, company) : null;
  const rows = people.map(({ row }) => ({ fields: usual, ...row }));
  const insert = extension
    ? insertWithDirectory({ row: { fields: usual, ...first.row }, extension, actor })
    : insertPeople(rows, actor);
  const added = new Set(
    (await db.query<{ id: string }>(sql`with ${insert} select id from written`)).map(({ id }) => id),
  );
  const given = people
    .filter((person) => added.has(person.row.id))
    .flatMap(({ row: { id: userId, companyId }, roles }) => roles.map((role) => ({ userId, companyId, role })));
  await addRoles(db, actor, given);
  if (added.size > 0) await linkManagers(db, actor, company, peopleOf([...added]));
  return added;
}

/**
 * Adds people as sent to a company, with its defaults. Idempotent: existing people with the same id and content are left unchanged.
 *
 * @param pathAt returns the path of a person in a list of the request; absent: there is one, whose fields have no prefix
 * @returns the number of people added
 * @throws ApiError `INVALID_INPUT` for a department or band that is missing or of another company, `ALREADY_EXISTS`
 */
export async function createPeople(
  transaction: Transaction,
  author: Author,
  companyId: string,
  given: readonly NewUser[],
  pathAt?: (index: number) => string,
): Promise<number> {
  if (given.length === 0) return 0;
  const read = given.map((one, index) =>
    withPhone(transaction, companyId, one, pathAt ? `${pathAt(index)}.phone` : 'phone'),
  );
  const own = given.map(({ id, fields }, index) => {
    return { id, isNew: true, stored: null, given: fields, ...(pathAt && { path: pathAt(index) }) };
  });
  const { caller } = author;
  const fields = await checkCustomFields(transaction, user, { caller, companyId }, own);
  const sent = (await Promise.all(read)).map((one, index) => ({ ...one, fields: fields[index] ?? null }));
  const people = await withAssignments(transaction, companyId, sent, pathAt);
  const indexOf = (id: string) => given.findIndex((one) => one.id === id);
  const takenAmong = async (ids: readonly string[]) => {
    const known = await findPeople(transaction, ids);
    return ids.flatMap((id) => {
      const index = indexOf(id);
      const { row, roles } = people[index] ?? {};
      return row && roles && isSame(known.get(id), row, roles) ? [] : [{ index, field: user.id }];
    });
  };
  const ids = given.map(({ id }) => id);
  const known = new Set(pathAt ? (await transaction.query<{ id: string }>(peopleOf(ids))).map(({ id }) => id) : []);
  const isNew = ids.map((id) => !known.has(id));
  await replaceFormers(transaction, author, companyId, given, pathAt);
  if (pathAt) {
    const rows = people.map(({ row }) => row);
    const taken = [...(await takenAmong([...known])), ...(await findTaken(transaction, rows, isNew))];
    taken.sort((one, other) => one.index - other.index);
    if (taken.length > 0) throw someTaken(taken, pathAt);
  }
  const addresses = people.map(({ row }, index) => (isNew[index] ? [row.email] : []));
  await assertOwnDomains(transaction, companyId, addresses, pathAt);
  // Ordered by address, so that two transactions adding the same people cannot deadlock.
  const wanted = people
    .filter(({ row }) => !known.has(row.id))
    .sort((one, other) => (one.row.email.toLowerCase() < other.row.email.toLowerCase() ? -1 : 1));
  const added = await addPeople(transaction, author, wanted);
  // An id that exists, in a list one that was inserted concurrently.
  const taken = await takenAmong(wanted.flatMap(({ row }) => (added.has(row.id) ? [] : [row.id])));
  if (taken.length > 0) throw someTaken(taken, pathAt);
  if (pathAt) {
    const managed = wanted.flatMap(({ row }) => (row.managerId ? [row.id] : []));
    await assertHierarchy(transaction, user, managed, (field, id) => `${pathAt(indexOf(id))}.${pathOf(field)}`);
  }
  return added.size;
}

/** Returns the people with their departments and bands, looked up in one batch. @throws ApiError `INVALID_INPUT` */
async function withAssignments(
  transaction: Transaction,
  companyId: string,
  given: readonly NewUser[],
  pathAt?: (index: number) => string,
): Promise<NewPerson[]> {
  // A manager may be another person of the list.
  const ids = new Set(pathAt ? given.map(({ id }) => id) : []);
  const hosts = await findPeople(
    transaction,
    given.flatMap(({ hostId }) => hostId ?? []),
    sql`company_id = ${companyId}::uuid`,
  );
  const named = given.map(({ departmentId, bandId, managerId, hostId, legalEntityId }) => {
    const host = hosts.get(hostId ?? '');
    return {
      departmentId: departmentId ?? host?.departmentId,
      bandId: bandId ?? host?.bandId,
      managerId: managerId && ids.has(managerId) ? null : managerId,
      hostId,
      legalEntityId,
    };
  });
  const assignments = await resolveAssignments(transaction, companyId, named);
  const checked = given.map((one, index): Checked<NewPerson> => {
    const assignment = assignments[index];
    if (assignment === undefined) throw new TypeError('An assignment was resolved to none');
    const person = newPerson(one, assignment);
    return person.ok || pathAt === undefined ? person : invalid(...prefixProblems(pathAt(index), person.problems));
  });
  return [...validOrThrow(allOf(...checked))];
}

/** Combines the body with the resolved department and band; problems name the one that is wrong or missing. */
function newPerson(
  { roles, newcomer: _, ...fields }: NewUser,
  { departmentId, bandId, problems }: ResolvedAssignment,
): Checked<NewPerson> {
  const checked = allOf(
    noProblems(...problems, ...checkEmployment(fields), ...checkGuest(fields as Partial<Person>)),
    assigned('departmentId', departmentId),
    assigned('bandId', bandId),
  );
  return mapValid(checked, ([, department, band]) => ({
    // Administrators do not send the points.
    row: { ...fields, loyaltyPoints: fields.loyaltyPoints ?? 0, departmentId: department, bandId: band, active: true },
    roles,
  }));
}

function assigned(field: string, id: string | null): Checked<string> {
  if (id !== null) return valid(id);
  return invalid(problemOf(field, 'REQUIRED', 'is required: the company has no default'));
}

/** Returns whether a person has exactly the content and roles of a create. */
function isSame(person: Person | undefined, row: object, roles: readonly string[]): boolean {
  if (person === undefined || person.systemRole !== null) return false;
  const present = Object.fromEntries(Object.keys(row).map((name) => [name, person[name as keyof Person]]));
  const held = person.companyRoles.map(({ companyId, role }) => [companyId, role]);
  const wanted = roles.map((role) => [person.companyId, role]);
  return isDeepStrictEqual([present, held], [{ ...row }, wanted]);
}

/** The department and band of the first people of a company. */
export interface FirstAssignment {
  companyId: string;
  departmentId: string;
  bandId: string;
}

/** Adds the first administrator of a company. @throws ApiError `ALREADY_EXISTS`, `INVALID_INPUT` */
export async function addFirstAdmin(
  transaction: Transaction,
  actor: Actor,
  assignment: FirstAssignment,
  given: FirstAdmin,
): Promise<void> {
  const { companyId } = assignment;
  const row = {
    id: randomUUID(),
    clientType: 'CORPORATE' as const,
    workerType: 'EMPLOYEE' as const,
    approvalLimit: '0.00',
    loyaltyPoints: 0,
    active: true,
    ...given,
    ...assignment,
  };
  await assertOwnDomains(transaction, companyId, [[row.email]], () => 'firstAdmin');
  const person = await withPhone(transaction, companyId, row, 'firstAdmin.phone');
  await addPeople(transaction, { actor }, [{ row: person, roles: ['CORPORATE_ADMIN'] }]);
}
