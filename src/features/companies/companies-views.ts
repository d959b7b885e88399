import type { CompanyRow } from './companies-queries.ts';
import type { CompanyView } from './companies-schemas.ts';

export function companyView({ userCount, bookingCount, ...company }: CompanyRow): CompanyView {
  return { ...company, _count: { users: userCount, bookings: bookingCount } };
}
