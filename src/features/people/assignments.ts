import sql from 'sql-template-tag';
import { getCompanyOrForbid } from '../../api/company-row.ts';
import { anyOf, notOfCompany } from '../../api/hierarchy.ts';
import type { Transaction } from '../../db/database.ts';
import { apiErrors } from '../../entities/api-error.ts';
import type { FieldProblem } from '../../entities/field-problem.ts';
import { pathOf } from './employment.ts';

/** The department, the band and the manager of a person; absent or null where none is named. */
export interface Assignment {
  departmentId?: string | null | undefined;
  bandId?: string | null | undefined;
  managerId?: string | null | undefined;
}

/** Ids of a company's departments, bands and people that are locked against removal until the transaction ends. */
export interface Assignable {
  departments: ReadonlySet<string>;
  bands: ReadonlySet<string>;
  managers: ReadonlySet<string>;
}

/** Locks the named departments, bands and managers that belong to the company, waiting for concurrent removals. */
export async function lockAssignable(
  transaction: Transaction,
  companyId: string,
  assignments: readonly Assignment[],
): Promise<Assignable> {
  const departmentIds = idsOf(assignments.map(({ departmentId }) => departmentId));
  const bandIds = idsOf(assignments.map(({ bandId }) => bandId));
  const managerIds = idsOf(assignments.map(({ managerId }) => managerId));
  if (departmentIds.length + bandIds.length + managerIds.length === 0) {
    return { departments: new Set(), bands: new Set(), managers: new Set() };
  }
  const [locked] = await transaction.query<Record<keyof Assignable, string[]>>(sql`
    with department as (
           select id from departments where id = ${anyOf(departmentIds)} and company_id = ${companyId}::uuid
            order by id for key share),
         band as (
           select id from employee_bands where id = ${anyOf(bandIds)} and company_id = ${companyId}::uuid
            order by id for key share),
         manager as (
           select id from users where id = ${anyOf(managerIds)} and company_id = ${companyId}::uuid
            order by id for key share)
    select array_to_json(array(select id from department)) as departments,
           array_to_json(array(select id from band)) as bands, array_to_json(array(select id from manager)) as managers`);
  return {
    departments: new Set(locked?.departments),
    bands: new Set(locked?.bands),
    managers: new Set(locked?.managers),
  };
}

function idsOf(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids)].filter((id): id is string => typeof id === 'string');
}

type FieldNames = Readonly<Record<'departmentId' | 'bandId', string>>;
const OWN_NAMES: FieldNames = { departmentId: 'departmentId', bandId: 'bandId' };

/**
 * Checks that a department, a band and a manager belong to the company, and locks them until the transaction ends.
 *
 * @param locked ids locked already; absent: they are looked up
 * @param names names of the two fields in the request
 * @throws ApiError `INVALID_INPUT`
 */
export async function checkAssignment(
  transaction: Transaction,
  companyId: string,
  assignment: Assignment,
  locked?: Assignable,
  names = OWN_NAMES,
): Promise<void> {
  const assignable = locked ?? (await lockAssignable(transaction, companyId, [assignment]));
  const problems = notAssignable(assignment, assignable, names);
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
    }));
    const assignable = await lockAssignable(transaction, companyId, wanted);
    const resolved = wanted.map(({ named: assignment, departmentId, bandId }) => ({
      departmentId,
      bandId,
      problems: notAssignable(assignment, assignable, OWN_NAMES),
    }));
    const isDefaultGone = resolved.some(
      ({ problems, ...assignment }) => notAssignable(assignment, assignable, OWN_NAMES).length > problems.length,
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

function notAssignable(
  { departmentId, bandId, managerId }: Assignment,
  { departments, bands, managers }: Assignable,
  names: FieldNames,
): FieldProblem[] {
  return [
    ...(departmentId && !departments.has(departmentId) ? [notOfCompany(names.departmentId, 'department')] : []),
    ...(bandId && !bands.has(bandId) ? [notOfCompany(names.bandId, 'band')] : []),
    ...(managerId && !managers.has(managerId) ? [notOfCompany(pathOf('managerId'), 'person')] : []),
  ];
}
