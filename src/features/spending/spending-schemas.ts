import { type Static, Type } from 'typebox';
import { companyIdParameter, rangeParameters } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { booking } from '../../entities/booking.ts';
import { company } from '../../entities/company.ts';
import { department } from '../../entities/department.ts';
import { answeredFields, nullable, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';

const range = { companyId: companyIdParameter, ...rangeParameters('bookings') };

export const DepartmentSpendingInput = Type.Object(
  { ...range, ...pageParameters(100) },
  { additionalProperties: false },
);

/** Returns the schema of a sum, which may be negative. */
export const amount = (description: string, example: string) =>
  Type.String({ description, pattern: '^-?(0|[1-9]\\d*)\\.\\d{2}$', examples: [example] });

const end = (description: string, example: string) =>
  textOrNull({ description: `${description}: a day where it begins one, otherwise a date-time`, examples: [example] });

/** What answers about spending tell beside the items. */
export const SPAN = {
  from: end('Beginning of the time; null: open', '2026-04-01'),
  to: end('The end, before which the time ends; null: open', '2027-04-01'),
  currency: answeredFields(company, ['currency']).currency,
};

const spent = amount('Sum of the bookings, less refunds and cancellations', '420000.00');
const bookings = Type.Integer({
  description: 'Number of bookings that are not cancelled in their budget period',
  examples: [37],
});

/** Budget and spending of a department. */
export const DepartmentSpendingView = titled('DepartmentSpending', {
  ...answeredFields(department, ['id', 'name', 'budget']),
  spent,
  remaining: nullable<string>(amount('The budget less what was spent; negative if more was spent', '780000.00')),
  bookings,
  spentBelow: amount(
    'Sum of the bookings in all departments that were below it at the end of the time, which spent does not contain',
    '0.00',
  ),
  remainingWithBelow: nullable<string>(amount('What remains if spentBelow is taken off too', '780000.00')),
});
export type DepartmentSpendingView = Static<typeof DepartmentSpendingView>;

export const SPENDING_GROUPS = ['month', 'department', 'costCenter', 'person', 'band', 'category'] as const;
export type SpendingGroup = (typeof SPENDING_GROUPS)[number];

export const CompanySpendingInput = Type.Object(
  {
    ...range,
    by: optional.text({
      title: 'SpendingGroup',
      enum: [...SPENDING_GROUPS],
      default: 'month',
      description: 'What each item sums up',
    }),
    departmentId: optional.id('Only what was booked in this department', department.fields.id.example),
  },
  { additionalProperties: false },
);

/** Spending in a month, or of a department, cost centre, person, band or category. */
export const CompanySpendingView = titled('CompanySpending', {
  month: optional.text({
    description: 'By month: year and month in the time zone of the company',
    examples: ['2026-04'],
  }),
  departmentId: Type.Optional(
    textOrNull({
      format: 'uuid',
      description: 'By department: where it was booked; null for bookings of no department',
      examples: [department.fields.id.example],
    }),
  ),
  name: Type.Optional(
    textOrNull({
      description: 'By department, person or band: its name, the last one if it has been deleted; null if unknown',
      examples: [department.fields.name.example],
    }),
  ),
  userId: optional.id('By person', user.fields.id.example),
  bandId: Type.Optional(
    textOrNull({
      format: 'uuid',
      description: 'By band: that of the person when it was booked; null for bookings of none',
      examples: [booking.fields.bandId.example],
    }),
  ),
  category: Type.Optional(
    textOrNull({
      description: 'By category: null for bookings of none',
      examples: [booking.fields.category.example],
    }),
  ),
  costCenter: Type.Optional(
    textOrNull({
      description: 'By cost centre: null for bookings of none',
      examples: [booking.fields.costCenter.example],
    }),
  ),
  spent,
  bookings,
});
export type CompanySpendingView = Static<typeof CompanySpendingView>;
