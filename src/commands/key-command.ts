import sql from 'sql-template-tag';
import type { Database, Reader } from '../db/database.ts';
import { ApiError } from '../entities/api-error.ts';
import { apiKey, SCOPES } from '../entities/api-key.ts';
import { allOf } from '../entities/check-fields.ts';
import { isCalendarDate, midnightUtc } from '../entities/dates.ts';
import { isCanonicalUuid } from '../entities/uuid.ts';
import { addApiKey, checkExpiry, checkScopes, type NewApiKey } from '../features/api-keys/new-api-key.ts';
import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';

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
  summary: 'create an API key, and print it and nothing else',
  details: 'Works while the service runs. The key is printed only here, and not stored.',
  needsDatabase: () => true,
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
