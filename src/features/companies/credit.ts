import sql, { type Sql } from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { todayOf } from '../../audit/entity-sql.ts';
import { company } from '../../entities/company.ts';
import { answeredFields } from '../../entities/field-schemas.ts';
import type { DecimalString } from '../../entities/money.ts';
import { money, signedMoney } from '../../entities/values.ts';

/** The schema of {@link CREDIT_USED}. */
export const creditUsed = {
  ...money.schema,
  pattern: '^\\d+\\.\\d{2}$',
  description: 'Sum of the bookings of its last creditDays days, of today at least, less what was paid in them',
  examples: ['120000.00'],
};

const sum = (description: string, example: string) =>
  Type.String({ ...signedMoney.schema, description, examples: [example] });

/** What a company may still book on credit, before and after an amount. */
export const RemainingCreditView = Type.Object(
  {
    ...answeredFields(company, ['creditLimit']),
    creditUsed: Type.String(creditUsed),
    remaining: sum('Before the booking', '80000.00'),
    after: sum('After the booking; negative: over the limit', '20000.00'),
  },
  {
    title: 'RemainingCredit',
    description:
      'Of a company that has a credit limit; absent for people who ask for themselves and are none of its staff',
  },
);
export type RemainingCredit = Static<typeof RemainingCreditView>;

/** The first of the last credit days of a company, of which today is always one; bounded, as no date is billions of days ago. */
const CREDIT_SINCE = sql`(${todayOf('companies', 'id')} - greatest(least(companies.credit_days, 36500), 1) + 1)`;
const SINCE = sql`${CREDIT_SINCE}::timestamp at time zone companies.time_zone`;
/** What a company booked in its last credit days, less what it got back and paid in them. */
export const CREDIT_USED = sql`
  greatest(0.00, (select coalesce(sum(amount), 0.00) from bookings
    where bookings.company_id = companies.id and (status = 'BOOKED' or reversed) and bookings.created_at >= ${SINCE})
  - (select coalesce(sum(amount), 0.00) from bookings
    where bookings.company_id = companies.id and reversed and cancelled_at >= ${SINCE})
  - (select coalesce(sum(amount), 0.00) from company_payments paid
    where paid.company_id = companies.id and paid.created_at >= ${SINCE}))`;
/** Whether that exceeds the credit limit. The sums by month, which contain it unless something was given back, tell of most that it does not. */
export const IS_OVER_CREDIT = sql`
  case when companies.credit_limit < (select sum(amount) from booking_sums
    where booking_sums.company_id = companies.id and month >= date_trunc('month', ${CREDIT_SINCE}::timestamp))
    or exists (select from bookings where bookings.company_id = companies.id and (amount < 0 or reversed))
  then companies.credit_limit < ${CREDIT_USED} else false end`;

const DAY = (time: Sql) => sql`(${time} at time zone companies.time_zone)::date`;
/**
 * The day since when that is so, by the present limit and credit days; null if it is not. What is booked, given back or paid counts from
 * its day until the credit days are over.
 */
export const OVER_CREDIT_SINCE = sql`
  case when companies.credit_limit < ${CREDIT_USED} then (
    with used as (
      select day, sum(sum(change)) over (order by day) as used
        from (select least(made, ${todayOf('companies', 'id')}) as made, sum(amount) as amount
                from (select ${DAY(sql`created_at`)} as made, amount from bookings
                       where bookings.company_id = companies.id and (status = 'BOOKED' or reversed)
                      union all select ${DAY(sql`cancelled_at`)}, -amount from bookings
                       where bookings.company_id = companies.id and reversed
                      union all select ${DAY(sql`paid.created_at`)}, -amount from company_payments paid
                       where paid.company_id = companies.id) entries
               group by entries.made) days,
             lateral (values (made, amount), (made + greatest(least(companies.credit_days, 36500), 1), -amount)) changes (day, change)
       where day <= ${todayOf('companies', 'id')} group by day)
    select min(day)::text from used
     where day > coalesce((select max(day) from used where used <= companies.credit_limit), '-infinity')) end`;

/** Returns SQL for the {@link RemainingCredit} of a company if an amount is spent, as one JSON object. */
export function remainingCredit(companyId: Sql, amount: DecimalString): Sql {
  return sql`(
    select json_build_object(
             'creditLimit', credit_limit::text, 'creditUsed', used::text, 'remaining', (credit_limit - used)::text,
             'after', (credit_limit - used - ${amount}::text::numeric)::text)
      from companies cross join lateral (select ${CREDIT_USED} as used) credit
     where companies.id = ${companyId} and credit_limit > 0)`;
}
