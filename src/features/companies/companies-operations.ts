import { changesOf, readUpdate } from '../../api/body.ts';
import { showFields } from '../../api/custom-fields.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { type OwnFilter, ownConditions } from '../../api/own-filter.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { administrators, companyStaff, platformStaff, superAdmins } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { BRAND_FIELDS, company } from '../../entities/company.ts';
import { entityTag } from '../../http/response/entity-tag.ts';
import {
  type CompanySettings,
  completed,
  findCompany,
  findOverCreditSince,
  listCompanies,
  listHeadCounts,
} from './companies-queries.ts';
import {
  COMPANY_FIELDS,
  CompanyCreateInput,
  CompanyDetail,
  CompanyGetInput,
  CompanyListInput,
  CompanyUpdateInput,
  CompanyView,
  CompanyWithCounts,
  readCompanyList,
  readNewCompany,
} from './companies-schemas.ts';
import { type AdminSource, createCompany, updateCompany } from './companies-service.ts';
import {
  ClosingInput,
  closeCompanyPeriod,
  PaymentInput,
  PaymentView,
  readClosing,
  readPayment,
  recordCompanyPayment,
} from './company-books.ts';

type CompanyServices = CompanySettings & { db: Database };

const common = { tag: 'Companies', scope: 'companies.read' } as const;
const writing = { ...common, scope: 'companies.write', writes: true, output: one(CompanyDetail) } as const;

const list = operation({
  ...common,
  id: 'companies.list',
  ignoresUnknown: true,
  operationId: 'listCompanies',
  summary: 'List companies',
  description:
    'The registered companies with their numbers of people and bookings, sorted by name unless sort is given. For ' +
    'Super Admins and Platform RMs.',
  access: platformStaff,
  filtersFields: true,
  input: CompanyListInput,
  parse: readCompanyList,
  output: page(CompanyView),
  message: 'Companies retrieved successfully',
  async handle({ input, scope, caller }, { lists, defaultCurrency }: CompanySettings & { lists: Reader }) {
    const own = await ownConditions(lists, company, caller, undefined, input as OwnFilter);
    const found = await listCompanies(lists, { ...input, own, scope, defaultCurrency }, pageRequestOf(input));
    if (input.include?.includes('fields')) await showFields(lists, company, caller, found.items, { isAsked: true });
    return found;
  },
});

const get = operation({
  ...common,
  id: 'companies.get',
  operationId: 'getCompany',
  summary: 'Get a company',
  description:
    'One company with all fields. For its Corporate Admins and Managers; for Super Admins and Platform RMs, even if ' +
    'it is closed.',
  access: companyStaff,
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: CompanyGetInput,
  output: one(CompanyWithCounts),
  message: 'Company retrieved successfully',
  async handle({ input, scope, caller, reply }, { db, defaultCurrency }: CompanyServices) {
    const row = await findCompany(db, input.id, scope);
    const found = completed(row, defaultCurrency);
    // The tag of an update: it covers what can be updated.
    reply.header('etag', entityTag(found));
    const { include } = input;
    await showFields(db, company, caller, [found], { isAsked: include?.includes('fields') ?? false });
    const brand = include?.includes('brand') && Object.fromEntries(BRAND_FIELDS.map((name) => [name, row[name]]));
    const headCounts = include?.includes('headCounts') && { headCounts: await listHeadCounts(db, input.id) };
    const since = include?.includes('overCreditSince') && { overCreditSince: await findOverCreditSince(db, input.id) };
    return { ...found, ...brand, ...headCounts, ...since };
  },
});

const create = operation({
  ...writing,
  id: 'companies.create',
  operationId: 'createCompany',
  summary: 'Create a company',
  description:
    'Creates a company with a default department and band, and optionally its first Corporate Admin. Idempotent with ' +
    'a client-generated id. For Super Admins.',
  access: superAdmins,
  etag: 'response',
  errors: ['ALREADY_EXISTS', 'FIELD_FORBIDDEN'],
  input: CompanyCreateInput,
  parse: readNewCompany,
  message: 'Company created successfully',
  handle: (call, { db, defaultCurrency, timeZone, addFirstAdmin }: CompanyServices & AdminSource) =>
    createCompany(db, call, call.input, { defaultCurrency, timeZone, addFirstAdmin }),
});

const update = operation({
  ...writing,
  id: 'companies.update',
  operationId: 'updateCompany',
  summary: 'Update a company',
  description:
    'Changes the fields that are sent; active false closes the company. Its own Corporate Admins may change only its ' +
    'e-mail address, its defaults, country, timeZone, budgetPeriod, fiscalYearStart and brand. The currency stays once there are bookings. With If-Match, fails with 412 if it has changed since it was read.',
  access: administrators,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'FIELD_FORBIDDEN', 'ALREADY_EXISTS', 'IN_USE'],
  input: CompanyUpdateInput,
  parse: (raw) => readUpdate(company, COMPANY_FIELDS, raw),
  withoutUnchanged: (given, { scope }, { db, defaultCurrency }: CompanyServices) =>
    changesOf(company, given, async (id) => completed(await findCompany(db, id, scope), defaultCurrency)),
  message: 'Company updated successfully',
  handle: (call, { db, defaultCurrency }: CompanyServices) => updateCompany(db, call, call.input, defaultCurrency),
});

const recordPayment = operation({
  ...common,
  id: 'companies.recordPayment',
  operationId: 'recordCompanyPayment',
  scope: 'bookings.write',
  writes: true,
  summary: 'Record a payment of a company',
  description:
    'Records what a company paid, which lowers creditUsed. Idempotent with a client-generated id. For API keys, and for Super Admins.',
  access: superAdmins,
  errors: ['ALREADY_EXISTS'],
  input: PaymentInput,
  parse: readPayment,
  output: one(PaymentView),
  message: 'Payment recorded successfully',
  handle: (call, { db }: { db: Database }) => recordCompanyPayment(db, call, call.input),
});

const closePeriod = operation({
  ...common,
  id: 'companies.closePeriod',
  operationId: 'closeCompanyPeriod',
  scope: 'companies.write',
  writes: true,
  summary: 'Close the past of a company',
  description:
    'Closes the days before one: no booking made or cancelled in them is added or changes any more. Whoever cancels one ' +
    'of them, or records a refund, does so today. Days stay closed. For Corporate Admins of the company, and for Super Admins.',
  access: administrators,
  input: ClosingInput,
  parse: readClosing,
  output: one(CompanyDetail),
  message: 'Period closed successfully',
  handle: async (call, { db, defaultCurrency }: CompanyServices) =>
    completed(await closeCompanyPeriod(db, call, call.input), defaultCurrency),
});

export const companiesOperations = [list, get, create, update, recordPayment, closePeriod];
