import { ApiError } from '../entities/api-error.ts';
import { isCanonicalUuid } from '../entities/uuid.ts';
import { type Erasure, erasePerson } from '../features/people/people.ts';
import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';
import { userIdByEmail } from './user-by-email.ts';

const DONE: Record<Erasure['user'], string> = {
  erased: 'was erased',
  'erased before': 'had been erased before',
  absent: 'is not there any more',
};

export const eraseCommand: Command = {
  name: 'erase',
  parameters: ['EMAIL_OR_ID'],
  summary: 'erase a person: all that is personal, in the audit trail as well; what they booked stays',
  details:
    'Nobody can sign in as them afterwards, and nothing brings the values back. Safe to repeat, by the id. The last Super Admin, and the ' +
    'last Corporate Admin of a company, has to be followed by another one first. Values in older backups and exports stay there.',
  needsDatabase: () => true,
  writes: true,
  async act({ db }, [given = ''], { print }) {
    // The user of the id may be gone already: the trail outlives users.
    const id = isCanonicalUuid(given) ? given.toLowerCase() : await userIdByEmail(db, given);
    const { user, changes } = await erasePerson(db, id).catch(explainRefusal);
    print(`The user ${id} ${DONE[user]}; personal values of ${changes} changes of the audit trail were erased.`);
  },
};

function explainRefusal(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new UserError(`Nobody was erased. ${error.message}`, { cause: error });
}
