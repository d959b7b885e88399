import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import type { Database, Transaction, Writer } from '../../db/database.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { proofOf, signInConnection } from '../../entities/sign-in-connection.ts';
import { limitByKey } from '../../lib/limit-by-key.ts';
import type { ResolveTexts } from './probe.ts';

/** Days for which a company keeps a domain whose record is gone. */
const GRACE_DAYS = 7;
const DAY_MS = 86_400_000;
/** Domains that are looked at in one go, and names that are looked up at once. */
const [BATCH, AT_ONCE] = [100, 4];

/** A domain of a company whose record is gone. */
interface MissingProof {
  domain: string;
  companyId: string;
  isLost: boolean;
}

interface LookOptions {
  resolveTexts: ResolveTexts;
  now?: Date;
}

/** The domains of a connection whose records are gone, for a statement that selects from `sign_in_connections`. */
export const missingRecords: Sql = sql`
  (select coalesce(json_agg(json_build_object(
            'domain', proof.domain, 'since', ${isoTimestamp(sql`proof.missing_since`)},
            'until', ${isoTimestamp(sql`(proof.missing_since + ${GRACE_DAYS}::integer * interval '1 day')`)}) order by proof.domain), '[]')
     from domain_proofs proof join sign_in_domains own on own.domain = proof.domain
    where own.connection_id = sign_in_connections.id and proof.missing_since is not null)`;

/** Notes domains whose records were seen, unless another company has them. */
export async function noteProofs(db: Writer, companyId: string, domains: readonly string[]): Promise<void> {
  if (domains.length === 0) return;
  await db.query(sql`
    insert into domain_proofs (domain, company_id, looked_at, seen_at)
    select wanted.domain, ${companyId}::uuid, now(), now()
      from json_array_elements_text(${JSON.stringify(domains)}::text::json) wanted (domain)
     where not exists (select from sign_in_domains taken join sign_in_connections on id = taken.connection_id
                        where taken.domain = wanted.domain and company_id <> ${companyId}::uuid)
        on conflict (domain) do update
       set company_id = excluded.company_id, looked_at = now(), seen_at = now(), missing_since = null`);
}

/**
 * Looks at the records of the domains that are due: each once a day, by one of any number of processes. A domain whose record was there
 * before and is gone for seven days is taken from its connection: whoever proves it then has it.
 *
 * @returns the domains without their records
 */
export async function lookAtDomains(
  db: Database,
  { resolveTexts, now = new Date() }: LookOptions,
): Promise<MissingProof[]> {
  const at = now.toISOString();
  await db.query(sql`
    delete from domain_proofs proof
     where not exists (select from sign_in_domains own join sign_in_connections on id = own.connection_id
                        where own.domain = proof.domain and company_id = proof.company_id)`);
  await db.query(sql`
    insert into domain_proofs (domain, company_id)
    select domain, company_id from sign_in_domains join sign_in_connections on id = connection_id on conflict do nothing`);
  const turns = limitByKey({ running: AT_ONCE, waiting: BATCH });
  const missing: MissingProof[] = [];
  for (;;) {
    const due = await db.query<{ domain: string; companyId: string }>(sql`
      update domain_proofs set looked_at = ${at}::timestamptz
       where domain in (select domain from domain_proofs
                         where coalesce(looked_at < ${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz, true)
                         order by domain limit ${BATCH}::integer for update skip locked)
      returning domain, company_id as "companyId"`);
    if (due.length === 0) return missing;
    await Promise.all(
      due.map(({ domain, companyId }) =>
        turns('', async () => {
          const { name, text } = proofOf(domain, companyId);
          const isThere = (await resolveTexts(name)).includes(text);
          const proof = await noteLook(db, { domain, companyId }, isThere, at);
          if (proof !== undefined) missing.push(proof);
        }),
      ),
    );
  }
}

const updateDomains = auditedUpdate(signInConnection, ['domainNames']);

/** Takes domains from a connection; no-op for those that it does not have. */
export async function takeDomains(
  transaction: Transaction,
  actor: Actor,
  { id, domains }: { id: string; domains: readonly string[] },
  taken: readonly string[],
): Promise<void> {
  const kept = domains.filter((domain) => !taken.includes(domain));
  if (kept.length === domains.length) return;
  await write(transaction, updateDomains({ id, patch: { domainNames: kept.join(' ') }, actor }));
}

/** Notes whether a record is there, and takes the domain from its company after the days of grace. */
async function noteLook(
  db: Database,
  { domain, companyId }: Pick<MissingProof, 'domain' | 'companyId'>,
  isThere: boolean,
  at: string,
): Promise<MissingProof | undefined> {
  const [noted] = await db.query<{ isMissing: boolean; isLost: boolean }>(sql`
    update domain_proofs
       set seen_at = case when ${isThere} then ${at}::timestamptz else seen_at end,
           missing_since = case when not ${isThere} and seen_at is not null then coalesce(missing_since, ${at}::timestamptz) end
     where domain = ${domain} and company_id = ${companyId}::uuid
    returning missing_since is not null as "isMissing",
              coalesce(missing_since <= ${at}::timestamptz - ${GRACE_DAYS}::integer * interval '1 day', false) as "isLost"`);
  if (!noted?.isMissing) return undefined;
  if (noted.isLost) {
    await db.transaction(async (transaction) => {
      const [own] = await transaction.query<{ id: string; domains: string[] }>(sql`
        select id, to_json(string_to_array(domains, ' ')) as domains from sign_in_connections
         where company_id = ${companyId}::uuid and ${domain} = any(string_to_array(domains, ' ')) for update`);
      if (own) await takeDomains(transaction, { kind: 'command' }, own, [domain]);
      await transaction.query(
        sql`delete from domain_proofs where domain = ${domain} and company_id = ${companyId}::uuid`,
      );
    });
  }
  return { domain, companyId, isLost: noted.isLost };
}
