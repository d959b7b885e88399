import { UserError } from '../../src/lib/errors.ts';
import type { PeopleSizes } from './people.ts';

/** As large as a large platform, and smaller ones that are made sooner. */
const SIZES = {
  small: { companies: 200, users: 40_000, bookings: 20_000 },
  medium: { companies: 10_000, users: 100_000, bookings: 1_000_000 },
  large: { companies: 10_000, users: 1_000_000, bookings: 10_000_000 },
} as const;

/** The options of a command that makes data. */
export const SIZE_OPTIONS = {
  small: { type: 'boolean' },
  large: { type: 'boolean' },
  companies: { type: 'string' },
  users: { type: 'string' },
  bookings: { type: 'string' },
} as const;

/** How much the options ask for: one of the sizes, but for what they say otherwise. @throws UserError where one is no number of rows */
export function sizesOf(
  options: { small?: boolean; large?: boolean; companies?: string; users?: string; bookings?: string },
  usual: 'medium' | 'large',
): PeopleSizes {
  const size = SIZES[options.small ? 'small' : options.large ? 'large' : usual];
  const users = rowsOf('users', options.users, 1) ?? size.users;
  return {
    companies: rowsOf('companies', options.companies, 1) ?? size.companies,
    users,
    roles: users,
    bookings: rowsOf('bookings', options.bookings, 0) ?? size.bookings,
  };
}

function rowsOf(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    throw new UserError(`--${option} ${text}: a whole number from ${least} to 999999999 is expected.`);
  }
  return Number(text);
}
