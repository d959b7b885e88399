import { checkObject } from '../../api/body.ts';
import type { Checked, RawFields } from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { type FieldProblem, problemOf } from '../../entities/field-problem.ts';
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
