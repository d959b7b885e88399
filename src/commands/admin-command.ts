import { migrate } from '../db/migrator.ts';
import { user } from '../entities/user.ts';
import { makeSuperAdmin } from '../features/companies/super-admin.ts';
import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';

const DEFAULT_NAME = 'Platform Admin';

const DONE = {
  added: 'was added, and is a Super Admin',
  promoted: 'is a Super Admin now',
  unchanged: 'is a Super Admin already: nothing was changed',
};

export const adminCommand: Command = {
  name: 'admin',
  parameters: ['EMAIL'],
  options: [
    { name: 'name', value: 'NAME', summary: `first and last name of a new person; left out: "${DEFAULT_NAME}"` },
  ],
  summary: 'make somebody a Super Admin: the first one, or one more where none is left',
  details:
    'A person who is there gets the role, and is active again. A new one joins the company of the platform staff, which is ' +
    'added where there is none. Safe to repeat; the audit trail names the command line.',
  needsDatabase: () => true,
  writes: true,
  async act({ db, config }, [given = ''], { print }, { name = DEFAULT_NAME }) {
    const email = user.fields.email.kind.parse(given);
    if ('expected' in email) throw new UserError(`EMAIL must be ${email.expected}.`);
    const person = { email: email.value, ...splitName(String(name)) };
    await migrate(db, { announce: print });
    const result = await makeSuperAdmin(db, person);
    print(`${email.value} ${DONE[result]}.`);
    if (config.identityProvider) print(`They sign in at ${config.identityProvider.issuer} with this verified address.`);
    else print(`For an access token: orgdesk token ${email.value}`);
  },
};

/** Splits a name at its last space; a single word is the first name. @throws UserError for an invalid name */
function splitName(name: string): { firstName: string; lastName: string } {
  const [, first = name, last = ''] = /^(.*) (.*)$/s.exec(name.trim()) ?? [];
  const firstName = user.fields.firstName.kind.parse(first);
  const lastName = user.fields.lastName.kind.parse(last);
  if ('expected' in firstName || 'expected' in lastName) {
    throw new UserError('--name must be a name, such as "Asha Rao".');
  }
  return { firstName: firstName.value, lastName: lastName.value };
}
