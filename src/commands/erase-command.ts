import sql from 'sql-template-tag';
import { isCanonicalUuid } from '../entities/uuid.ts';
import type { Command } from './command.ts';
import { userIdByEmail } from './user-by-email.ts';

export const eraseCommand: Command = {
  name: 'erase',
  parameters: ['EMAIL_OR_ID'],
  summary: 'erase the personal values that the audit trail keeps of a user; the user stays as they are',
  details: 'Values in older backups and exports stay there.',
  needsDatabase: () => true,
  async act({ db }, [person = ''], { print }) {
    // An id need not be that of a user who is still there: the trail outlives them.
    const id = isCanonicalUuid(person) ? person.toLowerCase() : await userIdByEmail(db, person);
    const [row] = await db.session((session) =>
      session.query<{ erased: number }>(sql`select erase_audit_values(${id}::uuid) as erased`),
    );
    print(`Erased the personal values of ${row?.erased ?? 0} changes of the user ${id}.`);
  },
};
