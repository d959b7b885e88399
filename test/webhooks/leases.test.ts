import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import sql, { type Sql } from 'sql-template-tag';
import { publishAll } from '../../src/audit/publish.ts';
import type { Database } from '../../src/db/database.ts';
import type { WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, type TestCompany } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startSender } from './test-sender.ts';

const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const { email: superAdmin } = await addPerson(db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

/** More than one statement looks through. */
const MANY = 5_000;

const newWebhook = async (url: string, { id: companyId }: TestCompany, entities: readonly string[]) => {
  const payload = { url, companyId, entities };
  return dataOf<WebhookWithSecret>(
    await api.send({ method: 'POST', url: '/api/webhooks/create', payload, as: superAdmin }),
  );
};

/** Publishes changes of a company. */
async function addChanges(entity: string, { id }: TestCompany, count = 1): Promise<void> {
  await db.query(sql`
    insert into audit_changes (actor_kind, action, entity, entity_id, company_id, fields)
    select 'command', 'added', ${entity}::text, gen_random_uuid()::text, ${id}::uuid, '{}'
      from generate_series(1, ${count}::integer)`);
  await publishAll(db);
}

const isLookForDue = ({ text }: Sql) => /due as materialized/.test(text);
const isLookForNext = ({ text }: Sql) => /following\.ids/.test(text);

/** A database that counts statements, and does something behind each. */
function watched(behind: (statement: Sql) => Promise<unknown> | undefined) {
  const statements: Sql[] = [];
  const watching: Database = {
    ...db,
    async query<Row extends object>(statement: Sql) {
      const rows = await db.query<Row>(statement);
      statements.push(statement);
      await behind(statement);
      return rows;
    },
  };
  const count = (kind: (statement: Sql) => boolean) => statements.filter(kind).length;
  const pass = async (kind: (statement: Sql) => boolean, times: number) => {
    const wanted = count(kind) + times;
    await waitUntil('statements', () => count(kind) >= wanted);
  };
  return { db: watching, count, pass };
}

let receiver: Receiver;
let waiting: ServerResponse[];
let company: TestCompany;
beforeEach(async () => {
  receiver = await startReceiver();
  waiting = [];
  receiver.answer((response) => waiting.push(response));
  company = await addCompany(db, 'Listening');
});
afterEach(async () => {
  await db.query(sql`delete from webhooks`);
  for (const response of waiting) response.end();
  await receiver[Symbol.asyncDispose]();
});

const setLease = (id: string, until: string, lease: string | null = null) =>
  db.query(sql`
    update webhook_progress set leased_until = ${until}::timestamptz, lease = coalesce(${lease}::uuid, lease)
     where webhook_id = ${id}`);

describe('the lease of a webhook', () => {
  it("a webhook's lease that lapses while changes are skipped causes no second attempt by the process", async () => {
    const { id } = await newWebhook(receiver.url, company, ['companyRole']);
    await addChanges('department', company, MANY);
    await addChanges('companyRole', company);
    let hasLapsed = false;
    const watch = watched(async (statement) => {
      // The second one is of the delivery: the first is of the look that has leased the webhook.
      if (hasLapsed || !isLookForNext(statement) || watch.count(isLookForNext) < 2) return;
      hasLapsed = true;
      await setLease(id, '-infinity');
      await watch.pass(isLookForDue, 2);
    });
    await using _sender = startSender(watch.db);
    await waitUntil('the attempt', () => waiting.length === 1);
    await watch.pass(isLookForDue, 3);
    assert.equal(receiver.received.length, 1);
    waiting[0]?.end();
    await watch.pass(isLookForDue, 2);
    assert.equal(receiver.received.length, 1);
  });

  it("a webhook's lease lost while changes are skipped stops the delivery", async () => {
    const { id } = await newWebhook(receiver.url, company, ['companyRole']);
    await addChanges('department', company, MANY);
    await addChanges('companyRole', company);
    const other = randomUUID();
    let isTaken = false;
    const watch = watched((statement) => {
      if (isTaken || !isLookForNext(statement)) return undefined;
      isTaken = true;
      return setLease(id, 'infinity', other);
    });
    await using _sender = startSender(watch.db);
    await waitUntil('the first look', () => isTaken);
    await watch.pass(isLookForDue, 3);
    assert.equal(receiver.received.length, 0);
    const [{ lease } = { lease: '' }] = await db.query<{ lease: string }>(sql`
      select lease::text as lease from webhook_progress where webhook_id = ${id}`);
    assert.equal(lease, other);
    await setLease(id, '-infinity');
    await waitUntil('the attempt', () => waiting.length === 1);
  });

  it("a webhook's lease lost before an attempt stops the delivery", async () => {
    const { id } = await newWebhook(receiver.url, company, ['companyRole']);
    await addChanges('companyRole', company);
    let now = 0;
    let isTaken = false;
    const watch = watched((statement) => {
      if (isTaken || !isLookForNext(statement)) return undefined;
      isTaken = true;
      // The statement has taken so long that the lease has lapsed, and another process has the webhook.
      now += 31_000;
      return setLease(id, 'infinity', randomUUID());
    });
    await using _sender = startSender(watch.db, { clock: () => now });
    await waitUntil('the first look', () => isTaken);
    await watch.pass(isLookForDue, 3);
    assert.equal(receiver.received.length, 0);
  });

  it('a webhook that skips 5,000 changes of other entities needs at most ten look-ups', async () => {
    await newWebhook(receiver.url, company, ['companyRole']);
    await addChanges('department', company, MANY);
    await addChanges('companyRole', company);
    const watch = watched(() => undefined);
    await using _sender = startSender(watch.db);
    await waitUntil('the attempt', () => waiting.length === 1);
    assert.ok(watch.count(isLookForNext) <= 10, `${watch.count(isLookForNext)} statements`);
  });
});

describe('slow receivers', () => {
  /** Adds webhooks to companies, twenty each, that come first: they are furthest behind. */
  async function addSlow(companies: number, url: string): Promise<void> {
    for (let count = 0; count < companies; count++) {
      const slow = await addCompany(db, 'Slow');
      await db.query(sql`
        with added as (
          insert into webhooks (id, company_id, url)
          select gen_random_uuid(), ${slow.id}::uuid, ${url}::text from generate_series(1, 20)
          returning id),
        secret as (insert into webhook_secrets (webhook_id, secret) select id, 'whsec_dHJpZWQ=' from added)
        insert into webhook_progress (webhook_id, position) select id, (select position from change_feed) from added`);
      await addChanges('department', slow);
    }
  }

  it('two hundred slow receivers delay no delivery of another company', async () => {
    await addSlow(10, receiver.url);
    await using good = await startReceiver();
    await using _sender = startSender(db);
    await waitUntil('all of them to be sent to', () => waiting.length === 200);
    await newWebhook(good.url, company, ['department']);
    await addChanges('department', company);
    await waitUntil('the good one', () => good.received.length === 1);
    assert.equal(receiver.received.length, 200);
  });

  it('slow receivers that use all simultaneous deliveries delay no delivery of another company', async () => {
    await addSlow(3, receiver.url);
    await using good = await startReceiver();
    const watch = watched(() => undefined);
    await using _sender = startSender(watch.db, { maxInFlight: 9 });
    await waitUntil('as many as may', () => waiting.length === 9);
    await newWebhook(good.url, company, ['department']);
    await addChanges('department', company);
    await waitUntil('the good one', () => good.received.length === 1);
    await watch.pass(isLookForDue, 2);
    assert.equal(receiver.received.length, 9);
    // Each company has its share of them.
    const shares = await db.query<{ count: number }>(sql`
      select count(*)::integer as count from webhook_progress join webhooks on webhooks.id = webhook_id
       where leased_until > now() group by company_id order by count`);
    assert.deepEqual(
      shares.map(({ count }) => count),
      [3, 3, 3],
    );
  });
});
