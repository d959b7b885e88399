import sql from 'sql-template-tag';
import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';

export const tokenCommand: Command = {
  name: 'token',
  parameters: ['EMAIL'],
  summary: 'print an access token for the user with this e-mail address, and nothing else',
  needsDatabase: () => true,
  async act({ config, db, signToken }, [email = ''], { print }) {
    if (config.identityProvider) {
      throw new UserError(
        `Access tokens come from the identity provider ${config.identityProvider.issuer}: sign in there to get one.`,
      );
    }
    const [user] = await db.query<{ id: string }>(
      sql`select id from users where lower(email collate "C") = lower(${email} collate "C")`,
    );
    if (!user) throw new UserError(`There is no user with the e-mail address ${email}.`);
    print(await signToken(user.id, config.tokenLifetime));
  },
};
