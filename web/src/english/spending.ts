/** The texts of what is spent. */
export const spendingTexts = {
  byMonth: 'Spent by month',
  bookings: 'Bookings',
  bookingsLead: (company: string) => `What was booked at ${company}, the newest first.`,
  over: (amount: string) => `${amount} over budget`,
  spent: 'Spent',
  remaining: 'Remaining',
  period: (from: string, until: string) => `Budgets and what is spent are for ${from} until ${until}.`,
  date: 'Date',
  who: 'Who',
  costCenter: 'Cost centre',
  reference: 'Reference',
  status: 'Status',
  statuses: { BOOKED: 'Booked', CANCELLED: 'Cancelled' },
  amount: 'Amount',
  currency: 'Currency',
  budgetPeriod: 'Budgets are for',
  periods: { MONTH: 'a month', QUARTER: 'a quarter', YEAR: 'a year' },
  fiscalYearStart: 'The financial year begins in',
  budgetLeft: (before: string, after: string) =>
    `Budget of the department: ${before} left, ${after} after this booking.`,
  budgetOver: (by: string) => `This booking takes the department ${by} over its budget.`,
};
