import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { tokenSigner } from '../../src/auth/tokens/access-token.ts';
import { keysFromSecret } from '../../src/auth/tokens/token-keys.ts';
import type { Database } from '../../src/db/database.ts';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import { JWT_SECRET } from '../api/data.ts';
import { inTurn, type Requests, requestBytes } from '../support/load.ts';
import { type Measured, measureInTurn, medianRatio } from '../support/measure.ts';
import { startOrgdesk } from '../support/orgdesk.ts';

/** Companies with a directory, and people of each who are asked for. */
const [COMPANIES, PEOPLE] = [100, 100];
const LOAD = { rounds: 31, milliseconds: 500 };

/** Profile views, and people found by their `userName` through SCIM: how many requests a second, in turn on one service. */
export interface Rates {
  profile: Measured[];
  scim: Measured[];
  /** The median of the ratios within a round. */
  ratio: number;
}

/** @param db filled; keys are added to it @param url of it, for the service */
export async function compareRates(db: Database, url: string): Promise<Rates> {
  const folder = await mkdtemp(join(tmpdir(), 'orgdesk-bench-'));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  const requests = await requestsOf(db);
  await using service = await startOrgdesk(folder, {
    env: { DATABASE_URL: url, JWT_SECRET, RATE_LIMIT_USER: '0', LOG_LEVEL: 'warn' },
  });
  const [profile = [], scim = []] = await measureInTurn([requests.profile, requests.scim], [service, service], LOAD);
  return { profile, scim, ratio: medianRatio(scim, profile) };
}

async function requestsOf(db: Database): Promise<{ profile: Requests; scim: Requests }> {
  const sign = tokenSigner(keysFromSecret(JWT_SECRET), { issuer: 'orgdesk', audience: 'orgdesk' });
  const people = await db.query<{ id: string; email: string; companyId: string }>(sql`
    select person.id, person.email, company_id as "companyId"
      from (select id from companies where active order by id limit ${COMPANIES}::integer) company,
           lateral (select id, email, company_id from users
                     where company_id = company.id and active limit ${PEOPLE}::integer) person
     order by md5(person.id::text)`);
  const keys = new Map<string, string>();
  const profile: Buffer[] = [];
  const scim: Buffer[] = [];
  for (const { id, email, companyId } of people) {
    const made = { name: 'Bench', scopes: ['scim'] as const, companyId, expiresAt: null };
    const key =
      keys.get(companyId) ??
      (await db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, made))).key;
    keys.set(companyId, key);
    const get = (path: string, token: string) =>
      requestBytes('GET', path, { headers: { authorization: `Bearer ${token}` } });
    profile.push(get('/api/users/profile', await sign(id, 3600)));
    scim.push(get(`/scim/v2/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}`, key));
  }
  return { profile: inTurn(profile), scim: inTurn(scim) };
}
