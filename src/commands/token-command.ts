import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';
import { userIdByEmail } from './user-by-email.ts';

const OWN_KEY =
  'The token is signed by the key in DATA_DIR: a service with another DATA_DIR refuses it. Set JWT_SECRET for both to the same secret.';

export const tokenCommand: Command = {
  name: 'token',
  parameters: ['EMAIL'],
  summary: 'print an access token for the user with this e-mail address, and nothing else',
  details: 'Works while the service runs, but not with an identity provider. It expires after TOKEN_LIFETIME.',
  needsDatabase: () => true,
  async act({ config, db, signToken }, [email = ''], { print }) {
    if (config.identityProvider) {
      throw new UserError(
        `Access tokens come from the identity provider ${config.identityProvider.issuer}: sign in there to get one.`,
      );
    }
    const token = await signToken(await userIdByEmail(db, email), config.tokenLifetime);
    if (config.databaseUrl !== undefined && config.jwtSecret === undefined) process.stderr.write(`${OWN_KEY}\n`);
    print(token);
  },
};
