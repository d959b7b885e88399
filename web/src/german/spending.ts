import type * as english from '../english/spending.ts';

/** Die Texte zu den Ausgaben. */
export const spendingTexts: typeof english.spendingTexts = {
  byMonth: 'Ausgaben nach Monat',
  bookings: 'Buchungen',
  bookingsLead: (company) => `Was bei ${company} gebucht wurde, das Neueste zuerst.`,
  over: (amount) => `${amount} über dem Budget`,
  spent: 'Ausgegeben',
  remaining: 'Übrig',
  period: (from, until) => `Budgets und Ausgaben gelten für ${from} bis ${until}.`,
  date: 'Datum',
  who: 'Wer',
  costCenter: 'Kostenstelle der Buchung',
  reference: 'Referenz',
  status: 'Status',
  statuses: { BOOKED: 'Gebucht', CANCELLED: 'Storniert' },
  amount: 'Betrag',
  currency: 'Währung',
  budgetPeriod: 'Budgets gelten für',
  periods: { MONTH: 'einen Monat', QUARTER: 'ein Quartal', YEAR: 'ein Jahr' },
  fiscalYearStart: 'Das Geschäftsjahr beginnt im',
  budgetLeft: (before, after) => `Budget der Abteilung: ${before} übrig, ${after} nach dieser Buchung.`,
  budgetOver: (by) => `Mit dieser Buchung liegt die Abteilung ${by} über ihrem Budget.`,
};
