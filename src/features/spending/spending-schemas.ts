import { type Static, Type } from 'typebox';
import { companyIdParameter, rangeParameters } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { booking } from '../../entities/booking.ts';
import { department } from '../../entities/department.ts';
import { answeredFields, optional, textOrNull, titled } from '../../entities/field-schemas.ts';

const range = { companyId: companyIdParameter, ...rangeParameters('bookings') };

export const DepartmentSpendingInput = Type.Object(
  { ...range, ...pageParameters(100) },
  { additionalProperties: false },
);

/** Returns the schema of a sum, which may be negative. */
export const amount = (description: string, example: string) =>
  Type.String({ description, pattern: '^-?(0|[1-9]\\d*)\\.\\d{2}$', examples: [example] });

const spent = amount('Sum of the bookings that are not cancelled', '420000.00');
const bookings = Type.Integer({ description: 'Number of these bookings', examples: [37] });

/** Budget and spending of a department. */
export const DepartmentSpendingView = titled('DepartmentSpending', {
  ...answeredFields(department, ['id', 'name', 'budget']),
  spent,
  remaining: amount('The budget of one period less what was spent; negative if more was spent', '780000.00'),
  bookings,
  spentBelow: amount('Sum of the bookings in all departments below it, which spent does not contain', '0.00'),
});
export type DepartmentSpendingView = Static<typeof DepartmentSpendingView>;

export const SPENDING_GROUPS = ['month', 'department', 'costCenter'] as const;
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
  },
  { additionalProperties: false },
);

/** Spending in a month, of a department or of a cost centre. */
export const CompanySpendingView = titled('CompanySpending', {
  month: optional.text({ description: 'By month: year and month in UTC', examples: ['2026-04'] }),
  departmentId: Type.Optional(
    textOrNull({
      format: 'uuid',
      description: 'By department: where it was booked; null for bookings of no department',
      examples: [department.fields.id.example],
    }),
  ),
  name: Type.Optional(
    textOrNull({
      description: 'By department: its name, the last one if it has been deleted; null if unknown',
      examples: [department.fields.name.example],
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
