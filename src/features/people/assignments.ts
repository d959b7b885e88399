import sql, { join, raw } from 'sql-template-tag';
import { checkObject } from '../../api/body.ts';
import { getCompanyOrForbid } from '../../api/company-row.ts';
import { erased, isErased, notOfCompany } from '../../api/hierarchy.ts';
import type { Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { apiErrors, type FieldProblem, problemOf } from '../../entities/api-error.ts';
import type { Checked, RawFields } from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { EMPLOYMENT_FIELDS, type Employment, user } from '../../entities/user.ts';

/** The object with the employment in requests and responses. */
const EMPLOYMENT = 'employment';

type EmploymentRow = RowOf<typeof user, (typeof EMPLOYMENT_FIELDS)[number]>;

/** Checks the employment in a request. @param check what becomes of absent fields: `checkNewRow` or `checkPatch` */
export function readEmployment<Values extends Partial<EmploymentRow>>(
  { employment = {} }: RawFields,
  check: (entity: typeof user, names: typeof EMPLOYMENT_FIELDS, given: RawFields) => Checked<Values>,
): Checked<Values> {
  return checkObject(EMPLOYMENT, employment, EMPLOYMENT_FIELDS, (fields) => check(user, EMPLOYMENT_FIELDS, fields));
}

/** Returns the path of a field of a person in requests. */
export function pathOf(field: string): string {
  return EMPLOYMENT_FIELDS.some((name) => name === field) ? `${EMPLOYMENT}.${field}` : field;
}

/** Finds dates that contradict each other. */
export function checkEmployment({ startDate, endDate }: Partial<Employment>): FieldProblem[] {
  if (!startDate || !endDate || startDate <= endDate) return [];
  const field = pathOf('endDate');
  return [problemOf(field, 'OUT_OF_RANGE', `must not be before the first day, ${startDate}`)];
}

/** Finds what a guest needs and lacks. */
export function checkGuest(person: Partial<RowOf<typeof user>>): FieldProblem[] {
  const { id, workerType, hostId, endDate } = person;
  if (workerType !== 'GUEST') return [];
  return [
    ...(endDate ? [] : [problemOf('until', 'REQUIRED', 'is required for a guest')]),
    ...(hostId ? [] : [problemOf('hostId', 'REQUIRED', 'is required for a guest')]),
    ...(hostId && hostId === id ? [problemOf('hostId', 'INVALID_VALUE', 'must be another person')] : []),
  ];
}

/** The department, the band, the manager, the substitute, the host and the legal entity of a person; absent or null where none is named. */
export interface Assignment {
  departmentId?: string | null | undefined;
  bandId?: string | null | undefined;
  managerId?: string | null | undefined;
  substituteId?: string | null | undefined;
  hostId?: string | null | undefined;
  legalEntityId?: string | null | undefined;
}

/** What the ids of an assignment refer to. */
const TARGETS: Readonly<Record<keyof Assignment, { table: string; noun: string; only?: string }>> = {
  departmentId: { table: 'departments', noun: 'department' },
  bandId: { table: 'employee_bands', noun: 'band' },
  managerId: { table: 'users', noun: 'person' },
  substituteId: { table: 'users', noun: 'user' },
  hostId: { table: 'users', noun: 'person who is no guest', only: "worker_type <> 'GUEST'" },
  legalEntityId: { table: 'legal_entities', noun: 'legal entity' },
};
const FIELDS = Object.keys(TARGETS) as (keyof Assignment)[];

/** Ids of a company's departments, bands and people that are locked against removal until the transaction ends. */
export type Assignable = Readonly<Record<keyof Assignment, ReadonlySet<string>>>;

/** Locks the named departments, bands and people that belong to the company, waiting for concurrent removals. */
export async function lockAssignable(
  transaction: Transaction,
  companyId: string,
  assignments: readonly Assignment[],
): Promise<Assignable> {
  const named = FIELDS.map((field) => [...new Set(assignments.flatMap((assignment) => assignment[field] ?? []))]);
  const locks = FIELDS.map(
    (field, index) => sql`
      "${raw(field)}" as (
        select id from ${raw(TARGETS[field].table)} where id = ${anyOf(named[index] ?? [])} and company_id = ${companyId}::uuid
           and ${raw(TARGETS[field].only ?? 'true')} order by id for key share)`,
  );
  const locked = FIELDS.map((field) => raw(`array_to_json(array(select id from "${field}")) as "${field}"`));
  const people = FIELDS.flatMap((field, index) => (TARGETS[field].table === 'users' ? (named[index] ?? []) : []));
  const namesErased = sql`
    exists (select from users where id = ${anyOf(people)} and company_id = ${companyId}::uuid
               and ${isErased('users')}) as "namesErased"`;
  const [found] = named.every((ids) => ids.length === 0)
    ? []
    : await transaction.query<Record<keyof Assignment, string[]> & { namesErased: boolean }>(
        sql`with ${join(locks)} select ${join(locked)}, ${namesErased}`,
      );
  if (found?.namesErased) throw erased();
  return Object.fromEntries(FIELDS.map((field) => [field, new Set(found?.[field])])) as unknown as Assignable;
}

/** Asserts that a department, a band and people belong to the company whose ids are locked. @throws ApiError `INVALID_INPUT` */
export function assertAssignable(assignment: Assignment, assignable: Assignable): void {
  const problems = notAssignable(assignment, assignable);
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
}

/** Department and band of a new person; null where none is named and the company has no default. */
export interface ResolvedAssignment {
  departmentId: string | null;
  bandId: string | null;
  /** Problems of named ids that do not belong to the company. */
  problems: readonly FieldProblem[];
}

/**
 * Fills in the company's defaults for a missing department or band, and locks the results until the transaction ends.
 *
 * @returns one result per assignment, in the same order
 * @throws ApiError `COMPANY_FORBIDDEN` for an unknown company
 */
export async function resolveAssignments(
  transaction: Transaction,
  companyId: string,
  named: readonly Assignment[],
): Promise<ResolvedAssignment[]> {
  for (;;) {
    const { defaultDepartmentId, defaultBandId } = await getCompanyOrForbid(transaction, companyId);
    const wanted = named.map((assignment) => ({
      named: assignment,
      departmentId: assignment.departmentId ?? defaultDepartmentId,
      bandId: assignment.bandId ?? defaultBandId,
      managerId: assignment.managerId,
      hostId: assignment.hostId,
      legalEntityId: assignment.legalEntityId,
    }));
    const assignable = await lockAssignable(transaction, companyId, wanted);
    const resolved = wanted.map(({ named: assignment, departmentId, bandId }) => ({
      departmentId,
      bandId,
      problems: notAssignable(assignment, assignable),
    }));
    const isDefaultGone = resolved.some(
      ({ problems, ...assignment }) => notAssignable(assignment, assignable).length > problems.length,
    );
    if (!isDefaultGone) return resolved;
    // A default was removed concurrently: retry with the new one.
  }
}

/** Resolves the assignment of one person like {@link resolveAssignments}. @throws ApiError `COMPANY_FORBIDDEN`, `INVALID_INPUT` */
export async function assignmentOrDefaults(
  transaction: Transaction,
  companyId: string,
  named: Assignment,
): Promise<{ departmentId: string | null; bandId: string | null }> {
  const [resolved] = await resolveAssignments(transaction, companyId, [named]);
  if (resolved === undefined) throw new TypeError('One assignment was resolved to none');
  const { problems, ...assignment } = resolved;
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
  return assignment;
}

function notAssignable(assignment: Assignment, assignable: Assignable): FieldProblem[] {
  return FIELDS.flatMap((field) => {
    const id = assignment[field];
    if (!id || assignable[field].has(id)) return [];
    return [notOfCompany(pathOf(field), TARGETS[field].noun)];
  });
}
