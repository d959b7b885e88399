import { checkCreate, parseBody, prefixProblems, throwIfInvalid } from '../../api/body.ts';
import { checkNewRow, type RawFields, unknownFields } from '../../entities/check-fields.ts';
import { company } from '../../entities/company.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import { user } from '../../entities/user.ts';
import type { FieldProblem } from '../../lib/errors.ts';
import { type COMPANY_FIELDS, FIRST_ADMIN_FIELDS, NEW_COMPANY_FIELDS } from './companies-schemas.ts';

export type FirstAdmin = NewRowOf<typeof user, (typeof FIRST_ADMIN_FIELDS)[number]>;
/** A new company as a body gives one. */
export interface NewCompany extends NewRowOf<typeof company, 'id' | (typeof NEW_COMPANY_FIELDS)[number]> {
  firstAdmin?: FirstAdmin;
}
export type CompanyPatch = Partial<RowOf<typeof company, (typeof COMPANY_FIELDS)[number]>>;

/** Reads the body of a create. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readNewCompany(raw: unknown): NewCompany {
  const given = parseBody(raw);
  const row = checkCreate(company, NEW_COMPANY_FIELDS, given, ['firstAdmin']);
  const admin = Object.hasOwn(given, 'firstAdmin') ? checkFirstAdmin(given.firstAdmin) : undefined;
  throwIfInvalid(row.problems, admin?.problems ?? []);
  return { ...row.values, ...(admin ? { firstAdmin: admin.values } : {}) };
}

function checkFirstAdmin(given: unknown): { values: FirstAdmin; problems: readonly FieldProblem[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const problem: FieldProblem = {
      field: 'firstAdmin',
      code: 'INVALID_TYPE',
      message: 'firstAdmin must be an object.',
    };
    return { values: {} as FirstAdmin, problems: [problem] };
  }
  const { values, problems } = checkNewRow(user, FIRST_ADMIN_FIELDS, given as RawFields);
  const all = [...problems, ...unknownFields(given as RawFields, FIRST_ADMIN_FIELDS)];
  return { values, problems: prefixProblems('firstAdmin', all) };
}
