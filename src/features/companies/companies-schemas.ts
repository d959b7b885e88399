import { type Static, Type } from 'typebox';
import { checkCreate, checkObject, parseBody, validOrThrow } from '../../api/body.ts';
import { LIST_OF } from '../../api/input.ts';

import {
  compileListOfStates,
  externalIdParameter,
  fieldsView,
  INCLUDED_FIELDS,
  INCLUDED_ID,
  idParameter,
  includedTimes,
  includeParameter,
  newIdParameter,
  searchParameter,
  sortParameter,
  timeFields,
  updatedSince,
} from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { allOf, checkNewRow } from '../../entities/check-fields.ts';
import { BRAND_FIELDS, company } from '../../entities/company.ts';
import { fieldsBut, type NewRowOf, type RowOf } from '../../entities/entity.ts';
import {
  answeredFields,
  givenFields,
  newRowFields,
  optional,
  textOrNull,
  titled,
} from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';
import { creditUsed } from './credit.ts';

export const CompanyListInput = Type.Object({
  search: searchParameter('name, legal name, GSTIN or e-mail address'),
  activeOnly: optional.boolean('true: only active companies'),
  inactiveOnly: optional.boolean('true: only closed companies; not with activeOnly, which is true'),
  overCredit: optional.boolean('true: only companies whose creditUsed is more than their creditLimit'),
  sort: sortParameter('name', 'creditLimit', 'creditDays', 'updatedAt'),
  updatedSince,
  include: includeParameter({
    currency: 'adds the currency of the credit limit',
    creditUsed: 'adds how much of it is used',
    ...INCLUDED_ID,
    ...INCLUDED_FIELDS,
    brand: 'adds the name and looks of the product for its people',
  }),
  externalId: externalIdParameter,
  ...pageParameters(100),
});
export type CompanyListInput = Static<typeof CompanyListInput>;

/** Fields of a company in the list. */
export const LISTED_FIELDS = ['id', 'name', 'legalName', 'gstin', 'creditLimit', 'creditDays', 'active'] as const;

const includedBrand = Type.Partial(Type.Object(answeredFields(company, BRAND_FIELDS))).properties;

const counts = Type.Object({
  users: Type.Integer({ description: 'People of the company, including deactivated ones', examples: [60] }),
  bookings: Type.Integer({ examples: [812] }),
});

export const CompanyView = titled('Company', {
  ...answeredFields(company, LISTED_FIELDS),
  ...includedTimes,
  ...fieldsView,
  ...includedBrand,
  _count: counts,
  externalId: Type.Optional(answeredFields(company, ['externalId']).externalId),
  currency: optional.text({
    description: 'Only with include=currency: by ISO 4217, of the service where the company has none',
    examples: ['INR'],
  }),
  creditUsed: optional.text({
    ...creditUsed,
    description: `Only with include=creditUsed: ${creditUsed.description}`,
  }),
});
export type CompanyView = Static<typeof CompanyView>;

/** Further fields of a single company in responses. */
export const FURTHER_FIELDS = fieldsBut(company, ...LISTED_FIELDS, ...BRAND_FIELDS, 'fields');

const HeadCount = titled('HeadCount', {
  month: Type.String({ description: 'In the form 2026-01', examples: ['2026-01'] }),
  people: Type.Integer({ description: 'People at its end, in the present month today', examples: [58] }),
});
export type HeadCount = Static<typeof HeadCount>;

export const CompanyDetail = titled('CompanyDetail', {
  ...answeredFields(company, [...LISTED_FIELDS, ...FURTHER_FIELDS]),
  ...timeFields,
  ...fieldsView,
  _count: counts,
  creditUsed: Type.String(creditUsed),
});
export type CompanyDetail = Static<typeof CompanyDetail>;
/** A company as it is stored. */
export interface CompanyRow
  extends Omit<CompanyDetail, 'fields'>,
    RowOf<typeof company, (typeof BRAND_FIELDS)[number]> {
  fields: string | null;
}

export const CompanyWithCounts = titled('CompanyWithCounts', {
  ...CompanyDetail.properties,
  ...includedBrand,
  headCounts: Type.Optional(
    Type.Array(HeadCount, { description: 'Only with include=headCounts: the last twelve months, oldest first' }),
  ),
  overCreditSince: Type.Optional(
    textOrNull({
      format: 'date',
      examples: ['2026-01-31'],
      description:
        'Only with include=overCreditSince: the day since when creditUsed is more than creditLimit, as it is now; null: it is not',
    }),
  ),
});

/** Fields of a new company, and of its first administrator. */
const NEW_COMPANY_FIELDS = fieldsBut(company, 'id', 'active', 'defaultDepartmentId', 'defaultBandId', 'closedTo');
const FIRST_ADMIN_FIELDS = ['email', 'firstName', 'lastName', 'phone'] as const;
/** Fields that an update may change: by a Super Admin, and by the company's own Corporate Admins. */
export const COMPANY_FIELDS = fieldsBut(company, 'id', 'closedTo');
export const OWN_COMPANY_FIELDS: readonly string[] = [
  'email',
  'defaultDepartmentId',
  'defaultBandId',
  'country',
  'budgetPeriod',
  'fiscalYearStart',
  'timeZone',
  ...BRAND_FIELDS,
  'fields',
];

const id = idParameter(company);

export const CompanyGetInput = Type.Object({
  id,
  include: optional.text({
    [LIST_OF]: { enum: ['headCounts', 'fields', 'brand', 'overCreditSince'] },
    description:
      'brand: adds the name and looks of the product for its people; ' +
      'fields: adds fields of one’s own, also where none are defined; ' +
      'headCounts: adds how many people worked in the company in each of the last twelve months, from the start of ' +
      'their employment, or since they were added, to its end, or until they were deactivated; ' +
      'overCreditSince: adds since when creditUsed is more than creditLimit',
  }),
});

export const CompanyCreateInput = Type.Object({
  id: newIdParameter,
  ...newRowFields(company, NEW_COMPANY_FIELDS),
  firstAdmin: Type.Optional(
    Type.Object(newRowFields(user, FIRST_ADMIN_FIELDS), {
      description: 'First Corporate Admin, created with the company',
    }),
  ),
});

export const CompanyUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object(givenFields(company, COMPANY_FIELDS))).properties,
});

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
  if (given.firstAdmin === undefined) return validOrThrow(row);
  const admin = checkObject('firstAdmin', given.firstAdmin, FIRST_ADMIN_FIELDS, (fields) =>
    checkNewRow(user, FIRST_ADMIN_FIELDS, fields),
  );
  const [values, firstAdmin] = validOrThrow(allOf(row, admin));
  return { ...values, firstAdmin };
}
