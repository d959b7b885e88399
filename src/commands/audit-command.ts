import { exportChanges } from '../audit/export-changes.ts';
import { isCalendarDate, midnightUtc, parseInstant } from '../entities/dates.ts';
import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';

export const auditCommand: Command = {
  name: 'audit',
  parameters: ['export'],
  options: [
    {
      name: 'from',
      value: 'TIME',
      summary: 'inclusive start: a date (YYYY-MM-DD, UTC) or a date-time with its offset; omitted: the oldest change',
    },
    {
      name: 'to',
      value: 'TIME',
      summary: 'exclusive end; omitted: up to the newest change',
    },
  ],
  summary: 'write the audit trail to standard output, a line of JSON for each change, oldest first',
  details:
    'The last line is {"end":{"changes":…,"sha256":…}}: a file without it was cut off. It holds personal data. Works while ' +
    'the service runs.',
  needsDatabase: () => true,
  async act({ db }, _values, { print, flushed }, { from, to }) {
    const times = { ...momentOf('from', from), ...momentOf('to', to) };
    await exportChanges(db, times, async (line) => {
      print(line.slice(0, -1));
      await flushed();
    });
  },
};

/** Parses a time option. @throws UserError if it is neither a date nor a date-time */
function momentOf<Name extends 'from' | 'to'>(name: Name, given: unknown): { [Key in Name]?: string } {
  if (typeof given !== 'string') return {};
  const moment = isCalendarDate(given) ? midnightUtc(given) : parseInstant(given);
  if (moment === undefined) {
    throw new UserError(`--${name} must be a date such as 2026-01-31, or a date-time such as 2026-01-31T09:30:00Z.`);
  }
  return { [name]: moment } as { [Key in Name]?: string };
}
