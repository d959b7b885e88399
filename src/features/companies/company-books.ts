import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { changedFields, readCreate, readValues, throwIfInvalid } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { companyIdParameter, newIdParameter } from '../../api/list-schemas.ts';
import { alreadyExists, inScope, type WriteRequest } from '../../api/write-request.ts';
import { auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import { selectFields, todayOf } from '../../audit/entity-sql.ts';
import { companyForbidden } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import { problemOf } from '../../entities/api-error.ts';
import { payment } from '../../entities/booking.ts';
import { company } from '../../entities/company.ts';
import { type BudgetSettings, budgetPeriodOn, type CalendarDate } from '../../entities/dates.ts';
import { answeredFields, newRowFields, optional, titled } from '../../entities/field-schemas.ts';
import { date, uuid } from '../../entities/values.ts';
import { findCompany } from './companies-queries.ts';
import type { CompanyRow } from './companies-schemas.ts';

const PAYMENT_FIELDS = ['companyId', 'amount', 'createdAt', 'reference'] as const;

export const PaymentInput = Type.Object({ id: newIdParameter, ...newRowFields(payment, PAYMENT_FIELDS) });
export const PaymentView = titled('Payment', answeredFields(payment, ['id', ...PAYMENT_FIELDS]));
type PaymentView = Static<typeof PaymentView>;

/** Parses the body of a payment. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readPayment(raw: unknown) {
  return readCreate(payment, PAYMENT_FIELDS, raw);
}

const insertPayment = auditedInsert(payment);

/** Records a payment of a company in scope; repeated with the same content it changes nothing. @throws ApiError `ALREADY_EXISTS` */
export function recordCompanyPayment(
  db: Database,
  { scope, actor }: WriteRequest,
  given: ReturnType<typeof readPayment>,
): Promise<PaymentView> {
  return db.transaction(async (transaction) => {
    await assertCompanyVisible(transaction, scope, given.companyId);
    await write(transaction, insertPayment([given], actor));
    const [stored] = await transaction.query<PaymentView>(sql`
      select ${selectFields(payment, ['id', ...PAYMENT_FIELDS])} from company_payments where id = ${given.id}`);
    const { id, companyId, amount, reference = null } = given;
    if (!stored || Object.keys(changedFields({ id, companyId, amount, reference }, stored)).length > 0) {
      throw alreadyExists(payment, ['id']);
    }
    return stored;
  });
}

const day = (description: string, example: string) =>
  optional.text({ ...date.schema, description, examples: [example] });

export const ClosingInput = Type.Object({
  companyId: companyIdParameter,
  from: day('The first day of the period, for the record: what is before it is closed too', '2026-04-01'),
  to: day(
    'The first day that stays open, today at the latest; by default that of the present budget period',
    '2026-05-01',
  ),
});

/** Parses what is to be closed. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readClosing(raw: unknown) {
  const given = readValues(raw, { companyId: uuid }, { from: date, to: date });
  const { from, to } = given;
  throwIfInvalid(from && to && from >= to ? [problemOf('to', 'OUT_OF_RANGE', 'must be after from')] : []);
  return given;
}

const close = auditedUpdate(company, ['closedTo']);

/** Closes the days of a company before one; those that are closed stay so. @throws ApiError `COMPANY_FORBIDDEN`, `INVALID_INPUT` */
export function closeCompanyPeriod(
  db: Database,
  { scope, actor }: WriteRequest,
  { companyId, to }: ReturnType<typeof readClosing>,
): Promise<CompanyRow> {
  return db.transaction(async (transaction) => {
    const [found] = await transaction.query<
      BudgetSettings & { today: CalendarDate; closedTo: CalendarDate | null }
    >(sql`
      select ${selectFields(company, ['budgetPeriod', 'fiscalYearStart', 'closedTo'])}, ${todayOf('companies', 'id')}::text as today
        from companies where id = ${companyId} and ${inScope(scope, sql`companies.id`)} for no key update`);
    if (found === undefined) throw companyForbidden(['CORPORATE_ADMIN']);
    const closedTo = to ?? budgetPeriodOn(found.today, found).from;
    throwIfInvalid(closedTo > found.today ? [problemOf('to', 'OUT_OF_RANGE', `must not be after ${found.today}`)] : []);
    if (found.closedTo === null || closedTo > found.closedTo) {
      await write(transaction, close({ id: companyId, patch: { closedTo }, actor }));
    }
    return findCompany(transaction, companyId, 'all');
  });
}
