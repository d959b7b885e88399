import sql from 'sql-template-tag';
import { hasEmail } from '../audit/entity-sql.ts';
import type { Database, Reader } from '../db/database.ts';
import { migrate } from '../db/migrator.ts';
import { ApiError } from '../entities/api-error.ts';
import { apiKey, SCOPES } from '../entities/api-key.ts';
import { isCanonicalUuid } from '../entities/characters.ts';
import { allOf } from '../entities/check-fields.ts';
import { isCalendarDate, midnightUtc } from '../entities/dates.ts';
import { user } from '../entities/user.ts';
import { addApiKey, checkExpiry, checkScopes, type NewApiKey } from '../features/api-keys/new-api-key.ts';
import { makeSuperAdmin } from '../features/companies/super-admin.ts';
import { type Erasure, erasePerson } from '../features/people/erase-person.ts';
import { forgetPlatformLinks } from '../features/people/sign-in.ts';
import { rotateProfileKey } from '../features/travellers/rotate-profile-key.ts';
import { profileKeys } from '../features/travellers/sealed-numbers.ts';
import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';

const DEFAULT_NAME = 'Platform Admin';

const ADDED = {
  added: 'was added, and is a Super Admin',
  promoted: 'is a Super Admin now',
  unchanged: 'is a Super Admin already: nothing was changed',
};

export const adminCommand: Command = {
  name: 'admin',
  parameters: ['EMAIL'],
  options: [
    { name: 'name', value: 'NAME', summary: `first and last name of a new person; omitted: "${DEFAULT_NAME}"` },
  ],
  summary: 'make somebody a Super Admin: the first one, or a new one if none is left',
  details:
    'An existing person gets the role, and becomes active again. A new one joins the company of the platform staff, which is ' +
    'added if there is none. Safe to repeat; the audit trail names the command line.',
  writes: true,
  async act({ db, config }, [given = ''], { print }, { name = DEFAULT_NAME }) {
    const email = user.fields.email.kind.parse(given);
    if ('expected' in email) throw new UserError(`EMAIL must be ${email.expected}.`);
    const person = { email: email.value, ...splitName(String(name)) };
    await migrate(db, { announce: print });
    const result = await makeSuperAdmin(db, person);
    print(`${email.value} ${ADDED[result]}.`);
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

const OWN_KEY =
  'The token is signed by the key in DATA_DIR: a service with another DATA_DIR refuses it. Set JWT_SECRET for both to the same secret.';

export const tokenCommand: Command = {
  name: 'token',
  parameters: ['EMAIL'],
  summary: 'print only an access token for the user with this e-mail address',
  details: 'Works while the service runs, but not with an identity provider. It expires after TOKEN_LIFETIME.',
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

export const keyCommand: Command = {
  name: 'key',
  parameters: ['NAME'],
  options: [
    { name: 'scope', value: 'SCOPE', isRepeatable: true, summary: `scope of the key: ${SCOPES.join(', ')}` },
    { name: 'company', value: 'ID', summary: 'the company whose data it can access; omitted: all active ones' },
    {
      name: 'expires',
      value: 'DATE',
      summary: 'the day on which it expires (YYYY-MM-DD, UTC); omitted: never',
    },
  ],
  summary: 'create an API key, and print only the key',
  details: 'Works while the service runs. The key is printed only here, and not stored.',
  writes: true,
  async act({ db }, [given = ''], { print }, { scope = [], company, expires }) {
    const name = apiKey.fields.name.kind.parse(given);
    if ('expected' in name) throw new UserError(`NAME must be ${name.expected}.`);
    const end = typeof expires === 'string' ? startOf(expires) : null;
    const checked = allOf(checkScopes(scope, company !== undefined), checkExpiry(end));
    if (!checked.ok) throw new UserError(`No key was made: ${checked.problems[0]?.message}`);
    const [scopes, expiresAt] = checked.value;
    const companyId = typeof company === 'string' ? company.toLowerCase() : null;
    if (companyId !== null && !(isCanonicalUuid(companyId) && (await companyExists(db, companyId)))) {
      throw new UserError(`No key was made: there is no company with the id ${company}.`);
    }
    print(await newKey(db, { name: name.value, scopes, companyId, expiresAt }));
  },
};

async function companyExists(db: Reader, id: string): Promise<boolean> {
  const [company] = await db.query(sql`select from companies where id = ${id}`);
  return company !== undefined;
}

async function newKey(db: Database, made: NewApiKey): Promise<string> {
  try {
    const { key } = await db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, made));
    return key;
  } catch (error) {
    throw error instanceof ApiError ? new UserError(`No key was made: ${error.message}`) : error;
  }
}

function startOf(day: string): string {
  if (!isCalendarDate(day)) throw new UserError(`No key was made: --expires must be a date such as 2027-01-31.`);
  return midnightUtc(day);
}

const ERASED: Record<Erasure['user'], string> = {
  erased: 'was erased',
  'erased before': 'had been erased before',
  absent: 'is not there any more',
};

export const eraseCommand: Command = {
  name: 'erase',
  parameters: ['EMAIL_OR_ID'],
  summary: 'erase the personal data of a person, also in the audit trail; bookings stay',
  details:
    'Nobody can sign in as them afterwards, and the values cannot be restored. Safe to repeat, by the id. The last Super Admin, and the ' +
    'last Corporate Admin of a company, needs a successor first. Values in older backups and exports stay.',
  writes: true,
  async act({ db }, [given = ''], { print }) {
    // The user of the id may be gone already: the trail outlives users.
    const id = isCanonicalUuid(given) ? given.toLowerCase() : await userIdByEmail(db, given);
    const { user, changes } = await erasePerson(db, id).catch(explainRefusal);
    print(`The user ${id} ${ERASED[user]}; personal values of ${changes} changes of the audit trail were erased.`);
  },
};

function explainRefusal(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new UserError(`Nobody was erased. ${error.message}`, { cause: error });
}

/** Returns the id of the user with this e-mail address, ignoring case. @throws UserError if there is none */
async function userIdByEmail(db: Reader, email: string): Promise<string> {
  const [user] = await db.query<{ id: string }>(sql`select id from users where ${hasEmail(sql`${email}::text`)}`);
  if (!user) throw new UserError(`There is no user with the e-mail address ${email}.`);
  return user.id;
}

export const forgetLinksCommand: Command = {
  name: 'forget-links',
  parameters: [],
  summary: 'end the links of all people to their accounts at the identity provider of the platform',
  details:
    'After a new app registration there, or another OIDC_SUBJECT_CLAIM: the next sign-in with a verified e-mail address links anew. ' +
    'A connection of a company has sign-in-connections/forget-links. Works while the service runs.',
  writes: true,
  async act({ config, db }, _, { print }) {
    const count = await forgetPlatformLinks(db, config.tokenIssuer);
    print(`The links of ${count} people to accounts at ${config.tokenIssuer} ended.`);
  },
};

export const rotateProfileKeyCommand: Command = {
  name: 'rotate-profile-key',
  parameters: [],
  summary: 'wrap the numbers of travel documents and programmes by PROFILE_KEY, and no longer by PROFILE_KEY_PREVIOUS',
  details: 'Works while the service runs with both. Safe to repeat; afterwards PROFILE_KEY_PREVIOUS can go.',
  writes: true,
  async act({ config, db }, _, { print }) {
    const wrapped = await rotateProfileKey(db, profileKeys(config.profileKey, config.profileKeyPrevious));
    print(`${wrapped} numbers were wrapped anew.`);
  },
};
