import { checkCreate, checkObject, parseBody, validOrThrow } from '../../api/body.ts';
import { compileListOfStates } from '../../api/list-schemas.ts';
import { allOf, type Checked, checkNewRow } from '../../entities/check-fields.ts';
import { company } from '../../entities/company.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import { user } from '../../entities/user.ts';
import { type COMPANY_FIELDS, CompanyListInput, FIRST_ADMIN_FIELDS, NEW_COMPANY_FIELDS } from './companies-schemas.ts';

export type FirstAdmin = NewRowOf<typeof user, (typeof FIRST_ADMIN_FIELDS)[number]>;
/** A new company in a request. */
export interface NewCompany extends NewRowOf<typeof company, 'id' | (typeof NEW_COMPANY_FIELDS)[number]> {
  firstAdmin?: FirstAdmin;
}
export type CompanyPatch = Partial<RowOf<typeof company, (typeof COMPANY_FIELDS)[number]>>;

/** Reads the parameters of the list. @throws ApiError `INVALID_INPUT` */
export const readCompanyList = compileListOfStates(CompanyListInput) as (raw: unknown) => CompanyListInput;

/** Parses the body of a create. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readNewCompany(raw: unknown): NewCompany {
  const given = parseBody(raw);
  const row = checkCreate(company, NEW_COMPANY_FIELDS, given, ['firstAdmin']);
  if (!Object.hasOwn(given, 'firstAdmin')) return validOrThrow(row);
  const [values, firstAdmin] = validOrThrow(allOf(row, checkFirstAdmin(given.firstAdmin)));
  return { ...values, firstAdmin };
}

function checkFirstAdmin(given: unknown): Checked<FirstAdmin> {
  return checkObject('firstAdmin', given, FIRST_ADMIN_FIELDS, (fields) =>
    checkNewRow(user, FIRST_ADMIN_FIELDS, fields),
  );
}
